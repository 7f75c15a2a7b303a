"""Read dependency trees in the CoNLL-U format of Universal Dependencies, with the character offsets of each word.

Each line of a sentence has ten fields separated by tabs; an empty line ends the sentence. Only the fields of the basic
tree are read: ID, FORM, LEMMA, UPOS, XPOS, HEAD, DEPREL, and from MISC ``SpaceAfter=No``: no space follows the word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from trivium.data.locate import read_lines
from trivium.errors import UserError, shown

ROOT: Final = -1
"""The head of the root of a sentence."""

_FIELDS = 10
_MOST_DIGITS = 9  # in the number of a word
_ID, _FORM, _LEMMA, _UPOS, _XPOS, _HEAD, _DEPREL, _MISC = 0, 1, 2, 3, 4, 6, 7, 9


@dataclass(frozen=True, slots=True)
class TreeWord:
    """A word of a dependency tree.

    ``start`` and ``end`` are its character offsets in the text. ``tag`` is its UPOS tag and ``fine_tag`` its XPOS tag.
    ``head`` is the index of its head among the words, or ``ROOT``; ``relation`` is its relation to the head.
    """

    text: str
    start: int
    end: int
    lemma: str
    tag: str
    fine_tag: str
    head: int
    relation: str


@dataclass(frozen=True, slots=True)
class DependencyTree:
    """A sentence of a file: its location (``file:line``), its text, and its words."""

    where: str
    text: str
    words: tuple[TreeWord, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a sentence: its location (``file:line``) and its fields."""

    where: str
    fields: tuple[str, ...]

    @property
    def is_range(self) -> bool:
        """Whether the line is a multiword token: several words that are written as one, such as *don't*."""
        return "-" in self.fields[_ID]

    @property
    def gap(self) -> str:
        """The text between this word and the next: a space or nothing."""
        return "" if "SpaceAfter=No" in self.fields[_MISC].split("|") else " "

    @property
    def last(self) -> int:
        """The number of the last word of a multiword token."""
        first, _, last = self.fields[_ID].partition("-")
        numbers = _number(first), _number(last)
        if numbers[0] is None or numbers[1] is None or numbers[0] > numbers[1]:
            raise UserError(f"{self.where}: {shown(self.fields[_ID])!r} is not a range of word numbers, such as 3-4")
        return numbers[1]


def read_conllu(path: Path) -> Iterator[DependencyTree]:
    """Yield the sentences of a ``.conllu`` file, which may be gzipped, in the order of the file."""
    empty = True
    lines: list[_Line] = []
    for number, text in enumerate(chain(read_lines(path), ("",)), 1):
        if text.startswith("#"):
            continue
        if text.strip():
            lines.append(_line(text, f"{path}:{number}"))
        elif lines:
            empty = False
            yield _sentence(lines)
            lines = []
    if empty:
        raise UserError(f"{path}: contains no sentences")


def _line(text: str, where: str) -> _Line:
    fields = tuple(text.split("\t"))
    if len(fields) != _FIELDS:
        raise UserError(f"{where}: expected {_FIELDS} fields separated by tabs, found {len(fields)}")
    return _Line(where, fields)


def _sentence(lines: list[_Line]) -> DependencyTree:
    # An ID such as 8.1 is an empty node, which is not in the text.
    kept = [line for line in lines if "." not in line.fields[_ID]]
    total = sum(not line.is_range for line in kept)
    words: list[TreeWord] = []
    text, gap, index = "", "", 0
    while index < len(kept):
        line = kept[index]
        surface = line.fields[_FORM]
        size = line.last - len(words) if line.is_range else 1
        parts = kept[index + 1 : index + 1 + size] if line.is_range else [line]
        if not parts or len(parts) != size:
            raise UserError(f"{line.where}: the words of {line.fields[_ID]} are missing")
        text += gap
        for part, (start, end) in zip(parts, _offsets(surface, parts, len(text)), strict=True):
            words.append(_word(part, len(words) + 1, total, start, end))
        text, gap = text + surface, line.gap
        index += size + line.is_range
    if not words:
        raise UserError(f"{lines[0].where}: the sentence has no words")
    _check_heads(words, lines[0].where)
    return DependencyTree(lines[0].where, text, tuple(words))


def _check_heads(words: list[TreeWord], where: str) -> None:
    """Raise a UserError if heads form a cycle, so that a word has no path to the root."""
    done: set[int] = {ROOT}
    for index in range(len(words)):
        path: set[int] = set()
        while index not in done:
            if index in path:
                raise UserError(f"{where}: the heads of the sentence form a cycle at word {index + 1}")
            path.add(index)
            index = words[index].head
        done |= path


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def _offsets(surface: str, parts: list[_Line], start: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each word of a multiword token; the last word takes all remaining characters."""
    end = start + len(surface)
    for part in parts[:-1]:
        part_end = min(start + len(part.fields[_FORM]), end)
        yield start, part_end
        start = part_end
    yield start, end


def _word(line: _Line, number: int, total: int, start: int, end: int) -> TreeWord:
    fields = line.fields
    if fields[_ID] != str(number):
        raise UserError(f"{line.where}: expected word number {number}, found {shown(fields[_ID])!r}")
    head = _number(fields[_HEAD])
    if head is None or head > total or head == number:
        raise UserError(f"{line.where}: the head {shown(fields[_HEAD])!r} is not another word of the sentence")
    return TreeWord(
        text=fields[_FORM],
        start=start,
        end=end,
        lemma=fields[_LEMMA],
        tag=fields[_UPOS],
        fine_tag=fields[_XPOS],
        head=head - 1 if head else ROOT,
        relation=fields[_DEPREL],
    )
