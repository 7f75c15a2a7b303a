"""Find the files of public data sets on this machine, and read text files."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

from trivium.errors import UserError

if TYPE_CHECKING:
    from trivium.data.manifest import PublicFile


def cache_folder() -> Path:
    """Return the folder for downloads.

    It is ``$TRIVIUM_CACHE``, ``$XDG_CACHE_HOME/trivium/data`` or ``~/.cache/trivium/data``, the first that is set.
    """
    trivium_cache = os.environ.get("TRIVIUM_CACHE")
    if trivium_cache:
        return Path(trivium_cache).expanduser()
    xdg_cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(xdg_cache) if xdg_cache else Path.home() / ".cache") / "trivium" / "data"


def data_folders() -> tuple[Path, ...]:
    """Return the folders that are searched for data, in order: ``$TRIVIUM_DATA`` if it is set, then the cache."""
    variable = os.environ.get("TRIVIUM_DATA")
    if not variable:
        return (cache_folder(),)
    folder = Path(variable).expanduser()
    if not folder.is_dir():
        raise UserError(f"TRIVIUM_DATA is {variable}: no such folder: correct the variable or unset it")
    return (folder, cache_folder())


class LocalFile(NamedTuple):
    """The location of a file of the manifest: the data folder, and its path below that folder."""

    folder: Path
    relative_path: str

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.folder / self.relative_path


def locate_file(file: PublicFile, folders: tuple[Path, ...]) -> LocalFile | None:
    """Return the location of a file of the manifest, or None. A complete file in any folder precedes a derived one."""
    candidates = (
        LocalFile(folder, path) for paths in (file.paths, file.derived_paths) for folder in folders for path in paths
    )
    return next((candidate for candidate in candidates if candidate.path.is_file()), None)


def find_file(path: str) -> Path:
    """Return the local path of a file that the manifest lists at ``path``, for instance ``sick/SICK.txt``.

    The local file may be gzipped (:func:`open_text` opens both) or, if the manifest lists one, derived from the
    original. Raise a UserError that says how to get the file if it is not on this machine.
    """
    from trivium.data.manifest import manifest  # imported here because it imports pydantic, which takes long

    entry = manifest().entry(path)
    folders = data_folders()
    local = locate_file(entry.file, folders)
    if local is None:
        searched = " or ".join(map(str, folders))
        raise UserError(f"{path} is not in {searched}: run `trivium data get {entry.source}`, or set TRIVIUM_DATA")
    return local.path


def are_available(*paths: str) -> bool:
    """Return whether all of these files of the manifest are on this machine."""
    from trivium.data.manifest import manifest

    folders = data_folders()
    return all(locate_file(manifest().entry(path).file, folders) for path in paths)


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, which may be gzipped, without a byte order mark. Line endings are unchanged."""
    try:
        raw = path.read_bytes()
        content = gzip.decompress(raw) if path.suffix == ".gz" else raw
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{path}: not a complete gzip file ({error})") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}:{line}: not UTF-8 (byte 0x{content[error.start]:02x})") from None


def open_text(path: Path) -> TextIO:
    """Read a UTF-8 file, which may be gzipped, completely, and return it as a text stream for a csv reader."""
    return io.StringIO(read_text(path), newline="")
