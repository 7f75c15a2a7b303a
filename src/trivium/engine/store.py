"""The folder of finished steps, addressed by the hash of their inputs. Imports no torch."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

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
        steps/<key>/            step.json and the step's result
        costs/<key>.json        what the step cost, kept when its result is not
        unfinished/<pid>-<id>/  what is being written
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._steps = folder / "steps"
        self._splits = folder / "splits"
        self._costs = folder / "costs"
        self._unfinished = folder / "unfinished"

    def open(self) -> Store:
        """Make the folder if there is none; an error if it cannot be written or is of another format."""
        mark = self.folder / "store.json"
        try:
            for folder in (self._steps, self._splits, self._costs, self._unfinished):
                folder.mkdir(parents=True, exist_ok=True)
            if not mark.exists():
                with self._writing_file(mark) as file:
                    file.write_text(json.dumps({"format": _FORMAT}) + "\n")
            with self._writing_file(self._unfinished / f"{os.getpid()}-probe") as file:
                file.touch()
            (self._unfinished / f"{os.getpid()}-probe").unlink()
            found = json.loads(mark.read_text()).get("format")
        except OSError as error:
            raise UserError(
                f"the store {self.folder} cannot be written ({error.strerror}): choose another with --store"
            ) from None
        except (ValueError, AttributeError):
            raise UserError(
                f"{mark} is damaged: remove the store {self.folder}, or choose another with --store"
            ) from None
        if found != _FORMAT:
            raise UserError(
                f"the store {self.folder} has the format {found}, this version writes {_FORMAT}: use another"
            )
        return self

    def open_existing(self) -> Store:
        """Open a store that must be there."""
        if not (self.folder / "store.json").exists():
            raise UserError(f"there is no store in {self.folder}: name another with --store, or run something first")
        return self.open()

    def __contains__(self, key: str) -> bool:
        return (self._steps / key / "step.json").exists()

    def path(self, key: str) -> Path:
        """The folder of a finished step."""
        return self._steps / key

    @contextmanager
    def writing(self, key: str, inputs: dict[str, Any]) -> Iterator[Path]:
        """A new folder to write a step's result into; it becomes the step when the block ends well."""
        folder = self._unfinished / f"{os.getpid()}-{uuid.uuid4().hex}"
        try:
            folder.mkdir(parents=True)
            yield folder
            (folder / "step.json").write_text(json.dumps(inputs, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            for file in folder.iterdir():
                _flush(file)
            try:
                folder.rename(self._steps / key)
            except OSError:
                if key not in self:
                    raise
        except OSError as error:
            raise UserError(f"the store {self.folder} cannot be written: {error.strerror or error}") from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def logits(self, key: str) -> dict[str, NDArray[np.float32]]:
        """The stored logits of a prediction, by head."""
        return load_file(self.path(key) / "logits.safetensors")

    def vectors(self, key: str) -> dict[str, NDArray[np.float32]]:
        """The stored vectors of a prediction, by head."""
        return load_file(self.path(key) / "vectors.safetensors")

    def release(self, key: str) -> None:
        """Forget a step whose result nobody needs any more."""
        grave = self._unfinished / f"{os.getpid()}-{uuid.uuid4().hex}"
        if key in self:
            self.path(key).rename(grave)
            shutil.rmtree(grave, ignore_errors=True)

    def keep(self, key: str) -> None:
        """Mark a finished step as one that is not removed when nobody needs it any more."""
        if key in self:
            (self.path(key) / "kept").touch()

    def is_kept(self, key: str) -> bool:
        """Whether a step was marked by :meth:`keep`."""
        return (self.path(key) / "kept").exists()

    def put_split(self, split: Split) -> str:
        """Keep a split under its identity."""
        path = self._splits / f"{split.identity}.jsonl"
        if not path.exists():
            with self._writing_file(path) as file:
                file.write_bytes(split.to_jsonl().encode("utf-8"))
        return split.identity

    def split(self, identity: str) -> Split:
        """The split with an identity."""
        return Split.read(self._splits / f"{identity}.jsonl")

    def note_cost(self, key: str, cost: dict[str, Any]) -> None:
        """Keep what a step cost, for estimates."""
        with self._writing_file(self._costs / f"{key}.json") as file:
            file.write_text(json.dumps(cost) + "\n")

    def was_done(self, key: str) -> bool:
        """Whether a step was ever finished here, though its result may be gone."""
        return (self._costs / f"{key}.json").exists()

    def costs(self) -> Iterator[dict[str, Any]]:
        """What steps cost here: kind, model, work and seconds."""
        for file in self._costs.glob("*.json"):
            yield json.loads(file.read_text())

    def environment(self, keys: Iterable[str]) -> dict[str, str]:
        """The versions and the processor that steps were made with; where they differ, all of them."""
        found: dict[str, dict[str, None]] = {}
        for key in keys:
            if key in self:
                made = json.loads((self.path(key) / "step.json").read_text()).get("environment", {})
                for name, value in made.items():
                    found.setdefault(name, {})[value] = None
        return {name: " and ".join(values) for name, values in found.items()}

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Within: this process alone runs steps into the store; what killed runs left behind is removed."""
        with (self.folder / "lock").open("w") as lock:
            if fcntl is not None:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise UserError(f"another run is using the store {self.folder}: wait for it to end") from None
                self._sweep()
            yield

    def _sweep(self) -> None:
        """Remove what processes that are no more left unfinished. Only who holds the lock may do this."""
        for left in self._unfinished.iterdir():
            owner = left.name.partition("-")[0]
            if owner.isdigit() and _is_alive(int(owner)):
                continue
            # Moved away first: a rename by its dying owner then finds nothing, instead of half of it.
            grave = left.with_name(f"{os.getpid()}-{uuid.uuid4().hex}")
            with suppress(OSError):
                left.rename(grave)
            if grave.is_file():
                grave.unlink()
            shutil.rmtree(grave, ignore_errors=True)

    @contextmanager
    def _writing_file(self, path: Path) -> Iterator[Path]:
        temporary = self._unfinished / f"{os.getpid()}-{uuid.uuid4().hex}{path.suffix}"
        try:
            yield temporary
            _flush(temporary)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _flush(file: Path) -> None:
    with file.open("rb+") as written:
        os.fsync(written.fileno())
