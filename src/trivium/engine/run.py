"""Run a plan: pass steps to workers in order, and report to watchers. Imports no torch."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Literal, Protocol

from trivium.engine.executors import Executor, ExecutorConfig, Report, find_executors, split_address
from trivium.engine.machine import FEW_PAIRS, is_small
from trivium.engine.plan import Plan, demand, work_of
from trivium.engine.steps import DivideStep, PredictStep, Step, TrainStep
from trivium.engine.storage.folder import StoreInUseError
from trivium.engine.store import Store
from trivium.errors import TriviumError, UserError, is_in_shell

KeepModels = Literal["needed", "shared", "all", "until-next-run"]
"""Which trained models stay in the store when no step needs them any more."""

_ATTEMPTS = 3  # a step fails after losing this many workers


class Watcher(Protocol):
    """An observer of a run."""

    def started(self, step: Step) -> None:
        """Called when a step has started."""

    def moved(self, step: Step, done: int, total: int) -> None:
        """Called when a step has processed ``done`` of ``total`` batches or rows."""

    def finished(self, step: Step, seconds: float) -> None:
        """Called when a step is finished."""


class StepCrashedError(TriviumError):
    """A step failed for an unforeseen reason; the text ends with the worker's traceback."""


class StepsLostError(TriviumError):
    """The workers of a step died repeatedly; all steps that do not depend on it are finished."""


@dataclass(frozen=True)
class RunOptions:
    """How a plan is run.

    ``executor`` is ``NAME`` or ``NAME://ADDRESS``: see :mod:`trivium.engine.executors`. ``processor`` is the
    processor that steps must run on, for identical results on a mixed cluster; empty for any.

    ``keep_models`` is ``needed`` (a model is removed when its last prediction is stored), ``shared`` (models that later
    stages start from stay), ``all``, or ``until-next-run`` (all stay until a later run does not need them); those of
    the training steps in ``models`` stay in any case. A model that one run has kept is never removed by a later run.

    With ``continue_on_error`` a step that fails with a :class:`UserError` does not end the run: the steps that depend
    on it are skipped.
    """

    workers: int = 0
    executor: str = "local"
    processor: str = ""
    plugins: Sequence[Path] = ()
    keep_models: KeepModels = "needed"
    continue_on_error: bool = False
    models: Set[str] = frozenset()
    watchers: Sequence[Watcher] = field(default_factory=tuple)


