"""Pairs with the premise of a correction whose label does not depend on its cue, so that the cue never decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trivium.build.lessons.clauses import Clause, draw_clauses, read_clause, written
from trivium.build.lessons.generation import Request, generator
from trivium.build.lessons.scenes import Draft
from trivium.build.phenomena.words import pick, shuffled

if TYPE_CHECKING:
    import numpy as np


@generator("contrasts", about="the premises of the corrections, followed by another fact")
def contrasts(request: Request, rng: np.random.Generator) -> Iterator[Draft]:
    """Yield premises of corrections with a second sentence, and what that entails, contradicts or leaves open."""
    read = [(example, read_clause(example.hypothesis or "")) for example in request.corrections]
    usable = [(example, clause) for example, clause in read if clause is not None and "progressive" not in clause.time]
    while usable:
        for example, clause in shuffled(rng, usable):
            yield from _about(rng, example.premise, clause)


def _past(rng: np.random.Generator) -> tuple[Clause, ...]:
    """Return two clauses in the past."""
    clauses = draw_clauses(rng, 2)
    return clauses if clauses[0].time == "past" else _past(rng)


def _about(rng: np.random.Generator, premise: str, clause: Clause) -> Iterator[Draft]:
    known, unknown = (other.with_subject(clause) for other in _past(rng))
    fact, denied = known.affirmed, known.negated
    stated = pick(rng, (fact, denied))
    sides = (written(stated, clause.again), premise) if rng.random() < 0.5 else (premise, written(stated, clause.again))
    for label, form in (
        ("entailment", stated),
        ("contradiction", denied if stated == fact else fact),
        ("neutral", pick(rng, (unknown.affirmed, unknown.negated))),
    ):
        yield Draft(
            " ".join(sides), written(form, clause.again), label, "contrast", "premise and fact", f"{label} of the fact"
        )
