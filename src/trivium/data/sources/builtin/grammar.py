"""Draw a random scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from trivium.data.sources.builtin.activities import ACTIVITIES, Activity
from trivium.data.sources.builtin.edits import clash, fitting_adjectives, may_mention_clothes
from trivium.data.sources.builtin.noun_classes import TAILS, NounClass
from trivium.data.sources.builtin.scene import Phrase, Scene

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")

_SINGULAR_DETERMINERS = ("a",) * 12 + ("the",) * 3
_PLURAL_DETERMINERS: tuple[str, ...] = (
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
# Reversible activities are drawn twice as often.
_WEIGHTED_ACTIVITIES = ACTIVITIES + tuple(activity for activity in ACTIVITIES if activity.reversible)
_OBJECT_DETERMINERS = ("a",) * 6 + ("the",) * 2
_PLURAL_OBJECT_DETERMINERS = ("two", "three", "some", "some")


def choose(rng: np.random.Generator, items: Sequence[T]) -> T:
    """Return a random item; all are equally likely."""
    return items[int(rng.integers(len(items)))]


def draw_scene(rng: np.random.Generator) -> Scene:
    """Return a random scene with random modifiers."""
    activity = choose(rng, _WEIGHTED_ACTIVITIES)
    subject = _subject(rng, activity)
    scene = Scene(activity, subject, choose(rng, activity.verbs), _object(rng, activity, subject))
    return _add_modifiers(rng, scene)


def _subject(rng: np.random.Generator, activity: Activity) -> Phrase:
    noun, noun_class = _noun(rng, activity.subject_classes, activity.general_subjects)
    if rng.random() < 0.62:
        return Phrase(choose(rng, _SINGULAR_DETERMINERS), noun, noun_class)
    return Phrase(choose(rng, _PLURAL_DETERMINERS), noun, noun_class, plural=True)


def _noun(
    rng: np.random.Generator, noun_classes: Sequence[NounClass], general_nouns: Sequence[tuple[str, NounClass]]
) -> tuple[str, NounClass]:
    """Return a random noun and its class. General nouns are rare, so they are drawn more often."""
    if general_nouns and rng.random() < 0.3:
        return choose(rng, general_nouns)
    noun_class = choose(rng, noun_classes)
    return choose(rng, noun_class.nouns), noun_class


def _object(rng: np.random.Generator, activity: Activity, subject: Phrase) -> Phrase | None:
    if not activity.object_classes:
        return None
    noun, noun_class = _noun(rng, activity.object_classes, activity.general_objects)
    while noun == subject.noun:
        noun, noun_class = _noun(rng, activity.object_classes, activity.general_objects)
    if noun_class.number in ("bare", "single"):
        return Phrase("a" if noun_class.number == "single" else "", noun, noun_class)
    if noun_class.number != "count":
        return Phrase(choose(rng, ("some", "some", "the", "")), noun, noun_class, plural=noun_class.number == "pair")
    if activity.own_objects and subject.plural:
        return Phrase("", noun, noun_class, plural=True)
    if activity.own_objects or activity.single_object or rng.random() < 0.8:
        return Phrase(choose(rng, _OBJECT_DETERMINERS), noun, noun_class)
    return Phrase(choose(rng, _PLURAL_OBJECT_DETERMINERS), noun, noun_class, plural=True)


def _add_modifiers(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with random modifiers: an adjective or a tail, an adverb and an adjunct."""
    chances = rng.random(4)
    activity, subject, thing = scene.activity, scene.subject, scene.object
    if chances[0] < 0.33:
        subject = _add_adjective(rng, scene, subject)
    elif chances[0] < 0.43 and may_mention_clothes(scene):
        subject = subject._replace(tail=choose(rng, TAILS))
    if thing is not None and chances[1] < 0.28:
        thing = _add_adjective(rng, scene, thing)
    adverb = choose(rng, activity.adverbs) if activity.adverbs and chances[2] < 0.3 else ""
    adverb = "" if clash(subject.adjective, adverb) else adverb
    adjunct = choose(rng, activity.adjuncts) if activity.needs_adjunct or chances[3] < 0.4 else ""
    return scene._replace(subject=subject, object=thing, adverb=adverb, adjunct=adjunct)


def _add_adjective(rng: np.random.Generator, scene: Scene, phrase: Phrase) -> Phrase:
    adjectives = fitting_adjectives(phrase.noun_class, scene)
    return phrase._replace(adjective=choose(rng, adjectives)) if adjectives else phrase
