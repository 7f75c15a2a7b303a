"""A registry finds components by name and lists them in the order of registration."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.errors import UserError, did_you_mean, unknown_name
from trivium.registry import Registry


@pytest.fixture
def strategies() -> Registry[type]:
    registry: Registry[type] = Registry("strategy")
    for name in ("finetune", "er-res", "agem"):
        registry.register(name)(type(name, (), {}))
    return registry


def test_a_component_is_found_by_the_name_it_was_registered_under() -> None:
    registry: Registry[type] = Registry("strategy")

    @registry.register("mine")
    class Mine:
        pass

    assert registry["mine"] is Mine
    assert Mine.__name__ == "Mine", "the decorator returns the class unchanged"
    assert "mine" in registry
    assert "Mine" not in registry


@given(names=st.lists(st.text(max_size=8), unique=True, max_size=8))
@settings(max_examples=50, deadline=None)
def test_components_are_listed_in_the_order_of_registration(names: list[str]) -> None:
    registry: Registry[int] = Registry("source")
    for number, name in enumerate(names):
        registry.register(name)(number)
    assert list(registry) == names
    assert list(registry.items()) == [(name, number) for number, name in enumerate(names)]


def test_the_error_for_a_misspelt_name_suggests_the_closest_one(strategies: Registry[type]) -> None:
    with pytest.raises(UserError) as raised:
        strategies["er-rse"]
    assert str(raised.value) == "unknown strategy 'er-rse': did you mean 'er-res'?"


def test_the_error_for_a_name_unlike_any_other_lists_all_names(strategies: Registry[type]) -> None:
    with pytest.raises(UserError) as raised:
        strategies["xyz"]
    assert str(raised.value) == "unknown strategy 'xyz': available: agem, er-res, finetune"


def test_the_error_of_an_empty_registry_says_that_nothing_is_available() -> None:
    with pytest.raises(UserError, match="unknown model 'x': none available"):
        Registry[int]("model")["x"]


def test_a_second_component_of_the_same_name_is_an_error_and_the_first_is_kept(strategies: Registry[type]) -> None:
    first = strategies["agem"]
    with pytest.raises(UserError, match=r"strategy 'agem' is already registered by .*: choose another name"):
        strategies.register("agem")(type("Other", (), {}))
    assert strategies["agem"] is first
    assert list(strategies) == ["finetune", "er-res", "agem"]


def test_registries_do_not_share_their_components(strategies: Registry[type]) -> None:
    assert "agem" not in Registry[type]("strategy")


@given(
    known=st.lists(st.text(alphabet="abcdef-", min_size=1, max_size=8), min_size=1, max_size=6),
    name=st.text(max_size=8),
)
@settings(max_examples=100, deadline=None)
def test_the_error_for_an_unknown_name_always_mentions_a_known_name(known: list[str], name: str) -> None:
    message = str(unknown_name("source", name, known))
    assert message.startswith(f"unknown source {name!r}: ")
    assert any(candidate in message.removeprefix(f"unknown source {name!r}: ") for candidate in known)
    assert did_you_mean(known[0], known) == f"did you mean {known[0]!r}?"
