"""``trivium list``: what there is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from trivium.cli.console import out
from trivium.plugins import load_plugins

Plugins = Annotated[
    list[Path] | None,
    typer.Option("--plugin", help="A Python file with strategies, sources or benchmarks of your own; may be repeated."),
]


def add_list_command(app: typer.Typer) -> None:
    """Add ``list`` to the program."""

    @app.command("list")
    def list_parts(plugin: Plugins = None) -> None:
        """What there is: benchmarks, presets, strategies, models, sources, phenomena."""
        from trivium.benchmarks.benchmark import find_benchmarks
        from trivium.data.sources import find_sources
        from trivium.learn.strategy import find_strategies
        from trivium.models.fingerprint import EMBEDDED

        load_plugins(plugin or ())
        _section("benchmarks", ((name, part.about) for name, part in find_benchmarks().items()))
        for name, part in find_benchmarks().items():
            _section(f"presets of {name}", ((preset, _first_comment(file)) for preset, file in part.presets.items()))
        _section("strategies", ((name, _first_line(part.__doc__)) for name, part in find_strategies().items()))
        _section(
            "models",
            [
                *((name, part.about) for name, part in EMBEDDED.items()),
                ("FOLDER or owner/name", "any encoder that transformers can load"),
            ],
        )
        sources = [(name, make()) for name, make in find_sources().items()]
        _section("sources", ((name, part.about + ("" if part.is_there() else " (not here)")) for name, part in sources))
        _show_phenomena()
        if not all(part.is_there() for _, part in sources):
            out.print(
                "What is not here can be had: trivium data get NAME; trivium data list shows the names.", style="dim"
            )


def _show_phenomena() -> None:
    from trivium.build.phenomena.selection import AUTO, BUILTIN, source_of
    from trivium.data.phenomena import CATEGORIES, PHENOMENA

    notes = {None: " (not here)", BUILTIN: " (made)"}
    for category, about in CATEGORIES.items():
        mine = [part for _, part in PHENOMENA.items() if part.category == category]
        rows = ((part.name, f"{part.title}: {part.about}{notes.get(source_of(AUTO, part.name), '')}") for part in mine)
        _section(f"phenomena, {category}: {about}", rows)


def _section(title: str, rows: Iterable[tuple[str, str]]) -> None:
    grid = Grid(box=None, show_header=False, pad_edge=False)
    grid.add_column(no_wrap=True, style="cyan")
    grid.add_column()
    for name, about in rows:
        grid.add_row(f"  {name}", about)
    out.print(f"[bold]{title}[/bold]")
    out.print(grid)


def _first_line(text: str | None) -> str:
    return (text or "").strip().splitlines()[0] if text else ""


def _first_comment(file: Path) -> str:
    return file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
