"""The folder of finished steps, addressed by the hash of their inputs. Imports no torch."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trivium.data.split import Split
from trivium.errors import UserError

try:
    import fcntl
except ImportError:  # Windows: nothing there keeps two runs apart
    fcntl = None  # type: ignore[assignment]

_FORMAT = 1


class Store:
    """Finished steps and the splits they were made from.

    A step appears by one rename of a finished folder, so that nothing half-written is ever read::

        splits/<identity>.jsonl
        steps/<key>/            step.json, cost.json and the step's result
        unfinished/<pid>-<id>/  what is being written
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._steps = folder / "steps"
        self._splits = folder / "splits"
        self._unfinished = folder / "unfinished"

    def open(self) -> Store:
        """Make the folder if there is none; an error if it cannot be written or is of another format."""
        try:
            for folder in (self._steps, self._splits, self._unfinished):
                folder.mkdir(parents=True, exist_ok=True)
            mark = self.folder / "store.json"
            if not mark.exists():
                with self._writing_file(mark) as file:
                    file.write_text(json.dumps({"format": _FORMAT}) + "\n")
            probe = self._unfinished / f"{os.getpid()}-probe"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise UserError(
                f"the store {self.folder} cannot be written ({error.strerror}): choose another with --store"
            ) from None
        found = json.loads(mark.read_text()).get("format")
        if found != _FORMAT:
            raise UserError(
                f"the store {self.folder} has the format {found}, this version writes {_FORMAT}: use another"
            )
        return self

    def __contains__(self, key: str) -> bool:
        return (self._steps / key / "step.json").exists()

    def path(self, key: str) -> Path:
        """The folder of a finished step."""
        return self._steps / key

    @contextmanager
    def writing(self, key: str, inputs: dict[str, Any]) -> Iterator[Path]:
        """A new folder to write a step's result into; it becomes the step when the block ends well."""
        folder = self._unfinished / f"{os.getpid()}-{uuid.uuid4().hex}"
        folder.mkdir(parents=True)
        try:
            yield folder
            (folder / "step.json").write_text(json.dumps(inputs, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            for file in folder.iterdir():
                _flush(file)
            try:
                folder.rename(self._steps / key)
            except OSError:
                if key not in self:
                    raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def release(self, key: str) -> None:
        """Forget a step whose result nobody needs any more."""
        grave = self._unfinished / f"{os.getpid()}-{uuid.uuid4().hex}"
        if key in self:
            self.path(key).rename(grave)
            shutil.rmtree(grave, ignore_errors=True)

    def put_split(self, split: Split) -> str:
        """Keep a split under its identity."""
        path = self._splits / f"{split.identity}.jsonl"
        if not path.exists():
            with self._writing_file(path) as file:
                split.write(file)
        return split.identity

    def split(self, identity: str) -> Split:
        """The split with an identity."""
        return Split.read(self._splits / f"{identity}.jsonl")

    def costs(self) -> Iterator[dict[str, Any]]:
        """What finished steps cost: kind, size, seconds."""
        for file in self._steps.glob("*/cost.json"):
            yield json.loads(file.read_text())

    def environment(self) -> dict[str, str]:
        """The versions and the processor that a finished step was made with."""
        for file in self._steps.glob("*/step.json"):
            found: dict[str, str] = json.loads(file.read_text()).get("environment", {})
            return found
        return {}

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Within: this process alone runs steps into the store; what killed runs left behind is removed."""
        with (self.folder / "lock").open("w") as lock:
            if fcntl is not None:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise UserError(f"another run is using the store {self.folder}: wait for it to end") from None
            self.sweep()
            yield

    def sweep(self) -> None:
        """Remove what was left unfinished. Only the process that holds the lock may do this."""
        for left in self._unfinished.iterdir():
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)

    @contextmanager
    def _writing_file(self, path: Path) -> Iterator[Path]:
        temporary = self._unfinished / f"{os.getpid()}-{uuid.uuid4().hex}{path.suffix}"
        try:
            yield temporary
            _flush(temporary)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def _flush(file: Path) -> None:
    with file.open("rb") as written:
        os.fsync(written.fileno())
