"""A strategy is one file with a frozen configuration and at most three methods, and is found by itself."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from trivium.errors import UserError
from trivium.learn.strategy import Strategy, find_strategies

SHIPPED = {
    name: kind for name, kind in find_strategies().items() if kind.__module__.startswith("trivium.learn.strategies.")
}
HOOKS = {"begin_stage", "step", "end_stage"}
PARTS = {"interference"}
"""What a strategy computes, open to view because it can be tested against its formula."""

each = pytest.mark.parametrize("kind", SHIPPED.values(), ids=SHIPPED)


def test_six_strategies_are_found_by_themselves() -> None:
    assert set(SHIPPED) == {"finetune", "er-res", "er-buff", "er-mir", "agem", "kd"}


def test_finding_twice_finds_the_same() -> None:
    before = dict(find_strategies().items())
    assert dict(find_strategies().items()) == before


@pytest.mark.parametrize(("wrong", "right"), [("er-rse", "er-res"), ("agme", "agem"), ("finetun", "finetune")])
def test_an_unknown_name_is_told_its_neighbour(wrong: str, right: str) -> None:
    with pytest.raises(UserError) as caught:
        find_strategies()[wrong]
    assert str(caught.value) == f"unknown strategy {wrong!r}: did you mean {right!r}?"


def test_a_name_like_no_other_is_told_all_there_are() -> None:
    with pytest.raises(UserError, match=r"there is .*agem.*kd"):
        find_strategies()["xyzzy"]


def test_a_name_can_be_taken_only_once() -> None:
    with pytest.raises(UserError, match="two strategy parts named 'agem'"):
        find_strategies().register("agem")(Strategy)
    assert find_strategies()["agem"] is SHIPPED["agem"]


@each
def test_a_strategy_is_a_direct_subclass_with_no_other_hooks(kind: type[Strategy]) -> None:
    assert kind.__bases__ == (Strategy,)
    methods = {name for name, value in vars(kind).items() if inspect.isroutine(value) or isinstance(value, property)}
    assert {name for name in methods if not name.startswith("_")} <= HOOKS | PARTS


@each
def test_a_strategy_is_a_frozen_configuration_with_defaults(kind: type[Strategy]) -> None:
    made = kind()
    assert "__dataclass_params__" in vars(kind)
    assert kind.__dataclass_params__.frozen
    assert made == kind()
    assert hash(made) == hash(kind())
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.memory_size = 3


@each
def test_a_hook_takes_what_the_loop_gives(kind: type[Strategy]) -> None:
    for hook in HOOKS:
        expected = list(inspect.signature(getattr(Strategy, hook)).parameters)
        assert len(inspect.signature(getattr(kind, hook)).parameters) == len(expected)


@each
def test_a_strategy_says_what_it_is_and_what_it_costs(kind: type[Strategy]) -> None:
    assert inspect.cleandoc(kind.__doc__ or "").endswith((".", ").", "forgets."))
    assert kind.cost >= Strategy.cost
    assert "cost" not in {field.name for field in dataclasses.fields(kind)}
