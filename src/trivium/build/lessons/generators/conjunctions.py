"""What follows from facts that are joined by *and*, *or*, *but*, *either* and *neither*."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trivium.build.lessons.clauses import SUBJECT, Clause, draw_clauses, entries
from trivium.build.lessons.generation import Request, scenes
from trivium.build.lessons.scenes import HYPOTHESIS, PREMISE, Form, Scene
from trivium.build.phenomena.truth_tables import atoms
from trivium.build.phenomena.words import pick_some

if TYPE_CHECKING:
    import numpy as np

_ATOMS = atoms(3)
_A, _B, _C = _ATOMS.columns
_OWN = re.compile(r"\b(?:its|his|her|their)\b")


@scenes("conjunctions", about="and, or, but, either and neither")
def conjunctions(request: Request, rng: np.random.Generator) -> Scene:
    """Return a scene of three acts of one person, or of one act of three people."""
    acts = draw_clauses(rng, 3, request.clauses)
    return (
        _people(rng, acts[0])
        if rng.random() < 0.4 and acts[0].time == "past" and acts[0].lemma != "be" and not _OWN.search(acts[0].rest)
        else _acts(rng, acts)
    )


def _acts(rng: np.random.Generator, acts: tuple[Clause, ...]) -> Scene:
    first, second, third = acts
    no = _ATOMS.negated
    either = _A | _B
    forms = [
        *_single(acts, (_A, _B, _C)),
        Form(f"{SUBJECT} {first.finite} and {second.finite}", _A & _B, "and", "and"),
        Form(f"{SUBJECT} {second.finite}, and {third.finite} as well", _B & _C, "and as well", "and", PREMISE),
        Form(f"{SUBJECT} {first.finite}, {second.finite} and {third.finite}", _A & _B & _C, "three", "and", PREMISE),
        Form(f"{SUBJECT} {first.finite} or {second.finite}", either, "or", "or", strong=_A ^ _B),
        Form(f"{SUBJECT} {first.finite} or {second.finite}, or both", either, "or both", "or", HYPOTHESIS),
        Form(f"{SUBJECT} either {first.finite} or {second.finite}", either, "either", "either or", strong=_A ^ _B),
        Form(f"{SUBJECT} {first.finite} or {second.finite}, and {third.finite}", either & _C, "or and", "or", PREMISE,
             (_A ^ _B) & _C),
        Form(f"{SUBJECT} {first.finite} but {second.denied('not')}", _A & no(_B), "but not", "but"),
        Form(f"{SUBJECT} {first.denied('not')} but {second.finite}", no(_A) & _B, "not but", "but"),
        Form(f"{SUBJECT} not only {first.finite} but also {second.finite}", _A & _B, "not only", "not only", PREMISE),
        Form(f"{SUBJECT} {first.finite} or {second.finite}. {_again(first)} {second.denied('not')}", _A & no(_B),
             "or, not", "or", PREMISE),
        Form(f"{SUBJECT} neither {first.finite} nor {second.finite}", no(_A) & no(_B), "neither", "neither nor"),
    ]  # fmt: skip
    return Scene.about(first, forms, _ATOMS.full)


def _again(clause: Clause) -> str:
    return clause.again[:1].upper() + clause.again[1:]


def _single(acts: tuple[Clause, ...], tables: tuple[int, ...]) -> list[Form]:
    pairs = list(zip(acts, tables, strict=True))
    affirmed = [Form(act.affirmed, table, "one", side=HYPOTHESIS) for act, table in pairs]
    return affirmed + [
        Form(f"{SUBJECT} {act.denied('not')}", _ATOMS.negated(table), "not one", side=HYPOTHESIS)
        for act, table in pairs
    ]


def _people(rng: np.random.Generator, act: Clause) -> Scene:
    x, y, z = pick_some(rng, [name for name in entries("subjects", "person") if name != act.subject], 3)
    no, act = _ATOMS.negated, Clause(act.subject, act.again, False, act.lemma, act.rest, act.time)
    negative = act.denied("not")
    forms = [
        Form(f"{x} and {y} {act.finite}", _A & _B, "and", "and"),
        Form(f"both {x} and {z} {act.finite}", _A & _C, "both", "both and"),
        Form(f"{x}, {y} and {z} {act.finite}", _A & _B & _C, "three", "and", PREMISE),
        Form(f"{x} or {y} {act.finite}", _A | _B, "or", "or", strong=_A ^ _B),
        Form(f"at least one of the two, {x} or {y}, {act.finite}", _A | _B, "at least one", "or", HYPOTHESIS),
        Form(f"either {x} or {y} {act.finite}", _A | _B, "either", "either or", strong=_A ^ _B),
        Form(f"neither {x} nor {y} {act.finite}", no(_A) & no(_B), "neither", "neither nor"),
        Form(f"{x} {act.finite}, but {y} did not", _A & no(_B), "but not", "but"),
        Form(f"{x} {negative}, but {y} did", no(_A) & _B, "not but", "but"),
    ]
    for name, table in zip((x, y, z), (_A, _B, _C), strict=True):
        forms.append(Form(f"{name} {act.finite}", table, "one", side=HYPOTHESIS))
        forms.append(Form(f"{name} {negative}", no(table), "not one", side=HYPOTHESIS))
    return Scene(forms, _ATOMS.full)
