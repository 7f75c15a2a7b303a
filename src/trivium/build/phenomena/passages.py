"""Discrete reasoning: sums, differences, comparisons and counts over the figures of a passage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import pick_match
from trivium.build.phenomena.words import (
    CITIES,
    DAYS,
    NUMBERS,
    PEOPLE,
    join_items,
    pick,
    pick_some,
    sentence,
    sentences,
    shuffled,
)

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class _Topic:
    """What a passage is about.

    It has an opening sentence with the names (``{names}``), a verb phrase with a figure for each name (``sold {n}
    lamps``) that stands after the name, its verb and noun, the names to draw from, and the largest figure.
    """

    opening: str
    verb: str
    noun: str
    names: tuple[str, ...]
    largest: int


_TOPICS: tuple[_Topic, ...] = (
    _Topic("{names} took part in the tournament", "scored", "points", PEOPLE, 60),
    _Topic("{names} picked fruit on the same farm last summer", "picked", "baskets of plums", PEOPLE, 40),
    _Topic("{names} collected money for the new library", "collected", "dollars", PEOPLE, 900),
    _Topic("the candidates in the village election were {names}", "received", "votes", PEOPLE, 700),
    _Topic("{names} went on a cycling tour together but took different routes", "cycled", "miles", PEOPLE, 120),
    _Topic("the teams of {names} met twice in the last season", "scored", "goals", CITIES, 30),
    _Topic("the orchestra gave concerts in {names}", "had", "visitors", CITIES, 900),
    _Topic("the company has shops in {names}", "sold", "lamps", CITIES, 500),
    _Topic("the survey compared the libraries of {names}", "lent out", "books", CITIES, 900),
    _Topic("the ferry kept a list of its passengers on {names}", "brought", "passengers", DAYS, 300),
    _Topic("the bakery was open on {names}", "saw", "customers", DAYS, 200),
)
_CLOSINGS: tuple[str, ...] = (
    "the weather was fine for most of the time", "a local newspaper reported on it in some detail",
    "the figures were checked by two people", "nobody had expected such a result", "the year before had been worse",
)  # fmt: skip


@dataclass(frozen=True)
class _Question:
    """A question about the figures of a passage: how to compute the answer, and how to state it.

    ``answer`` takes the figures in the order of the names and returns a number (``{n}`` in digits, ``{w}`` in words)
    or the index of a name (``{x}``), whichever is in the statements. ``{a}`` and ``{b}`` are the first two names.
    """

    answer: Callable[[Sequence[int]], int]
    statements: tuple[str, ...]


_QUESTIONS: tuple[_Question, ...] = (
    _Question(
        lambda figures: figures[0] - figures[1],
        ("{a} {verb} {n} more {noun} than {b}", "the difference between {a} and {b} was {n} {noun}, in favour of {a}"),
    ),
    _Question(
        lambda figures: figures[0] + figures[1],
        ("{a} and {b} together {verb} {n} {noun}", "in total, {n} {noun} were counted for {a} and {b}"),
    ),
    _Question(sum, ("all of them together {verb} {n} {noun}", "a total of {n} {noun} is reported for all of them")),
    _Question(
        lambda figures: max(figures) - min(figures),
        ("the gap between the highest and the lowest figure was {n} {noun}",),
    ),
    _Question(
        lambda figures: figures.index(max(figures)),
        ("{x} {verb} the most {noun}", "none of the others {verb} as many {noun} as {x}"),
    ),
    _Question(
        lambda figures: figures.index(min(figures)),
        ("{x} {verb} the fewest {noun}", "all of the others {verb} more {noun} than {x}"),
    ),
    _Question(
        lambda figures: figures.index(sorted(figures)[-2]),
        ("{x} {verb} the second most {noun}", "exactly one of the others {verb} more {noun} than {x}"),
    ),
    _Question(
        lambda figures: sum(figure > figures[0] for figure in figures),
        ("{w} of the others {verb} more {noun} than {a}", "{a} {verb} fewer {noun} than {w} of the others"),
    ),
)


def _two_cases(rng: np.random.Generator, topic: _Topic, count: int, question: _Question) -> list[tuple[list[int], int]]:
    """Draw figures that differ in one or two places, so that the answers are different but close to each other.

    In both cases, all figures are different, and the first is larger than the second.
    """
    while True:
        common = pick_some(rng, range(2, topic.largest), count)
        cases = []
        for _ in range(2):
            figures = list(common)
            figures[int(rng.random() * count)] = pick(rng, range(2, topic.largest))
            cases.append((figures, question.answer(figures)))
        if cases[0][1] != cases[1][1] and all(len(set(f)) == count and f[0] > f[1] for f, _ in cases):
            return cases


def _passage(rng: np.random.Generator, topic: _Topic, names: Sequence[str], figures: Sequence[int]) -> str:
    """Write a passage in which one of the figures may be given by comparison with another one."""
    opening = topic.opening.format(names=join_items(shuffled(rng, names)))
    clauses = [f"{name} {topic.verb} {n} {topic.noun}" for name, n in zip(names, figures, strict=True)]
    if rng.random() < 0.4:
        index, other = pick_some(rng, range(len(names)), 2)
        gap = figures[index] - figures[other]
        clauses[index] = f"{names[index]} {topic.verb} {abs(gap)} {'more' if gap > 0 else 'fewer'} than {names[other]}"
    closing = [pick(rng, _CLOSINGS)] if rng.random() < 0.5 else []
    return sentences([opening, *shuffled(rng, clauses), *closing])


@maker("drop")
def discrete_reasoning(label: str, rng: np.random.Generator) -> Pair:
    """Draw a passage with figures, and a statement whose answer must be computed from them.

    ``Anna scored 12 points. Ben scored 7 more than Anna.`` entails ``Together they scored 31 points.``.
    """
    topic, question = pick(rng, _TOPICS), pick(rng, _QUESTIONS)
    names = pick_some(rng, topic.names, 3 + int(rng.random() * 2))
    statement = pick(rng, question.statements)
    figures, answer = pick_match(label, rng, *_two_cases(rng, topic, len(names), question))
    fields = {
        "a": names[0], "b": names[1], "n": answer, "x": names[answer] if "{x}" in statement else "",
        "w": (f"exactly {NUMBERS[answer]}" if answer else "none") if "{w}" in statement else "",
    }  # fmt: skip
    hypothesis = statement.format(verb=topic.verb, noun=topic.noun, **fields)
    return Pair(_passage(rng, topic, names, figures), sentence(hypothesis))
