"""Measure how time and memory grow with the size of plans, stores and data: ``make scale``.

Each row runs in a process of its own, so that its peak memory is its own. Usage::

    python benchmarks/scale.py                # the whole table, as Markdown
    python benchmarks/scale.py plan 100000    # one row
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SIZES: dict[str, tuple[int, ...]] = {
    "plan": (1_000, 10_000, 100_000),
    "schedule": (1_000, 10_000, 100_000),
    "ray": (1_000, 10_000),
    "read": (10_000, 100_000, 1_000_000),
    "build": (10_000, 100_000, 1_000_000),
    "evaluate": (10_000, 100_000, 1_000_000),
    "measure": (10_000, 100_000, 1_000_000),
    "train": (200, 400, 800, 1600),
    "length": (32, 64, 128, 256, 512),
    "memory": (100, 1_000, 10_000),
    "stages": (2, 4, 8),
    "neighbours": (10_000, 100_000, 400_000),
}
ABOUT = {
    "plan": "list a store with this many finished steps, and plan them",
    "schedule": "run a plan of this many steps that do nothing, in this process",
    "ray": "run a plan of this many steps that do nothing, on a local Ray",
    "read": "read a JSON Lines file of this many pairs",
    "build": "read, check and write this many pairs",
    "evaluate": "evaluate `tiny` on this many pairs",
    "measure": "metrics with intervals of this many predictions",
    "train": "train `tiny` on this many pairs",
    "length": "train `tiny` on 64 pairs of this many tokens",
    "memory": "train `tiny` on 200 pairs with `er-mir`, beside a memory of this size",
    "stages": "train `tiny` on this many stages of 100 pairs with `er-res`",
    "neighbours": "find the nearest of this many vectors for 200 queries",
}


def make_runs(steps: int) -> list[list[object]]:
    """Return runs of ten steps each: a training and nine predictions."""
    from trivium.engine.steps import PredictStep, TrainStep
    from trivium.learn.config import ModelConfig, TrainConfig

    model, train = ModelConfig(name="tiny"), TrainConfig()
    runs: list[list[object]] = []
    for seed in range(steps // 10):
        training = TrainStep(model, "f", ("nli",), train, seed, "split", 10)
        runs.append([PredictStep(training, f"test-{number}", 10) for number in range(9)])
    return runs


def plan(size: int, folder: Path) -> float:
    """List and plan a store in which everything is done."""
    from trivium.engine.plan import PlanSummary, make_plan
    from trivium.engine.store import Store

    store = Store(folder / "store").open()
    runs = make_runs(size)
    for name in ("steps", "costs"):
        (folder / "store" / name).mkdir(exist_ok=True)
    cost = json.dumps({"kind": "predict", "model": "tiny", "device": "cpu", "work": 10.0, "seconds": 0.1})
    for run in runs:
        for step in (run[0].training, *run):  # type: ignore[attr-defined]
            (folder / "store" / "steps" / step.key).mkdir()
            (folder / "store" / "steps" / step.key / "step.json").write_text("{}")
            (folder / "store" / "costs" / f"{step.key}.json").write_text(cost)
    runs = make_runs(size)  # anew: keys are remembered
    started = time.perf_counter()
    assert len(store.keys()) == size
    made = make_plan(runs, store)  # type: ignore[arg-type]
    PlanSummary.of(made, store, 2, "scale")
    assert not made.todo
    return time.perf_counter() - started


def schedule(size: int, folder: Path, executor: str = "nothing") -> float:
    """Run a plan of steps that do nothing."""
    from trivium.engine.executors import Report
    from trivium.engine.executors import executor as register
    from trivium.engine.plan import make_plan
    from trivium.engine.run import RunOptions, run_plan
    from trivium.engine.store import Store

    class Nothing:
        """Finishes every step at once."""

        def __init__(self) -> None:
            self.waiting: list[Report] = []

        def accepts(self, step: object) -> bool:
            return len(self.waiting) < 2

        def submit(self, step: object) -> None:
            self.waiting.append(Report(step.key, seconds=0.0))  # type: ignore[attr-defined]

        def reports(self) -> list[Report]:
            reports, self.waiting = self.waiting, []
            return reports

    @register("nothing")
    @contextmanager
    def start(config: object) -> Iterator[Nothing]:
        yield Nothing()

    @register("ray-nothing")
    @contextmanager
    def start_on_ray(config: object) -> Iterator[object]:
        from trivium.engine.executors.ray import RayExecutor, start_ray

        with start_ray(config):  # type: ignore[arg-type]
            yield RayExecutor(config, run=_do_nothing)  # type: ignore[arg-type]

    store = Store(folder / "store").open()
    made = make_plan(make_runs(size), store)  # type: ignore[arg-type]
    started = time.perf_counter()
    run_plan(made, store, RunOptions(workers=2, executor=executor))
    return time.perf_counter() - started


def _do_nothing(context: object, step: object) -> object:
    from trivium.engine.executors import Report

    return Report(step.key, seconds=0.0)  # type: ignore[attr-defined]


def ray(size: int, folder: Path) -> float:
    """Run a plan of steps that do nothing on a local Ray; starting Ray is included."""
    return schedule(size, folder, "ray-nothing")


def write_pairs(size: int, folder: Path) -> Path:
    """Write a file of different pairs of about the length of SICK's."""
    file = folder / "pairs.jsonl"
    labels = ("entailment", "neutral", "contradiction")
    with file.open("w", encoding="utf-8") as opened:
        for number in range(size):
            row = {
                "id": str(number),
                "premise": f"The cook of house {number} is slicing two onions in a small kitchen",
                "hypothesis": f"Somebody in house {number % 997} is cutting vegetables",
                "label": labels[number % 3],
                "genre": f"genre {number % 7}",
            }
            opened.write(json.dumps(row) + "\n")
    return file


