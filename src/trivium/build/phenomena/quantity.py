"""Comparatives and counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.orders import LESS, MORE, SAME, Comparison, pick_chain
from trivium.build.phenomena.words import (
    CITIES,
    COLOURS,
    COUNTRIES,
    NUMBERS,
    PEOPLE,
    join_items,
    pick,
    pick_other,
    pick_some,
    sentence,
    sentences,
    shuffled,
)
from trivium.data.labels import NLI3

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class _Scale:
    """An adjective, its comparative, and the comparative of its antonym: tall, taller, shorter."""

    adjective: str
    more: str
    less: str


_OF_PEOPLE: tuple[_Scale, ...] = tuple(
    _Scale(*words.split(", "))
    for words in (
        "tall, taller, shorter", "old, older, younger", "heavy, heavier, lighter", "fast, faster, slower",
        "rich, richer, poorer", "strong, stronger, weaker", "patient, more patient, less patient",
        "careful, more careful, less careful", "polite, more polite, less polite", "busy, busier, less busy",
        "famous, more famous, less famous", "experienced, more experienced, less experienced",
    )
)  # fmt: skip
_OF_THINGS: tuple[_Scale, ...] = tuple(
    _Scale(*words.split(", "))
    for words in (
        "heavy, heavier, lighter", "wide, wider, narrower", "old, older, newer", "large, larger, smaller",
        "expensive, more expensive, cheaper", "long, longer, shorter", "clean, cleaner, dirtier",
    )
)  # fmt: skip
_THINGS: tuple[str, ...] = tuple("box table boat carpet bench curtain chest suitcase tent wagon basket crate".split())
_COMPARED = 5
"""Things that are compared. Fewer do not allow all labels of the claim that two things are the same."""
_NOT_MORE = "not more"
_LABELS = {
    (MORE, MORE): "entailment", (MORE, LESS): "contradiction", (MORE, SAME): "contradiction",
    (LESS, LESS): "entailment", (LESS, MORE): "contradiction", (LESS, SAME): "contradiction",
    (SAME, SAME): "entailment", (SAME, MORE): "contradiction", (SAME, LESS): "contradiction",
    (_NOT_MORE, LESS): "entailment", (_NOT_MORE, SAME): "entailment", (_NOT_MORE, MORE): "contradiction",
}  # fmt: skip
"""The label of a claim about two things, by the claim and the order of the things."""


def _compared(rng: np.random.Generator, scale: _Scale, comparison: Comparison) -> str:
    """Express a comparison in one of several ways: ``Anna is taller than Ben``."""
    left, relation, right = comparison
    if relation == SAME:
        adjective = scale.adjective
        return pick(
            rng, (f"{left} is exactly as {adjective} as {right}", f"{left} and {right} are equally {adjective}")
        )
    if relation == MORE:
        left, right = right, left
    forms = (f"{left} is {scale.less} than {right}", f"{right} is {scale.more} than {left}")
    return pick(rng, (*forms, *forms, f"{left} is not as {scale.adjective} as {right}"))


def _compared_names(rng: np.random.Generator) -> tuple[list[str], tuple[_Scale, ...]]:
    if rng.random() < 0.6:
        return pick_some(rng, PEOPLE, _COMPARED), _OF_PEOPLE
    thing = pick(rng, _THINGS)
    return [f"the {colour} {thing}" for colour in pick_some(rng, COLOURS, _COMPARED)], _OF_THINGS


@maker("comp")
def comparative(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about a chain of comparisons.

    ``Anna is taller than Ben. Ben is exactly as tall as Carl.`` entails ``Carl is shorter than Anna.``.
    """
    names, scales = _compared_names(rng)
    scale, claim = pick(rng, scales), pick(rng, (MORE, MORE, LESS, SAME, _NOT_MORE, _NOT_MORE))
    ties = 0.5 if claim == SAME else 0.25
    comparisons, first, second = pick_chain(
        rng, names, label, lambda order: _LABELS.get((claim, order), "neutral"), NLI3, ties
    )
    if claim == _NOT_MORE:
        hypothesis = f"{first} is not {scale.more} than {second}"
    else:
        hypothesis = _compared(rng, scale, Comparison(first, claim, second))
    texts = [_compared(rng, scale, comparison) for comparison in comparisons]
    if rng.random() < 0.25:
        # A distractor: two of the things compared on another scale.
        distractor = Comparison(names[0], pick(rng, (MORE, LESS)), names[1])
        texts.insert(int(rng.random() * (len(texts) + 1)), _compared(rng, pick_other(rng, scales, scale), distractor))
    return Pair(sentences(texts), sentence(hypothesis))


@dataclass(frozen=True)
class _Countable:
    """Things that can be counted: a verb that takes them as objects, their noun, and their names."""

    verb: str
    singular: str
    plural: str
    items: tuple[str, ...]


_COUNTABLES: tuple[_Countable, ...] = (
    _Countable("has met", "person", "people", PEOPLE),
    _Countable("has invited", "person", "people", PEOPLE),
    _Countable("has written to", "person", "people", PEOPLE),
    _Countable("has visited", "city", "cities", CITIES),
    _Countable("has visited", "country", "countries", COUNTRIES),
    _Countable("has lived in", "city", "cities", CITIES),
)
_UNBOUNDED = 99
_MAX_LISTED = 5
_LOWEST, _HIGHEST = 2, 10
"""The smallest and largest number in a premise. Those in hypotheses lie between, so that each label is possible."""

_RANGES = tuple((low, high) for low in range(_LOWEST, _HIGHEST) for high in range(low + 1, _HIGHEST + 1))


