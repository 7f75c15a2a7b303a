"""The commands of benchmarks: build, plan, run, claims, report."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trivium.cli.conjuncts import build_from_sentences
from trivium.cli.console import Board, StoppedError, counted, duration, out
from trivium.cli.listing import Plugins
from trivium.errors import UserError
from trivium.plugins import load_plugins
from trivium.saving import check_file

if TYPE_CHECKING:
    from trivium.benchmarks.experiment import Experiment
    from trivium.data.example import Example
    from trivium.engine.plan import Plan
    from trivium.engine.store import Store

Name = Annotated[
    str, typer.Argument(metavar="BENCHMARK", help="The benchmark: c2gen, seti, curriculum, cfl or conjnli.")
]
Preset = Annotated[str, typer.Option("--preset", help="A preset by name, or a TOML file of your own.")]
Changes = Annotated[
    list[str] | None, typer.Option("--set", help="Change a setting, for instance train.epochs=2; may be repeated.")
]
StoreFolder = Annotated[
    Path, typer.Option("--store", envvar="TRIVIUM_STORE", help="The folder of finished steps.", show_default=True)
]
Workers = Annotated[
    int, typer.Option("--workers", min=0, help="Worker processes; 0: as many as the cores allow, or one for each GPU.")
]
KeepModels = Annotated[
    str,
    typer.Option(
        "--keep-models",
        help="Which trained models stay in the store: 'needed' (none in the end), 'shared' (those that others start "
        "from, so that a new strategy needs no new first stages) or 'all'.",
    ),
]
ReportFile = Annotated[Path | None, typer.Option("--report", help="Also write the HTML report to this file.")]
STORE = Path(".trivium")


def add_benchmark_commands(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command in (build, plan, run, claims, report):
        app.command()(command)


def build(
    benchmark: Name,
    source: Annotated[
        str | None, typer.Option("--source", help="Where natural pairs come from: sick, builtin, …")
    ] = None,
    to: Annotated[Path | None, typer.Option("--out", help="Write the splits as files into this folder.")] = None,
    kind: Annotated[str, typer.Option("--format", help="The format of the files: jsonl or parquet.")] = "jsonl",
    preset: Annotated[
        str | None, typer.Option("--preset", help="A preset by name, or a TOML file of your own; by default paper.")
    ] = None,
    change: Changes = None,
    sample: Annotated[int, typer.Option("--sample", min=0, help="Show this many random examples.")] = 0,
    sentences: Annotated[
        str | None,
        typer.Option("--sentences", help="conjnli: a file with one sentence a line, or a source, to build pairs from."),
    ] = None,
    size: Annotated[
        int | None, typer.Option("--size", min=1, help="conjnli: how many pairs of --sentences; by default 15,000.")
    ] = None,
    parser: Annotated[
        str | None, typer.Option("--parser", help="conjnli: what reads --sentences: spacy, benepar, light or auto.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="conjnli: another number draws other pairs.")] = None,
    plugin: Plugins = None,
) -> None:
    """Build the data of a benchmark, with its statistics and the proof that nothing leaks."""
    from trivium.benchmarks.benchmark import find_benchmarks
    from trivium.report.terminal import table_view

    if kind not in ("jsonl", "parquet"):
        raise UserError(f"--format {kind}: it is jsonl or parquet")
    load_plugins(plugin or ())
    own = {"--size": size, "--parser": parser, "--seed": seed}
    _check_together(own, {"--source": source, "--preset": preset, "--set": change}, sentences)
    if sentences is not None:
        if benchmark != "conjnli":
            find_benchmarks()[benchmark]  # an unknown one has an error of its own
            raise UserError(f"--sentences {sentences}: only conjnli is built from plain sentences, not {benchmark}")
        built = build_from_sentences(sentences, size or 15_000, parser or "auto", seed or 0, to, kind)
        _show_examples(list(built), sample)
        return
    experiment = prepare_to_build(benchmark, preset or "paper", change or (), source)
    for table in experiment.build_tables():
        out.print(table_view(table))
    out.print("[bold]Proved[/bold]")
    for line in experiment.invariants():
        out.print(f"  ✓ {line}", markup=False)
    _show_examples([example for split in experiment.splits().values() for example in split] if sample else [], sample)
    if to is not None:
        _write_splits(experiment, to, kind)


def _check_together(belongs: Mapping[str, object], against: Mapping[str, object], sentences: str | None) -> None:
    """An option that would be passed over, as it needs ``--sentences`` or cannot be had with them, is an error."""
    for name, value in (belongs if sentences is None else against).items():
        if value is not None:
            rule = "needs --sentences, of which pairs are built" if sentences is None else "has no use with --sentences"
            raise UserError(f"{name} {rule}")


def prepare_to_build(benchmark: str, preset: str, changes: Sequence[str], source: str | None) -> Experiment[Any, Any]:
    """A benchmark whose data are wanted, and nothing else."""
    return _prepare(benchmark, preset, [*changes, *([f'source="{source}"'] if source else [])], None)


def plan(
    benchmark: Name,
    preset: Preset = "laptop",
    change: Changes = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
) -> None:
    """Show what would run: steps, shared steps, what is already done, and an estimate of the time."""
    from trivium.engine.run import workers_for

    load_plugins(plugin or ())
    place = open_store(store)
    experiment = _prepare(benchmark, preset, change or (), place)
    todo = _plan(experiment, place)
    _show_plan(experiment.description, todo, place, workers or workers_for(todo))
    if experiment.pending:
        out.print(experiment.pending, markup=False)


def run(
    benchmark: Name,
    preset: Preset = "laptop",
    change: Changes = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    keep_models: KeepModels = "needed",
    plugin: Plugins = None,
    report_file: ReportFile = None,
) -> None:
    """Run a benchmark, or what is missing of it, and print the paper's tables."""
    from trivium.report.terminal import table_view
    from trivium.report.write import write_report

    if keep_models not in ("needed", "shared", "all"):
        raise UserError(f"--keep-models {keep_models}: it is 'needed', 'shared' or 'all'")
    if report_file is not None:
        check_report(report_file)
    load_plugins(plugin or ())
    place = open_store(store)
    experiment = _prepare(benchmark, preset, change or (), place)
    while experiment.pending:
        out.print(experiment.pending, markup=False)
        run_steps(_plan(experiment, place), place, workers, plugin or (), experiment.description, "until-next-run")
        experiment = _prepare(benchmark, preset, change or (), place)
    run_steps(_plan(experiment, place), place, workers, plugin or (), experiment.description, keep_models)
    for table in experiment.tables(place):
        out.print(table_view(table))
    for line in experiment.summary(place):
        out.print(line, markup=False)
    show_caveats(experiment)
    if report_file is not None:
        write_report(experiment, place, report_file, options_of(preset, change, store, plugin))
        out.print(f"The report is in {report_file}", markup=False)


