"""Negation by *not*, *never*, *nobody* and *all but one*: what it denies and what it leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import join_parts
from trivium.build.phenomena.relations import RELATIONS, Relation
from trivium.build.phenomena.truth_tables import Statement, atoms, label_of
from trivium.build.phenomena.words import PEOPLE, join_items, pick, pick_some
from trivium.data.labels import NLI3

if TYPE_CHECKING:
    import numpy as np

_PEOPLE, _ITEMS = 4, 2
_FORMS = 6
_ATOMS = atoms(_PEOPLE * _ITEMS)
_GROUPS: tuple[str, ...] = (
    "are cousins", "are colleagues", "share a flat", "are neighbours", "work in the same office", "run a shop together",
    "sing in the same choir", "are on the same team", "went to school together", "are old friends",
)  # fmt: skip


@dataclass(frozen=True)
class _World:
    """Four people, two things, and a relation that may hold between each person and each thing."""

    relation: Relation
    people: Sequence[str]
    items: Sequence[str]

    def column(self, item: int) -> Sequence[int]:
        """Return the truth tables of all four people for one thing."""
        return _ATOMS.columns[item * _PEOPLE : (item + 1) * _PEOPLE]

    def affirmative(self, person: int, item: int) -> str:
        """Return an affirmative clause: ``Anna has visited Rome``."""
        return f"{self.people[person]} {self.relation.singular} {self.items[item]}"

    def negative(self, person: int, item: int) -> str:
        """Return a negative clause: ``Anna has not visited Rome``."""
        return f"{self.people[person]} {self.relation.negated} {self.items[item]}"


def _never(world: _World, person: int, item: int) -> str:
    """Return ``Anna has never visited Rome``, or a clause with *not* if the verb is in another tense."""
    return world.negative(person, item).replace("has not", "has never")


def _about_one(rng: np.random.Generator, world: _World, person: int, item: int) -> Statement:
    """Draw a statement about one person and one thing, with up to two negations."""
    return _in_form(world, person, item, int(rng.random() * _FORMS))


def _in_form(world: _World, person: int, item: int, form: int) -> Statement:
    """Return a statement about one person and one thing in one of several forms."""
    table, affirmative, negative = (
        world.column(item)[person],
        world.affirmative(person, item),
        world.negative(person, item),
    )
    affirmed = (affirmative, f"it is not true that {negative}", f"it is false that {negative}")
    denied = (negative, _never(world, person, item), f"it is not true that {affirmative}")
    if form < len(affirmed):
        return Statement.plain(affirmed[form], table)
    return Statement.plain(denied[form - len(affirmed)], _ATOMS.negated(table))


def _about_two(rng: np.random.Generator, world: _World, person: int, item: int) -> Statement:
    """Draw a statement that contrasts one person with another, or one thing with the other."""
    other, second = (person + 1 + int(rng.random() * (_PEOPLE - 1))) % _PEOPLE, 1 - item
    table, contrast, rest = world.column(item)[person], world.column(item)[other], world.column(second)[person]
    name, relation, negated = world.people[other], world.relation, _ATOMS.negated
    affirmative, negative = world.affirmative(person, item), world.negative(person, item)
    forms = (
        (f"{affirmative}, but {name} {relation.auxiliary} not", table & negated(contrast)),
        (f"{negative}, but {name} {relation.auxiliary}", negated(table) & contrast),
        (f"{negative}, and neither {relation.auxiliary} {name}", negated(table) & negated(contrast)),
        (f"{affirmative}, but not {world.items[second]}", table & negated(rest)),
        (f"unlike {name}, {negative}", negated(table) & contrast),
        (f"unlike {name}, {affirmative}", table & negated(contrast)),
    )
    return Statement.plain(*pick(rng, forms))


def _about_all(rng: np.random.Generator, world: _World, members: Sequence[int], item: int) -> Statement:
    """Draw a statement about all members of a group, who are named in the preceding sentence."""
    person = pick(rng, members)
    name, thing, relation = world.people[person], world.items[item], world.relation
    column, negated = [world.column(item)[member] for member in members], _ATOMS.negated
    others = [world.column(item)[member] for member in members if member != person]
    holds = world.column(item)[person]
    only, except_ = holds & _ATOMS.none_of(others), negated(holds) & _ATOMS.all_of(others)
    forms = (
        (f"all of them but {name} {relation.plural} {thing}", except_),
        (f"all of them {relation.plural} {thing}, except for {name}, who {relation.auxiliary} not", except_),
        (f"none of them but {name} {relation.singular} {thing}", only),
        (f"{world.affirmative(person, item)}, but nobody else among them {relation.auxiliary}", only),
        (f"not one of them {relation.singular} {thing}", _ATOMS.none_of(column)),
        (f"none of them {relation.singular} {thing}", _ATOMS.none_of(column)),
    )
    if rng.random() < 0.2:
        table = negated(_ATOMS.all_of(column))
        return Statement(f"not all of them {relation.plural} {thing}", table, table & _ATOMS.any_of(column))
    return Statement.plain(*pick(rng, forms))


def _about_group(rng: np.random.Generator, world: _World) -> list[Statement]:
    """Draw a sentence that names the members of a group (all four people or three), and a statement about them."""
    members = pick_some(rng, range(_PEOPLE), _PEOPLE)
    if rng.random() < 0.1:
        members.remove(0)
    group = f"{join_items([world.people[member] for member in members])} {pick(rng, _GROUPS)}"
    return [Statement.plain(group, _ATOMS.full), _about_all(rng, world, members, int(rng.random() < 0.15))]


def _about_few(rng: np.random.Generator, world: _World) -> list[Statement]:
    """Draw one or two statements, each about one or two people."""
    person = 0 if rng.random() < 0.5 else int(rng.random() * _PEOPLE)
    item = int(rng.random() < 0.25)
    first = pick(rng, (_about_one, _about_two, _about_two))(rng, world, person, item)
    second = pick(rng, (_about_one, _about_two))(rng, world, int(rng.random() * _PEOPLE), 1 - item)
    return [first] if rng.random() < 0.4 else pick_some(rng, [first, second], 2)


@maker("negat")
def negation(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose premises contain negations.

    ``Anna, Ben and Carl are cousins. All of them but Carl speak Welsh.`` contradicts ``Carl speaks Welsh.``.
    """
    relations, people = pick_some(rng, RELATIONS, len(NLI3)), pick_some(rng, PEOPLE, _PEOPLE * len(NLI3))
    form, draw_premises = int(rng.random() * _FORMS), _about_group if rng.random() < 0.5 else _about_few

    def draw(part_label: str, part: int) -> tuple[Sequence[str], str]:
        relation = relations[part]
        world = _World(relation, people[part * _PEOPLE :][:_PEOPLE], pick_some(rng, relation.items, _ITEMS))
        hypothesis = _in_form(world, 0, 0, form)
        while True:
            premises = draw_premises(rng, world)
            texts = [premise.text for premise in premises]
            named = draw_premises is _about_group or world.people[0] in " ".join(texts)
            if named and hypothesis.text not in texts and label_of(premises, hypothesis) == part_label:
                return texts, hypothesis.text

    return join_parts(label, rng, draw)
