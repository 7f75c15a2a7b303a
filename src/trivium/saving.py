"""Writing files so that a reader finds either the old file or the whole new one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trivium.errors import UserError


@contextmanager
def saving(path: Path) -> Iterator[Path]:
    """A name beside ``path`` to write to, with the same ending; it becomes ``path`` when the block ends well.

    If that is not possible, the error is one line, and nothing is left behind.
    """
    unfinished = path.with_name(f".{path.stem}.{os.getpid()}.tmp{path.suffix}")
    try:
        try:
            yield unfinished
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        why = "its folder is not there" if not path.parent.exists() else error.strerror or str(error)
        raise UserError(f"{path}: cannot be written: {why}") from None


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with saving(path) as unfinished:
        unfinished.write_bytes(text.encode("utf-8"))
