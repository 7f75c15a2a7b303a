"""Intervals of estimates, shares and finite populations, and the p-values that belong to them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from trivium.measure.metrics import Bools, Floats
from trivium.measure.statistics.estimate import Estimate, slope
from trivium.measure.statistics.variance import Variance, variance_of

LEVEL = 0.95
_RARE = 20  # outcomes
_NORMAL = 1.959963984540054


@dataclass(frozen=True)
class Interval:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float

    def __rmul__(self, factor: float) -> Interval:
        low, high = sorted((factor * self.low, factor * self.high))
        return Interval(factor * self.value, low, high)

    def __sub__(self, shift: float) -> Interval:
        return Interval(self.value - shift, self.low - shift, self.high - shift)


def interval(estimate: Estimate, level: float = LEVEL) -> Interval:
    """Return the value of an estimate with its interval: Wilson's for a share, else symmetric, with Student's t.

    Wilson's interval (1927) has the number of examples that a simple sample of the same variance would have.
    """
    variance = variance_of(estimate)
    quantile = t_quantile(variance.freedom, level)
    half = quantile * math.sqrt(variance.total)
    if estimate.is_share and _is_rare(estimate):
        return _share(estimate, variance)
    low, high = estimate.limits
    return Interval(estimate.value, max(low, estimate.value - half), min(high, estimate.value + half))


def _is_rare(estimate: Estimate) -> bool:
    """Return whether so few outcomes differ from the others that the symmetric interval would be misleading."""
    smaller = min(estimate.value, 1 - estimate.value)
    return smaller * len(estimate.trainings) < _RARE * estimate.resolution


def _share(estimate: Estimate, variance: Variance) -> Interval:
    """Return Wilson's interval of a share that almost all outcomes, or almost none, contribute to.

    Its number of examples is that of a simple sample with the same variance, or the number of clusters if all agree.
    """
    value = estimate.value
    clusters = 1 / estimate.resolution
    if not 0 < value < 1:
        return wilson(value, clusters)
    return wilson(value, min(value * (1 - value) / variance.total, clusters * len(estimate.trainings)))


def wilson(share: float, number: float, quantile: float = _NORMAL) -> Interval:
    """Return a share of ``number`` items with the limits of Wilson (1927). It never has zero width."""
    square = quantile**2
    centre = (share + square / (2 * number)) / (1 + square / number)
    half = quantile / (1 + square / number) * math.sqrt(share * (1 - share) / number + square / (4 * number**2))
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return Interval(share, 0.0 if share == 0 else low, 1.0 if share == 1 else high)


def share_interval(correct: Bools) -> Interval:
    """Return the fraction of correct examples with Wilson's interval: for 15 correct of 15, it starts at 0.80."""
    return wilson(float(correct.mean()), len(correct))


def counts_interval(statistic: Callable[[Floats], float], counts: Floats, low: float, high: float) -> Interval:
    """Return a function of the counts of categories, such as a correlation, with limits between ``low`` and ``high``.

    The examples are independent; the variance is that of the multinomial distribution, to first order.
    """
    total = counts.sum()
    gradient = np.array([slope(statistic, counts, index) for index in range(len(counts))])
    variance = float((counts * gradient**2).sum() - (counts * gradient).sum() ** 2 / total)
    half = _NORMAL * math.sqrt(max(variance, (_NORMAL / total) ** 2 + variance / 4))
    value = float(statistic(counts))
    return Interval(value, max(low, value - half), min(high, value + half))


def population_share(probabilities: Sequence[float]) -> Interval:
    """Return the share of a finite population that a statement is true of, if every member was measured.

    ``probabilities`` has for each member the probability that the statement is true of it, given its measurement. The
    members are not a sample, so that the interval covers errors of measurement only; it is at least one member wide.
    """
    shares = np.asarray(probabilities, dtype=np.float64)
    number = len(shares)
    half = max(_NORMAL * math.sqrt(float((shares * (1 - shares)).sum())), 0.5) / number
    value = float((shares > 0.5).mean())
    low, high = float(shares.mean()) - half, float(shares.mean()) + half
    return Interval(value, max(0.0, min(low, value)), min(1.0, max(high, value)))


def probability_above(estimate: Estimate, bound: float = 0.0) -> float:
    """Return the probability that the true value is above a bound, with a flat prior."""
    variance = variance_of(estimate)
    return 1 - _upper_tail((estimate.value - bound) / math.sqrt(variance.total), variance.freedom)


def p_value(estimate: Estimate) -> float:
    """Return the two-sided p-value of the hypothesis that an estimate is zero."""
    variance = variance_of(estimate)
    score = abs(estimate.value) / math.sqrt(variance.total)
    return 2 * _upper_tail(score, variance.freedom)


def p_text(p: float) -> str:
    """Return a p-value as it is reported: ``p = 0.032``, or ``p < 0.001``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def p_of(limits: Interval) -> float:
    """Return the two-sided p-value that belongs to an interval, from the limit on the side of zero."""
    distance = limits.value - limits.low if limits.value > 0 else limits.high - limits.value
    if distance <= 0:
        return 1.0 if limits.value == 0 else 0.0
    return 2 * _upper_tail(abs(limits.value) / (distance / _NORMAL), math.inf)


def t_quantile(freedom: float, level: float = LEVEL) -> float:
    """Return the two-sided quantile of Student's t distribution; the normal one for infinitely many degrees."""
    from scipy.special import ndtri, stdtrit  # imported here because it is slow to import and rarely needed

    tail = (1 + level) / 2
    return float(ndtri(tail)) if math.isinf(freedom) else float(stdtrit(max(1.0, freedom), tail))


def _upper_tail(score: float, freedom: float) -> float:
    from scipy.special import ndtr, stdtr

    return float(ndtr(-score)) if math.isinf(freedom) else float(stdtr(max(1.0, freedom), -score))


@overload
def bounds(interval: Interval, name: str = "value") -> dict[str, float]: ...


@overload
def bounds(interval: Interval | None, name: str = "value") -> dict[str, float] | None: ...


def bounds(interval: Interval | None, name: str = "value") -> dict[str, float] | None:
    """Return a dictionary with the value (under ``name``) and the limits of an interval; None for None."""
    return None if interval is None else {name: interval.value, "low": interval.low, "high": interval.high}
