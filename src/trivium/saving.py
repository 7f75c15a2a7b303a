"""Write files and folders atomically: readers see either the old version or the complete new one."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from trivium.errors import UserError

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2  # of renameat2 in Linux
_HOUR = 3600
_SUFFIXES = (".tmp", ".old", ".swap")


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

    The previous folder at ``path`` is then renamed to ``backup``, a path beside it, or deleted if ``backup`` is None.
    If the block fails, the previous folder stays, temporary folders are deleted, and an OSError is raised as a
    UserError. If the process is killed, :func:`recover_folder` restores a complete folder; it is called here, too.
    """
    recover_folder(path)
    names = _Names.of(path, f"{os.getpid()}@{_host()}")
    missing = [folder for folder in path.parents if not folder.exists()]
    try:
        try:
            names.new.mkdir(parents=True)
            yield names.new
            _replace(path, names, backup)
        except BaseException:
            if names.old.exists() and not path.exists():
                names.old.rename(path)
            raise
        finally:
            _clean(path, names)
            for folder in missing:
                with suppress(OSError):  # rmdir() fails on a folder that is not empty, which must stay
                    folder.rmdir()
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror or error}") from None


def recover_folder(path: Path) -> None:
    """Finish or undo what processes left behind that were killed while they replaced ``path``.

    A missing folder is restored, the previous one gets the name of its backup, and temporary folders are deleted.
    """
    prefix, writers = f".{path.name}.", set()
    with suppress(OSError):
        for entry in path.parent.iterdir():
            if entry.name.startswith(prefix) and entry.suffix in _SUFFIXES:
                writers.add(entry.name[len(prefix) :].removesuffix(entry.suffix))
    for writer in sorted(writers):
        names = _Names.of(path, writer)
        if _is_gone(writer, names):
            with suppress(OSError):  # for instance, because another process recovers the same folder
                _clean(path, names)


class _Names(NamedTuple):
    """The names beside a folder that a process uses while it replaces the folder."""

    new: Path
    old: Path
    journal: Path

    @classmethod
    def of(cls, path: Path, writer: str) -> _Names:
        return cls(*(path.with_name(f".{path.name}.{writer}{suffix}") for suffix in _SUFFIXES))


def _replace(path: Path, names: _Names, backup: Path | None) -> None:
    """Rename the new folder to ``path``, atomically if the system can exchange two folders."""
    if not path.exists():
        names.new.rename(path)
        return
    if backup is not None:  # tells recovery which folder is the previous one, and the name of its backup
        names.journal.write_text(f"{path.stat().st_ino} {backup.name}", encoding="utf-8")
    if not _exchange(names.new, path):
        path.rename(names.old)
        names.new.rename(path)


def _clean(path: Path, names: _Names) -> None:
    """Restore ``path`` if it is missing, keep the previous folder as the journal says, and delete everything else."""
    if names.old.exists() and not path.exists():
        names.old.rename(path)
    with suppress(OSError, ValueError):
        inode, _, backup = names.journal.read_text(encoding="utf-8").partition(" ")
        for folder in (names.new, names.old):
            if folder.exists() and folder.stat().st_ino == int(inode) and backup == Path(backup).name:
                folder.rename(path.with_name(backup))
    shutil.rmtree(names.new, ignore_errors=True)
    shutil.rmtree(names.old, ignore_errors=True)
    names.journal.unlink(missing_ok=True)


def _exchange(first: Path, second: Path) -> bool:
    """Exchange two folders atomically. Return False if the system or the file system cannot."""
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # not Linux, or an old C library
        return False
    return bool(function(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) == 0)


def _host() -> str:
    return re.sub(r"[^\w-]", "-", platform.node())


def _is_gone(writer: str, names: _Names) -> bool:
    """Return whether a process has ended. One on another host counts as ended if it changed nothing for an hour."""
    pid, _, host = writer.partition("@")
    if not pid.isdecimal():
        return False
    if host != _host():
        changes = [name.lstat().st_ctime for name in names if name.exists()]
        return bool(changes) and time.time() - max(changes) > _HOUR
    if int(pid) == os.getpid():
        return False
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:  # it exists and belongs to somebody else
        return False
    return False


def check_writable_file(file: Path) -> None:
    """Raise a UserError if ``file`` cannot be written, before any work is done."""
    if not file.absolute().parent.is_dir():
        raise UserError(f"{file}: its folder does not exist")
    if file.is_dir():
        raise UserError(f"{file}: is a folder, but must be a file")
    probe = file.with_name(f".{file.stem}.{os.getpid()}.probe")
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UserError(f"{file}: cannot be written: {error.strerror or error}") from None


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
