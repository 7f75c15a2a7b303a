"""Find the files of public data sets on this machine, and read text files."""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from trivium.errors import UserError

if TYPE_CHECKING:
    from trivium.data.manifest import PublicFile


LONGEST_LINE: Final = 1 << 24
"""The maximum number of bytes of a line."""
_MOST_UNPACKED: Final = 100  # bytes that a byte of a gzip file may unpack to
_SMALL: Final = 1 << 25  # up to this many bytes, any compression ratio is allowed
_MARK: Final = b"\xef\xbb\xbf"
_LONE_RETURN: Final = re.compile(r"(?<=\r)(?!\n)")


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
    from trivium.data.manifest import manifest  # imported here because pydantic takes long to import

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


@contextmanager
def open_binary(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, which may be gzipped, for reading. Raise a UserError if it cannot be read.

    A gzip file that unpacks to a hundred times its size is refused, because it may be made to fill memory or disk.
    """
    try:
        if path.suffix.lower() != ".gz":
            with path.open("rb") as file:
                yield file
        else:
            with gzip.open(path) as packed:
                limited: Any = _Limited(packed, path)
                with io.BufferedReader(limited, 1 << 16) as unpacked:
                    yield unpacked
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{path}: not a complete gzip file ({error}): copy or download it again") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror or error})") from None


class _Limited(io.RawIOBase):
    """The unpacked content of a gzip file, up to a limit that depends on its size."""

    def __init__(self, packed: gzip.GzipFile, path: Path) -> None:
        self._packed, self._path = packed, path
        self._left = max(_SMALL, _MOST_UNPACKED * path.stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._packed.read1(len(buffer))
        self._left -= len(content)
        if self._left < 0:
            raise UserError(
                f"{self._path}: unpacks to more than {_MOST_UNPACKED} times its size: if you trust it, unpack it with "
                f"`gunzip {self._path}` and read the unpacked file"
            )
        buffer[: len(content)] = content
        return len(content)


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, which may be gzipped, without a byte order mark. Line endings are unchanged."""
    with open_binary(path) as file:
        content = file.read().removeprefix(_MARK)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _undecodable(path, content.count(b"\n", 0, error.start) + 1, error) from None


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, which may be gzipped, without a byte order mark and without line endings.

    Lines end with a line feed, perhaps after a carriage return, and with no other character. Only one line is in
    memory at a time.
    """
    for line in _lines(path):
        yield line.removesuffix("\n").removesuffix("\r")


def open_text(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, which may be gzipped, with their endings, for a csv reader.

    Lines may also end with a carriage return.
    """
    for line in _lines(path):
        if "\r" in line:
            yield from filter(None, _LONE_RETURN.split(line))
        else:
            yield line


def _lines(path: Path) -> Iterator[str]:
    with open_binary(path) as file:
        number = 0
        while raw := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(raw) > LONGEST_LINE:
                raise UserError(f"{path}:{number}: a line of more than {LONGEST_LINE:,} bytes: shorten or divide it")
            if number == 1 and not (raw := raw.removeprefix(_MARK)):
                return
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                raise _undecodable(path, number, error) from None
            yield line


def _undecodable(path: Path, line: int, error: UnicodeDecodeError) -> UserError:
    return UserError(f"{path}:{line}: not UTF-8 (byte 0x{error.object[error.start]:02x}): save the file as UTF-8")
