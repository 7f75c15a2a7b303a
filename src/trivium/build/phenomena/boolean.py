"""Coordination with *and*, *or*, *neither* and *only*, labelled by truth tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import join_parts
from trivium.build.phenomena.relations import RELATIONS, Relation
from trivium.build.phenomena.truth_tables import Statement, atoms, label_of, redundant
from trivium.build.phenomena.words import PEOPLE, join_items, pick, pick_some
from trivium.data.labels import NLI3

if TYPE_CHECKING:
    import numpy as np

_SIDE, _CANDIDATES = 3, 4
_GRID = atoms(_SIDE * _SIDE)
_ORDERS = tuple(permutations(range(_SIDE)))


@dataclass(frozen=True)
class _World:
    """Three people, three things, and a relation that may hold between each person and each thing."""

    relation: Relation
    people: Sequence[str]
    items: Sequence[str]

    def holds(self, person: int, item: int) -> int:
        """Return the truth table of the relation between a person and a thing, given by their indices."""
        return _GRID.columns[person * _SIDE + item]


@dataclass(frozen=True)
class _Line:
    """Part of a row or column of the grid: one person with some things, or some people with one thing.

    ``inside`` holds the truth tables of its cells, ``outside`` those of the other cells in the same row or column.
    """

    world: _World
    people: tuple[str, ...]
    items: tuple[str, ...]
    inside: tuple[int, ...]
    outside: tuple[int, ...]


def _line(rng: np.random.Generator, world: _World, sizes: Sequence[int], first: float) -> _Line:
    """Draw a line of the grid, with probability ``first`` from the first row or column, which hypotheses are about."""
    order = pick(rng, _ORDERS)
    size, fixed = pick(rng, sizes), 0 if rng.random() < first else 1 + int(rng.random() * (_SIDE - 1))
    people: tuple[str, ...]
    items: tuple[str, ...]
    chosen, others = order[:size], order[size:]
    if rng.random() < 0.5:
        people, items = (world.people[fixed],), tuple(world.items[index] for index in chosen)
        tables = [world.holds(fixed, index) for index in (*chosen, *others)]
    else:
        people, items = tuple(world.people[index] for index in chosen), (world.items[fixed],)
        tables = [world.holds(index, fixed) for index in (*chosen, *others)]
    return _Line(world, people, items, tuple(tables[:size]), tuple(tables[size:]))


def _affirmed(line: _Line) -> Statement:
    """Return ``Anna and Ben have visited Rome``."""
    verb = line.world.relation.singular if len(line.people) == 1 else line.world.relation.plural
    return Statement.plain(f"{join_items(line.people)} {verb} {join_items(line.items)}", _GRID.all_of(line.inside))


def _both(line: _Line) -> Statement:
    """Return ``Both Anna and Ben have visited Rome``."""
    relation = line.world.relation
    if len(line.people) == 2:
        text = f"both {join_items(line.people)} {relation.plural} {line.items[0]}"
    else:
        text = f"{line.people[0]} {relation.singular} {'both ' * (len(line.items) == 2)}{join_items(line.items)}"
    return Statement.plain(text, _GRID.all_of(line.inside)) if len(line.people) < 3 else _affirmed(line)


def _denied(line: _Line) -> Statement:
    """Return ``Neither Anna nor Ben has visited Rome``."""
    relation = line.world.relation
    if len(line.people) == 3:
        text = f"none of the three friends {join_items(line.people)} {relation.singular} {line.items[0]}"
    elif len(line.people) == 2:
        text = f"neither {join_items(line.people, 'nor')} {relation.singular} {line.items[0]}"
    elif len(line.items) == 2:
        text = f"{line.people[0]} {relation.singular} neither {join_items(line.items, 'nor')}"
    else:
        text = f"{line.people[0]} {relation.negated} {join_items(line.items, 'or')}"
    return Statement.plain(text, _GRID.none_of(line.inside))


def _disjoined(line: _Line) -> Statement:
    """Return ``Anna has visited Rome or Oslo or both``."""
    relation = line.world.relation
    text = f"at least one of {join_items(line.people)} {relation.singular} {line.items[0]}"
    if len(line.people) == 1:
        text = f"{line.people[0]} {relation.singular} {join_items(line.items, 'or')} or both"
    return Statement.plain(text, _GRID.any_of(line.inside))


def _exclusive(line: _Line) -> Statement:
    """Return ``Anna has visited either Rome or Oslo, but not both``."""
    relation, (first, second) = line.world.relation, line.inside
    text = f"either {join_items(line.people, 'or')} {relation.singular} {line.items[0]}, but not both of them"
    if len(line.people) == 1:
        text = f"{line.people[0]} {relation.singular} either {join_items(line.items, 'or')}, but not both"
    return Statement.plain(text, first ^ second)


def _divided(line: _Line) -> Statement:
    """Return ``Anna has visited Rome, but Ben has not``."""
    relation, (first, second) = line.world.relation, line.inside
    if len(line.people) == 1:
        text = f"{line.people[0]} {relation.singular} {line.items[0]}, but not {line.items[1]}"
    else:
        text = f"{line.people[0]} {relation.singular} {line.items[0]}, but {line.people[1]} {relation.auxiliary} not"
    return Statement.plain(text, first & _GRID.negated(second))


def _only(line: _Line) -> Statement:
    """Return ``Only Anna and Ben have visited Rome``."""
    relation = line.world.relation
    if len(line.people) == 1 and len(line.items) > 1:
        text = f"{line.people[0]} {relation.singular} only {join_items(line.items)}"
    else:
        verb = relation.singular if len(line.people) == 1 else relation.plural
        text = f"only {join_items(line.people)} {verb} {line.items[0]}"
        if len(line.items) == len(line.people) == 1:
            text = f"the only {relation.noun} that {line.people[0]} {relation.singular} is {line.items[0]}"
            return _only_item(line, text)
    return Statement.plain(text, _GRID.all_of(line.inside) & _GRID.none_of(line.outside))


def _only_item(line: _Line, text: str) -> Statement:
    """Return the statement that the relation holds between a person and only one thing."""
    world = line.world
    person, item = world.people.index(line.people[0]), world.items.index(line.items[0])
    others = [world.holds(person, index) for index in range(_SIDE) if index != item]
    return Statement.plain(text, world.holds(person, item) & _GRID.none_of(others))


def _premise(rng: np.random.Generator, world: _World) -> Statement:
    build_statement = pick(rng, (_affirmed, _both, _denied, _disjoined, _exclusive, _divided, _only, _only))
    if build_statement in (_disjoined, _exclusive, _divided):
        return build_statement(_line(rng, world, (2,), 0.6))
    return build_statement(_line(rng, world, (1, 2) if build_statement is _only else (2, 3), 0.6))


def _negated(line: _Line) -> Statement:
    """Return ``Anna has not visited Rome``."""
    text = f"{line.people[0]} {line.world.relation.negated} {line.items[0]}"
    return Statement.plain(text, _GRID.negated(line.inside[0]))


_HYPOTHESES: tuple[tuple[Callable[[_Line], Statement], int], ...] = (
    (_affirmed, 1), (_affirmed, 1), (_negated, 1), (_negated, 1), (_both, 2), (_both, 2), (_denied, 2), (_disjoined, 2),
)  # fmt: skip
"""The forms of hypotheses, and the number of people or things that each is about."""


@maker("bool")
def boolean(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair with coordinated lists and *only*.

    ``Anna has visited only Rome and Oslo.`` entails ``Anna has not visited Lima.``.
    """
    relations, people = pick_some(rng, RELATIONS, len(NLI3)), pick_some(rng, PEOPLE, _SIDE * len(NLI3))
    (form, size), of_people = pick(rng, _HYPOTHESES), bool(rng.random() < 0.5)

    def draw(part_label: str, part: int) -> tuple[Sequence[str], str]:
        relation = relations[part]
        world = _World(relation, people[part * _SIDE :][:_SIDE], pick_some(rng, relation.items, _SIDE))
        line = _line(rng, world, (size,), 1.0)
        while size > 1 and (len(line.people) > 1) != of_people:
            line = _line(rng, world, (size,), 1.0)
        return _premises(rng, world, part_label, form(line))

    return join_parts(label, rng, draw)


def _premises(rng: np.random.Generator, world: _World, label: str, hypothesis: Statement) -> tuple[Sequence[str], str]:
    """Draw premises with which the hypothesis has the label, and return their texts and that of the hypothesis.

    They name everything that the hypothesis names, or a missing name would give away the label.
    """
    size = 2 if rng.random() < 0.6 else 1
    named = [name for name in (*world.people, *world.items) if name in hypothesis.text]
    while True:
        for premises in combinations([_premise(rng, world) for _ in range(_CANDIDATES)], size):
            if label_of(premises, hypothesis) != label or redundant(premises):
                continue
            texts = [statement.text for statement in premises]
            if hypothesis.text not in texts and all(name in " ".join(texts) for name in named):
                return texts, hypothesis.text
        size = 2
