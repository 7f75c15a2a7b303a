"""Find the word-level changes between two texts: the words removed and inserted, with their context."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import chain, compress, count
from operator import ne
from typing import NamedTuple

# Numbers with decimals, words with hyphens and apostrophes, and any other character on its own.
_WORD = re.compile(r"\d+[.,]\d+|[^\W_]+(?:[-'’][^\W\d_]+)*|\S")
_CONTEXT = 4
# Texts with more pairs of equal words are not aligned, as it takes too long; a review of 1,000 words has 10,000.
_MAX_PAIRS = 30_000


class Change(NamedTuple):
    """Words removed and inserted at one position, with up to four unchanged words before and after it.

    ``removed_at`` and ``inserted_at`` are the indices of the change in the words of the original and of the revision.
    """

    removed: tuple[str, ...]
    inserted: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]
    removed_at: int
    inserted_at: int

    @property
    def removed_end(self) -> int:
        """The index of the first word after the change in the original."""
        return self.removed_at + len(self.removed)

    @property
    def inserted_end(self) -> int:
        """The index of the first word after the change in the revision."""
        return self.inserted_at + len(self.inserted)


@dataclass(frozen=True, slots=True)
class Difference:
    """The words of an original and of its revision, and the changes between them, in text order."""

    original: tuple[str, ...]
    revised: tuple[str, ...]
    changes: tuple[Change, ...]

    def between(self, first: Change, second: Change) -> tuple[str, ...]:
        """Return the unchanged words between two changes."""
        return self.revised[first.inserted_end : second.inserted_at]

    def joined(self, belong_together: Callable[[Change, Change], bool]) -> Difference:
        """Return the difference with neighbouring changes joined if ``belong_together`` is true of them."""
        changes: list[Change] = []
        for change in self.changes:
            if changes and belong_together(changes[-1], change):
                first = changes.pop()
                span = (first.removed_at, change.removed_end, first.inserted_at, change.inserted_end)
                change = _change(self.original, self.revised, *span)
            changes.append(change)
        return Difference(self.original, self.revised, tuple(changes))


def words(text: str) -> tuple[str, ...]:
    """Return the words, numbers and punctuation marks of a text: ``It's 4/10`` gives ``It's``, ``4``, ``/``, ``10``."""
    return tuple(chain.from_iterable(map(_split_chunk, text.split())))


@lru_cache(maxsize=20_000)  # most chunks between spaces are common words
def _split_chunk(chunk: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(chunk))


def difference(original: str, revised: str) -> Difference:
    """Return the word-level difference between two texts, ignoring case.

    The words between the common beginning and the common end are aligned by their longest common sequences. If they
    repeat a few words thousands of times, they are not aligned and count as one change.
    """
    (old, old_lower), (new, new_lower) = split_cased(original), split_cased(revised)
    start = _common_prefix(old_lower, new_lower)
    end = _common_prefix(old_lower[start:][::-1], new_lower[start:][::-1])
    spans = _spans(old_lower[start : len(old) - end], new_lower[start : len(new) - end])
    changes = tuple(_change(old, new, *(start + index for index in span)) for span in spans)
    return Difference(old, new, changes)


class Words(NamedTuple):
    """The words of a text as written and in lower case."""

    written: tuple[str, ...]
    lower: tuple[str, ...]


@lru_cache(maxsize=1000)  # one premise is often compared with many hypotheses
def split_cased(text: str) -> Words:
    """Return the words of a text as written and in lower case."""
    written = words(text)
    return Words(written, tuple(map(str.lower, written)))


def _spans(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Return the spans that differ, each as start and end in ``first``, then start and end in ``second``."""
    if not first and not second:
        return []
    if set(first).isdisjoint(second):
        return [(0, len(first), 0, len(second))]
    counts = Counter(second)
    if sum(counts[word] for word in first) > _MAX_PAIRS:
        return [(0, len(first), 0, len(second))]
    opcodes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return [(op[1], op[2], op[3], op[4]) for op in opcodes if op[0] != "equal"]


def _common_prefix(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the common beginning of two lists of words."""
    return next(compress(count(), map(ne, first, second)), min(len(first), len(second)))


def _change(old: tuple[str, ...], new: tuple[str, ...], start: int, end: int, new_start: int, new_end: int) -> Change:
    left, right = new[max(0, new_start - _CONTEXT) : new_start], new[new_end : new_end + _CONTEXT]
    return Change(old[start:end], new[new_start:new_end], left, right, start, new_start)
