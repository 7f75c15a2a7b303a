"""``trivium status`` and ``trivium store``: show current and recorded runs, and clean up the store."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from trivium.cli.console import out, say
from trivium.cli.options import STORE, StoreFolder

store_app = typer.Typer(help="Look into the store of finished steps, and clean it up.", no_args_is_help=True)


def status(store: StoreFolder = STORE) -> None:
    """Show the progress of current runs, and list the recorded runs of a store."""
    from trivium.engine.plan import duration
    from trivium.engine.records import read_records, running
    from trivium.engine.store import Store

    opened = Store(store).open_existing()
    active = list(running(opened))
    for state in active:
        left = "" if state["seconds_left"] is None else f", about {duration(state['seconds_left'])} left"
        say(f"{state['name']}: {state['done']} of {state['steps']} steps{left} (process {state['process']})")
        for step in state["running"]:
            say(f"  {step}")
    if not active:
        say(f"Nothing is running in {store}.")
    records = read_records(opened)
    latest = next((record.name for record in records if not record.finished), None)
    if not records:
        say("No recorded runs (tools such as evaluate, diagnose and correct are not recorded).")
    else:
        table = Table("run", "benchmark", "preset", "started", "state", box=None, pad_edge=False)
        for record in records:
            # Only one run at a time uses a store; its record was written when it started.
            is_running = bool(active) and record.name == latest
            state_ = "finished" if record.finished else "running" if is_running else "interrupted"
            table.add_row(record.name, record.benchmark, record.preset, record.started, state_)
        out.print(table)


@store_app.command("list", epilog="Example: trivium store list")
def list_runs(store: StoreFolder = STORE) -> None:
    """List the runs in a store, and how many of their predictions it contains."""
    from trivium.engine.records import read_records
    from trivium.engine.store import Store

    opened = Store(store).open_existing()
    table = Table("run", "benchmark", box=None, pad_edge=False)
    for heading in ("started", "finished", "predictions"):
        table.add_column(heading, no_wrap=True)
    for record in read_records(opened):
        predictions = f"{sum(key in opened for key in record.steps)}/{len(record.steps)}"
        table.add_row(record.name, record.benchmark, record.started, record.finished or "–", predictions)
    if table.row_count:
        out.print(table)
    else:
        say("No recorded runs.")
    say(f"{len(opened.keys()):,} finished steps in {store}")


@store_app.command(epilog="Example: trivium store size")
def size(store: StoreFolder = STORE) -> None:
    """Show how much space each part of a store takes."""
    from trivium.engine.store import Store

    sizes = Store(store).open_existing().sizes()
    for name, number in {**sizes, "total": sum(sizes.values())}.items():
        say(f"{name:<12} {_bytes(number):>10}")


@store_app.command(epilog="Example: trivium store gc --dry-run")
def gc(
    store: StoreFolder = STORE,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be removed.")] = False,
    older_than: Annotated[
        int, typer.Option("--older-than", metavar="DAYS", min=0, help="Keep steps that are younger than this.")
    ] = 0,
) -> None:
    """Remove trained models, and the steps and splits of tools and interrupted runs, which no recorded run uses.

    Tools recompute what was removed.
    """
    from trivium.engine.records import read_records
    from trivium.engine.store import Store

    opened = Store(store).open_existing()
    used = frozenset(key for record in read_records(opened) for key in record.steps)
    paths = opened.collect_garbage(used, remove=False, days=older_than)
    freed = sum(opened.storage.size(path) for path in paths)
    if not dry_run:
        opened.collect_garbage(used, remove=True, days=older_than)
    counts = Counter(path.partition("/")[0] for path in paths)
    parts = ", ".join(f"{number:,} in {part}" for part, number in counts.items()) or "nothing"
    say(f"{'Would remove' if dry_run else 'Removed'} {parts}: {_bytes(freed)}.")


@store_app.command(epilog="Example: trivium store verify --quarantine")
def verify(
    store: StoreFolder = STORE,
    quarantine: Annotated[
        bool, typer.Option("--quarantine", help="Move damaged steps away, so that the next run repeats them.")
    ] = False,
) -> None:
    """Compare everything in a store with its checksums, and list what is damaged. Exit with code 1 if anything is."""
    from trivium.engine.store import Store

    opened = Store(store).open_existing()
    damaged = list(opened.verify())
    for name, reason in damaged:
        say(f"{name} {reason}")
        if quarantine and name.startswith("steps/"):
            opened.quarantine(name.removeprefix("steps/"))
    moved = "; damaged steps were moved to quarantine" if quarantine and damaged else ""
    say(f"{len(opened.keys()):,} steps, {len(damaged):,} damaged{moved}.")
    if damaged:
        raise typer.Exit(1)


@store_app.command(epilog="Example: trivium store export --run first --out first.tar.gz")
def export(
    out: Annotated[Path, typer.Option("--out", help="The archive to write: .tar or .tar.gz.")],
    run: Annotated[
        list[str] | None, typer.Option("--run", help="Only the predictions of this run; repeatable.")
    ] = None,
    store: StoreFolder = STORE,
) -> None:
    """Write finished steps to an archive: all of them, or the predictions of runs, without the trained models."""
    from trivium.engine.transfer import export_steps

    number = export_steps(store, out, run or ())
    say(f"Wrote {number:,} steps to {out} ({_bytes(out.stat().st_size)})")


@store_app.command("import", epilog="Example: trivium store import first.tar.gz")
def import_(
    archives: Annotated[list[Path], typer.Argument(metavar="ARCHIVE...", help="Archives from trivium store export.")],
    store: StoreFolder = STORE,
) -> None:
    """Add the steps and runs of archives to a store. Existing steps are kept; damaged ones are rejected."""
    from trivium.engine.transfer import import_steps

    for archive in archives:
        say(f"Added {import_steps(archive, store):,} steps from {archive}")


@store_app.command(epilog="Example: trivium store merge other/.trivium s3://results/store")
def merge(
    stores: Annotated[list[str], typer.Argument(metavar="STORE...", help="The stores to copy from.")],
    store: StoreFolder = STORE,
) -> None:
    """Add the steps and runs of other stores, for instance of other machines, to a store."""
    from trivium.engine.transfer import merge_stores

    for other in stores:
        say(f"Added {merge_stores(other, store):,} steps from {other}")


def _bytes(number: float) -> str:
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"
