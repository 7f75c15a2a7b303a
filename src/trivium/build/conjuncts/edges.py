"""Where a conjunct ends: marks at its edges do not belong to it, pairs of quotes and brackets do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trivium.build.conjuncts.sentence import Span

_MARKS: Final = frozenset(".,;:!?-–—…/\\*~_\"'`´“”‘’«»()[]{}<>|")
_CLOSERS: Final = {"(": ")", "[": "]", "{": "}", "“": "”", "‘": "’", "«": "»", '"': '"', "``": "''", "'": "'"}
_OPENERS: Final = {closer: opener for opener, closer in _CLOSERS.items()}


def is_mark(word: str) -> bool:
    """Whether a word is made of punctuation alone."""
    return bool(word) and all(letter in _MARKS for letter in word)


def trimmed(words: Sequence[str], first: int, end: int) -> Span:
    """The span without marks at its edges, but with both quotes or brackets around all of it, and whole pairs in it."""
    inner, outer = first, end
    while inner < outer and is_mark(words[inner]):
        inner += 1
    while inner < outer and is_mark(words[outer - 1]):
        outer -= 1
    if inner == outer:
        return Span(inner, outer)
    before = words[inner - 1] if inner else ""
    behind = words[outer] if outer < len(words) else ""
    opened, closed = _lacks(words, inner, outer)
    if _CLOSERS.get(before) == behind and before and not opened and not closed:
        return Span(inner - 1, outer + 1)
    if outer < end and opened == behind and behind:
        return Span(inner, outer + 1)
    if inner > first and closed == before and before:
        return Span(inner - 1, outer)
    return Span(inner, outer)


def _lacks(words: Sequence[str], first: int, end: int) -> tuple[str, str]:
    """The closer that the last open mark of a span waits for, and the opener that a closer in it lacks; or nothing."""
    waiting: list[str] = []
    lacking = ""
    for word in words[first:end]:
        if waiting and word == waiting[-1]:
            waiting.pop()
        elif word in _CLOSERS and word != "'":
            waiting.append(_CLOSERS[word])
        elif word in _OPENERS and word not in ("’", "'"):
            lacking = lacking or _OPENERS[word]
    return (waiting[-1] if waiting else ""), lacking
