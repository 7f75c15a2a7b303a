"""The quantifiers *every*, *some*, *no* and *not every*, alone and nested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import join_parts
from trivium.build.phenomena.relations import RELATIONS, Relation
from trivium.build.phenomena.truth_tables import Statement, atoms, label_of, redundant
from trivium.build.phenomena.words import PEOPLE, indefinite, pick, pick_some, shuffled
from trivium.data.labels import NLI3

if TYPE_CHECKING:
    import numpy as np

_GROUPS: tuple[tuple[str, str], ...] = tuple(
    (f"{noun}{where}", f"{plural}{where}")
    for noun, plural, where in (
        ("student", "students", " in the class"), ("player", "players", " on the team"),
        ("nurse", "nurses", " on the ward"), ("guest", "guests", " at the inn"), ("singer", "singers", " in the choir"),
        ("driver", "drivers", " at the depot"), ("member", "members", " of the club"),
        ("teacher", "teachers", " at the school"), ("sailor", "sailors", " on the ship"),
        ("tenant", "tenants", " in the house"), ("passenger", "passengers", " on the bus"),
        ("engineer", "engineers", " in the workshop"), ("clerk", "clerks", " at the bank"),
        ("farmer", "farmers", " in the valley"), ("pilot", "pilots", " at the airport"),
        ("dancer", "dancers", " in the show"), ("actor", "actors", " in the play"),
        ("juror", "jurors", " in the room"), ("lawyer", "lawyers", " at the firm"), ("cook", "cooks", " at the hotel"),
    )
)  # fmt: skip

_NAMED, _OTHERS = 2, 3
_FORMS = 5
_ATOMS = atoms(2 * _NAMED + _OTHERS)
_HOLDS = _ATOMS.columns[: _NAMED + _OTHERS]
"""Truth tables of the relation for each person, named ones first."""
_MEMBER = (*_ATOMS.columns[_NAMED + _OTHERS :], *(_ATOMS.full,) * _OTHERS)
"""Truth tables of membership in the group for each person; the unnamed ones are always members."""

_SIDE = 3
_GRID = atoms(_SIDE * _SIDE)
_ROWS = tuple(_GRID.columns[index * _SIDE : (index + 1) * _SIDE] for index in range(_SIDE))
_COLUMNS = tuple(_GRID.columns[index::_SIDE] for index in range(_SIDE))


@dataclass(frozen=True)
class _World:
    """A group, two people who may belong to it, and a relation that may hold between people and one thing."""

    relation: Relation
    item: str
    noun: str
    plural: str
    people: Sequence[str]


def _quantified(rng: np.random.Generator, world: _World, form: int) -> Statement:
    """Draw a statement about the whole group: every, no, at least one, not every, at least one not.

    Three unnamed members represent all others. They suffice, because each statement needs at most one witness, and a
    pair has at most three such statements.
    """
    singular, plural = f"{world.relation.singular} {world.item}", f"{world.relation.plural} {world.item}"
    every = _ATOMS.all_of(_ATOMS.implies(member, holds) for member, holds in zip(_MEMBER, _HOLDS, strict=True))
    some = _ATOMS.any_of(member & holds for member, holds in zip(_MEMBER, _HOLDS, strict=True))
    no, not_every = _ATOMS.negated(some), _ATOMS.negated(every)
    texts: tuple[str, ...]
    if form == 0:
        texts = (
            f"every {world.noun} {singular}",
            f"all the {world.plural} {plural}",
            f"each of the {world.plural} {singular}",
        )
        return Statement.plain(pick(rng, texts), every)
    if form == 1:
        return Statement.plain(pick(rng, (f"no {world.noun} {singular}", f"none of the {world.plural} {singular}")), no)
    if form == 2:
        texts = (f"at least one {world.noun} {singular}", f"one or more of the {world.plural} {plural}")
        return Statement.plain(pick(rng, texts), some)
    if form == 3:
        texts = (f"not every {world.noun} {singular}", f"not all of the {world.plural} {plural}")
        return Statement(pick(rng, texts), not_every, not_every & some)
    negated = f"{world.relation.negated} {world.item}"
    texts = (f"at least one {world.noun} {negated}", f"at least one of the {world.plural} {negated}")
    return Statement.plain(pick(rng, texts), not_every)


def _any_quantified(rng: np.random.Generator, world: _World) -> Statement:
    return _quantified(rng, world, int(rng.random() * _FORMS))


def _fact(world: _World, person: int, holds: bool) -> Statement:
    """Return the statement that the relation holds for one person, or that it does not."""
    verb, table = (
        (world.relation.singular, _HOLDS[person]) if holds else (world.relation.negated, _ATOMS.negated(_HOLDS[person]))
    )
    return Statement.plain(f"{world.people[person]} {verb} {world.item}", table)


def _of_group(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about a group with named members.

    ``Every student has visited Rome. Anna is a student.`` entails ``Anna has visited Rome.``.
    """
    relations, groups = pick_some(rng, RELATIONS, len(NLI3)), pick_some(rng, _GROUPS, len(NLI3))
    people, holds = pick_some(rng, PEOPLE, _NAMED * len(NLI3)), bool(rng.random() < 0.5)
    form = int(rng.random() * _FORMS) if rng.random() < 0.6 else None

    def draw(part_label: str, part: int) -> tuple[Sequence[str], str]:
        relation = relations[part]
        world = _World(relation, pick(rng, relation.items), *groups[part], people[part * _NAMED :][:_NAMED])
        hypothesis = _fact(world, 0, holds) if form is None else _quantified(rng, world, form)
        while True:
            premises = _group_premises(rng, world)
            texts = [premise.text for premise in premises]
            if redundant(premises) or hypothesis.text in texts:
                continue
            if label_of(premises, hypothesis) == part_label:
                return shuffled(rng, texts), hypothesis.text

    return join_parts(label, rng, draw)


