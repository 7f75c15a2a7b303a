"""Bootstrap intervals over test examples and, if there are several, over training seeds.

With a single seed, an interval does not account for the variance between trainings.

A *quantity* is an array: its first entry is the value, the others are the value on each resample. The same examples
(and seeds) are drawn for every method, so that the difference of two quantities is a paired comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from trivium.measure.metrics import Bools, Floats
from trivium.seeds import stream

_BLOCK = 1 << 22  # indices drawn at once, to limit memory
_MANY = 100_000


@dataclass(frozen=True)
class Interval:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


class Bootstrap:
    """Draws resamples, which depend only on the seed and on the name and the number of the test examples."""

    def __init__(self, resamples: int = 1000, seed: int = 0) -> None:
        self.resamples = resamples
        self._seed = seed

    def mean(self, values: Bools | Floats, name: Hashable, clusters: Sequence[Hashable] | None = None) -> Floats:
        """Return the mean of values, such as an accuracy, over all examples and over each resample.

        Sets of examples with the same ``name`` get the same resamples. Examples of one cluster, such as compositions
        of one natural pair, are drawn together: their errors are correlated, so drawing them separately would make the
        interval too narrow.
        """
        numbers = _number_clusters(clusters if clusters is not None else range(len(values)))
        totals, sizes = np.bincount(numbers, weights=values), np.bincount(numbers)
        resampled = [totals[drawn].sum(axis=1) / sizes[drawn].sum(axis=1) for drawn in self._draw(name, len(sizes))]
        return np.concatenate([[values.mean()], *resampled])

    def sums(self, values: Floats, name: Hashable, clusters: Sequence[Hashable] | None = None) -> Floats:
        """Return the sum of each column of values over all examples (first row) and over each resample (other rows)."""
        numbers = _number_clusters(clusters if clusters is not None else range(len(values)))
        columns = np.stack([np.bincount(numbers, weights=column) for column in values.T], axis=1)
        resampled = []
        for drawn in self._draw(name, len(columns)):
            counts = np.stack([np.bincount(resample, minlength=len(columns)) for resample in drawn])
            resampled.append(counts.astype(np.float64) @ columns)
        return np.concatenate([values.sum(axis=0)[None], *resampled])

    def counts(self, numbers: NDArray[np.intp], categories: int, name: Hashable) -> Floats:
        """Return how often each category occurs among the examples (first row) and in each resample (other rows).

        ``numbers`` has the category of each example. Of very many examples, the counts are drawn rather than the
        examples: they have the same distribution, but other resamples than :meth:`sums` of the same examples.
        """
        if len(numbers) < _MANY:
            return self.sums(np.eye(categories)[numbers], name)
        counts = np.bincount(numbers, minlength=categories)
        rng = stream(self._seed, "bootstrap", str(name), len(numbers))
        drawn = rng.multinomial(len(numbers), counts / len(numbers), size=self.resamples)
        return np.concatenate([counts[None], drawn]).astype(np.float64)

    def _draw(self, name: Hashable, number: int) -> Iterator[NDArray[np.int32]]:
        """Yield blocks of resamples, each a row of ``number`` cluster indices."""
        rng = stream(self._seed, "bootstrap", str(name), number)
        block = max(1, _BLOCK // number)
        for start in range(0, self.resamples, block):
            yield rng.integers(number, size=(min(block, self.resamples - start), number), dtype=np.int32)

    def over_seeds(self, quantities: Mapping[int, Floats] | None) -> Floats | None:
        """Return the mean of a quantity over seeds, resampling the seeds too if there are several; None if not run."""
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
    """Return the quantity of each seed; None if any seed was not run."""
    quantities = {seed: read(seed) for seed in seeds}
    available = {seed: quantity for seed, quantity in quantities.items() if quantity is not None}
    return available if len(available) == len(quantities) else None


def spread(quantities: Mapping[int, Floats] | None) -> float | None:
    """Return the standard deviation of a quantity over seeds; None if not run or run with a single seed."""
    if quantities is None or len(quantities) < 2:
        return None
    return float(np.std([quantity[0] for quantity in quantities.values()], ddof=1))


def _number_clusters(clusters: Sequence[Hashable]) -> NDArray[np.intp]:
    """Return a number for each element, the same for elements of one cluster, in order of first occurrence."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters], dtype=np.intp)


def interval(quantity: Floats) -> Interval:
    """Return the value of a quantity with the 2.5th and 97.5th percentiles of its resamples."""
    low, high = np.percentile(quantity[1:], [2.5, 97.5])
    return Interval(float(quantity[0]), float(low), float(high))


@overload
def bounds(interval: Interval, name: str = "value") -> dict[str, float]: ...


@overload
def bounds(interval: Interval | None, name: str = "value") -> dict[str, float] | None: ...


def bounds(interval: Interval | None, name: str = "value") -> dict[str, float] | None:
    """Return a dictionary with the value (under ``name``) and the limits of an interval; None for None."""
    return None if interval is None else {name: interval.value, "low": interval.low, "high": interval.high}
