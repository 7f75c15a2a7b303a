"""Unpacking archives that nobody vouches for: nothing is written outside the folder, and no more than is allowed."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from trivium.errors import UserError

_CHUNK = 1 << 16
_SMALL = 1 << 20  # below this much, no ratio is suspicious


@dataclass(frozen=True)
class Limits:
    """How much an archive may unpack to: bytes in all, bytes for each byte of the archive, and members."""

    total: int = 1 << 30
    ratio: float = 200.0
    members: int = 100_000


@dataclass(frozen=True)
class _Member:
    """What zip and tar members have in common. ``target`` is the member that a link stands for."""

    name: str
    path: PurePosixPath
    size: int
    is_folder: bool
    target: PurePosixPath | None
    open: Callable[[], IO[bytes]]


def unpack(archive: Path, into: Path, limits: Limits | None = None) -> None:
    """Unpack a zip, tar or tar.gz archive into the new folder ``into``.

    Refused, with the name of the member: absolute paths, ``..``, links to anything but a file of the archive, devices,
    a name that occurs twice, and more than ``limits``. A link becomes a copy; ``__MACOSX`` is left out. The folder
    appears by one rename, with everything in it or not at all.
    """
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise UserError(f"{into} is already there: unpack {archive.name} into a new folder")
    try:
        into.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{into.name}.", dir=into.parent))
    except OSError as error:
        raise UserError(f"cannot write to {into.parent} ({error.strerror})") from None
    try:
        content = beside / "content"
        content.mkdir()
        _unpack_here(archive, content, limits or Limits())
        content.replace(into)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _unpack_here(archive: Path, folder: Path, limits: Limits) -> None:
    if not archive.is_file():
        raise UserError(f"{archive}: there is no such file")
    try:
        with ExitStack() as stack:
            members = _checked(_members(archive, stack), archive, limits)
            budget = _Budget(archive, limits)
            for member in members.values():
                _write(member, members, folder, budget)
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UserError(f"{archive}: not a whole zip or tar archive ({error})") from None
    except OSError as error:
        raise UserError(f"{archive}: cannot be unpacked ({error.strerror or error})") from None


def _members(archive: Path, stack: ExitStack) -> Iterator[_Member]:
    # Not is_zipfile(): it also says yes to a tar whose last member is a zip.
    with archive.open("rb") as opened:
        first = opened.read(4)
    if first in (b"PK\x03\x04", b"PK\x05\x06"):
        package = stack.enter_context(zipfile.ZipFile(archive))
        return (_zip_member(archive, package, info) for info in package.infolist())
    packed = first.startswith(b"\x1f\x8b")
    bundle = stack.enter_context(tarfile.open(archive, "r:gz" if packed else "r:"))  # noqa: SIM115 - the stack closes it
    return (_tar_member(archive, bundle, info) for info in bundle)


def _zip_member(archive: Path, package: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Member:
    path = _inside(archive, info.filename)
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
        raise _refused(archive, info.filename, "is a device or a pipe")
    target = None
    if kind == stat.S_IFLNK:
        with package.open(info) as link:
            target = _target(archive, info.filename, path.parent, os.fsdecode(link.read(4096)))
    return _Member(info.filename, path, info.file_size, info.is_dir(), target, lambda: package.open(info))


def _tar_member(archive: Path, bundle: tarfile.TarFile, info: tarfile.TarInfo) -> _Member:
    path = _inside(archive, info.name)
    if not (info.isfile() or info.isdir() or info.issym() or info.islnk()):
        raise _refused(archive, info.name, "is a device or a pipe")
    target = None
    if info.issym():
        target = _target(archive, info.name, path.parent, info.linkname)
    elif info.islnk():  # the target of a hard link is written from the top of the archive
        target = _target(archive, info.name, PurePosixPath(), info.linkname)

    def content() -> IO[bytes]:
        opened = bundle.extractfile(info)
        if opened is None:
            raise _refused(archive, info.name, "has no content")
        return opened

    return _Member(info.name, path, info.size, info.isdir(), target, content)


def _inside(archive: Path, name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or re.match(r"[A-Za-z]:", name) or "\\" in name or "\0" in name:
        raise _refused(archive, name, "is not a plain relative path")
    if ".." in path.parts:
        raise _refused(archive, name, "leads out of the folder with '..'")
    return path


def _target(archive: Path, name: str, start: PurePosixPath, link: str) -> PurePosixPath:
    steps: list[str] = []
    if PurePosixPath(link).is_absolute():
        raise _refused(archive, name, f"is a link to {link!r}, outside the folder")
    for step in (*start.parts, *PurePosixPath(link).parts):
        if step != "..":
            steps.append(step)
        elif steps:
            steps.pop()
        else:
            raise _refused(archive, name, f"is a link to {link!r}, outside the folder")
    return PurePosixPath(*steps)


def _checked(members: Iterator[_Member], archive: Path, limits: Limits) -> dict[PurePosixPath, _Member]:
    """The members by path, without ``__MACOSX``; the sizes that they declare are added up before any is unpacked."""
    budget = _Budget(archive, limits)
    kept: dict[PurePosixPath, _Member] = {}
    for number, member in enumerate(members, 1):
        if number > limits.members:
            raise _refused(archive, member.name, f"is one of more than {limits.members} members")
        budget.spend(member.size, member.name)
        if member.path.parts[:1] == ("__MACOSX",) or member.path == PurePosixPath():
            continue
        earlier = kept.get(member.path)
        if earlier and not (earlier.is_folder and member.is_folder):
            raise _refused(archive, member.name, "occurs twice")
        kept[member.path] = member
    for member in kept.values():
        inside_a_file = next((up for up in member.path.parents if up in kept and not kept[up].is_folder), None)
        if inside_a_file:
            raise _refused(archive, member.name, f"lies within {str(inside_a_file)!r}, which is not a folder")
    return kept


class _Budget:
    """Counts bytes and refuses the member that goes over the limits."""

    def __init__(self, archive: Path, limits: Limits) -> None:
        self.archive = archive
        self.spent = 0
        self.allowed = min(limits.total, max(_SMALL, int(archive.stat().st_size * limits.ratio)))

    def spend(self, size: int, name: str) -> None:
        self.spent += size
        if self.spent > self.allowed:
            raise _refused(self.archive, name, f"unpacks to more than the {self.allowed} bytes that are allowed")


def _write(member: _Member, members: dict[PurePosixPath, _Member], folder: Path, budget: _Budget) -> None:
    place = folder / member.path
    if member.is_folder:
        place.mkdir(parents=True, exist_ok=True)
        return
    origin = member
    if member.target is not None:
        linked = members.get(member.target)
        if linked is None or linked.is_folder or linked.target is not None:
            raise _refused(budget.archive, member.name, f"is a link to {str(member.target)!r}, no file of the archive")
        origin = linked
    place.parent.mkdir(parents=True, exist_ok=True)
    with origin.open() as content, place.open("xb") as copy:
        while chunk := content.read(_CHUNK):
            budget.spend(len(chunk), member.name)
            copy.write(chunk)


def _refused(archive: Path, name: str, why: str) -> UserError:
    return UserError(f"{archive}: refused, for the member {name!r} {why}")
