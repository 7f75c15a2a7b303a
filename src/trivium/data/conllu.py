"""Trees in the CoNLL-U format of Universal Dependencies: words with their places in the text, heads and relations.

Each line of a sentence has ten fields between tabs; an empty line ends the sentence. Only what the basic tree needs is
read: ID, FORM, LEMMA, UPOS, XPOS, HEAD, DEPREL, and ``SpaceAfter=No`` from MISC, which says where words are joined.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trivium.data.locate import read_text
from trivium.errors import UserError

ROOT: Final = -1
"""The head of a word that has none."""

_FIELDS = 10
_ID, _FORM, _LEMMA, _UPOS, _XPOS, _HEAD, _DEPREL, _MISC = 0, 1, 2, 3, 4, 6, 7, 9


@dataclass(frozen=True, slots=True)
class TreeWord:
    """A word of a tree: where it stands in the text, what it is, the place of its head (or ``ROOT``), its relation."""

    text: str
    start: int
    end: int
    lemma: str
    tag: str
    fine_tag: str
    head: int
    relation: str


@dataclass(frozen=True, slots=True)
class TreeSentence:
    """A sentence of a file: where it begins (``file:line``), its text, and its words."""

    where: str
    text: str
    words: tuple[TreeWord, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a sentence with its number in the file."""

    where: str
    fields: tuple[str, ...]

    @property
    def is_range(self) -> bool:
        """Whether the line names several words that are written as one, such as *don't*."""
        return "-" in self.fields[_ID]

    @property
    def gap(self) -> str:
        """What stands between this word and the next one."""
        return "" if "SpaceAfter=No" in self.fields[_MISC].split("|") else " "

    @property
    def last(self) -> int:
        """The number of the last word of a range."""
        first, _, last = self.fields[_ID].partition("-")
        if not (first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
            raise UserError(f"{self.where}: {self.fields[_ID]!r} is no range of words")
        return int(last)


def read_conllu(path: Path) -> Iterator[TreeSentence]:
    """The sentences of a ``.conllu`` file, or of a ``.gz`` of one, in the order of the file."""
    found = False
    lines: list[_Line] = []
    for number, raw in enumerate([*read_text(path).split("\n"), ""], 1):
        text = raw.removesuffix("\r")
        if text.startswith("#"):
            continue
        if text.strip():
            lines.append(_line(text, f"{path}:{number}"))
        elif lines:
            found = True
            yield _sentence(lines)
            lines = []
    if not found:
        raise UserError(f"{path}: there are no sentences in it")


def _line(text: str, where: str) -> _Line:
    fields = tuple(text.split("\t"))
    if len(fields) != _FIELDS:
        raise UserError(f"{where}: {len(fields)} fields where CoNLL-U has {_FIELDS}")
    return _Line(where, fields)


def _sentence(lines: list[_Line]) -> TreeSentence:
    kept = [line for line in lines if "." not in line.fields[_ID]]  # 8.1 is a word that was left out by the writer
    total = sum(not line.is_range for line in kept)
    words: list[TreeWord] = []
    text, gap, place = "", "", 0
    while place < len(kept):
        line = kept[place]
        surface = line.fields[_FORM]
        size = line.last - len(words) if line.is_range else 1
        parts = kept[place + 1 : place + 1 + size] if line.is_range else [line]
        if not parts or len(parts) != size:
            raise UserError(f"{line.where}: the words of {line.fields[_ID]} are missing")
        text += gap
        for part, (start, end) in zip(parts, _cut(surface, parts, len(text)), strict=True):
            words.append(_word(part, len(words) + 1, total, start, end))
        text, gap = text + surface, line.gap
        place += size + line.is_range
    return TreeSentence(lines[0].where, text, tuple(words))


def _cut(surface: str, parts: list[_Line], start: int) -> Iterator[tuple[int, int]]:
    """Where the words lie that are written as one; the last takes what is left."""
    at, end = start, start + len(surface)
    for part in parts[:-1]:
        after = min(at + len(part.fields[_FORM]), end)
        yield at, after
        at = after
    yield at, end


def _word(line: _Line, number: int, total: int, start: int, end: int) -> TreeWord:
    fields = line.fields
    if fields[_ID] != str(number):
        raise UserError(f"{line.where}: the word has the number {fields[_ID]!r} where {number} is next")
    head = fields[_HEAD]
    if not head.isdecimal() or int(head) > total or int(head) == number:
        raise UserError(f"{line.where}: the head {head!r} is no other word of the sentence")
    return TreeWord(
        text=fields[_FORM],
        start=start,
        end=end,
        lemma=fields[_LEMMA],
        tag=fields[_UPOS],
        fine_tag=fields[_XPOS],
        head=int(head) - 1 if int(head) else ROOT,
        relation=fields[_DEPREL],
    )
