"""Every, some, no and not every, alone and in each other's scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.relations import Relation, pick_relation
from trivium.build.phenomena.tables import Statement, atoms, label_of, redundant
from trivium.build.phenomena.words import PEOPLE, indefinite, pick, pick_some, sentence, sentences, shuffled

_GROUPS: tuple[tuple[str, str], ...] = tuple(
    (f"{noun}{where}", f"{nouns}{where}")
    for noun, nouns, where in (
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
_LINE = atoms(2 * _NAMED + _OTHERS)
_HAS = _LINE.columns[: _NAMED + _OTHERS]
_BELONGS = (*_LINE.columns[_NAMED + _OTHERS :], *(_LINE.full,) * _OTHERS)
_SIDE = 3
_GRID = atoms(_SIDE * _SIDE)
_ROWS = tuple(_GRID.columns[place * _SIDE : (place + 1) * _SIDE] for place in range(_SIDE))
_COLUMNS = tuple(_GRID.columns[place::_SIDE] for place in range(_SIDE))


@dataclass(frozen=True)
class _World:
    """A group, two people who may belong to it, and what they may have done with one thing."""

    relation: Relation
    item: str
    noun: str
    nouns: str
    people: Sequence[str]


def _quantified(rng: np.random.Generator, world: _World) -> Statement:
    """A statement on the whole group: every, no, at least one, not every, at least one not.

    Three members without a name stand for all others: a statement here needs one witness at most, and there are
    never more than two statements and a hypothesis.
    """
    one, many = f"{world.relation.one} {world.item}", f"{world.relation.many} {world.item}"
    every = _LINE.all_of(_LINE.implies(member, has) for member, has in zip(_BELONGS, _HAS, strict=True))
    some = _LINE.any_of(member & has for member, has in zip(_BELONGS, _HAS, strict=True))
    no, failing = _LINE.negated(some), _LINE.negated(every)
    form = int(rng.random() * 5)
    texts: tuple[str, ...]
    if form == 0:
        texts = (f"every {world.noun} {one}", f"all the {world.nouns} {many}", f"each of the {world.nouns} {one}")
        return Statement.plain(pick(rng, texts), every)
    if form == 1:
        return Statement.plain(pick(rng, (f"no {world.noun} {one}", f"none of the {world.nouns} {one}")), no)
    if form == 2:
        texts = (f"at least one {world.noun} {one}", f"one or more of the {world.nouns} {many}")
        return Statement.plain(pick(rng, texts), some)
    if form == 3:
        texts = (f"not every {world.noun} {one}", f"not all of the {world.nouns} {many}")
        return Statement(pick(rng, texts), failing, failing & some)
    denied = f"{world.relation.not_one} {world.item}"
    texts = (f"at least one {world.noun} {denied}", f"at least one of the {world.nouns} {denied}")
    return Statement.plain(pick(rng, texts), failing)


def _fact(rng: np.random.Generator, world: _World, person: int) -> Statement:
    verb, table = (
        (world.relation.one, _HAS[person])
        if rng.random() < 0.5
        else (world.relation.not_one, _LINE.negated(_HAS[person]))
    )
    return Statement.plain(f"{world.people[person]} {verb} {world.item}", table)


def _of_group(label: str, rng: np.random.Generator) -> Pair:
    """``Every student has visited Rome. Anna is a student.`` entails ``Anna has visited Rome.``."""
    relation = pick_relation(rng)
    world = _World(relation, pick(rng, relation.items), *pick(rng, _GROUPS), pick_some(rng, PEOPLE, _NAMED))
    hypothesis = _quantified(rng, world) if rng.random() < 0.6 else _fact(rng, world, 0)
    membership = f"{world.people[0]} is {indefinite(world.noun) if ' of ' not in world.noun else f'a {world.noun}'}"
    while True:
        premises = [Statement.plain(membership, _BELONGS[0])] if rng.random() < 0.8 else []
        premises.append(_quantified(rng, world) if rng.random() < 0.7 else _fact(rng, world, 0))
        if rng.random() < 0.4:
            premises.append(_fact(rng, world, 1) if rng.random() < 0.5 else _quantified(rng, world))
        texts = [one.text for one in premises]
        if redundant(premises):
            continue
        if hypothesis.text not in texts and label_of(premises, hypothesis) == label:
            return Pair(sentences(shuffled(rng, texts)), sentence(hypothesis.text))


def _scopes(relation: Relation, noun: str) -> tuple[Statement, ...]:
    """Statements with two quantifiers, over a table of three people and three things."""
    verb, thing, each = relation.one, f"{relation.noun} {relation.among}", _GRID
    everything, something = [each.all_of(row) for row in _ROWS], [each.any_of(row) for row in _ROWS]
    everyone, someone = [each.all_of(column) for column in _COLUMNS], [each.any_of(column) for column in _COLUMNS]
    a, plain = indefinite(thing), Statement.plain
    no_full = each.none_of(everything)
    return (
        plain(f"every {noun} {verb} every {thing}", each.all_of(everything)),
        plain(f"every {thing} {relation.passive} every {noun}", each.all_of(everything)),
        plain(f"every {noun} {verb} at least one {thing}", each.all_of(something)),
        plain(f"at least one {noun} {verb} every {thing}", each.any_of(everything)),
        plain(f"at least one {noun} {verb} at least one {thing}", each.any_of(something)),
        plain(f"there is {a} that every {noun} {verb}", each.any_of(everyone)),
        plain(f"every {thing} {relation.passive} at least one {noun}", each.all_of(someone)),
        plain(f"no {noun} {verb} any {thing}", each.none_of(something)),
        plain(f"no {thing} {relation.passive} any {noun}", each.none_of(something)),
        Statement(f"no {noun} {verb} every {thing}", no_full, no_full & each.any_of(something)),
        plain(f"there is {a} that no {noun} {verb}", each.negated(each.all_of(someone))),
        plain(f"at least one {noun} {verb} no {thing}", each.negated(each.all_of(something))),
        plain(f"there is {a} that at least one {noun} {relation.not_one}", each.negated(each.all_of(everyone))),
    )


def _of_scope(label: str, rng: np.random.Generator) -> Pair:
    """``There is a city that every guest has visited.`` entails ``Every guest has visited at least one city.``."""
    statements = _scopes(pick_relation(rng), pick(rng, _GROUPS)[0])
    hypothesis = pick(rng, statements)
    while True:
        premises = [pick(rng, statements)] if rng.random() < 0.4 else pick_some(rng, statements, 2)
        if hypothesis not in premises and not redundant(premises) and label_of(premises, hypothesis) == label:
            return Pair(sentences([one.text for one in premises]), sentence(hypothesis.text))


@maker("quant")
def quantifier(label: str, rng: np.random.Generator) -> Pair:
    """One quantifier over a group with named members, or two quantifiers in each other's scope."""
    return _of_group(label, rng) if rng.random() < 0.6 else _of_scope(label, rng)
