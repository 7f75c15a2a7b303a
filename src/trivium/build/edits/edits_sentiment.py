"""Which kind of edit gave a review the other sentiment (Continual Few-Shot Learning, section 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trivium.build.edits.lexicon import GRADES, LACKS, POINTS, QUALIFIERS, RATINGS, SARCASM
from trivium.build.edits.reading import Place, Word, main_kind, read_places
from trivium.data.example import Example
from trivium.language.difference import Change, Difference, difference

SENTIMENT_EDITS = ("Modifiers", "Inserting phrases", "Negation", "Qualifiers", "Ratings", "Sarcasm")
"""The categories, in the order of the paper."""

_MODIFIERS = ("adjective", "adverb")
_QUOTES = frozenset("\"'“”‘’`")
_KEPT = 0.35  # of the words; where less is left of a review, it was written anew
_IN_QUOTES = 3  # words at most; more of them are quoted speech
_RATING = 6  # words with content; more of them are no rating
_SHARE = 1 / 3  # of the places; a kind with fewer is not the main one


def sentiment_edit(original: Example, revised: Example) -> str | None:
    """The kind of edit that leads from a review to its revision, or None where it fits none.

    Each changed place gets the first category whose rule holds: Ratings, Sarcasm, Negation, Qualifiers, Modifiers,
    Inserting phrases; a place where nouns or verbs were exchanged fits none. The edit is of the kind of most places,
    places without a kind apart; of kinds with as many places, the one with more changed words. None: nothing changed
    but case and signs; hardly half of the words were kept; no kind has a third of the places.
    """
    found = _quoted(difference(original.premise, revised.premise))
    if _is_rewritten(found):
        return None
    kinds = [
        (_kind(change, place), place.size) for change, place in zip(found.changes, read_places(found), strict=True)
    ]
    telling = [(kind, size) for kind, size in kinds if kind or size]
    named = [(kind, size) for kind, size in telling if kind]
    best = main_kind(named, SENTIMENT_EDITS)
    return best if sum(kind == best for kind, _ in named) >= _SHARE * len(telling) else None


def is_rating(change: Change, place: Place) -> bool:
    """A number of points or stars, or a grade, is exchanged or added: 3 out of 10, 4/10, a solid B."""
    around = _lower((*change.left, *change.removed, *change.inserted, *change.right[:3]))
    rated = any(word in RATINGS for word in around) or _holds(around, "out of")
    old, new = (any(word.text in POINTS or word.text[0].isdigit() for word in side) for side in _sides(place))
    if rated and new and (old or not place.lost) and len(place.changed) <= _RATING:
        return True
    graded = all(any(word in GRADES for word in _lower(side)) for side in (change.removed, change.inserted))
    return graded and (rated or _is_capital(change))


def is_sarcasm(change: Change, place: Place) -> bool:
    """Praise is shown not to be meant: yeah right, oh great, or quotation marks put around a word."""
    if _is_added(change, SARCASM):
        return True
    quoted = sum(word in _QUOTES for word in change.inserted) - sum(word in _QUOTES for word in change.removed)
    return quoted >= 2 and 1 <= len(place.inserted) - quoted <= _IN_QUOTES


def is_negation(change: Change, place: Place) -> bool:
    """A word that denies is put in or taken out, with at most two other words (not, never, no, lack of, fails to)."""
    denied = [sum(word.part == "negation" for word in side) for side in (place.lost, place.gained)]
    alone = not place.lost or not place.gained
    lacking = alone and place.size <= 2 and any(word.text in LACKS for word in place.changed)
    return lacking or (denied[0] != denied[1] and place.size - sum(denied) <= 2)


def is_qualifier(change: Change, place: Place) -> bool:
    """Words are put in that take praise or blame back a little: somewhat, kind of, could have been."""
    return _is_added(change, QUALIFIERS) and len(place.gained) <= 4


def is_modifier(change: Change, place: Place) -> bool:
    """Adjectives and adverbs are put in, taken out or exchanged, alone or with few other words."""
    fitting = sum(word.part in _MODIFIERS for word in place.changed)
    return 2 * fitting >= len(place.changed) > 0 and all(len(side) <= 3 for side in (place.lost, place.gained))


def is_phrase(change: Change, place: Place) -> bool:
    """Two words with content or more are put in where at most one was."""
    return len(place.lost) <= 1 and len(place.gained) >= 2 + len(place.lost)


RULES: tuple[tuple[str, Callable[[Change, Place], bool]], ...] = (
    ("Ratings", is_rating),
    ("Sarcasm", is_sarcasm),
    ("Negation", is_negation),
    ("Qualifiers", is_qualifier),
    ("Modifiers", is_modifier),
    ("Inserting phrases", is_phrase),
)
"""The rules in the order in which they are tried on a place."""


def _kind(change: Change, place: Place) -> str | None:
    return next((name for name, holds in RULES if holds(change, place)), None)


def _is_rewritten(found: Difference) -> bool:
    kept = len(found.original) - sum(len(change.removed) for change in found.changes)
    return kept < _KEPT * max(len(found.original), len(found.revised))


def _quoted(found: Difference) -> Difference:
    """The difference in which two quotation marks put around one to three words are one change."""

    def belong(first: Change, second: Change) -> bool:
        marks = all(
            not one.removed and len(one.inserted) == 1 and one.inserted[0] in _QUOTES for one in (first, second)
        )
        between = found.between(first, second)
        inside = 1 <= len(between) <= _IN_QUOTES and all(word[0].isalnum() for word in between)
        return marks and inside and not any(word in _QUOTES for word in (*first.left[-1:], *second.right[:1]))

    return found.joined(belong)


def _sides(place: Place) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    return place.removed, place.inserted


def _lower(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)


def _is_capital(change: Change) -> bool:
    """Whether letters that may be grades are written as such and stand alone: A, then F."""
    return all(len(side) == 1 and side[0].isupper() for side in (change.removed, change.inserted))


def _is_added(change: Change, phrases: Sequence[str]) -> bool:
    """Whether one of the phrases is put in that was not there."""
    new, old = _lower(change.inserted), _lower(change.removed)
    return any(_holds(new, phrase) and not _holds(old, phrase) for phrase in phrases)


def _holds(words: Sequence[str], phrase: str) -> bool:
    return f" {phrase} " in f" {' '.join(words)} "
