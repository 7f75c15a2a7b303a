"""Runs by name: what was run with which settings, and what is running right now. Imports no torch."""

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

from pydantic import ValidationError

from trivium.engine.plan import Plan, work_of
from trivium.engine.steps import Step
from trivium.engine.store import Store, is_alive
from trivium.errors import UserError, did_you_mean, option
from trivium.saving import write_text
from trivium.settings import Settings

_SECONDS_BETWEEN_UPDATES = 1.0


class RunRecord(Settings):
    """A run of a benchmark: its name, its resolved settings, when it ran, and the keys of its predictions.

    ``overrides`` and ``preset`` are what the user gave, for showing the command again.
    """

    name: str
    benchmark: str
    preset: str
    overrides: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    settings: Mapping[str, Any]
    version: str
    started: str
    finished: str | None = None
    steps: tuple[str, ...] = ()


def default_name(benchmark: str, preset: str, settings: Settings) -> str:
    """Return the name of a run that has none: benchmark, preset, and a short hash of the settings."""
    digest = hashlib.sha256(settings.model_dump_json().encode()).hexdigest()
    return f"{benchmark}-{Path(preset).stem}-{digest[:6]}"


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def write_record(store: Store, record: RunRecord) -> None:
    """Store a run under its name."""
    write_text(store.runs / f"{record.name}.json", record.model_dump_json(indent=1) + "\n")


def read_record(store: Store, name: str) -> RunRecord:
    """Return the run with a name."""
    file = store.runs / f"{name}.json"
    if not file.is_file():
        names = [record.stem for record in store.runs.glob("*.json")]
        raise UserError(f"no run named {name!r} in the store {store.folder}: {did_you_mean(name, names)}")
    try:
        return RunRecord.model_validate_json(file.read_text(encoding="utf-8"))
    except (ValidationError, OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: damaged ({str(error).splitlines()[0]}): run the benchmark again") from None


def read_records(store: Store) -> list[RunRecord]:
    """Return all runs, the latest first."""
    records = [read_record(store, file.stem) for file in store.runs.glob("*.json")]
    return sorted(records, key=lambda record: record.started, reverse=True)


def check_name(store: Store, name: str, settings: Mapping[str, Any]) -> None:
    """Raise if a name cannot be that of a file, or is taken by a run with other settings."""
    if not name or not all(char.isalnum() or char in "-_." for char in name) or name.startswith("."):
        raise UserError(f"{option('name', name)}: use letters, digits, '-', '_' and '.'")
    if (store.runs / f"{name}.json").is_file() and read_record(store, name).settings != settings:
        raise UserError(f"{option('name', name)}: taken by a run with other settings: choose another name")


class ProgressFile:
    """A watcher that writes what this process is running to the store, for ``trivium status``."""

    def __init__(self, store: Store, name: str, plan: Plan, labels: Mapping[str, str]) -> None:
        self._file = store.progress / f"{os.getpid()}.json"
        self._name, self._labels = name, labels
        self._steps, self._done = len(plan.todo), 0
        self._total = sum(map(work_of, plan.todo))
        self._work: dict[str, float] = {}
        self._running: dict[str, str] = {}
        self._started, self._clock = now(), time.monotonic()
        self._next = 0.0

    def started(self, step: Step) -> None:
        """Note that a step runs."""
        self._running[step.key] = self._labels.get(step.key, step.kind)
        self._write()

    def moved(self, step: Step, done: int, total: int) -> None:
        """Note how far a step is."""
        self._work[step.key] = work_of(step) * done / max(1, total)
        if time.monotonic() >= self._next:
            self._write()

    def finished(self, step: Step, seconds: float) -> None:
        """Note that a step is finished."""
        self._running.pop(step.key, None)
        self._work[step.key] = work_of(step)
        self._done += 1
        self._write()

    def close(self) -> None:
        """Remove the file: nothing runs any more."""
        self._file.unlink(missing_ok=True)

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
            write_text(self._file, json.dumps(state) + "\n")


def running(store: Store) -> Iterator[dict[str, Any]]:
    """Yield what runs into a store right now; the files of processes that ended on this host are removed."""
    for file in sorted(store.progress.glob("*.json")):
        try:
            state: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            ended = state["host"] == socket.gethostname() and not is_alive(int(state["process"]))
        except (ValueError, KeyError, TypeError, OSError):
            ended = True
        if ended:
            with suppress(OSError):
                file.unlink(missing_ok=True)
        else:
            yield state
