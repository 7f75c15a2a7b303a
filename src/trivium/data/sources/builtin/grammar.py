"""Draw a random scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from trivium.data.sources.builtin.activities import ACTIVITIES, Activity
from trivium.data.sources.builtin.edits import clash, fitting, wears
from trivium.data.sources.builtin.kinds import TAILS, Kind
from trivium.data.sources.builtin.scene import Phrase, Scene

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")

_SINGULAR = ("a",) * 12 + ("the",) * 3
_PLURAL: tuple[str, ...] = (
    *("two", "two", "two", "two", "two", "two", "two", "two", "two", "three", "three", "three", "four", "the", "the"),
    *(
        "some",
        "some",
        "some",
        "some",
        "all the",
        "all the",
        "all the",
        "several",
        "many",
        "a few",
        "both",
        "most of the",
    ),
)
_DRAWN = ACTIVITIES + tuple(activity for activity in ACTIVITIES if activity.meets)
_THING = ("a",) * 6 + ("the",) * 2
_THINGS = ("two", "three", "some", "some")


def choose(rng: np.random.Generator, items: Sequence[T]) -> T:
    """Return a random item; all are equally likely."""
    return items[int(rng.integers(len(items)))]


def draw(rng: np.random.Generator) -> Scene:
    """Return a random scene with random modifiers."""
    activity = choose(rng, _DRAWN)
    subject = _subject(rng, activity)
    scene = Scene(activity, subject, choose(rng, activity.verbs), _object(rng, activity, subject))
    return _modified(rng, scene)


def _subject(rng: np.random.Generator, activity: Activity) -> Phrase:
    noun, kind = _noun(rng, activity.who, activity.general_subjects)
    if rng.random() < 0.62:
        return Phrase(choose(rng, _SINGULAR), noun, kind)
    return Phrase(choose(rng, _PLURAL), noun, kind, plural=True)


def _noun(rng: np.random.Generator, kinds: Sequence[Kind], general: Sequence[tuple[str, Kind]]) -> tuple[str, Kind]:
    """Return a random noun and its kind. General nouns are drawn more often, as there are few of them."""
    if general and rng.random() < 0.3:
        return choose(rng, general)
    kind = choose(rng, kinds)
    return choose(rng, kind.nouns), kind


def _object(rng: np.random.Generator, activity: Activity, subject: Phrase) -> Phrase | None:
    if not activity.what:
        return None
    noun, kind = _noun(rng, activity.what, activity.general_objects)
    while noun == subject.noun:
        noun, kind = _noun(rng, activity.what, activity.general_objects)
    if kind.number in ("bare", "single"):
        return Phrase("a" if kind.number == "single" else "", noun, kind)
    if kind.number != "count":
        return Phrase(choose(rng, ("some", "some", "the", "")), noun, kind, plural=kind.number == "pair")
    if activity.solo and subject.plural:
        return Phrase("", noun, kind, plural=True)
    if activity.solo or activity.one or rng.random() < 0.8:
        return Phrase(choose(rng, _THING), noun, kind)
    return Phrase(choose(rng, _THINGS), noun, kind, plural=True)


def _modified(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with random modifiers: an adjective or a tail, an adverb and an adjunct."""
    chances = rng.random(4)
    activity, subject, thing = scene.activity, scene.subject, scene.object
    if chances[0] < 0.33:
        subject = _qualified(rng, scene, subject)
    elif chances[0] < 0.43 and wears(scene):
        subject = replace(subject, tail=choose(rng, TAILS))
    if thing is not None and chances[1] < 0.28:
        thing = _qualified(rng, scene, thing)
    adverb = choose(rng, activity.adverbs) if activity.adverbs and chances[2] < 0.3 else ""
    adverb = "" if clash(subject.adjective, adverb) else adverb
    adjunct = choose(rng, activity.adjuncts) if activity.placed or chances[3] < 0.4 else ""
    return replace(scene, subject=subject, object=thing, adverb=adverb, adjunct=adjunct)


def _qualified(rng: np.random.Generator, scene: Scene, phrase: Phrase) -> Phrase:
    adjectives = fitting(phrase.kind, scene)
    return replace(phrase, adjective=choose(rng, adjectives)) if adjectives else phrase
