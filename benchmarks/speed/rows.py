"""The rows of the table: what is compared with what, and the ratio to reach."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.speed.sides import BENCHMARKS, REPOSITORY, Command, Server, Side
from benchmarks.speed.work import Workshop

from trivium.learn.precision import has_bf16

OURS, PEERS = BENCHMARKS / "speed" / "ours.py", BENCHMARKS / "peers"
STAGES = 15
"""How many trainings the tests of a fold are predicted after: those of Table 6, CGen and seven in each order."""
NEEDS = {"peers": "--peers", "baseline": "--baseline", "bf16": "a processor with instructions for bf16"}
Check = Callable[[list[Any], list[Any]], str]
"""Compares the results of both sides; raises an AssertionError if they must be equal and are not."""


@dataclass(frozen=True)
class Setting:
    """Where the sides run: the interpreter with the peers, and the folder of an earlier commit (None: left out)."""

    shop: Workshop
    peers: Path | None
    baseline: Path | None

    def lacks(self, row: Row) -> list[str]:
        """Return what a row needs and is not there."""
        there = {"peers": self.peers, "baseline": self.baseline, "bf16": has_bf16()}
        return [NEEDS[name] for name in row.needs if not there[name]]


@dataclass(frozen=True)
class Row:
    """A comparison. ``units`` is the work of a round, so that seconds per unit are shown; ``goal`` is the ratio."""

    name: str
    about: str
    against: str
    goal: float
    sides: Callable[[Setting], tuple[Side, ...]]
    units: Callable[[Workshop], float] = lambda shop: 1.0
    unit: str = "run"
    check: Check = lambda ours, theirs: ""
    clock: str = "cpu"
    needs: tuple[str, ...] = ()
    """Those of ``NEEDS`` without which the row is left out."""
    limit: float = 0.0
    """Seconds that one unit may take, if the goal is not only a ratio."""
    long: bool = False
    """Whether a round takes minutes: measured only if named, or with ``--full``."""
    rounds: int = 0
    """The number of rounds, all of which count; 0: as many as the sizes say, after one that does not."""


def equal_losses(ours: list[Any], theirs: list[Any]) -> str:
    """Losses of the rounds, step by step: equal to rounding, which grows as training goes on."""
    import numpy as np

    first, second = np.array(ours), np.array(theirs)
    assert first.shape == second.shape, f"{first.shape} and {second.shape} losses"
    apart = float(np.abs(first - second).max())
    assert apart < 2e-3, f"losses differ by {apart:.1e}"
    return f"losses equal to {apart:.0e}"


def equal_logits(ours: list[Any], theirs: list[Any]) -> str:
    """Logits, equal to rounding."""
    import numpy as np

    apart = max(float(np.abs(np.array(a) - np.array(b)).max()) for a, b in zip(ours, theirs, strict=True))
    assert apart < 1e-3, f"logits differ by {apart:.1e}"
    return f"logits equal to {apart:.0e}"


def equal_sums(ours: list[Any], theirs: list[Any]) -> str:
    """Sums of logits, equal to rounding."""
    import numpy as np

    first, second = np.array(ours), np.array(theirs)
    apart = float((np.abs(first - second) / np.abs(second)).max())
    assert apart < 1e-4, f"sums of logits differ by {apart:.1e}"
    return f"sums of logits equal to {apart:.0e}"


def equal_answers(ours: list[Any], theirs: list[Any]) -> str:
    """Labels, of which at least 99 % must be equal."""
    import numpy as np

    share = float(np.mean([np.argmax(a, 1) == np.argmax(b, 1) for a, b in zip(ours, theirs, strict=True)]))
    assert share >= 0.99, f"only {share:.2%} of the answers are equal"
    return f"{share:.2%} of the answers equal"


def identical(ours: list[Any], theirs: list[Any]) -> str:
    """Results that must be the same."""
    assert ours == theirs, "the results differ"
    return "same results"


def overlap(*sides: list[Any]) -> str:
    """Time on the wall over processor time."""
    shares = " and ".join(f"{median(side):.2f}" for side in sides)
    return f"wall clock over processor time: {shares}"


def python(setting: Setting) -> Path:
    assert setting.peers is not None
    return setting.peers / "bin" / "python"


def here(script: Path, *arguments: str) -> list[object]:
    return [sys.executable, script, *arguments]


def c2gen_step(setting: Setting) -> tuple[Side, ...]:
    number = 8 * setting.shop.sizes.c2gen_steps
    work = setting.shop.compositions(number, max(4, number // 2), batch=8, rate=1e-5)
    return Server(here(OURS, "c2gen-step"), work), Server(here(PEERS / "published.py", "train"), work)


def predict_fold(setting: Setting) -> tuple[Side, ...]:
    number = setting.shop.sizes.fold_tests
    work = setting.shop.compositions(number, max(1, number // 8), batch=8, rate=1e-5, stages=STAGES, frozen="lower:3")
    return Server(here(OURS, "predict-fold"), work), Server(here(PEERS / "published.py", "predict"), work)


def finetune_step(setting: Setting) -> tuple[Side, ...]:
    work = setting.shop.pairs(32 * setting.shop.sizes.finetune_steps, batch=32, rate=1e-5)
    return Server(here(OURS, "finetune-step"), work), Server([python(setting), PEERS / "trainer.py"], work)


def steps(strategy: str, shop: Workshop) -> int:
    """Return the steps of a stage. Avalanche's MAS measures importance on all of it, ours on 100 examples."""
    return shop.sizes.stage_steps * (6 if strategy == "mas" else 1)


