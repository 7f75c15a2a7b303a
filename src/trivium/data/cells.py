"""Guard cells of CSV and TSV files against spreadsheets, which evaluate cells that begin with ``=``.

An apostrophe before a cell makes it text. It is written before every cell that begins like a formula, with or without
apostrophes in front, so that :func:`without_guard` restores the exact text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")


def guarded(value: Any) -> Any:
    """Return a value that no spreadsheet evaluates: a text like a formula gets an apostrophe.

    Example:
        >>> guarded("=1+1"), guarded(-1.5), guarded("It rains.")
        ("'=1+1", -1.5, 'It rains.')
    """
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def guarded_row(values: Iterable[Any]) -> list[Any]:
    """Return the guarded cells of a row."""
    return [guarded(value) for value in values]


def without_guard(cell: str) -> str:
    """Return the text that :func:`guarded` turned into this cell."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
