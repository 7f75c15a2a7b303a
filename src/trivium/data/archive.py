"""Unpack untrusted archives safely: nothing is written outside the target folder, and sizes are limited."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from trivium.errors import UserError, describe, shown

_CHUNK = 1 << 16
_SMALL = 1 << 20  # up to this many bytes, any compression ratio is allowed


@dataclass(frozen=True)
class Limits:
    """Limits of an archive: total unpacked bytes, unpacked bytes per byte of the archive, and number of members."""

    total: int = 1 << 30
    ratio: float = 200.0
    members: int = 100_000


@dataclass(frozen=True)
class _Member:
    """A member of a zip or tar archive. ``target`` is the path of the member that a link points to."""

    name: str
    path: PurePosixPath
    size: int
    is_folder: bool
    target: PurePosixPath | None
    open: Callable[[], IO[bytes]]


def unpack(archive: Path, into: Path, limits: Limits | None = None) -> None:
    """Unpack a zip, tar or tar.gz archive into the new folder ``into``.

    A UserError names the offending member if the archive contains absolute paths, ``..``, links to anything but a file
    of the archive, devices or duplicate names, or if it exceeds ``limits``. Links become copies; ``__MACOSX`` is left
    out. The complete folder appears with one rename, or not at all.
    """
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise UserError(f"{into}: already exists: unpack {archive.name} into a new folder")
    try:
        into.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{into.name}.", dir=into.parent))
    except OSError as error:
        raise UserError(f"{into.parent}: cannot be written ({error.strerror})") from None
    try:
        content = temporary / "content"
        content.mkdir()
        _unpack_into(archive, content, limits or Limits())
        content.replace(into)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _unpack_into(archive: Path, folder: Path, limits: Limits) -> None:
    if not archive.is_file():
        raise UserError(f"{archive}: no such file")
    try:
        with ExitStack() as stack:
            members = _checked_members(_members(archive, stack), archive, limits)
            budget = _Budget(archive, limits)
            for member in members.values():
                _write(member, members, folder, budget)
    except UserError:
        raise
    except OSError as error:
        raise UserError(f"{archive}: cannot be unpacked ({error.strerror or error})") from None
    except Exception as error:  # a damaged archive makes zipfile and tarfile raise exceptions of many types
        raise UserError(f"{archive}: not a complete zip or tar archive ({shown(describe(error))})") from None


def _members(archive: Path, stack: ExitStack) -> Iterator[_Member]:
    # Not is_zipfile(): it is also true of a tar file whose last member is a zip file.
    with archive.open("rb") as file:
        magic = file.read(4)
    if magic in (b"PK\x03\x04", b"PK\x05\x06"):
        zip_file = stack.enter_context(zipfile.ZipFile(archive))
        return (_zip_member(archive, zip_file, info) for info in zip_file.infolist())
    gzipped = magic.startswith(b"\x1f\x8b")
    tar = stack.enter_context(tarfile.open(archive, "r:gz" if gzipped else "r:"))  # noqa: SIM115 - the stack closes it
    return (_tar_member(archive, tar, info) for info in tar)


def _zip_member(archive: Path, zip_file: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Member:
    path = _checked_path(archive, info.filename)
    file_type = stat.S_IFMT(info.external_attr >> 16)
    if file_type not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
        raise _refused(archive, info.filename, "is a device or a pipe")
    target = None
    if file_type == stat.S_IFLNK:
        with zip_file.open(info) as link:
            target = _link_target(archive, info.filename, path.parent, os.fsdecode(link.read(4096)))
    return _Member(info.filename, path, info.file_size, info.is_dir(), target, lambda: zip_file.open(info))


def _tar_member(archive: Path, tar: tarfile.TarFile, info: tarfile.TarInfo) -> _Member:
    path = _checked_path(archive, info.name)
    if not (info.isfile() or info.isdir() or info.issym() or info.islnk()):
        raise _refused(archive, info.name, "is a device or a pipe")
    target = None
    if info.issym():
        target = _link_target(archive, info.name, path.parent, info.linkname)
    elif info.islnk():  # the target of a hard link is relative to the top of the archive
        target = _link_target(archive, info.name, PurePosixPath(), info.linkname)

    def open_member() -> IO[bytes]:
        content = tar.extractfile(info)
        if content is None:
            raise _refused(archive, info.name, "has no content")
        return content

    return _Member(info.name, path, info.size, info.isdir(), target, open_member)


def _checked_path(archive: Path, name: str) -> PurePosixPath:
    """Return the path of a member. Raise a UserError unless it is relative and stays inside the folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or re.match(r"[A-Za-z]:", name) or "\\" in name or "\0" in name:
        raise _refused(archive, name, "is not a plain relative path")
    if ".." in path.parts:
        raise _refused(archive, name, "leaves the folder with '..'")
    return path