def stage(strategy: str) -> Callable[[Setting], tuple[Side, ...]]:
    def sides(setting: Setting) -> tuple[Side, ...]:
        work = setting.shop.stages(
            8 * steps(strategy, setting.shop), batch=8, rate=1e-5, strategy=strategy, memory=48, candidates=3
        )
        return Server(here(OURS, "stage"), work), Server([python(setting), PEERS / "avalanche_stages.py"], work)

    return sides


def predict(mode: str) -> Callable[[Setting], tuple[Side, ...]]:
    def sides(setting: Setting) -> tuple[Side, ...]:
        shop = setting.shop
        more = {} if mode == "predict" else {"model": shop.trained}
        work = shop.pairs(shop.sizes.pairs, **more)
        return Server(here(OURS, mode), work), Server([python(setting), PEERS / "pipeline.py"], work)

    return sides


def vectors(mode: str) -> Callable[[Setting], tuple[Side, ...]]:
    def sides(setting: Setting) -> tuple[Side, ...]:
        work = setting.shop.vectors(nearest=5)
        return Server(here(OURS, mode), work), Server(here(PEERS / "scikit.py", mode), work)

    return sides


def compose(setting: Setting) -> tuple[Side, ...]:
    work = setting.shop.plain(pairs=2130)
    return tuple(Server(here(OURS, "compose"), work, source) for source in sources(setting))


def sources(setting: Setting) -> list[Path]:
    """Return the sources to compare: these, and those of the earlier commit."""
    return [REPOSITORY / "src", *([setting.baseline / "src"] if setting.baseline else [])]


def command(*arguments: str) -> Callable[[Setting], tuple[Side, ...]]:
    return lambda setting: tuple(Command(arguments, source) for source in sources(setting))


def finished(setting: Setting) -> tuple[Side, ...]:
    """A run whose steps are all in the store; starting the side does them."""
    arguments = ("run", "c2gen", "--preset", "smoke", "--store")
    return tuple(
        Command((*arguments, setting.shop.folder / f"finished-{index}"), source)
        for index, source in enumerate(sources(setting))
    )


def fresh(preset: str, *more: str, ours: tuple[str, ...] = ()) -> Callable[[Setting], tuple[Side, ...]]:
    """A run in an empty store, with two workers. ``ours`` are settings that the earlier commit does not have."""

    def sides(setting: Setting) -> tuple[Side, ...]:
        made: list[Side] = []
        for index, source in enumerate(sources(setting)):
            store = setting.shop.folder / f"fresh-{index}"

            def empty(store: Path = store) -> None:
                shutil.rmtree(store, ignore_errors=True)

            arguments = ("run", "c2gen", "--preset", preset, *more, *(() if index else ours))
            made.append(Command((*arguments, "--workers", "2", "--store", store), source, empty))
        return tuple(made)

    return sides


