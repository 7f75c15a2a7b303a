"""A store in a bucket, or on anything else that fsspec can address: ``s3://…``, ``gs://…``, ``memory://…``."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from trivium.engine.storage.folder import FolderStorage, sweep
from trivium.errors import UserError

_BUNDLES = ("steps", "checkpoints", "quarantine")  # the parts of a store that hold bundles


class BucketStorage:
    """Objects, with a copy of what was read or written in a local cache.

    A bundle is published by one object, its manifest, which names the folder in ``data/`` where its files lie. That
    object is created last, and only if there is none: of two writers one wins, and nobody sees half a bundle.
    """

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        protocol = url.partition("://")[0]
        try:
            import fsspec

            self._fs, self._root = fsspec.url_to_fs(self.url, use_listings_cache=False, skip_instance_cache=True)
        except ImportError as error:
            raise UserError(f"a store on {protocol}:// needs another package: {error}") from None
        except ValueError as error:
            raise UserError(f"the store {url} cannot be opened: {error}") from None
        self._cache = FolderStorage(_cache_folder() / hashlib.sha256(self.url.encode()).hexdigest()[:16])
        self.scratch = self._cache.scratch

    def create(self) -> None:
        """Create the bucket if it does not exist; raise an OSError if it cannot be written."""
        self._cache.create()
        with _as_os_error():
            probe = self._path(f"unfinished/{uuid.uuid4().hex}")
            self._fs.makedirs(self._root, exist_ok=True)
            self._fs.pipe_file(probe, b"probe")
            self._fs.rm_file(probe)

    def names(self, part: str) -> list[str]:
        """Return the names of the files in a part of the store."""
        with _as_os_error():
            try:
                return sorted(path.rpartition("/")[2] for path in self._fs.ls(self._path(part), detail=False))
            except FileNotFoundError:
                return []

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""
        with _as_os_error():
            return bool(self._fs.exists(self._path(name)))

    def get(self, name: str) -> Path:
        """Return the path of a fresh copy of a file in the cache."""
        temporary = self._temporary()
        with _as_os_error():
            self._fs.get_file(self._path(name), str(temporary))
        self._cache.put(name, temporary)
        return self._cache.get(name)

    def put(self, name: str, file: Path) -> None:
        """Upload a finished file; it replaces an older one at once."""
        with _as_os_error():
            self._fs.put_file(str(file), self._path(name))
        file.unlink()

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        with _as_os_error(), suppress(FileNotFoundError):
            self._fs.rm_file(self._path(name))

    def bundles(self, part: str) -> list[str]:
        """Return the names of the bundles in a part of the store."""
        return [name.removesuffix(".json") for name in self.names(part)]

    def has_bundle(self, name: str) -> bool:
        """Return whether a bundle exists."""
        return self.exists(f"{name}.json")

    def get_bundle(self, name: str) -> Path:
        """Return the folder of a copy in the cache; download it if the bucket has another."""
        manifest = self._manifest(name)
        copy = f"{name}-{manifest['folder']}"
        if not self._cache.has_bundle(copy):
            temporary = self._temporary()
            temporary.mkdir()
            with _as_os_error():
                for file in manifest["files"]:
                    self._fs.get_file(self._path(f"data/{manifest['folder']}/{file}"), str(temporary / file))
            self._cache.put_bundle(copy, temporary)
        return self._cache.get_bundle(copy)

    def put_bundle(self, name: str, folder: Path, replace: bool = False) -> None:
        """Upload a finished folder, then its manifest. If there is such a bundle, it stays, unless it is replaced."""
        files = sorted(file.name for file in folder.iterdir())
        manifest = {"folder": uuid.uuid4().hex, "files": files}
        old = self._manifest(name) if replace and self.has_bundle(name) else None
        with _as_os_error():
            for file in files:
                self._fs.put_file(str(folder / file), self._path(f"data/{manifest['folder']}/{file}"))
        if self._create(f"{name}.json", json.dumps(manifest).encode(), replace):
            self._cache.put_bundle(f"{name}-{manifest['folder']}", folder)
        else:
            self._remove_data(manifest)
        if old:
            self._remove_data(old)

    def move_bundle(self, name: str, to: str) -> None:
        """Give a bundle another name, if it exists."""
        with suppress(FileNotFoundError):
            self._create(f"{to}.json", json.dumps(self._manifest(name)).encode(), replace=True)
            self.remove(f"{name}.json")

    def remove_bundle(self, name: str) -> None:
        """Remove a bundle if it exists: its manifest first, so that nobody reads half of it."""
        with suppress(FileNotFoundError):
            manifest = self._manifest(name)
            self.remove(f"{name}.json")
            self._remove_data(manifest)
            self._cache.remove_bundle(f"{name}-{manifest['folder']}")

    def size(self, part: str) -> int:
        """Return how many bytes a part of the store takes; files of bundles count as ``data``."""
        with _as_os_error(), suppress(FileNotFoundError):
            return int(self._fs.du(self._path(part)))
        return 0

    def orphans(self) -> list[str]:
        """Return the files of bundles that were never published, or no longer are, and whose upload is a day old."""
        with _as_os_error(), suppress(FileNotFoundError):
            files = self._fs.find(self._path("data"), detail=True)
            owned = {self._manifest(f"{part}/{name}")["folder"] for part in _BUNDLES for name in self.bundles(part)}
            paths = [path for path, info in files.items() if path.split("/")[-2] not in owned and _is_old(info)]
            return ["/".join(["data", *path.split("/")[-2:]]) for path in paths]
        return []

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Remove what ended processes left in the cache. Several runs may use a bucket at once."""
        sweep(self.scratch)
        yield

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}"

    def _temporary(self) -> Path:
        self.scratch.mkdir(parents=True, exist_ok=True)
        return self.scratch / f"{os.getpid()}-{uuid.uuid4().hex}"

    def _manifest(self, name: str) -> dict[str, Any]:
        with _as_os_error():
            content = self._fs.cat_file(self._path(f"{name}.json"))
        manifest: dict[str, Any] = json.loads(content)
        return manifest

    def _create(self, name: str, content: bytes, replace: bool) -> bool:
        """Write an object, and return whether it is there: without ``replace`` an existing one is left alone."""
        with _as_os_error():
            try:
                self._fs.pipe_file(self._path(name), content, mode="overwrite" if replace else "create")
            except FileExistsError:
                return False
        return True

    def _remove_data(self, manifest: dict[str, Any]) -> None:
        for file in manifest["files"]:
            self.remove(f"data/{manifest['folder']}/{file}")


def _cache_folder() -> Path:
    base = os.environ.get("TRIVIUM_CACHE") or Path.home() / ".cache" / "trivium"
    return Path(base) / "stores"


def _is_old(info: dict[str, Any]) -> bool:
    """Return whether an object was written more than a day ago: no upload takes that long."""
    written = info.get("LastModified") or info.get("updated") or info.get("mtime") or info.get("created")
    if isinstance(written, str):
        written = datetime.fromisoformat(written)
    if isinstance(written, datetime):
        written = written.replace(tzinfo=written.tzinfo or timezone.utc).timestamp()
    return isinstance(written, int | float) and time.time() - written > 86400


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Raise what a client of a bucket raises as an OSError with one line of text."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {error}".splitlines()[0]) from error


def clear_cache(url: str) -> None:
    """Remove the local copies of a bucket's files."""
    shutil.rmtree(_cache_folder() / hashlib.sha256(url.rstrip("/").encode()).hexdigest()[:16], ignore_errors=True)
