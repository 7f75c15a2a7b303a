"""Categories of edits that change the label of an NLI pair (Continual Few-Shot Learning, section 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

from trivium.build.edits.lexicon import ABSTRACTIONS, CLOTHES
from trivium.build.edits.reading import CONTENT, ChangedSpan, Word, main_category, read_spans, read_words
from trivium.data.example import Example
from trivium.data.sources.builtin.words import related
from trivium.language.difference import Change, Difference, difference

NLI_EDITS = (
    "Insert/remove phrases", "Substitute entities", "Substitute evidence", "Modify entity details", "Change action",
    "Numerical changes", "Negation", "Using abstractions",
)  # fmt: skip
"""The categories in the order of the paper."""

_NOUNS = ("noun", "pronoun")
_MAX_GAP = 2  # maximal number of function words between two parts of a predicate
_MIN_KEPT = 0.15  # share of content words; a sentence that keeps fewer counts as rewritten


def nli_edit(original: Example, revised: Example) -> str | None:
    """Return the category of the edit that leads from a pair to its revision, or None if no category fits.

    Each changed span gets the first category whose rule holds, in the order Negation, Numerical changes, Using
    abstractions, Modify entity details, Change action, Insert/remove phrases, Substitute entities, Substitute evidence.
    The category of the edit is that of most spans; ties are broken by the number of changed words, then by the order
    of :data:`NLI_EDITS`. The result is None if nothing changed except case, punctuation, articles and verb forms; if
    both sentences changed; if hardly any word was kept; or if there are three or more categories without a main one.
    """
    diffs = [diff for diff in (_relevant_changes(*pair) for pair in _sentences(original, revised)) if diff is not None]
    if len(diffs) != 1 or _is_rewritten(diffs[0]):
        return None
    spans = [span for span in read_spans(diffs[0]) if span.size]
    if not spans:
        return "Substitute evidence"
    return main_category([(_category(span), span.size) for span in spans], NLI_EDITS)


def is_negation(span: ChangedSpan) -> bool:
    """Return whether a negation word is inserted or removed, with at most two other words."""
    negations = [sum(word.pos == "negation" for word in side) for side in (span.lost, span.gained)]
    return negations[0] != negations[1] and span.size - sum(negations) <= 2


def is_numerical(span: ChangedSpan) -> bool:
    """Return whether only a quantity is changed, or a singular becomes a plural or vice versa."""
    counts = [word for word in span.changed if word.pos == "number"]
    return bool(counts or span.number_changed) and len(span.changed) == len(counts)


def is_abstraction(span: ChangedSpan) -> bool:
    """Return whether a word is replaced by its hypernym or hyponym: *a man* by *a person*, *a dog* by *an animal*."""
    for part, parts in (("noun", _NOUNS), ("verb", ("verb",))):
        old, new = ([word for word in side if word.pos in parts] for side in (span.lost, span.gained))
        others = [word for word in span.changed if word.pos not in (*parts, "adjective")]
        if not old or not new or others:
            continue
        if any(_is_hypernym(part, *pair) or _is_hypernym(part, *pair[::-1]) for pair in _candidates(old, new)):
            return True
    return False


def is_detail(span: ChangedSpan) -> bool:
    """Return whether a detail of an entity (colour, size, type, clothing) is inserted, removed or replaced."""
    sides = [side for side in (span.lost, span.gained) if side]
    if any(len(side) > 3 for side in sides) or _has_verb(span):
        return False
    if all(word.pos == "adjective" for word in span.changed) or _are_clothes(span):
        return True
    if _changes_role(span):
        return False
    heads = [side[-1] for side in (span.removed, span.inserted) if side]
    if all(head.pos in ("noun", "adjective", "determiner") for head in heads) and _is_noun(span.after):
        return True  # words before a noun are its details: a lawn chair, her father's shoulders
    return bool(span.lost and span.gained) and _shares_head(span)


def is_action(span: ChangedSpan) -> bool:
    """Return whether the verb is replaced by another, with its preposition and adverb."""
    if not _has_verb(span) or any(word.pos not in ("verb", "adverb") for word in span.changed):
        return False
    sides = ((span.removed, span.lost), (span.inserted, span.gained))
    return all(content or any(word.pos in ("auxiliary", "preposition") for word in side) for side, content in sides)


def is_phrase(span: ChangedSpan) -> bool:
    """Return whether words are only inserted or only removed."""
    empty = [side for side, content in ((span.removed, span.lost), (span.inserted, span.gained)) if not content]
    return bool(empty) and not any(word.pos == "preposition" for word in empty[0])


def is_entity(span: ChangedSpan) -> bool:
    """Return whether a person or thing is replaced by another in the same role."""
    has_nouns = all(any(word.pos in _NOUNS for word in side) for side in (span.lost, span.gained))
    return has_nouns and not _has_verb(span) and not _changes_role(span)


def is_evidence(span: ChangedSpan) -> bool:
    """Return whether any other phrase is replaced: a predicate, a clause, an adverbial."""
    return bool(span.changed)


RULES: tuple[tuple[str, Callable[[ChangedSpan], bool]], ...] = (
    ("Negation", is_negation),
    ("Numerical changes", is_numerical),
    ("Using abstractions", is_abstraction),
    ("Modify entity details", is_detail),
    ("Change action", is_action),
    ("Insert/remove phrases", is_phrase),
    ("Substitute entities", is_entity),
    ("Substitute evidence", is_evidence),
)
"""The rules in the order in which they are tried."""


def _category(span: ChangedSpan) -> str | None:
    return next((name for name, holds in RULES if holds(span)), None)


def _sentences(original: Example, revised: Example) -> tuple[tuple[str, str], ...]:
    return (original.premise, revised.premise), (original.hypothesis or "", revised.hypothesis or "")


def _relevant_changes(original: str, revised: str) -> Difference | None:
    """Return the relevant changes between two sentences, or None. The parts of a predicate are joined."""
    diff = difference(original, revised)
    spans = dict(zip(diff.changes, read_spans(diff), strict=True))
    relevant = tuple(change for change in diff.changes if spans[change].size or _changes_role(spans[change]))
    if not relevant:
        return None

    def belong_together(first: Change, second: Change) -> bool:
        between = read_words(diff.between(first, second))
        near = len(between) <= _MAX_GAP and not any(word.pos in CONTENT | {"mark"} for word in between)
        return near and any(word.pos == "verb" for change in (first, second) for word in _joined_words(change, spans))

    return Difference(diff.original, diff.revised, relevant).joined(belong_together)


def _joined_words(change: Change, spans: dict[Change, ChangedSpan]) -> tuple[Word, ...]:
    """Return the changed words of a change, which may be joined from several."""
    inside = (span for part, span in spans.items() if _contains(change, part))
    return tuple(word for span in inside for word in span.changed)


def _contains(outer: Change, inner: Change) -> bool:
    return outer.removed_at <= inner.removed_at <= inner.removed_end <= outer.removed_end and (
        outer.inserted_at <= inner.inserted_at <= inner.inserted_end <= outer.inserted_end
    )


def _is_rewritten(diff: Difference) -> bool:
    old, new = (
        Counter(word.lemma for word in read_words(side) if word.pos in CONTENT)
        for side in (diff.original, diff.revised)
    )
    kept = (old & new).total()
    return kept == 0 or kept < _MIN_KEPT * max(old.total(), new.total())


def _has_verb(span: ChangedSpan) -> bool:
    return any(word.pos == "verb" for word in span.changed)


def _are_clothes(span: ChangedSpan) -> bool:
    """Return whether one piece of clothing is replaced by another."""
    return all(side and side[-1].lemma in CLOTHES for side in (span.lost, span.gained))


def _is_noun(word: Word | None) -> bool:
    return word is not None and word.pos == "noun"


def _changes_role(span: ChangedSpan) -> bool:
    """Return whether the two sides have different prepositions, so that the role changes."""
    sides = (span.removed, span.inserted)
    old, new = (sorted(word.text for word in side if word.pos == "preposition" and word.text != "of") for side in sides)
    return old != new


def _shares_head(span: ChangedSpan) -> bool:
    """Return whether both sides end in a form of the same noun: *a small dog*, *a big dog*."""
    heads = [side[-1] for side in (span.removed, span.inserted) if side]
    return len(heads) == 2 and heads[0].pos == "noun" and heads[0].lemma == heads[1].lemma


def _candidates(old: list[Word], new: list[Word]) -> list[tuple[str, str]]:
    """Return the pairs of names to compare: of each side, its last word and its whole phrase (*police officer*)."""
    names = [(side[-1].lemma, " ".join(word.lemma for word in side)) for side in (old, new)]
    return [(first, second) for first in names[0] for second in names[1]]


@cache
def _hyponyms() -> dict[str, frozenset[str]]:
    lines = (line.split(":") for line in ABSTRACTIONS.strip().splitlines())
    return {name.strip(): frozenset(below.split()) for name, below in lines}


@cache
def _is_hypernym(part: str, hypernym: str, hyponym: str) -> bool:
    """Return whether the first word is a hypernym of the second."""
    return hyponym in _hyponyms().get(hypernym, ()) or hypernym in related("hypernym", part, hyponym)
