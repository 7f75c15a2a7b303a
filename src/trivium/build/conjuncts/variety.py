"""What makes a sentence harder beside its conjuncts: a negation, a quantifier, several conjunctions.

The paper gathers sentences with each of these (ConjNLI, 3.1), and they are rarer than sentences with none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from trivium.build.conjuncts.lexicon import QUANTIFIERS
from trivium.build.conjuncts.reading import is_denial
from trivium.build.conjuncts.sentence import CONJUNCTIONS

T = TypeVar("T")
_DENYING: Final = frozenset({"neither", "nor"})


class Variety(NamedTuple):
    """Which of these a sentence has, the rarest first."""

    negation: bool
    quantifier: bool
    multiple: bool


def variety_of(words: Iterable[str]) -> Variety:
    """What a sentence of these words has."""
    lower = [word.lower() for word in words]
    return Variety(
        negation=not _DENYING.isdisjoint(lower) or any(map(is_denial, lower)),
        quantifier=not QUANTIFIERS.isdisjoint(lower),
        multiple=sum(word in CONJUNCTIONS for word in lower) > 1,
    )


def in_turns(found: Sequence[T], variety: Callable[[T], Variety]) -> list[T]:
    """The same things in another order: one with a negation, one with a quantifier, one with several conjunctions, one
    with none of these, and again, as long as there are. What has several of these has its turn with the first.
    """
    piles: list[list[T]] = [[] for _ in range(len(Variety._fields) + 1)]
    for one in found:
        piles[(*variety(one), True).index(True)].append(one)
    return alternated(piles)


def alternated(piles: Sequence[Sequence[T]]) -> list[T]:
    """One of each pile in turn, as long as there are."""
    longest = max(map(len, piles))
    return [pile[turn] for turn in range(longest) for pile in piles if turn < len(pile)]
