"""Commands about benchmarks: build, plan, run, claims, report, sweep, compare and export."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trivium.cli.console import caveats, out, resumable, say
from trivium.cli.options import (
    STORE,
    BenchmarkName,
    JsonFile,
    KeepModels,
    On,
    Plugins,
    Preset,
    Processor,
    ReportFile,
    RunName,
    Set,
    StoreFolder,
    Strategies,
    Track,
    Workers,
    check_files,
    command_line,
    open_session,
    write_files,
)
from trivium.errors import UserError

if TYPE_CHECKING:
    from trivium.data.example import Example


def build(
    benchmark: BenchmarkName,
    source: Annotated[
        str | None, typer.Option("--source", help="Where natural pairs come from; see trivium list sources.")
    ] = None,
    folder: Annotated[Path | None, typer.Option("--out", help="Write the splits as files into this folder.")] = None,
    format: Annotated[str, typer.Option("--format", help="The format of the files: jsonl or parquet.")] = "jsonl",
    preset: Preset = "paper",
    set: Set = None,
    sample: Annotated[int, typer.Option("--sample", min=0, help="Show this many random examples.")] = 0,
    plugin: Plugins = None,
) -> None:
    """Build the data of a benchmark, show its statistics, and check its invariants."""
    from trivium.report.terminal import table_view

    if format not in ("jsonl", "parquet"):
        raise UserError(f"--format {format}: must be 'jsonl' or 'parquet'")
    built = open_session(plugin=plugin).build(benchmark, preset, set or (), source=source)
    for table in built.tables.values():
        out.print(table_view(table.table))
    out.print("Invariants that hold", style="bold")
    for line in built.invariants:
        out.print(f"  ✓ {line}", markup=False)
    show_examples([example for split in built.splits.values() for example in split] if sample else [], sample)
    if folder is not None:
        say(f"Wrote {len(built.write(folder, format))} files to {folder}")


def plan(
    benchmark: BenchmarkName,
    preset: Preset = "laptop",
    set: Set = None,
    strategies: Strategies = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
) -> None:
    """Show what would run: the number of steps, how many are shared or finished, and an estimate of the time."""
    session = open_session(store, workers, plugin)
    for line in session.plan(benchmark, preset, set or (), strategies=_names(strategies)).lines():
        say(line)


def run(
    benchmark: BenchmarkName,
    preset: Preset = "laptop",
    set: Set = None,
    strategies: Strategies = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="The name of the run; by default benchmark, preset and a short hash."),
    ] = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    on: On = "local",
    processor: Processor = "",
    keep_models: KeepModels = "needed",
    track: Track = None,
    plugin: Plugins = None,
    report: ReportFile = None,
) -> None:
    """Run a benchmark, except for finished steps, and print the tables of the paper."""
    from trivium.report.terminal import table_view

    check_files(report)
    session = open_session(store, workers, plugin, keep_models, track, on, processor)
    with resumable():
        result = session.run(benchmark, preset, set or (), strategies=_names(strategies), name=name, report=report)
    for table in result.tables.values():
        out.print(table_view(table.table))
    for line in result.summary:
        say(line)
    caveats(result.caveats)
    say(f"The run is recorded as {result.name}")
    if report is not None:
        say(f"Wrote the report to {report}")


def claims(
    run: RunName = "",
    everything: Annotated[
        bool, typer.Option("--all", help="The claims of all papers, from all recorded runs, and what was not run.")
    ] = False,
    preset: Preset = "laptop",
    set: Set = None,
    store: StoreFolder = STORE,
    plugin: Plugins = None,
    report: ReportFile = None,
    figures: JsonFile = None,
) -> None:
    """Show each claim of the paper: the published figure, ours with its interval, and the verdict."""
    from trivium.report.terminal import claims_view, table_view

    if everything == bool(run):
        raise UserError("name a run (trivium status lists them), or give --all for the claims of all papers")
    check_files(report, figures)
    if everything:
        ledger = open_session(store, plugin=plugin).ledger(preset)
        out.print(claims_view(ledger.claims))
        out.print(table_view(ledger.table))
        caveats(ledger.notes)
        for line in write_files(ledger, report, figures):
            say(line)
        return
    if figures or report:
        raise UserError("--report and --json go with --all: trivium report writes the report of one run")
    result = open_session(store, plugin=plugin).find_run(run, preset, set or ())
    say(result.experiment.description)
    out.print(claims_view(result.claims))
    caveats(result.caveats)


def report(
    run: RunName = "c2gen",
    preset: Preset = "laptop",
    set: Set = None,
    store: StoreFolder = STORE,
    file: Annotated[Path, typer.Option("--out", help="The file to write: .html or .md.")] = Path("report.html"),
    plugin: Plugins = None,
) -> None:
    """Write a report that works offline: tables beside the published figures, plots, claims and examples."""
    check_files(file)
    open_session(store, plugin=plugin).find_run(run, preset, set or ()).report(file)
    say(f"Wrote the report to {file}")


def sweep(
    benchmark: BenchmarkName,
    setting: Annotated[str, typer.Argument(metavar="SETTING", help="The setting to vary, such as learning-rate.")],
    preset: Preset = "laptop",
    values: Annotated[
        str | None, typer.Option("--values", help="The values, separated by commas; by default those of the paper.")
    ] = None,
    set: Set = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    on: On = "local",
    plugin: Plugins = None,
    report: ReportFile = None,
) -> None:
    """Run a benchmark with one setting at several values, and show how its main quantities change."""
    from trivium.report.terminal import claims_view, table_view

    check_files(report)
    session = open_session(store, workers, plugin, on=on)
    with resumable():
        result = session.sweep(
            benchmark, setting, preset, set or (), values=None if values is None else values.split(",")
        )
    out.print(table_view(result.table))
    if result.claims:
        out.print(claims_view(result.claims))
    caveats(result.caveats)
    for line in write_files(result, report):
        say(line)


def compare(
    runs: Annotated[list[str], typer.Argument(metavar="RUN [RUN]", help="Two runs; or one, with --strategies.")],
    strategies: Annotated[
        str | None, typer.Option("--strategies", metavar="A,B", help="Compare two strategies of one run.")
    ] = None,
    store: StoreFolder = STORE,
    plugin: Plugins = None,
    report: ReportFile = None,
    figures: JsonFile = None,
) -> None:
    """Compare two runs, or two strategies of a run: paired over folds, seeds and test examples."""
    from dataclasses import replace

    from trivium.report.terminal import table_view

    check_files(report, figures)
    session = open_session(store, plugin=plugin)
    if strategies is None:
        if len(runs) != 2:
            raise UserError("give two runs, or one run with --strategies A,B")
        if all((Path(run) / "config.json").is_file() for run in runs):
            models = " ".join(runs)
            raise UserError(
                f"{models}: these are models, not runs: compare them with trivium diagnose {models}, or score each "
                f"with trivium evaluate MODEL FILE"
            )
        result = session.compare(*runs)
    else:
        names = _names(strategies) or []
        if len(runs) != 1 or len(names) != 2:
            raise UserError(f"--strategies {strategies}: must be two names separated by a comma, with one run")
        result = session.compare(runs[0], *names)
    out.print(table_view(result.table))
    for line in write_files(replace(result, command=command_line()), report, figures):
        say(line)


def export(
    run: RunName,
    file: Annotated[
        Path | None, typer.Option("--out", help="The file to write; by default the run's name with the format.")
    ] = None,
    format: Annotated[str, typer.Option("--format", help="csv, json or parquet.")] = "csv",
    preset: Preset = "laptop",
    set: Set = None,
    store: StoreFolder = STORE,
    plugin: Plugins = None,
) -> None:
    """Export a run as a tidy table: one row for each fold, seed, setting, strategy, stage and metric."""
    if format not in ("csv", "json", "parquet"):
        raise UserError(f"--format {format}: must be 'csv', 'json' or 'parquet'")
    result = open_session(store, plugin=plugin).find_run(run, preset, set or ())
    written = result.export(file or Path(f"{result.name}.{format}"), format)
    say(f"Wrote {len(result.rows()):,} rows to {written}")


def _names(strategies: str | None) -> list[str] | None:
    return None if strategies is None else [name.strip() for name in strategies.split(",")]


def show_examples(examples: Sequence[Example], number: int) -> None:
    """Print some examples, drawn at random, with the primitives they are composed of."""
    from trivium.seeds import stream

    for index in sorted(stream(0, "sample").permutation(len(examples))[:number]):
        example = examples[index]
        say(f"{example.premise}\n  → {example.hypothesis}  [{example.label}]")
        for part in example.parts:
            line = f"      {part.task}: {part.premise} → {part.hypothesis}  [{part.label}]"
            out.print(line, markup=False, style="dim", soft_wrap=True)
