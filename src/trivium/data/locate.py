"""Where the files of public data lie on this machine, and how they are opened."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from pathlib import Path
from typing import NamedTuple, TextIO

from trivium.data.manifest import PublicFile, manifest
from trivium.errors import UserError


def cache_folder() -> Path:
    """Where downloads go: ``$TRIVIUM_CACHE``, ``$XDG_CACHE_HOME/trivium/data`` or ``~/.cache/trivium/data``."""
    own = os.environ.get("TRIVIUM_CACHE")
    if own:
        return Path(own).expanduser()
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "trivium" / "data"


def data_folders() -> tuple[Path, ...]:
    """The folders in which data are looked for, in order: ``$TRIVIUM_DATA``, then the cache."""
    own = os.environ.get("TRIVIUM_DATA")
    if not own:
        return (cache_folder(),)
    folder = Path(own).expanduser()
    if not folder.is_dir():
        raise UserError(f"TRIVIUM_DATA is {own}, and there is no such folder: correct it or unset it")
    return (folder, cache_folder())


class Found(NamedTuple):
    """A file of the manifest that is there: the data folder it is in, and which of its places it lies at."""

    folder: Path
    place: str

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.folder / self.place


def found(file: PublicFile, folders: tuple[Path, ...]) -> Found | None:
    """Where a file of the manifest lies: whole in any of the folders, else as what was made from it."""
    candidates = (
        Found(folder, place) for places in (file.places, file.other_places) for folder in folders for place in places
    )
    return next((one for one in candidates if one.path.is_file()), None)


def find_file(path: str) -> Path:
    """Where the file lies that the manifest lists at ``path``, for instance ``sick/SICK.txt``.

    What is found may be a ``.gz`` of it (:func:`open_text` opens both) or, where the manifest says so, a file that was
    made from it.
    """
    entry = manifest().entry(path)
    folders = data_folders()
    there = found(entry.file, folders)
    if there is None:
        looked = " or ".join(map(str, folders))
        raise UserError(f"{path} is not in {looked}: run `trivium data get {entry.source}`, or set TRIVIUM_DATA")
    return there.path


def are_there(*paths: str) -> bool:
    """Whether all of these files of the manifest are on this machine."""
    folders = data_folders()
    return all(found(manifest().entry(path).file, folders) for path in paths)


def read_text(path: Path) -> str:
    """The text of a UTF-8 file or of a ``.gz`` of one, without a byte order mark and with its line ends as they are."""
    try:
        raw = path.read_bytes()
        content = gzip.decompress(raw) if path.suffix == ".gz" else raw
    except FileNotFoundError:
        raise UserError(f"{path}: there is no such file") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{path}: not a whole gzip file ({error})") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}:{line}: not UTF-8 (byte 0x{content[error.start]:02x})") from None


def open_text(path: Path) -> TextIO:
    """A text file or a ``.gz`` of one, opened for a csv reader: all that is wrong with it is said at once."""
    return io.StringIO(read_text(path), newline="")
