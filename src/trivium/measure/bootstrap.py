"""Bootstrap: what a value could have been with other test examples (and, with several seeds, other seeds).

With one seed an interval does not contain what another training would have changed.

A quantity is an array: its first entry is the value, the others are the value on resamples. The same examples (and
seeds) are drawn for every method, so that differences between two quantities are paired.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trivium.measure.metrics import Bools, Floats
from trivium.seeds import stream

_BLOCK = 1 << 22  # places that are drawn at a time


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

    def mean(self, correct: Bools | Floats, examples: Hashable, clusters: Sequence[Hashable] | None = None) -> Floats:
        """The accuracy (or the mean of a value) over examples; ``examples`` names them, one name is resampled alike.

        Examples of one cluster (compositions of one natural pair, say) are drawn together: their errors go together,
        and drawing them one by one would make the interval too narrow.
        """
        numbers = _numbered(clusters if clusters is not None else range(len(correct)))
        hits, sizes = np.bincount(numbers, weights=correct), np.bincount(numbers)
        resampled = [hits[drawn].sum(axis=1) / sizes[drawn].sum(axis=1) for drawn in self._drawn(examples, len(sizes))]
        return np.concatenate([[correct.mean()], *resampled])

    def sums(self, values: Floats, examples: Hashable, clusters: Sequence[Hashable] | None = None) -> Floats:
        """The sum over examples of each column of values, and on each resample: a line for each."""
        numbers = _numbered(clusters if clusters is not None else range(len(values)))
        columns = np.stack([np.bincount(numbers, weights=column) for column in values.T], axis=1)
        resampled = []
        for drawn in self._drawn(examples, len(columns)):
            times = np.stack([np.bincount(line, minlength=len(columns)) for line in drawn])
            resampled.append(times.astype(np.float64) @ columns)
        return np.concatenate([values.sum(axis=0)[None], *resampled])

    def _drawn(self, examples: Hashable, number: int) -> Iterator[NDArray[np.int32]]:
        """The places of the clusters of each resample, some resamples at a time: many of many take much memory."""
        rng = stream(self._seed, "bootstrap", str(examples), number)
        block = max(1, _BLOCK // number)
        for start in range(0, self.resamples, block):
            yield rng.integers(number, size=(min(block, self.resamples - start), number), dtype=np.int32)

    def over_seeds(self, quantities: Mapping[int, Floats] | None) -> Floats | None:
        """The mean over seeds of a quantity; several seeds are resampled too. None if one was not run."""
        if quantities is None:
            return None
        stacked = np.stack([quantities[seed] for seed in sorted(quantities)])
        number = len(stacked)
        if number == 1:
            return np.asarray(stacked[0])
        rng = stream(self._seed, "bootstrap", "seeds", number)
        drawn = rng.integers(number, size=(number, self.resamples))
        resampled = np.take_along_axis(stacked[:, 1:], drawn, axis=0).mean(axis=0)
        return np.concatenate([[stacked[:, 0].mean()], resampled])


def by_seed(seeds: Sequence[int], read: Callable[[int], Floats | None]) -> dict[int, Floats] | None:
    """What is read of each seed; None if one of them was not run."""
    found = {seed: read(seed) for seed in seeds}
    there = {seed: one for seed, one in found.items() if one is not None}
    return there if len(there) == len(found) else None


def spread(quantities: Mapping[int, Floats] | None) -> float | None:
    """The standard deviation of a quantity over seeds; None for one seed, or if one was not run."""
    if quantities is None or len(quantities) < 2:
        return None
    return float(np.std([one[0] for one in quantities.values()], ddof=1))


def _numbered(clusters: Sequence[Hashable]) -> NDArray[np.intp]:
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(cluster, len(known)) for cluster in clusters], dtype=np.intp)


def interval(quantity: Floats) -> Interval:
    """The value of a quantity and the 2.5 and 97.5 percentiles of its resamples."""
    low, high = np.percentile(quantity[1:], [2.5, 97.5])
    return Interval(float(quantity[0]), float(low), float(high))
