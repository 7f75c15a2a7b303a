"""Which plain sentences can be used: the reason why one cannot, before it is parsed."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from trivium.build.conjuncts.lexicon import is_known
from trivium.build.conjuncts.sentence import CONJUNCTIONS
from trivium.build.conjuncts.surface import balanced

LONGEST: Final = 100
"""Words of the longest sentence that is used: parsers err on longer ones, and models cut them off."""

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SHARE: Final = 0.6  # of the words must be English; names and terms are not in the dictionary
_LONGEST_WORD: Final = 40
_OPENING: Final = frozenset("\"'“‘«([$€£#*—–")
_CLOSING: Final = " \t\n\r\"'”’»)]"
_EMPTY: Final = re.compile(r"\(\s*[,;:)]|[:;]\s+[:;]")  # signs with nothing between them
_MARKUP: Final = re.compile(r"</?\w[^<>]*>|[{}]|https?://")
_TWICE: Final = re.compile(r"(?<!\S)(\S+(?:\s+\S+){3,5})\s+\1(?!\w)")
_SPACES: Final = frozenset("\t\n\r")


def refusal(text: str) -> str | None:
    """Why a sentence cannot be used; None if it can: it is English, of a fair length, and has a conjunction."""
    if not text.strip():
        return "empty"
    if any(_is_control(character) for character in text):
        return "control characters"
    if not text.isascii() and any(map(_hides, text[1:], text, text[2:])):
        return "invisible characters in a word"
    if len(text) > LONGEST * _LONGEST_WORD or len(text.split()) > LONGEST:
        return f"more than {LONGEST} words"
    words = words_of(text)
    if not words:
        return "no words"
    if len(words) == 1:
        return "one word"
    if not _is_english(words):
        return "not English"
    if not any(word.lower() in CONJUNCTIONS for word in words):
        return "no conjunction"
    if text.rstrip(_CLOSING).endswith("?"):
        return "a question"
    if not balanced(text) or not (text.lstrip()[0].isalnum() or text.lstrip()[0] in _OPENING):
        return "a fragment: begins with a sign, or with half a pair of brackets or quotes"
    if _MARKUP.search(text):
        return "markup"
    if _is_garbled(text):
        return "garbled: signs with nothing between them, or words twice in a row"
    return None


def _is_garbled(text: str) -> bool:
    """Whether brackets are empty or four words come twice in a row, and not for effect: "and on and on and"."""
    found = _TWICE.search(text)
    return bool(_EMPTY.search(text)) or (found is not None and not conjunctions_of(found[1]))


def words_of(text: str) -> list[str]:
    """The words of a text that is not parsed, without signs and numbers."""
    return _WORD.findall(text)


def conjunctions_of(text: str) -> tuple[str, ...]:
    """The conjunctions of a text in their order, in lower case."""
    return tuple(word for word in (found.lower() for found in words_of(text)) if word in CONJUNCTIONS)


def _is_control(character: str) -> bool:
    """Whether a character steers a terminal, is half of one, or stands for what could not be read."""
    if character in _SPACES:
        return False
    return character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cs", "Cn", "Co")


def _hides(character: str, before: str, behind: str) -> bool:
    """Whether a character that shows nothing, such as a space of no width, stands inside a word."""
    hidden = unicodedata.category(character) == "Cf"
    return hidden and before.isalnum() and (behind.isalnum() or unicodedata.category(behind) == "Cf")


def _is_english(words: list[str]) -> bool:
    """Whether most words are known; those with capitals may be names and do not count, if there are others."""
    plain = [word for word in words if not word[0].isupper()] or [word.lower() for word in words]
    return sum(map(is_known, plain)) >= _SHARE * len(plain)
