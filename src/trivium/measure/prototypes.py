"""Inference of prototypical networks (Snell et al., 2017): predict the label whose mean vector is nearest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trivium.measure.clusters import Vectors
from trivium.measure.metrics import Floats

BLOCK: Final = 1024
"""Number of vectors compared at once, so that they stay in the processor's cache in double precision."""


@dataclass(frozen=True, eq=False)
class Prototypes:
    """Mean vectors and the label index of each. A label may have several means, one per support set."""

    means: Floats
    labels: NDArray[np.intp]

    @classmethod
    def from_vectors(cls, vectors: Vectors, labels: NDArray[np.intp]) -> Prototypes:
        """Return the mean vector of each label that occurs."""
        unique = np.unique(labels)
        means = [vectors[labels == label].mean(axis=0, dtype=np.float64) for label in unique]
        return cls(np.stack(means), unique.astype(np.intp))

    @classmethod
    def pooled(cls, support_sets: Iterable[Prototypes]) -> Prototypes:
        """Return the prototypes of several support sets together, with equal weight (CFL, note 7)."""
        means, labels = zip(*((prototypes.means, prototypes.labels) for prototypes in support_sets), strict=True)
        return cls(np.concatenate(means), np.concatenate(labels))

    def logits(self, vectors: Vectors, number: int) -> Floats:
        """Return −d for each vector and each of ``number`` labels, where d is the distance to the label's nearest mean.

        Distances are Euclidean; the softmax of the result is equation 4 of CFL. A label without a mean gets −∞.
        """
        distances = np.sqrt(np.maximum(_squared_distances(vectors, self.means), 0.0))
        logits = np.full((len(vectors), number), -np.inf)
        for label in np.unique(self.labels):
            logits[:, label] = -distances[:, self.labels == label].min(axis=1)
        return logits


def _squared_distances(left: Vectors, right: Floats) -> Floats:
    """Return the squared Euclidean distance between each row of ``left`` and each row of ``right``."""
    distances = np.empty((len(left), len(right)))
    squares = np.square(right).sum(axis=1)
    for start in range(0, len(left), BLOCK):
        block = left[start : start + BLOCK].astype(np.float64)
        norms = np.einsum("ij,ij->i", block, block)
        distances[start : start + BLOCK] = norms[:, None] - 2 * block @ right.T + squares
    return distances
