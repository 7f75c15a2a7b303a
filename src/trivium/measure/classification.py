"""How good a classifier is: accuracy, correlation and F1 with 95 % intervals, overall and by label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trivium.measure.bootstrap import Bootstrap, Interval, bounds, interval
from trivium.measure.metrics import Floats, matthews
from trivium.measure.paired import share_interval

Labelled = NDArray[np.intp]
_UNKNOWN = Interval(float("nan"), 0.0, 1.0)


@dataclass(frozen=True)
class Scores:
    """Figures about some examples, as shares from 0 to 1.

    ``majority`` is the share of the most frequent gold label. ``mcc`` is Matthews' correlation; it is None, undefined,
    where all examples have one label or are given one. ``macro_f1`` is the mean F1 of the labels that occur among gold
    labels or predictions.
    """

    examples: int
    majority: float
    accuracy: Interval
    mcc: Interval | None
    macro_f1: Interval

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values; what is undefined is None."""
        return {
            "examples": self.examples,
            "majority": self.majority,
            "accuracy": bounds(self.accuracy),
            "mcc": bounds(self.mcc),
            "macro_f1": bounds(self.macro_f1),
        }


@dataclass(frozen=True)
class LabelScores:
    """Figures about one label: ``support`` is how many examples have it, ``predicted`` how many are given it.

    Precision is None, undefined, for a label that is never predicted, recall for one without examples, and F1 for one
    that is neither.
    """

    label: str
    support: int
    predicted: int
    precision: Interval | None
    recall: Interval | None
    f1: Interval | None

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values; what is undefined is None."""
        return {
            "label": self.label,
            "support": self.support,
            "predicted": self.predicted,
            "precision": bounds(self.precision),
            "recall": bounds(self.recall),
            "f1": bounds(self.f1),
        }


def confusion_matrix(predicted: Labelled, gold: Labelled, labels: int) -> NDArray[np.int64]:
    """Return how often each label (row) is given each label (column)."""
    counts = np.bincount(gold * labels + predicted, minlength=labels * labels)
    return counts.reshape(labels, labels).astype(np.int64)


def macro_f1(counts: Floats, labels: int) -> Floats:
    """Return the macro F1 of flat confusion matrices, one a line, over the labels that occur in each."""
    doubled, marginal = _f1_terms(counts, labels)
    occurs = marginal > 0
    each = np.divide(doubled, marginal, out=np.zeros_like(marginal), where=occurs)
    return np.asarray(each.sum(axis=1) / occurs.sum(axis=1))


def score(predicted: Labelled, gold: Labelled, labels: int, bootstrap: Bootstrap, name: str) -> Scores:
    """Return the figures about examples; ``name`` identifies them, and with it their resamples.

    Accuracy has Wilson's interval. Correlation and F1 have that of the bootstrap; where all predictions are correct, or
    none is, resamples do not vary, and the interval goes to the value that Wilson's limit of the accuracy implies.
    """
    accuracy = share_interval(predicted == gold)
    sums = bootstrap.counts(gold * labels + predicted, labels * labels, name)
    counts = sums[0].reshape(labels, labels)

    def limits(statistic: Callable[[Floats], Floats]) -> Interval:
        values = statistic(sums)
        return _widened(interval(values[np.isfinite(values)]), statistic, counts, accuracy)

    has_mcc = (counts.sum(axis=0) > 0).sum() > 1 and (counts.sum(axis=1) > 0).sum() > 1
    return Scores(
        examples=len(gold),
        majority=float(counts.sum(axis=1).max() / len(gold)),
        accuracy=accuracy,
        mcc=limits(lambda flat: _defined_matthews(flat, labels)) if has_mcc else None,
        macro_f1=limits(lambda flat: macro_f1(flat, labels)),
    )


def score_labels(
    predicted: Labelled, gold: Labelled, labels: tuple[str, ...], bootstrap: Bootstrap, name: str
) -> list[LabelScores]:
    """Return the figures of each label; precision and recall have Wilson's interval, F1 that of the bootstrap."""
    doubled, marginal = _f1_terms(bootstrap.counts(gold * len(labels) + predicted, len(labels) ** 2, name), len(labels))
    scores = []
    for index, label in enumerate(labels):
        given, has = predicted == index, gold == index
        precision = share_interval(has[given]) if given.any() else None
        recall = share_interval(given[has]) if has.any() else None
        f1 = None
        if marginal[0, index]:
            occurs = marginal[:, index] > 0
            f1 = _f1_limits(interval(doubled[occurs, index] / marginal[occurs, index]), precision, recall)
        scores.append(LabelScores(label, int(has.sum()), int(given.sum()), precision, recall, f1))
    return scores


def _f1_terms(counts: Floats, labels: int) -> tuple[Floats, Floats]:
    """Return numerator and denominator of F1 = 2 TP / (gold + predicted), for each matrix and label."""
    matrix = counts.reshape(-1, labels, labels)
    hits = np.diagonal(matrix, axis1=1, axis2=2)
    return 2 * hits, matrix.sum(axis=1) + matrix.sum(axis=2)


def _defined_matthews(counts: Floats, labels: int) -> Floats:
    """Return Matthews' correlation of flat confusion matrices; NaN where it is undefined."""
    matrix = counts.reshape(-1, labels, labels)
    several = [(matrix.sum(axis=axis) > 0).sum(axis=1) > 1 for axis in (1, 2)]
    return np.where(several[0] & several[1], matthews(counts, labels), np.nan)


def _widened(limits: Interval, statistic: Callable[[Floats], Floats], counts: Floats, accuracy: Interval) -> Interval:
    """Return limits that are wide enough where all predictions are correct, or none is."""
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
    """Return limits of F1 that are wide enough where it is 0 or 1: those of precision and recall imply them."""
    if 0 < limits.value < 1:
        return limits
    sides = (precision or _UNKNOWN, recall or _UNKNOWN)
    low, high = (_harmonic_mean(*bound) for bound in zip(*((side.low, side.high) for side in sides), strict=True))
    return Interval(limits.value, min(limits.low, low), max(limits.high, high))


def _harmonic_mean(first: float, second: float) -> float:
    return 2 * first * second / (first + second) if first + second > 0 else 0.0
