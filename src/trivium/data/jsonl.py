"""Read JSON Lines files: one JSON object per line. Errors name the file and the line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trivium.data.locate import read_lines
from trivium.errors import UserError, shown, shown_value


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the line number and the object of each line that is not blank."""
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        row = parse_json(line, f"{path}:{number}")
        if not isinstance(row, dict):
            raise UserError(f"{path}:{number}: a line must be a JSON object, not {type(row).__name__}")
        yield number, row


def parse_json(text: str, where: str) -> Any:
    """Return the value of a JSON text. Raise a UserError that names ``where`` if it is not valid."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{where}: not JSON ({error.msg} at column {error.colno})") from None
    except (ValueError, RecursionError) as error:  # a number with thousands of digits, or deeply nested brackets
        raise UserError(f"{where}: JSON that cannot be parsed ({error})") from None


def text_of(fields: Mapping[str, Any], name: str, where: str) -> str:
    """Return the text of a field. Raise a UserError if its value is not a valid string."""
    value = fields[name]
    if not isinstance(value, str):
        raise UserError(f"{where}: {name!r} must be text, not {shown_value(value)}")
    try:
        (name + value).encode()
    except UnicodeEncodeError:
        raise UserError(
            f"{where}: {name!a} contains half a character (a lone surrogate): {shown(ascii(value))}"
        ) from None
    return value


def check_fields(row: Mapping[str, Any], names: Sequence[str], where: str) -> None:
    """Raise a UserError that names ``where`` if a field is missing."""
    for name in names:
        if name not in row:
            raise UserError(f"{where}: missing field {name!r} (available: {shown(', '.join(sorted(row))) or 'none'})")


def text_fields(row: Mapping[str, Any], names: Sequence[str], where: str) -> dict[str, str]:
    """Return the texts of required fields. Raise a UserError if a field is missing or is not a string."""
    check_fields(row, names, where)
    return {name: text_of(row, name, where) for name in names}
