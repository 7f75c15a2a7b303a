"""Read and write files of semantic roles.

Each sentence is a block of lines that ends with an empty line: the text, then for each predicate a row of IOB2 tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from trivium.data.locate import read_lines
from trivium.errors import UserError
from trivium.language.tokens import split_words
from trivium.saving import write_text

OUTSIDE: Final = "O"
PREDICATE: Final = "V"
"""The role of the predicate itself."""
_TAG = re.compile(r"O|[BI]-\S+")


@dataclass(frozen=True, slots=True)
class Frame:
    """One predicate of a sentence: an IOB2 tag for each word (O, B-ARG0, I-ARG0, B-V, …)."""

    tags: tuple[str, ...]

    @property
    def predicate(self) -> int:
        """The index of the predicate's first word."""
        return self.tags.index(f"B-{PREDICATE}")


@dataclass(frozen=True, slots=True)
class RoleSentence:
    """A sentence, its words, and the frames of its predicates, of which there may be none."""

    text: str
    words: tuple[str, ...]
    frames: tuple[Frame, ...]


class SkippedSentence(NamedTuple):
    """A sentence that was skipped because the number of its words differs from the number of its tags."""

    where: str
    words: int
    tags: int


class RoleFile(NamedTuple):
    """The content of a file of roles: its sentences, and those that were skipped."""

    sentences: tuple[RoleSentence, ...]
    skipped: tuple[SkippedSentence, ...]


def read_roles(path: Path) -> RoleFile:
    """Read a file of roles.

    A row has one tag for each word of the sentence. The text is split into words with :func:`split_words`, or at spaces
    if only that gives as many words as tags. If neither does, the sentence is listed as skipped.
    """
    sentences: list[RoleSentence] = []
    skipped: list[SkippedSentence] = []
    for block in _blocks(path):
        sentence = _sentence(block, path)
        if isinstance(sentence, SkippedSentence):
            skipped.append(sentence)
        else:
            sentences.append(sentence)
    if not sentences and not skipped:
        raise UserError(f"{path}: contains no sentences")
    return RoleFile(tuple(sentences), tuple(skipped))


def write_roles(path: Path, sentences: Iterable[RoleSentence]) -> None:
    """Write a file for :func:`read_roles`. The text of each sentence is its words joined by spaces."""
    blocks = [
        [" ".join(sentence.words), *("\t".join(frame.tags) for frame in sentence.frames)] for sentence in sentences
    ]
    write_text(path, "".join("\n".join(block) + "\n\n" for block in blocks))


def tag_error(tags: Sequence[str]) -> str | None:
    """Return what is wrong with a row of tags, or None: the tags must be IOB2 and mark exactly one predicate."""
    previous = OUTSIDE
    for number, tag in enumerate(tags, 1):
        if not _TAG.fullmatch(tag):
            return f"tag {number} is {tag!r}: must be O, B-… or I-…"
        if tag.startswith("I-") and previous[2:] != tag[2:]:
            return f"tag {number} is {tag!r} after {previous!r}: a role must begin with B-"
        previous = tag
    if (predicates := tags.count(f"B-{PREDICATE}")) != 1:
        return f"expected one predicate (B-{PREDICATE}) in the row, found {predicates}"
    return None


def _blocks(path: Path) -> Iterator[list[tuple[int, str]]]:
    """Yield the blocks of lines between empty lines, each line with its number."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(chain(read_lines(path), ("",)), 1):
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []


def _sentence(block: list[tuple[int, str]], path: Path) -> RoleSentence | SkippedSentence:
    (first, text), *lines = block
    rows = [(number, tuple(tag.strip() for tag in line.split("\t"))) for number, line in lines]
    for number, tags in rows:
        if len(tags) != len(rows[0][1]):
            raise UserError(f"{path}:{number}: expected {len(rows[0][1])} tags as in the first row, found {len(tags)}")
        if (mistake := tag_error(tags)) is not None:
            raise UserError(f"{path}:{number}: {mistake}")
    words = split_words(text)
    expected = len(rows[0][1]) if rows else len(words)
    if len(words) != expected:
        words = tuple(text.split())
    if len(words) != expected:
        return SkippedSentence(f"{path}:{first}", len(split_words(text)), expected)
    return RoleSentence(" ".join(text.split()), words, tuple(Frame(tags) for _, tags in rows))
