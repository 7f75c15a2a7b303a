"""The variance of an estimate: a crossed analysis of variance over trainings, folds and clusters of examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from trivium.measure.metrics import Floats
from trivium.measure.statistics.estimate import GIVEN, Estimate

MIN_TRAININGS = 3
"""The number of trainings, and of folds, below which intervals are not to be trusted."""
_POOLING = 0.25  # level of the test whether a seed has an effect of its own in all folds (Bozivich et al., 1956)
_TWO_SIDED = 1.959963984540054


class Component(NamedTuple):
    """A part of a variance, and its degrees of freedom."""

    variance: float
    freedom: float


class Variance(NamedTuple):
    """The variance of an estimate with its degrees of freedom (Satterthwaite, 1946)."""

    total: float
    freedom: float


@dataclass(frozen=True)
class Components:
    """What the variance of an estimate is made of, and how many seeds and folds it rests on.

    Outcomes are modelled as Y = μ + training + cluster + rest. The variance of the mean over trainings estimates
    training + rest, that over clusters cluster + rest, and the interaction estimates the rest, which is counted once.

    Attributes:
        within: The variance over seeds within folds.
        between: The variance over folds, which contains that over seeds; None if it is not a mean over several folds.
        clusters: The variance over clusters of examples.
        rest: The variance of what is particular to one training and one cluster.
        resolution: The least difference that can be seen.
        seeds: The number of seeds in each fold.
        folds: The number of folds that were run.
        population: The number of folds that exist.
    """

    within: Component
    between: Component | None
    clusters: Component
    rest: Component
    resolution: float
    seeds: int
    folds: int
    population: int

    def variance(self, seeds: int | None = None, folds: int | None = None) -> Variance:
        """Return the variance of the estimate, or what it would be with other numbers of seeds and folds."""
        seeds, folds = seeds or self.seeds, folds or self.folds
        trainings = self._trainings(seeds, folds)
        least = self.rest.variance * (self.seeds * self.folds / (seeds * folds) if self.seeds else 1)
        total = max(trainings.variance + self.clusters.variance - self.rest.variance, least)
        floor = (_TWO_SIDED * self.resolution) ** 2 + total / 4
        parts = [part for part in (trainings, self.clusters, self.rest) if part.variance > 0]
        squares = sum(_median_unbiased(part) ** 2 / part.freedom for part in parts)
        total = max(total, floor)
        fewest = min((part.freedom for part in parts), default=np.inf)
        return Variance(total, max(fewest, total**2 / squares) if squares > 0 else np.inf)

    def _trainings(self, seeds: int, folds: int) -> Component:
        """Return the variance over seeds, and over folds if they are a sample of those that exist.

        A single seed does not show how much of the variance over folds is due to training: all of it then counts.
        """
        within = self.within
        if seeds != self.seeds:
            growth = (seeds - 1) / (self.seeds - 1) if self.seeds > 1 else 1.0
            within = Component(within.variance * self.seeds / seeds, within.freedom * growth)
        if self.between is None:
            return within
        of_folds = (self.between.variance - self.within.variance) * self.folds / folds
        between = Component(max(0.0, of_folds + within.variance), folds - 1)
        if seeds == 1:
            return between
        share = folds / self.population
        return within if share == 1 else _weighted([(1 - share, between), (share, within)])


def variance_of(estimate: Estimate) -> Variance:
    """Return the variance of an estimate."""
    return components_of(estimate).variance()


def components_of(estimate: Estimate) -> Components:
    """Return what the variance of an estimate is made of."""
    strata = [rows for name, rows in estimate.strata().items() if name != GIVEN]
    within, clusters, rest = _seeds(estimate, strata), _clusters(estimate), _interaction(estimate)
    number, between = len(strata), None
    if estimate.folds is not None and number > 1:
        totals = np.array([estimate.by_training[rows].sum() for rows in strata])
        between = Component(float(number * totals.var(ddof=1)), number - 1)
    varies = max(within.variance + clusters.variance - rest.variance, rest.variance) > 0
    finest = estimate.resolution / (len(estimate.trainings) if varies or (between and between.variance) else 1)
    population = max(estimate.folds or number, number)
    return Components(within, between, clusters, rest, finest, estimate.seeds, number, population)


def _seeds(estimate: Estimate, strata: list[list[int]]) -> Component:
    """Return the variance over seeds within folds, pooled unless a seed has the same effect in all folds."""
    repeated = [estimate.by_training[rows] for rows in strata if len(rows) > 1]
    if not repeated:
        return Component(0.0, np.inf)
    freedom = sum(len(values) - 1 for values in repeated)
    pooled = Component(float(sum(len(values) * values.var(ddof=1) for values in repeated)), freedom)
    number = len(repeated[0])
    if len(repeated) == 1 or any(len(values) != number for values in repeated):
        return pooled
    crossed = Component(float(number * np.sum(repeated, axis=0).var(ddof=1)), number - 1)
    return crossed if _differs(crossed, pooled) else pooled


def _differs(crossed: Component, pooled: Component) -> bool:
    from scipy.special import fdtri

    limit = float(fdtri(crossed.freedom, pooled.freedom, 1 - _POOLING))
    return crossed.variance > limit * pooled.variance


def _clusters(estimate: Estimate) -> Component:
    return _sum_of_squares(estimate.influence.sum(axis=0))


def _interaction(estimate: Estimate) -> Component:
    """Return the variance of what is particular to one training and one cluster."""
    parts = []
    for rows in estimate.strata().values():
        if len(rows) > 1:
            deviations = estimate.influence[rows] - estimate.influence[rows].mean(axis=0)
            part = _sum_of_squares(deviations.ravel())
            parts.append((len(rows) / (len(rows) - 1), part))
    return _weighted(parts) if parts else Component(0.0, np.inf)


def _sum_of_squares(values: Floats) -> Component:
    """Return the sum of squares, unbiased for deviations that sum to zero."""
    number = max(2, len(values))
    return Component(float((values**2).sum() * number / (number - 1)), number - 1)


def _median_unbiased(part: Component) -> float:
    """Return a variance that is too small as often as too large; of few trainings, the usual one mostly is."""
    from scipy.special import chdtri

    return float(part.variance * part.freedom / chdtri(part.freedom, 0.5)) if part.freedom < 100 else part.variance


def _weighted(parts: list[tuple[float, Component]]) -> Component:
    """Return a weighted sum of components (Satterthwaite, 1946)."""
    total = sum(weight * part.variance for weight, part in parts)
    squares = sum((weight * part.variance) ** 2 / part.freedom for weight, part in parts)
    return Component(total, total**2 / squares if squares > 0 else np.inf)
