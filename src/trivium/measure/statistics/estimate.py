"""Estimates: values that remember what every training and every cluster of test examples contributed to them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from trivium.measure.metrics import Bools, Floats

GIVEN = "given"
"""The stratum of a model that is given rather than trained anew, such as the model of a user."""
UNLIMITED = (-math.inf, math.inf)
_STEP = 1e-4
H = TypeVar("H", bound=Hashable)


class Training(NamedTuple):
    """One training: its stratum (a fold, or :data:`GIVEN`) and its number in it (a seed, or a support set)."""

    stratum: Hashable = GIVEN
    seed: int = 0


GIVEN_MODEL = Training()
"""The one training of a model that is given."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """A value, and what it is made of: the influence of every training and of every cluster of examples.

    Estimates are combined by linear operations, and by :func:`transform` to first order (the delta method). Trainings
    and clusters with the same name are the same ones, so that a difference is a paired comparison.

    Attributes:
        value: The value, such as an accuracy between 0 and 1.
        trainings: The trainings that the value is averaged over.
        by_training: What each training contributes to the value, up to a constant.
        clusters: The names of the clusters of examples; the examples of a cluster share a sentence.
        influence: How much each cluster (column) moves the value through each training (row). Rows sum to zero.
        weights: How much each cluster can move the value at most: the finest difference that can be seen.
        folds: The number of folds that exist, if the value is a mean over a sample of them.
        is_share: Whether the value is a share between 0 and 1.
        baseline: The accuracy of the best baseline on the same examples; None if the value is not an accuracy.
        is_constant: Whether every training gives the same answer to every example.
        sides: The shares that a difference compares.
        limits: The least and the greatest possible value: 0 and 1 for a share, −1 and 1 for a difference of shares.
    """

    value: float
    trainings: tuple[Training, ...]
    by_training: Floats
    clusters: tuple[Hashable, ...]
    influence: Floats
    weights: Floats
    folds: int | None = None
    is_share: bool = False
    baseline: float | None = None
    is_constant: bool = False
    sides: tuple[Estimate, ...] = ()
    limits: tuple[float, float] = UNLIMITED

    def __add__(self, other: Estimate | float) -> Estimate:
        if isinstance(other, Estimate):
            return combine(self.value + other.value, [(1.0, self), (1.0, other)])
        limits = (self.limits[0] + other, self.limits[1] + other)
        return replace(self, value=self.value + other, is_share=False, sides=self.shares(), limits=limits)

    __radd__ = __add__

    def __sub__(self, other: Estimate | float) -> Estimate:
        return self + -1.0 * other

    def __rsub__(self, other: float) -> Estimate:
        shifted = -1.0 * self + other
        return replace(shifted, is_share=self.is_share and other == 1.0)

    def shares(self) -> tuple[Estimate, ...]:
        """Return the shares that this estimate is made of: itself, or the sides of a difference."""
        return (self,) if self.is_share else self.sides

    def __neg__(self) -> Estimate:
        return -1.0 * self

    def __mul__(self, factor: float) -> Estimate:
        return combine(factor * self.value, [(factor, self)])

    __rmul__ = __mul__

    def __abs__(self) -> Estimate:
        return -self if self.value < 0 else self

    @property
    def seeds(self) -> int:
        """The number of trainings in each stratum, the smallest one; 0 if the model was given."""
        counts = [len(rows) for name, rows in self.strata().items() if name != GIVEN]
        return min(counts, default=0)

    @property
    def strata_run(self) -> int:
        """The number of strata (folds) with trainings."""
        return sum(name != GIVEN for name in self.strata())

    @property
    def resolution(self) -> float:
        """The weight of a typical cluster: 1 / n for an accuracy on n examples of equal weight."""
        total = self.weights.sum()
        return float((self.weights**2).sum() / total) if total > 0 else 0.0

    def strata(self) -> dict[Hashable, list[int]]:
        """Return the rows of each stratum."""
        rows: dict[Hashable, list[int]] = {}
        for index, training in enumerate(self.trainings):
            rows.setdefault(training.stratum, []).append(index)
        return rows

    def spread(self) -> float | None:
        """Return the standard deviation over seeds of the mean over folds; None for a single seed."""
        totals: dict[int, float] = {}
        for training, contribution in zip(self.trainings, self.by_training, strict=True):
            totals[training.seed] = totals.get(training.seed, 0.0) + float(contribution)
        return float(np.std(list(totals.values()), ddof=1) * len(totals)) if len(totals) > 1 else None


def mean(
    values: Bools | Floats,
    clusters: Sequence[Hashable],
    training: Training = GIVEN_MODEL,
    mask: Bools | None = None,
    baseline: float | None = None,
    is_constant: bool = False,
) -> Estimate:
    """Return the mean of one value for each example, such as an accuracy, for one training.

    ``clusters`` names the cluster of each example. ``mask`` selects examples. Values that are true or false give a
    share. ``baseline`` and ``is_constant`` are those of an :class:`Estimate`.
    """
    if mask is not None:
        values = values[mask]
        clusters = [cluster for cluster, is_selected in zip(clusters, mask, strict=True) if is_selected]
    if not len(values):
        raise ValueError("the mean of no example")
    names, numbers = number_clusters(clusters)
    total = len(values)
    sizes = np.bincount(numbers).astype(np.float64)
    sums = np.bincount(numbers, weights=values)
    value = float(sums.sum() / total)
    influence = (sums - value * sizes) / total
    finest = 1.0 if values.dtype == np.bool_ else float(np.ptp(values)) or 1.0
    return Estimate(
        value,
        (training,),
        np.array([value]),
        names,
        influence[None],
        finest * sizes / total,
        is_share=values.dtype == np.bool_,
        baseline=baseline,
        is_constant=is_constant,
        limits=(0.0, 1.0) if values.dtype == np.bool_ else UNLIMITED,
    )


def functional(
    columns: Floats,
    statistic: Callable[[Floats], float],
    clusters: Sequence[Hashable],
    training: Training = GIVEN_MODEL,
) -> Estimate:
    """Return a function of sums over examples, such as a correlation of a confusion matrix, for one training.

    ``columns`` has a row for each example; ``statistic`` takes the sums of the columns. The influence of a cluster is
    the derivative of the statistic in the direction of the cluster, by central differences.
    """
    names, numbers = number_clusters(clusters)
    sums = np.stack([np.bincount(numbers, weights=column) for column in columns.T], axis=1)
    total = sums.sum(axis=0)
    gradient = np.array([slope(statistic, total, index) for index in range(len(total))])
    influence = sums @ gradient
    influence = influence - influence.mean()
    value = float(statistic(total))
    weights = np.full(len(names), float(np.abs(influence).max()) or 1 / len(names))
    return Estimate(value, (training,), np.array([value]), names, influence[None], weights)


def slope(statistic: Callable[[Floats], float], sums: Floats, index: int) -> float:
    """Return the derivative of a statistic by one of the sums that it is computed from."""
    step = np.zeros_like(sums)
    step[index] = _STEP * max(1.0, float(sums[index]))
    if sums[index] < step[index]:  # counts are not negative
        return float((statistic(sums + step) - statistic(sums)) / step[index])
    return float((statistic(sums + step) - statistic(sums - step)) / (2 * step[index]))


def combine(value: float, terms: Sequence[tuple[float, Estimate]]) -> Estimate:
    """Return the estimate of ``value``, whose influences are a linear combination of those of other estimates."""
    first = terms[0][1]
    trainings, clusters = first.trainings, first.clusters
    for _, term in terms[1:]:
        trainings = _union(trainings, term.trainings)
        clusters = _union(clusters, term.clusters)
    by_training, influence = np.zeros(len(trainings)), np.zeros((len(trainings), len(clusters)))
    gained, lost = np.zeros(len(clusters)), np.zeros(len(clusters))
    for factor, term in terms:
        rows, columns = _positions(term.trainings, trainings), _positions(term.clusters, clusters)
        by_training[rows] += factor * term.by_training
        influence[np.ix_(rows, columns)] += factor * term.influence
        (gained if factor > 0 else lost)[columns] += abs(factor) * term.weights
    populations = {term.folds for _, term in terms}
    folds = next(iter(populations)) if len(populations) == 1 else None
    ends = [sorted(factor * limit for limit in term.limits) if factor else (0.0, 0.0) for factor, term in terms]
    low, high = sum(low for low, _ in ends), sum(high for _, high in ends)
    weights = np.maximum(gained, lost)
    result = Estimate(value, trainings, by_training, clusters, influence, weights, folds, limits=(low, high))
    is_mean = all(factor > 0 for factor, _ in terms) and abs(sum(factor for factor, _ in terms) - 1) < 1e-9
    if not is_mean or not all(term.is_share for _, term in terms):
        return replace(result, sides=tuple(dict.fromkeys(side for _, term in terms for side in term.shares())))
    baselines = [factor * term.baseline for factor, term in terms if term.baseline is not None]
    baseline = sum(baselines) if len(baselines) == len(terms) else None
    is_constant = all(term.is_constant for _, term in terms)
    return replace(result, is_share=True, baseline=baseline, is_constant=is_constant)


def transform(function: Callable[..., float], *estimates: Estimate) -> Estimate:
    """Return a smooth function of estimates, to first order."""
    values = np.array([estimate.value for estimate in estimates])
    terms = []
    for index, estimate in enumerate(estimates):
        step = np.zeros_like(values)
        step[index] = _STEP
        slope = (function(*(values + step)) - function(*(values - step))) / (2 * _STEP)
        terms.append((float(slope), estimate))
    sides = tuple(side for estimate in estimates for side in estimate.shares())
    return replace(combine(float(function(*values)), terms), is_share=False, sides=sides, limits=UNLIMITED)


def difference(left: Estimate | None, right: Estimate | None) -> Estimate | None:
    """Return ``left`` − ``right``; None if either was not run."""
    return None if left is None or right is None else left - right


def mean_of(estimates: Iterable[Estimate | None]) -> Estimate | None:
    """Return the mean of several estimates; None if there are none or any of them was not run."""
    every = list(estimates)
    available = [estimate for estimate in every if estimate is not None]
    if not available or len(available) < len(every):
        return None
    number = len(available)
    value = sum(estimate.value for estimate in available) / number
    return combine(value, [(1 / number, estimate) for estimate in available])


def over_folds(estimates: Sequence[Estimate | None], population: int) -> Estimate | None:
    """Return the mean over folds that were drawn from a ``population`` of folds; None if any of them was not run."""
    average = mean_of(estimates)
    return None if average is None else replace(average, folds=population)


def least(estimates: Iterable[Estimate | None]) -> Estimate | None:
    """Return the smallest of several estimates; None if any was not run.

    A claim that all of them are above zero is a claim about this one. Its interval is that of the smallest, which is
    too narrow if several are about as small.
    """
    every = list(estimates)
    available = [estimate for estimate in every if estimate is not None]
    if not available or len(available) < len(every):
        return None
    return min(available, key=lambda estimate: estimate.value)


def number_clusters(clusters: Sequence[Hashable]) -> tuple[tuple[Hashable, ...], NDArray[np.intp]]:
    """Return the distinct clusters in order of first occurrence, and the number of each example's cluster."""
    numbers: dict[Hashable, int] = {}
    indices = np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters], dtype=np.intp)
    return tuple(numbers), indices


def _union(first: tuple[H, ...], second: tuple[H, ...]) -> tuple[H, ...]:
    return first if first == second else tuple(dict.fromkeys((*first, *second)))


def _positions(names: tuple[Hashable, ...], within: tuple[Hashable, ...]) -> NDArray[np.intp]:
    if names == within:
        return np.arange(len(names))
    index = {name: position for position, name in enumerate(within)}
    return np.array([index[name] for name in names], dtype=np.intp)
