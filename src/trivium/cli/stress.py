"""``trivium stress``: test a classifier on pairs with conjunctions; ``trivium submit``: label a withheld test set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trivium.cli.console import out, resumable, say
from trivium.cli.options import (
    STORE,
    Device,
    JsonFile,
    MaxLength,
    ModelName,
    Precision,
    ReportFile,
    StoreFolder,
    Workers,
    check_files,
    command_line,
    open_session,
    write_files,
)

if TYPE_CHECKING:
    from trivium.tools.stress import Stress


def stress(
    model: ModelName,
    sets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SET]...", help="Stress sets of your own, as trivium conjunctions writes them."),
    ] = None,
    length: MaxLength = 512,
    device: Device = "cpu",
    precision: Precision = "fp32",
    report: ReportFile = None,
    figures: JsonFile = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
) -> None:
    """Test a classifier on pairs with conjunctions: the dev set of ConjNLI, if available, and sets of your own."""
    check_files(report, figures)
    session = open_session(store, workers)
    with resumable():
        result = session.stress(model, sets or (), max_length=length, device=device, precision=precision)
    show_stress(result.stress)
    for line in write_files(replace(result, command=command_line()), report, figures):
        say(line)


def show_stress(result: Stress, prefix: str = "") -> None:
    """Print the accuracy on each set by trait, the summary and the limitations."""
    from trivium.report.stress import caveats, stress_tables, summary
    from trivium.report.terminal import table_view

    for table in stress_tables(result, prefix):
        out.print(table_view(table))
    for line in (*summary(result, prefix), *caveats(result, prefix)):
        out.print(line, markup=False)


def submit(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="A benchmark with a withheld test set.")],
    model: ModelName,
    file: Annotated[Path, typer.Option("--out", help="The file to write, with one label per line.")],
    length: MaxLength = 512,
    device: Device = "cpu",
    store: StoreFolder = STORE,
    workers: Workers = 0,
) -> None:
    """Label a test set whose labels are withheld, in the format that its authors require."""
    session = open_session(store, workers)
    with resumable():
        number = session.submit(benchmark, model, file, max_length=length, device=device)
    say(f"Wrote {number:,} labels to {file}")
