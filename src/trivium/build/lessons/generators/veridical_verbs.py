"""What verbs such as *manage*, *forget*, *know* and *claim* say about the event that they embed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from trivium.build.lessons.clauses import SUBJECT, Clause, act_clause, combined, draw_clauses, entries
from trivium.build.lessons.generation import Request, scenes
from trivium.build.lessons.scenes import HYPOTHESIS, PREMISE, Form, Scene
from trivium.build.phenomena.truth_tables import atoms
from trivium.build.phenomena.words import pick, pick_other, pick_some

if TYPE_CHECKING:
    import numpy as np

_ATOMS = atoms(3)
_FACT, _OTHER, _EMBEDDING = _ATOMS.columns
_UNKNOWN = "?"
_ABOUT_FACT, _ABOUT_OTHER = 1, 2


@cache
def _verbs(frame: str) -> tuple[tuple[str, str, str], ...]:
    """Return the verbs of a frame with the sign of what they embed, affirmed and negated."""
    split = (entry.replace("/", " ").rsplit(" ", 2) for entry in entries("embedding", frame))
    return tuple((verb, affirmed, negated) for verb, affirmed, negated in split)


@scenes("veridical verbs", about="whether what a verb embeds is true")
def veridical_verbs(request: Request, rng: np.random.Generator) -> Scene:
    """Return a scene in which someone manages or hopes to do something, or knows or claims that it happened."""
    fact, other = draw_clauses(rng, 2, request.clauses)
    frame = "to" if rng.random() < 0.5 and fact.time == "past" and fact.lemma != "be" else "that"
    holder = pick_other(rng, entries("subjects", "person"), fact.subject)
    forms = []
    for clause, table, about in ((fact, _FACT, _ABOUT_FACT), (other, _OTHER, _ABOUT_OTHER)):
        denied = clause.denied(pick(rng, ("not", "not", "n't")))
        forms.append(Form(clause.affirmed, table, "affirmed", side=HYPOTHESIS, about=about))
        forms.append(Form(f"{SUBJECT} {denied}", _ATOMS.negated(table), "denied", side=HYPOTHESIS, about=about))
    for verb, *signs in pick_some(rng, _verbs(frame), 3):
        for sign, negation in zip(signs, ("", "not"), strict=True):
            if sign == _UNKNOWN or (negation and rng.random() < 0.5):
                continue
            alone, predicate = _to(verb, fact, negation) if frame == "to" else _that(verb, fact, holder, negation)
            cue = f"{negation} {verb}".lstrip()
            table = _signed(sign, negation)
            both = combined(rng, alone, predicate, other)
            # A verb that leaves the event open teaches nothing about another event.
            about = _ABOUT_FACT if sign == "o" else _ABOUT_FACT | _ABOUT_OTHER
            forms.append(Form(alone, table, cue, cue, PREMISE, about=about))
            forms.append(Form(both, table & _OTHER, f"fact and {cue}", cue, PREMISE))
    return Scene.about(fact, forms, _ATOMS.full)


def _signed(sign: str, negation: str) -> int:
    embedding = _ATOMS.negated(_EMBEDDING) if negation else _EMBEDDING
    return embedding & {"+": _FACT, "-": _ATOMS.negated(_FACT)}.get(sign, _ATOMS.full)


def _to(verb: str, fact: Clause, negation: str) -> tuple[str, str]:
    """Return ``{s} managed to open the library``, and its predicate."""
    clause = act_clause(fact.subject, f"{verb} to {fact.bare}").with_subject(fact)
    predicate = clause.denied(negation) if negation else clause.finite
    return f"{SUBJECT} {predicate}", predicate


def _that(verb: str, fact: Clause, holder: str, negation: str) -> tuple[str, str]:
    """Return ``the nurse knew that {s} opened the library``; the predicate has another subject."""
    clause = act_clause(holder, f"{verb} that")
    predicate = clause.denied(negation) if negation else clause.finite
    return f"{holder} {predicate} {fact.affirmed}", ""
