"""Running a plan: which step goes to which worker when, and what is said meanwhile. Imports no torch."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from trivium.engine.plan import Plan, work_of
from trivium.engine.pool import Pool, Report
from trivium.engine.steps import Step, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError

FOR_NOW = "for now"


class Watcher(Protocol):
    """Somebody who is told how a run goes."""

    def started(self, step: Step) -> None:
        """A step has begun."""

    def moved(self, step: Step, done: int, of: int) -> None:
        """A step has come this far."""

    def finished(self, step: Step, seconds: float) -> None:
        """A step is done."""


class StepCrashedError(RuntimeError):
    """A step failed for a reason that no message foresees; the text ends with the worker's traceback."""


def run_plan(
    plan: Plan, store: Store, workers: int, watcher: Watcher, plugins: Sequence[Path], keep_models: str
) -> None:
    """Do what is to do. Steps that are done stay done, whatever happens.

    ``keep_models`` is ``all``, ``shared`` (those that later stages start from), or ``needed``: other models are
    removed when their last prediction is stored. What one run has kept, no later run removes; with ``for now`` all stay
    until a later run needs them no more.
    """
    with store.locked():
        _release_leftovers(plan, store, keep_models)
        if plan.todo:
            _work_off(plan, store, workers, watcher, plugins, keep_models)


def _work_off(
    plan: Plan, store: Store, workers: int, watcher: Watcher, plugins: Sequence[Path], keep_models: str
) -> None:
    queue = _Queue(plan)
    kept = _kept(plan, keep_models)
    by_key = {step.key: step for step in plan.todo}
    with Pool.started(min(workers, len(plan.todo)), _threads(plan), store, plugins) as pool:
        while queue.left:
            for name in pool.idle():
                ready = queue.next()
                if ready is not None:
                    watcher.started(ready)
                    pool.give(name, ready)
            for report in pool.reports():
                step = by_key[report.key]
                _check(report, step)
                if report.seconds is None:
                    watcher.moved(step, report.done, report.of)
                    continue
                watcher.finished(step, report.seconds)
                for useless in queue.finished(step):
                    if useless.key in kept:
                        if keep_models != FOR_NOW:
                            store.keep(useless.key)
                    elif not store.is_kept(useless.key):
                        store.release(useless.key)


def workers_for(plan: Plan) -> int:
    """How many workers do a plan fastest: as many as the cores allow, or one for each GPU."""
    if any(step.training.train.device == "cuda" for step in plan.todo):
        import torch

        return max(1, torch.cuda.device_count())
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores // _threads(plan))


def _threads(plan: Plan) -> int:
    return max((step.training.train.threads for step in plan.todo), default=1)


def _kept(plan: Plan, keep_models: str) -> set[str]:
    """The models that stay when nothing to do reads them any more."""
    if keep_models == "needed":
        return set()
    shared = {step.parent.key for step in plan.steps if isinstance(step, TrainStep) and step.parent}
    return shared if keep_models == "shared" else {step.key for step in plan.steps}


def _release_leftovers(plan: Plan, store: Store, keep_models: str) -> None:
    """Remove the models of this plan that nothing to do reads: a run that was stopped may have left them."""
    read = {needed.key for step in plan.todo for needed in step.needs} | _kept(plan, keep_models)
    for step in plan.steps:
        if step.kind == "train" and step.key not in read and not store.is_kept(step.key):
            store.release(step.key)


def _check(report: Report, step: Step) -> None:
    if report.mistake:
        raise UserError(report.mistake)
    if report.crash:
        strategy = step.training.strategy
        whose = f"the plugin that has the strategy {strategy.name!r}" if strategy.plugin else "Trivium"
        raise StepCrashedError(f"a step failed; the mistake is probably in {whose}:\n{report.crash}")


class _Queue:
    """The steps to do: which are ready, which go first, and which results nobody waits for any more."""

    def __init__(self, plan: Plan) -> None:
        self._waiting = {step.key: step for step in plan.todo}
        self._running: set[str] = set()
        self._uses = Counter(needed.key for step in plan.todo for needed in step.needs)
        self._weight = _weights(plan.todo)

    @property
    def left(self) -> bool:
        """Whether anything is still to be done."""
        return bool(self._waiting) or bool(self._running)

    def next(self) -> Step | None:
        """The ready step with the most work behind it; predictions first, for they set models free."""
        ready = [step for step in self._waiting.values() if not self._blocked(step)]
        if not ready:
            return None
        step = min(ready, key=lambda step: (step.kind != "predict", -self._weight[step.key], step.key))
        del self._waiting[step.key]
        self._running.add(step.key)
        return step

    def finished(self, step: Step) -> list[Step]:
        """Note that a step is done; the models that nobody will read any more."""
        self._running.discard(step.key)
        self._uses.subtract(needed.key for needed in step.needs)
        return [needed for needed in step.needs if needed.kind == "train" and self._uses[needed.key] == 0]

    def _blocked(self, step: Step) -> bool:
        return any(needed.key in self._waiting or needed.key in self._running for needed in step.needs)


def _weights(steps: Iterable[Step]) -> dict[str, float]:
    """For each step its work and that of everything which waits for it."""
    weight: dict[str, float] = {}
    for step in reversed(list(steps)):
        weight[step.key] = weight.get(step.key, 0.0) + work_of(step)
        for needed in step.needs:
            weight[needed.key] = weight.get(needed.key, 0.0) + weight[step.key]
    return weight
