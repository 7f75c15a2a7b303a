"""Scores of a classifier: accuracy, correlation and F1 with 95 % intervals, overall and by label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trivium.measure.metrics import Floats, matthews
from trivium.measure.statistics.intervals import Interval, bounds, counts_interval, share_interval

LabelIndices = NDArray[np.intp]
_UNKNOWN = Interval(float("nan"), 0.0, 1.0)


@dataclass(frozen=True)
class Scores:
    """Scores on a set of examples, as fractions.

    ``majority`` is the share of the most frequent gold label. ``mcc`` is Matthews' correlation, from −1 to 1; it is
    None (undefined) if all gold labels or all predictions are the same. ``macro_f1`` is the mean F1 of the labels that
    occur among gold labels or predictions.
    """

    examples: int
    majority: float
    accuracy: Interval
    mcc: Interval | None
    macro_f1: Interval

    def to_json(self) -> dict[str, Any]:
        """Return the scores as plain values; undefined scores are None."""
        return {
            "examples": self.examples,
            "majority": self.majority,
            "accuracy": bounds(self.accuracy),
            "mcc": bounds(self.mcc),
            "macro_f1": bounds(self.macro_f1),
        }


@dataclass(frozen=True)
class LabelScores:
    """Scores of one label.

    ``support`` is the number of examples with this gold label, ``predicted`` the number with this prediction. Precision
    is None (undefined) if the label is never predicted, recall if it has no examples, and F1 in case of both.
    """

    label: str
    support: int
    predicted: int
    precision: Interval | None
    recall: Interval | None
    f1: Interval | None

    def to_json(self) -> dict[str, Any]:
        """Return the scores as plain values; undefined scores are None."""
        return {
            "label": self.label,
            "support": self.support,
            "predicted": self.predicted,
            "precision": bounds(self.precision),
            "recall": bounds(self.recall),
            "f1": bounds(self.f1),
        }


def confusion_matrix(predicted: LabelIndices, gold: LabelIndices, labels: int) -> NDArray[np.int64]:
    """Return how often each gold label (row) is predicted as each label (column)."""
    counts = np.bincount(gold * labels + predicted, minlength=labels * labels)
    return counts.reshape(labels, labels).astype(np.int64)


def macro_f1(counts: Floats, labels: int) -> Floats:
    """Return the macro F1 of each row, a flattened confusion matrix, over the labels that occur in it."""
    doubled, marginal = _f1_terms(counts, labels)
    occurs = marginal > 0
    scores = np.divide(doubled, marginal, out=np.zeros_like(marginal), where=occurs)
    return np.asarray(scores.sum(axis=1) / occurs.sum(axis=1))


def score(predicted: LabelIndices, gold: LabelIndices, labels: int) -> Scores:
    """Return the scores on a set of examples.

    The accuracy has Wilson's interval, correlation and F1 have that of a function of counts. If all predictions are
    correct, or none is, the intervals extend to the value that Wilson's limit of the accuracy implies.
    """
    accuracy = share_interval(predicted == gold)
    counts = confusion_matrix(predicted, gold, labels).astype(np.float64)

    def limits(statistic: Callable[[Floats], Floats]) -> Interval:
        of_counts = counts_interval(lambda flat: float(statistic(flat[None])[0]), counts.ravel(), -1.0, 1.0)
        return _widened(of_counts, statistic, counts, accuracy)

    has_mcc = (counts.sum(axis=0) > 0).sum() > 1 and (counts.sum(axis=1) > 0).sum() > 1
    return Scores(
        examples=len(gold),
        majority=float(counts.sum(axis=1).max() / len(gold)),
        accuracy=accuracy,
        mcc=limits(lambda flat: matthews(flat, labels)) if has_mcc else None,
        macro_f1=_clipped(limits(lambda flat: macro_f1(flat, labels))),
    )


def score_labels(predicted: LabelIndices, gold: LabelIndices, labels: tuple[str, ...]) -> list[LabelScores]:
    """Return the scores of each label. Precision and recall have Wilson's interval, F1 that of a function of counts."""
    counts = confusion_matrix(predicted, gold, len(labels)).astype(np.float64).ravel()
    _, marginal = _f1_terms(counts, len(labels))
    scores = []
    for index, label in enumerate(labels):
        is_predicted, is_gold = predicted == index, gold == index
        precision = share_interval(is_gold[is_predicted]) if is_predicted.any() else None
        recall = share_interval(is_predicted[is_gold]) if is_gold.any() else None
        f1 = None
        if marginal[0, index]:
            limits = counts_interval(partial(_label_f1, labels=len(labels), index=index), counts, 0.0, 1.0)
            f1 = _f1_limits(limits, precision, recall)
        scores.append(LabelScores(label, int(is_gold.sum()), int(is_predicted.sum()), precision, recall, f1))
    return scores


def _f1_terms(counts: Floats, labels: int) -> tuple[Floats, Floats]:
    """Return the numerator and denominator of F1 = 2 TP / (gold + predicted), for each matrix and label."""
    matrix = counts.reshape(-1, labels, labels)
    hits = np.diagonal(matrix, axis1=1, axis2=2)
    return 2 * hits, matrix.sum(axis=1) + matrix.sum(axis=2)


def _label_f1(counts: Floats, labels: int, index: int) -> float:
    doubled, marginal = _f1_terms(counts, labels)
    return float(doubled[0, index] / marginal[0, index]) if marginal[0, index] else 0.0


def _clipped(limits: Interval) -> Interval:
    return Interval(limits.value, max(0.0, limits.low), limits.high)


def _widened(limits: Interval, statistic: Callable[[Floats], Floats], counts: Floats, accuracy: Interval) -> Interval:
    """Extend the limits of a statistic if all predictions are correct, or none is; see :func:`score`."""
    if 0 < accuracy.value < 1:
        return limits
    gold = counts.sum(axis=1)
    labels = len(gold)
    if accuracy.value == 1:
        errors = (1 - accuracy.low) * gold[:, None] * (1 - np.eye(labels)) / (labels - 1)
        implied = float(statistic((accuracy.low * counts + errors).reshape(1, -1))[0])
        return Interval(limits.value, min(limits.low, implied), limits.high)
    mixed = (1 - accuracy.high) * counts + accuracy.high * np.diag(gold)
    implied = float(statistic(mixed.reshape(1, -1))[0])
    return Interval(limits.value, limits.low, max(limits.high, implied))


def _f1_limits(limits: Interval, precision: Interval | None, recall: Interval | None) -> Interval:
    """Extend the limits of an F1 of 0 or 1 to the values that the limits of precision and recall imply."""
    if 0 < limits.value < 1:
        return limits
    sides = (precision or _UNKNOWN, recall or _UNKNOWN)
    low, high = (_harmonic_mean(*bound) for bound in zip(*((side.low, side.high) for side in sides), strict=True))
    return Interval(limits.value, min(limits.low, low), max(limits.high, high))


def _harmonic_mean(first: float, second: float) -> float:
    return 2 * first * second / (first + second) if first + second > 0 else 0.0
