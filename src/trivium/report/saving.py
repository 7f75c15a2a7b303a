"""Writing a text so that a reader finds either the old file or the whole new one."""

from __future__ import annotations

import os
from pathlib import Path

from trivium.errors import UserError


def write_text(path: Path, text: str) -> None:
    """Write a file by a rename in its folder; if that is not possible, say so in one line and leave nothing behind."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    content = text.encode("utf-8")
    try:
        try:
            unfinished.write_bytes(content)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        why = "its folder is not there" if not path.parent.exists() else error.strerror or str(error)
        raise UserError(f"{path}: cannot be written: {why}") from None
