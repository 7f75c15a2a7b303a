"""A session: the one object that runs things. The command line and the Python API both use it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict

from pydantic import ValidationError

from trivium.benchmarks.benchmark import find_benchmarks
from trivium.benchmarks.experiment import Experiment
from trivium.benchmarks.outcomes import outcomes
from trivium.benchmarks.steps import recorded_strategies
from trivium.engine.plan import PlanSummary, make_plan
from trivium.engine.progress import Progress
from trivium.engine.records import (
    RunRecord,
    check_name,
    default_name,
    now,
    read_record,
    read_records,
    run_names,
    write_record,
)
from trivium.engine.run import KeepModels
from trivium.engine.runner import DEFAULT_STORE, step_labels
from trivium.engine.steps import StrategySpec
from trivium.engine.store import Store
from trivium.errors import UserError, option, unknown_name
from trivium.learn.strategy import find_strategies, strategy_files
from trivium.measure.claim import Claim
from trivium.plugins import load_plugins, plugin_file
from trivium.results.base import check_report
from trivium.results.benchmarks import Build, Comparison, Run, SweepResult
from trivium.results.ledger import Ledger, LedgerEntry, make_ledger
from trivium.tool_session import ToolSession
from trivium.tools.comparison import compare_runs, compare_strategies
from trivium.tracking import Tracker
from trivium.version import __version__

Overrides = Mapping[str, Any] | Sequence[str]
"""Settings that differ from the preset: ``{"train.epochs": 2}``, or ``["train.epochs=2"]``."""


class SessionOptions(TypedDict, total=False):
    """The arguments of :class:`~trivium.session.Session`."""

    store: str | Path | Store
    executor: str
    progress: bool | Progress
    workers: int
    keep_models: KeepModels
    plugins: Sequence[str | Path]
    track: Sequence[str | Tracker]
    processor: str


class Session(ToolSession):
    """Runs benchmarks and tools: a store of finished steps, workers, and a progress display.

    Args:
        store: Where finished steps are kept, created when first needed: a folder, or an address such as
            ``"s3://bucket/folder"``.
        executor: Where steps run: ``"local"`` for processes on this machine, ``"inline"`` for this process, one step
            after the other, which is easy to debug, ``"ray"`` or ``"ray://HOST:PORT"`` for a Ray cluster. By default
            what the environment variable ``TRIVIUM_EXECUTOR`` says, else ``"local"``.
        progress: Whether to show a progress bar; or a progress display of your own.
        workers: The number of worker processes; 0 for as many as the cores allow, or one for each GPU.
        keep_models: Which trained models stay in the store: ``"needed"`` (none after the run), ``"shared"`` (those that
            later stages start from, so that a new strategy needs no new first stages) or ``"all"``.
        plugins: Python files with strategies, sources, phenomena or benchmarks of your own.
        track: Trackers that receive settings, losses, metrics and reports, such as ``"tensorboard:runs"``.
        processor: The processor that steps must run on; ``"this"`` for that of this machine, empty for any.

    Example:
        >>> import tempfile
        >>> session = Session(store=tempfile.mkdtemp(), progress=False)
        >>> session.plan("c2gen", preset="smoke").steps
        45
    """

    def experiment(
        self, benchmark: str, preset: str = "laptop", set: Overrides = (), *, stored: bool = True
    ) -> Experiment[Any, Any]:
        """Build the data of a benchmark and check its invariants; unless ``stored``, the store is not used."""
        definition = find_benchmarks()[benchmark]
        settings = definition.settings(preset, _overrides(set))
        return definition.experiment(settings, self.store if stored else None)

    def build(self, benchmark: str, preset: str = "paper", set: Overrides = (), *, source: str | None = None) -> Build:
        """Build the data of a benchmark, with its statistics and the invariants that hold.

        Example:
            >>> build = Session(progress=False).build("c2gen", preset="smoke")
            >>> len(build.splits["fold-1/ver"])
            64
        """
        overrides = [*_overrides(set), *([f"source={json.dumps(source)}"] if source else [])]
        return Build(self.experiment(benchmark, preset, overrides, stored=False))

    def plan(
        self, benchmark: str, preset: str = "laptop", set: Overrides = (), *, strategies: Sequence[str] | None = None
    ) -> PlanSummary:
        """Show what would run: steps, shared steps, what is already done, and an estimate of the time.

        ``strategies`` is short for the setting ``run.strategies``.
        """
        experiment = self.experiment(benchmark, preset, _overrides(set, strategies))
        return self.summarize(make_plan(experiment.runs(), self.store), experiment.description, experiment.pending)

    def run(
        self,
        benchmark: str,
        preset: str = "laptop",
        set: Overrides = (),
        *,
        strategies: Sequence[str] | None = None,
        name: str | None = None,
        report: str | Path | None = None,
    ) -> Run:
        """Run a benchmark, or its unfinished steps, and record the run under a name.

        An interrupted run continues where it stopped. ``strategies`` is short for the setting ``run.strategies``;
        ``name`` is by default the benchmark, the preset and a short hash of the settings; ``report`` writes the report
        to a file.

        Example:
            >>> import tempfile
            >>> session = Session(store=tempfile.mkdtemp(), progress=False)
            >>> run = session.run("c2gen", preset="smoke", set={"run.orders": ["ver-nat"]}, strategies=["finetune"])
            >>> run.tables["table-5"].rows()[0]["row"]
            'CGen'
        """
        if report is not None:
            check_report(Path(report))
        set = _overrides(set, strategies)
        experiment = self.experiment(benchmark, preset, set)
        self._warn_of_unused(experiment, set)
        record = self._record(experiment, preset, set, name)
        with self._tracking(record.name, record.settings):
            while experiment.pending:
                self._run_experiment(experiment, record.name, "until-next-run")
                experiment = self.experiment(benchmark, preset, set)
            self._run_experiment(experiment, record.name, self.keep_models)
            done = record.model_copy(update={"finished": now(), "steps": _keys(experiment)})
            write_record(self.store, done)
            run = self._result(experiment, done)
            self._track_results(run, report)
        return run

    def open_run(self, name: str) -> Run:
        """Return a recorded run by its name."""
        record = read_record(self.store, name)
        load_plugins([file for file in map(Path, record.plugins) if file.is_file()])
        definition = find_benchmarks()[record.benchmark]
        try:
            settings = definition.implementation.settings_type.model_validate(record.settings)
        except ValidationError as error:
            fields = ", ".join(".".join(map(str, each["loc"])) for each in error.errors())
            raise UserError(f"the run {name!r} has settings that this version does not accept: {fields}") from error
        with recorded_strategies(record.strategies):
            return self._result(definition.experiment(settings, self.store), record)

    def find_run(self, run: str, preset: str = "laptop", set: Overrides = ()) -> Run:
        """Return a run by its name, or the run of a benchmark with a preset and settings."""
        if run in run_names(self.existing_store) or run not in find_benchmarks():
            return self.open_run(run)
        experiment = self.experiment(run, preset, set)
        if not any(key in self.store for key in _keys(experiment)):
            raise UserError(
                f"no results of {run} with the preset {preset!r} and these settings in the store {self.store.url}: "
                "run it first, or give the name of a run (trivium status lists them)"
            )
        return self._result(experiment, self._record(experiment, preset, set, None, check=False))

    def runs(self) -> list[RunRecord]:
        """Return all recorded runs, the latest first."""
        return read_records(self.store)

    def ledger(self, preset: str = "laptop") -> Ledger:
        """Return the claims of all benchmarks: those of the recorded runs, and what was not run.

        A claim is taken from the run with the most trainings, and of equals from the one that was run first. A run that
        cannot be opened, or whose model departs from the paper's, is left out, with a note. A benchmark without a run
        is built with ``preset``; if its data is missing, with ``smoke``.

        Example:
            >>> import tempfile
            >>> ledger = Session(store=tempfile.mkdtemp(), progress=False).ledger(preset="smoke")
            >>> {claim.verdict.value for claim in ledger.claims}
            {'not run'}
        """
        entries: list[LedgerEntry] = []
        notes: list[str] = []
        records = self.runs()[::-1]
        for benchmark in find_benchmarks():
            runs: list[tuple[str, list[Claim]]] = []
            for name in (record.name for record in records if record.benchmark == benchmark):
                try:
                    run = self.open_run(name)
                    if run.experiment.departure:
                        notes.append(f"{benchmark}: the run {name!r} is left out ({run.experiment.departure}).")
                    else:
                        runs.append((name, run.claims))
                except UserError as error:
                    notes.append(f"{benchmark}: the run {name!r} is left out ({error}).")
            if not runs:
                experiment, note = self._unrun(benchmark, preset)
                runs = [("", experiment.claims(self.store))]
                notes += [note] if note else []
            entries += make_ledger(benchmark, runs)
        return Ledger(tuple(entries), tuple(notes))

    def _unrun(self, benchmark: str, preset: str) -> tuple[Experiment[Any, Any], str]:
        try:
            return self.experiment(benchmark, preset), ""
        except UserError as error:
            note = f"{benchmark}: built with the preset 'smoke', since {preset!r} cannot be built here ({error})."
            return self.experiment(benchmark, "smoke"), note

    def compare(self, run: str | Run, first: str | Run, second: str | None = None) -> Comparison:
        """Compare two strategies of a run, ``compare(run, "er-res", "kd")``, or two runs, ``compare(run, other)``."""
        opened = self.open_run(run) if isinstance(run, str) else run
        if second is not None:
            if not isinstance(first, str):
                raise UserError("compare(run, first, second): first and second must be names of strategies")
            results, forgetting = outcomes(opened.experiment, opened.store), opened.experiment.forgetting(opened.store)
            return Comparison(compare_strategies(results, first, second, forgetting, opened.experiment.folds))
        other = self.open_run(first) if isinstance(first, str) else first
        both = [outcomes(each.experiment, each.store) for each in (opened, other)]
        return Comparison(compare_runs(both[0], both[1], (opened.name, other.name), opened.experiment.folds))

    def sweep(
        self,
        benchmark: str,
        setting: str,
        preset: str = "laptop",
        set: Overrides = (),
        *,
        values: Sequence[str] | None = None,
    ) -> SweepResult:
        """Run a benchmark with one setting at several values (those of the paper by default)."""
        definition = find_benchmarks()[benchmark]
        sweeps = definition.implementation.sweeps
        if setting not in sweeps:
            raise unknown_name("sweep", setting, sweeps)
        sweep = sweeps[setting]
        chosen = sweep.values if values is None else tuple(value.strip() for value in values)
        if "" in chosen or len(dict.fromkeys(chosen)) < len(chosen):
            raise UserError(f"{option('values', ','.join(chosen))}: name each value once")
        overrides = _overrides(set)
        base = definition.settings(preset, overrides)
        experiments = {
            value: self.experiment(benchmark, preset, [*overrides, *sweep.changes(base, value)]) for value in chosen
        }
        runs = [run for experiment in experiments.values() for run in experiment.runs()]
        self.run_steps(runs, f"{benchmark}, {sweep.about}: {', '.join(chosen)}")
        values_option = ["--values", ",".join(chosen)] if values is not None else []
        command = f"trivium sweep {benchmark} {setting} {self.options(preset, overrides, *values_option)}"
        return SweepResult(sweep, experiments, self.store, base, command)

    def _run_experiment(self, experiment: Experiment[Any, Any], name: str, keep_models: KeepModels) -> None:
        description = f"{name}: {experiment.description}"
        description += f"\n{experiment.pending}" if experiment.pending else ""
        self.run_steps(
            experiment.runs(), description, labels=step_labels(experiment.predictions()), keep_models=keep_models
        )

    def _warn_of_unused(self, experiment: Experiment[Any, Any], set: Overrides) -> None:
        """Warn of plugin strategies and strategy settings that the run does not use."""
        used = _strategies(experiment)
        own = {plugin.resolve() for plugin in self.plugins}
        for name, cls in find_strategies().items():
            if name not in used and plugin_file(cls) in own:
                advice = option("set", f"run.strategies={json.dumps([*used, name])}")
                self._progress.warned(f"The strategy {name!r} of {plugin_file(cls)} is not part of this run: {advice}")
        for override in _overrides(set):
            group, _, rest = override.partition(".")
            if group == "strategy" and (name := rest.partition(".")[0]) not in used:
                self._progress.warned(f"{option('set', override)} has no effect: {name!r} is not part of this run")

    def _record(
        self, experiment: Experiment[Any, Any], preset: str, set: Overrides, name: str | None, check: bool = True
    ) -> RunRecord:
        settings = experiment.settings.model_dump(mode="json")
        specs = _strategies(experiment)
        name = name or default_name(experiment.name, preset, experiment.settings)
        record = RunRecord(
            name=name,
            benchmark=experiment.name,
            preset=preset,
            overrides=tuple(_overrides(set)),
            plugins=tuple(dict.fromkeys(str(file.resolve()) for file in (*self.plugins, *strategy_files(specs)))),
            settings=settings,
            strategies=tuple(spec for spec in specs.values() if spec.plugin),
            version=__version__,
            started=now(),
        )
        if check:
            check_name(self.store, name, settings)
            write_record(self.store, record)
        return record

    def _result(self, experiment: Experiment[Any, Any], record: RunRecord) -> Run:
        return Run(record.name, experiment, self.store, self.options(record.preset, record.overrides))

    def options(self, preset: str, overrides: Sequence[str], *more: str) -> str:
        """Return the options of the equivalent command, quoted for the shell."""
        words = ["--preset", preset, *more]
        for override in overrides:
            words += ["--set", override]
        if self.store.url != str(DEFAULT_STORE):
            words += ["--store", self.store.url]
        for plugin in self.plugins:
            words += ["--plugin", str(plugin)]
        return shlex.join(words)

    @contextmanager
    def _tracking(self, name: str, settings: Mapping[str, Any]) -> Iterator[None]:
        for tracker in self.trackers:
            tracker.start(name, settings)
        try:
            yield
        finally:
            for tracker in self.trackers:
                tracker.finish()

    def _track_results(self, run: Run, report: str | Path | None) -> None:
        if self.trackers:
            metrics = {_metric_name(row): row["value"] for row in run.rows()}
            for tracker in self.trackers:
                tracker.metrics(metrics)
        if report is not None:
            file = run.report(report)
            for tracker in self.trackers:
                tracker.report(file)


def _overrides(set: Overrides, strategies: Sequence[str] | None = None) -> list[str]:
    """Return overrides as ``name=value`` texts."""
    if strategies is not None:
        names = [strategies] if isinstance(strategies, str) else strategies
        return [*_overrides(set), f"run.strategies={json.dumps(list(names))}"]
    if isinstance(set, str):
        raise UserError(f"set={set!r}: give a mapping such as {{'train.epochs': 2}}, or a list of texts")
    if isinstance(set, Mapping):
        return [f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in set.items()]
    return list(set)


def _strategies(experiment: Experiment[Any, Any]) -> dict[str, StrategySpec]:
    """Return the strategies that an experiment trains with, by name."""
    return {step.training.strategy.name: step.training.strategy for run in experiment.runs() for step in run}


def _keys(experiment: Experiment[Any, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(step.key for run in experiment.runs() for step in run))


def _metric_name(row: Mapping[str, Any]) -> str:
    figures = ("metric", "value", "low", "high", "examples")
    values = [f"{name}-{value}" for name, value in row.items() if name not in figures]
    return "/".join([str(row["metric"]), *(value for value in values if not value.endswith("-"))])
