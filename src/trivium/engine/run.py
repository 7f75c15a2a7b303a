"""Run a plan: which step goes to which worker when, and who is told. Imports no torch."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from trivium.engine.plan import Plan, work_of
from trivium.engine.pool import InlinePool, Pool, Report
from trivium.engine.steps import Step, TrainStep
from trivium.engine.store import Store
from trivium.errors import TriviumError, UserError

KeepModels = Literal["needed", "shared", "all", "until-next-run"]
"""Which trained models stay in the store when nothing reads them any more."""


class Watcher(Protocol):
    """An observer of a run."""

    def started(self, step: Step) -> None:
        """A step has started."""

    def moved(self, step: Step, done: int, total: int) -> None:
        """A step has processed ``done`` of ``total`` batches or rows."""

    def finished(self, step: Step, seconds: float) -> None:
        """A step is finished."""


class StepCrashedError(TriviumError):
    """A step failed for an unforeseen reason; the text ends with the worker's traceback."""


@dataclass(frozen=True)
class RunOptions:
    """How a plan is run.

    ``executor`` is ``local`` for worker processes, or ``inline`` for this process.

    ``keep_models`` is ``needed`` (a model is removed when its last prediction is stored), ``shared`` (models that later
    stages start from stay), ``all``, or ``until-next-run`` (all stay until a later run does not need them); those of
    the training steps in ``models`` stay in any case. A model that one run has kept is never removed by a later run.

    With ``continue_on_error`` a step that fails with a :class:`UserError` does not end the run: what depends on it is
    left out.
    """

    workers: int = 0
    executor: str = "local"
    plugins: Sequence[Path] = ()
    keep_models: KeepModels = "needed"
    continue_on_error: bool = False
    models: Set[str] = frozenset()
    watchers: Sequence[Watcher] = field(default_factory=tuple)


def run_plan(plan: Plan, store: Store, options: RunOptions) -> Mapping[str, str]:
    """Run the steps that are not done, and return the message of each failed step by its key.

    Finished steps stay finished, whatever happens. Without ``continue_on_error`` the first failure is raised.
    """
    with store.locked():
        _release_leftovers(plan, store, options)
        return _execute(plan, store, options) if plan.todo else {}


def _execute(plan: Plan, store: Store, options: RunOptions) -> Mapping[str, str]:
    queue = _Queue(plan)
    kept = _kept(plan, options)
    by_key = {step.key: step for step in plan.todo}
    workers = min(options.workers or workers_for(plan), len(plan.todo))
    failures: dict[str, str] = {}
    with _pool(options, workers, _threads(plan), store) as pool:
        while queue.left:
            for name in pool.idle():
                ready = queue.next()
                if ready is not None:
                    for watcher in options.watchers:
                        watcher.started(ready)
                    pool.give(name, ready)
            for report in pool.reports():
                step = by_key[report.key]
                if report.mistake and options.continue_on_error:
                    failures[step.key] = report.mistake
                    queue.failed(step)
                    continue
                _raise_failure(report, step)
                for watcher in options.watchers:
                    if report.seconds is None:
                        watcher.moved(step, report.done, report.total)
                    else:
                        watcher.finished(step, report.seconds)
                if report.seconds is not None:
                    _release(queue.finished(step), kept, store, options.keep_models)
    return failures


def _pool(options: RunOptions, workers: int, threads: int, store: Store) -> AbstractContextManager[Pool | InlinePool]:
    if options.executor == "inline":
        return nullcontext(InlinePool(store, options.plugins))
    return Pool.started(workers, threads, store, options.plugins)


def _release(unused: Sequence[Step], kept: set[str], store: Store, keep_models: KeepModels) -> None:
    """Remove or keep models that no remaining step reads."""
    for step in unused:
        if step.key not in kept:
            if not store.is_kept(step.key):
                store.release(step.key)
        elif keep_models != "until-next-run":
            store.keep(step.key)


def workers_for(plan: Plan) -> int:
    """Return the number of workers that runs a plan fastest: as many as the cores allow, or one for each GPU."""
    if any(step.training.train.device == "cuda" for step in plan.todo):
        import torch

        return max(1, torch.cuda.device_count())
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores // _threads(plan))


def _threads(plan: Plan) -> int:
    return max((step.training.train.threads for step in plan.todo), default=1)


def _kept(plan: Plan, options: RunOptions) -> set[str]:
    """Return the keys of the models that stay when no remaining step reads them."""
    kept = set(options.models)
    if options.keep_models == "shared":
        kept |= {step.parent.key for step in plan.steps if isinstance(step, TrainStep) and step.parent}
    elif options.keep_models != "needed":
        kept |= {step.key for step in plan.steps}
    return kept


def _release_leftovers(plan: Plan, store: Store, options: RunOptions) -> None:
    """Remove the models of this plan that no remaining step reads: an interrupted run may have left them."""
    needed = {step.key for todo in plan.todo for step in todo.needs} | _kept(plan, options)
    for step in plan.steps:
        if step.kind == "train" and step.key not in needed and not store.is_kept(step.key):
            store.release(step.key)


def _raise_failure(report: Report, step: Step) -> None:
    if report.mistake:
        raise UserError(report.mistake)
    if report.crash:
        strategy = step.training.strategy
        culprit = f"the plugin with the strategy {strategy.name!r}" if strategy.plugin else "Trivium"
        raise StepCrashedError(f"a step failed; the bug is probably in {culprit}:\n{report.crash}")


class _Queue:
    """The steps to run: which are ready, which go first, and which results no remaining step needs."""

    def __init__(self, plan: Plan) -> None:
        self._waiting = {step.key: step for step in plan.todo}
        self._running: set[str] = set()
        self._uses = Counter(needed.key for step in plan.todo for needed in step.needs)
        self._weight = _weights(plan.todo)

    @property
    def left(self) -> bool:
        """Whether any step is waiting or running."""
        return bool(self._waiting) or bool(self._running)

    def next(self) -> Step | None:
        """Take the ready step with the most work behind it; predictions go first, since they free models."""
        ready = [step for step in self._waiting.values() if not self._blocked(step)]
        if not ready:
            return None
        step = min(ready, key=lambda step: (step.kind != "predict", -self._weight[step.key], step.key))
        del self._waiting[step.key]
        self._running.add(step.key)
        return step

    def finished(self, step: Step) -> list[Step]:
        """Mark a step as finished, and return the training steps whose models no remaining step reads."""
        self._running.discard(step.key)
        self._uses.subtract(needed.key for needed in step.needs)
        return [needed for needed in step.needs if needed.kind == "train" and self._uses[needed.key] == 0]

    def failed(self, step: Step) -> None:
        """Mark a step as failed, and drop everything that depends on it."""
        self._running.discard(step.key)
        lost = {step.key}
        for key, waiting in list(self._waiting.items()):  # parents stand before children
            if any(needed.key in lost for needed in waiting.needs):
                lost.add(key)
                del self._waiting[key]

    def _blocked(self, step: Step) -> bool:
        return any(needed.key in self._waiting or needed.key in self._running for needed in step.needs)


def _weights(steps: Iterable[Step]) -> dict[str, float]:
    """Return for each step its own work plus that of everything that depends on it."""
    weight: dict[str, float] = {}
    for step in reversed(list(steps)):
        weight[step.key] = weight.get(step.key, 0.0) + work_of(step)
        for needed in step.needs:
            weight[needed.key] = weight.get(needed.key, 0.0) + weight[step.key]
    return weight
