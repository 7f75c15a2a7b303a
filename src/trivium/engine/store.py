"""The store: finished steps, addressed by the hash of their inputs. Imports no torch."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from trivium.data.split import Split, identity_of_file
from trivium.engine.storage import open_storage
from trivium.errors import TriviumError, UserError, option

COMPOSITION = "composition.safetensors"
"""The file of a prediction that has what its composer had learned."""
_FORMAT = 1
_MANIFEST = "step.json"
_HELD_OUT = "held-out"
_COSTS_READ = 1000  # enough for estimates


class UnreadableStepError(TriviumError):
    """The result of a step is damaged or missing; the step can run again."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)  # so that it can be pickled
        self.key, self.reason = key, reason

    def __str__(self) -> str:
        return f"the stored step {self.key[:12]}… {self.reason}: run the same command again to recompute it"


class Store:
    """Finished steps, the splits they read, and the runs that they belong to, in a folder or a bucket.

    A step is written atomically, with checksums of its files, which are verified when it is read::

        splits/<identity>.jsonl
        steps/<key>/            step.json and the step's result
        checkpoints/<key>/      the state of an unfinished training
        costs/<key>.json        what the step cost; kept when its result is removed
        losses/<key>.npy        the loss of each optimizer step of a training; kept likewise
        kept/<key>              marks a model that is kept when no step needs it
        runs/<name>.json        the benchmarks that were run, by name
        progress/<process>.json what a process is running right now
        quarantine/             damaged steps and splits
        unfinished/             what is being written

    Example:
        >>> import tempfile
        >>> store = Store(tempfile.mkdtemp()).open()
        >>> "0123abcd" in store
        False
    """

    def __init__(self, url: str | Path) -> None:
        self.storage = open_storage(url)
        self.url = self.storage.url
        self._verified: set[str] = set()

    def open(self) -> Store:
        """Create the store if it does not exist. Raise a UserError if it cannot be written or has another format."""
        try:
            self.storage.create()
            if not self.storage.exists("store.json"):
                self.write("store.json", json.dumps({"format": _FORMAT, "id": uuid.uuid4().hex}) + "\n")
            format_ = json.loads(self.read("store.json")).get("format")
        except OSError as error:
            raise UserError(
                f"the store {self.url} cannot be written ({error.strerror or error}): "
                f"choose another with {option('store')}"
            ) from None
        except (ValueError, AttributeError):
            raise UserError(
                f"store.json in the store {self.url} is damaged: remove the store, "
                f"or choose another with {option('store')}"
            ) from None
        if format_ != _FORMAT:
            raise UserError(
                f"the store {self.url} has format {format_}, this version writes format {_FORMAT}: "
                f"choose another with {option('store')}"
            )
        return self

    def open_existing(self) -> Store:
        """Open a store that must exist already."""
        try:
            exists = self.storage.exists("store.json")
        except OSError as error:
            raise UserError(
                f"the store {self.url} cannot be read ({error}): choose another with {option('store')}"
            ) from None
        if not exists:
            raise UserError(f"no store in {self.url}: choose another with {option('store')}, or run something first")
        return self.open()

    @property
    def id(self) -> str:
        """The unique id of the store; stores with the same path on different machines have different ids."""
        return str(json.loads(self.read("store.json")).get("id", ""))

    def locked(self) -> AbstractContextManager[None]:
        """Lock the store, if it is a folder, against other runs within the block."""
        return self.storage.locked()

    # Steps

    def __contains__(self, key: str) -> bool:
        return self.storage.has_bundle(f"steps/{key}")

    def keys(self) -> list[str]:
        """Return the keys of all finished steps."""
        return self.storage.bundles("steps")

    @contextmanager
    def writing(self, key: str, inputs: Mapping[str, Any]) -> Iterator[Path]:
        """Yield a new folder to write a step's result into; it becomes the step when the block succeeds."""
        with self._writing_folder() as folder:
            yield folder
            _write_manifest(folder, {"key": key, **inputs})
            self.storage.put_bundle(f"steps/{key}", folder)

    def path(self, key: str) -> Path:
        """Return the local folder of a finished step. Raise an UnreadableStepError if it is damaged or missing."""
        try:
            folder = self.storage.get_bundle(f"steps/{key}")
        except FileNotFoundError:
            raise UnreadableStepError(key, "is missing") from None
        if key not in self._verified:
            problem = _check_bundle(folder, key)
            if problem:
                raise UnreadableStepError(key, f"is damaged ({problem})")
            self._verified.add(key)
        return folder

    def inputs(self, key: str) -> dict[str, Any]:
        """Return the inputs and the environment of a finished step."""
        inputs: dict[str, Any] = json.loads((self.path(key) / _MANIFEST).read_text(encoding="utf-8"))
        return inputs

    def logits(self, key: str) -> dict[str, NDArray[np.float32]]:
        """Return the stored logits of a prediction, by head."""
        return load_file(self.path(key) / "logits.safetensors")

    def vectors(self, key: str) -> dict[str, NDArray[np.float32]]:
        """Return the stored vectors of a prediction, by head."""
        return load_file(self.path(key) / "vectors.safetensors")

    def composition(self, key: str) -> dict[str, NDArray[np.float32]] | None:
        """Return what a composer had learned when it predicted, or None if the head answered.

        ``table`` has the probability of each label of a composition, given the labels of its parts; ``fallback`` has
        a 1 for each composition that was answered by the head, because no parts were found.
        """
        path = self.path(key) / COMPOSITION
        return load_file(path) if path.is_file() else None

    def environment(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the versions and the processor that steps ran with; all values where they differ."""
        values: dict[str, dict[str, None]] = {}
        for key in keys:
            if key in self:
                for name, value in self.inputs(key).get("environment", {}).items():
                    values.setdefault(name, {})[value] = None
        return {name: " and ".join(each) for name, each in values.items()}

    def release(self, key: str) -> None:
        """Remove a step whose result is no longer needed."""
        self._verified.discard(key)
        self.storage.remove_bundle(f"steps/{key}")

    def quarantine(self, key: str) -> None:
        """Move a damaged step to ``quarantine``, where it can be inspected, so that it can run again."""
        self._verified.discard(key)
        self.storage.move_bundle(f"steps/{key}", f"quarantine/{key}-{uuid.uuid4().hex[:8]}")

    def keep(self, key: str) -> None:
        """Mark a finished step so that it is kept when no step needs it."""
        if key in self:
            self.write(f"kept/{key}", "")

    def is_kept(self, key: str) -> bool:
        """Return whether a step was marked by :meth:`keep`."""
        return self.storage.exists(f"kept/{key}")

    def verify(self) -> Iterator[tuple[str, str]]:
        """Yield each damaged step and split with what is wrong with it."""
        for key in self.keys():
            try:
                self._verified.discard(key)
                self.path(key)
            except UnreadableStepError as error:
                yield f"steps/{key}", error.reason
        for name in self.storage.names("splits"):
            if identity_of_file(self.storage.get(f"splits/{name}")) != name.removesuffix(".jsonl"):
                yield f"splits/{name}", "has content that does not match its name"

    # Checkpoints

    @contextmanager
    def writing_checkpoint(self, key: str) -> Iterator[Path]:
        """Yield a new folder to write the state of a training into; it replaces the last checkpoint."""
        with self._writing_folder() as folder:
            yield folder
            _write_manifest(folder, {"key": key})
            self.storage.put_bundle(f"checkpoints/{key}", folder, replace=True)

    def checkpoint(self, key: str) -> Path | None:
        """Return the folder of the last checkpoint of a training; None if there is none, or if it is damaged."""
        try:
            folder = self.storage.get_bundle(f"checkpoints/{key}")
        except FileNotFoundError:
            return None
        return None if _check_bundle(folder, key) else folder

    def remove_checkpoint(self, key: str) -> None:
        """Remove the checkpoint of a training that is finished."""
        self.storage.remove_bundle(f"checkpoints/{key}")

    # Splits

    def put_split(self, split: Split) -> str:
        """Store a split under its identity, and return the identity. A damaged file is replaced."""
        name = f"splits/{split.identity}.jsonl"
        if not self.storage.exists(name) or identity_of_file(self.storage.get(name)) != split.identity:
            with self._writing_file(name) as file:
                split.write_jsonl(file)
        return split.identity

    def split(self, identity: str) -> Split:
        """Return the split with an identity."""
        try:
            file = self.storage.get(f"splits/{identity}.jsonl")
        except FileNotFoundError:
            raise UserError(
                f"the split {identity[:12]}… is missing from the store {self.url}: run the same command again"
            ) from None
        if identity_of_file(file) != identity:
            raise UserError(
                f"the split {identity[:12]}… in the store {self.url} is damaged: run the same command again"
            )
        return Split.read(file)

    # Costs, losses, runs

    def note_cost(self, key: str, cost: dict[str, Any]) -> None:
        """Store what a step cost, for estimates."""
        self.write(f"costs/{key}.json", json.dumps(cost) + "\n")

    def was_done(self, key: str) -> bool:
        """Return whether a step was ever finished here, even if its result was removed."""
        return self.storage.exists(f"costs/{key}.json")

    def costs(self) -> Iterator[dict[str, Any]]:
        """Yield the costs of up to 1000 steps: kind, model, work and seconds."""
        for name in islice(self.storage.names("costs"), _COSTS_READ):
            with suppress(OSError, ValueError):  # an estimate is not worth an error
                cost = json.loads(self.read(f"costs/{name}"))
                if {"kind", "model", "work", "seconds"} <= set(cost):
                    yield cost

    def put_losses(
        self, key: str, losses: NDArray[np.float32], held_out: NDArray[np.float32] | Sequence[float] = ()
    ) -> None:
        """Store the loss of each optimizer step of a training, and the accuracy on held-out examples by epoch."""
        for name, values in ((key, losses), (f"{key}.{_HELD_OUT}", held_out)):
            if len(values):
                with self._writing_file(f"losses/{name}.npy") as file, file.open("wb") as opened:
                    np.save(opened, values)

    def losses(self, key: str) -> NDArray[np.float32] | None:
        """Return the loss of each optimizer step of a training; None if it was never run here."""
        return self._curve(key)

    def held_out(self, key: str) -> NDArray[np.float32] | None:
        """Return the accuracy on held-out examples after each epoch of a training; None if there were none."""
        return self._curve(f"{key}.{_HELD_OUT}")

    def _curve(self, name: str) -> NDArray[np.float32] | None:
        try:
            return np.asarray(np.load(self.storage.get(f"losses/{name}.npy"), allow_pickle=False))
        except (OSError, ValueError, EOFError):
            return None

    def names(self, part: str) -> list[str]:
        """Return the names of the files in a part of the store: ``runs`` or ``progress``."""
        return self.storage.names(part)

    def read(self, name: str) -> str:
        """Return the text of a small file. Raise a FileNotFoundError if it does not exist."""
        return self.storage.get(name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        """Write a small file, or replace it, atomically."""
        with self._writing_file(name) as file:
            file.write_bytes(text.encode("utf-8"))

    def remove(self, name: str) -> None:
        """Remove a small file if it exists."""
        self.storage.remove(name)

    # Maintenance

    def sizes(self) -> dict[str, int]:
        """Return how many bytes each part of the store takes."""
        parts = ("steps", "data", "checkpoints", "splits", "costs", "losses", "runs", "quarantine", "unfinished")
        return {part: size for part in parts if (size := self.storage.size(part))}

    def collect_garbage(self, used: Set[str], remove: bool, days: int = 0) -> list[str]:
        """Return the names of unused steps (including kept models), splits that no step reads, and leftovers.

        With ``remove`` they are removed. Steps that are younger than ``days`` count as used.
        """
        with self.locked():
            keys = self.keys()
            if days:
                used = used | {key for key in keys if self._age(key) < days}
            bundles = [f"steps/{key}" for key in keys if key not in used]
            for part in ("checkpoints", "quarantine"):
                bundles += [f"{part}/{name}" for name in self.storage.bundles(part)]
            remaining = [self.inputs(key) for key in keys if key in used]
            read = {identity for inputs in remaining for identity in (inputs.get("split"), *inputs.get("past", ()))}
            splits = self.storage.names("splits")
            files = [f"splits/{name}" for name in splits if name.removesuffix(".jsonl") not in read]
            files += self.storage.orphans()
            if remove:
                for name in bundles:
                    self.storage.remove_bundle(name)
                for name in files:
                    self.storage.remove(name)
            return [*bundles, *files]

    def _age(self, key: str) -> float:
        """Return the number of days since a step finished; infinite if unknown."""
        with suppress(OSError):
            return (time.time() - self.storage.get(f"costs/{key}.json").stat().st_mtime) / 86400
        return math.inf

    def copy_from(self, other: Store, keys: Iterable[str] | None = None) -> int:
        """Copy steps of another store that are missing here, with their splits, costs, losses and runs.

        ``keys`` limits the steps. Return how many steps were copied. Raise an UnreadableStepError if one is damaged.
        """
        copied = 0
        selected = set(other.keys() if keys is None else keys)
        for key in sorted(selected - set(self.keys())):
            inputs = other.inputs(key)
            for identity in filter(None, (inputs.get("split"), *inputs.get("past", ()))):
                self._copy_file(other, f"splits/{identity}.jsonl")
            with self._writing_folder() as folder:
                shutil.copytree(other.path(key), folder, dirs_exist_ok=True)
                self.storage.put_bundle(f"steps/{key}", folder)
            copied += 1
        for part in ("costs", "losses", "runs"):
            for name in other.names(part):
                if keys is None or part == "runs" or name.partition(".")[0] in selected:
                    self._copy_file(other, f"{part}/{name}")
        return copied

    def _copy_file(self, other: Store, name: str) -> None:
        if not self.storage.exists(name) and other.storage.exists(name):
            with self._writing_file(name) as file:
                shutil.copyfile(other.storage.get(name), file)

    def _temporary(self) -> Path:
        return self.storage.scratch / f"{os.getpid()}-{uuid.uuid4().hex}"

    @contextmanager
    def _writing_folder(self) -> Iterator[Path]:
        folder = self._temporary()
        try:
            folder.mkdir(parents=True)
            yield folder
        except OSError as error:
            raise UserError(f"the store {self.url} cannot be written: {error.strerror or error}") from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _writing_file(self, name: str) -> Iterator[Path]:
        temporary = self._temporary().with_suffix(Path(name).suffix)
        try:
            yield temporary
            self.storage.put(name, temporary)
        finally:
            temporary.unlink(missing_ok=True)


def _write_manifest(folder: Path, content: Mapping[str, Any]) -> None:
    """Write ``step.json``: what a step was computed from, and the checksums of its files and of itself."""
    plain = {**content, "files": {file.name: _sha256(file) for file in sorted(folder.iterdir())}}
    plain["checksum"] = _checksum(plain)
    (folder / _MANIFEST).write_text(json.dumps(plain, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _check_bundle(folder: Path, key: str) -> str | None:
    """Return what is wrong with the files of a step, or None. Steps of older versions have no checksums."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        files = manifest.get("files")
        if files is None:
            return None
        if manifest.pop("checksum") != _checksum(manifest):
            return f"the checksum of {_MANIFEST} is wrong"
        if manifest["key"] != key:
            return f"it contains the step {manifest['key'][:12]}…"
        wrong = [name for name, sha256 in files.items() if _sha256(folder / name) != sha256]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return f"the checksum of {', '.join(wrong)} is wrong" if wrong else None


def _checksum(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while chunk := opened.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
