"""Run steps on a Ray cluster: ``ray`` starts one on this machine, ``ray://HOST:PORT`` (the port of Ray's client
server, 10001 by default) connects to one, and ``ray://auto`` joins the one that this machine belongs to.

Ray places steps by the processors, GPUs and memory that they declare, and repeats those whose node died. The store
must be a folder that all nodes share, or a bucket.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from trivium.engine.checkpoints import SECONDS_VARIABLE
from trivium.engine.executors import ExecutorConfig, Report, executor
from trivium.engine.machine import memory_of
from trivium.engine.steps import Step
from trivium.engine.worker import Reporter, Worker
from trivium.errors import UserError
from trivium.learn.interactive import interactive_strategies, register_interactive

if TYPE_CHECKING:
    import ray

_FORWARDED = ("HF_HUB_OFFLINE", "TRIVIUM_CACHE", SECONDS_VARIABLE)  # environment variables of the driver
_RETRIES = 3
_IN_FLIGHT = 1000  # steps that Ray may hold at once: enough to keep a cluster busy, few enough to cancel quickly
_BATCH = 100  # reports that are fetched together
_SECONDS_BETWEEN_REPORTS = 2.0


@executor("ray")
@contextmanager
def start_ray(config: ExecutorConfig) -> Iterator[RayExecutor]:
    """Steps run on a Ray cluster: one that is started on this machine, or ray://HOST:PORT."""
    try:
        import ray
    except ImportError:
        raise UserError("the executor 'ray' needs another package: pip install 'trivium-nli[ray]'") from None
    variables = {"OMP_WAIT_POLICY": "PASSIVE", "TOKENIZERS_PARALLELISM": "false", "PYTHONSAFEPATH": "1"}
    variables |= {name: os.environ[name] for name in _FORWARDED if name in os.environ}
    options: dict[str, Any] = {"runtime_env": {"env_vars": variables}, "logging_level": "WARNING"}
    if not config.address:
        options |= {"num_cpus": config.workers * config.threads, "include_dashboard": False}
    else:
        options["address"] = config.address if config.address == "auto" else f"ray://{config.address}"
    started = not ray.is_initialized()
    try:
        if started:
            ray.init(log_to_driver=False, **options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UserError(f"the Ray cluster {config.address} cannot be joined: {str(error).splitlines()[0]}") from None
    try:
        yield RayExecutor(config)
    finally:
        if started:
            ray.shutdown()


class RayExecutor:
    """Submits each step as a task of Ray."""

    def __init__(self, config: ExecutorConfig, run: Callable[[Any, Step], Report] | None = None) -> None:
        import ray

        self._ray = ray
        # A cluster of our own has as many processors as the run may use; a step that needs more gets all of them.
        self._cores = math.inf if config.address else config.workers * config.threads
        # Reports travel through an actor. If its node dies, it starts anew elsewhere; only some progress is not shown.
        self._board: Any = ray.remote(_Board).options(num_cpus=0, max_restarts=-1).remote()
        self._context = ray.put((config, interactive_strategies(), self._board))
        self._task = ray.remote(run or _run_step)
        self._running: dict[ray.ObjectRef[Report], Step] = {}

    def accepts(self, step: Step) -> bool:
        """Return whether Ray holds few enough steps. Which of them run is Ray's decision."""
        return len(self._running) < _IN_FLIGHT

    def submit(self, step: Step) -> None:
        """Submit a step with what it needs."""
        train = step.training.train
        options = {
            "num_cpus": min(train.threads * step.processes, self._cores),
            "num_gpus": step.processes if train.device == "cuda" else 0,
            "memory": memory_of(step),
            "max_retries": _RETRIES,
            "name": f"{step.kind} {step.key[:12]}",
        }
        self._running[self._task.options(**options).remote(self._context, step)] = step

    def reports(self) -> Sequence[Report]:
        """Wait until at least one step ended and return how, or return the progress of those that run."""
        running = list(self._running)
        ready, _ = self._ray.wait(running, num_returns=1, timeout=_SECONDS_BETWEEN_REPORTS)
        if not ready:
            return self._progress()
        more, _ = self._ray.wait(running, num_returns=min(len(running), _BATCH), timeout=0)
        return [self._fetch(reference) for reference in dict.fromkeys([*ready, *more])]

    def _progress(self) -> list[Report]:
        try:
            reports: list[Report] = self._ray.get(self._board.take.remote(), timeout=_SECONDS_BETWEEN_REPORTS)
        except self._ray.exceptions.RayError:
            return []
        running = {step.key for step in self._running.values()}
        return [report for report in reports if report.key in running]

    def _fetch(self, reference: ray.ObjectRef[Report]) -> Report:
        step = self._running.pop(reference)
        try:
            report: Report = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            reason = str(error).strip().splitlines()[0]
            return Report(step.key, lost=f"a worker of Ray was lost ({_RETRIES + 1} times): {reason}")
        return report


class _Board:
    """Holds the last report of each step until the driver takes it."""

    def __init__(self) -> None:
        self._reports: dict[str, Report] = {}

    def put(self, report: Report) -> None:
        self._reports[report.key] = report

    def take(self) -> list[Report]:
        reports, self._reports = list(self._reports.values()), {}
        return reports


def _run_step(context: tuple[ExecutorConfig, bytes, Any], step: Step) -> Report:
    """Run a step in a worker of Ray."""
    config, strategies, board = context
    try:
        worker = _worker(config, strategies)
    except UserError as error:
        return Report(step.key, mistake=str(error))
    return worker.run(step, Reporter(step.key, board.put.remote, _SECONDS_BETWEEN_REPORTS))


@cache
def _worker(config: ExecutorConfig, strategies: bytes) -> Worker:
    worker = Worker.start(config)
    register_interactive(strategies)
    return worker
