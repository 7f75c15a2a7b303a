"""Monotonicity: upward contexts allow a more general phrase, downward contexts a more specific one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.taxonomy import Category, pick_category, plural
from trivium.build.phenomena.words import NUMBERS, PEOPLE, indefinite, pick, sentence

if TYPE_CHECKING:
    import numpy as np

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
    "at least {number} {plural} were mentioned in the {place}", "some {plural} were mentioned by {who} {when}",
    "{who} talked to the {people} about more than {number} {plural}", "{who} has a picture of {number} {plural}",
)  # fmt: skip
_DOWN_SUBJECTS: tuple[str, ...] = (
    "no {plural} were mentioned in the {place}", "all the {plural} on the list were mentioned by {who} {when}",
    "{who} talked to the {people} about fewer than {number} {plural}", "{who} has no picture of {plural}",
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
    """Three noun phrases, from specific to general."""

    specific: str
    middle: str
    general: str


def _chain(rng: np.random.Generator, category: Category) -> _Chain:
    """Draw a chain of hypernyms (poodle, dog, animal), of modified nouns (big brown dog, brown dog, dog), or both."""
    inner = pick(rng, _INNER.get(category.hypernym, "red, green, white, black").split(", "))
    # "Person" is not used as the general phrase: "nobody met a person" is unnatural.
    form = rng.random() if category.hypernym != "person" else pick(rng, (0.5, 0.9))
    if form < 0.4:
        return _Chain(pick(rng, category.hyponyms), category.noun, category.hypernym)
    if form < 0.6:
        return _Chain(f"{pick(rng, _OUTER)} {inner} {category.noun}", f"{inner} {category.noun}", category.noun)
    if form < 0.8:
        return _Chain(f"{inner} {category.noun}", category.noun, category.hypernym)
    hyponym = pick(rng, category.hyponyms)
    return _Chain(f"{inner} {hyponym}", hyponym, category.noun)


@maker("monot")
def monotonicity(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair with an upward or downward monotone context.

    ``Nobody in the club saw a dog.`` entails ``Nobody in the club saw a poodle.``, not ``... saw an animal.``.

    The hypothesis always has the middle phrase of the chain, so that it does not give away the label.
    """
    category = pick_category(rng)
    chain, upward = _chain(rng, category), rng.random() < 0.5
    if rng.random() < 0.7:
        frame = pick(rng, _UP if upward else _DOWN)
    else:
        frame = pick(rng, _UP_SUBJECTS if upward else _DOWN_SUBJECTS)
    noun_phrase = chain.specific if upward == (label == "entailed") else chain.general
    people = pick(rng, _PEOPLE)
    fields = {
        "who": pick(rng, PEOPLE), "verb": pick(rng, category.verbs), "when": pick(rng, _TIMES), "people": people,
        "number": pick(rng, NUMBERS[3:11]), "place": pick(rng, _PLACES),
    }  # fmt: skip
    premise, hypothesis = (
        frame.format(a=indefinite(noun), plural=plural(noun), **fields) for noun in (noun_phrase, chain.middle)
    )
    return Pair(sentence(premise), sentence(hypothesis))
