"""Numbers and the next ones: "three" and "four", "1,200" and "1,201", "2nd" and "3rd", in the same writing."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

_SMALL: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_CARDINALS: Final = (
    *_SMALL,
    *(ten if not unit else f"{ten}-{_SMALL[unit]}" for ten in _TENS for unit in range(10)),
    "one hundred",
)
_NEXT_CARDINAL: Final = dict(pairwise(_CARDINALS))
_ORDINALS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
).split()
_NEXT_ORDINAL: Final = dict(pairwise(_ORDINALS))
_IN_LETTERS: Final = frozenset((*_CARDINALS, *_ORDINALS, "hundred", "thousand", "million", "billion"))
_END: Final = r"(?P<end>st|nd|rd|th|s|pm|am|km|kg|m|%)?"
_DIGITS: Final = re.compile(rf"(?P<whole>\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.(?P<part>\d+))?{_END}", re.I | re.A)
_ANY_DIGITS: Final = re.compile(rf"[\d.,]*\d{_END}", re.I | re.A)
_LONGEST: Final = 15  # what is longer is no number that anybody counts by


@lru_cache(maxsize=50_000)
def is_number(word: str) -> bool:
    """Whether a word is a number, in digits (with a unit: "12km") or in letters."""
    return word.lower() in _IN_LETTERS or _ANY_DIGITS.fullmatch(word) is not None


@lru_cache(maxsize=50_000)  # of most words there is none, and every word of a conjunct is asked
def next_number(text: str) -> str | None:
    """The number that follows, written the same way; None for what is no number, and for *one* (its noun would change).

    The last digit of a decimal goes up by one, decades by ten: "7.5" is followed by "7.6", "1990s" by "2000s".
    """
    plain = text.lower()
    known = _NEXT_CARDINAL.get(plain) or _NEXT_ORDINAL.get(plain)
    if known is not None:
        return None if plain == "one" else _as_written(text, known)
    match = _DIGITS.fullmatch(text) if text[:1].isdigit() and len(text) <= _LONGEST else None
    return None if match is None or text == "1" else _next_digits(match)


def _as_written(old: str, new: str) -> str:
    if old.isupper():
        return new.upper()
    return new[0].upper() + new[1:] if old[0].isupper() else new


def _next_digits(match: re.Match[str]) -> str | None:
    whole, part, end = match["whole"], match["part"], match["end"] or ""
    if part is not None:
        digits = str(int(whole.replace(",", "") + part) + 1).zfill(len(part) + 1)
        return f"{_grouped(digits[: -len(part)], whole)}.{digits[-len(part) :]}{end}"
    value = int(whole.replace(",", ""))
    kind = end.lower()
    if kind == "s":
        return f"{_grouped(str(value + 10), whole)}{end}" if value % 10 == 0 else None
    if kind in {"am", "pm"}:
        return f"{value + 1}{end}" if 0 < value < 11 else None
    if kind in {"st", "nd", "rd", "th"}:
        new = _ordinal_ending(value + 1)
        end = new.upper() if end.isupper() else new
    return _grouped(str(value + 1), whole) + end


def _grouped(digits: str, like: str) -> str:
    """Digits with commas if the old ones had them, and with as many leading zeros."""
    if "," in like:
        return f"{int(digits):,}"
    return digits.zfill(len(like)) if like.startswith("0") else digits


def _ordinal_ending(value: int) -> str:
    if value % 100 in {11, 12, 13}:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
