"""Which kind of edit gave a pair of sentences another label (Continual Few-Shot Learning, section 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

from trivium.build.edits.lexicon import ABSTRACTIONS, CLOTHES
from trivium.build.edits.reading import CONTENT, Place, Word, main_kind, read_places, read_words
from trivium.data.example import Example
from trivium.data.sources.builtin.words import related
from trivium.language.difference import Change, Difference, difference

NLI_EDITS = (
    "Insert/remove phrases", "Substitute entities", "Substitute evidence", "Modify entity details", "Change action",
    "Numerical changes", "Negation", "Using abstractions",
)  # fmt: skip
"""The categories, in the order of the paper."""

_NAMES = ("noun", "pronoun")
_BRIDGE = 2  # at most so many words without content stand between the parts of one exchanged predicate
_KEPT = 0.15  # of the words with content; where less is left of a sentence, it was written anew


def nli_edit(original: Example, revised: Example) -> str | None:
    """The kind of edit that leads from a pair to its revision, or None where it fits none.

    Each changed place gets the first category whose rule holds: Negation, Numerical changes, Using abstractions,
    Modify entity details, Change action, Insert/remove phrases, Substitute entities, Substitute evidence (the narrow
    ones before the wide ones). The edit is of the kind of most places; of kinds with as many places, the one with more
    changed words; then the one named first in :data:`NLI_EDITS`. None: nothing changed but case, signs, articles and
    the forms of verbs; both sentences changed; hardly a word was kept; three kinds or more without a main one.
    """
    found = [one for one in (_changed(*pair) for pair in _sentences(original, revised)) if one is not None]
    if len(found) != 1 or _is_rewritten(found[0]):
        return None
    places = read_places(found[0])
    telling = [place for place in places if place.size]
    if not telling:
        return "Substitute evidence"
    return main_kind([(_kind(place), place.size) for place in telling], NLI_EDITS)


def is_negation(place: Place) -> bool:
    """A negation word is put in or taken out, with at most two other words."""
    denied = [sum(word.part == "negation" for word in side) for side in (place.lost, place.gained)]
    return denied[0] != denied[1] and place.size - sum(denied) <= 2


def is_numerical(place: Place) -> bool:
    """A word that says how many is changed, or one becomes many, and nothing else is."""
    counts = [word for word in place.changed if word.part == "number"]
    return bool(counts or place.counted) and len(place.changed) == len(counts)


def is_abstraction(place: Place) -> bool:
    """A word is exchanged for its hypernym or its hyponym: a man for a person, a dog for an animal."""
    for part, parts in (("noun", _NAMES), ("verb", ("verb",))):
        old, new = ([word for word in side if word.part in parts] for side in (place.lost, place.gained))
        others = [word for word in place.changed if word.part not in (*parts, "adjective")]
        if not old or not new or others:
            continue
        if any(_covers(part, *pair) or _covers(part, *pair[::-1]) for pair in _readings(old, new)):
            return True
    return False


def is_detail(place: Place) -> bool:
    """A detail of an entity that itself stays is put in, taken out or exchanged: its colour, size, kind, clothing."""
    sides = [side for side in (place.lost, place.gained) if side]
    if any(len(side) > 3 for side in sides) or _has_verb(place):
        return False
    if all(word.part == "adjective" for word in place.changed) or _are_clothes(place):
        return True
    if _moved(place):
        return False
    heads = [side[-1] for side in (place.removed, place.inserted) if side]
    if all(head.part in ("noun", "adjective", "determiner") for head in heads) and _is_named(place.behind):
        return True  # what stands before a noun is a detail of it: a lawn chair, her father's shoulders
    return bool(place.lost and place.gained) and _shares_head(place)


def is_action(place: Place) -> bool:
    """The verb is exchanged for another, with the preposition and the adverb that belong to it."""
    if not _has_verb(place) or any(word.part not in ("verb", "adverb") for word in place.changed):
        return False
    sides = ((place.removed, place.lost), (place.inserted, place.gained))
    return all(own or any(word.part in ("auxiliary", "preposition") for word in side) for side, own in sides)


def is_phrase(place: Place) -> bool:
    """Words are only put in, or only taken out."""
    bare = [side for side, own in ((place.removed, place.lost), (place.inserted, place.gained)) if not own]
    return bool(bare) and not any(word.part == "preposition" for word in bare[0])


def is_entity(place: Place) -> bool:
    """Somebody or something is exchanged for another, in the same role."""
    named = all(any(word.part in _NAMES for word in side) for side in (place.lost, place.gained))
    return named and not _has_verb(place) and not _moved(place)


def is_evidence(place: Place) -> bool:
    """A stretch is exchanged for another: a predicate, a clause, where or how it happens."""
    return bool(place.changed)


RULES: tuple[tuple[str, Callable[[Place], bool]], ...] = (
    ("Negation", is_negation),
    ("Numerical changes", is_numerical),
    ("Using abstractions", is_abstraction),
    ("Modify entity details", is_detail),
    ("Change action", is_action),
    ("Insert/remove phrases", is_phrase),
    ("Substitute entities", is_entity),
    ("Substitute evidence", is_evidence),
)
"""The rules in the order in which they are tried on a place."""


def _kind(place: Place) -> str | None:
    return next((name for name, holds in RULES if holds(place)), None)


def _sentences(original: Example, revised: Example) -> tuple[tuple[str, str], ...]:
    return (original.premise, revised.premise), (original.hypothesis or "", revised.hypothesis or "")


def _changed(original: str, revised: str) -> Difference | None:
    """The difference of two sentences with its predicates joined; None if it says nothing."""
    found = difference(original, revised)
    places = dict(zip(found.changes, read_places(found), strict=True))
    telling = tuple(change for change in found.changes if places[change].size or _moved(places[change]))
    if not telling:
        return None

    def belong(first: Change, second: Change) -> bool:
        between = read_words(found.between(first, second))
        near = len(between) <= _BRIDGE and not any(word.part in CONTENT | {"mark"} for word in between)
        return near and any(word.part == "verb" for one in (first, second) for word in _joined_words(one, places))

    return Difference(found.original, found.revised, telling).joined(belong)


def _joined_words(change: Change, places: dict[Change, Place]) -> tuple[Word, ...]:
    """The words of a change, or of the changes that it was joined from."""
    inside = (place for one, place in places.items() if _within(one, change))
    return tuple(word for place in inside for word in place.changed)


def _within(one: Change, other: Change) -> bool:
    return other.removed_at <= one.removed_at <= one.removed_end <= other.removed_end and (
        other.inserted_at <= one.inserted_at <= one.inserted_end <= other.inserted_end
    )


def _is_rewritten(found: Difference) -> bool:
    old, new = (
        Counter(word.lemma for word in read_words(side) if word.part in CONTENT)
        for side in (found.original, found.revised)
    )
    kept = (old & new).total()
    return kept == 0 or kept < _KEPT * max(old.total(), new.total())


def _has_verb(place: Place) -> bool:
    return any(word.part == "verb" for word in place.changed)


def _are_clothes(place: Place) -> bool:
    """Whether one thing that is worn is exchanged for another."""
    return all(side and side[-1].lemma in CLOTHES for side in (place.lost, place.gained))


def _is_named(word: Word | None) -> bool:
    return word is not None and word.part == "noun"


def _moved(place: Place) -> bool:
    """Whether the prepositions of the two sides differ: it is no longer in the same role."""
    sides = (place.removed, place.inserted)
    old, new = (
        sorted(word.text for word in side if word.part == "preposition" and word.text != "of") for side in sides
    )
    return old != new


def _shares_head(place: Place) -> bool:
    """Whether both sides end in a form of the same noun: a small dog, a big dog."""
    heads = [side[-1] for side in (place.removed, place.inserted) if side]
    return len(heads) == 2 and heads[0].part == "noun" and heads[0].lemma == heads[1].lemma


def _readings(old: list[Word], new: list[Word]) -> list[tuple[str, str]]:
    """The last words of both sides, and the sides as phrases (police officer)."""
    names = [(side[-1].lemma, " ".join(word.lemma for word in side)) for side in (old, new)]
    return [(one, other) for one in names[0] for other in names[1]]


@cache
def _above() -> dict[str, frozenset[str]]:
    lines = (line.split(":") for line in ABSTRACTIONS.strip().splitlines())
    return {name.strip(): frozenset(below.split()) for name, below in lines}


@cache
def _covers(part: str, above: str, below: str) -> bool:
    """Whether a word is a hypernym of another."""
    return below in _above().get(above, ()) or above in related("hypernym", part, below)
