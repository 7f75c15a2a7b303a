"""Not, never, nobody, all but one: what they deny and what they leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.relations import Relation, pick_relation
from trivium.build.phenomena.tables import Statement, atoms, label_of
from trivium.build.phenomena.words import PEOPLE, listed, pick, pick_some, sentence, sentences

_PEOPLE, _ITEMS = 4, 2
_ATOMS = atoms(_PEOPLE * _ITEMS)
_GROUPS: tuple[str, ...] = (
    "are cousins", "are colleagues", "share a flat", "are neighbours", "work in the same office", "run a shop together",
    "sing in the same choir", "are on the same team", "went to school together", "are old friends",
)  # fmt: skip


@dataclass(frozen=True)
class _World:
    """Four people, two things, and what each of the four may have done with each of the two."""

    relation: Relation
    people: Sequence[str]
    items: Sequence[str]

    def column(self, item: int) -> Sequence[int]:
        """The tables of the four people for one thing."""
        return _ATOMS.columns[item * _PEOPLE : (item + 1) * _PEOPLE]

    def says(self, person: int, item: int) -> str:
        """``Anna has visited Rome``."""
        return f"{self.people[person]} {self.relation.one} {self.items[item]}"

    def denies(self, person: int, item: int) -> str:
        """``Anna has not visited Rome``."""
        return f"{self.people[person]} {self.relation.not_one} {self.items[item]}"


def _never(world: _World, person: int, item: int) -> str:
    """``Anna has never visited Rome``; not, where the verb is in another tense."""
    return world.denies(person, item).replace("has not", "has never")


def _of_one(rng: np.random.Generator, world: _World, person: int, item: int) -> Statement:
    """A statement on one of the people and one of the things, with one, two or no negations."""
    table, says, denies = world.column(item)[person], world.says(person, item), world.denies(person, item)
    form = int(rng.random() * 6)
    affirmed = (says, f"it is not true that {denies}", f"it is false that {denies}")
    denied = (denies, _never(world, person, item), f"it is not true that {says}")
    if form < 3:
        return Statement.plain(affirmed[form], table)
    return Statement.plain(denied[form - 3], _ATOMS.negated(table))


def _of_two(rng: np.random.Generator, world: _World, person: int, item: int) -> Statement:
    """A statement that sets one of the people against another, or one of the things against the other."""
    other, second = (person + 1 + int(rng.random() * (_PEOPLE - 1))) % _PEOPLE, 1 - item
    table, contrast, rest = world.column(item)[person], world.column(item)[other], world.column(second)[person]
    name, relation, negated = world.people[other], world.relation, _ATOMS.negated
    says, denies = world.says(person, item), world.denies(person, item)
    forms = (
        (f"{says}, but {name} {relation.helper} not", table & negated(contrast)),
        (f"{denies}, but {name} {relation.helper}", negated(table) & contrast),
        (f"{denies}, and neither {relation.helper} {name}", negated(table) & negated(contrast)),
        (f"{says}, but not {world.items[second]}", table & negated(rest)),
        (f"unlike {name}, {denies}", negated(table) & contrast),
        (f"unlike {name}, {says}", table & negated(contrast)),
    )
    return Statement.plain(*pick(rng, forms))


def _of_all(rng: np.random.Generator, world: _World, members: Sequence[int], item: int) -> Statement:
    """A statement on all of the members, who are named in a sentence before it."""
    person = pick(rng, members)
    name, thing, relation = world.people[person], world.items[item], world.relation
    column, negated = [world.column(item)[member] for member in members], _ATOMS.negated
    others = [world.column(item)[member] for member in members if member != person]
    mine = world.column(item)[person]
    alone, exempt = mine & _ATOMS.none_of(others), negated(mine) & _ATOMS.all_of(others)
    forms = (
        (f"all of them but {name} {relation.many} {thing}", exempt),
        (f"all of them {relation.many} {thing}, except for {name}, who {relation.helper} not", exempt),
        (f"none of them but {name} {relation.one} {thing}", alone),
        (f"{world.says(person, item)}, but nobody else among them {relation.helper}", alone),
        (f"not one of them {relation.one} {thing}", _ATOMS.none_of(column)),
        (f"none of them {relation.one} {thing}", _ATOMS.none_of(column)),
    )
    if rng.random() < 0.2:
        table = negated(_ATOMS.all_of(column))
        return Statement(f"not all of them {relation.many} {thing}", table, table & _ATOMS.any_of(column))
    return Statement.plain(*pick(rng, forms))


def _of_group(rng: np.random.Generator, world: _World) -> list[Statement]:
    """Who belongs to a group, all four or the last three of them, and a statement on the group."""
    members = pick_some(rng, range(_PEOPLE), _PEOPLE)
    if rng.random() < 0.1:
        members.remove(0)
    group = f"{listed([world.people[member] for member in members])} {pick(rng, _GROUPS)}"
    return [Statement.plain(group, _ATOMS.full), _of_all(rng, world, members, int(rng.random() < 0.15))]


def _of_few(rng: np.random.Generator, world: _World) -> list[Statement]:
    """One or two statements on one or two people each."""
    person = 0 if rng.random() < 0.5 else int(rng.random() * _PEOPLE)
    item = int(rng.random() < 0.25)
    first = pick(rng, (_of_one, _of_two, _of_two))(rng, world, person, item)
    second = pick(rng, (_of_one, _of_two))(rng, world, int(rng.random() * _PEOPLE), 1 - item)
    return [first] if rng.random() < 0.4 else pick_some(rng, [first, second], 2)


@maker("negat")
def negation(label: str, rng: np.random.Generator) -> Pair:
    """``Anna, Ben and Carl are cousins. All of them but Carl speak Welsh.`` contradicts ``Carl speaks Welsh.``."""
    relation = pick_relation(rng)
    world = _World(relation, pick_some(rng, PEOPLE, _PEOPLE), pick_some(rng, relation.items, _ITEMS))
    hypothesis = _of_one(rng, world, 0, 0)
    draw = _of_group if rng.random() < 0.5 else _of_few
    while True:
        premises = draw(rng, world)
        texts = [one.text for one in premises]
        named = draw is _of_group or world.people[0] in " ".join(texts)
        if named and hypothesis.text not in texts and label_of(premises, hypothesis) == label:
            return Pair(sentences(texts), sentence(hypothesis.text))
