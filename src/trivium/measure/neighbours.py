"""Nearest neighbours by Euclidean distance, without approximation.

A product of matrices in blocks that stay in the cache, and of each block only groups that can hold a neighbour are
looked into.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trivium.measure.clusters import Vectors
from trivium.measure.metrics import Bools, Floats

BLOCK: Final = 128
"""How many vectors are asked at once."""
GROUP: Final = 64
"""How many vectors share a maximum."""
SPARE: Final = 4
"""How many more than the nearest are measured again, since a product rounds more than a difference."""
_PART = 20_000


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
        """The places of the ``nearest`` vectors to each that is asked, nearest first, of equals the first."""
        middle = self.vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
        known, asked = (np.subtract(vectors, middle, dtype=np.float32) for vectors in (self.vectors, asked))
        halves = np.einsum("ij,ij->i", known, known) / 2
        groups = -(-len(known) // GROUP)
        scores = np.full((min(BLOCK, len(asked)), groups * GROUP), -np.inf, dtype=np.float32)
        found = np.empty((len(asked), nearest), dtype=np.int64)
        for start in range(0, len(asked), BLOCK):
            block = asked[start : start + BLOCK]
            filled = scores[: len(block), : len(known)]
            np.matmul(block, known.T, out=filled)
            filled -= halves  # x·y − |y|²/2 falls as |x − y| grows
            near = _largest(scores[: len(block)], min(nearest + SPARE, len(known)))
            apart = np.square(known[near] - block[:, None], dtype=np.float64).sum(axis=2)
            order = np.lexsort((near, apart))[:, :nearest]
            found[start : start + BLOCK] = np.take_along_axis(near, order, axis=1)
            if near.shape[1] < len(known):
                last = np.take_along_axis(apart, order[:, -1:], axis=1)[:, 0]
                least = np.take_along_axis(scores[: len(block)], near, axis=1).min(axis=1)
                for row in np.flatnonzero(~_surely_nearer(last, least, block, halves)):
                    found[start + row] = _one_by_one(known, block[row], nearest)
        return found


def _surely_nearer(last: Floats, least: Floats, asked: Vectors, halves: Floats) -> Bools:
    """Whether no vector that was left out can be as near as the last that was kept, however products were rounded.

    Those left out score at most ``least``, so that their squared distance is at least |x|² − 2 least.
    """
    norms = np.einsum("ij,ij->i", asked, asked, dtype=np.float64)
    largest = 2 * float(halves.max())
    rounding = np.finfo(np.float32).eps * asked.shape[1] * (np.sqrt(norms * largest) + largest)
    return np.asarray(last < norms - 2 * least.astype(np.float64) - rounding)


def _one_by_one(known: Vectors, vector: Vectors, nearest: int) -> NDArray[np.int64]:
    """The places of the nearest, by the distance to every vector."""
    parts = [
        np.square(known[at : at + _PART] - vector, dtype=np.float64).sum(axis=1) for at in range(0, len(known), _PART)
    ]
    return np.argsort(np.concatenate(parts), kind="stable")[:nearest]


def _largest(scores: NDArray[np.float32], number: int) -> NDArray[np.int64]:
    """The places of the ``number`` largest of each row, which lie in the ``number`` groups with the largest maxima."""
    groups = scores.reshape(len(scores), -1, GROUP)
    best = _top(groups.max(axis=2), min(number, groups.shape[1]))
    places = (best[:, :, None] * GROUP + np.arange(GROUP)).reshape(len(scores), -1)
    return np.take_along_axis(places, _top(np.take_along_axis(scores, places, axis=1), number), axis=1)


def _top(scores: NDArray[np.float32], number: int) -> NDArray[np.int64]:
    """The places of the ``number`` largest of each row, in no order."""
    return np.argpartition(scores, scores.shape[1] - number, axis=1)[:, scores.shape[1] - number :]
