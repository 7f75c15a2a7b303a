"""Veridicality: whether an embedded clause is true, combined with one step of lexical entailment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.taxonomy import Category, pick_category
from trivium.build.phenomena.words import PEOPLE, indefinite, pick, pick_some, sentence

if TYPE_CHECKING:
    import numpy as np

_BASES = {
    "saw": "see", "drew": "draw", "photographed": "photograph", "heard about": "hear about", "read about": "read about",
    "dreamt of": "dream of", "ordered": "order", "bought": "buy", "tasted": "taste", "found": "find", "lost": "lose",
    "hid": "hide", "planted": "plant", "rented": "rent", "sold": "sell", "visited": "visit", "entered": "enter",
    "met": "meet", "called": "call", "thanked": "thank",
}  # fmt: skip
_UNINTENTIONAL = ("dreamt of", "lost", "heard about", "saw", "found")
"""Verbs that do not denote intentional acts, and so do not follow *tried to* or *forgot to*."""

_VERIDICAL: tuple[str, ...] = (
    "knows", "realizes", "remembers", "is aware", "has discovered", "has noticed", "has learned", "has found out",
    "recognizes", "acknowledges", "regrets", "is glad", "does not know", "does not realize", "is not aware",
    "has forgotten", "has proved", "is right in saying",
)  # fmt: skip
_NOT_VERIDICAL: tuple[str, ...] = (
    "believes", "thinks", "hopes", "claims", "suspects", "assumes", "doubts", "argues", "imagines", "has dreamt",
    "fears", "is convinced", "does not believe", "does not think", "is not sure", "has suggested", "denies", "pretends",
)  # fmt: skip
_POSITIVE: tuple[str, ...] = ("managed to", "happened to", "remembered to", "did not forget to", "did not fail to")
_NEUTRAL: tuple[str, ...] = ("tried to", "hoped to", "wanted to", "planned to", "promised to", "was asked to",
                             "offered to", "agreed to")  # fmt: skip
_NEGATIVE: tuple[str, ...] = ("failed to", "forgot to", "refused to", "did not manage to", "declined to")


def _clause(who: str, verb: str, noun: str, happened: bool) -> str:
    """Return an affirmative or negative clause: ``Ben drew a dog``, ``Ben did not draw a dog``."""
    return f"{who} {verb} {indefinite(noun)}" if happened else f"{who} did not {_BASES[verb]} {indefinite(noun)}"


def _embedded(rng: np.random.Generator, clause: str, veridical: bool, people: list[str]) -> str:
    """Embed the clause under one or two verbs, which are all veridical unless ``veridical`` is false."""
    verbs = [pick(rng, _VERIDICAL) for _ in range(1 + (rng.random() < 0.35))]
    if not veridical:
        verbs[int(rng.random() * len(verbs))] = pick(rng, _NOT_VERIDICAL)
    for person, verb in zip(people, verbs, strict=False):
        clause = f"{person} {verb} that {clause}"
    return clause


def _with_infinitive(rng: np.random.Generator, who: str, verb: str, noun: str, happened: bool | None) -> str:
    """Embed an act under a verb that implies that it happened, that it did not happen, or (None) neither."""
    verbs = _NEUTRAL if happened is None else _POSITIVE if happened else _NEGATIVE
    return f"{who} {pick(rng, verbs)} {_BASES[verb]} {indefinite(noun)}"


def _stronger(rng: np.random.Generator, category: Category, happened: bool) -> str:
    """Draw a noun whose clause entails that of the category's noun: *poodle* for *dog*, or *animal* if negated."""
    return category.noun if rng.random() < 0.4 else pick(rng, category.hyponyms) if happened else category.hypernym


def _weaker(rng: np.random.Generator, category: Category, happened: bool) -> str:
    """Draw a noun whose clause does not entail that of the category's noun."""
    return pick(rng, category.hyponyms) if not happened else category.hypernym


@maker("transit")
def veridicality(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose premise embeds a clause.

    ``Anna knows that Ben drew a poodle.`` entails ``Ben drew a dog.``; ``Anna hopes ...`` does not.
    """
    category, (who, *others) = pick_category(rng), pick_some(rng, PEOPLE, 3)
    verb, happened = pick(rng, category.verbs), bool(rng.random() < 0.5)
    hypothesis = _clause(who, verb, category.noun, happened)
    by_infinitive = verb not in _UNINTENTIONAL and rng.random() < 0.4
    entailed = label == "entailed"
    veridical = True
    noun = _stronger(rng, category, happened)
    if not entailed and rng.random() < 0.4:
        noun = _weaker(rng, category, happened)
    elif not entailed:
        veridical = False
    if by_infinitive:
        other = None if rng.random() < 0.6 else not happened
        premise = _with_infinitive(rng, who, verb, noun, happened if veridical else other)
    else:
        premise = _embedded(rng, _clause(who, verb, noun, happened), veridical, others)
    return Pair(sentence(premise), sentence(hypothesis))