def _group_premises(rng: np.random.Generator, world: _World) -> list[Statement]:
    """Draw one to three statements about a group and its members."""

    def fact(person: int) -> Statement:
        return _fact(world, person, bool(rng.random() < 0.5))

    membership = f"{world.people[0]} is {indefinite(world.noun) if ' of ' not in world.noun else f'a {world.noun}'}"
    premises = [Statement.plain(membership, _MEMBER[0])] if rng.random() < 0.8 else []
    premises.append(_any_quantified(rng, world) if rng.random() < 0.7 else fact(0))
    if rng.random() < 0.4:
        premises.append(fact(1) if rng.random() < 0.5 else _any_quantified(rng, world))
    return premises


def _scopes(relation: Relation, noun: str) -> tuple[Statement, ...]:
    """Return statements with two quantifiers about a grid of three people and three things."""
    verb, thing, grid = relation.singular, f"{relation.noun} {relation.among}", _GRID
    everything, something = [grid.all_of(row) for row in _ROWS], [grid.any_of(row) for row in _ROWS]
    everyone, someone = [grid.all_of(column) for column in _COLUMNS], [grid.any_of(column) for column in _COLUMNS]
    a, plain = indefinite(thing), Statement.plain
    none_every = grid.none_of(everything)
    return (
        plain(f"every {noun} {verb} every {thing}", grid.all_of(everything)),
        plain(f"every {thing} {relation.passive} every {noun}", grid.all_of(everything)),
        plain(f"every {noun} {verb} at least one {thing}", grid.all_of(something)),
        plain(f"at least one {noun} {verb} every {thing}", grid.any_of(everything)),
        plain(f"at least one {noun} {verb} at least one {thing}", grid.any_of(something)),
        plain(f"there is {a} that every {noun} {verb}", grid.any_of(everyone)),
        plain(f"every {thing} {relation.passive} at least one {noun}", grid.all_of(someone)),
        plain(f"no {noun} {verb} any {thing}", grid.none_of(something)),
        plain(f"no {thing} {relation.passive} any {noun}", grid.none_of(something)),
        Statement(f"no {noun} {verb} every {thing}", none_every, none_every & grid.any_of(something)),
        plain(f"there is {a} that no {noun} {verb}", grid.negated(grid.all_of(someone))),
        plain(f"at least one {noun} {verb} no {thing}", grid.negated(grid.all_of(something))),
        plain(f"there is {a} that at least one {noun} {relation.negated}", grid.negated(grid.all_of(everyone))),
    )


def _of_scope(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair of statements with two quantifiers each.

    ``There is a city that every guest has visited.`` entails ``Every guest has visited at least one city.``.
    """
    relations, groups = pick_some(rng, RELATIONS, len(NLI3)), pick_some(rng, _GROUPS, len(NLI3))
    index = int(rng.random() * len(_scopes(relations[0], groups[0][0])))

    def draw(part_label: str, part: int) -> tuple[Sequence[str], str]:
        statements = _scopes(relations[part], groups[part][0])
        hypothesis = statements[index]
        while True:
            premises = [pick(rng, statements)] if rng.random() < 0.4 else pick_some(rng, statements, 2)
            if hypothesis not in premises and not redundant(premises) and label_of(premises, hypothesis) == part_label:
                return [premise.text for premise in premises], hypothesis.text

    return join_parts(label, rng, draw)


@maker("quant")
def quantifier(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair with one quantifier over a group with named members, or with two nested quantifiers."""
    return _of_group(label, rng) if rng.random() < 0.6 else _of_scope(label, rng)
