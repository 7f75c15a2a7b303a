"""Stream the rows of user tables: Parquet, or JSON Lines, CSV and TSV, which may be gzipped.

No file is held in memory: rows are read, checked and yielded one by one.
"""

from __future__ import annotations

import csv
import json
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from trivium.data.cells import without_guard
from trivium.data.jsonl import parse_json, text_of
from trivium.data.locate import open_binary, open_text
from trivium.data.parquet import parquet_columns, parquet_metadata, read_parquet
from trivium.errors import UserError, describe

ENDINGS = (".jsonl", ".csv", ".tsv", ".parquet")
_MOST_LINES = 100  # lines that one quoted record of a TSV file may span
_PREDICTIONS = {"predicted", "correct", "probability"}  # columns of the tables of predictions that Trivium writes
_OTHER_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"PK\x03\x04": "a spreadsheet or zip archive"}


class TableRow(NamedTuple):
    """A row of a table: its location (``file:line``, ``file:row N`` in Parquet) and its values by column."""

    where: str
    fields: Mapping[str, Any]


def ending_of(path: Path) -> str:
    """Return the ending of a file, without ``.gz``. Raise a UserError if the format is not supported."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = suffixes[-1:] == [".gz"]
    ending = (suffixes[-2:-1] if packed else suffixes[-1:]) or [""]
    if ending[0] not in ENDINGS or (packed and ending[0] == ".parquet"):
        hint = ": write one object per line and name it .jsonl" if ending[0] == ".json" else ""
        shown = "".join(path.suffixes[-2:] if packed else path.suffixes[-1:]) or "no ending"
        raise UserError(
            f"{path}: pairs are read from .jsonl, .csv, .tsv (also with .gz) and .parquet files, not {shown}{hint}"
        )
    return ending[0]


def read_rows(path: Path) -> Iterator[TableRow]:
    """Yield the rows of a file with one of the known endings."""
    ending = ending_of(path)
    if not path.is_file():
        raise UserError(f"{path}: {'a folder, not a file' if path.is_dir() else 'no such file'}")
    if ending == ".parquet":
        yield from _parquet_rows(path)
        return
    readers: dict[str, Callable[[Path, Iterator[str]], Iterator[TableRow]]] = {
        ".jsonl": _json_rows,
        ".csv": _csv_rows,
        ".tsv": _tsv_rows,
    }
    with _text(path) as file:
        empty = True
        for row in readers[ending](path, _without_nul(path, file)):
            empty = False
            yield row
    if empty:
        raise UserError(f"{path}: the file is empty" + ("" if ending == ".jsonl" else ", or has a header and no rows"))


def csv_separator(path: Path) -> str:
    """Return the separator of a CSV file: a semicolon if the header has one and no comma, else a comma.

    Spreadsheets write semicolons where the comma is the decimal mark.
    """
    with _text(path) as file:
        header = next((line for line in file if line.strip()), "")
    return ";" if ";" in header and "," not in header else ","


def line_of(where: str) -> str:
    """Return the line or row of a location, without the file: ``line 12``."""
    number = where.rpartition(":")[2]
    return f"line {number}" if number.isdigit() else number


def value_text(fields: Mapping[str, Any], name: str, where: str) -> str | None:
    """Return a value as text: as it is, or as JSON; None if it is missing or empty."""
    value = fields[name]
    if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
        return None
    try:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str).strip('"')
    except (ValueError, TypeError, RecursionError) as error:  # deeply nested, a number with thousands of digits
        raise UserError(f"{where}: {name!a} has a value that cannot be read ({describe(error)})") from None
    return text_of({name: text}, name, where)


@contextmanager
def _text(path: Path) -> Iterator[Iterator[str]]:
    """Yield the lines of a UTF-8 file. Raise a UserError if it begins like another format."""
    with open_binary(path) as raw:
        start = raw.read(4)
    other = next((name for mark, name in _OTHER_MARKS.items() if start.startswith(mark)), None)
    if other is not None:
        raise UserError(f"{path}: {other}, not UTF-8 text: save it as UTF-8")
    yield open_text(path)


def _without_nul(path: Path, lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        if "\0" in line:
            raise UserError(f"{path}:{number}: a NUL byte: the file is damaged or not text; remove the byte")
        yield line


def _json_rows(path: Path, lines: Iterator[str]) -> Iterator[TableRow]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            where = f"{path}:{number}"
            fields = parse_json(line, where)
            if not isinstance(fields, dict):
                raise UserError(f"{where}: a line must be a JSON object, not {type(fields).__name__}")
            yield TableRow(where, fields)


def _csv_rows(path: Path, lines: Iterator[str]) -> Iterator[TableRow]:
    """Yield the rows of a CSV file; the location of a row is the line where it begins."""
    reader = csv.reader(lines, delimiter=csv_separator(path), strict=True)
    header: list[str] | None = None
    begin = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise UserError(f"{path}:{begin}: {_csv_problem(error, reader.line_num)}") from None
        if cells is None:
            return
        if header is None and cells:
            header = _header(cells, f"{path}:{begin}")
            _check_commas(header, f"{path}:{begin}")
        elif header is not None and cells:
            yield _row(header, cells, f"{path}:{begin}")
        begin = reader.line_num + 1


def _check_commas(header: Sequence[str], where: str) -> None:
    if len(header) == 1 and "\t" in header[0]:
        raise UserError(f"{where}: columns are separated by tabs, not commas: name the file .tsv")


def _csv_problem(error: csv.Error, line: int) -> str:
    text = str(error)
    if "field larger" in text:
        limit = f"{csv.field_size_limit():,} characters"
        return f"a field of more than {limit} (up to line {line}): close the quote that opens it, or shorten it"
    if "unexpected end" in text:
        return "a quote is never closed: close it, or double the quotes within a quoted field"
    return f"not a CSV row ({text}): double the quotes within a quoted field"


def _tsv_rows(path: Path, lines: Iterator[str]) -> Iterator[TableRow]:
    """Yield the rows of a TSV file, whose fields may be quoted as in CSV, or contain quotes as plain characters.

    Data sets are distributed in both forms. A record is read as quoted where that gives as many fields as there are
    columns, and otherwise as plain text between tabs.
    """
    waiting: deque[str] = deque()
    header: list[str] | None = None
    number = 0
    while True:
        line = waiting.popleft() if waiting else next(lines, None)
        if line is None:
            return
        number += 1
        begin = number
        if not line.rstrip("\r\n"):
            continue
        if header is None:
            header = _header(_quoted((line,)) or line.rstrip("\r\n").split("\t"), f"{path}:{begin}")
            continue
        cells, used = _tsv_record(line, len(header), lines, waiting)
        number += used
        yield _row(header, cells, f"{path}:{begin}")


def _tsv_record(line: str, width: int, lines: Iterator[str], waiting: deque[str]) -> tuple[list[str], int]:
    """Return the fields of the record that begins with a line, and how many further lines it uses.

    Lines that are looked at but not used are put back into ``waiting``.
    """
    plain = line.rstrip("\r\n").split("\t")
    cells = _quoted((line,))
    if cells is not None and len(cells) == width:
        return cells, 0
    # A quoted field that continues in the next line is the last field of this line, unless it contains tabs.
    opened = any(field.startswith('"') for field in plain)
    if not opened or (len(plain) == width and not plain[-1].startswith('"')):
        return plain, 0
    looked_at: list[str] = []

    def record() -> Iterator[str]:
        yield line
        size = len(line)
        while len(looked_at) < _MOST_LINES and size < csv.field_size_limit():
            following = waiting.popleft() if waiting else next(lines, None)
            if following is None:
                return
            looked_at.append(following)
            size += len(following)
            yield following

    cells = _quoted(record())  # takes no more lines than the record has
    if cells is not None and len(cells) == width:
        return cells, len(looked_at)
    waiting.extendleft(reversed(looked_at))
    return plain, 0


def _quoted(lines: Iterable[str]) -> list[str] | None:
    """Return the fields of the record at the beginning of lines, or None if it violates the rules of quoting."""
    try:
        return next(csv.reader(lines, delimiter="\t", strict=True), None)
    except csv.Error:
        return None


def _header(cells: Sequence[str], where: str) -> list[str]:
    """Return the names of the columns; a column without a name is named by its number."""
    names = [cell.strip() or f"column {number}" for number, cell in enumerate(cells, 1)]
    seen: set[str] = set()
    duplicate = next((name for name in names if name in seen or seen.add(name)), None)  # type: ignore[func-returns-value]
    if duplicate is not None:
        raise UserError(f"{where}: the column {duplicate!r} occurs twice: rename one of them")
    return names


def _row(header: Sequence[str], cells: Sequence[str], where: str) -> TableRow:
    if len(cells) != len(header) and any(map(str.strip, cells)):
        fields = f"{len(cells)} field{'' if len(cells) == 1 else 's'}"
        raise UserError(
            f"{where}: {fields} where the header has {len(header)} columns: quote fields that contain the "
            "separator or a line break"
        )
    if set(header) >= _PREDICTIONS:
        cells = [without_guard(cell) for cell in cells]
    return TableRow(where, dict(zip(header, cells, strict=False)))  # an empty row may have fewer cells


def _parquet_rows(path: Path) -> Iterator[TableRow]:
    _header(parquet_columns(path), str(path))
    number = 0
    for number, fields in enumerate(read_parquet(path), 1):
        yield TableRow(f"{path}:row {number}", fields)
    if not number:
        raise UserError(f"{path}: the file has no rows")


def parquet_labels(path: Path) -> str | None:
    """Return the label scheme in a Parquet file that Trivium wrote; None for other files, even unreadable ones."""
    try:
        scheme = parquet_metadata(path).get(b"labels")
    except UserError:
        return None
    return None if scheme is None else scheme.decode(errors="replace")
