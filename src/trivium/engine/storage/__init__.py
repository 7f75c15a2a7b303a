"""Where a store keeps its files: one file for each kind of storage. Imports no torch.

A name is a path inside the store, such as ``runs/first.json``. A *bundle* is a set of files that appears as a whole or
not at all: the result of a step, or a checkpoint.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol


class Storage(Protocol):
    """A place for files and bundles. Reading what is not there raises a FileNotFoundError."""

    url: str
    """The folder or address, as the user wrote it."""
    scratch: Path
    """A local folder for files that are being written."""

    def create(self) -> None:
        """Create the storage if it does not exist; raise an OSError if it cannot be written."""

    def names(self, part: str) -> list[str]:
        """Return the names of the files in a part of the store, such as ``runs``."""

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""

    def get(self, name: str) -> Path:
        """Return a local path of a file."""

    def put(self, name: str, file: Path) -> None:
        """Move a finished file from the scratch folder to its name; it replaces an older one at once."""

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""

    def bundles(self, part: str) -> list[str]:
        """Return the names of the bundles in a part of the store, such as ``steps``."""

    def has_bundle(self, name: str) -> bool:
        """Return whether a bundle exists."""

    def get_bundle(self, name: str) -> Path:
        """Return a local folder with the files of a bundle."""

    def put_bundle(self, name: str, folder: Path, replace: bool = False) -> None:
        """Move a finished folder from the scratch folder to its name.

        If there is such a bundle already, it stays, unless it is to be replaced.
        """

    def move_bundle(self, name: str, to: str) -> None:
        """Give a bundle another name, if it exists."""

    def remove_bundle(self, name: str) -> None:
        """Remove a bundle if it exists."""

    def size(self, part: str) -> int:
        """Return how many bytes a part of the store takes."""

    def orphans(self) -> list[str]:
        """Return the names of files that belong to nothing: killed writers left them, at least a day ago."""

    def locked(self) -> AbstractContextManager[None]:
        """Keep other runs out within the block, where the storage can do that; raise a UserError if one is there."""


def open_storage(url: str | Path) -> Storage:
    """Return the storage at a path of this machine, or at an address that fsspec knows: ``s3://bucket/folder``."""
    if "://" in str(url):
        from trivium.engine.storage.bucket import BucketStorage

        return BucketStorage(str(url))
    from trivium.engine.storage.folder import FolderStorage

    return FolderStorage(Path(url))
