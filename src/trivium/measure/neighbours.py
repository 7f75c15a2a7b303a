"""Exact nearest neighbours by Euclidean distance.

Scores are computed as matrix products in blocks that fit into the processor's cache. Only groups of vectors whose
maximum score is high enough are searched for neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.measure.clusters import Vectors
from trivium.measure.metrics import Bools, Floats

QUERY_BLOCK: Final = 1024
"""Number of queries processed at once."""
VECTOR_BLOCK: Final = 6400
"""Number of vectors searched at once; a multiple of ``GROUP``."""
GROUP: Final = 64
"""Number of vectors that share a maximum."""
SPARE: Final = 4
"""Number of extra candidates whose exact distance is computed, since matrix products round more than differences."""


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Vectors to search, and the label index of each."""

    vectors: Vectors
    labels: NDArray[np.intp]

    def votes(self, queries: Vectors, nearest: int, number: int) -> Floats:
        """Return for each query how many of its ``nearest`` neighbours have each of ``number`` labels.

        Each label loses less than one vote, so that the label with the nearest neighbour wins a tie.
        """
        indices = self.indices(queries, min(nearest, len(self.vectors)))
        labels = self.labels[indices]
        votes = np.stack([(labels == label).sum(axis=1) for label in range(number)], axis=1).astype(np.float64)
        first = np.argmax(labels[:, :, None] == np.arange(number), axis=1)
        return np.asarray(votes - np.where(votes > 0, first, indices.shape[1]) / (indices.shape[1] + 1.0))

    def indices(self, queries: Vectors, nearest: int) -> NDArray[np.int64]:
        """Return the indices of the ``nearest`` vectors to each query, ordered by distance, then by index."""
        mean = self.vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
        blocks = [queries[start : start + QUERY_BLOCK] for start in range(0, len(queries), QUERY_BLOCK)]
        indices = [self._nearest(np.subtract(block, mean, dtype=np.float32), mean, nearest) for block in blocks]
        return np.concatenate(indices) if indices else np.empty((0, nearest), dtype=np.int64)

    def _nearest(self, queries: Vectors, mean: Vectors, nearest: int) -> NDArray[np.int64]:
        """Return the result of ``indices`` for queries from which the mean of the vectors was subtracted."""
        candidates, scores, max_square = self._candidates(queries, mean, min(nearest + SPARE, len(self.vectors)))
        distances = np.square(self.vectors[candidates] - mean - queries[:, None], dtype=np.float64).sum(axis=2)
        order = np.lexsort((candidates, distances))[:, :nearest]
        indices = np.take_along_axis(candidates, order, axis=1)
        if candidates.shape[1] < len(self.vectors):
            farthest = np.take_along_axis(distances, order[:, -1:], axis=1)[:, 0]
            for row in np.flatnonzero(~_certain(farthest, scores.min(axis=1), queries, max_square)):
                indices[row] = self._exhaustive(queries[row], mean, nearest)
        return indices

    def _candidates(self, queries: Vectors, mean: Vectors, number: int) -> _Candidates:
        """Return the vectors y with the highest score x·y − |y|²/2 for each query x, which are nearest to x."""
        scores = np.empty((len(queries), VECTOR_BLOCK), dtype=np.float32)
        best: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
        max_square = 0.0
        for start in range(0, len(self.vectors), VECTOR_BLOCK):
            block = np.subtract(self.vectors[start : start + VECTOR_BLOCK], mean, dtype=np.float32)
            squares = np.einsum("ij,ij->i", block, block)
            max_square = max(max_square, float(squares.max()))
            scores[:, len(block) :] = -np.inf
            filled = scores[:, : len(block)]
            np.matmul(queries, block.T, out=filled)
            filled -= squares / 2
            indices = _largest(scores, min(number, len(block)))
            best.append((indices + start, np.take_along_axis(scores, indices, axis=1)))
        indices, values = (np.concatenate(arrays, axis=1) for arrays in zip(*best, strict=True))
        top = _top(values, number)
        return _Candidates(
            np.take_along_axis(indices, top, axis=1), np.take_along_axis(values, top, axis=1), max_square
        )

    def _exhaustive(self, query: Vectors, mean: Vectors, nearest: int) -> NDArray[np.int64]:
        """Return the indices of the nearest vectors from the exact distance to every vector."""
        blocks = (self.vectors[start : start + VECTOR_BLOCK] for start in range(0, len(self.vectors), VECTOR_BLOCK))
        distances = [np.square(block - mean - query, dtype=np.float64).sum(axis=1) for block in blocks]
        return np.argsort(np.concatenate(distances), kind="stable")[:nearest]


class _Candidates(NamedTuple):
    """Indices and scores of the candidates of each query, and the largest squared norm of all vectors."""

    indices: NDArray[np.int64]
    scores: NDArray[np.float32]
    max_square: float


def _certain(farthest: Floats, min_score: NDArray[np.float32], queries: Vectors, max_square: float) -> Bools:
    """Return for each query whether all other vectors are farther than ``farthest``, whatever the rounding error.

    ``farthest`` is the squared distance of the last neighbour. Vectors that are not candidates score at most
    ``min_score``, so their squared distance to the query is at least |query|² − 2 min_score.
    """
    norms = np.einsum("ij,ij->i", queries, queries, dtype=np.float64)
    rounding = np.finfo(np.float32).eps * queries.shape[1] * (np.sqrt(norms * max_square) + max_square)
    return np.asarray(farthest < norms - 2 * min_score.astype(np.float64) - rounding)


def _largest(scores: NDArray[np.float32], number: int) -> NDArray[np.int64]:
    """Return the indices of the ``number`` largest scores of each row, in no particular order.

    They lie in the ``number`` groups with the largest maxima, so only these are searched.
    """
    # The members of a group are spread over the row, so that the maxima of all groups are computed on whole rows.
    groups = scores.reshape(len(scores), GROUP, -1)
    number_of_groups = groups.shape[2]
    best = _top(groups.max(axis=1), min(number, number_of_groups))
    indices = (best[:, :, None] + number_of_groups * np.arange(GROUP)).reshape(len(scores), -1)
    return np.take_along_axis(indices, _top(np.take_along_axis(scores, indices, axis=1), number), axis=1)


def _top(scores: NDArray[np.float32], number: int) -> NDArray[np.int64]:
    """Return the indices of the ``number`` largest scores of each row, in no particular order."""
    return np.argpartition(scores, scores.shape[1] - number, axis=1)[:, scores.shape[1] - number :]
