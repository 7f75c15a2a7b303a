"""Insert an answer into the statement that a question contains: as its subject, or in its gap."""

from __future__ import annotations

from collections.abc import Sequence

from trivium.build.recasting.phrases import (
    AUXILIARIES,
    BE,
    DO,
    PREPOSITIONS,
    SUBORDINATORS,
    Clause,
    bare,
    begins_noun_phrase,
    clause_of,
    is_form,
    is_plural,
    joined,
    mid_sentence,
)

TIMES = frozenset("year month day date time century decade season quarter week hour".split())
"""Nouns of questions for a time: *what year*, *which day*."""


def filled(after: Sequence[str], filler: str) -> str | None:
    """Return the words after a question word as a statement, with ``filler`` as the subject or in the gap."""
    if not after:
        return None
    first = bare(after[0])
    if first in BE and len(after) > 1 and bare(after[1]) == "there":
        return joined("there", after[0], mid_sentence(filler), *after[2:])
    if first in DO or (first in AUXILIARIES and begins_noun_phrase(after[1:])):
        clause = clause_of(after)
        if clause is not None:
            return fill_gap(clause, filler)
    if first in DO and len(after) < 2:
        return None
    return joined(filler, _agreeing(after[0], filler), *after[1:])


def _agreeing(verb: str, subject: str) -> str:
    """Return a form of *be* or *have* that agrees with its subject: "who was", but "the miners were"."""
    *before, last = subject.split()
    plural = is_plural(bare(last)) and (last.islower() or "the" in map(bare, before))
    plurals = {"is": "are", "was": "were", "has": "have"}
    return plurals.get(verb, verb) if plural or "and" in before else verb


def fill_gap(clause: Clause, filler: str) -> str:
    """Return the clause with ``filler`` where its object or complement is missing."""
    rest = list(clause.rest)
    skipped = 1 if clause.plain == "be" and rest and is_form(bare(rest[0]), "VBN", "VBG") else 0
    index = skipped + _gap(rest[skipped:])
    return joined(clause.subject, clause.verb, *rest[:index], mid_sentence(filler), *rest[index:])


def _gap(rest: Sequence[str]) -> int:
    """Return the number of words that precede the missing object of a verb."""
    plain = [bare(word) for word in rest]
    if not plain or plain[-1] in PREPOSITIONS:
        return len(plain)
    for index in range(len(plain) - 1):
        if plain[index] in PREPOSITIONS - {"of", "out", "up", "down"} and plain[index + 1] in PREPOSITIONS - {
            "to",
            "of",
        }:
            return index + 1
    if plain[0] == "to" and is_form(plain[1], "VB"):
        return 0 if begins_noun_phrase(rest[2:]) and not _is_time(plain[2:]) else 2 + _gap(rest[2:])
    if plain[0] in PREPOSITIONS | SUBORDINATORS or _is_time(plain):
        return 0
    if plain[0].endswith("ing") and is_form(plain[0], "VBG"):
        return 1 + _gap(rest[1:])
    if plain in (["most"], ["best"], ["least"], ["more"]) or plain[0].endswith("ly"):
        return 0
    if plain[-2:-1] == ["to"] or not begins_noun_phrase(rest):
        return len(plain)
    return next((i for i, word in enumerate(plain) if i and word in PREPOSITIONS - {"of"}), len(plain))


def _is_time(plain: Sequence[str]) -> bool:
    """Return whether words denote a time: "yesterday", "last week", "this year", "every day"."""
    if not plain:
        return False
    if plain[0] in ("last", "next", "this", "each", "every", "that", "the", "one", "first", "all"):
        return len(plain) > 1 and plain[1] in TIMES | {"night", "morning", "summer", "winter", "evening", "game"}
    return plain[0] in ("yesterday", "today", "tomorrow", "together", "first", "last", "altogether", "there", "here")
