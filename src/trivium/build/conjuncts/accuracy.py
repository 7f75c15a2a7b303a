"""How often a parser finds both conjuncts exactly, measured on gold trees by characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trivium.build.conjuncts.parsers import Parser
from trivium.build.conjuncts.sentence import Coordination, Sentence, Span


@dataclass(frozen=True, slots=True)
class Score:
    """How many coordinations the trees have, how many the parser found, and how many of these are exactly right."""

    gold: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        """The percentage of what was found that is right; 0 if nothing was found."""
        return 100 * self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """The percentage of what there is that was found; 0 if there is nothing."""
        return 100 * self.right / self.gold if self.gold else 0.0


class Accuracy(NamedTuple):
    """The scores of a parser: over coordinations of exactly two conjuncts, and over all."""

    two_part: Score
    all: Score


class Places(NamedTuple):
    """A coordination by characters, which do not depend on how a text is cut into words."""

    conjunction: int
    left: tuple[int, int]
    right: tuple[int, int]


def accuracy(parser: Parser, gold: Sequence[Sentence]) -> Accuracy:
    """The scores of a parser on sentences whose coordinations are known. Both conjuncts must be exact."""
    read = list(parser.read(sentence.text for sentence in gold))
    return Accuracy(
        _score([(two_part(one), two_part(other)) for one, other in zip(gold, read, strict=True)]),
        _score([(places(one), places(other)) for one, other in zip(gold, read, strict=True)]),
    )


def places(sentence: Sentence) -> frozenset[Places]:
    """All coordinations of a sentence by characters."""
    return frozenset(_places(sentence, found) for found in sentence.coordinations)


def two_part(sentence: Sentence) -> frozenset[Places]:
    """The coordinations of exactly two conjuncts: none comes before them, and they are not those of a longer one."""
    longer = {other for found in sentence.coordinations for other in found.others}
    return frozenset(
        _places(sentence, found)
        for found in sentence.coordinations
        if not found.others and found.left not in longer and found.right not in longer
    )


def _places(sentence: Sentence, found: Coordination) -> Places:
    def characters(span: Span) -> tuple[int, int]:
        return sentence.words[span.first].start, sentence.words[span.end - 1].end

    return Places(sentence.words[found.conjunction].start, characters(found.left), characters(found.right))


def _score(pairs: Sequence[tuple[frozenset[Places], frozenset[Places]]]) -> Score:
    return Score(
        gold=sum(len(gold) for gold, _ in pairs),
        found=sum(len(found) for _, found in pairs),
        right=sum(len(gold & found) for gold, found in pairs),
    )
