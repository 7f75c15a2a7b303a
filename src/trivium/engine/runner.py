"""Run steps into a store, with a progress display and trackers: the part of a session that tools need."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from trivium.engine.executors import split_address
from trivium.engine.machine import processor as this_processor
from trivium.engine.plan import Plan, PlanSummary, make_plan
from trivium.engine.progress import ConsoleProgress, Progress, SilentProgress, step_name
from trivium.engine.records import ProgressFile
from trivium.engine.run import KeepModels, RunOptions, Watcher, executor_for, run_plan, workers_for
from trivium.engine.steps import PredictStep, Step, TrainStep
from trivium.engine.store import Store, UnreadableStepError
from trivium.errors import UserError, option
from trivium.learn.precision import check_precision
from trivium.learn.strategy import strategy_files
from trivium.models.composer import composer_files
from trivium.plugins import load_plugins
from trivium.tracking import Tracker, open_tracker

DEFAULT_STORE = Path(".trivium")


class StepRunner:
    """Runs steps with workers, stores their results, and reports to a progress display and trackers."""

    def __init__(
        self,
        store: str | Path | Store = DEFAULT_STORE,
        executor: str | None = None,
        progress: bool | Progress = True,
        *,
        workers: int = 0,
        keep_models: KeepModels = "needed",
        plugins: Sequence[str | Path] = (),
        track: Sequence[str | Tracker] = (),
        processor: str = "",
    ) -> None:
        if keep_models not in get_args(KeepModels):
            raise UserError(f"{option('keep_models', keep_models)}: must be 'needed', 'shared' or 'all'")
        if isinstance(progress, bool):
            progress = ConsoleProgress() if progress else SilentProgress()
        self.executor = executor or os.environ.get("TRIVIUM_EXECUTOR", "local")
        self.processor = this_processor() if processor == "this" else processor
        self.workers = workers
        self.plugins = tuple(map(Path, [plugins] if isinstance(plugins, str | Path) else plugins))
        self.keep_models = keep_models
        self._folder = store
        self._progress = progress
        load_plugins(self.plugins)
        split_address(self.executor)
        self.trackers = tuple(open_tracker(each) if isinstance(each, str) else each for each in track)

    @cached_property
    def store(self) -> Store:
        """The store, created if it does not exist."""
        return self._folder if isinstance(self._folder, Store) else Store(self._folder).open()

    @property
    def existing_store(self) -> Store:
        """The store; raise if it does not exist."""
        return self._folder if isinstance(self._folder, Store) else Store(self._folder).open_existing()

    def note(self, *lines: str) -> None:
        """Show lines of text with the progress display."""
        for line in lines:
            self._progress.noted(line)

    def run_steps(
        self,
        runs: Iterable[Sequence[PredictStep]],
        description: str,
        *,
        labels: Mapping[str, str] | None = None,
        models: Sequence[TrainStep] = (),
        continue_on_error: bool = False,
        keep_models: KeepModels | None = None,
    ) -> Mapping[str, str]:
        """Run the steps that are not finished, and return the message of each failed step by its key.

        ``labels`` name steps by key for the progress display. ``models`` are trained models to keep: the caller reads
        them afterwards.
        """
        runs = [list(run) for run in runs]
        self._quarantine_damaged(runs)
        plan = make_plan(runs, self.store, models)
        if executor_for(plan, self.executor, self.workers) in ("inline", "local"):  # this machine runs the steps
            for train in {step.training.train for step in plan.todo}:
                check_precision(train)
        self._progress.planned(self.summarize(plan, description))
        with self._watching(plan, description, labels or {}) as watchers:
            options = RunOptions(
                workers=self.workers,
                executor=self.executor,
                processor=self.processor,
                plugins=(
                    *self.plugins,
                    *strategy_files(step.training.strategy.name for step in plan.todo),
                    *composer_files(step.training.model.composer for step in plan.todo),
                ),
                keep_models=keep_models or self.keep_models,
                continue_on_error=continue_on_error,
                models=frozenset(model.key for model in models),
                watchers=watchers,
            )
            return run_plan(plan, self.store, options)

    def _quarantine_damaged(self, runs: Iterable[Iterable[PredictStep]]) -> None:
        """Quarantine finished predictions that cannot be read, so that they are computed again."""
        finished = set(self.store.keys())
        for key in {step.key for run in runs for step in run} & finished:
            try:
                self.store.path(key)
            except UnreadableStepError as error:
                self._progress.warned(f"A stored prediction {error.reason}: it is computed again.")
                self.store.quarantine(key)

    def summarize(self, plan: Plan, description: str, pending: str = "") -> PlanSummary:
        """Summarize a plan for this store and these workers."""
        is_inline = executor_for(plan, self.executor, self.workers) == "inline"
        workers = 0 if is_inline else self.workers or workers_for(plan)
        return PlanSummary.of(plan, self.store, workers, description, pending)

    @contextmanager
    def _watching(self, plan: Plan, description: str, labels: Mapping[str, str]) -> Iterator[list[Watcher]]:
        progress_file = ProgressFile(self.store, description, plan, labels)
        with ExitStack() as stack:
            stack.callback(progress_file.close)
            shown = stack.enter_context(contextmanager(self._progress.watching)(plan, labels))
            yield [shown, progress_file, _LossWatcher(self.trackers, self.store, labels)]


class _LossWatcher:
    """Sends the losses of each finished training to the trackers."""

    def __init__(self, trackers: Sequence[Tracker], store: Store, labels: Mapping[str, str]) -> None:
        self._trackers, self._store, self._labels = trackers, store, labels

    def started(self, step: Step) -> None:
        """Wait for the end of the step."""

    def moved(self, step: Step, done: int, total: int) -> None:
        """Wait for the end of the step."""

    def finished(self, step: Step, seconds: float) -> None:
        """Send the losses."""
        losses = self._store.losses(step.key) if self._trackers else None
        for tracker in self._trackers if losses is not None else ():
            assert losses is not None
            tracker.losses(step_name(step, self._labels), losses)


def step_labels(keys: Iterable[tuple[Mapping[str, Any], PredictStep]]) -> dict[str, str]:
    """Return a label for each step from the fields that distinguish it: fold, seed, phenomenon, strategy, stage.

    A field with the same value everywhere is left out, unless no field differs.
    """
    pairs = [(dict(fields), step) for fields, step in keys]
    values: dict[str, set[Any]] = {}
    for name in {name for fields, _ in pairs for name in fields}:
        values[name] = {fields.get(name) for fields, _ in pairs}
    labels: dict[str, str] = {}
    for fields, step in pairs:
        shown = {name: value for name, value in fields.items() if value not in ("", None)}
        labels[step.key] = _joined(shown, values)
        labels.setdefault(step.training.key, _joined({n: v for n, v in shown.items() if n != "test"}, values))
    return labels


def _joined(fields: Mapping[str, Any], values: Mapping[str, Collection[Any]]) -> str:
    differing = {name: value for name, value in fields.items() if len(values[name]) > 1} or fields
    return ", ".join(f"{name} {value}" if isinstance(value, int) else str(value) for name, value in differing.items())