def claims(
    benchmark: Name,
    preset: Preset = "laptop",
    change: Changes = None,
    store: StoreFolder = STORE,
    plugin: Plugins = None,
) -> None:
    """Each claim of the paper: the published figure, ours with its interval, and the verdict."""
    from trivium.report.terminal import claims_view

    load_plugins(plugin or ())
    place, experiment = _finished(benchmark, preset, change or (), store)
    out.print(experiment.description, markup=False)
    out.print(claims_view(experiment.claims(place)))
    show_caveats(experiment)


def report(
    benchmark: Name = "c2gen",
    preset: Preset = "laptop",
    change: Changes = None,
    store: StoreFolder = STORE,
    to: Annotated[Path, typer.Option("--out", help="The file to write: .html or .md.")] = Path("report.html"),
    plugin: Plugins = None,
) -> None:
    """Write the report: tables beside the published figures, plots and claims; one file that works offline."""
    from trivium.report.write import write_report

    check_report(to)
    load_plugins(plugin or ())
    place, experiment = _finished(benchmark, preset, change or (), store)
    write_report(experiment, place, to, options_of(preset, change, store, plugin))
    out.print(f"The report is in {to}", markup=False)


def _prepare(benchmark: str, preset: str, changes: Sequence[str], store: Store | None) -> Experiment[Any, Any]:
    from trivium.benchmarks.benchmark import find_benchmarks

    part = find_benchmarks()[benchmark]
    return part.experiment(part.settings(preset, changes), store)


def open_store(folder: Path) -> Store:
    """The store in a folder, made if there is none."""
    from trivium.engine.store import Store

    return Store(folder).open()


def _plan(experiment: Experiment[Any, Any], store: Store) -> Plan:
    from trivium.engine.plan import make_plan

    return make_plan(experiment.runs(), store)