def _counted(rng: np.random.Generator, countable: _Countable, count: int, most: bool, least: bool) -> str:
    """Draw a phrase for at least (``least``), at most (``most``) or exactly (both) ``count`` things."""
    number, below, above = NUMBERS[count], NUMBERS[count - 1], NUMBERS[count + 1]
    if most and least:
        return f"exactly {number} {countable.plural}"
    if least:
        forms = (f"at least {number}", f"more than {below}") if count > 2 else (f"at least {number}",)
        return f"{pick(rng, forms)} {countable.plural}"
    return f"{pick(rng, (f'at most {number}', f'fewer than {above}', f'no more than {number}'))} {countable.plural}"


def _bounded(
    rng: np.random.Generator, countable: _Countable, who: str, people: Sequence[str], low: int, high: int
) -> str:
    """Draw a premise that bounds the number of things by a number, a list of names, or a sum.

    The list does not have the names of the ``people`` that the other premises are about.
    """
    most, least = high < _UNBOUNDED, low > 0
    count = low if least else high
    if least and low < high < _UNBOUNDED:
        return f"{who} {countable.verb} between {NUMBERS[low]} and {NUMBERS[high]} {countable.plural}"
    form = rng.random()
    if form < 0.4 or not least or count > _MAX_LISTED:
        return f"{who} {countable.verb} {_counted(rng, countable, count, most, least)}"
    names = [item for item in pick_some(rng, countable.items, count + len(people)) if item not in people][:count]
    if form < 0.75:
        if most:
            return f"{who} {countable.verb} {join_items(names)}, but no other {countable.singular}"
        return f"{who} {countable.verb} {join_items(names)}, and perhaps other {countable.plural}"
    part = 1 + int(rng.random() * (count - 1))
    if countable.singular == "person":
        parts = [_number(part, "man", "men"), _number(count - part, "woman", "women")]
    else:
        parts = [*names[:part], _number(count - part, f"other {countable.singular}", f"other {countable.plural}")]
    rest = f"but no further {countable.singular}" if most else f"and perhaps more {countable.plural}"
    return f"{who} {countable.verb} {join_items(parts)}, {rest}"


def _number(count: int, singular: str, plural: str) -> str:
    return f"{NUMBERS[count]} {singular if count == 1 else plural}"


def _bounds(rng: np.random.Generator, lowest: int, highest: int) -> tuple[int, int]:
    """Draw the lower and upper bound of a hypothesis: an exact number, a lower bound only, or an upper bound only."""
    low = lowest + int(rng.random() * (highest - lowest + 1))
    form = rng.random()
    return (low, low) if form < 0.3 else (low, _UNBOUNDED) if form < 0.65 else (0, low)


def _premise_bounds(rng: np.random.Generator) -> tuple[int, int]:
    """Draw the lower and upper bound of a premise, which may also be a range."""
    low, high = _bounds(rng, _LOWEST, _HIGHEST)
    if rng.random() < 0.25:
        return pick(rng, _RANGES)
    return low, high


_Bounds = tuple[int, int]


def _relation(premise: _Bounds, hypothesis: _Bounds) -> str:
    """Return the relation of two bounds."""
    if premise[0] >= hypothesis[0] and premise[1] <= hypothesis[1]:
        return "entailment"
    return "contradiction" if premise[0] > hypothesis[1] or premise[1] < hypothesis[0] else "neutral"


def _how_many(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about the number of things.

    ``Anna has met Ben and Carl, and no other person.`` contradicts ``Anna has met at least three people.``.

    The premise is about three people. Each label is that of the same hypothesis about one of them.
    """
    countable, people = pick(rng, _COUNTABLES), pick_some(rng, PEOPLE, len(NLI3))
    low, high = _bounds(rng, _LOWEST + 1, _HIGHEST - 1)
    if low > _MAX_LISTED:
        high = _UNBOUNDED  # an exact number follows only from a list
    bounds: dict[str, _Bounds] = {}
    while len(bounds) < len(NLI3):
        drawn = _premise_bounds(rng)
        bounds[_relation(drawn, (low, high))] = drawn
    claim = _counted(rng, countable, low or high, high < _UNBOUNDED, low > 0)
    clauses = []
    for who, name in zip(people, NLI3.names, strict=True):
        clause = same = f"{who} {countable.verb} {claim}"
        while clause == same:
            clause = _bounded(rng, countable, who, people, *bounds[name])
        clauses.append(clause)
    hypothesis = f"{people[NLI3.names.index(label)]} {countable.verb} {claim}"
    return Pair(sentences(shuffled(rng, clauses)), sentence(hypothesis))


def _which(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about the items of a list.

    ``Anna has met Ben, Carl and one other person, but no further person.`` contradicts ``Anna has met Dora and Eve.``.
    """
    countable, who = pick(rng, _COUNTABLES), pick(rng, PEOPLE)
    named, others = 3 + int(rng.random() * 2), 1 + int(rng.random() * 2)
    claimed = others + 1
    new = {"entailment": 0, "neutral": 1 + int(rng.random() * others), "contradiction": claimed}[label]
    items = [item for item in pick_some(rng, countable.items, named + claimed + 1) if item != who]
    known, unknown = items[:named], items[named:]
    claims = [*pick_some(rng, known, claimed - new), *unknown[:new]]
    other = _number(others, f"other {countable.singular}", f"other {countable.plural}")
    premise = f"{who} {countable.verb} {join_items([*known, other])}, but no further {countable.singular}"
    return Pair(sentence(premise), sentence(f"{who} {countable.verb} {join_items(shuffled(rng, claims))}"))


@maker("cont")
def counting(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about a number of things, or about the items of a list."""
    return _how_many(label, rng) if rng.random() < 0.75 else _which(label, rng)
