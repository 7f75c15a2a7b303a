"""Writing files so that a reader finds either the old file or the whole new one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


@contextmanager
def saving_folder(path: Path, kept: Path | None = None) -> Iterator[Path]:
    """A new folder beside ``path`` to write into; it takes the place of ``path`` when the block ends well.

    What was there is then ``kept`` under that name, or gone. If the block does not end well, it stays, nothing is left
    behind, and the error is one line.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    old = kept or path.with_name(f".{path.name}.{os.getpid()}.old")
    missing = [folder for folder in path.parents if not folder.exists()]
    try:
        try:
            unfinished.mkdir(parents=True)
            yield unfinished
            if path.exists():
                path.rename(old)
            unfinished.rename(path)
        except BaseException:
            if old.exists() and not path.exists():
                old.rename(path)
            raise
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
            if kept is None:
                shutil.rmtree(old, ignore_errors=True)
            for folder in missing:
                with suppress(OSError):  # what has something in it stays
                    folder.rmdir()
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror or error}") from None


def check_file(file: Path) -> None:
    """An error, before any work is done, if a file cannot be written there."""
    if not file.absolute().parent.is_dir():
        raise UserError(f"{file}: its folder is not there")
    if file.is_dir():
        raise UserError(f"{file}: it is a folder, and a file is to be written")


def check_free(folder: Path) -> None:
    """An error, before any work is done, if a folder has something in it already or cannot be written."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UserError(f"{folder}: there is something already: choose another folder")
        place = folder.resolve()
        parent = next(one for one in place.parents if one.exists())
        probe = parent / f".{place.name}.{os.getpid()}.probe"
        probe.mkdir()
        probe.rmdir()
    except OSError as error:
        raise UserError(f"{folder}: cannot be written: {error.strerror or error}") from None


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with saving(path) as unfinished:
        unfinished.write_bytes(text.encode("utf-8"))
