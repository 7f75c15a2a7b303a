"""Comparatives and counting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.orders import LESS, MORE, OPEN, SAME, Comparison, chain
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
)

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
_ORDERS = {
    (MORE, "entailment"): (MORE,), (MORE, "contradiction"): (LESS, LESS, SAME),
    (LESS, "entailment"): (LESS,), (LESS, "contradiction"): (MORE, MORE, SAME),
    (SAME, "entailment"): (SAME,), (SAME, "contradiction"): (MORE, LESS),
    ("not more", "entailment"): (LESS, LESS, SAME), ("not more", "contradiction"): (MORE,),
}  # fmt: skip
"""The possible orders of two things, by the claim of the hypothesis about them and its label."""


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
    count = 3 + int(rng.random() * 3)
    if rng.random() < 0.6:
        return pick_some(rng, PEOPLE, count), _OF_PEOPLE
    thing = pick(rng, _THINGS)
    return [f"the {colour} {thing}" for colour in pick_some(rng, COLOURS, count)], _OF_THINGS


@maker("comp")
def comparative(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about a chain of comparisons.

    ``Anna is taller than Ben. Ben is exactly as tall as Carl.`` entails ``Carl is shorter than Anna.``.
    """
    names, scales = _compared_names(rng)
    scale = pick(rng, scales)
    first, second = names[:2]
    claim = pick(rng, (MORE, MORE, LESS, SAME, "not more", "not more"))
    if claim == "not more":
        hypothesis = f"{first} is not {scale.more} than {second}"
    else:
        hypothesis = _compared(rng, scale, Comparison(first, claim, second))
    order = OPEN if label == "neutral" else pick(rng, _ORDERS[claim, label])
    texts = [_compared(rng, scale, comparison) for comparison in chain(rng, names, order)]
    if rng.random() < 0.25:
        # A distractor: the same two things compared on another scale.
        distractor = Comparison(first, pick(rng, (MORE, LESS)), second)
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


def _bounded(rng: np.random.Generator, countable: _Countable, who: str, low: int, high: int) -> str:
    """Draw a premise that bounds the number of things by a number, a list of names, or a sum."""
    most, least = high < _UNBOUNDED, low > 0
    count = low if least else high
    if least and low < high < _UNBOUNDED:
        return f"{who} {countable.verb} between {NUMBERS[low]} and {NUMBERS[high]} {countable.plural}"
    form = rng.random()
    if form < 0.4 or not least:
        return f"{who} {countable.verb} {_counted(rng, countable, count, most, least)}"
    names = pick_some(rng, [item for item in pick_some(rng, countable.items, count + 1) if item != who], count)
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


def _how_many(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about the number of things.

    ``Anna has met Ben and Carl, and no other person.`` contradicts ``Anna has met at least three people.``.
    """
    countable, who = pick(rng, _COUNTABLES), pick(rng, PEOPLE)
    low, high = _bounds(rng, _LOWEST + 1, _HIGHEST - 1)
    hypothesis = f"{who} {countable.verb} {_counted(rng, countable, low or high, high < _UNBOUNDED, low > 0)}"
    while True:
        premise_low, premise_high = _premise_bounds(rng)
        if premise_low >= low and premise_high <= high:
            relation = "entailment"
        else:
            relation = "contradiction" if premise_low > high or premise_high < low else "neutral"
        premise = _bounded(rng, countable, who, premise_low, premise_high) if relation == label else hypothesis
        if premise != hypothesis:
            return Pair(sentence(premise), sentence(hypothesis))


def _which(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about the items of a list.

    ``Anna has met only two people.`` contradicts ``Anna has met Ben, Carl and Dora.``.
    """
    countable, who = pick(rng, _COUNTABLES), pick(rng, PEOPLE)
    count = 2 + int(rng.random() * 4)
    others = [item for item in pick_some(rng, countable.items, count + 6) if item != who]
    names, unnamed = others[:count], others[count:]
    extra = unnamed[: 1 + int(rng.random() * 3)]
    hypothesis = f"{who} {countable.verb} {join_items(names)}"
    mixed = pick_some(rng, names + extra, len(names + extra))
    lacking = pick_some(rng, [*names[1:], *extra, unnamed[4]], len(names + extra))
    enough, too_few = NUMBERS[count + int(rng.random() * 3)], 1 + int(rng.random() * (count - 1))
    closed, open_ended = f"but no other {countable.singular}", f"and perhaps other {countable.plural}"
    numbered = rng.random() < 0.3
    premises = {
        "entailment": (f"{join_items(mixed)}, {open_ended}", f"{join_items(mixed)}, {closed}"),
        "neutral": (f"only {enough} {countable.plural}" if numbered else f"{join_items(lacking)}, {open_ended}",),
        "contradiction": (
            f"only {_number(too_few, countable.singular, countable.plural)}"
            if numbered
            else f"{join_items(lacking)}, {closed}",
        ),
    }
    return Pair(sentence(f"{who} {countable.verb} {pick(rng, premises[label])}"), sentence(hypothesis))


@maker("cont")
def counting(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about a number of things, or about the items of a list."""
    return _how_many(label, rng) if rng.random() < 0.75 else _which(label, rng)
