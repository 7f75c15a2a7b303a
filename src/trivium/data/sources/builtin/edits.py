"""Edit a scene: replace a word, drop a modifier, or add a modifier."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from trivium.data.sources.builtin.activities import MANNERS
from trivium.data.sources.builtin.noun_classes import DIMENSIONS, RELATIVE, TAILS, NounClass
from trivium.data.sources.builtin.scene import PROPORTIONAL, Phrase, Scene
from trivium.data.sources.builtin.words import related

ATTRIBUTIVE = ("little",)
"""Adjectives that are used only before a noun."""

_FEELINGS = ("mood", "temper", "energy", "shyness", "nerves", "will")


class Edit(NamedTuple):
    """A changed scene: ``slot`` is the changed part, ``words`` is ``boy>kid``, or the added or dropped word."""

    scene: Scene
    slot: str
    words: str


@cache
def dimensions(adjective: str) -> tuple[str, ...]:
    """Return the dimensions that an adjective measures: height for ``tall``, age and newness for ``old``."""
    return tuple(name for name, adjectives in DIMENSIONS.items() if adjective in adjectives)


def is_relative(adjective: str) -> bool:
    """Return whether an adjective is relative to its noun, so that the noun cannot be replaced by a hypernym."""
    return any(dimension in RELATIVE for dimension in dimensions(adjective))


def fitting_adjectives(noun_class: NounClass, scene: Scene) -> tuple[str, ...]:
    """Return the adjectives of a noun class that make sense in the activity of a scene."""
    excluded = scene.activity.excluded_dimensions
    return tuple(
        word for word in noun_class.adjectives if not any(dimension in excluded for dimension in dimensions(word))
    )


def substitutions(scene: Scene, relation: str) -> Iterator[Edit]:
    """Yield the scene with one word replaced by each of its synonyms, hypernyms, hyponyms, antonyms or cohyponyms.

    A word is replaced only if the activity allows the other one, and if the relation between the words also holds
    between the sentences.
    """
    yield from _nouns(scene, relation)
    yield from _verbs(scene, relation)
    yield from _adjectives(scene, relation)
    for slot, allowed in (("adverb", scene.activity.adverbs), ("adjunct", scene.activity.adjuncts)):
        word = scene.adverb if slot == "adverb" else scene.adjunct
        for other in related(relation, slot, word) if word else ():
            if other in allowed:
                changed = scene._replace(adverb=other) if slot == "adverb" else scene._replace(adjunct=other)
                yield Edit(changed, slot, f"{word}>{other}")


def _nouns(scene: Scene, relation: str) -> Iterator[Edit]:
    for slot, phrase, allowed in _phrases(scene):
        blocked = relation != "synonym" and (is_relative(phrase.adjective) or _is_proportional(slot, phrase))
        for other in related(relation, "noun", phrase.noun) if not blocked else ():
            noun_class = allowed.get(other)
            if noun_class and (not phrase.adjective or phrase.adjective in noun_class.adjectives):
                yield Edit(_with_phrase(scene, slot, phrase.renamed(other, noun_class)), slot, f"{phrase.noun}>{other}")


def _verbs(scene: Scene, relation: str) -> Iterator[Edit]:
    # Adverbs are relative to the verb: a quick stroll can be a slow walk.
    if scene.adverb and relation in ("hypernym", "hyponym"):
        return
    for other in related(relation, "verb", scene.verb):
        if other in scene.activity.verbs:
            yield Edit(scene._replace(verb=other), "verb", f"{scene.verb}>{other}")


def _adjectives(scene: Scene, relation: str) -> Iterator[Edit]:
    for slot, phrase, _ in _phrases(scene):
        if relation != "synonym" and _is_proportional(slot, phrase):
            continue
        for other in related(relation, "adjective", phrase.adjective) if phrase.adjective else ():
            if other in fitting_adjectives(phrase.noun_class, scene):
                edited = _with_phrase(scene, slot, phrase._replace(adjective=other))
                yield Edit(edited, f"{slot} adjective", f"{phrase.adjective}>{other}")


def drops(scene: Scene) -> Iterator[Edit]:
    """Yield the scene without one of its adjectives, its tail, its adverb or its adjunct. The result is entailed."""
    for slot, phrase, _ in _phrases(scene):
        if _is_proportional(slot, phrase):
            continue
        if phrase.adjective:
            yield Edit(_with_phrase(scene, slot, phrase._replace(adjective="")), f"{slot} adjective", phrase.adjective)
        if phrase.tail:
            yield Edit(_with_phrase(scene, slot, phrase._replace(tail="")), "tail", phrase.tail)
    if scene.adverb:
        yield Edit(scene._replace(adverb=""), "adverb", scene.adverb)
    if scene.adjunct and not scene.activity.needs_adjunct:
        yield Edit(scene._replace(adjunct=""), "adjunct", scene.adjunct)


def adds(scene: Scene) -> Iterator[Edit]:
    """Yield the scene with an additional adjective, tail, adverb or adjunct. The result is more specific."""
    for slot, phrase, _ in _phrases(scene):
        if _is_proportional(slot, phrase) or phrase.adjective or phrase.tail:
            continue
        for adjective in fitting_adjectives(phrase.noun_class, scene):
            if slot == "subject" and clash(adjective, scene.adverb):
                continue
            yield Edit(_with_phrase(scene, slot, phrase._replace(adjective=adjective)), f"{slot} adjective", adjective)
    if may_mention_clothes(scene) and not scene.subject.tail:
        for tail in TAILS:
            yield Edit(scene._replace(subject=scene.subject._replace(tail=tail)), "tail", tail)
    for adverb in scene.activity.adverbs if not scene.adverb else ():
        if clash(scene.subject.adjective, adverb):
            continue
        yield Edit(scene._replace(adverb=adverb), "adverb", adverb)
    for adjunct in scene.activity.adjuncts if not scene.adjunct else ():
        yield Edit(scene._replace(adjunct=adjunct), "adjunct", adjunct)


def changes(scene: Scene) -> Iterator[Edit]:
    """Yield the scene with an adjective or the adverb replaced by one that is independent of it."""
    for slot, phrase, _ in _phrases(scene):
        if not phrase.adjective or _is_proportional(slot, phrase):
            continue
        for other in fitting_adjectives(phrase.noun_class, scene):
            if independent_adjectives(phrase.adjective, other) and not (
                slot == "subject" and clash(other, scene.adverb)
            ):
                edited = _with_phrase(scene, slot, phrase._replace(adjective=other))
                yield Edit(edited, f"{slot} adjective", f"{phrase.adjective}>{other}")
    for other in scene.activity.adverbs if scene.adverb else ():
        if independent_adverbs(scene.adverb, other) and not clash(scene.subject.adjective, other):
            yield Edit(scene._replace(adverb=other), "adverb", f"{scene.adverb}>{other}")


class Statement(NamedTuple):
    """A predicate of the subject, the words that decide whether it is true, and whether it holds in the scene."""

    predicate: str
    words: str
    holds: bool


def statements(scene: Scene) -> Iterator[Statement]:
    """Yield statements that the subject's adjective and clothes decide: a tall boy is tall and not short."""
    subject = scene.subject
    if subject.tail:
        yield Statement(wearing(subject.tail), subject.tail, True)
    if subject.adjective and subject.adjective not in ATTRIBUTIVE:
        yield Statement(subject.adjective, subject.adjective, True)
        for other in related("antonym", "adjective", subject.adjective):
            if other in subject.noun_class.adjectives and other not in ATTRIBUTIVE:
                yield Statement(other, f"{subject.adjective}>{other}", False)


