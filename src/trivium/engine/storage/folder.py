"""A store in a folder of this machine, or of a network file system."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import shorten

from trivium.errors import UserError, is_in_shell, option

try:
    import fcntl
except ImportError:  # Windows: two runs are not kept apart there
    fcntl = None  # type: ignore[assignment]


class StoreInUseError(UserError):
    """Another process is running steps into the store."""


class FolderStorage:
    """Files and folders. Everything appears through one rename within the file system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = str(folder)
        self.scratch = folder / "unfinished"

    def create(self) -> None:
        """Create the folder if it does not exist; raise an OSError if it cannot be written."""
        self.scratch.mkdir(parents=True, exist_ok=True)
        probe = self.scratch / f"{os.getpid()}-{uuid.uuid4().hex}"
        probe.write_text("probe")
        probe.unlink()

    def names(self, part: str) -> list[str]:
        """Return the names of the files in a part of the store."""
        return _entries(self.folder / part)

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""
        return (self.folder / name).is_file()

    def get(self, name: str) -> Path:
        """Return the path of a file."""
        path = self.folder / name
        if not path.is_file():
            raise FileNotFoundError(path)
        return path

    def put(self, name: str, file: Path) -> None:
        """Move a finished file to its name; it replaces an older one at once."""
        target = self.folder / name
        target.parent.mkdir(exist_ok=True)
        _flush(file)
        file.replace(target)

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        (self.folder / name).unlink(missing_ok=True)

    def bundles(self, part: str) -> list[str]:
        """Return the names of the bundles in a part of the store."""
        return _entries(self.folder / part)

    def has_bundle(self, name: str) -> bool:
        """Return whether a bundle exists."""
        return (self.folder / name).is_dir()

    def get_bundle(self, name: str) -> Path:
        """Return the folder of a bundle."""
        path = self.folder / name
        if not path.is_dir():
            raise FileNotFoundError(path)
        return path

    def put_bundle(self, name: str, folder: Path, replace: bool = False) -> None:
        """Move a finished folder to its name. If there is such a bundle, it stays, unless it is to be replaced."""
        for file in folder.iterdir():
            _flush(file)
        target = self.folder / name
        target.parent.mkdir(exist_ok=True)
        if replace:
            self.remove_bundle(name)
        try:
            folder.rename(target)
        except OSError:
            if not target.is_dir():
                raise

    def move_bundle(self, name: str, to: str) -> None:
        """Give a bundle another name, if it exists."""
        target = self.folder / to
        target.parent.mkdir(exist_ok=True)
        with suppress(FileNotFoundError):
            (self.folder / name).rename(target)

    def remove_bundle(self, name: str) -> None:
        """Remove a bundle if it exists: move it away first, so that nobody reads half of it."""
        grave = self.scratch / f"{os.getpid()}-{uuid.uuid4().hex}"
        with suppress(FileNotFoundError):
            (self.folder / name).rename(grave)
            shutil.rmtree(grave, ignore_errors=True)

    def size(self, part: str) -> int:
        """Return how many bytes a part of the store, or one of its files, takes."""
        path = self.folder / part
        return sum(file.stat().st_size for file in (path, *path.rglob("*")) if file.is_file())

    def orphans(self) -> list[str]:
        """Return nothing: what killed writers left is in the scratch folder, which every run sweeps."""
        return []

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let this process alone run steps within the block; before and after, remove what killed runs left behind."""
        with (self.folder / "lock").open("a+", encoding="utf-8") as lock:
            if fcntl is not None:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    lock.seek(0)
                    raise StoreInUseError(
                        f"the store {self.url} is in use: {lock.read() or 'another process'}: wait for it to end, or "
                        f"use another store with {option('store')}"
                    ) from None
                lock.truncate(0)
                lock.write(_this_process())
                lock.flush()
            sweep(self.scratch)
            try:
                yield
            finally:  # workers of a killed run may still have been writing when this one began
                sweep(self.scratch)


def sweep(scratch: Path) -> None:
    """Remove what ended processes of this machine left unfinished."""
    for left in scratch.iterdir():
        owner = left.name.partition("-")[0]
        if owner.isdigit() and is_alive(int(owner)):
            continue
        # Move it first: a rename by its dying owner then finds nothing, instead of half of it.
        grave = left.with_name(f"{os.getpid()}-{uuid.uuid4().hex}")
        with suppress(OSError):
            left.rename(grave)
        if grave.is_file():
            grave.unlink()
        shutil.rmtree(grave, ignore_errors=True)


def is_alive(process: int) -> bool:
    """Return whether a process with this id runs. One that ended, and that nobody waited for, does not."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with suppress(OSError):
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return state[0] != "Z"
    return True


def _this_process() -> str:
    """Describe this process for those who wait for it: ``process 7288 runs trivium correct nli``."""
    command = shlex.join(["trivium", *sys.argv[1:]]) if is_in_shell() else Path(sys.argv[0] or "Python").name
    return f"process {os.getpid()} runs {shorten(command, 80, placeholder=' …')}"


def _entries(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries)
    except FileNotFoundError:
        return []


def _flush(file: Path) -> None:
    with file.open("rb+") as written:
        os.fsync(written.fileno())
