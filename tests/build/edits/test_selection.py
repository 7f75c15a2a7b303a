"""Support sets are disjoint, balanced and never tested; a violated invariant is reported."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.build.edits.selection import Category, check_category, continual_categories, few_shot_category
from trivium.build.splits.invariants import require
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI3, SENTIMENT
from trivium.data.split import Split
from trivium.errors import UserError


def examples(name: str, number: int, labels=NLI3) -> list[Example]:
    hypothesis = None if labels == SENTIMENT else "h"
    return [
        Example.make(f"{name}-{i}", f"{name} {i}", hypothesis, labels.names[i % len(labels)]) for i in range(number)
    ]


@given(st.integers(0, 120), st.integers(1, 4), st.integers(1, 5), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_support_sets_are_balanced_and_the_rest_is_divided(number: int, sets: int, each: int, seed: int) -> None:
    given_examples = examples("a", number)
    category = few_shot_category("a", given_examples, NLI3, sets, each, seed)
    enough = number // 3 >= sets * each and number - 3 * sets * each >= 10
    assert (category is not None) == enough
    if category is None:
        return
    require("a", check_category(category))
    assert len(category.supports) == sets
    assert all(set(support.counts().values()) == {each} for support in category.supports)
    assert category.total == number
    left = number - 3 * sets * each
    assert len(category.dev) == round(0.3 * left)
    assert len(category.test) == left - len(category.dev)


@given(st.lists(st.integers(0, 60), min_size=2, max_size=4), st.integers(1, 3), st.data())
@settings(max_examples=60, deadline=None)
def test_in_turn_no_example_is_trained_in_one_category_and_tested_in_another(
    sizes: list[int], each: int, data: st.DataObject
) -> None:
    pool = examples("a", 90)
    categories = {
        f"c{n}": data.draw(st.permutations(pool).map(lambda order, size=size: order[:size]))
        for n, size in enumerate(sizes)
    }
    built = continual_categories(categories, NLI3, each, 0)
    trained = [key_of(e) for category in built.values() for support in category.supports for e in support]
    assert len(trained) == len(set(trained))
    for name, category in built.items():
        others = [other for other_name, other in built.items() if other_name != name]
        require(name, check_category(category, others))
        assert not set(trained) & {key_of(e) for e in (*category.dev, *category.test)}
        assert {key_of(e) for e in category.test} <= {key_of(e) for e in categories[name]}


def test_single_texts_are_divided_like_pairs() -> None:
    category = few_shot_category("s", examples("s", 60, SENTIMENT), SENTIMENT, 2, 5, 0)
    assert category is not None
    assert all(support.counts() == {"negative": 5, "positive": 5} for support in category.supports)


def test_a_text_that_occurs_twice_counts_once() -> None:
    twice = examples("a", 45) + [replace(e, id=e.id + "x", premise=e.premise.upper()) for e in examples("a", 45)]
    category = few_shot_category("a", twice, NLI3, 2, 5, 0)
    assert category is not None
    assert category.total == 45


def test_another_seed_draws_other_examples() -> None:
    first, second = (few_shot_category("a", examples("a", 90), NLI3, 2, 5, seed) for seed in (0, 1))
    assert first is not None
    assert second is not None
    assert first.supports[0].identity != second.supports[0].identity
    assert first == few_shot_category("a", examples("a", 90), NLI3, 2, 5, 0)


def test_a_violated_invariant_is_reported() -> None:
    category = few_shot_category("a", examples("a", 60), NLI3, 1, 5, 0)
    assert category is not None
    leaking = Category("a", category.supports, category.dev,
                       Split("test", (*category.test, category.supports[0].examples[0]), NLI3))  # fmt: skip
    with pytest.raises(UserError, match="'no test example is trained' is broken by 1 of"):
        require("a", check_category(leaking))
    repeated = Category("a", category.supports * 2, category.dev, category.test)
    with pytest.raises(UserError, match="'support sets are disjoint' is broken"):
        require("a", check_category(repeated))