def wearing(tail: str) -> str:
    """Return a tail as a predicate: ``in a red shirt`` becomes ``wearing a red shirt``."""
    return tail.replace("in ", "wearing ", 1)


def independent_adjectives(adjective: str, other: str) -> bool:
    """Return whether two adjectives are logically independent: they measure different dimensions."""
    return adjective != other and not set(dimensions(adjective)) & set(dimensions(other))


def independent_adverbs(adverb: str, other: str) -> bool:
    """Return whether two adverbs are logically independent: exactly one describes speed, and neither energy."""
    first, second = manners(adverb), manners(other)
    return ("speed" in first) != ("speed" in second) and "energy" not in (*first, *second)


@cache
def clash(word: str, other: str) -> bool:
    """Return whether one word is an adjective and the other an adverb of feeling, so that they are not independent."""
    as_adjective = [set(dimensions(item)) & set(_FEELINGS) for item in (word, other)]
    as_adverb = [set(manners(item)) & set(_FEELINGS) for item in (word, other)]
    return bool((as_adjective[0] and as_adverb[1]) or (as_adjective[1] and as_adverb[0]))


@cache
def manners(adverb: str) -> tuple[str, ...]:
    """Return the manners that an adverb describes: speed for ``quickly``."""
    return tuple(name for name, adverbs in MANNERS.items() if adverb in adverbs)


def may_mention_clothes(scene: Scene) -> bool:
    """Return whether the subject's clothes can be mentioned: one person, in an activity that is not about clothes."""
    subject = scene.subject
    return subject.noun_class.people and not subject.plural and "clothes" not in scene.activity.excluded_dimensions


def _phrases(scene: Scene) -> Iterator[tuple[str, Phrase, dict[str, NounClass]]]:
    yield "subject", scene.subject, scene.activity.subjects
    if scene.object is not None:
        yield "object", scene.object, scene.activity.objects


def _with_phrase(scene: Scene, slot: str, phrase: Phrase) -> Scene:
    return scene._replace(subject=phrase) if slot == "subject" else scene._replace(object=phrase)


def _is_proportional(slot: str, phrase: Phrase) -> bool:
    return slot == "subject" and phrase.determiner in PROPORTIONAL
