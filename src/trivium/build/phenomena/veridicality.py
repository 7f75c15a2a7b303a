"""Veridicality: whether an embedded clause is true, combined with one step of lexical entailment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import pick_match
from trivium.build.phenomena.taxonomy import Category, pick_category, sister_category
from trivium.build.phenomena.words import PEOPLE, indefinite, pick, pick_some, sentence, shuffled

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


def _under(rng: np.random.Generator, verbs: Sequence[str], clause: str, people: Sequence[str]) -> str:
    """Embed the clause under a verb and, perhaps, under a second one that is veridical."""
    embedded = f"{people[0]} {pick(rng, verbs)} that {clause}"
    return f"{people[1]} {pick(rng, _VERIDICAL)} that {embedded}" if rng.random() < 0.35 else embedded


def _stronger(rng: np.random.Generator, category: Category, happened: bool) -> str:
    """Draw a noun whose clause entails that of the category's noun: *poodle* for *dog*, or *animal* if negated."""
    return category.noun if rng.random() < 0.4 else pick(rng, category.hyponyms) if happened else category.hypernym


def _two_clauses(rng: np.random.Generator) -> list[tuple[str, str]]:
    """Draw two pairs whose premises have two clauses each: one under a veridical verb, one under another verb.

    ``Anna knows that Ben drew a dog, and Carl hopes that Dora drew a cat`` entails the first clause only.
    """
    categories, names = [pick_category(rng) for _ in range(2)], pick_some(rng, PEOPLE, 6)
    verbs, happened = [pick(rng, each.verbs) for each in categories], [bool(rng.random() < 0.5) for _ in range(2)]
    nouns = [_stronger(rng, each, did) for each, did in zip(categories, happened, strict=True)]
    facts = list(zip(names, verbs, nouns, happened, strict=False))
    hypotheses = [
        _clause(who, verb, each.noun, did) for (who, verb, _, did), each in zip(facts, categories, strict=True)
    ]
    if all(happened) and not set(verbs) & set(_UNINTENTIONAL) and rng.random() < 0.5:
        forms = [
            [f"{who} {pick(rng, choice)} {_BASES[verb]} {indefinite(noun)}" for choice in (_POSITIVE, _NEUTRAL)]
            for who, verb, noun, _ in facts
        ]
    else:
        people = (names[2:4], names[4:])
        forms = [
            [_under(rng, choice, _clause(*fact), who) for choice in (_VERIDICAL, _NOT_VERIDICAL)]
            for fact, who in zip(facts, people, strict=True)
        ]
    return [(", and ".join(shuffled(rng, (forms[true][0], forms[1 - true][1]))), hypotheses[true]) for true in range(2)]


def _two_nouns(rng: np.random.Generator) -> list[tuple[str, str]]:
    """Draw two pairs about different categories: ``Anna knows that Ben drew a poodle``, ``... an owl``."""
    category, (who, *people), happened = pick_category(rng), pick_some(rng, PEOPLE, 3), bool(rng.random() < 0.5)
    verb = pick(rng, category.verbs)
    other = sister_category(rng, category)
    # If it did not happen, the hypernym of one category would also exclude the other.
    nouns = [pick(rng, (each.noun, *each.hyponyms)) if happened else each.noun for each in (category, other)]
    claims = [each.noun if happened else pick(rng, each.hyponyms) for each in (category, other)]
    if happened and verb not in _UNINTENTIONAL and rng.random() < 0.5:
        texts = [f"{who} {pick(rng, _POSITIVE)} {_BASES[verb]} {indefinite(noun)}" for noun in nouns]
    else:
        texts = [_under(rng, _VERIDICAL, _clause(who, verb, noun, happened), people) for noun in nouns]
    return [(text, _clause(who, verb, claim, happened)) for text, claim in zip(texts, claims, strict=True)]


def _two_polarities(rng: np.random.Generator) -> list[tuple[str, str]]:
    """Draw two pairs of which one says that something happened and the other that it did not happen."""
    category, (who, *people) = pick_category(rng), pick_some(rng, PEOPLE, 3)
    verb = pick(rng, category.verbs)
    by_infinitive, pairs = verb not in _UNINTENTIONAL and rng.random() < 0.6, []
    for happened, verbs in ((True, _POSITIVE), (False, _NEGATIVE)):
        noun = _stronger(rng, category, happened)
        text = f"{who} {pick(rng, verbs)} {_BASES[verb]} {indefinite(noun)}"
        if not by_infinitive:
            text = _under(rng, _VERIDICAL, _clause(who, verb, noun, happened), people)
        pairs.append((text, _clause(who, verb, category.noun, happened)))
    return pairs


@maker("transit")
def veridicality(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose premise embeds a clause.

    ``Anna knows that Ben drew a poodle.`` entails ``Ben drew a dog.``; ``Anna hopes ...`` does not.
    """
    first, second = pick(rng, (_two_clauses, _two_clauses, _two_nouns, _two_polarities))(rng)
    premise, hypothesis = pick_match(label, rng, first, second)
    return Pair(sentence(premise), sentence(hypothesis))
