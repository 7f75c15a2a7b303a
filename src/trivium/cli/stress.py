"""``trivium stress``: a classifier on pairs with conjunctions; ``trivium submit``: answers to a withheld test."""

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
    length: MaxLength = 256,
    device: Device = "cpu",
    report: ReportFile = None,
    figures: JsonFile = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
) -> None:
    """Test a classifier on pairs with conjunctions: ConjNLI's dev set, if it is there, and sets of your own."""
    check_files(report, figures)
    session = open_session(store, workers)
    with resumable():
        result = session.stress(model, sets or (), max_length=length, device=device)
    show_stress(result.stress)
    for line in write_files(replace(result, command=command_line()), report, figures):
        say(line)


def show_stress(found: Stress, prefix: str = "") -> None:
    """What a model says of each set, by trait, then what it comes to and what limits it."""
    from trivium.report.stress import caveats, stress_tables, summary
    from trivium.report.terminal import table_view

    for table in stress_tables(found, prefix):
        out.print(table_view(table))
    for line in (*summary(found, prefix), *caveats(found, prefix)):
        out.print(line, markup=False)


def submit(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="The benchmark with a withheld test.")],
    model: ModelName,
    file: Annotated[Path, typer.Option("--out", help="The file to write: one label a line.")],
    length: MaxLength = 256,
    device: Device = "cpu",
    store: StoreFolder = STORE,
    workers: Workers = 0,
) -> None:
    """Write a classifier's answers to a test whose labels are withheld, in the format of its authors."""
    session = open_session(store, workers)
    with resumable():
        number = session.submit(benchmark, model, file, max_length=length, device=device)
    say(f"Wrote {number:,} labels to {file}")
