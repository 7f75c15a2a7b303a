"""What verbs such as *manage*, *forget*, *know* and *claim* say about the event that they embed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from trivium.build.lessons.clauses import SUBJECT, Clause, act_clause, draw_clauses, entries
from trivium.build.lessons.generation import Request, scenes
from trivium.build.lessons.scenes import HYPOTHESIS, PREMISE, Form, Scene
from trivium.build.phenomena.truth_tables import atoms
from trivium.build.phenomena.words import pick, pick_other, pick_some

if TYPE_CHECKING:
    import numpy as np

_ATOMS = atoms(3)
_FACT, _OTHER, _EMBEDDING = _ATOMS.columns
_UNKNOWN = "?"


@cache
def _verbs(frame: str) -> tuple[tuple[str, str, str], ...]:
    """Return the verbs of a frame with the sign of what they embed, affirmed and negated."""
    return tuple((verb, *signs.split("/")) for verb, signs in (entry.rsplit(" ", 1) for entry in entries("embedding", frame)))  # type: ignore[misc]


@scenes("veridical verbs", about="whether what a verb embeds is true")
def veridical_verbs(request: Request, rng: np.random.Generator) -> Scene:
    """Return a scene in which someone manages or hopes to do something, or knows or claims that it happened."""
    fact, other = draw_clauses(rng, 2, request.clauses)
    frame = "to" if rng.random() < 0.5 and fact.time == "past" and fact.lemma != "be" else "that"
    holder = pick_other(rng, entries("subjects", "person"), fact.subject)
    no = _ATOMS.negated
    forms = [
        Form(fact.affirmed, _FACT, "affirmed", side=HYPOTHESIS),
        Form(fact.negated, no(_FACT), "denied", side=HYPOTHESIS),
        Form(other.affirmed, _OTHER, "affirmed", side=HYPOTHESIS),
        Form(other.negated, no(_OTHER), "denied", side=HYPOTHESIS),
    ]
    for verb, affirmed, negated in pick_some(rng, _verbs(frame), 3):
        embed = _to if frame == "to" else _that
        if affirmed != _UNKNOWN:
            forms += _embedded(verb, embed(verb, fact, holder, ""), _signed(affirmed, _EMBEDDING), other)
        if negated != _UNKNOWN and rng.random() < 0.4:
            forms += _embedded(f"not {verb}", embed(verb, fact, holder, "not"), _signed(negated, no(_EMBEDDING)), other)
    return Scene.about(fact, forms, _ATOMS.full)


def _signed(sign: str, embedding: int) -> int:
    return embedding & {"+": _FACT, "-": _ATOMS.negated(_FACT)}.get(sign, _ATOMS.full)


def _embedded(cue: str, texts: tuple[str, str], table: int, other: Clause) -> list[Form]:
    """Return the forms of an embedding: alone, and after another fact."""
    alone, joined = texts
    both = f"{SUBJECT} {other.finite} and {joined}" if joined else f"{other.affirmed}, and {alone.replace(SUBJECT, other.again)}"
    return [
        Form(alone, table, cue, cue, PREMISE),
        Form(both, table & _OTHER, f"fact and {cue}", cue, PREMISE),
    ]


def _to(verb: str, fact: Clause, holder: str, negation: str) -> tuple[str, str]:
    """Return ``{s} managed to open the library``, and its predicate."""
    clause = act_clause(fact.subject, f"{verb} to {fact.bare}").with_subject(fact)
    predicate = clause.denied(negation) if negation else clause.finite
    return f"{SUBJECT} {predicate}", predicate


def _that(verb: str, fact: Clause, holder: str, negation: str) -> tuple[str, str]:
    """Return ``the nurse knew that {s} opened the library``."""
    clause = act_clause(holder, f"{verb} that")
    predicate = clause.denied(negation) if negation else clause.finite
    return f"{holder} {predicate} {fact.affirmed}", ""
