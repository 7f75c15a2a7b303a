"""Prototypical networks (Snell et al., 2017) at the time of asking: the label whose mean vector is nearest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trivium.measure.clusters import Vectors
from trivium.measure.metrics import Floats


@dataclass(frozen=True, eq=False)
class Prototypes:
    """Mean vectors and the label of each (its number); a label may have several, of several support sets."""

    means: Floats
    labels: NDArray[np.intp]

    @classmethod
    def of(cls, vectors: Vectors, labels: NDArray[np.intp]) -> Prototypes:
        """The mean of the vectors of each label that occurs."""
        names = np.unique(labels)
        means = [vectors[labels == name].mean(axis=0, dtype=np.float64) for name in names]
        return cls(np.stack(means), names.astype(np.intp))

    @classmethod
    def pooled(cls, several: Iterable[Prototypes]) -> Prototypes:
        """The means of several support sets side by side, all weighing the same (CFL, note 7)."""
        every = list(several)
        return cls(np.concatenate([one.means for one in every]), np.concatenate([one.labels for one in every]))

    def logits(self, vectors: Vectors, number: int) -> Floats:
        """For each vector and each of ``number`` labels −d, d the Euclidean distance to that label's nearest mean.

        Their softmax is equation 4 of CFL. A label without a mean has −∞.
        """
        apart = np.sqrt(np.maximum(_squares(vectors.astype(np.float64), self.means), 0.0))
        found = np.full((len(vectors), number), -np.inf)
        for label in np.unique(self.labels):
            found[:, label] = -apart[:, self.labels == label].min(axis=1)
        return found


def _squares(left: Floats, right: Floats) -> Floats:
    """The squared Euclidean distance between each line of the left and each of the right."""
    return np.asarray((left**2).sum(1)[:, None] - 2 * left @ right.T + (right**2).sum(1)[None])
