"""Worker processes: each imports torch once, runs one step at a time, and ends with its parent. Imports no torch."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType

from trivium.engine.steps import Step
from trivium.engine.store import Store
from trivium.errors import UserError, in_shell, is_in_shell, option
from trivium.learn.interactive import interactive_strategies, register_interactive
from trivium.plugins import load_plugins

_SECONDS_BETWEEN_REPORTS = 0.5


@dataclass(frozen=True)
class Report:
    """What a worker reports about its step: its progress, or that it finished or failed.

    ``mistake`` is the message of a :class:`UserError`, ``crash`` the traceback of any other exception.
    """

    worker: int
    key: str
    done: int = 0
    total: int = 0
    seconds: float | None = None
    mistake: str | None = None
    crash: str | None = None


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    step: Step | None = None


class Pool:
    """Worker processes that run steps. Use :meth:`started`."""

    def __init__(self, workers: Sequence[_Worker]) -> None:
        self._workers = workers

    @classmethod
    @contextmanager
    def started(cls, number: int, threads: int, store: Store, plugins: Sequence[Path]) -> Iterator[Pool]:
        """Start ``number`` processes; when the block ends, however it ends, they are gone."""
        context = multiprocessing.get_context("spawn")
        strategies = interactive_strategies()
        workers = []
        try:
            # Threads that wait by spinning take minutes from each other on a machine with other work.
            variables = {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "PASSIVE"}
            variables["TOKENIZERS_PARALLELISM"] = "false"
            with _environment(variables), _no_interrupts(), _no_main_module():
                for name in range(number):
                    ours, theirs = context.Pipe()
                    process = context.Process(
                        target=_work,
                        args=(name, theirs, store.folder, tuple(plugins), strategies, is_in_shell()),
                        daemon=True,
                        name=f"worker-{name}",
                    )
                    process.start()
                    theirs.close()
                    workers.append(_Worker(process, ours))
            yield cls(workers)
        finally:
            # A step's result appears through one rename, so a worker may be killed at any moment.
            for worker in workers:
                worker.process.kill()
            for worker in workers:
                worker.process.join()

    def idle(self) -> list[int]:
        """Return the names of the workers without a step."""
        return [name for name, worker in enumerate(self._workers) if worker.step is None]

    def give(self, name: int, step: Step) -> None:
        """Let an idle worker run a step."""
        worker = self._workers[name]
        worker.step = step
        try:
            worker.pipe.send(step)
        except OSError:
            raise UserError(_cause_of_death(worker)) from None

    def reports(self) -> list[Report]:
        """Wait until at least one worker reports something; raise if one has died."""
        ready = wait([worker.pipe for worker in self._workers])
        reports = []
        for worker in self._workers:
            if worker.pipe not in ready:
                continue
            try:
                report: Report = worker.pipe.recv()
            except (EOFError, OSError):
                raise UserError(_cause_of_death(worker)) from None
            if report.seconds is not None or report.mistake or report.crash:
                worker.step = None
            reports.append(report)
        return reports


class InlinePool:
    """Runs steps in this process, one after the other: slower, but easy to debug, and nothing has to start."""

    def __init__(self, store: Store, plugins: Sequence[Path]) -> None:
        load_plugins(plugins)
        self._store = store
        self._reports: list[Report] = []

    def idle(self) -> list[int]:
        """Return the one worker, if its last step was reported."""
        return [] if self._reports else [0]

    def give(self, name: int, step: Step) -> None:
        """Run a step now."""

        def progress(done: int, total: int) -> None:
            self._reports.append(Report(name, step.key, done, total))

        self._reports.append(_run_step(step, self._store, name, progress))

    def reports(self) -> list[Report]:
        """Return what the last step reported."""
        reports, self._reports = self._reports, []
        return reports


def _run_step(step: Step, store: Store, name: int, progress: Callable[[int, int], None]) -> Report:
    """Run a step, and report that it finished or why it failed."""
    try:
        from trivium.engine.execute import execute, use_device

        use_device(step, name)
        return Report(name, step.key, seconds=execute(step, store, progress))
    except UserError as error:
        return Report(name, step.key, mistake=str(error))
    except Exception:
        return Report(name, step.key, crash=traceback.format_exc())


def _cause_of_death(worker: _Worker) -> str:
    worker.process.join()
    code = worker.process.exitcode or 0
    name = signal.Signals(-code).name if code < 0 else ""
    how = f"by the signal {name}" if name else f"with exit code {code}"
    advice = {
        "SIGKILL": f"probably out of memory: use fewer {option('workers')}",
        "SIGILL": "this processor lacks an instruction that it announces: set train.precision=fp32",
    }.get(name, "run it again; finished steps are kept")
    return f"a worker process was ended {how}: {advice}"


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables within the block."""
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
    """Start processes within the block that ignore Ctrl-C: their parent handles it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _no_main_module() -> Iterator[None]:
    """Start processes within the block that do not import the user's script again.

    Otherwise every worker of a script that calls :func:`trivium.run` at its top level would run the script anew.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _work(name: int, pipe: Connection, folder: Path, plugins: tuple[Path, ...], strategies: bytes, shell: bool) -> None:
    _end_with_parent()
    with in_shell(shell):
        _run_steps(name, pipe, Store(folder), plugins, strategies)


def _run_steps(name: int, pipe: Connection, store: Store, plugins: tuple[Path, ...], strategies: bytes) -> None:
    while True:
        try:
            step: Step = pipe.recv()
        except EOFError:
            return
        try:
            load_plugins(plugins)
            register_interactive(strategies)
        except UserError as error:
            pipe.send(Report(name, step.key, mistake=str(error)))
            continue
        pipe.send(_run_step(step, store, name, _Reporter(name, step.key, pipe)))


class _Reporter:
    """Tells the parent the progress of a step, at most twice a second."""

    def __init__(self, name: int, key: str, pipe: Connection) -> None:
        self._name, self._key, self._pipe = name, key, pipe
        self._next = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _SECONDS_BETWEEN_REPORTS
            self._pipe.send(Report(self._name, self._key, done, total))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
