"""A step that finds its learner in memory stores the same bytes as one that builds it and loads its weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trivium.data import Example, Split
from trivium.engine import execute as module
from trivium.engine.execute import execute
from trivium.engine.kept import KeptLearner
from trivium.engine.steps import PredictStep, Step, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.learn.learner import Learner

MakeTrain = Callable[..., TrainStep]


def steps(store: Store, train: MakeTrain) -> list[Step]:
    """Two stages with two strategies that share the first, and predictions between them."""
    examples = [Example.make(str(n), f"A {n} runs", f"B {n}", "neutral", task="composed") for n in range(12)]
    one, two, test = (store.put_split(Split(name, tuple(examples[i::3]))) for i, name in enumerate("abc"))
    first = train(one)
    replay = train(two, StrategySpec("er-res", (("memory_size", 3),)), first)
    distil = train(two, StrategySpec("kd", (("memory_size", 3), ("weight", 1.0))), first)
    return [
        first,
        PredictStep(first, test, 4),
        replay,
        PredictStep(replay, test, 4),
        PredictStep(replay, one, 4),
        distil,
        PredictStep(distil, test, 4),
        PredictStep(first, one, 4),
    ]


def results(store: Store, todo: list[Step]) -> dict[str, bytes]:
    files = [file for step in todo for file in sorted(store.path(step.key).glob("*")) if file.name != "step.json"]
    return {f"{file.parent.name}/{file.name}": file.read_bytes() for file in files}


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files of weights that were loaded."""
    load, seen = Learner.load, []

    def counting(self: Learner, path: Path) -> None:
        seen.append(path)
        load(self, path)

    monkeypatch.setattr(Learner, "load", counting)
    return seen


def test_kept_learners_give_the_same_bytes_and_a_prediction_after_its_training_loads_nothing(
    tmp_path: Path, train: MakeTrain, monkeypatch: pytest.MonkeyPatch, loads: list[Path]
) -> None:
    stores = [Store(tmp_path / name).open() for name in ("kept", "new")]
    monkeypatch.setattr(module, "_LEARNERS", KeptLearner())
    todo = steps(stores[0], train)
    for step in todo:
        execute(step, stores[0])
    assert [path.parent.name for path in loads] == [todo[0].key] * 2  # for "distil", and for the last prediction
    for step in steps(stores[1], train):
        monkeypatch.setattr(module, "_LEARNERS", KeptLearner())
        execute(step, stores[1])
    assert len(loads) == 2 + 7
    kept, new = (results(store, todo) for store in stores)
    assert len(kept) > len(todo)
    assert kept == new


def test_a_learner_is_dropped_if_a_step_fails_and_by_another_model(
    tmp_path: Path, train: MakeTrain, monkeypatch: pytest.MonkeyPatch, loads: list[Path]
) -> None:
    store = Store(tmp_path / "store").open()
    monkeypatch.setattr(module, "_LEARNERS", KeptLearner())
    first, prediction, replay, *_ = steps(store, train)
    execute(first, store)

    def fail(*_: Any) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as failing:
        failing.setattr(Learner, "save", fail)
        with pytest.raises(RuntimeError, match="killed"):
            execute(replay, store)
    execute(prediction, store)
    assert len(loads) == 1
    execute(train(first.split, seed=1), store)
    execute(replay, store)
    assert len(loads) == 2
