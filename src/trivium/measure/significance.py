"""Significance of differences, with correction for multiple comparisons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trivium.measure.metrics import Floats


def bootstrap_p(difference: Floats) -> float:
    """Return the two-sided p-value of a paired difference: twice the fraction of resamples on the other side of zero.

    With n resamples it is at least 2 / (n + 1), so that a correction for 36 comparisons needs thousands of resamples.
    """
    resamples = difference[1:]
    below, above = np.count_nonzero(resamples <= 0), np.count_nonzero(resamples >= 0)
    return float(min(1.0, 2 * (min(below, above) + 1) / (len(resamples) + 1)))


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for multiple comparisons, which controls the family-wise error rate (Holm, 1979)."""
    corrected, largest = [0.0] * len(values), 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = largest
    return corrected
