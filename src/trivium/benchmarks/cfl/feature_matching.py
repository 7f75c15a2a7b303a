"""Feature matching: what prototypes and nearest neighbours say, from stored vectors alone."""

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
"""What vectors are compared with: what the base was trained on (†), examples of categories (‡), or both (★)."""


@dataclass(frozen=True, eq=False)
class Matching:
    """The vectors that a base gives what it was trained on, and those of all examples that are asked or shown."""

    base: Vectors
    base_gold: NDArray[np.intp]
    vectors: Vectors
    gold: NDArray[np.intp]
    places: dict[Example, int]

    @classmethod
    def of(cls, base: Split, base_vectors: Vectors, asked: Split, vectors: Vectors) -> Matching:
        """The vectors of two splits, with their labels."""
        golds = [np.array([split.labels.index(str(e.label)) for e in split], dtype=np.intp) for split in (base, asked)]
        return cls(base_vectors, golds[0], vectors, golds[1], {e: place for place, e in enumerate(asked)})

    @property
    def labels(self) -> int:
        """The number of labels."""
        return int(max(self.base_gold.max(), self.gold.max())) + 1

    def by_prototypes(self, tested: Sequence[Example], support: Support, shown: Sequence[Split]) -> Bools:
        """Where the label of the nearest mean is right; each support set has means of its own."""
        pool = [Prototypes.of(self.base, self.base_gold)] if support != "categories" else []
        if support != "original":
            pool += [Prototypes.of(*self._of(split.examples)) for split in shown]
        asked, gold = self._of(tested)
        return np.asarray(Prototypes.pooled(pool).logits(asked, self.labels).argmax(axis=1) == gold)

    def by_neighbours(self, tested: Sequence[Example], support: Support, shown: Sequence[Split], number: int) -> Bools:
        """Where the label of most of the nearest examples is right."""
        vectors, gold = [self.base], [self.base_gold]
        if support == "categories":
            vectors, gold = [], []
        if support != "original":
            known = [self._of(split.examples) for split in shown]
            vectors += [found for found, _ in known]
            gold += [labels for _, labels in known]
        asked, right = self._of(tested)
        among = Neighbours(np.concatenate(vectors), np.concatenate(gold))
        return np.asarray(among.votes(asked, number, self.labels).argmax(axis=1) == right)

    def _of(self, examples: Sequence[Example]) -> tuple[Vectors, NDArray[np.intp]]:
        places = [self.places[example] for example in examples]
        return self.vectors[places], self.gold[places]
