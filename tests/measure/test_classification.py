"""Figures of a classifier agree with scikit-learn, and their intervals are honest where nothing varies."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    matthews_corrcoef,
    precision_recall_fscore_support,
)
from sklearn.metrics import (
    confusion_matrix as sklearn_confusion,
)

from trivium.measure.classification import confusion_matrix, score, score_labels

NAMES = ("entailment", "neutral", "contradiction")
ANSWERS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=40)


def arrays(answers: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    gold, predicted = zip(*answers, strict=True)
    return np.array(predicted, dtype=np.intp), np.array(gold, dtype=np.intp)


@settings(max_examples=80, deadline=None)
@given(ANSWERS)
def test_figures_are_those_of_scikit_learn(answers: list[tuple[int, int]]) -> None:
    predicted, gold = arrays(answers)
    scores = score(predicted, gold, 3)
    assert scores.examples == len(gold)
    assert scores.accuracy.value == pytest.approx(accuracy_score(gold, predicted))
    assert scores.majority == pytest.approx(np.bincount(gold).max() / len(gold))
    assert scores.macro_f1.value == pytest.approx(f1_score(gold, predicted, average="macro", zero_division=0))
    if len(set(gold)) > 1 and len(set(predicted)) > 1:
        assert scores.mcc is not None
        assert scores.mcc.value == pytest.approx(matthews_corrcoef(gold, predicted))
    else:
        assert scores.mcc is None
    assert confusion_matrix(predicted, gold, 3).tolist() == sklearn_confusion(gold, predicted, labels=range(3)).tolist()


@settings(max_examples=80, deadline=None)
@given(ANSWERS)
def test_figures_by_label_are_those_of_scikit_learn(answers: list[tuple[int, int]]) -> None:
    predicted, gold = arrays(answers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = precision_recall_fscore_support(gold, predicted, labels=range(3), zero_division=np.nan)
    for index, label in enumerate(score_labels(predicted, gold, NAMES)):
        assert (label.label, label.support) == (NAMES[index], expected[3][index])
        for ours, theirs in zip((label.precision, label.recall, label.f1), expected[:3], strict=True):
            assert (ours is None) == bool(np.isnan(theirs[index]))
            assert ours is None or ours.value == pytest.approx(theirs[index])


@settings(max_examples=80, deadline=None)
@given(ANSWERS)
def test_an_interval_has_its_value_within_and_is_never_a_point_for_few_examples(answers: list[tuple[int, int]]) -> None:
    predicted, gold = arrays(answers)
    scores = score(predicted, gold, 3)
    for value in (scores.accuracy, scores.macro_f1, scores.mcc):
        if value is not None:
            assert np.isfinite([value.value, value.low, value.high]).all()
    for value in (scores.accuracy, scores.macro_f1):
        assert value.low < value.high
    if scores.accuracy.value in (0, 1):
        for value in (scores.accuracy, scores.macro_f1, scores.mcc):
            assert value is None or value.low < value.high


@pytest.mark.parametrize("number", [10, 1000])
def test_the_limits_of_a_perfect_model_come_closer_with_more_examples(number: int) -> None:
    gold = np.arange(number) % 3
    scores = score(gold, gold, 3)
    assert scores.mcc is not None
    assert scores.mcc.high == 1
    assert (scores.mcc.low > 0.98) == (number == 1000)
    assert 0.5 < scores.macro_f1.low < 1


def test_a_constant_prediction_has_no_correlation() -> None:
    gold = np.arange(60) % 3
    scores = score(np.zeros(60, dtype=np.intp), gold, 3)
    assert scores.mcc is None
    assert scores.to_json()["mcc"] is None


def test_the_interval_of_the_correlation_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)

    def draw(number: int) -> tuple[np.ndarray, np.ndarray]:
        gold = rng.integers(3, size=number)
        return np.where(rng.random(number) < 0.6, gold, rng.integers(3, size=number)), gold

    truth = matthews_corrcoef(*draw(200_000))
    found = [score(*draw(200), 3).mcc for trial in range(200)]
    share = np.mean([value is not None and value.low <= truth <= value.high for value in found])
    assert 0.89 < share < 0.99