_NOTES = {"kd": " (its DER)", "mas": "; importance of the whole stage, ours of 100 examples"}
_SMALL = ("source=builtin", "run.folds=[1]", "data.per_type=40", "train.epochs=1", "data.test_composed=100")
_TABLE_6 = [argument for setting in _SMALL for argument in ("--set", setting)]
_AVALANCHE = {"er-res": 1.5, "agem": 1.5, "er-mir": 2.0, "kd": 1.5, "mas": 3.0}
ROWS: tuple[Row, ...] = (
    Row(
        "c2gen-step",
        "C²Gen training step, fp32, batch 8",
        "the published way: three passes padded to 128, default AdamW",
        7.0,
        c2gen_step,
        lambda shop: shop.sizes.c2gen_steps,
        "step",
        equal_losses,
    ),
    Row(
        "finetune-step",
        "fine-tuning step, fp32, batch 32",
        "`transformers.Trainer`, dynamic padding",
        1.4,
        finetune_step,
        lambda shop: shop.sizes.finetune_steps,
        "step",
        equal_losses,
        needs=("peers",),
    ),
    *(
        Row(
            name,
            f"`{name}`: a stage after the first, batch 8, memory 48",
            f"Avalanche 0.6, same model and batches{_NOTES.get(name, '')}",
            goal,
            stage(name),
            partial(steps, name),
            "step",
            needs=("peers",),
        )
        for name, goal in _AVALANCHE.items()
    ),
    Row(
        "predict",
        "predicting different pairs",
        "`transformers.pipeline`, batch 64",
        1.6,
        predict("predict"),
        lambda shop: shop.sizes.pairs,
        "pair",
        equal_logits,
        needs=("peers",),
    ),
    Row(
        "predict-bf16",
        "predicting different pairs in bf16",
        "`transformers.pipeline`, batch 64",
        3.0,
        predict("predict-bf16"),
        lambda shop: shop.sizes.pairs,
        "pair",
        equal_answers,
        needs=("peers", "bf16"),
    ),
    Row(
        "predict-int8",
        "predicting different pairs in int8",
        "`transformers.pipeline`, batch 64",
        3.0,
        predict("predict-int8"),
        lambda shop: shop.sizes.pairs,
        "pair",
        equal_answers,
        needs=("peers",),
    ),
    Row(
        "predict-fold",
        "predicting C²Gen's tests of a fold after each training of Table 6 (the upper half is trained)",
        "the same, nothing shared between rows and trainings",
        3.0,
        predict_fold,
        lambda shop: STAGES * shop.sizes.fold_tests,
        "composition",
        equal_sums,
    ),
    Row(
        "table-6",
        "all of Table 6, one fold and seed, two workers: stages of 160 compositions, one epoch, upper half trained",
        "the earlier commit, embeddings frozen",
        2.0,
        fresh("laptop", *_TABLE_6, ours=("--set", "train.patience=0")),
        check=overlap,
        clock="wall",
        rounds=1,
        needs=("baseline",),
    ),
    Row(
        "smoke",
        "a smoke run, two workers",
        "the earlier commit",
        0.0,
        fresh("smoke"),
        check=overlap,
        clock="wall",
        rounds=2,
        needs=("baseline",),
    ),
    Row(
        "demo",
        "`make demo` after installation",
        "the earlier commit",
        2.0,
        fresh("demo"),
        check=overlap,
        clock="wall",
        long=True,
        rounds=2,
        needs=("baseline",),
    ),
    Row(
        "compose",
        "composing the 44,730 examples of C²Gen",
        "the earlier commit",
        3.0,
        compose,
        lambda shop: 44_730,
        "example",
        identical,
        limit=1 / 200_000,
        needs=("baseline",),
    ),
    Row(
        "knn",
        "5 nearest of 100,000 vectors",
        "scikit-learn, brute force",
        3.0,
        vectors("knn"),
        lambda shop: shop.sizes.queries,
        "query",
        identical,
    ),
    Row(
        "prototypes",
        "prototypes of 100,000 vectors, and their labels",
        "scikit-learn, NearestCentroid",
        3.0,
        vectors("prototypes"),
        lambda shop: shop.sizes.vectors,
        "vector",
        identical,
    ),
    Row("help", "`trivium --help`", "the earlier commit", 0.0, command("--help"), limit=0.4),
    Row("list", "`trivium list`", "the earlier commit", 0.0, command("list"), limit=0.4),
    Row("finished", "`trivium run` of a finished plan", "the earlier commit", 0.0, finished, limit=2.0),
)
