"""Split a text into words as most taggers do: at spaces, and before punctuation and clitics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LETTER = r"[^\W\d_]"
_OPENING = frozenset("([{<\"“”‘«'$£€¥#§–—")
_CLOSING = frozenset(")]}>\"“”’»',;:!?%°–—….")
_ABBREVIATIONS = frozenset(
    "mr. mrs. ms. dr. st. jr. sr. prof. gen. col. capt. lt. sgt. rev. hon. gov. sen. rep. mt. co. corp. inc. ltd. "
    "bros. vs. e.g. i.e. a.m. p.m. jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. ph.d.".split()
)
_LONGEST_ABBREVIATION = max(map(len, _ABBREVIATIONS))
_ALTERNATING = re.compile(rf"(?:{_LETTER}\.)*{_LETTER}?")
_LONGEST_UNIT = 4  # a.m.
_CLITICS = tuple(f"{mark}{rest}" for mark in "'’" for rest in ("s", "re", "ve", "ll", "d", "m"))
_NOT = ("n't", "n’t")
_UNIT = re.compile(r"(?<=\d)(?:km[²³]?|m²|cm|mm|kg|mg|g|lb|oz|m|ft|mph|kmh|k|b|am|pm|a\.m\.?|p\.m\.?)$", re.IGNORECASE)
_WITHIN = re.compile(
    rf"(\.\.+|…|(?<=[^\W_])(?:--+|—|~)(?=[^\W_])|(?<={_LETTER})[-–](?={_LETTER})|(?<=\d)[+\-*^](?=[\d-])"
    rf"|(?<={_LETTER}),(?={_LETTER})|(?<=[^\W_])[:<>=/](?={_LETTER})|(?<=[a-z])\.(?=[A-Z]))"
)


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text.

    Punctuation is split off at both ends of a word, and clitics (*'s*, *n't*) and units (*10pm*) at its end. Hyphens
    and slashes between letters are separate words. Abbreviations and initials keep their full stops.
    """
    return tuple(word for chunk in text.split() for word in _split(chunk))


def _split(chunk: str) -> Iterator[str]:
    """Yield the words of a chunk of text that contains no spaces.

    The chunk is not copied while its ends are split off, so that the time grows linearly with its length.
    """
    start, end = 0, len(chunk)
    initials: _Initials | None = None  # those that begin at ``start``, once it is known
    endings: list[str] = []  # split off from right to left
    while start < end:
        if chunk[start] in _OPENING:
            initials = None
            if not _clitic(chunk, start, end):
                yield chunk[start]
                start += 1
                continue
        elif initials is None:
            initials = _Initials.at(chunk, start)
        if _is_abbreviation(chunk, start, end, initials):
            break
        size = _ending(chunk, start, end)
        if not size:
            break
        endings.append(chunk[end - size : end])
        end -= size
    if start < end:
        rest = chunk[start:end]
        initials = initials or _Initials.at(chunk, start)
        if _is_abbreviation(chunk, start, end, initials):
            yield rest
        else:
            yield from (part for part in _WITHIN.split(rest) if part)
    yield from reversed(endings)


class _Initials(NamedTuple):
    """The longest text at a place in which letters and full stops alternate, such as *U.S.A*."""

    size: int
    one_more: bool  # a second full stop follows the last one

    @classmethod
    def at(cls, chunk: str, start: int) -> _Initials:
        match = _ALTERNATING.match(chunk, start)
        end = match.end() if match else start
        return cls(end - start, end > start and chunk[end - 1] == "." and chunk[end : end + 1] == ".")

    def are(self, size: int) -> bool:
        """Return whether the first ``size`` characters are initials and nothing else."""
        return 2 <= size <= self.size or (self.one_more and size == self.size + 1)


def _ending(chunk: str, start: int, end: int) -> int:
    """Return the number of characters at the end of a part of a chunk that are a word of their own."""
    if size := _clitic(chunk, start, end):
        return size
    if (end - start == len("cannot") and chunk[start:end].lower() == "cannot") or chunk.endswith("...", start, end):
        return 3
    if chunk[end - 1] in _CLOSING:
        return 1
    unit = _UNIT.search(chunk[max(start, end - _LONGEST_UNIT - 1) : end])
    return len(unit[0]) if unit else 0


def _clitic(chunk: str, start: int, end: int) -> int:
    """Return the length of the clitic at the end of a part of a chunk, or 0."""
    last = chunk[max(start, end - 3) : end].lower()
    if last in _NOT and end - start > 3:
        return 3
    for clitic in _CLITICS:
        if last.endswith(clitic):
            host = end - len(clitic)
            if host <= start or chunk[host - 1].isalnum() or chunk[host - 1] == ".":
                return len(clitic)
    return 0


def _is_abbreviation(chunk: str, start: int, end: int, initials: _Initials | None) -> bool:
    size = end - start
    if size <= _LONGEST_ABBREVIATION and chunk[start:end].lower() in _ABBREVIATIONS:
        return True
    return initials is not None and initials.are(size)
