"""Nearest neighbours by Euclidean distance, without approximation.

A product of matrices in blocks that stay in the cache, and of each block only groups that can hold a neighbour are
looked into.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.measure.clusters import Vectors
from trivium.measure.metrics import Bools, Floats

BLOCK: Final = 1024
"""How many vectors are asked at once."""
PART: Final = 6400
"""Among how many vectors at once; a multiple of the group."""
GROUP: Final = 64
"""How many vectors share a maximum."""
SPARE: Final = 4
"""How many more than the nearest are measured again, since a product rounds more than a difference."""


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
        blocks = [asked[start : start + BLOCK] for start in range(0, len(asked), BLOCK)]
        found = [self._nearest(np.subtract(block, middle, dtype=np.float32), middle, nearest) for block in blocks]
        return np.concatenate(found) if found else np.empty((0, nearest), dtype=np.int64)

    def _nearest(self, asked: Vectors, middle: Vectors, nearest: int) -> NDArray[np.int64]:
        """The same for vectors that are counted from the middle."""
        near, scores, largest = self._candidates(asked, middle, min(nearest + SPARE, len(self.vectors)))
        apart = np.square(self.vectors[near] - middle - asked[:, None], dtype=np.float64).sum(axis=2)
        order = np.lexsort((near, apart))[:, :nearest]
        found = np.take_along_axis(near, order, axis=1)
        if near.shape[1] < len(self.vectors):
            last = np.take_along_axis(apart, order[:, -1:], axis=1)[:, 0]
            for row in np.flatnonzero(~_surely_nearer(last, scores.min(axis=1), asked, largest)):
                found[row] = self._one_by_one(asked[row], middle, nearest)
        return found

    def _candidates(self, asked: Vectors, middle: Vectors, number: int) -> _Candidates:
        """The vectors that score highest by x·y − |y|²/2, which falls as |x − y| grows."""
        scores = np.empty((len(asked), PART), dtype=np.float32)
        best: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
        largest = 0.0
        for start in range(0, len(self.vectors), PART):
            part = np.subtract(self.vectors[start : start + PART], middle, dtype=np.float32)
            squares = np.einsum("ij,ij->i", part, part)
            largest = max(largest, float(squares.max()))
            scores[:, len(part) :] = -np.inf
            filled = scores[:, : len(part)]
            np.matmul(asked, part.T, out=filled)
            filled -= squares / 2
            places = _largest(scores, min(number, len(part)))
            best.append((places + start, np.take_along_axis(scores, places, axis=1)))
        places, values = (np.concatenate(each, axis=1) for each in zip(*best, strict=True))
        top = _top(values, number)
        return _Candidates(np.take_along_axis(places, top, axis=1), np.take_along_axis(values, top, axis=1), largest)

    def _one_by_one(self, vector: Vectors, middle: Vectors, nearest: int) -> NDArray[np.int64]:
        """The places of the nearest, by the distance to every vector."""
        parts = (self.vectors[start : start + PART] for start in range(0, len(self.vectors), PART))
        apart = [np.square(part - middle - vector, dtype=np.float64).sum(axis=1) for part in parts]
        return np.argsort(np.concatenate(apart), kind="stable")[:nearest]


class _Candidates(NamedTuple):
    """For each vector that is asked, places and their scores; and the largest squared length of all vectors."""

    places: NDArray[np.int64]
    scores: NDArray[np.float32]
    largest: float


def _surely_nearer(last: Floats, least: NDArray[np.float32], asked: Vectors, largest: float) -> Bools:
    """Whether no vector that was left out can be as near as the last that was kept, however products were rounded.

    Those left out score at most ``least``, so that their squared distance is at least |x|² − 2 least.
    """
    norms = np.einsum("ij,ij->i", asked, asked, dtype=np.float64)
    rounding = np.finfo(np.float32).eps * asked.shape[1] * (np.sqrt(norms * largest) + largest)
    return np.asarray(last < norms - 2 * least.astype(np.float64) - rounding)


def _largest(scores: NDArray[np.float32], number: int) -> NDArray[np.int64]:
    """The places of the ``number`` largest of each row, which lie in the ``number`` groups with the largest maxima."""
    groups = scores.reshape(len(scores), GROUP, -1)  # members of a group lie apart: so its maximum takes whole rows
    number_of_groups = groups.shape[2]
    best = _top(groups.max(axis=1), min(number, number_of_groups))
    places = (best[:, :, None] + number_of_groups * np.arange(GROUP)).reshape(len(scores), -1)
    return np.take_along_axis(places, _top(np.take_along_axis(scores, places, axis=1), number), axis=1)


def _top(scores: NDArray[np.float32], number: int) -> NDArray[np.int64]:
    """The places of the ``number`` largest of each row, in no order."""
    return np.argpartition(scores, scores.shape[1] - number, axis=1)[:, scores.shape[1] - number :]
