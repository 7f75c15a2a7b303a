"""Write files and folders atomically: readers see either the old version or the complete new one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from trivium.errors import UserError


@contextmanager
def saving(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path``, with the same suffix, and rename it to ``path`` when the block succeeds.

    If the block fails, the temporary file is deleted. An OSError is raised as a UserError.
    """
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.tmp{path.suffix}")
    try:
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        reason = "its folder does not exist" if not path.parent.exists() else error.strerror or str(error)
        raise UserError(f"{path}: cannot be written: {reason}") from None


@contextmanager
def saving_folder(path: Path, backup: Path | None = None) -> Iterator[Path]:
    """Yield a new temporary folder beside ``path``, and rename it to ``path`` when the block succeeds.

    The previous folder at ``path`` is then renamed to ``backup``, or deleted if ``backup`` is None. If the block fails,
    the previous folder stays, temporary folders are deleted, and an OSError is raised as a UserError.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    old = backup or path.with_name(f".{path.name}.{os.getpid()}.old")
    missing = [folder for folder in path.parents if not folder.exists()]
    try:
        try:
            temporary.mkdir(parents=True)
            yield temporary
            if path.exists():
                path.rename(old)
            temporary.rename(path)
        except BaseException:
            if old.exists() and not path.exists():
                old.rename(path)
            raise
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
            if backup is None:
                shutil.rmtree(old, ignore_errors=True)
            for folder in missing:
                with suppress(OSError):  # rmdir() fails on a folder that is not empty, which must stay
                    folder.rmdir()
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror or error}") from None


def check_writable_file(file: Path) -> None:
    """Raise a UserError if ``file`` cannot be written, so that the mistake is found before any work is done."""
    if not file.absolute().parent.is_dir():
        raise UserError(f"{file}: its folder does not exist")
    if file.is_dir():
        raise UserError(f"{file}: is a folder, but must be a file")


def check_empty_folder(folder: Path) -> None:
    """Raise a UserError if ``folder`` is not empty or cannot be created, before any work is done."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UserError(f"{folder}: already exists and is not an empty folder: choose another folder")
        path = folder.resolve()
        parent = next(ancestor for ancestor in path.parents if ancestor.exists())
        probe = parent / f".{path.name}.{os.getpid()}.probe"
        probe.mkdir()
        probe.rmdir()
    except OSError as error:
        raise UserError(f"{folder}: cannot be written: {error.strerror or error}") from None


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 text file atomically."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        half = text[max(0, error.start - 20) : error.end]
        raise UserError(f"{path}: cannot be written: {half!a} contains half a character (a lone surrogate)") from None
    with saving(path) as temporary:
        temporary.write_bytes(content)
