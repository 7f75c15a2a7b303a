"""Feature matching: predictions of prototypes and of nearest neighbours, computed from stored vectors alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from trivium.data.example import Example
from trivium.data.split import Split
from trivium.measure.clusters import Vectors
from trivium.measure.metrics import Bools
from trivium.measure.neighbours import Neighbours
from trivium.measure.prototypes import Prototypes

Support = Literal["original", "categories", "both"]
SUPPORTS: tuple[Support, ...] = ("original", "categories", "both")
"""The examples to compare with: the base's training data (†), support sets of categories (‡), or both (★)."""


@dataclass(frozen=True, eq=False)
class Matching:
    """The vectors and gold labels of a base's training data, and those of all queries.

    The queries are all other examples of the suite, including the support sets.
    """

    base: Vectors
    base_gold: NDArray[np.intp]
    vectors: Vectors
    gold: NDArray[np.intp]
    indices: dict[Example, int]

    @classmethod
    def of(cls, base: Split, base_vectors: Vectors, queries: Split, vectors: Vectors) -> Matching:
        """Return a matching of the vectors of two splits, with their gold labels."""
        base_gold, gold = (
            np.array([split.labels.index(str(e.label)) for e in split], dtype=np.intp) for split in (base, queries)
        )
        return cls(base_vectors, base_gold, vectors, gold, {example: index for index, example in enumerate(queries)})

    @property
    def label_count(self) -> int:
        """The number of labels."""
        return int(max(self.base_gold.max(), self.gold.max())) + 1

    def by_prototypes(self, tested: Sequence[Example], support: Support, sets: Sequence[Split]) -> Bools:
        """Return whether the label of the nearest prototype is correct. Each support set has its own prototypes."""
        pool = [Prototypes.from_vectors(self.base, self.base_gold)] if support != "categories" else []
        if support != "original":
            pool += [Prototypes.from_vectors(*self._vectors_and_gold(split.examples)) for split in sets]
        queries, gold = self._vectors_and_gold(tested)
        return np.asarray(Prototypes.pooled(pool).logits(queries, self.label_count).argmax(axis=1) == gold)

    def by_neighbours(self, tested: Sequence[Example], support: Support, sets: Sequence[Split], number: int) -> Bools:
        """Return whether the majority label of the ``number`` nearest examples is correct."""
        pool = [(self.base, self.base_gold)] if support != "categories" else []
        if support != "original":
            pool += [self._vectors_and_gold(split.examples) for split in sets]
        vectors, labels = zip(*pool, strict=True)
        queries, gold = self._vectors_and_gold(tested)
        neighbours = Neighbours(np.concatenate(vectors), np.concatenate(labels))
        return np.asarray(neighbours.votes(queries, number, self.label_count).argmax(axis=1) == gold)

    def _vectors_and_gold(self, examples: Sequence[Example]) -> tuple[Vectors, NDArray[np.intp]]:
        indices = [self.indices[example] for example in examples]
        return self.vectors[indices], self.gold[indices]
