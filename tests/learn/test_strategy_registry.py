"""A strategy is one file with a frozen configuration and at most three methods, and is discovered automatically."""

from __future__ import annotations

import dataclasses
import inspect
import pkgutil
from typing import Any

import pytest

from trivium.errors import ConfigError, UserError
from trivium.learn import strategies
from trivium.learn.replay import Replay
from trivium.learn.strategy import HOOKS, STRATEGIES, Strategy, find_strategies, make_strategy, strategy

SHIPPED = {
    name: cls for name, cls in find_strategies().items() if cls.__module__.startswith("trivium.learn.strategies.")
}

each = pytest.mark.parametrize("cls", SHIPPED.values(), ids=SHIPPED)


def test_every_file_of_the_package_registers_a_strategy() -> None:
    files = {module.name for module in pkgutil.iter_modules(strategies.__path__)}
    assert {cls.__module__.rpartition(".")[2] for cls in SHIPPED.values()} == files


def test_finding_twice_finds_the_same() -> None:
    before = dict(find_strategies().items())
    assert dict(find_strategies().items()) == before


@pytest.mark.parametrize(("wrong", "right"), [("er-rse", "er-res"), ("agme", "agem"), ("finetun", "finetune")])
def test_an_unknown_name_gets_a_suggestion(wrong: str, right: str) -> None:
    with pytest.raises(UserError) as caught:
        find_strategies()[wrong]
    assert str(caught.value) == f"unknown strategy {wrong!r}: did you mean {right!r}?"


def test_a_name_unlike_any_other_gets_the_list_of_names() -> None:
    with pytest.raises(UserError, match=r"available: .*agem.*kd"):
        find_strategies()["xyzzy"]


def test_a_name_can_be_taken_only_once() -> None:
    with pytest.raises(UserError, match="strategy 'agem' is already registered by Trivium: choose another name"):
        find_strategies().register("agem")(Strategy)
    assert find_strategies()["agem"] is SHIPPED["agem"]


@each
def test_a_strategy_is_a_direct_subclass_with_no_other_hooks(cls: type[Strategy]) -> None:
    assert cls.__bases__ in ((Strategy,), (Replay,))
    methods = {name for name, value in vars(cls).items() if inspect.isroutine(value) or isinstance(value, property)}
    assert {name for name in methods if not name.startswith("_")} <= set(HOOKS)


@each
def test_a_strategy_is_a_frozen_configuration_with_defaults(cls: type[Strategy]) -> None:
    built = cls()
    assert "__dataclass_params__" in vars(cls)
    assert cls.__dataclass_params__.frozen
    assert built == cls()
    assert hash(built) == hash(cls())
    with pytest.raises(dataclasses.FrozenInstanceError):
        built.memory_size = 3


@each
def test_a_hook_has_the_parameters_that_the_loop_passes(cls: type[Strategy]) -> None:
    for hook in HOOKS:
        expected = list(inspect.signature(getattr(Strategy, hook)).parameters)
        assert len(inspect.signature(getattr(cls, hook)).parameters) == len(expected)


def _takes_two(self: object, learner: object) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"setp": lambda self, learner, batch, state: 0.0}, "Mine.setp is never called: did you mean 'step'?"),
        (
            {"observe": lambda self, learner, batch, state: 0.0},
            "Mine.observe is never called: available: begin_stage, end_stage, step",
        ),
        (
            {"step": Strategy.begin_stage, "end_stages": Strategy.end_stage},
            "Mine.end_stages is never called: did you mean 'end_stage'?",
        ),
        ({"step": _takes_two}, "Mine.step must take (self, learner, batch, state)"),
        ({"size": 10}, "Mine.size: settings need a type annotation: size: int = 10"),
    ],
)
def test_a_class_that_would_do_something_else_than_it_says_is_refused(members: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        strategy("wrong")(type("Mine", (Strategy,), members))
    assert str(caught.value) == message
    assert "wrong" not in find_strategies()


def test_methods_beside_the_hooks_are_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STRATEGIES, "_components", dict(STRATEGIES.items()))

    @strategy("helped")
    class Helped(Strategy):
        cost = 2.0
        examples: int = 3

        def step(self, learner: Any, batch: Any, *rest: Any) -> float:
            return self.penalty(batch)

        def penalty(self, batch: Any) -> float:
            return self.weight

        @property
        def weight(self) -> float:
            return 1.0

    assert STRATEGIES["helped"] is Helped


@each
def test_a_strategy_has_a_docstring_and_a_cost(cls: type[Strategy]) -> None:
    assert inspect.cleandoc(cls.__doc__ or "").endswith(".")
    assert cls.cost >= Strategy.cost
    assert "cost" not in {field.name for field in dataclasses.fields(cls)}


def test_only_classes_derived_from_strategy_can_be_registered() -> None:
    for wrong in (object, Strategy()):
        with pytest.raises(UserError, match="'wrong' must be a class that derives from Strategy"):
            strategy("wrong")(wrong)  # type: ignore[type-var]
    assert "wrong" not in find_strategies()


def test_a_strategy_that_is_no_dataclass_becomes_a_frozen_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STRATEGIES, "_components", dict(STRATEGIES.items()))

    @strategy("bare")
    class Bare(Strategy):
        memory_size: int = 5

    built = make_strategy("bare", {"memory_size": 7})
    assert built == Bare(memory_size=7)  # type: ignore[call-arg]
    with pytest.raises(dataclasses.FrozenInstanceError):
        built.memory_size = 3  # type: ignore[attr-defined]


def test_settings_that_are_not_given_have_their_defaults() -> None:
    built = make_strategy("er-mir", {"candidates": 5})
    assert built == SHIPPED["er-mir"](candidates=5)
    assert built.memory_size == 100


def test_all_mistakes_in_the_settings_of_a_strategy_are_reported_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        make_strategy("er-mir", {"memory_sise": 5, "candidates": 0, "memory_size": "many"})
    assert len(caught.value.problems) == 3
    for text in ("strategy.er-mir.memory_sise: ", "did you mean 'memory_size'?", "(got 0)", "(got 'many')"):
        assert text in str(caught.value)


@pytest.mark.parametrize(("name", "value"), [("weight", -1.0), ("weight", float("nan")), ("memory_size", 0)])
def test_an_invalid_value_of_a_setting_is_refused(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=f"strategy.kd.{name}"):
        make_strategy("kd", {name: value})
