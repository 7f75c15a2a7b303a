"""A sentence as the rules about conjunctions see it: its words, its names, and what is coordinated in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

CONJUNCTIONS: Final = ("and", "or", "but", "nor")
OPENERS: Final = {"both": "and", "either": "or", "neither": "nor"}
"""Words that may stand before a coordination, and the conjunction that they belong to."""


class Span(NamedTuple):
    """Words from ``first`` up to, and without, ``end``."""

    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word, where it stands in the text (characters), its universal part of speech (NOUN, VERB, …) and its lemma.

    ``lower`` is the word in lower case, which nearly every rule asks for.
    """

    text: str
    start: int
    end: int
    tag: str
    lemma: str
    lower: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", self.text.lower())


@dataclass(frozen=True, slots=True)
class Name:
    """A name in the sentence and its kind (PERSON, PLACE, GROUP, OTHER)."""

    span: Span
    kind: str


@dataclass(frozen=True, slots=True)
class Coordination:
    """A conjunction (the place of the word), the two conjuncts that it stands between, and its opener.

    Of more than two conjuncts these are the two around the conjunction; ``others`` are those before them. The opener
    is the place of *both*, *either* or *neither*, if there is one.
    """

    conjunction: int
    left: Span
    right: Span
    opener: int | None = None
    others: tuple[Span, ...] = ()

    @property
    def first(self) -> int:
        """Where the first conjunct begins."""
        return self.others[0].first if self.others else self.left.first

    @property
    def start(self) -> int:
        """Where the first conjunct begins, or the word that opens it."""
        return self.first if self.opener is None else min(self.first, self.opener)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text, its words, its coordinations in the order of their conjunctions, and its names."""

    text: str
    words: tuple[Word, ...]
    coordinations: tuple[Coordination, ...]
    names: tuple[Name, ...] = ()

    def of(self, span: Span) -> str:
        """The text of a span as it stands."""
        if span.first >= span.end:
            return ""
        return self.text[self.words[span.first].start : self.words[span.end - 1].end]
