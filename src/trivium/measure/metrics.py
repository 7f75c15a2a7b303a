"""Accuracy, Matthews correlation and forgetting. Accuracies are fractions between 0 and 1."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def correct(logits: NDArray[np.float32], gold: NDArray[np.intp]) -> Bools:
    """Return for each example whether the gold label has the highest logit."""
    if logits.shape[0] != gold.shape[0]:
        raise ValueError(f"{logits.shape[0]} predictions for {gold.shape[0]} labels")
    return np.asarray(logits.argmax(axis=1) == gold)


def confusion(predicted: NDArray[np.intp], gold: NDArray[np.intp], labels: int) -> Floats:
    """Return one flattened confusion matrix per example, with a single 1 at (gold, predicted).

    Their sum is the confusion matrix of all examples.
    """
    matrices = np.zeros((len(gold), labels * labels))
    matrices[np.arange(len(gold)), gold * labels + predicted] = 1.0
    return matrices


def matthews(counts: Floats, labels: int) -> Floats:
    """Return the Matthews correlation coefficient of each row, a flattened confusion matrix.

    For more than two labels this is the definition of Gorodkin (2004). The coefficient is 0 if all gold labels or all
    predictions are the same.
    """
    matrix = counts.reshape(-1, labels, labels)
    total, diagonal = matrix.sum(axis=(1, 2)), np.trace(matrix, axis1=1, axis2=2)
    gold, predicted = matrix.sum(axis=2), matrix.sum(axis=1)
    numerator = diagonal * total - (gold * predicted).sum(axis=1)
    denominator = np.sqrt((total**2 - (gold**2).sum(axis=1)) * (total**2 - (predicted**2).sum(axis=1)))
    return np.asarray(np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0))


def joint(*parts: Bools) -> Bools:
    """Return for each example whether all of its parts are correct (V+N in C²Gen)."""
    return np.asarray(np.logical_and.reduce(parts))


def forget(before: float, after: float) -> float:
    """Return the fraction of an accuracy lost in a later stage: (before − after) / before (C²Gen, section 5.3).

    The result is 0 where ``before`` is 0.
    """
    return (before - after) / before if before else 0.0


def format_rounded(value: float, step: str = "0.1") -> str:
    """Format a value, rounding halves up as papers do.

    Python formats 71.15 as 71.2 but 94.25 as 94.2, since it rounds the binary value, and ties to even.
    """
    return str(Decimal(str(value)).quantize(Decimal(step), ROUND_HALF_UP))
