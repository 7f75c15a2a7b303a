"""Word meaning: lexical entailment, hypernyms and hyponyms, and words with two meanings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import pick_match
from trivium.build.phenomena.lexicon import ADJECTIVES, ADVERBS, VERBS, Entry
from trivium.build.phenomena.taxonomy import (
    HOMONYMS,
    Category,
    class_name,
    contrasting_category,
    is_general,
    is_person,
    pick_category,
    plural,
    sister_category,
    unrelated_category,
)
from trivium.build.phenomena.words import DAYS, PEOPLE, WOMEN, indefinite, pick, pick_some, sentence

if TYPE_CHECKING:
    import numpy as np

ENTAILED = "entailed"
_TIMES: tuple[str, ...] = (
    "yesterday", "last week", "this morning", "before lunch", "after the storm", "in the evening",
    *(f"on {day}" for day in DAYS),
)  # fmt: skip


def _contrasts(entries: Sequence[Entry]) -> list[tuple[str, Entry, Entry]]:
    """Return all contexts of two entries of which no word implies that of the other entry: *ran* and *walked*."""
    return [
        (context, first, second)
        for first, second in combinations(entries, 2)
        for context in first.contexts
        if context in second.contexts and not set(first.implied_by) & set(second.implied_by)
    ]


_VERBS, _ADJECTIVES, _ADVERBS = map(_contrasts, (VERBS, ADJECTIVES, ADVERBS))


@maker("lex-ent")
def lexical_entailment(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair that differs in one word.

    ``Anna strolled along the river.`` entails ``Anna walked along the river.``.
    """
    who, when, part_of_speech = pick(rng, PEOPLE), pick(rng, _TIMES), rng.random()
    entries = _VERBS if part_of_speech < 0.6 else _ADJECTIVES if part_of_speech < 0.9 else _ADVERBS
    context, first, second = pick(rng, entries)
    words = pick_match(label, rng, *((pick(rng, entry.implied_by), entry.word) for entry in (first, second)))
    if entries is _VERBS:
        end = f" {when}" if rng.random() < 0.6 else ""
        texts = [f"{who} {word} {context}{end}" for word in words]
    elif entries is _ADJECTIVES:
        frame = pick(
            rng, ("{who} spoke of {a} {when}", "{who} told us about {a} {when}", "{who} heard about {a} {when}")
        )
        texts = [frame.format(who=who, a=indefinite(f"{word} {context}"), when=when) for word in words]
    else:
        texts = [f"{who} {word} {context}" for word in words]
    return Pair(sentence(texts[0]), sentence(texts[1]))


_WITH_HYPONYMS = tuple(homonym for homonym in HOMONYMS if all(homonym.hyponyms))


def _homonym(label: str, rng: np.random.Generator, hyponym: bool) -> Pair:
    """Draw a pair about one meaning of a homonym, described by its hypernym or (``hyponym``) by a hyponym.

    ``Anna hit the ball with a bat.`` does not entail ``The word "bat" names an animal here.``.
    """
    homonym, meaning = pick(rng, _WITH_HYPONYMS if hyponym else HOMONYMS), int(rng.random() < 0.5)
    premise_meaning = meaning if label == ENTAILED else 1 - meaning
    premise = pick(rng, homonym.sentences[premise_meaning]).format(x=pick(rng, WOMEN))
    word = f'"{homonym.word}"'
    if hyponym:
        hypothesis = f"{indefinite(pick(rng, homonym.hyponyms[meaning]))} is a special kind of what {word} names here"
    else:
        hypothesis = f"the word {word} names {indefinite(homonym.hypernyms[meaning])} here"
    return Pair(sentence(premise), sentence(hypothesis))


