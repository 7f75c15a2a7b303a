"""Other readings of a coordination: where attachment is ambiguous, conjuncts that are larger or smaller.

"old [men] and [women]" or "[old men] and [women]"; "a [person] or [a group] that opposes it" or "[a group that opposes
it]". The parser's reading comes first; the others follow, the likelier ones first, with the same conjunction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from trivium.build.conjuncts.edges import is_mark, trimmed
from trivium.build.conjuncts.sentence import OPENERS, Coordination, Sentence, Span

MOST: Final = 4
"""How many readings of one coordination are given if nobody says otherwise: a few, as each next one is less likely."""

_REACH = 12  # words by which an edge may move
_BREAKS = frozenset("ADP SCONJ PRON PART".split())
_NAMED = frozenset("NOUN PROPN ADJ NUM".split())


class _Window(NamedTuple):
    """The words around a coordination and their tags: a long sentence is not copied for each of its readings."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    at: int
    left: Span
    right: Span


def readings(sentence: Sentence, found: Coordination, most: int = MOST) -> tuple[Coordination, ...]:
    """The coordination as it was read, then with the right conjunct or the left one shorter or longer."""
    at = max(0, found.left.first - _REACH - 1)
    words = sentence.words[at : found.right.end + _REACH + 1]
    window = _Window(
        tuple(word.text for word in words),
        tuple(word.tag for word in words),
        at,
        Span(found.left.first - at, found.left.end - at),
        Span(found.right.first - at, found.right.end - at),
    )
    made = [found]
    made += [replace(found, right=right) for right in _rights(window)]
    made += [_with_opener(sentence, replace(found, left=left)) for left in _lefts(window)]
    return tuple(dict.fromkeys(made))[:most]


def _rights(window: _Window) -> Iterator[Span]:
    """The right conjunct up to where a new phrase begins in it, without its last nouns, and up to later ends."""
    (first, end), words, tags = window.right, window.words, window.tags
    for place in range(first + 1, min(end, first + _REACH)):
        if tags[place] in _BREAKS | {"DET", "ADV", "VERB", "AUX"} or is_mark(words[place]):
            yield from _whole(window, first, place)
    for place in range(end - 1, max(first, end - 4), -1):
        if tags[place] in _NAMED and tags[place - 1] in _NAMED | {"VERB"}:
            yield from _whole(window, first, place)
    for place in range(first + 1, min(end, first + 3)):
        yield from _whole(window, first, place)
    for place in range(end + 1, min(len(words), end + _REACH) + 1):
        last = place == len(words)
        if last or tags[place] in _BREAKS | {"CCONJ", "AUX", "VERB"} or is_mark(words[place]):
            yield from _whole(window, first, place)


def _lefts(window: _Window) -> Iterator[Span]:
    """The left conjunct from a later word on, and from an earlier phrase on."""
    (first, end), tags = window.left, window.tags
    for place in range(end - 1, max(first, end - _REACH), -1):
        yield from _whole(window, place, end)
    if first and tags[first - 1] in _NAMED | {"DET", "ADV", "AUX", "VERB", "PART"}:
        yield from _whole(window, first - 1, end)
    for place in range(first - 2, max(-1, first - _REACH), -1):
        if tags[place] in ("DET", "ADP", "VERB", "AUX") or (place == 0 and window.at == 0):
            yield from _whole(window, place, end)


def _whole(window: _Window, first: int, end: int) -> Iterator[Span]:
    span = trimmed(window.words, first, end)
    if span.first < span.end:
        yield Span(span.first + window.at, span.end + window.at)


def _with_opener(sentence: Sentence, found: Coordination) -> Coordination:
    """A left conjunct never begins with the opener; one that stands right before it is its own."""
    kind = sentence.words[found.conjunction].lower
    first = found.left.first
    if OPENERS.get(sentence.words[first].lower) == kind and first + 1 < found.left.end:
        return replace(found, left=Span(first + 1, found.left.end), opener=first)
    if first and OPENERS.get(sentence.words[first - 1].lower) == kind:
        return replace(found, opener=first - 1)
    return found
