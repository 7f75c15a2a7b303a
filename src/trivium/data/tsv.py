"""Read tables in text files: with or without quoted fields, with any line endings, optionally gzipped."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from trivium.data.locate import open_text, read_lines
from trivium.errors import UserError


class Row(NamedTuple):
    """A row of a table: its location (``file:line``) and its fields by column."""

    where: str
    fields: dict[str, str]


def read_tsv(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a tab-separated file whose first line names the columns. ``columns`` are required.

    Quotes have no special meaning. Empty lines are skipped.
    """
    lines = read_lines(path)
    first = next(lines, "")
    if not first and not any(lines):
        raise UserError(f"{path}: the file is empty")
    header = first.split("\t")
    _check_header(header, columns, path)
    for number, line in enumerate(lines, 2):
        if line:
            yield _row(header, line.split("\t"), f"{path}:{number}")


def read_quoted(path: Path, columns: Sequence[str], delimiter: str = ",") -> Iterator[Row]:
    """Yield the rows of a CSV file whose first line names the columns. ``columns`` are required.

    Fields may be quoted; they may then contain line breaks, and quotes inside them are doubled. The location of a row
    is its last line. Empty lines are skipped.
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
        raise UserError(f"{path}: missing column {names} (available: {', '.join(map(repr, header))})")


def _row(header: Sequence[str], fields: Sequence[str], where: str) -> Row:
    if len(fields) != len(header):
        raise UserError(f"{where}: expected {len(header)} fields as in the first line, found {len(fields)}")
    return Row(where, dict(zip(header, fields, strict=True)))
