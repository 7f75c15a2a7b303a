"""Whether what a verb embeds did happen, and what follows from it by one more step."""

from __future__ import annotations

import numpy as np

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.kinds import Kind, pick_kind
from trivium.build.phenomena.words import PEOPLE, indefinite, pick, pick_some, sentence

_BASES = {
    "saw": "see", "drew": "draw", "photographed": "photograph", "heard about": "hear about", "read about": "read about",
    "dreamt of": "dream of", "ordered": "order", "bought": "buy", "tasted": "taste", "found": "find", "lost": "lose",
    "hid": "hide", "planted": "plant", "rented": "rent", "sold": "sell", "visited": "visit", "entered": "enter",
    "met": "meet", "called": "call", "thanked": "thank",
}  # fmt: skip
_CHANCE = ("dreamt of", "lost", "heard about", "saw", "found")
"""What one does not do on purpose, and so cannot try or forget to do."""

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
    """``Ben drew a dog``, ``Ben did not draw a dog``."""
    return f"{who} {verb} {indefinite(noun)}" if happened else f"{who} did not {_BASES[verb]} {indefinite(noun)}"


def _believed(rng: np.random.Generator, clause: str, true: bool, people: list[str]) -> str:
    """The clause under one or two verbs; if it is to follow, all of them vouch for it."""
    verbs = [pick(rng, _VERIDICAL) for _ in range(1 + (rng.random() < 0.35))]
    if not true:
        verbs[int(rng.random() * len(verbs))] = pick(rng, _NOT_VERIDICAL)
    for person, verb in zip(people, verbs, strict=False):
        clause = f"{person} {verb} that {clause}"
    return clause


def _done(rng: np.random.Generator, who: str, verb: str, noun: str, happened: bool | None) -> str:
    """The act under a verb that says that it was done, or not done, or leaves it open."""
    verbs = _NEUTRAL if happened is None else _POSITIVE if happened else _NEGATIVE
    return f"{who} {pick(rng, verbs)} {_BASES[verb]} {indefinite(noun)}"


def _stronger(rng: np.random.Generator, kind: Kind, happened: bool) -> str:
    """A noun with which the clause says as much as with the kind's own noun, or more."""
    return kind.noun if rng.random() < 0.4 else pick(rng, kind.below) if happened else kind.above


def _weaker(rng: np.random.Generator, kind: Kind, happened: bool) -> str:
    """A noun with which the clause says less."""
    return pick(rng, kind.below) if not happened else kind.above


@maker("transit")
def veridicality(label: str, rng: np.random.Generator) -> Pair:
    """``Anna knows that Ben drew a poodle.`` entails ``Ben drew a dog.``; ``Anna hopes ...`` does not."""
    kind, (who, *others) = pick_kind(rng), pick_some(rng, PEOPLE, 3)
    verb, happened = pick(rng, kind.verbs), bool(rng.random() < 0.5)
    hypothesis = _clause(who, verb, kind.noun, happened)
    by_infinitive = verb not in _CHANCE and rng.random() < 0.4
    true = label == "entailed"
    said = True
    noun = _stronger(rng, kind, happened)
    if not true and rng.random() < 0.4:
        noun = _weaker(rng, kind, happened)
    elif not true:
        said = False
    if by_infinitive:
        other = None if rng.random() < 0.6 else not happened
        premise = _done(rng, who, verb, noun, happened if said else other)
    else:
        premise = _believed(rng, _clause(who, verb, noun, happened), said, others)
    return Pair(sentence(premise), sentence(hypothesis))
