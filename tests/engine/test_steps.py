from __future__ import annotations

from collections.abc import Callable

import pytest

from trivium.engine.steps import PredictStep, StrategySpec, TrainStep

MakeTrain = Callable[..., TrainStep]


def test_the_same_inputs_give_the_same_key(train: MakeTrain) -> None:
    assert train().key == train().key


@pytest.mark.parametrize(
    "change",
    [
        {"split": "b"},
        {"seed": 1},
        {"spec": StrategySpec("er-res", (("memory_size", 100),))},
        {"learning_rate": 3e-5},
        {"threads": 2},
        {"precision": "bf16"},
    ],
)
def test_everything_that_a_result_depends_on_changes_the_key(train: MakeTrain, change: dict[str, object]) -> None:
    assert train(**change).key != train().key


def test_what_came_before_changes_the_key(train: MakeTrain) -> None:
    first, other = train("a"), train("b")
    assert train("c", parent=first).key != train("c", parent=other).key
    assert train("c", parent=first).stage == 2


def test_a_plugin_that_was_edited_is_another_strategy(train: MakeTrain) -> None:
    before, after = (train(spec=StrategySpec("mine", (), plugin)) for plugin in ("hash-1", "hash-2"))
    assert before.key != after.key


def test_a_prediction_depends_on_the_model_and_the_split(train: MakeTrain) -> None:
    keys = {PredictStep(train(seed=seed), split, 5).key for seed in (0, 1) for split in ("t", "u")}
    assert len(keys) == 4


def test_where_a_model_lies_does_not_matter(train: MakeTrain) -> None:
    from dataclasses import replace

    step = train()
    moved = replace(step, model=step.model.model_copy(update={"name": "elsewhere"}))
    assert moved.key == step.key
