"""``trivium sweep``: a benchmark with one setting at several values."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from trivium.cli.benchmarks import (
    STORE,
    Changes,
    Name,
    Preset,
    StoreFolder,
    Workers,
    check_report,
    open_store,
    options_of,
    run_steps,
    show_caveats,
)
from trivium.cli.console import out
from trivium.cli.listing import Plugins
from trivium.errors import UserError, unknown_name
from trivium.plugins import load_plugins


def sweep(
    benchmark: Name,
    what: Annotated[str, typer.Argument(help="What to vary: for c2gen learning-rate or memory-size.")],
    values: Annotated[
        str | None, typer.Option("--values", help="The values, with commas between them; else the paper's.")
    ] = None,
    preset: Preset = "laptop",
    change: Changes = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
    report_file: Annotated[Path | None, typer.Option("--report", help="Also write a report to this file.")] = None,
) -> None:
    """Run a benchmark with one setting at several values, and show what becomes of its main quantities."""
    from trivium.benchmarks.benchmark import find_benchmarks
    from trivium.benchmarks.sweep import headlines_of, sweep_chart, sweep_table
    from trivium.engine.plan import make_plan
    from trivium.report.document import Document
    from trivium.report.terminal import claims_view, table_view
    from trivium.report.write import write_document
    from trivium.settings import to_toml

    if report_file is not None:
        check_report(report_file)
    load_plugins(plugin or ())
    part = find_benchmarks()[benchmark]
    if what not in part.sweeps:
        raise unknown_name("sweep", what, part.sweeps)
    chosen = part.sweeps[what]
    wanted = chosen.values if values is None else tuple(value.strip() for value in values.split(","))
    if "" in wanted or len(set(wanted)) < len(wanted):
        raise UserError(f"--values {values}: each must be there, and once")
    place = open_store(store)
    base = part.settings(preset, change or ())
    runs = {
        value: part.experiment(part.settings(preset, [*(change or ()), *chosen.changes(base, value)]), place)
        for value in wanted
    }
    plan = make_plan(chain.from_iterable(run.runs() for run in runs.values()), place)
    run_steps(plan, place, workers, plugin or (), f"{benchmark}, {chosen.about}: {', '.join(wanted)}")
    found = headlines_of(runs, place)
    table, claims = sweep_table(chosen, found), chosen.claims(found)
    out.print(table_view(table))
    if claims:
        out.print(claims_view(claims))
    first = next(iter(runs.values()))
    show_caveats(first)
    if report_file is not None:
        keys = [step.key for run in runs.values() for steps in run.runs() for step in steps]
        document = Document(
            title=f"{first.title}: by {chosen.about}",
            lead=(first.description,),
            tables=(table,),
            claims=tuple(claims),
            charts=(sweep_chart(chosen, found),),
            settings=to_toml(base),
            commands=(f"trivium sweep {benchmark} {what} {options_of(preset, change, store, plugin, values)}",),
            environment=tuple(sorted(place.environment(keys).items())),
            caveats=tuple(first.caveats),
        )
        write_document(document, report_file)
        out.print(f"The report is in {report_file}", markup=False)
