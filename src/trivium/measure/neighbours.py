"""Nearest neighbours, exactly, by Euclidean distance (faiss)."""

from __future__ import annotations

from dataclasses import dataclass

import faiss
import numpy as np
from numpy.typing import NDArray

from trivium.measure.clusters import Vectors
from trivium.measure.metrics import Floats


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Vectors that are looked among, and the label of each (its number)."""

    vectors: Vectors
    labels: NDArray[np.intp]

    def votes(self, asked: Vectors, nearest: int, number: int) -> Floats:
        """How many of the ``nearest`` neighbours of each vector have each of ``number`` labels.

        Of labels with as many votes the one with the nearest neighbour is ahead, by less than a vote.
        """
        found = self.places(asked, min(nearest, len(self.vectors)))
        labels = self.labels[found]
        votes = np.stack([(labels == label).sum(axis=1) for label in range(number)], axis=1).astype(np.float64)
        first = np.argmax(labels[:, :, None] == np.arange(number), axis=1)
        return np.asarray(votes - np.where(votes > 0, first, found.shape[1]) / (found.shape[1] + 1.0))

    def places(self, asked: Vectors, nearest: int) -> NDArray[np.int64]:
        """The places of the ``nearest`` vectors to each that is asked, nearest first."""
        index = faiss.IndexFlatL2(self.vectors.shape[1])
        index.add(np.ascontiguousarray(self.vectors, dtype=np.float32))
        _, found = index.search(np.ascontiguousarray(asked, dtype=np.float32), nearest)
        return np.asarray(found, dtype=np.int64)
