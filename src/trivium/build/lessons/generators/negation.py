"""What *not*, *never*, *nobody*, *without* and *neither* deny, and what they leave open."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from trivium.build.lessons.clauses import SUBJECT, Clause, act_clause, draw_clauses, entries, word_bank
from trivium.build.lessons.generation import Request, scenes
from trivium.build.lessons.scenes import HYPOTHESIS, PREMISE, Form, Scene, table_of
from trivium.build.phenomena.truth_tables import atoms
from trivium.build.phenomena.words import pick, pick_some

if TYPE_CHECKING:
    import numpy as np

_ATOMS = atoms(3)
_FACT, _OTHER, _DETAIL = _ATOMS.columns
_DETAILS: Final = (
    "on Monday", "in the morning", "last summer", "with great care", "in secret", "for the second time",
    "during the storm", "without any help", "in front of the cameras", "late in the evening",
    "before the holidays", "with a heavy heart",
)  # fmt: skip
_TWO_STATES = atoms(2)


@scenes("negation", about="what a negation denies, and what it leaves open")
def negation(request: Request, rng: np.random.Generator) -> Scene:
    """Return a scene of two facts, of a fact with a detail, or of two states that exclude each other."""
    form = rng.random()
    if form < 0.15:
        return _opposites(rng)
    if form < 0.4:
        return _activities(rng)
    fact, other, third = draw_clauses(rng, 3, request.clauses)
    return _detailed(rng, fact, other) if form < 0.6 else _facts(rng, fact, other, third)


def _facts(rng: np.random.Generator, fact: Clause, other: Clause, third: Clause) -> Scene:
    no = _ATOMS.negated
    negation = pick(rng, ("not", "not", "n't", "never"))
    forms = [
        Form(fact.affirmed, _FACT, "fact"),
        Form(other.affirmed, _OTHER, "fact", side=HYPOTHESIS),
        Form(third.affirmed, _DETAIL, "fact", side=HYPOTHESIS),
        Form(f"{SUBJECT} {fact.denied(negation)}", no(_FACT), f"denied {negation}", negation),
        Form(f"{SUBJECT} {other.denied('not')}", no(_OTHER), "denied not", "not", HYPOTHESIS),
        Form(f"{SUBJECT} {third.denied('not')}", no(_DETAIL), "denied not", "not", HYPOTHESIS),
        Form(f"it is {pick(rng, ('not true', 'false'))} that {fact.affirmed}", no(_FACT), "false", "not true"),
        Form(f"it is not true that {fact.negated}", _FACT, "denied twice", "not true"),
        Form(f"{SUBJECT} {fact.finite} without {other.gerund}", _FACT & no(_OTHER), "without", "without", PREMISE),
        Form(
            f"instead of {other.gerund}, {SUBJECT} {fact.finite}", _FACT & no(_OTHER), "instead", "instead of", PREMISE
        ),
        Form(f"{SUBJECT} {fact.finite} but {other.denied('not')}", _FACT & no(_OTHER), "but not", "but not", PREMISE),
        Form(f"{SUBJECT} {fact.denied('not')} but {other.finite}", no(_FACT) & _OTHER, "not but", "not but", PREMISE),
        Form(_neither(fact, other), no(_FACT) & no(_OTHER), "neither", "neither nor", PREMISE),
    ]
    return Scene.about(fact, forms, _ATOMS.full)


def _neither(fact: Clause, other: Clause) -> str:
    if "progressive" in fact.time:
        return (
            f"{SUBJECT} {fact.be() if fact.time == 'progressive' else 'was'} neither {fact.gerund} nor {other.gerund}"
        )
    return f"{SUBJECT} neither {fact.finite} nor {other.finite}"


def _detailed(rng: np.random.Generator, fact: Clause, other: Clause) -> Scene:
    """Return a scene in which a fact has a detail: a denied detail may leave the fact open."""
    no, detail = _ATOMS.negated, pick(rng, _DETAILS)
    negation = pick(rng, ("not", "n't"))
    forms = [
        Form(fact.affirmed, _FACT, "fact", side=PREMISE),
        Form(f"{fact.affirmed} {detail}", _FACT & _DETAIL, "detailed fact"),
        Form(f"{SUBJECT} {fact.denied(negation)}", no(_FACT), "denied", negation),
        Form(f"{SUBJECT} {fact.denied(negation)} {detail}", no(_FACT & _DETAIL), "denied detail", negation,
             strong=_FACT & no(_DETAIL)),
        Form(f"nobody said that {other.affirmed}, but {fact.again} {fact.finite}", _FACT, "nobody", "nobody", PREMISE),
        Form(other.affirmed, _OTHER, "fact", side=HYPOTHESIS),
        Form(f"it is not true that {fact.affirmed}", no(_FACT), "false", "not true"),
    ]  # fmt: skip
    return Scene.about(fact, forms, _ATOMS.full)


# What a person does in a picture, one of two activities or another one; whether a circumstance holds, and another.
_PICTURES = list(product(range(3), (False, True), (False, True)))


def _activities(rng: np.random.Generator) -> Scene:
    """Return a scene of activities that exclude each other: who swims does not ride a bicycle."""
    subject = pick(rng, entries("subjects", "caption"))
    first, second = (act_clause(subject, act, "progressive") for act in pick_some(rng, entries("acts", "caption"), 2))
    more, other = (
        act_clause(subject, act, "progressive") for act in pick_some(rng, entries("acts", "circumstance"), 2)
    )
    does, instead = (table_of(_PICTURES, lambda world, which=which: world[0] == which) for which in (0, 1))  # type: ignore[misc]
    holds, open_ = (table_of(_PICTURES, lambda world, which=which: world[which]) for which in (1, 2))  # type: ignore[misc]
    full = (1 << len(_PICTURES)) - 1
    negation = pick(rng, ("not", "n't"))
    forms = [
        Form(first.affirmed, does, "activity", side=PREMISE),
        Form(f"{first.affirmed} and {more.gerund}", does & holds, "two activities", side=PREMISE),
        Form(
            f"{first.affirmed} but {more.denied('not')}", does & (full ^ holds), "activity but not", "but not", PREMISE
        ),
    ]
    for clause, table in ((first, does), (second, instead), (more, holds), (other, open_)):
        forms.append(
            Form(f"{SUBJECT} {clause.denied(negation)}", full ^ table, f"denied {negation}", negation, HYPOTHESIS)
        )
        forms.append(Form(clause.affirmed, table, "fact", side=HYPOTHESIS))
    nobody = pick(rng, ("nobody is", "no one is", "there is nobody who is"))
    forms.append(Form(f"{nobody} {first.gerund}", full ^ does, "nobody", "nobody", HYPOTHESIS))
    return Scene.about(first, forms, full)


def _opposites(rng: np.random.Generator) -> Scene:
    """Return a scene in which one of two states holds, so that one is the negation of the other."""
    subject, state, opposite = pick(rng, word_bank()["states"]["opposites"])
    holds, unrelated = _TWO_STATES.columns
    no = _TWO_STATES.negated
    plural = subject.split()[-1].endswith("s") and not subject.endswith(("witness", "glass"))
    be = pick(rng, ("is", "was")) if not plural else pick(rng, ("are", "were"))
    adverb = pick(rng, ("", "", "yesterday", "at noon", "again", "at the moment")) if be in ("is", "was") else ""
    forms = [
        Form(f"{SUBJECT} {be} {state} {adverb}".rstrip(), holds, "state"),
        Form(f"{SUBJECT} {be} {opposite} {adverb}".rstrip(), no(holds), "opposite"),
        Form(f"{SUBJECT} {be} not {state} {adverb}".rstrip(), no(holds), "not state", "not"),
        Form(f"{SUBJECT} {be} not {opposite} {adverb}".rstrip(), holds, "not opposite", "not"),
        Form(f"it is not true that {SUBJECT} {be} {opposite}", holds, "false", "not true", PREMISE),
        Form(f"{SUBJECT} {be} not mentioned in the report", unrelated, "unrelated", "not"),
    ]
    return Scene(forms, _TWO_STATES.full, subject, subject)
