"""``trivium stress``: a classifier on pairs with conjunctions; ``trivium submit``: its answers to a withheld test."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trivium.cli.benchmarks import STORE, StoreFolder, Workers, check_report, open_store, run_steps
from trivium.cli.console import out
from trivium.cli.train import Device
from trivium.errors import UserError, unknown_name
from trivium.saving import check_file, write_text

if TYPE_CHECKING:
    from trivium.tools.stress import Stress

Classifier = Annotated[str, typer.Argument(metavar="MODEL", help="A classifier: a folder, or a name on a hub.")]
Length = Annotated[int, typer.Option("--max-length", min=16, max=8192, help="Tokens that are read.")]
SUBMITTED = ("conjnli",)


def stress(
    model: Classifier,
    sets: Annotated[
        list[Path] | None,
        typer.Option("--set", help="A stress set, as trivium build makes them (.jsonl, .parquet); may be repeated."),
    ] = None,
    length: Length = 256,
    device: Device = "cpu",
    page: Annotated[Path | None, typer.Option("--report", help="Also write a page: .html or .md.")] = None,
    machine: Annotated[Path | None, typer.Option("--json", help="Also write all figures as JSON.")] = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
) -> None:
    """Ask a model about pairs with conjunctions: ConjNLI dev, if it is there, and sets of your own."""
    from trivium.data.sources import find_sources
    from trivium.data.sources.conjnli import FILES
    from trivium.engine.plan import make_plan
    from trivium.report.stress import stress_document
    from trivium.report.write import write_document
    from trivium.tools.stress import RELEASED, prepare_stress, stress_sets

    if page is not None:
        check_report(page)
    if machine is not None:
        check_file(machine)
    released = [RELEASED] if find_sources()[RELEASED]().is_there() else []
    names = [*released, *(name for name in map(str, sets or ()) if name not in released)]
    if not names:
        raise UserError(
            f"there is nothing to ask: {FILES['dev']} is not on this machine; run `trivium data get {RELEASED}`, set "
            "TRIVIUM_DATA, or name a set of your own with --set"
        )
    asked = stress_sets(names)
    place = open_store(store)
    found = prepare_stress(model, asked, place, length, device)
    run_steps(make_plan(found.runs(), place), place, workers, (), f"Stress test of {model} on {', '.join(asked)}")
    show_stress(found)
    if machine is not None:
        write_text(machine, json.dumps(found.to_json(), indent=1, ensure_ascii=False) + "\n")
        out.print(f"All figures are in {machine}", markup=False)
    if page is not None:
        write_document(stress_document(found, shlex.join(["trivium", *sys.argv[1:]])), page)
        out.print(f"The page is in {page}", markup=False)


def show_stress(found: Stress, prefix: str = "") -> None:
    """What a model says of each set, by trait, then what it comes to and what limits it."""
    from trivium.report.stress import caveats, stress_tables, summary
    from trivium.report.terminal import table_view

    for table in stress_tables(found, prefix):
        out.print(table_view(table))
    for line in (*summary(found, prefix), *caveats(found, prefix)):
        out.print(line, markup=False)


def submit(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="Whose test: conjnli.")],
    model: Classifier,
    to: Annotated[Path, typer.Option("--out", help="The file to write: a label a line.")],
    length: Length = 256,
    device: Device = "cpu",
    store: StoreFolder = STORE,
    workers: Workers = 0,
) -> None:
    """Write a model's answers to a test whose labels are withheld, as its authors want them."""
    from trivium.engine.plan import make_plan
    from trivium.tools.stress import prepare_submission

    if benchmark not in SUBMITTED:
        raise unknown_name("benchmark with a withheld test", benchmark, SUBMITTED)
    check_file(to)
    place = open_store(store)
    found = prepare_submission(model, place, length, device)
    run_steps(make_plan([[found.step]], place), place, workers, (), f"The test of {benchmark}, by {model}")
    write_text(to, found.text())
    out.print(f"{found.step.size:,} labels are in {to}", markup=False)