def _link_target(archive: Path, name: str, start: PurePosixPath, link: str) -> PurePosixPath:
    """Return the path in the archive that a link points to from ``start``."""
    parts: list[str] = []
    if PurePosixPath(link).is_absolute():
        raise _refused(archive, name, f"is a link to {link!r}, outside the folder")
    for part in (*start.parts, *PurePosixPath(link).parts):
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            raise _refused(archive, name, f"is a link to {link!r}, outside the folder")
    return PurePosixPath(*parts)


def _checked_members(members: Iterator[_Member], archive: Path, limits: Limits) -> dict[PurePosixPath, _Member]:
    """Return the members by path, without ``__MACOSX``. Check their declared sizes before any of them is unpacked."""
    budget = _Budget(archive, limits)
    kept: dict[PurePosixPath, _Member] = {}
    for number, member in enumerate(members, 1):
        if number > limits.members:
            raise _refused(archive, member.name, f"exceeds the limit of {limits.members} members")
        budget.spend(member.size, member.name)
        if member.path.parts[:1] == ("__MACOSX",) or member.path == PurePosixPath():
            continue
        earlier = kept.get(member.path)
        if earlier and not (earlier.is_folder and member.is_folder):
            raise _refused(archive, member.name, "occurs twice")
        kept[member.path] = member
    for member in kept.values():
        parent_file = next((path for path in member.path.parents if path in kept and not kept[path].is_folder), None)
        if parent_file:
            raise _refused(archive, member.name, f"lies within {str(parent_file)!r}, which is not a folder")
    return kept


class _Budget:
    """Counts unpacked bytes and raises a UserError when a member exceeds the limits."""

    def __init__(self, archive: Path, limits: Limits) -> None:
        self.archive = archive
        self.spent = 0
        self.allowed = min(limits.total, max(_SMALL, int(archive.stat().st_size * limits.ratio)))

    def spend(self, size: int, name: str) -> None:
        """Add the bytes of a member."""
        self.spent += size
        if self.spent > self.allowed:
            raise _refused(self.archive, name, f"unpacks to more than the {self.allowed} bytes allowed")


def _write(member: _Member, members: dict[PurePosixPath, _Member], folder: Path, budget: _Budget) -> None:
    path = folder / member.path
    if member.is_folder:
        path.mkdir(parents=True, exist_ok=True)
        return
    origin = member
    if member.target is not None:
        linked = members.get(member.target)
        if linked is None or linked.is_folder or linked.target is not None:
            reason = f"is a link to {str(member.target)!r}, which is not a file of the archive"
            raise _refused(budget.archive, member.name, reason)
        origin = linked
    path.parent.mkdir(parents=True, exist_ok=True)
    with origin.open() as content, path.open("xb") as copy:
        while chunk := content.read(_CHUNK):
            budget.spend(len(chunk), member.name)
            copy.write(chunk)


def _refused(archive: Path, name: str, reason: str) -> UserError:
    return UserError(f"{archive}: not unpacked: the member {name!r} {reason}")
