"""An example is written to a dictionary and read back the same, and its facts are found by name."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.data.example import Example, key_of

TEXT = st.text(max_size=12)
FACTS = st.dictionaries(TEXT, TEXT, max_size=3).map(lambda facts: tuple(sorted(facts.items())))


def examples(parts: st.SearchStrategy[tuple[Example, ...]]) -> st.SearchStrategy[Example]:
    return st.builds(
        Example, id=TEXT, premise=TEXT, hypothesis=st.none() | TEXT, label=st.none() | TEXT,
        task=st.just("nli") | TEXT, facts=FACTS, parts=parts,
    )  # fmt: skip


NESTED = st.recursive(
    examples(st.just(())), lambda inner: examples(st.lists(inner, max_size=2).map(tuple)), max_leaves=4
)


@given(example=NESTED)
@settings(max_examples=100, deadline=None)
def test_an_example_is_read_back_from_json_the_same(example: Example) -> None:
    assert Example.from_json(json.loads(json.dumps(example.to_json()))) == example


@given(example=NESTED)
@settings(max_examples=50, deadline=None)
def test_rows_are_the_example_and_all_its_parts_depth_first(example: Example) -> None:
    rows = list(example.rows())
    assert rows[0] is example
    assert rows[1:] == [row for part in example.parts for row in part.rows()]


def test_default_values_are_left_out_of_the_dictionary() -> None:
    assert Example("1", "A", "B", "neutral").to_json() == {
        "id": "1", "premise": "A", "hypothesis": "B", "label": "neutral",
    }  # fmt: skip
    assert Example("1", "A", None, None).to_json() == {"id": "1", "premise": "A", "hypothesis": None, "label": None}


def test_the_dictionary_of_a_composed_example_has_its_facts_and_parts() -> None:
    part = Example.make("1/v", "A dog tries to run", "A dog is running", "neutral", task="veridical", verb="try")
    whole = Example.make("1", "A dog tries to run", "A pet is running", "neutral", task="composed", parts=(part,))
    assert whole.to_json() == {
        "id": "1", "premise": "A dog tries to run", "hypothesis": "A pet is running", "label": "neutral",
        "task": "composed",
        "parts": [{
            "id": "1/v", "premise": "A dog tries to run", "hypothesis": "A dog is running", "label": "neutral",
            "task": "veridical", "facts": {"verb": "try"},
        }],
    }  # fmt: skip


def test_facts_are_sorted_by_name_so_that_the_order_of_keywords_does_not_matter() -> None:
    example = Example.make("1", "A", "B", "neutral", verb="try", domain="news")
    assert example.facts == (("domain", "news"), ("verb", "try"))
    assert example == Example.make("1", "A", "B", "neutral", domain="news", verb="try")


def test_a_fact_is_found_by_name_and_a_missing_fact_is_none() -> None:
    example = Example.make("1", "A", "B", "neutral", verb="try")
    assert example.fact("verb") == "try"
    assert example.fact("domain") is None


def test_an_example_is_immutable_and_hashable() -> None:
    example = Example.make("1", "A", "B", "neutral", verb="try")
    with pytest.raises(dataclasses.FrozenInstanceError):
        example.label = "entailment"  # type: ignore[misc]
    assert {example: 1}[Example.make("1", "A", "B", "neutral", verb="try")] == 1


def test_examples_that_differ_only_in_case_and_spaces_have_the_same_key() -> None:
    first, second = Example("1", " It  RAINS", "it pours", "neutral"), Example("2", "it rains", "It pours ", None)
    assert key_of(first) == key_of(second)
    assert key_of(first) != key_of(Example("3", "it rains", None, None))
