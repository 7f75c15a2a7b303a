"""Files with a JSON object a line; what is wrong is said with file and line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trivium.data.locate import open_text
from trivium.errors import UserError


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The number and the object of each line that is not blank."""
    for number, line in enumerate(open_text(path), 1):
        if not line.strip():
            continue
        row = parsed(line, f"{path}:{number}")
        if not isinstance(row, dict):
            raise UserError(f"{path}:{number}: a line must be a JSON object, not {type(row).__name__}")
        yield number, row


def parsed(text: str, where: str) -> Any:
    """What a JSON text says."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{where}: not JSON ({error.msg} at column {error.colno})") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, or brackets nested so deep
        raise UserError(f"{where}: not JSON that can be read ({error})") from None


def text_of(fields: Mapping[str, Any], name: str, where: str) -> str:
    """The text of a field; an error if it is something else."""
    value = fields[name]
    if not isinstance(value, str):
        raise UserError(f"{where}: {name!r} must be text, not {value!r}")
    try:
        (name + value).encode()
    except UnicodeEncodeError:
        raise UserError(f"{where}: {name!a} holds half a character (a lone surrogate): {value!a}") from None
    return value


def needed(row: Mapping[str, Any], names: Sequence[str], where: str) -> dict[str, str]:
    """The texts of some fields of a line; an error if one is missing or something else."""
    for name in names:
        if name not in row:
            raise UserError(f"{where}: the field {name!r} is missing (there is {', '.join(sorted(row))})")
    return {name: text_of(row, name, where) for name in names}
