"""What was changed in a text: words taken out and put in, place by place, with the words around them."""

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

# Words with their hyphens and apostrophes, numbers with their decimals, and every other sign by itself.
_WORD = re.compile(r"\d+[.,]\d+|[^\W_]+(?:[-'’][^\W\d_]+)*|\S")
_CONTEXT = 4
_MOST_PAIRS = 30_000  # of equal words; a review of 1,000 words has about 10,000, and time grows with their number


class Change(NamedTuple):
    """Words taken out and words put in at one place, with up to four words before and behind it.

    ``removed_at`` and ``inserted_at`` count the words before the place in the two texts.
    """

    removed: tuple[str, ...]
    inserted: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]
    removed_at: int
    inserted_at: int

    @property
    def removed_end(self) -> int:
        """The place of the first word behind the change in the original."""
        return self.removed_at + len(self.removed)

    @property
    def inserted_end(self) -> int:
        """The place of the first word behind the change in the revision."""
        return self.inserted_at + len(self.inserted)


@dataclass(frozen=True, slots=True)
class Difference:
    """The words of an original and of its revision, and the changes that lead from one to the other, in their order."""

    original: tuple[str, ...]
    revised: tuple[str, ...]
    changes: tuple[Change, ...]

    def between(self, first: Change, second: Change) -> tuple[str, ...]:
        """The words that stand unchanged between two changes."""
        return self.revised[first.inserted_end : second.inserted_at]

    def joined(self, belong: Callable[[Change, Change], bool]) -> Difference:
        """The same difference with neighbouring changes made one wherever they belong together."""
        found: list[Change] = []
        for change in self.changes:
            if found and belong(found[-1], change):
                first = found.pop()
                places = (first.removed_at, change.removed_end, first.inserted_at, change.inserted_end)
                change = _change(self.original, self.revised, *places)
            found.append(change)
        return Difference(self.original, self.revised, tuple(found))


def words(text: str) -> tuple[str, ...]:
    """The words, numbers and signs of a text: ``"It's 4/10."`` gives It's, 4, /, 10 and a full stop."""
    return tuple(chain.from_iterable(map(_between_spaces, text.split())))


@lru_cache(maxsize=20_000)  # most of what stands between spaces is a common word
def _between_spaces(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text))


def difference(original: str, revised: str) -> Difference:
    """The word-level difference between two texts; upper and lower case count as the same.

    What both texts begin and end with is set aside, and the rest is aligned by its longest common stretches. A rest in
    which the same few words come again thousands of times is not aligned: it is one change.
    """
    (before, first), (after, second) = read_words(original), read_words(revised)
    start = _common(first, second)
    end = _common(first[start:][::-1], second[start:][::-1])
    spans = _spans(first[start : len(first) - end], second[start : len(second) - end])
    changes = tuple(_change(before, after, *(start + place for place in span)) for span in spans)
    return Difference(before, after, changes)


class Words(NamedTuple):
    """The words of a text as they stand, and in lower case."""

    written: tuple[str, ...]
    lower: tuple[str, ...]


@lru_cache(maxsize=1000)  # one premise is often compared with many hypotheses
def read_words(text: str) -> Words:
    """The words of a text in both writings."""
    found = words(text)
    return Words(found, tuple(map(str.lower, found)))


def _spans(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """From and to in the first, from and to in the second, of each stretch that differs."""
    if not first and not second:
        return []
    if set(first).isdisjoint(second):
        return [(0, len(first), 0, len(second))]
    counts = Counter(second)
    if sum(counts[word] for word in first) > _MOST_PAIRS:
        return [(0, len(first), 0, len(second))]
    aligned = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return [(op[1], op[2], op[3], op[4]) for op in aligned if op[0] != "equal"]


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many words two lists begin with in common."""
    return next(compress(count(), map(ne, first, second)), min(len(first), len(second)))


def _change(before: tuple[str, ...], after: tuple[str, ...], from_: int, to: int, new_from: int, new_to: int) -> Change:
    left, right = after[max(0, new_from - _CONTEXT) : new_from], after[new_to : new_to + _CONTEXT]
    return Change(before[from_:to], after[new_from:new_to], left, right, from_, new_from)
