"""How much and how many: comparatives in chains, and counting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.orders import LESS, MORE, OPEN, SAME, Step, chain
from trivium.build.phenomena.words import (
    CITIES,
    COLOURS,
    COUNTRIES,
    NUMBERS,
    PEOPLE,
    listed,
    pick,
    pick_other,
    pick_some,
    sentence,
    sentences,
)


@dataclass(frozen=True)
class _Scale:
    """An adjective, its comparative, and the comparative of its contrary: tall, taller, shorter."""

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
"""A hypothesis on how the first stands to the second, a label, and the orders of the two that give it."""


def _compared(rng: np.random.Generator, scale: _Scale, step: Step) -> str:
    """``Anna is taller than Ben``, and other ways to say so."""
    left, relation, right = step
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
    """``Anna is taller than Ben. Ben is exactly as tall as Carl.`` entails ``Carl is shorter than Anna.``."""
    names, scales = _compared_names(rng)
    scale = pick(rng, scales)
    first, second = names[:2]
    claim = pick(rng, (MORE, MORE, LESS, SAME, "not more", "not more"))
    if claim == "not more":
        hypothesis = f"{first} is not {scale.more} than {second}"
    else:
        hypothesis = _compared(rng, scale, Step(first, claim, second))
    order = OPEN if label == "neutral" else pick(rng, _ORDERS[claim, label])
    texts = [_compared(rng, scale, step) for step in chain(rng, names, order)]
    if rng.random() < 0.25:
        # A comparison of the same two in another respect: of no help, and it must not be taken for one.
        step = Step(first, pick(rng, (MORE, LESS)), second)
        texts.insert(int(rng.random() * (len(texts) + 1)), _compared(rng, pick_other(rng, scales, scale), step))
    return Pair(sentences(texts), sentence(hypothesis))


@dataclass(frozen=True)
class _Countable:
    """What is counted: what one has done with it, and the things there are, by name."""

    verb: str
    one: str
    many: str
    items: tuple[str, ...]


_COUNTABLES: tuple[_Countable, ...] = (
    _Countable("has met", "person", "people", PEOPLE),
    _Countable("has invited", "person", "people", PEOPLE),
    _Countable("has written to", "person", "people", PEOPLE),
    _Countable("has visited", "city", "cities", CITIES),
    _Countable("has visited", "country", "countries", COUNTRIES),
    _Countable("has lived in", "city", "cities", CITIES),
)
_MANY = 99
_LOWEST, _HIGHEST = 2, 10
"""What a premise may say; a hypothesis stays between, so that each label has a premise."""

_RANGES = tuple((low, high) for low in range(_LOWEST, _HIGHEST) for high in range(low + 1, _HIGHEST + 1))


def _counted(rng: np.random.Generator, kind: _Countable, count: int, most: bool, least: bool) -> str:
    """A phrase for at least, at most or exactly so many."""
    number, below, above = NUMBERS[count], NUMBERS[count - 1], NUMBERS[count + 1]
    if most and least:
        return f"exactly {number} {kind.many}"
    if least:
        forms = (f"at least {number}", f"more than {below}") if count > 2 else (f"at least {number}",)
        return f"{pick(rng, forms)} {kind.many}"
    return f"{pick(rng, (f'at most {number}', f'fewer than {above}', f'no more than {number}'))} {kind.many}"


def _bounded(rng: np.random.Generator, kind: _Countable, who: str, low: int, high: int) -> str:
    """A premise that says that the number lies between the bounds: by a number, by a list, or by a sum."""
    most, least = high < _MANY, low > 0
    count = low if least else high
    if least and low < high < _MANY:
        return f"{who} {kind.verb} between {NUMBERS[low]} and {NUMBERS[high]} {kind.many}"
    form = rng.random()
    if form < 0.4 or not least:
        return f"{who} {kind.verb} {_counted(rng, kind, count, most, least)}"
    names = pick_some(rng, [item for item in pick_some(rng, kind.items, count + 1) if item != who], count)
    if form < 0.75:
        if most:
            return f"{who} {kind.verb} {listed(names)}, but no other {kind.one}"
        return f"{who} {kind.verb} {listed(names)}, and perhaps other {kind.many}"
    part = 1 + int(rng.random() * (count - 1))
    if kind.one == "person":
        parts = [_number(part, "man", "men"), _number(count - part, "woman", "women")]
    else:
        parts = [*names[:part], _number(count - part, f"other {kind.one}", f"other {kind.many}")]
    rest = f"but no further {kind.one}" if most else f"and perhaps more {kind.many}"
    return f"{who} {kind.verb} {listed(parts)}, {rest}"


def _number(count: int, one: str, many: str) -> str:
    return f"{NUMBERS[count]} {one if count == 1 else many}"


def _bounds(rng: np.random.Generator, lowest: int, highest: int) -> tuple[int, int]:
    """The least and the most of a hypothesis: an exact number, a lower or an upper bound."""
    low = lowest + int(rng.random() * (highest - lowest + 1))
    kind = rng.random()
    return (low, low) if kind < 0.3 else (low, _MANY) if kind < 0.65 else (0, low)


def _given(rng: np.random.Generator) -> tuple[int, int]:
    """The least and the most of a premise, which may be a range besides."""
    low, high = _bounds(rng, _LOWEST, _HIGHEST)
    if rng.random() < 0.25:
        return pick(rng, _RANGES)
    return low, high


def _how_many(label: str, rng: np.random.Generator) -> Pair:
    """``Anna has met Ben and Carl, and no other person.`` contradicts ``Anna has met at least three people.``."""
    kind, who = pick(rng, _COUNTABLES), pick(rng, PEOPLE)
    low, high = _bounds(rng, _LOWEST + 1, _HIGHEST - 1)
    hypothesis = f"{who} {kind.verb} {_counted(rng, kind, low or high, high < _MANY, low > 0)}"
    while True:
        given_low, given_high = _given(rng)
        if given_low >= low and given_high <= high:
            found = "entailment"
        else:
            found = "contradiction" if given_low > high or given_high < low else "neutral"
        premise = _bounded(rng, kind, who, given_low, given_high) if found == label else hypothesis
        if premise != hypothesis:
            return Pair(sentence(premise), sentence(hypothesis))


def _which(label: str, rng: np.random.Generator) -> Pair:
    """``Anna has met only two people.`` contradicts ``Anna has met Ben, Carl and Dora.``."""
    kind, who = pick(rng, _COUNTABLES), pick(rng, PEOPLE)
    count = 2 + int(rng.random() * 4)
    others = [item for item in pick_some(rng, kind.items, count + 6) if item != who]
    names, more = others[:count], others[count:]
    extra = more[: 1 + int(rng.random() * 3)]
    hypothesis = f"{who} {kind.verb} {listed(names)}"
    mixed = pick_some(rng, names + extra, len(names + extra))
    lacking = pick_some(rng, [*names[1:], *extra, more[4]], len(names + extra))
    over, under = NUMBERS[count + int(rng.random() * 3)], 1 + int(rng.random() * (count - 1))
    closed, open_end = f"but no other {kind.one}", f"and perhaps other {kind.many}"
    numbered = rng.random() < 0.3
    premises = {
        "entailment": (f"{listed(mixed)}, {open_end}", f"{listed(mixed)}, {closed}"),
        "neutral": (f"only {over} {kind.many}" if numbered else f"{listed(lacking)}, {open_end}",),
        "contradiction": (
            f"only {_number(under, kind.one, kind.many)}" if numbered else f"{listed(lacking)}, {closed}",
        ),
    }
    return Pair(sentence(f"{who} {kind.verb} {pick(rng, premises[label])}"), sentence(hypothesis))


@maker("cont")
def counting(label: str, rng: np.random.Generator) -> Pair:
    """How many there are of a list, and whether so many can be."""
    return _how_many(label, rng) if rng.random() < 0.75 else _which(label, rng)
