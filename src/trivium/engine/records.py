"""The recorded runs of a store, with their settings, and what is running right now. Imports no torch."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from trivium.engine.plan import Plan, work_of
from trivium.engine.steps import Step, StrategySpec
from trivium.engine.storage.folder import is_alive
from trivium.engine.store import Store
from trivium.errors import UserError, did_you_mean, option
from trivium.settings import Settings

_SECONDS_BETWEEN_UPDATES = 2.0


class DamagedRecordError(UserError):
    """The file of a recorded run was changed or cut off."""


class RunRecord(Settings):
    """A run of a benchmark: its name, its resolved settings, when it ran, and the keys of its predictions.

    ``preset`` and ``overrides`` are as the user gave them, to show the command again. ``strategies`` are those that are
    not part of Trivium, so that the results can be read without their code.
    """

    name: str
    benchmark: str
    preset: str
    overrides: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    settings: Mapping[str, Any]
    strategies: tuple[StrategySpec, ...] = ()
    version: str
    started: str
    finished: str | None = None
    steps: tuple[str, ...] = ()


def default_name(benchmark: str, preset: str, settings: Settings) -> str:
    """Return the default name of a run: benchmark, preset, and a short hash of the settings."""
    digest = hashlib.sha256(settings.model_dump_json().encode()).hexdigest()
    return f"{benchmark}-{Path(preset).stem}-{digest[:6]}"


def now() -> str:
    """Return the current time in UTC, to the second."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def write_record(store: Store, record: RunRecord) -> None:
    """Store a run under its name. A finished run is replaced only by a finished one."""
    if record.finished is None:
        with suppress(UserError):  # there is none yet, or it is damaged
            if read_record(store, record.name).finished:
                return
    plain = record.model_dump(mode="json")
    store.write(f"runs/{record.name}.json", json.dumps({**plain, "checksum": _checksum(plain)}, indent=1) + "\n")


def read_record(store: Store, name: str) -> RunRecord:
    """Return the run with a name. Raise a DamagedRecordError if its file was changed."""
    try:
        plain = json.loads(store.read(f"runs/{name}.json"))
        if plain.pop("checksum", None) not in (None, _checksum(plain)):  # older versions wrote no checksum
            raise ValueError("its checksum is wrong")
        return RunRecord.model_validate(plain)
    except FileNotFoundError:
        raise UserError(
            f"no run named {name!r} in the store {store.url}: {did_you_mean(name, run_names(store))}"
        ) from None
    except (ValueError, TypeError, AttributeError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise DamagedRecordError(
            f"runs/{name}.json in the store {store.url}: damaged ({reason}): run the benchmark again"
        ) from None


def _checksum(plain: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def run_names(store: Store) -> list[str]:
    """Return the names of all runs."""
    return [name.removesuffix(".json") for name in store.names("runs")]


def read_records(store: Store) -> list[RunRecord]:
    """Return all runs, the latest first."""
    records = [read_record(store, name) for name in run_names(store)]
    return sorted(records, key=lambda record: record.started, reverse=True)


def check_name(store: Store, name: str, settings: Mapping[str, Any]) -> None:
    """Raise a UserError if a name is not a valid file name, or belongs to a run with other settings."""
    if not name or not all(char.isalnum() or char in "-_." for char in name) or name.startswith("."):
        raise UserError(f"{option('name', name)}: use letters, digits, '-', '_' and '.'")
    if name not in run_names(store):
        return
    with suppress(DamagedRecordError):  # the run replaces it
        if read_record(store, name).settings == settings:
            return
        raise UserError(f"{option('name', name)}: already used by a run with other settings: choose another name")


class ProgressFile:
    """A watcher that writes what this process is running to the store, for ``trivium status``."""

    def __init__(self, store: Store, name: str, plan: Plan, labels: Mapping[str, str]) -> None:
        self._store = store
        self._file = f"progress/{socket.gethostname()}-{os.getpid()}.json"
        self._name, self._labels = name, labels
        self._steps, self._done = len(plan.todo), 0
        self._total = sum(map(work_of, plan.todo))
        self._work: dict[str, float] = {}
        self._running: dict[str, str] = {}
        self._started, self._clock = now(), time.monotonic()
        self._next = 0.0

    def started(self, step: Step) -> None:
        """Record that a step has started."""
        self._running[step.key] = self._labels.get(step.key, step.kind)
        self._write()

    def moved(self, step: Step, done: int, total: int) -> None:
        """Record the progress of a step."""
        self._work[step.key] = work_of(step) * done / max(1, total)
        if time.monotonic() >= self._next:
            self._write()

    def finished(self, step: Step, seconds: float) -> None:
        """Record that a step is finished."""
        self._running.pop(step.key, None)
        self._work[step.key] = work_of(step)
        self._done += 1
        self._write()

    def close(self) -> None:
        """Remove the file: nothing runs any more."""
        with suppress(OSError):
            self._store.remove(self._file)

    def _write(self) -> None:
        self._next = time.monotonic() + _SECONDS_BETWEEN_UPDATES
        share = sum(self._work.values()) / self._total if self._total else 1.0
        elapsed = time.monotonic() - self._clock
        state = {
            "name": self._name,
            "process": os.getpid(),
            "host": socket.gethostname(),
            "started": self._started,
            "updated": now(),
            "steps": self._steps,
            "done": self._done,
            "running": list(self._running.values()),
            "seconds_left": round(elapsed * (1 - share) / share) if share > 0.02 else None,
        }
        with suppress(OSError):  # the run matters more than its progress file
            self._store.write(self._file, json.dumps(state) + "\n")


def running(store: Store) -> Iterator[dict[str, Any]]:
    """Yield the state of each process that runs steps, and remove the files of those that ended on this host."""
    for name in store.names("progress"):
        try:
            state: dict[str, Any] = json.loads(store.read(f"progress/{name}"))
            ended = state["host"] == socket.gethostname() and not is_alive(int(state["process"]))
        except (ValueError, KeyError, TypeError, OSError):
            ended = True
        if ended:
            with suppress(OSError):
                store.remove(f"progress/{name}")
        else:
            yield state
