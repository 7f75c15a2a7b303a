"""Temporal order: chains of events, days and years, beginnings and ends."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import pick_from_square
from trivium.build.phenomena.orders import LESS, MORE, SAME, Comparison, pick_chain
from trivium.build.phenomena.words import (
    DAYS,
    NUMBERS,
    PEOPLE,
    pick,
    pick_other,
    pick_some,
    sentence,
    sentences,
    shuffled,
)
from trivium.data.labels import NLI2

if TYPE_CHECKING:
    import numpy as np

_EVENTS: tuple[str, ...] = tuple(
    f"the {event}"
    for event in "wedding, funeral, lecture, concert, auction, parade, exam, fire drill, interview, dinner, rehearsal, "
    "football match, meeting, picnic, inspection, debate, press conference, eclipse, election, prize-giving, storm, "
    "boat race, tea break, thunderstorm, power cut, earthquake, art class, trial, party, vote".split(", ")
)
_LASTING: tuple[str, ...] = tuple(
    f"the {event}" for event in "lecture, concert, exam, interview, rehearsal, football match, meeting, debate, "
    "press conference, art class, boat race, film, play, workshop, guided tour, chess game, auction, parade".split(", ")
)  # fmt: skip
_ACTIONS: tuple[tuple[str, str], ...] = tuple(
    (verb, object_)
    for verb, objects in {
        "visited": "the dentist, the museum, the zoo, the bank, the castle, the embassy",
        "painted": "the fence, the kitchen, the garage, the shed",
        "repaired": "the roof, the bicycle, the washing machine, the gate",
        "phoned": "the landlord, the doctor, the plumber, the school",
        "sold": "the car, the piano, the boat, the tent",
    }.items()
    for object_ in objects.split(", ")
)


def _ordered(rng: np.random.Generator, comparison: Comparison) -> str:
    """Express a temporal order in either direction: ``The dinner was after the lecture``."""
    left, relation, right = comparison
    if relation == SAME:
        return pick(rng, (f"{left} took place at the same time as {right}", f"{right} coincided with {left}"))
    if rng.random() < 0.5:
        left, right, relation = right, left, LESS if relation == MORE else MORE
    verb = pick(rng, ("took place", "was", "happened"))
    return f"{left} {verb} {'after' if relation == MORE else 'before'} {right}"


def _in_chain(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about a chain of events.

    ``The dinner was after the lecture. The vote was before the lecture.`` entails ``The dinner was after the vote.``.
    """
    names, claim = pick_some(rng, _EVENTS, 4 + int(rng.random() * 2)), pick(rng, (MORE, LESS))
    comparisons, first, second = pick_chain(
        rng, names, label, lambda order: "entailed" if order == claim else "not-entailed", NLI2, ties=0.2
    )
    texts = [_ordered(rng, comparison) for comparison in comparisons]
    return Pair(sentences(texts), sentence(_ordered(rng, Comparison(first, claim, second))))


def _on_days(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about days of the week.

    ``Anna sold the car on Monday and saw the zoo a day later.`` entails ``Anna saw the zoo on Tuesday.``.
    """
    who, actions = pick(rng, PEOPLE), pick_some(rng, _ACTIONS, 2)
    claimed, shift, later = int(rng.random() * 7), 1 + int(rng.random() * 4), rng.random() < 0.5
    day = claimed if label == "entailed" else pick_other(rng, range(7), claimed)
    known = DAYS[(day - shift if later else day + shift) % 7]
    gap = f"{NUMBERS[shift]} days"
    if shift == 1:
        then = pick(rng, ("the day after", "the next day")) if later else "the day before"
    else:
        then = pick(rng, (f"{gap} after that", f"{gap} later")) if later else f"{gap} before that"
    first, second = (" ".join(action) for action in actions)
    forms = (f"{who} {first} on {known} and {second} {then}", f"on {known}, {who} {first}, and {then}, {who} {second}")
    return Pair(sentence(pick(rng, forms)), sentence(f"{who} {second} on {DAYS[claimed]}"))


def _in_years(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about years.

    ``Anna was born in 1950. Ben was born three years later.`` entails ``Ben was born in 1953.``.
    """
    (first, second, third), shift = pick_some(rng, PEOPLE, 3), [2 + int(rng.random() * 8) for _ in range(2)]
    claimed = 1930 + int(rng.random() * 70)
    event = pick(rng, ("was born", "got married", "moved to Canada", "left school", "learned to drive", "retired"))
    year = claimed if label == "entailed" else claimed + pick(rng, (-3, -2, -1, 1, 2, 3))
    sign = pick(rng, (1, -1))
    first_year = year - sign * shift[0]
    texts = [f"{second} {event} {NUMBERS[shift[0]]} years {'after' if sign > 0 else 'before'} {first}"]
    if rng.random() < 0.5:
        other_sign = pick(rng, (1, -1))
        texts.append(f"{third} {event} in {first_year - other_sign * shift[1]}")
        texts.append(f"{first} {event} {NUMBERS[shift[1]]} years {'after' if other_sign > 0 else 'before'} {third}")
    else:
        texts.append(f"{first} {event} in {first_year}")
    return Pair(sentences(pick_some(rng, texts, len(texts))), sentence(f"{second} {event} in {claimed}"))


def _before(rng: np.random.Generator, first: str, first_point: str, second: str, second_point: str) -> str:
    """Return a clause that puts the start or end of one event before the start or end of another."""
    earlier, later = f"{first} {first_point}", f"{second} {second_point}"
    return pick(rng, (f"{earlier} before {later}", f"{later} after {earlier}"))


_PRECEDENCES = tuple(product((0, 1), ("started", "ended"), ("started", "ended")))
"""Which of two events has a point, its start or its end, before which point of the other event."""


def _label_of(premise: tuple[int, str, str], hypothesis: tuple[int, str, str]) -> str | None:
    """Return the label of a precedence; None if it is the same.

    An event starts before it ends. So an event that ends before a point also starts before it, and an event that starts
    after a point also ends after it.
    """
    if premise == hypothesis:
        return None
    first_follows = hypothesis[1] == "started" or premise[1] == "ended"
    second_follows = hypothesis[2] == "ended" or premise[2] == "started"
    return "entailed" if premise[0] == hypothesis[0] and first_follows and second_follows else "not-entailed"


def _with_ends(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about the beginnings and ends of two events.

    ``The exam ended before the film started.`` entails ``The exam started before the film ended.``.
    """
    events, found = pick_some(rng, _LASTING, 2), None
    while found is None:
        found = pick_from_square(label, rng, pick_some(rng, _PRECEDENCES, 4), shuffled(rng, _PRECEDENCES), _label_of)
    premise, hypothesis = (
        _before(rng, events[first], first_point, events[1 - first], second_point)
        for first, first_point, second_point in found
    )
    return Pair(sentence(premise), sentence(hypothesis))


@maker("temp")
def temporal(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair about a chain of events, days of the week, years, or beginnings and ends."""
    return pick(rng, (_in_chain, _in_chain, _on_days, _in_years, _with_ends))(label, rng)
