"""Named parts: found by name, in the order of registration, once each."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.errors import UserError, did_you_mean, unknown_name
from trivium.registry import Registry


@pytest.fixture
def parts() -> Registry[type]:
    registry: Registry[type] = Registry("strategy")
    for name in ("finetune", "er-res", "agem"):
        registry.register(name)(type(name, (), {}))
    return registry


def test_a_part_is_found_by_the_name_it_was_registered_under() -> None:
    registry: Registry[type] = Registry("strategy")

    @registry.register("mine")
    class Mine:
        pass

    assert registry["mine"] is Mine
    assert Mine.__name__ == "Mine", "the decorator gives back what it was given"
    assert "mine" in registry
    assert "Mine" not in registry


@given(names=st.lists(st.text(max_size=8), unique=True, max_size=8))
@settings(max_examples=50, deadline=None)
def test_parts_are_listed_in_the_order_of_registration(names: list[str]) -> None:
    registry: Registry[int] = Registry("source")
    for number, name in enumerate(names):
        registry.register(name)(number)
    assert list(registry) == names
    assert list(registry.items()) == [(name, number) for number, name in enumerate(names)]


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(parts: Registry[type]) -> None:
    with pytest.raises(UserError) as said:
        parts["er-rse"]
    assert str(said.value) == "unknown strategy 'er-rse': did you mean 'er-res'?"


def test_a_name_like_no_other_is_answered_with_all_there_are(parts: Registry[type]) -> None:
    with pytest.raises(UserError) as said:
        parts["xyz"]
    assert str(said.value) == "unknown strategy 'xyz': there is agem, er-res, finetune"


def test_in_an_empty_registry_there_is_none() -> None:
    with pytest.raises(UserError, match="unknown model 'x': there is none"):
        Registry[int]("model")["x"]


def test_two_parts_of_one_name_are_refused_and_the_first_is_kept(parts: Registry[type]) -> None:
    first = parts["agem"]
    with pytest.raises(UserError, match="there are two strategy parts named 'agem': rename one of them"):
        parts.register("agem")(type("Other", (), {}))
    assert parts["agem"] is first
    assert list(parts) == ["finetune", "er-res", "agem"]


def test_registries_do_not_share_their_parts(parts: Registry[type]) -> None:
    assert "agem" not in Registry[type]("strategy")


@given(
    known=st.lists(st.text(alphabet="abcdef-", min_size=1, max_size=8), min_size=1, max_size=6),
    name=st.text(max_size=8),
)
@settings(max_examples=100, deadline=None)
def test_an_unknown_name_is_always_answered_with_a_name_that_exists(known: list[str], name: str) -> None:
    said = str(unknown_name("source", name, known))
    assert said.startswith(f"unknown source {name!r}: ")
    assert any(one in said.removeprefix(f"unknown source {name!r}: ") for one in known)
    assert did_you_mean(known[0], known) == f"did you mean {known[0]!r}?"
