"""And, or, neither over lists of people and things; the label is read off a truth table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.relations import Relation, pick_relation
from trivium.build.phenomena.tables import Statement, atoms, label_of, redundant
from trivium.build.phenomena.words import PEOPLE, listed, pick, pick_some, sentence, sentences

_SIDE, _HANDFUL = 3, 4
_GRID = atoms(_SIDE * _SIDE)
_ORDERS = tuple(permutations(range(_SIDE)))


@dataclass(frozen=True)
class _World:
    """Three people and three things, and the relation that may hold between each two of them."""

    relation: Relation
    people: Sequence[str]
    items: Sequence[str]

    def holds(self, person: int, item: int) -> int:
        """The table of: this person stands in the relation to this thing."""
        return _GRID.columns[person * _SIDE + item]


@dataclass(frozen=True)
class _Line:
    """Some of the people with one thing, or one of the people with some things.

    ``inside`` are the tables of those on the list, ``outside`` of the others in the same row or column.
    """

    world: _World
    people: tuple[str, ...]
    items: tuple[str, ...]
    inside: tuple[int, ...]
    outside: tuple[int, ...]


def _line(rng: np.random.Generator, world: _World, sizes: Sequence[int], near: float) -> _Line:
    """A line of the grid, with the chance ``near`` its first row or column: there the hypotheses are."""
    places = pick(rng, _ORDERS)
    size, fixed = pick(rng, sizes), 0 if rng.random() < near else 1 + int(rng.random() * (_SIDE - 1))
    people: tuple[str, ...]
    items: tuple[str, ...]
    chosen, others = places[:size], places[size:]
    if rng.random() < 0.5:
        people, items = (world.people[fixed],), tuple(world.items[place] for place in chosen)
        tables = [world.holds(fixed, place) for place in (*chosen, *others)]
    else:
        people, items = tuple(world.people[place] for place in chosen), (world.items[fixed],)
        tables = [world.holds(place, fixed) for place in (*chosen, *others)]
    return _Line(world, people, items, tuple(tables[:size]), tuple(tables[size:]))


def _affirmed(line: _Line) -> Statement:
    """``Anna and Ben have visited Rome``."""
    verb = line.world.relation.one if len(line.people) == 1 else line.world.relation.many
    return Statement.plain(f"{listed(line.people)} {verb} {listed(line.items)}", _GRID.all_of(line.inside))


def _both(line: _Line) -> Statement:
    """``Both Anna and Ben have visited Rome``."""
    relation = line.world.relation
    if len(line.people) == 2:
        text = f"both {listed(line.people)} {relation.many} {line.items[0]}"
    else:
        text = f"{line.people[0]} {relation.one} {'both ' * (len(line.items) == 2)}{listed(line.items)}"
    return Statement.plain(text, _GRID.all_of(line.inside)) if len(line.people) < 3 else _affirmed(line)


def _denied(line: _Line) -> Statement:
    """``Neither Anna nor Ben has visited Rome``."""
    relation = line.world.relation
    if len(line.people) == 3:
        text = f"none of the three friends {listed(line.people)} {relation.one} {line.items[0]}"
    elif len(line.people) == 2:
        text = f"neither {listed(line.people, 'nor')} {relation.one} {line.items[0]}"
    elif len(line.items) == 2:
        text = f"{line.people[0]} {relation.one} neither {listed(line.items, 'nor')}"
    else:
        text = f"{line.people[0]} {relation.not_one} {listed(line.items, 'or')}"
    return Statement.plain(text, _GRID.none_of(line.inside))


def _disjoined(line: _Line) -> Statement:
    """``Anna has visited Rome or Oslo or both``."""
    relation = line.world.relation
    text = f"at least one of {listed(line.people)} {relation.one} {line.items[0]}"
    if len(line.people) == 1:
        text = f"{line.people[0]} {relation.one} {listed(line.items, 'or')} or both"
    return Statement.plain(text, _GRID.any_of(line.inside))


def _exclusive(line: _Line) -> Statement:
    """``Anna has visited either Rome or Oslo, but not both``."""
    relation, (first, second) = line.world.relation, line.inside
    text = f"either {listed(line.people, 'or')} {relation.one} {line.items[0]}, but not both of them"
    if len(line.people) == 1:
        text = f"{line.people[0]} {relation.one} either {listed(line.items, 'or')}, but not both"
    return Statement.plain(text, first ^ second)


def _divided(line: _Line) -> Statement:
    """``Anna has visited Rome, but Ben has not``."""
    relation, (first, second) = line.world.relation, line.inside
    if len(line.people) == 1:
        text = f"{line.people[0]} {relation.one} {line.items[0]}, but not {line.items[1]}"
    else:
        text = f"{line.people[0]} {relation.one} {line.items[0]}, but {line.people[1]} {relation.helper} not"
    return Statement.plain(text, first & _GRID.negated(second))


def _only(line: _Line) -> Statement:
    """``Only Anna and Ben have visited Rome``."""
    relation = line.world.relation
    if len(line.people) == 1 and len(line.items) > 1:
        text = f"{line.people[0]} {relation.one} only {listed(line.items)}"
    else:
        text = f"only {listed(line.people)} {relation.one if len(line.people) == 1 else relation.many} {line.items[0]}"
        if len(line.items) == len(line.people) == 1:
            text = f"the only {relation.noun} that {line.people[0]} {relation.one} is {line.items[0]}"
            return _only_item(line, text)
    return Statement.plain(text, _GRID.all_of(line.inside) & _GRID.none_of(line.outside))


def _only_item(line: _Line, text: str) -> Statement:
    """The statement that one thing is the only one of a person: nothing else in the person's row."""
    world = line.world
    person, item = world.people.index(line.people[0]), world.items.index(line.items[0])
    others = [world.holds(person, place) for place in range(_SIDE) if place != item]
    return Statement.plain(text, world.holds(person, item) & _GRID.none_of(others))


