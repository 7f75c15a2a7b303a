"""How much an accuracy varies over seeds, and how much of that comes from correlated examples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trivium.measure.metrics import Bools
from trivium.measure.statistics.intervals import Interval

_TAIL = 0.025


class Instability(NamedTuple):
    """The mean accuracy over seeds, and its standard deviation split into two parts (Zhou et al., 2020).

    All values are fractions. With C_i = 1 if example i of N is correct, else 0:
    Var(accuracy) = Σ_i Var(C_i) / N² + 2 Σ_{i<j} Cov(C_i, C_j) / N².
    ``total`` is the square root of the left side, with its ``interval``; ``independent`` is that of the first term, and
    ``covariance`` that of the second, with its sign. A negative ``covariance`` means that errors on some examples are
    offset by correct answers on others.
    """

    mean: float
    total: float
    independent: float
    covariance: float
    seeds: int
    interval: Interval


def instability(correct: Bools) -> Instability:
    """Return the instability of a matrix with a row for each seed (at least two) and a column for each example.

    Variances are sample variances (divided by the number of seeds − 1). The covariance term is the variance of the
    accuracy minus the independent term. The interval assumes normally distributed accuracies: s √((n − 1) / χ²).
    """
    from scipy.stats import chi2  # imported here because it is slow to import and rarely needed

    seeds, examples = correct.shape
    if seeds < 2 or examples < 1:
        raise ValueError(
            f"instability needs at least two seeds and one example, got {seeds} seeds and {examples} examples"
        )
    accuracies = correct.mean(axis=1)
    variance = float(accuracies.var(ddof=1))
    independent = float(correct.var(axis=0, ddof=1).sum()) / examples**2
    covariance = variance - independent
    total = float(np.sqrt(variance))
    low, high = (total * float(np.sqrt((seeds - 1) / chi2.ppf(tail, seeds - 1))) for tail in (1 - _TAIL, _TAIL))
    signed_root = float(np.sign(covariance) * np.sqrt(abs(covariance)))
    return Instability(
        float(accuracies.mean()), total, float(np.sqrt(independent)), signed_root, seeds, Interval(total, low, high)
    )
