"""Tab-separated files as data sets really ship them: raw quotes, either line end, perhaps gzipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from trivium.data.locate import read_text
from trivium.errors import UserError


class Row(NamedTuple):
    """One line of a table: where it stands (``file:line``) and its fields by column."""

    where: str
    fields: dict[str, str]


def read_tsv(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """The rows of a file whose first line names its columns; ``columns`` are those that must be there.

    A quote is a character like any other. Empty lines are skipped.
    """
    # Not splitlines(): it also splits at characters that occur within sentences, such as U+2028.
    lines = [line.removesuffix("\r") for line in read_text(path).split("\n")]
    if not any(lines):
        raise UserError(f"{path}: the file is empty")
    header = lines[0].split("\t")
    missing = [column for column in columns if column not in header]
    if missing:
        names = ", ".join(map(repr, missing))
        raise UserError(f"{path}: missing column {names} (there is {', '.join(map(repr, header))})")
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        fields = line.split("\t")
        if len(fields) != len(header):
            raise UserError(f"{path}:{number}: {len(fields)} fields where the first line names {len(header)} columns")
        yield Row(f"{path}:{number}", dict(zip(header, fields, strict=True)))
