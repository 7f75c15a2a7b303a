"""The store: finished steps, addressed by the hash of their inputs. Imports no torch."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from trivium.data.split import Split
from trivium.errors import UserError, option

try:
    import fcntl
except ImportError:  # Windows: two runs are not kept apart there
    fcntl = None  # type: ignore[assignment]

_FORMAT = 1


class Store:
    """Finished steps, the splits they read, and the runs that they belong to, in a folder.

    A step appears through one rename of a finished folder, so that nothing half-written is ever read::

        splits/<identity>.jsonl
        steps/<key>/            step.json and the step's result
        costs/<key>.json        what the step cost, kept when its result is not
        losses/<key>.npy        the loss of each optimizer step of a training, kept likewise
        runs/<name>.json        the benchmarks that were run, by name
        progress/<pid>.json     what a process is running right now
        unfinished/<pid>-<id>/  what is being written

    Example:
        >>> import tempfile
        >>> store = Store(tempfile.mkdtemp()).open()
        >>> "0123abcd" in store
        False
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._steps = self.folder / "steps"
        self._splits = self.folder / "splits"
        self._costs = self.folder / "costs"
        self._losses = self.folder / "losses"
        self._unfinished = self.folder / "unfinished"
        self.runs = self.folder / "runs"
        self.progress = self.folder / "progress"

    def open(self) -> Store:
        """Create the folder if it does not exist; raise if it cannot be written or has another format."""
        mark = self.folder / "store.json"
        try:
            folders = (self._steps, self._splits, self._costs, self._losses, self.runs, self.progress, self._unfinished)
            for folder in folders:
                folder.mkdir(parents=True, exist_ok=True)
            if not mark.exists():
                with self._writing_file(mark) as file:
                    file.write_text(json.dumps({"format": _FORMAT}) + "\n")
            with self._writing_file(self._unfinished / f"{os.getpid()}-probe") as file:
                file.touch()
            (self._unfinished / f"{os.getpid()}-probe").unlink()
            format_ = json.loads(mark.read_text()).get("format")
        except OSError as error:
            raise UserError(
                f"the store {self.folder} cannot be written ({error.strerror}): choose another with {option('store')}"
            ) from None
        except (ValueError, AttributeError):
            raise UserError(
                f"{mark} is damaged: remove the store {self.folder}, or choose another with {option('store')}"
            ) from None
        if format_ != _FORMAT:
            raise UserError(
                f"the store {self.folder} has format {format_}, this version writes format {_FORMAT}: "
                f"choose another with {option('store')}"
            )
        return self

    def open_existing(self) -> Store:
        """Open a store that must exist already."""
        if not (self.folder / "store.json").exists():
            raise UserError(f"no store in {self.folder}: choose another with {option('store')}, or run something first")
        return self.open()

    def __contains__(self, key: str) -> bool:
        return (self._steps / key / "step.json").exists()

    def path(self, key: str) -> Path:
        """Return the folder of a finished step."""
        return self._steps / key

    @contextmanager
    def writing(self, key: str, inputs: dict[str, Any]) -> Iterator[Path]:
        """Yield a new folder to write a step's result into; it becomes the step when the block succeeds."""
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
        """Return the stored logits of a prediction, by head."""
        return load_file(self.path(key) / "logits.safetensors")

    def vectors(self, key: str) -> dict[str, NDArray[np.float32]]:
        """Return the stored vectors of a prediction, by head."""
        return load_file(self.path(key) / "vectors.safetensors")

    def release(self, key: str) -> None:
        """Remove a step whose result is no longer needed."""
        grave = self._unfinished / f"{os.getpid()}-{uuid.uuid4().hex}"
        if key in self:
            self.path(key).rename(grave)
            shutil.rmtree(grave, ignore_errors=True)

    def keep(self, key: str) -> None:
        """Mark a finished step so that it is not removed when nothing needs it."""
        if key in self:
            (self.path(key) / "kept").touch()

    def is_kept(self, key: str) -> bool:
        """Return whether a step was marked by :meth:`keep`."""
        return (self.path(key) / "kept").exists()

    def put_split(self, split: Split) -> str:
        """Store a split under its identity, and return that."""
        path = self._splits / f"{split.identity}.jsonl"
        if not path.exists():
            with self._writing_file(path) as file:
                file.write_bytes(split.to_jsonl().encode("utf-8"))
        return split.identity

    def split(self, identity: str) -> Split:
        """Return the split with an identity."""
        return Split.read(self._splits / f"{identity}.jsonl")

    def note_cost(self, key: str, cost: dict[str, Any]) -> None:
        """Store what a step cost, for estimates."""
        with self._writing_file(self._costs / f"{key}.json") as file:
            file.write_text(json.dumps(cost) + "\n")

    def was_done(self, key: str) -> bool:
        """Return whether a step was ever finished here, even if its result was removed."""
        return (self._costs / f"{key}.json").exists()

    def costs(self) -> Iterator[dict[str, Any]]:
        """Yield what each step cost here: kind, model, work and seconds."""
        for file in self._costs.glob("*.json"):
            yield json.loads(file.read_text())

    def environment(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the versions and the processor that steps ran with; where steps differ, all values."""
        values: dict[str, dict[str, None]] = {}
        for key in keys:
            if key in self:
                for name, value in self.inputs(key).get("environment", {}).items():
                    values.setdefault(name, {})[value] = None
        return {name: " and ".join(each) for name, each in values.items()}

    def inputs(self, key: str) -> dict[str, Any]:
        """Return what a finished step was computed from, and where."""
        inputs: dict[str, Any] = json.loads((self.path(key) / "step.json").read_text(encoding="utf-8"))
        return inputs

    def keys(self) -> list[str]:
        """Return the keys of all finished steps."""
        return sorted(folder.name for folder in self._steps.iterdir() if (folder / "step.json").exists())

    def put_losses(self, key: str, losses: NDArray[np.float32]) -> None:
        """Store the loss of each optimizer step of a training."""
        with self._writing_file(self._losses / f"{key}.npy") as file, file.open("wb") as opened:
            np.save(opened, losses)

    def losses(self, key: str) -> NDArray[np.float32] | None:
        """Return the loss of each optimizer step of a training; None if it was never run here."""
        file = self._losses / f"{key}.npy"
        return np.asarray(np.load(file, allow_pickle=False)) if file.exists() else None

    def sizes(self) -> dict[str, int]:
        """Return how many bytes each part of the store takes."""
        parts = (self._steps, self._splits, self._costs, self._losses, self.runs, self._unfinished)
        return {part.name: sum(f.stat().st_size for f in part.rglob("*") if f.is_file()) for part in parts}

    def collect_garbage(self, used: Set[str], remove: bool) -> list[Path]:
        """Return the steps that no run uses, kept models among them, and the splits that no step reads.

        With ``remove`` they are removed.
        """
        with self.locked():
            unused = [self._steps / key for key in self.keys() if key not in used]
            left = [self.inputs(key) for key in self.keys() if key in used]
            read = {identity for inputs in left for identity in (inputs.get("split"), *inputs.get("past", ()))}
            unused += [file for file in sorted(self._splits.glob("*.jsonl")) if file.stem not in read]
            for path in unused if remove else ():
                if path.is_dir():
                    self.release(path.name)
                else:
                    path.unlink()
            return unused

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let this process alone run steps within the block; first remove what killed runs left behind."""
        with (self.folder / "lock").open("w") as lock:
            if fcntl is not None:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise UserError(f"another run is using the store {self.folder}: wait for it to end") from None
                self._sweep()
            yield

    def _sweep(self) -> None:
        """Remove what ended processes left unfinished. Only the holder of the lock may do this."""
        for left in self._unfinished.iterdir():
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

    @contextmanager
    def _writing_file(self, path: Path) -> Iterator[Path]:
        temporary = self._unfinished / f"{os.getpid()}-{uuid.uuid4().hex}{path.suffix}"
        try:
            yield temporary
            _flush(temporary)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def is_alive(process: int) -> bool:
    """Return whether a process with this id exists."""
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
