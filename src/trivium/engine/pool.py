"""Worker processes: each imports torch once, does one step at a time, and dies with its parent. Imports no torch."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from trivium.engine.steps import Step
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.plugins import load_plugins

_SECONDS_BETWEEN_REPORTS = 0.5


@dataclass(frozen=True)
class Report:
    """What a worker says about its step: how far it is, or that it is over and how."""

    worker: int
    key: str
    done: int = 0
    of: int = 0
    seconds: float | None = None
    mistake: str | None = None
    crash: str | None = None


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    step: Step | None = None


class Pool:
    """Worker processes that do steps. Use :meth:`started`."""

    def __init__(self, workers: Sequence[_Worker]) -> None:
        self._workers = workers

    @classmethod
    @contextmanager
    def started(cls, number: int, threads: int, store: Store, plugins: Sequence[Path]) -> Iterator[Pool]:
        """A pool of ``number`` processes; when the block ends, however it ends, they are gone."""
        context = multiprocessing.get_context("spawn")
        workers = []
        try:
            with _environment(OMP_NUM_THREADS=str(threads), TOKENIZERS_PARALLELISM="false"), _no_interrupts():
                for name in range(number):
                    ours, theirs = context.Pipe()
                    process = context.Process(
                        target=_work,
                        args=(name, theirs, store.folder, tuple(plugins)),
                        daemon=True,
                        name=f"worker-{name}",
                    )
                    process.start()
                    theirs.close()
                    workers.append(_Worker(process, ours))
            yield cls(workers)
        finally:
            # What a step writes appears by one rename, so a worker may be killed at any moment.
            for worker in workers:
                worker.process.kill()
            for worker in workers:
                worker.process.join()

    def idle(self) -> list[int]:
        """The workers that have nothing to do."""
        return [name for name, worker in enumerate(self._workers) if worker.step is None]

    def give(self, name: int, step: Step) -> None:
        """Let an idle worker do a step."""
        worker = self._workers[name]
        worker.step = step
        try:
            worker.pipe.send(step)
        except OSError:
            raise UserError(_obituary(worker)) from None

    def reports(self) -> list[Report]:
        """Wait until at least one worker says something; an error if one has died."""
        ready = wait([worker.pipe for worker in self._workers])
        found = []
        for worker in self._workers:
            if worker.pipe not in ready:
                continue
            try:
                report: Report = worker.pipe.recv()
            except (EOFError, OSError):
                raise UserError(_obituary(worker)) from None
            if report.seconds is not None or report.mistake or report.crash:
                worker.step = None
            found.append(report)
        return found


def _obituary(worker: _Worker) -> str:
    worker.process.join()
    code = worker.process.exitcode or 0
    name = signal.Signals(-code).name if code < 0 else ""
    how = f"by the signal {name}" if name else f"with the exit code {code}"
    advice = {
        "SIGKILL": "probably there was not enough memory: use fewer --workers",
        "SIGILL": "this processor lacks an instruction that it announces: set train.precision=fp32",
    }.get(name, "run it again; finished steps are kept")
    return f"a worker process was ended {how}: {advice}"


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes that are started within do not see Ctrl-C: that is their parent's matter."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(name: int, pipe: Connection, folder: Path, plugins: tuple[Path, ...]) -> None:
    _die_with_parent()
    store = Store(folder)
    while True:
        try:
            step: Step = pipe.recv()
        except EOFError:
            return
        try:
            load_plugins(plugins)
            from trivium.engine.execute import execute, use_device

            use_device(step, name)
            seconds = execute(step, store, _Reporter(name, step.key, pipe))
            pipe.send(Report(name, step.key, seconds=seconds))
        except UserError as error:
            pipe.send(Report(name, step.key, mistake=str(error)))
        except Exception:
            pipe.send(Report(name, step.key, crash=traceback.format_exc()))


class _Reporter:
    """Tells the parent how far a step is, but not more often than a person can read."""

    def __init__(self, name: int, key: str, pipe: Connection) -> None:
        self._name, self._key, self._pipe = name, key, pipe
        self._next = 0.0

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _SECONDS_BETWEEN_REPORTS
            self._pipe.send(Report(self._name, self._key, done, of))


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
