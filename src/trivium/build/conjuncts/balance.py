"""Choosing pairs evenly: over conjunctions, within these over operations, then over labels and kinds of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from trivium.build.conjuncts.traits import BALANCED, CHANGES
from trivium.build.conjuncts.variety import alternated, in_turns
from trivium.build.verification import Item
from trivium.data.split import Split
from trivium.seeds import stream

if TYPE_CHECKING:
    from trivium.build.conjuncts.building import Candidate


def balanced_choice(
    found: Sequence[Candidate], sizes: Mapping[str, int], most: int, rng: np.random.Generator
) -> list[Candidate]:
    """As many pairs of each conjunction as asked, or all there are, in random order.

    Operations take turns while they have pairs left. Removals and additions are drawn at random, so that they keep the
    labels that the rules give them; of replacements the next has the label that is rarest so far. Sentences with a
    negation, with a quantifier, with several conjunctions and with none of these take turns too, and so do non-Boolean
    and Boolean pairs: the non-Boolean ones are rare. No sentence gives more than ``most`` pairs, over all conjunctions.
    """
    uses: Counter[int] = Counter()
    chosen: list[Candidate] = []
    for kind, size in sizes.items():
        pool = [one for one in found if one.kind == kind]
        piles = _Piles([pool[place] for place in rng.permutation(len(pool))], uses, most)
        chosen += piles.take(size)
    return [chosen[place] for place in rng.permutation(len(chosen))]


class _Piles:
    """The pairs of one conjunction in piles by operation and label, from which one after the other is taken."""

    def __init__(self, pool: Sequence[Candidate], uses: Counter[int], most: int) -> None:
        self._uses, self._most = uses, most
        self._labels: Counter[str] = Counter()
        self._piles: dict[str, dict[str, list[Candidate]]] = {operation: {} for operation in CHANGES}
        for one in pool:
            operation = one.pair.operation
            label = one.labelled.label if operation == "replace" else "any"
            self._piles[operation].setdefault(label, []).append(one)
        for piles in self._piles.values():
            for label, pile in piles.items():
                piles[label] = _varied(pile)[::-1]

    def take(self, size: int) -> list[Candidate]:
        """At most so many pairs, the operations in turn."""
        taken: list[Candidate] = []
        left = list(CHANGES)
        while left and len(taken) < size:
            for operation in tuple(left):
                one = self._next(operation) if len(taken) < size else None
                if one is not None:
                    taken.append(one)
                elif len(taken) < size:
                    left.remove(operation)
        return taken

    def _next(self, operation: str) -> Candidate | None:
        """A pair with the rarest label that there is one of, from a sentence that may still be used."""
        piles = self._piles[operation]
        for label in sorted(piles, key=lambda label: (self._labels[label], label)):
            while piles[label]:
                one = piles[label].pop()
                if self._uses[one.sentence] < self._most:
                    self._uses[one.sentence] += 1
                    self._labels[one.labelled.label] += 1
                    return one
        return None


def _varied(pile: Sequence[Candidate]) -> list[Candidate]:
    """The same pairs: non-Boolean and Boolean ones in turn, and within these all kinds of sentences."""
    sides = [[one for one in pile if one.labelled.boolean is boolean] for boolean in (False, True)]
    return alternated([in_turns(side, lambda one: one.variety) for side in sides])


def sample_items(split: Split, number: int, seed: int) -> list[Item]:
    """Pairs drawn at random, as many of each conjunction as there are, first *and*, then *or*, then *but*."""
    kinds = {kind: [one for one in split if one.fact("conjunction") == kind] for kind in BALANCED}
    quotas = dict.fromkeys(kinds, 0)
    while sum(quotas.values()) < number:
        open_kinds = [kind for kind in kinds if quotas[kind] < len(kinds[kind])]
        quotas[min(open_kinds, key=lambda kind: quotas[kind])] += 1
    rng = stream(seed, "verify", "conjuncts")
    drawn = [found[place] for kind, found in kinds.items() for place in rng.permutation(len(found))[: quotas[kind]]]
    return [Item(one.task, one.premise, str(one.hypothesis), str(one.label)) for one in drawn]
