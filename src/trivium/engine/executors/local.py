"""Worker processes of this machine: each runs one step at a time, and ends with its parent.

They are forked from a process that has imported torch, so that only the first one takes seconds to start.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from types import ModuleType

from trivium.engine.executors import ExecutorConfig, Report, executor
from trivium.engine.machine import check_memory, fits_in_memory
from trivium.engine.steps import Step
from trivium.engine.worker import Reporter, Worker
from trivium.errors import UserError
from trivium.learn.interactive import interactive_strategies, register_interactive


@dataclass
class _Process:
    process: BaseProcess
    pipe: Connection
    step: Step | None = None


@executor("local")
@contextmanager
def start_local(config: ExecutorConfig) -> Iterator[LocalExecutor]:
    """Steps run in processes of this machine, as many at once as it has cores."""
    pool = LocalExecutor(config)
    try:
        pool.start()
        yield pool
    finally:
        pool.kill()


class LocalExecutor:
    """Worker processes. One that dies is replaced, and its step reported as lost."""

    def __init__(self, config: ExecutorConfig) -> None:
        self._config = config
        self._strategies = interactive_strategies()
        self.workers: list[_Process] = []

    def start(self) -> None:
        """Start the processes."""
        for number in range(self._config.workers):
            self.workers.append(self._start(number))

    def kill(self) -> None:
        """End the processes. A step's result appears at once, so a worker may be killed at any moment."""
        for worker in self.workers:
            worker.process.kill()
        for worker in self.workers:
            worker.process.join()

    def accepts(self, step: Step) -> bool:
        """Return whether a worker is free and the machine has enough memory left."""
        if all(worker.step is None for worker in self.workers):
            check_memory(step)
            return True
        return self._free(step) is not None and fits_in_memory(step)

    def submit(self, step: Step) -> None:
        """Send a step to a worker that is free."""
        worker = self.workers[self._free(step) or 0]
        worker.step = step
        with suppress(OSError):  # a dead worker is noticed by reports()
            worker.pipe.send(step)

    def _free(self, step: Step) -> int | None:
        """Return the number of a worker for a step; None if too few are free.

        A training in several processes takes the cores, or the GPUs, of as many successive workers.
        """
        busy = {number + n for number, w in enumerate(self.workers) if w.step for n in range(w.step.processes)}
        last = len(self.workers) - step.processes
        free = (n for n in range(last + 1) if busy.isdisjoint(range(n, n + step.processes)))
        return next(free, None)

    def reports(self) -> Sequence[Report]:
        """Wait until at least one worker reports something, and return it."""
        while True:
            ready = wait([worker.pipe for worker in self.workers])
            reports = [self._receive(number) for number, w in enumerate(self.workers) if w.pipe in ready]
            if any(reports):
                return [report for report in reports if report is not None]

    def _receive(self, number: int) -> Report | None:
        worker = self.workers[number]
        try:
            report: Report = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join()
            step, lost = worker.step, _cause_of_death(worker.process.exitcode or 0)
            self.workers[number] = self._start(number)
            if step is None:
                raise UserError(lost) from None  # it did not even start: another would not either
            return Report(step.key, lost=lost)
        if report.is_final:
            worker.step = None
        return report

    def _start(self, number: int) -> _Process:
        context = _context()
        # Threads that wait by spinning take minutes from each other on a machine with other work.
        variables = {"OMP_NUM_THREADS": str(self._config.threads), "OMP_WAIT_POLICY": "PASSIVE"}
        # PYTHONSAFEPATH: nothing is imported from the current folder, which may hold anything.
        variables |= {"TOKENIZERS_PARALLELISM": "false", "PYTHONSAFEPATH": "1"}
        with environment_variables(variables), _no_interrupts(), _no_main_module():
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_work,
                args=(number, theirs, self._config, self._strategies, dict(os.environ)),
                daemon=True,
                name=f"worker-{number}",
            )
            try:
                process.start()
            except (EOFError, ConnectionError) as error:
                raise UserError(
                    "the process that starts workers was ended, probably out of memory: use fewer workers"
                ) from error
            theirs.close()
        return _Process(process, ours)


def _context() -> SpawnContext | ForkServerContext:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["trivium.engine.preload"])
    return context


def _work(
    number: int, pipe: Connection, config: ExecutorConfig, strategies: bytes, environment: dict[str, str]
) -> None:
    os.environ.clear()  # of the process that it was forked from, which may have been started long ago
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    _end_with_parent()
    worker: Worker | None = None
    while True:
        try:
            step: Step = pipe.recv()
        except EOFError:
            return
        try:
            if worker is None:
                worker = Worker.start(config, number)
                register_interactive(strategies)
        except UserError as error:
            pipe.send(Report(step.key, mistake=str(error)))
            continue
        pipe.send(worker.run(step, Reporter(step.key, pipe.send)))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _cause_of_death(code: int) -> str:
    name = signal.Signals(-code).name if code < 0 else ""
    how = f"by the signal {name}" if name else f"with exit code {code}"
    advice = {
        "SIGKILL": "probably out of memory: use fewer workers",
        "SIGILL": "this processor lacks an instruction that it announces: set train.precision=fp32",
    }.get(name, "run it again; finished steps are kept")
    return f"a worker process was ended {how}: {advice}"


@contextmanager
def environment_variables(values: Mapping[str, str]) -> Iterator[None]:
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
