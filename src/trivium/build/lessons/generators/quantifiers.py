"""How many of a group something holds for: all, most, some, few, none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from trivium.build.lessons.clauses import act_clause, entries, word_bank
from trivium.build.lessons.generation import Request, scenes
from trivium.build.lessons.scenes import HYPOTHESIS, PREMISE, Form, Scene, table_of
from trivium.build.phenomena.words import indefinite, pick

if TYPE_CHECKING:
    import numpy as np

_NONE, _FEW, _HALF, _MOST, _ALL = range(5)


class _World(NamedTuple):
    """How many members of the group do it, how many with the detail, and whether a certain member does."""

    doing: int
    detailed: int
    member: bool


_WORLDS = [
    world
    for world in (_World(i, j, m) for i in range(5) for j in range(5) for m in (False, True))
    if world.detailed <= world.doing and not (world.member and world.doing == _NONE)
    and not (not world.member and world.doing == _ALL)
]  # fmt: skip
_FULL = (1 << len(_WORLDS)) - 1


@scenes("quantifiers", about="how many of a group something holds for")
def quantifiers(request: Request, rng: np.random.Generator) -> Scene:
    """Return a scene about a group of people and what they did."""
    one, many, where = pick(rng, word_bank()["groups"]["people"])
    act, detail = pick(rng, word_bank()["groups"]["acts"])
    forms: list[Form] = []
    for ending, count in (("", lambda world: world.doing), (f" {detail}", lambda world: world.detailed)):
        forms += _quantified(rng, (one, many, where), f"{act}{ending}", count, "with detail" if ending else "")
    return _with_member(rng, (one, many, where), act, forms) if rng.random() < 0.35 else Scene(forms, _FULL)


def _with_member(rng: np.random.Generator, group: tuple[str, str, str], act: str, forms: list[Form]) -> Scene:
    """Return a scene whose premises name a member of the group."""
    one, many, where = group
    name = pick(rng, [entry for entry in entries("subjects", "person") if " " not in entry])
    member = table_of(_WORLDS, lambda world: world.member)
    introduced = f"{name} is one of the {many} {where}"
    clause = act_clause(name, act)
    premises = [
        Form(f"{introduced}, and {form.text}", form.table, f"member, {form.name}", form.cue, PREMISE, form.strong)
        for form in forms
        if form.side != HYPOTHESIS
    ]
    does = Form(f"{name}, {indefinite(one)} {where}, {clause.finite}", member, "member does", "", PREMISE)
    conclusions = [
        Form(f"{name} {clause.finite}", member, "member does", side=HYPOTHESIS),
        Form(f"{name} {clause.denied('not')}", _FULL ^ member, "member does not", side=HYPOTHESIS),
        *(replace(form, side=HYPOTHESIS) for form in forms if form.side != PREMISE),
    ]
    return Scene([*premises, does, *conclusions], _FULL)


def _quantified(
    rng: np.random.Generator, group: tuple[str, str, str], act: str, count: Callable[[_World], int], name: str
) -> list[Form]:
    one, many, where = group
    did, none = act_clause(one, act), act_clause(many, act).finite
    some = pick(rng, ("some of the", "some of the", "at least one of the", "several of the", "a few of the"))
    every = pick(rng, (f"every {one}", f"each {one}", f"all the {many}", f"all of the {many}"))
    no = pick(rng, (f"no {one}", f"none of the {many}", f"not one {one}"))
    most = pick(rng, ("most of the", "the majority of the", "more than half of the"))
    rows = (
        (f"{every} {where} {none}", every.split(f" {one}")[0].split(f" {many}")[0], (_ALL,), (_ALL,)),
        (f"{no} {where} {did.finite}", "not one" if no.startswith("not") else no.split(" ")[0], (_NONE,), (_NONE,)),
        (
            f"{some} {many} {where} {none}",
            some.removesuffix(" of the"),
            (_FEW, _HALF, _MOST, _ALL),
            (_FEW, _HALF, _MOST),
        ),
        (f"{most} {many} {where} {none}", most.removesuffix(" of the"), (_MOST, _ALL), (_MOST,)),
        (f"not all the {many} {where} {none}", "not all", (_NONE, _FEW, _HALF, _MOST), (_FEW, _HALF, _MOST)),
        (f"few of the {many} {where} {none}", "few", (_NONE, _FEW), (_FEW,)),
        (f"half of the {many} {where} {none}", "half", (_HALF,), (_HALF,)),
        (f"only some of the {many} {where} {none}", "only some", (_FEW, _HALF, _MOST), (_FEW, _HALF, _MOST)),
        (f"all but one of the {many} {where} {none}", "all but one", (_MOST,), (_MOST,)),
    )
    forms = []
    for text, cue, values, strong in rows:
        table, stronger = _counting(count, values), _counting(count, strong)
        title = f"{cue} {name}".rstrip()
        if _NONE in values or values == strong:
            forms.append(Form(text, table, title, cue, strong=stronger))
        else:  # a hypothesis with some or most is true if all do it
            forms.append(Form(text, table, title, cue, PREMISE, stronger))
            forms.append(Form(text, table, title, cue, HYPOTHESIS))
    return forms


def _counting(count: Callable[[_World], int], values: tuple[int, ...]) -> int:
    return table_of(_WORLDS, lambda world: count(world) in values)
