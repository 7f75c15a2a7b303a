from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from trivium.engine.steps import PredictStep, StrategySpec, TrainStep
from trivium.learn.config import AdapterConfig, ModelConfig, TrainConfig

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
    step = train()
    moved = replace(step, model=step.model.model_copy(update={"name": "elsewhere"}))
    assert moved.key == step.key


def test_keys_are_those_of_results_that_people_have_already() -> None:
    """A setting that a model does not use must not change its key: these have the second revision of
    trainings and the third of predictions."""
    first = TrainStep(ModelConfig(name="tiny"), "f", ("composed",), TrainConfig(), 0, "a", 10)
    assert first.key == "7165f9f2be399c0a17bf958a38e7849c9ef9bccfa52aba863d98d5b320b973c5"
    own = ModelConfig(name="x", head="own", max_length=64, adapter=AdapterConfig())
    spec = StrategySpec("er-res", (("memory_size", 100),))
    second = TrainStep(own, "f", ("nli",), TrainConfig(epochs=2), 1, "b", 10, spec, first)
    assert second.key == "1748aa43622a4b40f6544c37a944933113f5a970207ec34b7e54ac650760c34d"
    assert PredictStep(second, "t", 5).key == "d0a77207111177dec9a591f082ef0f4cbf602e90bba8e9cf65d73c28ffde5f5a"
    wide = first.model.model_copy(update={"roles_width": 80})
    assert replace(first, model=wide).key == first.key


def test_the_width_of_roles_changes_the_key_but_not_where_they_lie(train: MakeTrain) -> None:
    def key(**changes: object) -> str:
        return replace(train(), model=train().model.model_copy(update=changes)).key

    assert len({key(), key(roles="a"), key(roles="a", roles_width=80)}) == 3
    assert key(roles="a") == key(roles="b")


def test_a_dev_set_a_test_length_and_an_anchor_change_keys_only_if_they_are_given(train: MakeTrain) -> None:
    step = train()
    assert replace(step, dev="d").key != step.key
    assert len({PredictStep(step, "t", 5, max_length=length).key for length in (None, 64, 128)}) == 3
    assert PredictStep(step, "t", 5, max_length=None).key == PredictStep(step, "t", 5).key


def test_a_stage_that_holds_to_the_base_needs_it_as_well_as_its_parent(train: MakeTrain) -> None:
    mas = StrategySpec("mas", (("anchor", "base"), ("weight", 1.0)))
    first = train("a")
    second = train("b", mas, first)
    assert second.needs == (first,)
    assert train("c", mas, second).needs == (second, first)
    assert train("c", parent=second).needs == (second,)
