"""Answers that say when, where, why or how, and the preposition or conjunction with which they join a statement."""

from __future__ import annotations

from trivium.build.recasting.entities import find_entities
from trivium.build.recasting.phrases import (
    DETERMINERS,
    PREPOSITIONS,
    SUBORDINATORS,
    Clause,
    bare,
    classes,
    inside,
    is_form,
    is_sentence,
    joined,
)

_MOTION = frozenset(
    "go move travel fly return walk drive sail run march flee head emigrate retire ride retreat withdraw escape".split()
)
_AT = frozenset(
    "beach station airport school university college party office museum restaurant door airfield concert work home "
    "conference wedding zoo market library theatre theater hospital harbour harbor hotel cinema bakery".split()
)
_ON = frozenset(
    "island roof table street farm floor road hill mountain coast shore wall shelf ship boat train bus bench bridge "
    "porch beam moon border".split()
)
_TIMED = frozenset("when while before after during since until once if although though".split())
_TIME_PREPOSITIONS = {
    "year": "in", "month": "in", "month of a year": "in", "years": "in", "decade": "in the", "century": "in the",
    "date": "on", "day of the year": "on", "weekday": "on", "time": "at",
}  # fmt: skip
_TIME_NOUNS = {
    "in": "morning afternoon evening spring summer autumn winter fall",
    "at": "noon midnight night dawn dusk sunrise sunset end beginning start weekend christmas easter",
}
_DIRECTIONS = frozenset("north south east west upstairs downstairs inland".split())
_SENSING = frozenset("feel look sound taste smell seem".split())


def ended(clause: Clause, answer: str) -> str:
    """The clause with the answer at its end."""
    return joined(clause.subject, clause.verb, *clause.rest, inside(answer))


def before_time(clause: Clause, answer: str) -> str:
    """The clause with the answer before what says when: "lived by the sea for ten years | before she married"."""
    plain = [bare(word) for word in clause.rest]
    place = next((i for i, word in enumerate(plain) if word in _TIMED), len(plain))
    return joined(clause.subject, clause.verb, *clause.rest[:place], inside(answer), *clause.rest[place:])


def when_said(clause: Clause, answer: str, preposition: str = "") -> str | None:
    """For "when": in a year, on a day, at an hour; ``preposition`` is for answers that show no such kind."""
    first, last = bare(answer.split()[0]), bare(answer.split()[-1])
    ready = PREPOSITIONS | SUBORDINATORS | {"last", "next", "yesterday", "today", "tomorrow", "every", "never", "early"}
    if first in ready or last in ("ago", "later", "earlier", "after", "before"):
        return ended(clause, answer)
    if is_sentence(answer):
        return ended(clause, f"when {inside(answer)}")
    kinds = [entity.kind for entity in find_entities(f", {answer}") if entity.kind in _TIME_PREPOSITIONS]
    by_noun = next((word for word, nouns in _TIME_NOUNS.items() if last in nouns.split()), "")
    if first == "the" and last == "night":
        by_noun = "during"
    by_kind = _TIME_PREPOSITIONS[kinds[0]].removesuffix(" the" if first == "the" else "\0") if kinds else ""
    usual = by_kind or by_noun or preposition or ("during" if first == "the" else "")
    return ended(clause, f"{usual} {inside(answer)}") if usual else None


def where_said(clause: Clause, answer: str) -> str | None:
    """For "where": to a place with verbs of motion, else at, on or in it."""
    if is_sentence(answer):
        return None
    first, last = bare(answer.split()[0]), bare(answer.split()[-1])
    behind = bare(clause.rest[-1]) if clause.rest else ""
    if behind in PREPOSITIONS - {"up", "down", "out"}:
        return ended(clause, answer.partition(" ")[2] if first == behind else answer)
    if first in PREPOSITIONS | {"next", "here", "there", "abroad", "everywhere", "home", "halfway", *_DIRECTIONS}:
        return before_time(clause, f"at {answer}" if first == "home" and clause.plain not in _MOTION else answer)
    to = clause.plain in _MOTION or any(bare(word) in ("go", "going", "move", "travel") for word in clause.rest[:2])
    usual = "to" if to else "at" if last in _AT else "on" if last in _ON else "in"
    return before_time(clause, f"{usual} {inside(answer)}")


def why_said(clause: Clause, answer: str) -> str | None:
    """For "why": because of something, because something is so, or to do something."""
    if clause.plain == "be" and not clause.rest:
        return None
    first = bare(answer.split()[0])
    if first in ("because", "to", "for", "due", "since", "so", "in", "as", "out", "by", "from"):
        return ended(clause, answer)
    if is_sentence(answer):
        return ended(clause, f"because {inside(answer)}")
    second = bare([*answer.split(), ""][1])
    if is_form(first, "VB") and ("NOUN" not in classes(first) or second in DETERMINERS):
        return ended(clause, f"to {answer[0].lower()}{answer[1:]}")
    return ended(clause, f"because of {inside(answer)}")


def way_said(clause: Clause, answer: str) -> str | None:
    """For "how": an answer that is an adverb, begins with a preposition, or says by doing what."""
    if is_sentence(answer):
        return None
    first = bare(answer.split()[0])
    if clause.plain == "be" and (not clause.rest or bare(clause.rest[0]) in PREPOSITIONS - _TIMED):
        return joined(clause.subject, *clause.rest, clause.verb, inside(answer))
    if is_form(first, "VBG") and clause.plain not in {"be", *_SENSING}:
        return before_time(clause, f"by {inside(answer)}")
    ready = first in PREPOSITIONS | {"very", "quite"} or first.endswith("ly")
    return before_time(clause, answer) if ready or clause.plain in _SENSING else None
