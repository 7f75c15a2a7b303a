"""Small changes to a scene: put one word for another, drop a modifier, add one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from trivium.data.sources.builtin.activities import MANNERS
from trivium.data.sources.builtin.kinds import DIMENSIONS, RELATIVE, TAILS, Kind
from trivium.data.sources.builtin.scene import WHOLE, Phrase, Scene
from trivium.data.sources.builtin.words import related

ATTRIBUTIVE = ("little",)
"""Adjectives that stand before a noun only."""

_FEELINGS = ("mood", "temper", "energy", "shyness", "nerves", "will")


@dataclass(frozen=True, slots=True)
class Edit:
    """A scene after one change; ``slot`` is what was changed, ``words`` how (``boy>kid``, or the word alone)."""

    scene: Scene
    slot: str
    words: str


@cache
def dimensions(adjective: str) -> tuple[str, ...]:
    """What an adjective measures: ``tall`` measures height, ``old`` age or newness."""
    return tuple(name for name, adjectives in DIMENSIONS.items() if adjective in adjectives)


def is_relative(adjective: str) -> bool:
    """Whether an adjective is measured against its noun, so that the noun cannot be made wider under it."""
    return any(dimension in RELATIVE for dimension in dimensions(adjective))


def fitting(kind: Kind, scene: Scene) -> tuple[str, ...]:
    """The adjectives of a kind that say something sensible in the activity of a scene."""
    odd = scene.activity.odd
    return tuple(word for word in kind.adjectives if not any(dimension in odd for dimension in dimensions(word)))


def substitutions(scene: Scene, relation: str) -> Iterator[Edit]:
    """The scene with one word replaced by each of its synonyms, hypernyms, hyponyms, antonyms or cohyponyms.

    Only words that the activity allows are put in, and nothing where the relation would not carry over to the
    whole sentence.
    """
    yield from _nouns(scene, relation)
    yield from _verbs(scene, relation)
    yield from _adjectives(scene, relation)
    for slot, allowed in (("adverb", scene.activity.adverbs), ("adjunct", scene.activity.adjuncts)):
        word = scene.adverb if slot == "adverb" else scene.adjunct
        for other in related(relation, slot, word) if word else ():
            if other in allowed:
                changed = replace(scene, adverb=other) if slot == "adverb" else replace(scene, adjunct=other)
                yield Edit(changed, slot, f"{word}>{other}")


def _nouns(scene: Scene, relation: str) -> Iterator[Edit]:
    for slot, phrase, allowed in _phrases(scene):
        blocked = relation != "synonym" and (is_relative(phrase.adjective) or _is_whole(slot, phrase))
        for other in related(relation, "noun", phrase.noun) if not blocked else ():
            kind = allowed.get(other)
            if kind and (not phrase.adjective or phrase.adjective in kind.adjectives):
                yield Edit(_with(scene, slot, phrase.renamed(other, kind)), slot, f"{phrase.noun}>{other}")


def _verbs(scene: Scene, relation: str) -> Iterator[Edit]:
    # What is quick for a stroll is slow for a walk: an adverb pins the verb.
    if scene.adverb and relation in ("hypernym", "hyponym"):
        return
    for other in related(relation, "verb", scene.verb):
        if other in scene.activity.verbs:
            yield Edit(replace(scene, verb=other), "verb", f"{scene.verb}>{other}")


def _adjectives(scene: Scene, relation: str) -> Iterator[Edit]:
    for slot, phrase, _ in _phrases(scene):
        if relation != "synonym" and _is_whole(slot, phrase):
            continue
        for other in related(relation, "adjective", phrase.adjective) if phrase.adjective else ():
            if other in fitting(phrase.kind, scene):
                edited = _with(scene, slot, replace(phrase, adjective=other))
                yield Edit(edited, f"{slot} adjective", f"{phrase.adjective}>{other}")


def drops(scene: Scene) -> Iterator[Edit]:
    """The scene without one of its adjectives, its tail, its adverb or its adjunct: it says less."""
    for slot, phrase, _ in _phrases(scene):
        if _is_whole(slot, phrase):
            continue
        if phrase.adjective:
            yield Edit(_with(scene, slot, replace(phrase, adjective="")), f"{slot} adjective", phrase.adjective)
        if phrase.tail:
            yield Edit(_with(scene, slot, replace(phrase, tail="")), "tail", phrase.tail)
    if scene.adverb:
        yield Edit(replace(scene, adverb=""), "adverb", scene.adverb)
    if scene.adjunct and not scene.activity.placed:
        yield Edit(replace(scene, adjunct=""), "adjunct", scene.adjunct)


def adds(scene: Scene) -> Iterator[Edit]:
    """The scene with an adjective, a tail, an adverb or an adjunct that it did not have: it says more."""
    for slot, phrase, _ in _phrases(scene):
        if _is_whole(slot, phrase) or phrase.adjective or phrase.tail:
            continue
        for adjective in fitting(phrase.kind, scene):
            if slot == "subject" and clash(adjective, scene.adverb):
                continue
            yield Edit(_with(scene, slot, replace(phrase, adjective=adjective)), f"{slot} adjective", adjective)
    if wears(scene) and not scene.subject.tail:
        for tail in TAILS:
            yield Edit(replace(scene, subject=replace(scene.subject, tail=tail)), "tail", tail)
    for adverb in scene.activity.adverbs if not scene.adverb else ():
        if clash(scene.subject.adjective, adverb):
            continue
        yield Edit(replace(scene, adverb=adverb), "adverb", adverb)
    for adjunct in scene.activity.adjuncts if not scene.adjunct else ():
        yield Edit(replace(scene, adjunct=adjunct), "adjunct", adjunct)


def changes(scene: Scene) -> Iterator[Edit]:
    """The scene with an adjective or the adverb replaced by one that measures something else."""
    for slot, phrase, _ in _phrases(scene):
        if not phrase.adjective or _is_whole(slot, phrase):
            continue
        for other in fitting(phrase.kind, scene):
            if independent(phrase.adjective, other) and not (slot == "subject" and clash(other, scene.adverb)):
                edited = _with(scene, slot, replace(phrase, adjective=other))
                yield Edit(edited, f"{slot} adjective", f"{phrase.adjective}>{other}")
    for other in scene.activity.adverbs if scene.adverb else ():
        if separate(scene.adverb, other) and not clash(scene.subject.adjective, other):
            yield Edit(replace(scene, adverb=other), "adverb", f"{scene.adverb}>{other}")


class Statement(NamedTuple):
    """What can be said of the subject, what it rests on, and whether it is so in the scene."""

    predicate: str
    words: str
    holds: bool


def statements(scene: Scene) -> Iterator[Statement]:
    """What adjective and clothes of the subject decide: ``tall`` holds, ``short`` does not."""
    subject = scene.subject
    if subject.tail:
        yield Statement(wearing(subject.tail), subject.tail, True)
    if subject.adjective and subject.adjective not in ATTRIBUTIVE:
        yield Statement(subject.adjective, subject.adjective, True)
        for other in related("antonym", "adjective", subject.adjective):
            if other in subject.kind.adjectives and other not in ATTRIBUTIVE:
                yield Statement(other, f"{subject.adjective}>{other}", False)


def wearing(tail: str) -> str:
    """A tail as a predicate: ``in a red shirt`` becomes ``wearing a red shirt``."""
    return tail.replace("in ", "wearing ", 1)


def independent(adjective: str, other: str) -> bool:
    """Whether nothing follows from one adjective for the other."""
    return adjective != other and not set(dimensions(adjective)) & set(dimensions(other))


def separate(adverb: str, other: str) -> bool:
    """Whether nothing follows from one adverb for the other: the speed of an action, against the way it is done."""
    ours, theirs = manners(adverb), manners(other)
    return ("speed" in ours) != ("speed" in theirs) and "energy" not in (*ours, *theirs)


def clash(word: str, other: str) -> bool:
    """Whether an adjective and an adverb both tell of feelings: one would decide the other."""
    felt = [set(dimensions(here)) & set(_FEELINGS) for here in (word, other)]
    done = [set(manners(here)) & set(_FEELINGS) for here in (word, other)]
    return bool((felt[0] and done[1]) or (felt[1] and done[0]))


@cache
def manners(adverb: str) -> tuple[str, ...]:
    """What an adverb tells: ``quickly`` tells of speed."""
    return tuple(name for name, adverbs in MANNERS.items() if adverb in adverbs)


def wears(scene: Scene) -> bool:
    """Whether the clothes of the subject can be spoken of: one grown person or child, not just dressing."""
    subject = scene.subject
    return subject.kind.people and not subject.plural and "clothes" not in scene.activity.odd


def _phrases(scene: Scene) -> Iterator[tuple[str, Phrase, dict[str, Kind]]]:
    yield "subject", scene.subject, scene.activity.subjects
    if scene.object is not None:
        yield "object", scene.object, scene.activity.objects


def _with(scene: Scene, slot: str, phrase: Phrase) -> Scene:
    return replace(scene, subject=phrase) if slot == "subject" else replace(scene, object=phrase)


def _is_whole(slot: str, phrase: Phrase) -> bool:
    return slot == "subject" and phrase.determiner in WHOLE
