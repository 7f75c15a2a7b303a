"""Baselines know the label's frequency, a negation, and the hypothesis, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.data.example import Example
from trivium.measure.baselines import baselines, has_negation_cue


def pair(number: int, premise: str, hypothesis: str, label: str) -> Example:
    return Example.make(str(number), premise, hypothesis, label)


NEGATED = [pair(n, "A man sleeps.", "A man is not sleeping.", "contradiction") for n in range(6)]
PLAIN = [pair(n, "A man sleeps.", "A man is sleeping.", "entailment") for n in range(10, 13)]
OPEN = [pair(n, "A man sleeps.", "A woman is singing.", "neutral") for n in range(20, 21)]
TEST = [*NEGATED, *PLAIN, *OPEN]


def test_the_baselines_of_a_test_without_training_data() -> None:
    found = baselines(TEST)
    assert found.accuracies() == {"majority": 0.6, "negation": 0.9}
    assert found.best() == 0.9
    assert found.best(np.array([example.label != "contradiction" for example in TEST])) == 0.75


def test_a_model_of_the_hypothesis_learns_from_the_training_data() -> None:
    assert baselines(TEST, TEST).hypothesis.mean() == 1.0


def test_without_training_data_a_model_of_the_hypothesis_never_sees_what_it_predicts() -> None:
    colours = [f"A {colour} {thing}." for colour in ("red", "blue") for thing in ("car", "dog", "hat", "cup", "box")]
    told = [pair(n, "A thing.", text, "neutral" if "red" in text else "entailment") for n, text in enumerate(colours)]
    assert baselines(told).hypothesis is None  # too few
    found = baselines([example for example in told for _ in range(10)]).hypothesis
    assert found is not None
    assert found.mean() > 0.9  # the colour decides, in both halves
    names = [pair(n, "A thing.", f"Word{n}.", ("neutral", "entailment")[n % 2]) for n in range(80) for _ in range(2)]
    drawn = baselines(names).hypothesis
    assert drawn is not None
    assert drawn.mean() < 0.6  # each word is in one half only


def test_a_test_with_one_label_is_not_its_own_majority() -> None:
    assert baselines(PLAIN, TEST).accuracies()["majority"] == 0.0
    assert baselines(NEGATED, TEST).accuracies()["majority"] == 1.0


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        ("A man sleeps.", "Nobody sleeps.", True),
        ("A man doesn't sleep.", "A man sleeps.", True),
        ("A man doesn't sleep.", "No man sleeps.", False),
        ("A nobleman knots a rope.", "A man knots.", False),
    ],
)
def test_a_negation_in_one_of_two_sentences_is_a_cue(premise: str, hypothesis: str, expected: bool) -> None:
    assert has_negation_cue(pair(0, premise, hypothesis, "neutral")) is expected