def run_steps(
    plan: Plan, store: Store, workers: int, plugins: Sequence[Path], summary: str, keep_models: str = "needed"
) -> None:
    """Show a plan and do what is to do of it."""
    from trivium.engine.run import RunOptions, run_plan, workers_for

    number = workers or workers_for(plan)
    _show_plan(summary, plan, store, number)
    try:
        with Board(plan).shown() as board:
            run_plan(plan, store, RunOptions(number, plugins, keep_models, watchers=(board,)))  # type: ignore[arg-type]
    except KeyboardInterrupt:
        raise StoppedError("what is finished is kept, and the same command goes on from there") from None


def _show_plan(summary: str, plan: Plan, store: Store, workers: int) -> None:
    from trivium.engine.plan import estimate_seconds

    out.print(summary, markup=False)
    trains, predicts = plan.count("train"), plan.count("predict")
    out.print(
        f"{counted(len(plan.steps), 'step')}: {counted(trains, 'training')}, {counted(predicts, 'prediction')}. "
        f"Without sharing first stages there "
        f"would be {plan.unshared}: {plan.saved} saved. {plan.done} done, {len(plan.todo)} to do."
    )
    repeated = sum(step.kind == "train" and store.was_done(step.key) for step in plan.todo)
    if repeated:
        trainings = (
            "training is done again, because its model was"
            if repeated == 1
            else ("trainings are done again, because their models were")
        )
        out.print(f"{repeated} {trainings} removed when nothing needed it; see --keep-models of trivium run.")
    if plan.todo:
        seconds = estimate_seconds(plan, store, workers)
        expected = "no estimate for this model yet" if seconds is None else f"about {duration(seconds)}"
        out.print(f"{expected} with {workers} worker{'s' if workers > 1 else ''}; store: {store.folder}", markup=False)


def show_caveats(experiment: Experiment[Any, Any]) -> None:
    """Print what a reader must know before believing a verdict."""
    if experiment.caveats:
        out.print("What limits this:", style="bold")
    for line in experiment.caveats:
        out.print(f"- {line}", markup=False)


def _show_examples(examples: Sequence[Example], number: int) -> None:
    from trivium.seeds import stream

    for place in sorted(stream(0, "sample").permutation(len(examples))[:number]):
        example = examples[place]
        out.print(f"{example.premise}\n  → {example.hypothesis}  [{example.label}]", markup=False)
        for part in example.parts:
            out.print(
                f"      {part.task}: {part.premise} → {part.hypothesis}  [{part.label}]", markup=False, style="dim"
            )


def _write_splits(experiment: Experiment[Any, Any], folder: Path, kind: str) -> None:
    splits = experiment.splits()
    for name, split in splits.items():
        split.write(folder / f"{name}.{kind}")
    out.print(f"{len(splits)} files in {folder}", markup=False)


def _finished(benchmark: str, preset: str, changes: Sequence[str], folder: Path) -> tuple[Store, Experiment[Any, Any]]:
    """A store and a benchmark of which something has been run; an error if nothing has."""
    from trivium.engine.store import Store

    place = Store(folder).open_existing()
    experiment = _prepare(benchmark, preset, changes, place)
    if not any(step.key in place for run in experiment.runs() for step in run):
        raise UserError(
            f"nothing of {benchmark} with the preset {preset!r} and these settings is in the store {folder}: "
            "start it with trivium run, or name what you ran with --preset, --set and --store (of a model on a hub, "
            "which may have moved on, the commit too: --set model.revision=…)"
        )
    return place, experiment


def check_report(file: Path) -> None:
    """An error, before any work is done, if a report cannot be written there."""
    if file.suffix not in (".html", ".md"):
        raise UserError(f"{file}: a report is an .html or an .md file")
    check_file(file)


def options_of(
    preset: str,
    changes: Sequence[str] | None,
    store: Path,
    plugins: Sequence[Path] | None,
    values: str | None = None,
) -> str:
    """The options that a command was given, as they are typed."""
    words = ["--preset", preset, *(["--values", values] if values else [])]
    for change in changes or ():
        words += ["--set", change]
    if store != STORE:
        words += ["--store", str(store)]
    for plugin in plugins or ():
        words += ["--plugin", str(plugin)]
    return shlex.join(words)
