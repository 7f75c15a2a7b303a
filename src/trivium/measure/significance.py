"""Whether differences are more than chance, when there are many of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trivium.measure.metrics import Floats


def bootstrap_p(difference: Floats) -> float:
    """The two-sided p of a paired difference, from its resamples: how often they fall on the other side of zero.

    With n resamples it is never below 2 / (n + 1): correcting it for 36 comparisons needs thousands of them.
    """
    resamples = difference[1:]
    below, above = np.count_nonzero(resamples <= 0), np.count_nonzero(resamples >= 0)
    return float(min(1.0, 2 * (min(below, above) + 1) / (len(resamples) + 1)))


def holm(values: Sequence[float]) -> list[float]:
    """The p of several comparisons, corrected so that the chance of one false finding stays what it is (Holm, 1979)."""
    corrected, largest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = largest
    return corrected