def run_plan(plan: Plan, store: Store, options: RunOptions) -> Mapping[str, str]:
    """Run the steps that are not done, and return the message of each failed step by its key.

    Finished steps stay finished, whatever happens. Without ``continue_on_error`` the first failure is raised.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(store.locked())
        except StoreInUseError:
            if plan.todo:
                raise
            return {}  # leftovers can wait for a later run
        _release_leftovers(plan, store, options)
        return _Run(plan, store, options).execute() if plan.todo else {}


class _Run:
    """The state of a plan that is being run: its queue, failed steps and lost steps."""

    def __init__(self, plan: Plan, store: Store, options: RunOptions) -> None:
        self.plan, self.store, self.options = plan, store, options
        self.queue = _Queue(plan)
        self.steps = {step.key: step for step in plan.steps}
        self.kept = _kept(plan, options)
        self.failures: dict[str, str] = {}
        self.lost: dict[str, str] = {}
        self.attempts: Counter[str] = Counter()

    def execute(self) -> Mapping[str, str]:
        name, address = split_address(executor_for(self.plan, self.options.executor, self.options.workers))
        config = ExecutorConfig(
            address=address,
            workers=min(self.options.workers or workers_for(self.plan), sum(step.processes for step in self.plan.todo)),
            threads=_threads(self.plan),
            store=self.store.url,
            store_id=self.store.id,
            plugins=tuple(self.options.plugins),
            processor=self.options.processor,
            in_shell=is_in_shell(),
        )
        with find_executors()[name](config) as executor:
            while self.queue.left:
                self._submit(executor)
                for report in executor.reports():
                    self._handle(report)
        if self.lost:
            raise StepsLostError(_list_lost(self.lost, self.plan, self.queue.dropped))
        return self.failures

    def _submit(self, executor: Executor) -> None:
        while (step := self.queue.next()) is not None:
            if not executor.accepts(step):
                self.queue.put_back(step)
                return
            for watcher in self.options.watchers:
                watcher.started(step)
            executor.submit(step)

    def _handle(self, report: Report) -> None:
        step = self.steps[report.key]
        if report.unreadable is not None:
            self._repair(step, report.unreadable)
        elif report.lost is not None:
            self._retry(step, report.lost)
        elif report.mistake is not None and self.options.continue_on_error:
            self.failures[step.key] = report.mistake
            self.queue.failed(step)
        elif report.mistake is not None or report.crash is not None:
            raise _failure(report, step)
        elif report.seconds is None:
            for watcher in self.options.watchers:
                watcher.moved(step, report.done, report.total)
        else:
            for watcher in self.options.watchers:
                watcher.finished(step, report.seconds)
            _release(self.queue.finished(step), self.kept, self.store, self.options.keep_models)

    def _retry(self, step: Step, reason: str) -> None:
        """Rerun a step whose worker died, or mark it as lost."""
        self.attempts[step.key] += 1
        if self.attempts[step.key] < _ATTEMPTS:
            self.queue.put_back(step)
        else:
            self.lost[step.key] = reason
            self.queue.failed(step)

    def _repair(self, step: Step, key: str) -> None:
        """Rerun the step with ``key``, whose result is damaged or missing, and then ``step``, which needs it."""
        self.attempts[key] += 1
        if self.attempts[key] > _ATTEMPTS or key not in self.steps:
            raise UserError(
                f"the stored step {key[:12]}… is repeatedly damaged or missing: check the disk of the store"
            )
        self.store.quarantine(key)
        self.queue.put_back(step)
        todo: dict[str, Step] = {}
        demand(self.steps[key], frozenset(self.store.keys()), todo)
        for needed in todo.values():
            self.queue.add(needed)


def _list_lost(lost: Mapping[str, str], plan: Plan, dropped: int) -> str:
    names = {step.key: f"{step.kind} {step.key[:12]}…" for step in plan.steps}
    lines = [f"  {names[key]}: {reason}" for key, reason in lost.items()]
    steps, them = ("1 step", "it") if len(lost) == 1 else (f"{len(lost)} steps", "them")
    rest = f", nor {dropped} that depend on {them}" if dropped else ""
    return "\n".join([f"{steps} could not be run{rest}; the others are finished:", *lines])


def _release(unused: Sequence[Step], kept: set[str], store: Store, keep_models: KeepModels) -> None:
    """Remove or keep models that no remaining step reads."""
    for step in unused:
        if step.key not in kept:
            if not store.is_kept(step.key):
                store.release(step.key)
        elif keep_models != "until-next-run":
            store.keep(step.key)


def executor_for(plan: Plan, executor: str, workers: int) -> str:
    """Return the chosen executor, or ``inline`` if starting workers would take longer than the steps."""
    is_short = executor == "local" and not workers and all(map(is_small, plan.todo))
    pairs = sum(step.size for step in plan.todo if isinstance(step, PredictStep))
    return "inline" if is_short and pairs < FEW_PAIRS else executor


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


def _failure(report: Report, step: Step) -> TriviumError:
    if report.mistake is not None:
        return UserError(report.mistake)
    strategy = step.training.strategy
    culprit = f"the plugin with the strategy {strategy.name!r}" if strategy.plugin else "Trivium"
    return StepCrashedError(f"a step failed; the bug is probably in {culprit}:\n{report.crash}")


class _Queue:
    """The steps to run: which are ready, which go first, and which results no remaining step needs.

    Trainings with frozen layers that share data follow one another: workers keep what those layers computed.
    """

    def __init__(self, plan: Plan) -> None:
        self._weight = _weights(plan.todo)
        self._group = _groups(plan.steps)
        self._pending = {step.key: step for step in plan.todo}  # neither finished nor failed
        self._uses = Counter(needed.key for step in plan.todo for needed in step.needs)
        self._children: dict[str, list[str]] = {}
        self._missing: dict[str, int] = {}
        self._ready: list[tuple[bool, int, float, str]] = []
        self.dropped = 0
        for step in plan.todo:
            self._enter(step)
        heapify(self._ready)

    @property
    def left(self) -> bool:
        """Whether any step is waiting or running."""
        return bool(self._pending)

    def next(self) -> Step | None:
        """Pop the first group's ready step on which most work depends; predictions go first, since they free models."""
        while self._ready:
            step = self._pending.get(heappop(self._ready)[-1])
            if step is not None and not self._missing[step.key]:
                return step
        return None

    def put_back(self, step: Step) -> None:
        """Put back a step that :meth:`next` returned."""
        heappush(self._ready, self._rank(step))

    def add(self, step: Step) -> None:
        """Add a step that must run again; the steps that need its result wait for it."""
        if step.key in self._pending:
            return
        self._pending[step.key] = step
        self._weight.setdefault(step.key, work_of(step))
        self._uses.update(needed.key for needed in step.needs)
        self._enter(step)
        for child in self._children.get(step.key, ()):
            if child in self._pending:
                self._missing[child] += 1
        if not self._missing[step.key]:
            heapify(self._ready)

    def finished(self, step: Step) -> list[Step]:
        """Mark a step as finished, and return the training steps whose models no remaining step reads."""
        self._pending.pop(step.key, None)
        for child in self._children.get(step.key, ()):
            if child in self._pending:
                self._missing[child] -= 1
                if not self._missing[child]:
                    heappush(self._ready, self._rank(self._pending[child]))
        self._uses.subtract(needed.key for needed in step.needs)
        return [needed for needed in step.needs if needed.kind == "train" and self._uses[needed.key] == 0]

    def failed(self, step: Step) -> None:
        """Mark a step as failed, and drop everything that depends on it."""
        lost = [step.key]
        while lost:
            key = lost.pop()
            if self._pending.pop(key, None) is not None:
                self.dropped += key != step.key
                lost += self._children.get(key, ())

    def _enter(self, step: Step) -> None:
        self._missing[step.key] = 0
        for needed in step.needs:
            children = self._children.setdefault(needed.key, [])
            if step.key not in children[-1:]:
                children.append(step.key)
            if needed.key in self._pending:
                self._missing[step.key] += 1
        if not self._missing[step.key]:
            self._ready.append(self._rank(step))

    def _rank(self, step: Step) -> tuple[bool, int, float, str]:
        return (step.kind != "predict", self._group.get(step.key, 0), -self._weight[step.key], step.key)