def read(size: int, folder: Path) -> float:
    """Read a file of pairs."""
    from trivium.data.tables import read_pairs

    file = write_pairs(size, folder)
    started = time.perf_counter()
    assert len(read_pairs(file)) == size
    return time.perf_counter() - started


def build(size: int, folder: Path) -> float:
    """Read pairs, hash them and write them as a split."""
    from trivium.data.tables import read_pairs
    from trivium.engine.store import Store

    file = write_pairs(size, folder)
    store = Store(folder / "store").open()
    started = time.perf_counter()
    split = read_pairs(file)
    store.put_split(split)
    split.write(folder / "split.jsonl")
    return time.perf_counter() - started


def evaluate(size: int, folder: Path) -> float:
    """Evaluate an untrained classifier."""
    import trivium as tv
    from trivium.data.labels import NLI3
    from trivium.models.classifiers import new_classifier

    file = write_pairs(size, folder)
    new_classifier("tiny", 0, NLI3).save(folder / "model")
    session = tv.Session(folder / "store", "inline", progress=False)
    started = time.perf_counter()
    session.evaluate(folder / "model", file).to_json()
    return time.perf_counter() - started


def measure(size: int, folder: Path) -> float:
    """Compute metrics with intervals."""
    import numpy as np

    from trivium.measure.classification import score, score_labels

    rng = np.random.default_rng(0)
    gold, predicted = rng.integers(3, size=size), rng.integers(3, size=size)
    started = time.perf_counter()
    score(predicted, gold, 3)
    score_labels(predicted, gold, ("entailment", "neutral", "contradiction"))
    return time.perf_counter() - started


def _pairs(number: int, words: int = 8) -> list[Any]:
    """Return different pairs whose sentences have this many words each."""
    from trivium.data.example import Example

    labels = ("entailment", "neutral", "contradiction")
    filling = " ".join(["old"] * (words - 5))
    return [
        Example(str(n), f"cook {n % 97} slices {filling} onions", f"cook {n % 89} cuts {filling} food", labels[n % 3])
        for n in range(number)
    ]


def _learner(max_length: int = 128) -> Any:
    from trivium.learn.config import TrainConfig
    from trivium.learn.learner import Learner
    from trivium.models.classifiers import new_classifier

    train = TrainConfig(epochs=1, batch_size=8)
    learner = Learner.from_classifier(new_classifier("tiny", 0), train, 0, max_length)
    learner.fit(_pairs(8))  # the first step is slower
    return learner


def _seconds_of(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def train(size: int, folder: Path) -> float:
    """Train a stage of this many examples."""
    learner, examples = _learner(), _pairs(size)
    return _seconds_of(lambda: learner.fit(examples))


def length(size: int, folder: Path) -> float:
    """Train on pairs of this many tokens."""
    learner, examples = _learner(size), _pairs(64, size)  # truncated to the length
    return _seconds_of(lambda: learner.fit(examples))


def memory(size: int, folder: Path) -> float:
    """Train a stage beside a full memory of this size."""
    from trivium.learn.memory import Memory

    learner = _learner()
    learner.memory = Memory.of([_pairs(size)])
    examples = _pairs(200)
    return _seconds_of(lambda: learner.fit(examples, "er-mir", settings={"memory_size": size}))


def stages(size: int, folder: Path) -> float:
    """Train this many stages one after another."""
    learner, examples = _learner(), _pairs(100)
    return _seconds_of(lambda: [learner.fit(examples, "er-res") for _ in range(size)])


def neighbours(size: int, folder: Path) -> float:
    """Find the five nearest vectors of each query."""
    import numpy as np

    from trivium.measure.neighbours import Neighbours

    rng = np.random.default_rng(0)
    vectors, queries = (rng.normal(size=(n, 384)).astype(np.float32) for n in (size, 200))
    search = Neighbours(vectors, np.zeros(size, dtype=np.intp))
    return _seconds_of(lambda: search.indices(queries, 5))


ROWS: dict[str, Callable[[int, Path], float]] = {
    "plan": plan,
    "schedule": schedule,
    "ray": ray,
    "read": read,
    "build": build,
    "evaluate": evaluate,
    "measure": measure,
    "train": train,
    "length": length,
    "memory": memory,
    "stages": stages,
    "neighbours": neighbours,
}


def run_row(name: str, size: int) -> None:
    """Run one row, and print its seconds and its peak memory as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = ROWS[name](size, Path(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "peak": peak}))


def main() -> None:
    """Print the table."""
    print("| work | size | seconds | per second | peak memory (MB) |\n|---|---|---|---|---|")
    for name, sizes in SIZES.items():
        for size in sizes:
            done = subprocess.run(
                [sys.executable, __file__, name, str(size)], capture_output=True, text=True, check=False
            )
            if done.returncode:
                print(f"| {ABOUT[name]} | {size:,} | failed: {done.stderr.strip().splitlines()[-1]} | | |", flush=True)
                continue
            row = json.loads(done.stdout.splitlines()[-1])
            rate = size / row["seconds"]
            print(
                f"| {ABOUT[name]} | {size:,} | {row['seconds']:.2f} | {rate:,.0f} | {row['peak'] / 1e6:,.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    if len(sys.argv) > 2:
        run_row(sys.argv[1], int(sys.argv[2]))
    else:
        main()
