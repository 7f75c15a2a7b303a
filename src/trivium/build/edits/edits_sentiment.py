"""Categories of edits that change the sentiment of a review (Continual Few-Shot Learning, section 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trivium.build.edits.lexicon import GRADES, LACKS, POINTS, QUALIFIERS, RATINGS, SARCASM
from trivium.build.edits.reading import ChangedSpan, Word, main_category, read_spans
from trivium.data.example import Example
from trivium.language.difference import Change, Difference, difference

SENTIMENT_EDITS = ("Modifiers", "Inserting phrases", "Negation", "Qualifiers", "Ratings", "Sarcasm")
"""The categories in the order of the paper."""

_MODIFIERS = ("adjective", "adverb")
_QUOTES = frozenset("\"'“”‘’`")
_MIN_KEPT = 0.35  # share of words; a review that keeps fewer counts as rewritten
_MAX_QUOTED_WORDS = 3  # words in scare quotes; more are quoted speech
_MAX_RATING_WORDS = 6  # content words
_MIN_SHARE = 1 / 3  # share of spans that the main category must have


def sentiment_edit(original: Example, revised: Example) -> str | None:
    """Return the category of the edit that leads from a review to its revision, or None if no category fits.

    Each changed span gets the first category whose rule holds: Ratings, Sarcasm, Negation, Qualifiers, Modifiers,
    Inserting phrases; a span in which nouns or verbs were replaced has none. The category of the edit is that of most
    spans that have one; ties are broken by the number of changed words. The result is None if nothing changed except
    case and punctuation, if too few words were kept, or if no category has a third of the spans.
    """
    diff = _join_quotes(difference(original.premise, revised.premise))
    if _is_rewritten(diff):
        return None
    spans = [(_category(change, span), span.size) for change, span in zip(diff.changes, read_spans(diff), strict=True)]
    relevant = [(category, size) for category, size in spans if category or size]
    categorized = [(category, size) for category, size in relevant if category]
    best = main_category(categorized, SENTIMENT_EDITS)
    return best if sum(category == best for category, _ in categorized) >= _MIN_SHARE * len(relevant) else None


def is_rating(change: Change, span: ChangedSpan) -> bool:
    """Return whether a number of points or stars, or a grade, is changed or added: *3 out of 10*, *a solid B*."""
    around = _lower((*change.left, *change.removed, *change.inserted, *change.right[:3]))
    rated = any(word in RATINGS for word in around) or _contains(around, "out of")
    old, new = (any(word.text in POINTS or word.text[0].isdigit() for word in side) for side in _sides(span))
    if rated and new and (old or not span.lost) and len(span.changed) <= _MAX_RATING_WORDS:
        return True
    graded = all(any(word in GRADES for word in _lower(side)) for side in (change.removed, change.inserted))
    return graded and (rated or _are_capitals(change))


def is_sarcasm(change: Change, span: ChangedSpan) -> bool:
    """Return whether praise is made sarcastic: by *yeah right* or *oh great*, or by quotation marks around a word."""
    if _is_added(change, SARCASM):
        return True
    quoted = sum(word in _QUOTES for word in change.inserted) - sum(word in _QUOTES for word in change.removed)
    return quoted >= 2 and 1 <= len(span.inserted) - quoted <= _MAX_QUOTED_WORDS


def is_negation(change: Change, span: ChangedSpan) -> bool:
    """Return whether a negation (*not*, *lack of*, *fails to*) is inserted or removed, with at most two other words."""
    negations = [sum(word.pos == "negation" for word in side) for side in (span.lost, span.gained)]
    one_sided = not span.lost or not span.gained
    lacking = one_sided and span.size <= 2 and any(word.text in LACKS for word in span.changed)
    return lacking or (negations[0] != negations[1] and span.size - sum(negations) <= 2)


def is_qualifier(change: Change, span: ChangedSpan) -> bool:
    """Return whether words are inserted that weaken praise or blame: *somewhat*, *kind of*, *could have been*."""
    return _is_added(change, QUALIFIERS) and len(span.gained) <= 4


def is_modifier(change: Change, span: ChangedSpan) -> bool:
    """Return whether mainly adjectives and adverbs are inserted, removed or replaced."""
    modifiers = sum(word.pos in _MODIFIERS for word in span.changed)
    return 2 * modifiers >= len(span.changed) > 0 and all(len(side) <= 3 for side in (span.lost, span.gained))


def is_phrase(change: Change, span: ChangedSpan) -> bool:
    """Return whether two or more content words are inserted where there was at most one."""
    return len(span.lost) <= 1 and len(span.gained) >= 2 + len(span.lost)


RULES: tuple[tuple[str, Callable[[Change, ChangedSpan], bool]], ...] = (
    ("Ratings", is_rating),
    ("Sarcasm", is_sarcasm),
    ("Negation", is_negation),
    ("Qualifiers", is_qualifier),
    ("Modifiers", is_modifier),
    ("Inserting phrases", is_phrase),
)
"""The rules in the order in which they are tried."""


def _category(change: Change, span: ChangedSpan) -> str | None:
    return next((name for name, holds in RULES if holds(change, span)), None)


def _is_rewritten(diff: Difference) -> bool:
    kept = len(diff.original) - sum(len(change.removed) for change in diff.changes)
    return kept < _MIN_KEPT * max(len(diff.original), len(diff.revised))


def _join_quotes(diff: Difference) -> Difference:
    """Join two changes into one if they insert quotation marks around one to three words."""

    def belong_together(first: Change, second: Change) -> bool:
        marks = all(
            not mark.removed and len(mark.inserted) == 1 and mark.inserted[0] in _QUOTES for mark in (first, second)
        )
        between = diff.between(first, second)
        inside = 1 <= len(between) <= _MAX_QUOTED_WORDS and all(word[0].isalnum() for word in between)
        return marks and inside and not any(word in _QUOTES for word in (*first.left[-1:], *second.right[:1]))

    return diff.joined(belong_together)


def _sides(span: ChangedSpan) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    return span.removed, span.inserted


def _lower(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)


def _are_capitals(change: Change) -> bool:
    """Return whether both sides are a single capital letter, and so a grade: A becomes F."""
    return all(len(side) == 1 and side[0].isupper() for side in (change.removed, change.inserted))


def _is_added(change: Change, phrases: Sequence[str]) -> bool:
    """Return whether one of the phrases is among the inserted words and not among the removed ones."""
    new, old = _lower(change.inserted), _lower(change.removed)
    return any(_contains(new, phrase) and not _contains(old, phrase) for phrase in phrases)


def _contains(words: Sequence[str], phrase: str) -> bool:
    return f" {phrase} " in f" {' '.join(words)} "
