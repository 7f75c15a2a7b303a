"""Bootstrap: what a value could have been with other test examples (and, with several seeds, other seeds).

A quantity is an array: its first entry is the value, the others are the value on resamples. The same examples (and
seeds) are drawn for every method, so that differences between two quantities are paired.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np

from trivium.measure.metrics import Bools, Floats
from trivium.seeds import stream


@dataclass(frozen=True)
class Interval:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


class Bootstrap:
    """Draws resamples; each set of test examples has one fixed sequence of them."""

    def __init__(self, resamples: int = 1000, seed: int = 0) -> None:
        self.resamples = resamples
        self._seed = seed

    def mean(self, correct: Bools, examples: Hashable) -> Floats:
        """The accuracy over some examples; ``examples`` names them, the same name is resampled alike."""
        rng = stream(self._seed, "bootstrap", str(examples), len(correct))
        drawn = rng.integers(len(correct), size=(self.resamples, len(correct)), dtype=np.int32)
        return np.concatenate([[correct.mean()], correct[drawn].mean(axis=1)])

    def over_seeds(self, by_seed: Mapping[int, Floats]) -> Floats:
        """The mean over seeds of a quantity; several seeds are resampled too."""
        stacked = np.stack([by_seed[seed] for seed in sorted(by_seed)])
        number = len(stacked)
        if number == 1:
            return np.asarray(stacked[0])
        rng = stream(self._seed, "bootstrap", "seeds", number)
        drawn = rng.integers(number, size=(number, self.resamples))
        resampled = np.take_along_axis(stacked[:, 1:], drawn, axis=0).mean(axis=0)
        return np.concatenate([[stacked[:, 0].mean()], resampled])


def interval(quantity: Floats) -> Interval:
    """The value of a quantity and the 2.5 and 97.5 percentiles of its resamples."""
    low, high = np.percentile(quantity[1:], [2.5, 97.5])
    return Interval(float(quantity[0]), float(low), float(high))
