"""Tables in text files as data sets really ship them: raw quotes or quoted fields, either line end, perhaps gzipped."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from trivium.data.locate import open_text, read_text
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
    _check_header(header, columns, path)
    for number, line in enumerate(lines[1:], 2):
        if line:
            yield _row(header, line.split("\t"), f"{path}:{number}")


def read_quoted(path: Path, columns: Sequence[str], delimiter: str = ",") -> Iterator[Row]:
    """The rows of a file whose fields may stand in quotes (and then hold line ends), with quotes in them doubled.

    A row is at the line where it ends. Empty lines are skipped.
    """
    reader = csv.reader(open_text(path), delimiter=delimiter, strict=True)
    try:
        header = next(reader, [])
        if not header:
            raise UserError(f"{path}: the file is empty")
        _check_header(header, columns, path)
        for fields in reader:
            if fields:
                yield _row(header, fields, f"{path}:{reader.line_num}")
    except csv.Error as error:
        raise UserError(f"{path}:{reader.line_num}: not a table with quoted fields ({error})") from None


def _check_header(header: Sequence[str], columns: Sequence[str], path: Path) -> None:
    missing = [column for column in columns if column not in header]
    if missing:
        names = ", ".join(map(repr, missing))
        raise UserError(f"{path}: missing column {names} (there is {', '.join(map(repr, header))})")


def _row(header: Sequence[str], fields: Sequence[str], where: str) -> Row:
    if len(fields) != len(header):
        raise UserError(f"{where}: {len(fields)} fields where the first line names {len(header)} columns")
    return Row(where, dict(zip(header, fields, strict=True)))
