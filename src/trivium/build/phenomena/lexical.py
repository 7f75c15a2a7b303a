"""Word meaning: lexical entailment, hypernyms and hyponyms, and words with two meanings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.lexicon import ADJECTIVES, ADVERBS, VERBS, Entry
from trivium.build.phenomena.taxonomy import (
    HOMONYMS,
    Category,
    class_name,
    contrasting_category,
    is_general,
    pick_category,
    plural,
    sister_category,
    unrelated_category,
)
from trivium.build.phenomena.words import DAYS, PEOPLE, WOMEN, indefinite, pick, pick_other, pick_some, sentence

if TYPE_CHECKING:
    import numpy as np

ENTAILED = "entailed"
_TIMES: tuple[str, ...] = (
    "yesterday", "last week", "this morning", "before lunch", "after the storm", "in the evening",
    *(f"on {day}" for day in DAYS),
)  # fmt: skip


_OTHER_WORDS: dict[tuple[str, str], tuple[str, ...]] = {
    (entry.word, context): tuple(
        word
        for other in entries
        if other is not entry and context in other.contexts
        for word in (*other.implied_by, other.word)
        if word not in entry.implied_by
    )
    for entries in (VERBS, ADJECTIVES, ADVERBS)
    for entry in entries
    for context in entry.contexts
}
"""For an entry's word in a context, the words of other entries that fit the same context."""


def _contrasts(rng: np.random.Generator, entry: Entry, context: str) -> tuple[str, ...]:
    """Return words that fit the context and do not imply the entry's word.

    Usually, they are words of other entries, so that the premise alone does not give away the label: *sprinted* implies
    *ran* but not *walked*.
    """
    others = _OTHER_WORDS[entry.word, context]
    return others if others and rng.random() < 0.75 else entry.not_implied_by


@maker("lex-ent")
def lexical_entailment(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair that differs in one word.

    ``Anna strolled along the river.`` entails ``Anna walked along the river.``.
    """
    who, when, part_of_speech = pick(rng, PEOPLE), pick(rng, _TIMES), rng.random()
    entry = pick(rng, VERBS if part_of_speech < 0.6 else ADJECTIVES if part_of_speech < 0.9 else ADVERBS)
    context, form = pick(rng, entry.contexts), rng.random()
    word = pick(rng, entry.implied_by if label == ENTAILED else _contrasts(rng, entry, context))
    if part_of_speech < 0.6:
        end = f" {when}" if form < 0.6 else ""
        texts = [f"{who} {choice} {context}{end}" for choice in (word, entry.word)]
    elif part_of_speech < 0.9:
        frame = pick(
            rng, ("{who} spoke of {a} {when}", "{who} told us about {a} {when}", "{who} heard about {a} {when}")
        )
        texts = [frame.format(who=who, a=indefinite(f"{choice} {context}"), when=when) for choice in (word, entry.word)]
    else:
        texts = [f"{who} {choice} {context}" for choice in (word, entry.word)]
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


def _noun_pair(rng: np.random.Generator, label: str, category: Category) -> tuple[str, str]:
    """Draw two nouns of which the first is a hyponym of the second (entailed), or is not (not entailed)."""
    hyponym = category.noun if category.hypernym != "person" and rng.random() < 0.25 else pick(rng, category.hyponyms)
    if label == ENTAILED:
        hypernym = category.hypernym if hyponym == category.noun or rng.random() < 0.25 else category.noun
        return hyponym, category.noun if hypernym == "person" else hypernym
    if hyponym != category.noun and rng.random() < 0.5:
        return hyponym, pick_other(rng, category.hyponyms, hyponym)
    return hyponym, pick(rng, (sister_category(rng, category), unrelated_category(rng, category))).noun


@maker("hypo")
def hyponymy(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose hypothesis names a hyponym.

    ``Anna needs a bird, and any bird will do.`` entails ``A parrot is a kind of thing that Anna needs.``.
    """
    if rng.random() < 0.15:
        return _homonym(label, rng, hyponym=True)
    category = pick_category(rng)
    hyponym, noun = _noun_pair(rng, label, category)
    what = "person" if category.hypernym == "person" else "thing"
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