def _weights(steps: Iterable[Step]) -> dict[str, float]:
    """Return the work of each step, plus that of all steps that depend on it."""
    weight: dict[str, float] = {}
    for step in reversed(list(steps)):
        weight[step.key] = weight.get(step.key, 0.0) + work_of(step)
        for needed in step.needs:
            weight[needed.key] = weight.get(needed.key, 0.0) + weight[step.key]
    return weight


def _groups(steps: Sequence[Step]) -> dict[str, int]:
    """Return a number for each step: the same for steps that share splits or results, directly or through others.

    Groups with more work have smaller numbers. Without frozen layers, whose output workers keep, there is one group.
    """
    if not any(step.training.train.frozen_layers for step in steps if not isinstance(step, DivideStep)):
        return dict.fromkeys((step.key for step in steps), 0)
    parents: dict[str, str] = {}

    def root(link: str) -> str:
        while (above := parents.setdefault(link, link)) != link:
            parents[link] = link = parents[above]
        return link

    for step in steps:
        links = [*(needed.key for needed in step.needs), *_splits(step)]
        for link in links:
            parents[root(link)] = root(step.key)
    work: dict[str, float] = {}
    for step in steps:
        work[root(step.key)] = work.get(root(step.key), 0.0) + work_of(step)
    numbers = {group: number for number, group in enumerate(sorted(work, key=lambda group: -work[group]))}
    return {step.key: numbers[root(step.key)] for step in steps}


def _splits(step: Step) -> list[str]:
    """Return the splits that a step reads."""
    if isinstance(step, DivideStep):
        return []
    past = (*step.past, step.dev) if isinstance(step, TrainStep) else ()
    return [split for split in (step.split, *past) if split]
