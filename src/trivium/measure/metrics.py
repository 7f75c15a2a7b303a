"""Accuracy and forgetting. Values are shares from 0 to 1; an array of values gives an array."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
F = TypeVar("F", float, Floats)


def correct(logits: NDArray[np.float32], gold: NDArray[np.intp]) -> Bools:
    """Whether the highest logit is that of the gold label, for each line."""
    if logits.shape[0] != gold.shape[0]:
        raise ValueError(f"{logits.shape[0]} predictions for {gold.shape[0]} labels")
    return np.asarray(logits.argmax(axis=1) == gold)


def confusion(said: NDArray[np.intp], gold: NDArray[np.intp], labels: int) -> Floats:
    """For each example, a matrix of zeros with a one at (gold, said), flat; their sum is the confusion matrix."""
    found = np.zeros((len(gold), labels * labels))
    found[np.arange(len(gold)), gold * labels + said] = 1.0
    return found


def matthews(counts: Floats, labels: int) -> Floats:
    """Matthews' correlation of flat confusion matrices, one a line; for several labels as Gorodkin (2004) has it.

    Where all examples have one label, or all are given one, nothing correlates: 0.
    """
    matrix = counts.reshape(-1, labels, labels)
    total, right = matrix.sum(axis=(1, 2)), np.trace(matrix, axis1=1, axis2=2)
    gold, said = matrix.sum(axis=2), matrix.sum(axis=1)
    above = right * total - (gold * said).sum(axis=1)
    below = np.sqrt((total**2 - (gold**2).sum(axis=1)) * (total**2 - (said**2).sum(axis=1)))
    return np.asarray(np.divide(above, below, out=np.zeros_like(above), where=below > 0))


def joint(*parts: Bools) -> Bools:
    """Whether all parts of an example are correct: C²Gen's V+N."""
    return np.asarray(np.logical_and.reduce(parts))


def forget(before: F, after: F) -> F:
    """How much of an accuracy a later stage destroyed: (before − after) / before (C²Gen, section 5.3).

    Where there was nothing before, nothing is forgotten: 0.
    """
    if isinstance(before, float):
        return (before - after) / before if before else 0.0
    return np.divide(before - after, before, out=np.zeros_like(before), where=before != 0)


def difference(left: Floats | None, right: Floats | None) -> Floats | None:
    """Left − right with their resamples; None if one of them was not run."""
    return None if left is None or right is None else left - right


def mean_of(values: Iterable[Floats | None]) -> Floats | None:
    """The mean of quantities with their resamples; None if one of them was not run, or there is none."""
    given = list(values)
    there = [value for value in given if value is not None]
    return np.asarray(np.mean(there, axis=0)) if there and len(there) == len(given) else None


def rounded(value: float, step: str = "0.1") -> str:
    """A value as text. Halves go upwards, as papers round: formatting makes 94.2 of 94.25, but 71.2 of 71.15."""
    return str(Decimal(str(value)).quantize(Decimal(step), ROUND_HALF_UP))
