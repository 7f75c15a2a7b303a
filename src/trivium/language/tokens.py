"""Split a text into words as most taggers do: at spaces, and before punctuation and clitics."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LETTER = r"[^\W\d_]"
_OPENING = frozenset("([{<\"“”‘«'$£€¥#§–—")
_CLOSING = frozenset(")]}>\"“”’»',;:!?%°–—….")
_ABBREVIATIONS = frozenset(
    "mr. mrs. ms. dr. st. jr. sr. prof. gen. col. capt. lt. sgt. rev. hon. gov. sen. rep. mt. co. corp. inc. ltd. "
    "bros. vs. e.g. i.e. a.m. p.m. jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. ph.d.".split()
)
_INITIALS = re.compile(rf"(?:{_LETTER}\.)+{_LETTER}?\.?")
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
    return tuple(word for chunk in text.split() for word in _split_chunk(chunk))


def _split_chunk(chunk: str) -> Iterator[str]:
    """Yield the words of a chunk of text that contains no spaces."""
    endings: list[str] = []  # split off from right to left
    while chunk and not _is_abbreviation(chunk):
        if chunk[0] in _OPENING and not _clitic_length(chunk):
            yield chunk[0]
            chunk = chunk[1:]
        elif length := _ending_length(chunk):
            endings.append(chunk[-length:])
            chunk = chunk[:-length]
        else:
            break
    if chunk:
        yield from [chunk] if _is_abbreviation(chunk) else [part for part in _WITHIN.split(chunk) if part]
    yield from reversed(endings)


def _ending_length(chunk: str) -> int:
    """Return the length of the punctuation mark, clitic or unit at the end of a chunk, or 0."""
    if length := _clitic_length(chunk):
        return length
    if chunk.lower() == "cannot" or chunk.endswith("..."):
        return 3
    if chunk[-1] in _CLOSING:
        return 1
    unit = _UNIT.search(chunk)
    return len(unit[0]) if unit else 0


def _clitic_length(chunk: str) -> int:
    """Return the length of the clitic at the end of a chunk, or 0."""
    end = chunk[-3:].lower()
    if end in _NOT and len(chunk) > 3:
        return 3
    for clitic in _CLITICS:
        if end.endswith(clitic) and (not (host := chunk[: -len(clitic)]) or host[-1].isalnum() or host[-1] == "."):
            return len(clitic)
    return 0


def _is_abbreviation(chunk: str) -> bool:
    return chunk.lower() in _ABBREVIATIONS or _INITIALS.fullmatch(chunk) is not None
