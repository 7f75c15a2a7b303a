"""How much an accuracy varies over seeds, and how much of that is because examples go right and wrong together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trivium.measure.bootstrap import Interval
from trivium.measure.metrics import Bools

_TAIL = 0.025


class Instability(NamedTuple):
    """The mean accuracy over seeds, and the standard deviations of its parts (Zhou et al., 2020); all are shares.

    With C_i whether example i of N is right: Var(accuracy) = Σ_i Var(C_i) / N² + 2 Σ_{i<j} Cov(C_i, C_j) / N².
    ``total`` is the root of the left side, ``independent`` that of the first term, and ``covariance`` the root of the
    second, with its sign: below zero if examples make up for each other. ``interval`` is that of the total.
    """

    mean: float
    total: float
    independent: float
    covariance: float
    seeds: int
    interval: Interval


def instability(right: Bools) -> Instability:
    """The instability of a matrix that has a line for each seed (two at least), a column for each example.

    Variances are those of a sample (divided by the number of seeds − 1). The covariance of all pairs of examples is
    what is left of the variance of the accuracy. The interval takes accuracies as normal: s √((n − 1) / χ²).
    """
    from scipy.stats import chi2  # slow to import, and seldom asked for

    seeds, number = right.shape
    if seeds < 2 or number < 1:
        raise ValueError(f"{seeds} seeds and {number} examples: instability needs two seeds at least")
    accuracies = right.mean(axis=1)
    variance = float(accuracies.var(ddof=1))
    independent = float(right.var(axis=0, ddof=1).sum()) / number**2
    together = variance - independent
    total = float(np.sqrt(variance))
    low, high = (total * float(np.sqrt((seeds - 1) / chi2.ppf(share, seeds - 1))) for share in (1 - _TAIL, _TAIL))
    root = float(np.sign(together) * np.sqrt(abs(together)))
    return Instability(
        float(accuracies.mean()), total, float(np.sqrt(independent)), root, seeds, Interval(total, low, high)
    )
