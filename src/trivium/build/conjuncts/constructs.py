"""The syntactic constructs that conjunctions join (ConjNLI, Table 4): NP + NP, Clause + Clause, Adj + PP."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from trivium.build.conjuncts.doubts.kinds import kind_of
from trivium.build.conjuncts.parsers import Parser
from trivium.build.conjuncts.sentence import Coordination, Sentence, Span

_PHRASES: Final = {"noun": "NP", "verb": "VP", "preposition": "PP", "clause": "Clause", "adverb": "AdvP"}


class Construct(NamedTuple):
    """A construct such as ``NP + NP``, the number of coordinations of it, and the shortest sentence with one."""

    name: str
    number: int
    sentence: str


def count_constructs(texts: Iterable[str], parser: Parser) -> list[Construct]:
    """Return the constructs of the coordinations in some sentences, each read once, the most frequent first."""
    sentences: dict[str, list[str]] = {}
    for sentence in parser.read(dict.fromkeys(texts)):
        for coordination in sentence.coordinations:
            sentences.setdefault(construct_of(sentence, coordination), []).append(sentence.text)
    found = [Construct(name, len(texts), min(texts, key=len)) for name, texts in sentences.items()]
    return sorted(found, key=lambda construct: (-construct.number, construct.name))


def construct_of(sentence: Sentence, coordination: Coordination) -> str:
    """Return the construct of a coordination: the categories of its two conjuncts, in their order."""
    return " + ".join(_category(sentence, span) for span in (coordination.left, coordination.right))


def _category(sentence: Sentence, span: Span) -> str:
    tags = {sentence.words[place].tag for place in range(*span)} - {"ADV", "PUNCT"}
    if tags == {"ADJ"}:
        return "Adj"
    return "Prep" if tags == {"ADP"} else _PHRASES[kind_of(sentence, span)]
