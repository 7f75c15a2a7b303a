"""Contexts in which a phrase may be made more general, and contexts in which it may be made more specific."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.kinds import Kind, pick_kind, plural
from trivium.build.phenomena.words import NUMBERS, PEOPLE, indefinite, pick, sentence

_UP: tuple[str, ...] = (
    "{who} {verb} {a}", "{who} {verb} {a} {when}", "someone in the {place} {verb} {a}",
    "at least {number} of the {people} {verb} {a}", "more than {number} of the {people} {verb} {a}",
    "some of the {people} {verb} {a} {when}", "all of the {people} {verb} {a}", "everyone who was late {verb} {a}",
)  # fmt: skip
_DOWN: tuple[str, ...] = (
    "{who} never {verb} {a}", "nobody in the {place} {verb} {a}", "nobody in the {place} {verb} {a} {when}",
    "at most {number} of the {people} {verb} {a}", "fewer than {number} of the {people} {verb} {a}",
    "none of the {people} {verb} {a} {when}", "not one of the {people} {verb} {a}",
    "everyone who {verb} {a} was late", "each of the {people} who {verb} {a} told {who} about it",
)  # fmt: skip
_UP_SUBJECTS: tuple[str, ...] = (
    "at least {number} {ones} were mentioned in the {place}", "some {ones} were mentioned by {who} {when}",
    "{who} talked to the {people} about more than {number} {ones}", "{who} has a picture of {number} {ones}",
)  # fmt: skip
_DOWN_SUBJECTS: tuple[str, ...] = (
    "no {ones} were mentioned in the {place}", "all the {ones} on the list were mentioned by {who} {when}",
    "{who} talked to the {people} about fewer than {number} {ones}", "{who} has no picture of {ones}",
)  # fmt: skip
_PEOPLE: tuple[str, ...] = tuple(
    "guests students nurses tourists teachers sailors drivers singers players clerks pilots dancers".split()
)
_PLACES: tuple[str, ...] = tuple("village office class family choir orchestra hotel club school band street".split())
_TIMES: tuple[str, ...] = ("yesterday", "last week", "in May", "this morning", "last summer", "on Sunday", "in 1999")
_INNER = {
    "animal": "brown, white, black, grey", "food item": "homemade, frozen, organic, leftover",
    "plant": "tall, young, rare, potted", "person": "young, French, retired, Irish",
    "publication": "French, Polish, rare",
    "building": "brick, red, medieval, ruined",
}  # fmt: skip
_OUTER: tuple[str, ...] = ("big", "beautiful", "famous", "strange", "ugly", "well-known")


class _Chain(NamedTuple):
    """Three phrases, each of which names some of what the next one names."""

    narrow: str
    middle: str
    wide: str


def _chain(rng: np.random.Generator, kind: Kind) -> _Chain:
    """A poodle, a dog, an animal; or a big brown dog, a brown dog, a dog; or both ways mixed."""
    inner = pick(rng, _INNER.get(kind.above, "red, green, white, black").split(", "))
    # "Person" is left out: nobody says that nobody met a person.
    form = rng.random() if kind.above != "person" else pick(rng, (0.5, 0.9))
    if form < 0.4:
        return _Chain(pick(rng, kind.below), kind.noun, kind.above)
    if form < 0.6:
        return _Chain(f"{pick(rng, _OUTER)} {inner} {kind.noun}", f"{inner} {kind.noun}", kind.noun)
    if form < 0.8:
        return _Chain(f"{inner} {kind.noun}", kind.noun, kind.above)
    below = pick(rng, kind.below)
    return _Chain(f"{inner} {below}", below, kind.noun)


@maker("monot")
def monotonicity(label: str, rng: np.random.Generator) -> Pair:
    """``Nobody in the club saw a dog.`` entails ``Nobody in the club saw a poodle.``, not ``... saw an animal.``.

    The hypothesis has the middle phrase of three whatever the label, so that it does not tell.
    """
    kind = pick_kind(rng)
    chain, upward = _chain(rng, kind), rng.random() < 0.5
    if rng.random() < 0.7:
        frame = pick(rng, _UP if upward else _DOWN)
    else:
        frame = pick(rng, _UP_SUBJECTS if upward else _DOWN_SUBJECTS)
    given = chain.narrow if upward == (label == "entailed") else chain.wide
    people = pick(rng, _PEOPLE)
    fields = {
        "who": pick(rng, PEOPLE), "verb": pick(rng, kind.verbs), "when": pick(rng, _TIMES), "people": people,
        "number": pick(rng, NUMBERS[3:11]), "place": pick(rng, _PLACES),
    }  # fmt: skip
    premise, hypothesis = (
        frame.format(a=indefinite(noun), ones=plural(noun), **fields) for noun in (given, chain.middle)
    )
    return Pair(sentence(premise), sentence(hypothesis))
