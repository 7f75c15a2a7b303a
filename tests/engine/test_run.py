"""A run survives what its executor and its store do to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from trivium.data import Example, Split
from trivium.engine.executors import EXECUTORS, ExecutorConfig, Report, executor
from trivium.engine.plan import make_plan
from trivium.engine.run import RunOptions, StepsLostError, run_plan
from trivium.engine.steps import PredictStep, Step, TrainStep
from trivium.engine.store import Store

MakeTrain = Callable[..., TrainStep]


class Unlucky:
    """Finishes steps at once, except for those of one seed, whose worker is lost a number of times."""

    def __init__(self, seed: int, losses: int) -> None:
        self.seed, self.losses = seed, losses
        self.runs: Counter[str] = Counter()
        self.waiting: list[Report] = []

    def accepts(self, step: Step) -> bool:
        return len(self.waiting) < 2

    def submit(self, step: Step) -> None:
        self.runs[step.key] += 1
        is_lost = step.training.seed == self.seed and self.runs[step.key] <= self.losses
        self.waiting.append(Report(step.key, **({"lost": "killed"} if is_lost else {"seconds": 0.1})))

    def reports(self) -> Sequence[Report]:
        reports, self.waiting = self.waiting, []
        return reports


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store").open()


@contextmanager
def registered(unlucky: Unlucky) -> Iterator[None]:
    @executor("unlucky")
    @contextmanager
    def start(config: ExecutorConfig) -> Iterator[Unlucky]:
        yield unlucky

    try:
        yield
    finally:
        EXECUTORS._components.pop("unlucky")


def runs_of(train: MakeTrain) -> list[list[PredictStep]]:
    return [[PredictStep(train("split", seed=seed), f"test-{number}", 5) for number in range(3)] for seed in range(4)]


def test_a_step_whose_worker_died_is_tried_again(store: Store, train: MakeTrain) -> None:
    unlucky = Unlucky(seed=2, losses=2)
    plan = make_plan(runs_of(train), store)
    with registered(unlucky):
        assert run_plan(plan, store, RunOptions(workers=2, executor="unlucky")) == {}
    assert unlucky.runs[train("split", seed=2).key] == 3
    assert set(unlucky.runs) == {step.key for step in plan.steps}


def test_a_step_that_is_lost_three_times_is_given_up_and_everything_else_is_run(store: Store, train: MakeTrain) -> None:
    unlucky = Unlucky(seed=2, losses=99)
    plan = make_plan(runs_of(train), store)
    with registered(unlucky), pytest.raises(StepsLostError) as caught:
        run_plan(plan, store, RunOptions(workers=2, executor="unlucky"))
    lost = train("split", seed=2)
    assert unlucky.runs[lost.key] == 3
    assert set(unlucky.runs) == {step.key for step in plan.steps if step.kind == "train" or step.training != lost}
    text = str(caught.value)
    assert "1 step could not be run, nor 3 that depend on it" in text
    assert "killed" in text


def test_a_damaged_model_is_trained_again_with_the_same_bytes(store: Store, train: MakeTrain) -> None:
    examples = tuple(Example.make(str(n), f"A {n}", "B", "neutral", task="composed") for n in range(8))
    split = store.put_split(Split("s", examples))
    training = train(split)
    options = RunOptions(executor="inline", keep_models="all")
    run_plan(make_plan([[PredictStep(training, split, 8)]], store), store, options)
    weights = store.path(training.key) / "weights.safetensors"
    before = weights.read_bytes()
    weights.write_bytes(before[:-1] + bytes([before[-1] ^ 1]))
    other = store.put_split(Split("t", examples[:4]))
    again = Store(store.url)
    assert run_plan(make_plan([[PredictStep(training, other, 4)]], again), again, options) == {}
    assert weights.read_bytes() == before
    assert len(again.storage.bundles("quarantine")) == 1
    assert list(Store(store.url).verify()) == []
