"""Generated examples are well-formed and balanced, and superficial cues do not give away their labels."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from trivium.build.phenomena import Pair, generate_parts, load_makers
from trivium.build.phenomena.words import CITIES, COUNTRIES, MEN, PEOPLE, WOMEN, indefinite
from trivium.data.example import Example
from trivium.data.phenomena import CATEGORIES, PHENOMENA
from trivium.measure.baselines import one_sided

NAMES = sorted(load_makers())
TRAIN, TEST = 1500, 1000


@cache
def generated(name: str) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    train, test = generate_parts(name, TRAIN, TEST)
    return train.examples, test.examples


def texts(pair: Pair) -> list[str]:
    return [text + "." for text in pair.premise.removesuffix(".").split(". ")] + [pair.hypothesis]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), label=st.integers(0, 2))
def test_sentences_are_well_formed(name: str, seed: int, label: int) -> None:
    labels = PHENOMENA[name].labels.names
    pair = load_makers()[name](labels[label % len(labels)], np.random.default_rng(seed))
    for text in texts(pair):
        assert re.fullmatch(r"\"?[A-Z][\w ,'\"-]*\.", text), text
        assert "  " not in text
        assert not re.search(r"\b[Aa] [aeio]|\b[Aa]n [^aeiouhAEIOU]|\b(the|a|an) (the|a|an)\b|\b(\w+) \2\b", text), text
        assert " ," not in text
    assert pair.premise != pair.hypothesis


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_pair_and_other_seeds_give_others(name: str) -> None:
    make, label = load_makers()[name], PHENOMENA[name].labels.names[0]
    assert make(label, np.random.default_rng(3)) == make(label, np.random.default_rng(3))
    assert len({make(label, np.random.default_rng(seed)) for seed in range(50)}) > 45


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_balanced_and_pairs_are_unique(name: str) -> None:
    examples = [example for part in generated(name) for example in part]
    counts = Counter(example.label for example in examples)
    assert set(counts) == set(PHENOMENA[name].labels.names)
    assert max(counts.values()) - min(counts.values()) <= 2
    assert len({(example.premise, example.hypothesis) for example in examples}) == len(examples) == TRAIN + TEST


@pytest.mark.parametrize("name", NAMES)
def test_neither_the_premise_nor_the_hypothesis_alone_predicts_the_label(name: str) -> None:
    train, test = generated(name)
    bound = 0.56 if len(PHENOMENA[name].labels) == 2 else 0.39  # four standard errors above chance
    assert max(one_sided(test, train)) < bound


def test_generators_exist_for_phenomena_of_every_category_but_commonsense() -> None:
    assert len(NAMES) == 26
    assert {PHENOMENA[name].category for name in NAMES} == set(CATEGORIES) - {"commonsense"}


@pytest.mark.parametrize("name", NAMES)
def test_length_and_word_overlap_do_not_predict_the_label(name: str) -> None:
    def features(example: Example) -> list[float]:
        premise, hypothesis = (re.findall(r"\w+", str(text).lower()) for text in (example.premise, example.hypothesis))
        shared = sum(word in premise for word in hypothesis) / len(hypothesis)
        return [len(premise) / 10, len(hypothesis) / 10, 3 * shared, float(shared == 1), 3 * shared**2]

    train, test = generated(name)
    model = LogisticRegression(max_iter=300).fit(
        [features(example) for example in train], [example.label for example in train]
    )
    accuracy = model.score([features(example) for example in test], [example.label for example in test])
    assert accuracy < (0.62 if len(PHENOMENA[name].labels) == 2 else 0.5)


@pytest.mark.parametrize("name", NAMES)
def test_negation_in_the_hypothesis_is_equally_frequent_with_every_label(name: str) -> None:
    examples = [example for part in generated(name) for example in part]
    negation = re.compile(r"\b(not|no|never|nor|none)\b")
    negated = Counter(example.label for example in examples if negation.search(str(example.hypothesis)))
    if sum(negated.values()) > 100:
        expected = sum(negated.values()) / len(PHENOMENA[name].labels)
        assert all(abs(count - expected) < 5 * expected**0.5 for count in negated.values())


def test_no_name_is_a_prefix_of_another() -> None:
    names = sorted((*PEOPLE, *CITIES, *COUNTRIES))
    assert not [(a, b) for a, b in itertools.pairwise(names) if b.startswith(a)]
    assert not set(WOMEN) & set(MEN)


@pytest.mark.parametrize(("noun", "phrase"), [("owl", "an owl"), ("unicycle", "a unicycle"), ("T-shirt", "a T-shirt")])
def test_the_article_fits_the_first_sound(noun: str, phrase: str) -> None:
    assert indefinite(noun) == phrase
