"""Accuracy, V+N, Forget and Matthews correlation against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import matthews_corrcoef

from trivium.measure.metrics import confusion, correct, forget, joint, matthews

LOGITS = hnp.arrays(
    np.float32, st.tuples(st.integers(1, 12), st.just(3)), elements=st.floats(-50, 50, width=32), unique=True
)

COLUMNS = st.integers(1, 20).flatmap(
    lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=4)
)


def test_a_prediction_is_correct_if_the_gold_label_has_the_highest_logit() -> None:
    logits = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 2.0], [-3.0, -1.0, -2.0]], dtype=np.float32)
    assert correct(logits, np.array([0, 0, 1])).tolist() == [True, False, True]


@given(logits=LOGITS, data=st.data())
@settings(max_examples=50, deadline=None)
def test_correct_matches_a_loop_over_rows(logits: np.ndarray, data: st.DataObject) -> None:
    gold = data.draw(st.lists(st.integers(0, 2), min_size=len(logits), max_size=len(logits)))
    expected = [max(range(3), key=row.__getitem__) == label for row, label in zip(logits.tolist(), gold, strict=True)]
    assert correct(logits, np.array(gold)).tolist() == expected


@given(logits=LOGITS)
@settings(max_examples=30, deadline=None)
def test_exactly_one_label_is_correct_for_each_row(logits: np.ndarray) -> None:
    answers = [correct(logits, np.full(len(logits), label)) for label in range(3)]
    assert (np.sum(answers, axis=0) == 1).all()


@pytest.mark.parametrize("number", [0, 1, 3])
def test_different_numbers_of_predictions_and_labels_are_an_error(number: int) -> None:
    with pytest.raises(ValueError, match=f"2 predictions for {number} labels"):
        correct(np.zeros((2, 3), dtype=np.float32), np.zeros(number, dtype=np.intp))


def test_joint_is_correct_where_both_primitives_are() -> None:
    veridical, natural = np.array([True, True, False, False]), np.array([True, False, True, False])
    assert joint(veridical, natural).tolist() == [True, False, False, False]
    assert joint(veridical).tolist() == veridical.tolist()


@given(columns=COLUMNS)
@settings(max_examples=100, deadline=None)
def test_joint_accuracy_is_never_above_that_of_any_part(columns: list[list[bool]]) -> None:
    parts = [np.array(column) for column in columns]
    result = joint(*parts)
    assert result.tolist() == [all(row) for row in zip(*columns, strict=True)]
    assert all(result.mean() <= part.mean() for part in parts)


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [(1.0, 0.8072, 0.1928), (0.9394, 0.7115, 0.2426), (0.5, 0.5, 0.0), (0.5, 0.75, -0.5), (0.8, 0.0, 1.0)],
)
def test_forget_is_the_lost_fraction_of_the_first_accuracy(before: float, after: float, lost: float) -> None:
    assert forget(before, after) == pytest.approx(lost, abs=5e-5)


@pytest.mark.parametrize("after", [0.0, 0.5])
def test_forget_is_zero_if_the_first_accuracy_is_zero(after: float) -> None:
    assert forget(0.0, after) == 0


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=80))
def test_matthews_matches_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    gold, predicted = (np.array(column) for column in zip(*pairs, strict=True))
    counts = confusion(predicted, gold, 3).sum(axis=0)
    assert matthews(counts[None], 3)[0] == pytest.approx(matthews_corrcoef(gold, predicted), abs=1e-12)


def test_matthews_is_zero_if_all_predictions_are_the_same() -> None:
    assert matthews(confusion(np.zeros(4, int), np.array([0, 1, 0, 1]), 2).sum(axis=0)[None], 2).tolist() == [0.0]