@maker("hyper")
def hypernymy(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose hypothesis names a hypernym.

    ``Anna drew a parrot.`` entails ``What Anna drew is a kind of bird.``.
    """
    if rng.random() < 0.15:
        return _homonym(label, rng, hyponym=False)
    category = pick_category(rng)
    (who, friend), verb, when = pick_some(rng, PEOPLE, 2), pick(rng, category.verbs), pick(rng, _TIMES)
    use_hypernym = is_general(verb) and category.hypernym != "person" and rng.random() < 0.3
    target = category.hypernym if use_hypernym else category.noun
    noun = pick(rng, (*category.hyponyms, category.noun) if target == category.hypernym else category.hyponyms)
    other = contrasting_category(rng, category, verb, target)
    contrast = pick(rng, (*other.hyponyms, category.hypernym if target == category.noun else other.noun))
    if label != ENTAILED:
        noun, contrast = contrast, noun
    premise = f"{who} {verb} {indefinite(noun)}"
    if rng.random() < 0.5:
        parts = [premise, f"{friend} {verb} {indefinite(contrast)}"]
        premise = ", and ".join(pick_some(rng, parts, 2))
    else:
        premise = f"{premise} {when}"
    if category.hypernym == "person":
        hypothesis = f"the person {who} {verb} is {indefinite(category.noun)}"
    else:
        what = f"a kind of {class_name(target)}"
        hypothesis = pick(
            rng, (f"what {who} {verb} is {what}", f"it was {what} that {who} {verb}", f"{who} {verb} {what}")
        )
    return Pair(sentence(premise), sentence(hypothesis))


_WISHES: tuple[str, ...] = (
    "is looking for", "is hoping for", "needs", "wants", "is waiting for", "has asked for", "would like", "will accept",
)  # fmt: skip
_SUBJECTS: tuple[str, ...] = (
    "the museum", "the lecture", "the calendar", "the book", "the website", "the exhibition", "the newspaper",
    "the course", "the law", "the campaign",
)  # fmt: skip
_TOPIC_VERBS: tuple[str, ...] = ("is about", "is devoted to", "deals with", "is concerned with")


def _noun_pair(rng: np.random.Generator, category: Category) -> tuple[str, str]:
    """Draw two nouns of which the second is a hyponym of the first."""
    if category.hypernym != "person" and rng.random() < 0.25:
        return category.hypernym, pick(rng, (category.noun, *category.hyponyms))
    return category.noun, pick(rng, category.hyponyms)


def _noun_pairs(rng: np.random.Generator) -> tuple[tuple[str, str], tuple[str, str]]:
    """Draw two such pairs, of things or of people. No noun of one pair names a kind of what the other pair is about."""
    category = pick_category(rng)
    sister = sister_category(rng, category)
    if category.hypernym == "person" or rng.random() < 0.5:
        return (category.noun, pick(rng, category.hyponyms)), (sister.noun, pick(rng, sister.hyponyms))
    other = unrelated_category(rng, category)
    while other.hypernym == "person":
        other = unrelated_category(rng, category)
    return _noun_pair(rng, category), _noun_pair(rng, other)


@maker("hypo")
def hyponymy(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose hypothesis names a hyponym.

    ``Anna needs a bird, and any bird will do.`` entails ``A parrot is a kind of thing that Anna needs.``.
    """
    if rng.random() < 0.15:
        return _homonym(label, rng, hyponym=True)
    first, second = _noun_pairs(rng)
    noun, hyponym = pick_match(label, rng, first, second)
    what = "person" if is_person(first[0]) else "thing"
    if rng.random() < 0.5:
        who, wish = pick(rng, PEOPLE), pick(rng, _WISHES)
        premise = f"{who} {wish} {indefinite(noun)}, and any {noun} will do"
        hypothesis = f"{indefinite(hyponym)} would be the kind of {what} that {who} {wish}"
    else:
        subject, verb = pick(rng, _SUBJECTS), pick(rng, _TOPIC_VERBS)
        things = plural(noun) if class_name(noun) == noun else class_name(noun)
        premise = f"{subject} {verb} {things} of every kind"
        hypothesis = f"{plural(hyponym)} are one kind of {what} that {subject} {verb}"
    return Pair(sentence(premise), sentence(hypothesis))
