"""A strategy is one file with a frozen configuration and at most three methods, and is found by itself."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from trivium.errors import ConfigError, UserError
from trivium.learn.strategy import Strategy, find_strategies, make_strategy, strategy

SHIPPED = {
    name: kind for name, kind in find_strategies().items() if kind.__module__.startswith("trivium.learn.strategies.")
}
HOOKS = {"begin_stage", "step", "end_stage"}

each = pytest.mark.parametrize("kind", SHIPPED.values(), ids=SHIPPED)


def test_all_strategies_are_found_by_themselves() -> None:
    assert set(SHIPPED) == {"finetune", "er-res", "er-buff", "er-mir", "agem", "kd", "mas", "scl", "proto"}


def test_finding_twice_finds_the_same() -> None:
    before = dict(find_strategies().items())
    assert dict(find_strategies().items()) == before


@pytest.mark.parametrize(("wrong", "right"), [("er-rse", "er-res"), ("agme", "agem"), ("finetun", "finetune")])
def test_an_unknown_name_is_told_its_neighbour(wrong: str, right: str) -> None:
    with pytest.raises(UserError) as caught:
        find_strategies()[wrong]
    assert str(caught.value) == f"unknown strategy {wrong!r}: did you mean {right!r}?"


def test_a_name_like_no_other_is_told_all_there_are() -> None:
    with pytest.raises(UserError, match=r"available: .*agem.*kd"):
        find_strategies()["xyzzy"]


def test_a_name_can_be_taken_only_once() -> None:
    with pytest.raises(UserError, match="strategy 'agem' is registered twice"):
        find_strategies().register("agem")(Strategy)
    assert find_strategies()["agem"] is SHIPPED["agem"]


@each
def test_a_strategy_is_a_direct_subclass_with_no_other_hooks(kind: type[Strategy]) -> None:
    assert kind.__bases__ == (Strategy,)
    methods = {name for name, value in vars(kind).items() if inspect.isroutine(value) or isinstance(value, property)}
    assert {name for name in methods if not name.startswith("_")} <= HOOKS


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
    assert inspect.cleandoc(kind.__doc__ or "").endswith(".")
    assert kind.cost >= Strategy.cost
    assert "cost" not in {field.name for field in dataclasses.fields(kind)}


def test_what_is_no_dataclass_of_its_own_is_no_strategy() -> None:
    class Bare(Strategy):
        pass

    for wrong in (Bare, object):
        with pytest.raises(UserError, match="'wrong' must be a frozen dataclass"):
            strategy("wrong")(wrong)
    assert "wrong" not in find_strategies()


def test_a_strategy_is_made_with_the_settings_given_and_the_others_by_default() -> None:
    made = make_strategy("er-mir", {"candidates": 5})
    assert made == SHIPPED["er-mir"](candidates=5)
    assert made.memory_size == 100


def test_all_mistakes_in_the_settings_of_a_strategy_are_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        make_strategy("er-mir", {"memory_sise": 5, "candidates": 0, "memory_size": "many"})
    assert len(caught.value.problems) == 3
    for said in ("strategy.er-mir.memory_sise: ", "did you mean 'memory_size'?", "(it is 0)", "(it is 'many')"):
        assert said in str(caught.value)


@pytest.mark.parametrize(("name", "value"), [("weight", -1.0), ("weight", float("nan")), ("memory_size", 0)])
def test_a_setting_that_makes_no_sense_is_refused(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=f"strategy.kd.{name}"):
        make_strategy("kd", {name: value})
