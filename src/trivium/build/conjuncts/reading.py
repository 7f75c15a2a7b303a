"""What leads from a premise to a hypothesis: a conjunct was removed, added or replaced, and around which conjunction.

Read from the two texts alone, so that pairs which others made are read as ours are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from trivium.build.conjuncts.lexicon import DENIALS, is_known, lemmas_of
from trivium.build.conjuncts.sentence import CONJUNCTIONS, OPENERS
from trivium.build.difference import Change, difference

Operation = Literal["remove", "add", "replace"]

_APART = re.compile(r"(?<=\w)\s+(['’])\s*(?=s\b)|(?<=\w)\s*([-–/])\s*(?=\w)|(?<=\d)(,)\s*(?=\d{3}\b)")
_FORMS = {"is": "be", "are": "be", "was": "were", "were": "were", "has": "have", "have": "have", "do": "do",
          "does": "do", "a": "a", "an": "a"}  # fmt: skip
_SHORT = re.compile(r"(?:\b(ca|wo|sha))?(?:n['’]t|(?<=\bcan)not)\b", re.IGNORECASE)
_WHOLE = {"ca": "can", "wo": "will", "sha": "shall"}
_DO = frozenset({"do", "does", "did"})
_QUOTES = '"“”'
_SILENT = frozenset({*CONJUNCTIONS, *OPENERS, "not", "also", "respectively"})  # what no edit is about
_JOINTS = "'’-–/"
_LOOSE = re.compile(r"\s['’/–-]|['’/–-]\s")
_LOOSE_NUMBER = re.compile(r",\s+\d{3}\b")


class _View(NamedTuple):
    """The words of a sentence in lower case, in their order and as a set, and the places of its conjunctions."""

    lower: tuple[str, ...]
    known: frozenset[str]
    conjunctions: tuple[int, ...]


@lru_cache(maxsize=1000)
def _view(words: tuple[str, ...]) -> _View:
    """One sentence is often that of many edits."""
    lower = tuple(map(str.lower, words))
    return _View(lower, frozenset(lower), tuple(place for place, word in enumerate(lower) if word in CONJUNCTIONS))


@dataclass(frozen=True)
class Edit:
    """An operation, the words that it took out and put in (in their places), and the sentence that has more.

    ``whole`` are the words of that sentence, ``lower`` these in lower case, ``first`` and ``end`` where the changed
    stretch lies in it. ``word`` is its conjunction, at the place ``conjunction``: in the changed stretch, else the
    nearest one; empty if there is none.
    """

    operation: Operation
    premise: tuple[str, ...]
    hypothesis: tuple[str, ...]
    removed: tuple[str, ...]
    inserted: tuple[str, ...]
    first: int
    end: int
    whole: tuple[str, ...] = field(init=False)
    lower: tuple[str, ...] = field(init=False)
    conjunction: int | None = field(init=False)
    word: str = field(init=False)

    def __post_init__(self) -> None:
        whole = self.hypothesis if self.operation == "add" else self.premise
        lower, _, places = _view(whole)
        place = _nearest(places, self.first, self.end)
        word = "" if place is None else lower[place]
        self.__dict__.update(whole=whole, lower=lower, conjunction=place, word=word)

    @cached_property
    def around(self) -> tuple[str, str]:
        """The words before and behind the conjunction, as they stand; empty at an end."""
        if self.conjunction is None:
            return "", ""
        behind = self.conjunction + 1
        return (
            self.whole[self.conjunction - 1] if self.conjunction else "",
            self.whole[behind] if behind < len(self.whole) else "",
        )

    def beside(self, offset: int) -> str:
        """The word so many places behind the conjunction, or before it, in lower case; empty where there is none."""
        place = -1 if self.conjunction is None else self.conjunction + offset
        return self.lower[place] if 0 <= place < len(self.lower) else ""

    @cached_property
    def is_quoted(self) -> bool:
        """Whether the conjunction stands between quotation marks."""
        places = [place for place, word in enumerate(self.whole) if word in _QUOTES]
        pairs = zip(places[::2], places[1::2], strict=False)
        return self.conjunction is not None and any(first < self.conjunction < last for first, last in pairs)

    def has(self, words: Set[str]) -> bool:
        """Whether the whole sentence has one of the words."""
        return not _view(self.whole).known.isdisjoint(words)

    @cached_property
    def denials(self) -> tuple[int, int]:
        """How many words deny something in the premise and in the hypothesis."""
        return sum(map(is_denial, self.premise)), sum(map(is_denial, self.hypothesis))


def _nearest(places: Sequence[int], first: int, end: int) -> int | None:
    """Of the places of conjunctions that of an edit: inside of it, at its edge if there is one, else the nearest."""
    inside = [place for place in places if first <= place < end]
    if inside:
        edges = (first, first + 1, end - 1, end - 2)
        return next((place for place in inside if place in edges), inside[0])
    return min(places, key=lambda place: abs(2 * place - first - end), default=None)


class _Reading(NamedTuple):
    """The words of a longer and a shorter text, where they differ in more than form, and the words each has alone."""

    words: tuple[tuple[str, ...], tuple[str, ...]]
    changes: tuple[Change, ...]
    own: tuple[tuple[str, ...], tuple[str, ...]]


def read_edit(premise: str, hypothesis: str) -> Edit | None:
    """The edit between two sentences; None if they do not differ in words.

    They are aligned from the longer one, so that an addition is read as the removal that it undoes.
    """
    first, second = _plain(premise), _plain(hypothesis)
    before, after = (0, 1) if len(first) >= len(second) else (1, 0)
    words, changes, own = _reading(first, second) if before == 0 else _reading(second, first)
    if not changes:
        return None
    removed, inserted = own[before], own[after]
    told = [any(map(_tells, side)) for side in (removed, inserted)]
    operation: Operation = "replace" if all(told) else "remove" if told[0] or not told[1] else "add"
    if (operation == "add") == (before == 0):  # what counts is what the shorter text has
        main = max(changes, key=lambda change: len(change.inserted))
        place = main.inserted_at, main.inserted_end
    else:
        main = max(changes, key=lambda change: len(change.removed))
        place = main.removed_at, main.removed_end
    return Edit(operation, words[before], words[after], removed, inserted, *place)


@lru_cache(maxsize=64)  # a removal is often read again as an addition
def _reading(longer: str, shorter: str) -> _Reading:
    found = difference(longer, shorter)
    changes = tuple(change for change in found.changes if not _is_form(change))
    sides = [
        (
            _without_capital(found.original, change.removed_at, change.removed_end),
            _without_capital(found.revised, change.inserted_at, change.inserted_end),
        )
        for change in changes
    ]
    mine = tuple(word for old, new in sides for word in _own(old, new))
    theirs = tuple(word for old, new in sides for word in _own(new, old))
    return _Reading((found.original, found.revised), changes, (mine, theirs))


@lru_cache(maxsize=1000)
def _plain(text: str) -> str:
    """The text as it is compared.

    It has no spaces around hyphens, apostrophes and the commas of numbers, which tokenizers leave, and *cannot* and
    *isn't* are two words.
    """
    joined = text
    if _may_be_loose(text):
        joined = _APART.sub(lambda found: next(group for group in found.groups() if group), text)
    lower = joined.lower()
    if "n't" not in lower and "n’t" not in lower and "cannot" not in lower:
        return joined
    return _SHORT.sub(lambda found: f"{_WHOLE.get((found[1] or '').lower(), '')} not", joined)


def _may_be_loose(text: str) -> bool:
    """Whether ``_APART`` may find something to join; it is slow, and there mostly is nothing."""
    joined = any(mark in text for mark in _JOINTS) and _LOOSE.search(text)
    return bool(joined or _LOOSE_NUMBER.search(text))


def _without_capital(words: tuple[str, ...], first: int, end: int) -> tuple[str, ...]:
    """Some words of a sentence; if its first word is one of them, that has no capital unless it is a name."""
    place = next((place for place, word in enumerate(words) if word[0].isalnum()), end)
    if not first <= place < end or words[place] == "I" or not is_known(words[place].lower()):
        return words[first:end]
    return (*words[first:place], words[place].lower(), *words[place + 1 : end])


def _is_form(change: Change) -> bool:
    """Whether only signs or the number of a verb changed."""
    if not change.removed or not change.inserted:
        return not any(word[0].isalnum() for word in (*change.removed, *change.inserted))
    sides = [[word.lower() for word in side if word[0].isalnum()] for side in (change.removed, change.inserted)]
    if not any(sides):
        return True
    if len(sides[0]) != len(sides[1]):
        return False
    return all(_agree(*pair) for pair in zip(*sides, strict=True))


def _own(words: Sequence[str], others: Sequence[str]) -> Sequence[str]:
    """The words of one side of a change of which the other has no form; *came* is a form of *did not come*."""
    mine, theirs = ([word.lower() for word in side] for side in (words, others))
    if not theirs and _DO.isdisjoint(mine):
        return words
    denied = any("not" in side and not _DO.isdisjoint(side) for side in (mine, theirs))
    if not denied:
        return [word for word in words if not any(_agree(word.lower(), other) for other in theirs)]
    own = (word for word in words if word.lower() not in _DO)
    return [word for word in own if not any(_is_same_verb(word.lower(), other) for other in theirs)]


def _is_same_verb(first: str, second: str) -> bool:
    verbs = [{word, *lemmas_of(word).get("VERB", ())} for word in (first, second)]
    return _agree(first, second) or not verbs[0].isdisjoint(verbs[1])


def _agree(first: str, second: str) -> bool:
    form = _FORMS.get(first)
    if form is not None and form == _FORMS.get(second):
        return True
    return max(len(first), len(second)) > 3 and first.removesuffix("s") == second.removesuffix("s")


def _tells(word: str) -> bool:
    return word[0].isalnum() and word.lower() not in _SILENT


def is_denial(word: str) -> bool:
    """Whether a word denies: not, never, isn't."""
    lower = word.lower()
    return lower in DENIALS or lower.endswith(("n't", "n’t"))