def _premise(rng: np.random.Generator, world: _World) -> Statement:
    make = pick(rng, (_affirmed, _both, _denied, _disjoined, _exclusive, _divided, _only, _only))
    if make in (_disjoined, _exclusive, _divided):
        return make(_line(rng, world, (2,), 0.6))
    return make(_line(rng, world, (1, 2) if make is _only else (2, 3), 0.6))


def _hypothesis(rng: np.random.Generator, world: _World) -> Statement:
    kind = rng.random()
    if kind < 0.5:
        line = _line(rng, world, (1,), 1.0)
        if kind < 0.25:
            return _affirmed(line)
        text = f"{line.people[0]} {world.relation.not_one} {line.items[0]}"
        return Statement.plain(text, _GRID.negated(line.inside[0]))
    return pick(rng, (_both, _denied, _disjoined))(_line(rng, world, (2,), 1.0))


@maker("bool")
def boolean(label: str, rng: np.random.Generator) -> Pair:
    """``Anna has visited only Rome and Oslo.`` entails ``Anna has not visited Lima.``."""
    relation = pick_relation(rng)
    world = _World(relation, pick_some(rng, PEOPLE, _SIDE), pick_some(rng, relation.items, _SIDE))
    hypothesis = _hypothesis(rng, world)
    # Mostly the premise names all that the hypothesis names: otherwise what is missing would tell the label.
    closely, size = rng.random() < 0.85, 2 if rng.random() < 0.6 else 1
    named = [name for name in (*world.people, *world.items) if closely and name in hypothesis.text]
    while True:
        for premises in combinations([_premise(rng, world) for _ in range(_HANDFUL)], size):
            if label_of(premises, hypothesis) != label or redundant(premises):
                continue
            premise = sentences([one.text for one in premises])
            if hypothesis.text not in (one.text for one in premises) and all(name in premise for name in named):
                return Pair(premise, sentence(hypothesis.text))
        size = 2
