"""What leads from a premise to a hypothesis: a conjunct was removed, added or replaced, and around which conjunction.

Read from the two texts alone, so that pairs which others made are read as ours are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from functools import lru_cache
from typing import Literal, NamedTuple

from trivium.build.conjuncts.lexicon import DENIALS, is_known, lemmas_of
from trivium.build.conjuncts.sentence import CONJUNCTIONS, OPENERS, Span
from trivium.language.difference import Change, difference, split_cased

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


class Text(NamedTuple):
    """A sentence as it is compared: its words, these in lower case, which ones it has, and its conjunctions' places."""

    words: tuple[str, ...]
    lower: tuple[str, ...]
    known: frozenset[str]
    conjunctions: tuple[int, ...]


@lru_cache(maxsize=1000)
def _read(plain: str) -> Text:
    """One sentence is often that of many edits."""
    words, lower = split_cased(plain)
    places = tuple(place for place, word in enumerate(lower) if word in CONJUNCTIONS)
    return Text(words, lower, frozenset(lower), places)


class Edit(NamedTuple):
    """An operation, the sentence that has more, and the words that were taken out and put in, in their places.

    ``whole`` is that sentence (of a replacement the premise), ``other`` the words of the other one in lower case.
    ``first`` and ``end`` tell where the changed stretch lies in the whole, and ``conjunction`` where its conjunction
    stands: in that stretch, else the nearest one. ``word`` is that conjunction, empty if there is none.
    """

    operation: Operation
    whole: Text
    other: tuple[str, ...]
    removed: tuple[str, ...]
    inserted: tuple[str, ...]
    first: int
    end: int
    conjunction: int | None
    word: str

    @property
    def before(self) -> tuple[str, ...]:
        """The words before the conjunction, in lower case; all words if there is none."""
        return self.whole.lower[: self.conjunction]

    @property
    def around(self) -> tuple[str, str]:
        """The words before and behind the conjunction, as they stand; empty at an end."""
        if self.conjunction is None:
            return "", ""
        words, behind = self.whole.words, self.conjunction + 1
        return words[behind - 2] if behind > 1 else "", words[behind] if behind < len(words) else ""

    def beside(self, offset: int) -> str:
        """The word so many places behind the conjunction, or before it, in lower case; empty where there is none."""
        lower = self.whole.lower
        place = -1 if self.conjunction is None else self.conjunction + offset
        return lower[place] if 0 <= place < len(lower) else ""

    @property
    def is_quoted(self) -> bool:
        """Whether the conjunction stands between quotation marks."""
        places = [place for place, word in enumerate(self.whole.words) if word in _QUOTES]
        pairs = zip(places[::2], places[1::2], strict=False)
        return self.conjunction is not None and any(first < self.conjunction < last for first, last in pairs)

    def has(self, words: Set[str]) -> bool:
        """Whether the sentence that has more has one of the words."""
        return not self.whole.known.isdisjoint(words)


def _nearest(places: Sequence[int], first: int, end: int) -> int | None:
    """Of the places of conjunctions that of an edit: inside of it, at its edge if there is one, else the nearest."""
    if len(places) < 2:
        return places[0] if places else None
    inside = [place for place in places if first <= place < end]
    if inside:
        edges = (first, first + 1, end - 1, end - 2)
        return next((place for place in inside if place in edges), inside[0])
    return min(places, key=lambda place: abs(2 * place - first - end))


class _Reading(NamedTuple):
    """What a longer and a shorter text have alone, whether that says something, and where most of it stands.

    Changes in form do not count; without others the texts have no stretch that differs.
    """

    own: tuple[tuple[str, ...], tuple[str, ...]]
    tells: tuple[bool, bool]
    stretches: tuple[Span, Span] | None


def read_edit(premise: str, hypothesis: str) -> Edit | None:
    """The edit between two sentences; None if they do not differ in words.

    They are aligned from the longer one, so that an addition is read as the removal that it undoes.
    """
    first, second = _plain(premise), _plain(hypothesis)
    before, after = (0, 1) if len(first) >= len(second) else (1, 0)
    own, tells, stretches = _reading(first, second) if before == 0 else _reading(second, first)
    if stretches is None:
        return None
    operation: Operation = "remove" if not tells[after] else "replace" if tells[before] else "add"
    start, end = stretches[after if operation == "add" else before]
    more, less = (second, first) if operation == "add" else (first, second)
    whole, other = _read(more), split_cased(less).lower
    place = _nearest(whole.conjunctions, start, end)
    word = "" if place is None else whole.lower[place]
    return Edit(operation, whole, other, own[before], own[after], start, end, place, word)


@lru_cache(maxsize=64)  # a removal is often read again as an addition
def _reading(longer: str, shorter: str) -> _Reading:
    found = difference(longer, shorter)
    changes = [change for change in found.changes if not _is_form(change)]
    mine: list[str] = []
    theirs: list[str] = []
    for change in changes:
        old = _without_capital(found.original, change.removed_at, change.removed_end)
        new = _without_capital(found.revised, change.inserted_at, change.inserted_end)
        own = _own_words(old, new)
        mine += own[0]
        theirs += own[1]
    return _Reading(
        (tuple(mine), tuple(theirs)),
        (any(map(_tells, mine)), any(map(_tells, theirs))),
        _stretches(changes) if changes else None,
    )


def _stretches(changes: Sequence[Change]) -> tuple[Span, Span]:
    """Where the most words were taken out of the longer text, and where the most were put into the shorter one."""
    removed = inserted = changes[0]
    if len(changes) > 1:
        removed = max(changes, key=lambda change: len(change.removed))
        inserted = max(changes, key=lambda change: len(change.inserted))
    return Span(removed.removed_at, removed.removed_end), Span(inserted.inserted_at, inserted.inserted_end)


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


def _own_words(old: Sequence[str], new: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The words of each side of a change of which the other has no form; *came* is a form of *did not come*."""
    mine, theirs = [word.lower() for word in old], [word.lower() for word in new]
    if any("not" in side and not _DO.isdisjoint(side) for side in (mine, theirs)):
        return _without(old, theirs, _is_same_verb, _DO), _without(new, mine, _is_same_verb, _DO)
    return _without(old, theirs, _agree), _without(new, mine, _agree)


def _without(
    words: Sequence[str], others: Sequence[str], alike: Callable[[str, str], bool], silent: Set[str] = frozenset()
) -> Sequence[str]:
    """The words that are not silent and like none of the others."""
    if not others and not silent:
        return words
    told = [word for word in words if word.lower() not in silent]
    return [word for word in told if not any(alike(word.lower(), other) for other in others)]


def _is_same_verb(first: str, second: str) -> bool:
    verbs = [{word, *lemmas_of(word).get("VERB", ())} for word in (first, second)]
    return _agree(first, second) or not verbs[0].isdisjoint(verbs[1])


def _agree(first: str, second: str) -> bool:
    form = _FORMS.get(first)
    if form is not None and form == _FORMS.get(second):
        return True
    return max(len(first), len(second)) > 3 and first.removesuffix("s") == second.removesuffix("s")


@lru_cache(maxsize=50_000)
def _tells(word: str) -> bool:
    """Whether a word says something: no sign, and none of those that no edit is about."""
    return word[0].isalnum() and word.lower() not in _SILENT


@lru_cache(maxsize=50_000)  # asked of nearly every word of a sentence, for each of its pairs
def is_denial(word: str) -> bool:
    """Whether a word denies: not, never, isn't."""
    lower = word.lower()
    return lower in DENIALS or lower.endswith(("n't", "n’t"))
