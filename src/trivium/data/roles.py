"""Files of semantic roles: a sentence, a row of IOB2 tags for each of its predicates, an empty line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from trivium.data.locate import read_text
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
        """The place of the predicate's first word."""
        return self.tags.index(f"B-{PREDICATE}")


@dataclass(frozen=True, slots=True)
class RoleSentence:
    """A sentence, its words, and the frames of its predicates; it may have none."""

    text: str
    words: tuple[str, ...]
    frames: tuple[Frame, ...]


class Unfit(NamedTuple):
    """A sentence whose words, as they are told apart here, are not as many as its tags."""

    where: str
    words: int
    tags: int


class RoleFile(NamedTuple):
    """What a file of roles holds: its sentences, and those that were passed over."""

    sentences: tuple[RoleSentence, ...]
    unfit: tuple[Unfit, ...]


def read_roles(path: Path) -> RoleFile:
    """The sentences of a file of roles.

    The tags count the words of the tokenizer that they were made with. :func:`split_words` finds these again; where it
    does not, but what stands between spaces is as many, these are the words; else the sentence is passed over and told
    among the unfit.
    """
    found: list[RoleSentence] = []
    unfit: list[Unfit] = []
    for block in _blocks(path):
        read = _sentence(block, path)
        if isinstance(read, Unfit):
            unfit.append(read)
        else:
            found.append(read)
    if not found and not unfit:
        raise UserError(f"{path}: there are no sentences in it")
    return RoleFile(tuple(found), tuple(unfit))


def write_roles(path: Path, sentences: Iterable[RoleSentence]) -> None:
    """Write a file of roles that :func:`read_roles` reads; sentences are written as their words with spaces between."""
    blocks = [[" ".join(each.words), *("\t".join(frame.tags) for frame in each.frames)] for each in sentences]
    write_text(path, "".join("\n".join(block) + "\n\n" for block in blocks))


def tag_mistake(tags: Sequence[str]) -> str | None:
    """What is wrong with a row of tags, if something is: one that is not IOB2, or no single predicate."""
    before = OUTSIDE
    for place, tag in enumerate(tags, 1):
        if not _TAG.fullmatch(tag):
            return f"tag {place} is {tag!r}, and not O, B-… or I-…"
        if tag.startswith("I-") and before[2:] != tag[2:]:
            return f"tag {place} is {tag!r} after {before!r}: a role begins with B-"
        before = tag
    if (number := tags.count(f"B-{PREDICATE}")) != 1:
        return f"there are {number} predicates (B-{PREDICATE}) in the row, and not one"
    return None


def _blocks(path: Path) -> Iterator[list[tuple[int, str]]]:
    """The blocks of lines between empty ones, each line with its number."""
    block: list[tuple[int, str]] = []
    # Not splitlines(): it also splits at characters that occur within sentences, such as U+2028.
    for number, raw in enumerate([*read_text(path).split("\n"), ""], 1):
        line = raw.removesuffix("\r")
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []


def _sentence(block: list[tuple[int, str]], path: Path) -> RoleSentence | Unfit:
    (first, text), *lines = block
    rows = [(number, tuple(tag.strip() for tag in line.split("\t"))) for number, line in lines]
    for number, tags in rows:
        if len(tags) != len(rows[0][1]):
            raise UserError(f"{path}:{number}: {len(tags)} tags, where the row before has {len(rows[0][1])}")
        if (mistake := tag_mistake(tags)) is not None:
            raise UserError(f"{path}:{number}: {mistake}")
    words = split_words(text)
    size = len(rows[0][1]) if rows else len(words)
    if len(words) != size:
        words = tuple(text.split())
    if len(words) != size:
        return Unfit(f"{path}:{first}", len(split_words(text)), size)
    return RoleSentence(" ".join(text.split()), words, tuple(Frame(tags) for _, tags in rows))
