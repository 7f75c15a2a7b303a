"""C²Gen's loss: all heads in every stage (the paper), or compositions and the stage's own primitive (the authors)."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.benchmarks.c2gen import C2GEN
from trivium.benchmarks.c2gen.design import C2GenDesign, make_design
from trivium.benchmarks.steps import strategy_specs
from trivium.engine.store import Store


def designs(store: Store, *changes: str) -> tuple[C2GenDesign, C2GenDesign]:
    return tuple(
        make_design(C2GEN.settings("smoke", (f"run.loss={loss}", *changes)), store) for loss in ("all", "stage")
    )  # type: ignore[return-value]


def heads(store: Store, split: str) -> set[str]:
    return {row.task for example in store.split(split) for row in example.rows()}


@pytest.mark.parametrize(
    ("order", "primitives"), [("ver-nat", ("veridical", "natural")), ("nat-ver", ("natural", "veridical"))]
)
def test_a_stage_trains_compositions_and_its_own_primitive(
    tmp_path: Path, order: str, primitives: tuple[str, str]
) -> None:
    store = Store(tmp_path).open()
    _, design = designs(store)
    steps = {key: step.training for key, step in design.predictions.items() if key.setting == order}
    for key, training in steps.items():
        assert heads(store, training.split) == {"composed", primitives[key.stage - 1]}
    assert {key.stage for key in steps} == {1, 2}


def test_the_loss_changes_neither_cgen_nor_the_tests_nor_the_compositions(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    paper, authors = designs(store)
    assert paper.predictions.keys() == authors.predictions.keys()
    for key, step in paper.predictions.items():
        other = authors.predictions[key]
        assert step.split == other.split
        assert (step.key == other.key) == (key.setting == "cgen")
        trained, others = (store.split(each.training.split) for each in (step, other))
        assert [(e.premise, e.hypothesis, e.label) for e in trained] == [
            (e.premise, e.hypothesis, e.label) for e in others
        ]
    assert paper.settings.model_dump() == make_design(C2GEN.settings("smoke"), None).settings.model_dump()
    assert "loss" not in paper.settings.run.model_dump()


def test_the_third_stage_follows_stages_with_the_same_loss(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    _, design = designs(store, 'functions.directions=["easy-hard"]')
    (last,) = {
        step.training.key: step.training for key, step in design.predictions.items() if key.setting == "easy-hard+cfo"
    }.values()
    assert heads(store, last.root.split) == {"composed", "veridical"}


def test_settings_that_came_later_leave_the_keys_of_strategies_as_they_were() -> None:
    assert strategy_specs({}, ["er-mir"])["er-mir"].settings == (("candidates", 3), ("memory_size", 100))
    changed = strategy_specs({"er-mir": {"memory": "online", "virtual_step": "adam"}}, ["er-mir"])["er-mir"].settings
    assert dict(changed) == {"candidates": 3, "memory_size": 100, "memory": "online", "virtual_step": "adam"}
