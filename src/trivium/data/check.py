"""Check files against the sha256 in the manifest, and summarize the content of splits."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import BinaryIO

from trivium.data.locate import LocalFile, locate_file
from trivium.data.manifest import Entry, Manifest, PublicFile
from trivium.data.split import Split
from trivium.errors import UserError

_CHUNK = 1 << 20


class State(Enum):
    """The state of a file of the manifest on this machine."""

    COMPLETE = "complete"
    SAMPLE = "only a sample"
    MISSING = "missing"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class FileCheck:
    """A file of the manifest, its state, and what is wrong with it, if anything."""

    file: PublicFile
    state: State
    problem: str = ""


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file as hexadecimal digits."""
    with path.open("rb") as content:
        return _digest(content)


def check_file(file: PublicFile, folders: tuple[Path, ...]) -> FileCheck:
    """Find a file and compare its sha256 with the manifest; for a ``.gz`` file, that of the content."""
    local = locate_file(file, folders)
    if local is None:
        return FileCheck(file, State.MISSING)
    try:
        return _compare(file, local)
    except OSError as error:
        return FileCheck(file, State.DAMAGED, f"{local.path}: cannot be read ({error.strerror or error})")


def check_source(manifest: Manifest, name: str, folders: tuple[Path, ...]) -> list[FileCheck]:
    """Check every file of a source."""
    return [check_file(file, folders) for file in manifest.source(name).files]


def still_needed(manifest: Manifest, name: str, folders: tuple[Path, ...]) -> list[Entry]:
    """Return the files of a source that must be downloaded. Raise a UserError if a damaged file is in the way."""
    entries = [(entry, check_file(entry.file, folders)) for entry in manifest.entries(name)]
    damaged = [f"{checked.problem}: move it away" for _, checked in entries if checked.state is State.DAMAGED]
    if damaged:
        raise UserError("\n".join(damaged))
    return [entry for entry, checked in entries if checked.state is not State.COMPLETE]


@dataclass(frozen=True)
class SplitReport:
    """A summary of a split: the number of examples of each label, repetitions, and its identity."""

    examples: int
    labels: dict[str, int]
    unlabelled: int
    repeated_ids: tuple[str, ...]
    repeated_pairs: int
    contradicting_pairs: int
    identity: str


def report_split(split: Split) -> SplitReport:
    """Summarize a split. A pair is repeated if an earlier example has the same task, premise and hypothesis."""
    ids = Counter(example.id for example in split)
    labels_of: dict[tuple[str, str, str | None], set[str | None]] = {}
    for example in split:
        labels_of.setdefault((example.task, example.premise, example.hypothesis), set()).add(example.label)
    return SplitReport(
        examples=len(split),
        labels=split.counts(),
        unlabelled=sum(example.label is None for example in split),
        repeated_ids=tuple(id for id, count in ids.items() if count > 1),
        repeated_pairs=len(split) - len(labels_of),
        contradicting_pairs=sum(len(labels) > 1 for labels in labels_of.values()),
        identity=split.identity,
    )


def _compare(file: PublicFile, local: LocalFile) -> FileCheck:
    actual = sha256_of(local.path)
    if actual == file.sha256:
        return FileCheck(file, State.COMPLETE)
    if file.held and actual == file.held.sha256:
        return FileCheck(file, State.SAMPLE if file.held.kind == "sample" else State.COMPLETE)
    if local.relative_path == f"{file.path}.gz":
        return _compare_unpacked(file, local.path)
    expected = file.held.sha256 if file.held and local.relative_path == file.held.path else file.sha256
    return FileCheck(file, State.DAMAGED, f"{local.path}: the sha256 is {actual}, not {expected}")


def _compare_unpacked(file: PublicFile, path: Path) -> FileCheck:
    try:
        with gzip.open(path) as content:
            actual = _digest(content)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        return FileCheck(file, State.DAMAGED, f"{path}: not a complete gzip file ({error})")
    if actual == file.sha256:
        return FileCheck(file, State.COMPLETE)
    return FileCheck(file, State.DAMAGED, f"{path}: the sha256 of its content is {actual}, not {file.sha256}")


def _digest(content: BinaryIO | gzip.GzipFile) -> str:
    digest = hashlib.sha256()
    for chunk in _chunks(content):
        digest.update(chunk)
    return digest.hexdigest()


def _chunks(content: BinaryIO | gzip.GzipFile) -> Iterator[bytes]:
    while chunk := content.read(_CHUNK):
        yield chunk
