"""Add answers to *when*, *where*, *why* and *how* to a statement, with a fitting preposition or conjunction."""

from __future__ import annotations

from trivium.build.recasting.entities import find_entities
from trivium.build.recasting.phrases import (
    DETERMINERS,
    PREPOSITIONS,
    SUBORDINATORS,
    Clause,
    bare,
    classes,
    is_form,
    is_sentence,
    joined,
    mid_sentence,
)

_MOTION = frozenset(
    "go move travel fly return walk drive sail run march flee head emigrate retire ride retreat withdraw escape".split()
)
_AT_PLACES = frozenset(
    "beach station airport school university college party office museum restaurant door airfield concert work home "
    "conference wedding zoo market library theatre theater hospital harbour harbor hotel cinema bakery".split()
)
_ON_PLACES = frozenset(
    "island roof table street farm floor road hill mountain coast shore wall shelf ship boat train bus bench bridge "
    "porch beam moon border".split()
)
_CLAUSE_STARTS = frozenset("when while before after during since until once if although though".split())
_TIME_PREPOSITIONS = {
    "year": "in", "month": "in", "month of a year": "in", "years": "in", "decade": "in the", "century": "in the",
    "date": "on", "day of the year": "on", "weekday": "on", "time": "at",
}  # fmt: skip
_TIME_NOUNS = {
    "in": "morning afternoon evening spring summer autumn winter fall",
    "at": "noon midnight night dawn dusk sunrise sunset end beginning start weekend christmas easter",
}
_DIRECTIONS = frozenset("north south east west upstairs downstairs inland".split())
_SENSE_VERBS = frozenset("feel look sound taste smell seem".split())


def append_answer(clause: Clause, answer: str) -> str:
    """Return the clause with the answer at its end."""
    return joined(clause.subject, clause.verb, *clause.rest, mid_sentence(answer))


def insert_before_time(clause: Clause, answer: str) -> str:
    """Return the clause with the answer before a subordinate clause: "lived there [ten years] before she married"."""
    plain = [bare(word) for word in clause.rest]
    index = next((i for i, word in enumerate(plain) if word in _CLAUSE_STARTS), len(plain))
    return joined(clause.subject, clause.verb, *clause.rest[:index], mid_sentence(answer), *clause.rest[index:])


def answer_when(clause: Clause, answer: str, preposition: str = "") -> str | None:
    """Answer "when": *in* a year, *on* a day, *at* an hour; ``preposition`` is the default for other answers."""
    first, last = bare(answer.split()[0]), bare(answer.split()[-1])
    complete = (
        PREPOSITIONS | SUBORDINATORS | {"last", "next", "yesterday", "today", "tomorrow", "every", "never", "early"}
    )
    if first in complete or last in ("ago", "later", "earlier", "after", "before"):
        return append_answer(clause, answer)
    if is_sentence(answer):
        return append_answer(clause, f"when {mid_sentence(answer)}")
    types = [entity.type for entity in find_entities(f", {answer}") if entity.type in _TIME_PREPOSITIONS]
    by_noun = next((word for word, nouns in _TIME_NOUNS.items() if last in nouns.split()), "")
    if first == "the" and last == "night":
        by_noun = "during"
    by_type = _TIME_PREPOSITIONS[types[0]].removesuffix(" the" if first == "the" else "\0") if types else ""
    chosen = by_type or by_noun or preposition or ("during" if first == "the" else "")
    return append_answer(clause, f"{chosen} {mid_sentence(answer)}") if chosen else None


def answer_where(clause: Clause, answer: str) -> str | None:
    """Answer "where": *to* a place with verbs of motion, else *at*, *on* or *in* it."""
    if is_sentence(answer):
        return None
    first, last = bare(answer.split()[0]), bare(answer.split()[-1])
    final = bare(clause.rest[-1]) if clause.rest else ""
    if final in PREPOSITIONS - {"up", "down", "out"}:
        return append_answer(clause, answer.partition(" ")[2] if first == final else answer)
    if first in PREPOSITIONS | {"next", "here", "there", "abroad", "everywhere", "home", "halfway", *_DIRECTIONS}:
        return insert_before_time(clause, f"at {answer}" if first == "home" and clause.plain not in _MOTION else answer)
    moves = clause.plain in _MOTION or any(bare(word) in ("go", "going", "move", "travel") for word in clause.rest[:2])
    preposition = "to" if moves else "at" if last in _AT_PLACES else "on" if last in _ON_PLACES else "in"
    return insert_before_time(clause, f"{preposition} {mid_sentence(answer)}")


def answer_why(clause: Clause, answer: str) -> str | None:
    """Answer "why": *because* with a sentence, *because of* with a noun phrase, or *to* with a verb."""
    if clause.plain == "be" and not clause.rest:
        return None
    first = bare(answer.split()[0])
    if first in ("because", "to", "for", "due", "since", "so", "in", "as", "out", "by", "from"):
        return append_answer(clause, answer)
    if is_sentence(answer):
        return append_answer(clause, f"because {mid_sentence(answer)}")
    second = bare([*answer.split(), ""][1])
    if is_form(first, "VB") and ("NOUN" not in classes(first) or second in DETERMINERS):
        return append_answer(clause, f"to {answer[0].lower()}{answer[1:]}")
    return append_answer(clause, f"because of {mid_sentence(answer)}")


def answer_how(clause: Clause, answer: str) -> str | None:
    """Answer "how": an adverb, a phrase with a preposition, or *by* with an -ing form."""
    if is_sentence(answer):
        return None
    first = bare(answer.split()[0])
    if clause.plain == "be" and (not clause.rest or bare(clause.rest[0]) in PREPOSITIONS - _CLAUSE_STARTS):
        return joined(clause.subject, *clause.rest, clause.verb, mid_sentence(answer))
    if is_form(first, "VBG") and clause.plain not in {"be", *_SENSE_VERBS}:
        return insert_before_time(clause, f"by {mid_sentence(answer)}")
    complete = first in PREPOSITIONS | {"very", "quite"} or first.endswith("ly")
    return insert_before_time(clause, answer) if complete or clause.plain in _SENSE_VERBS else None
