"""``trivium list``: list what is available. Must not import torch, so that it is quick."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from trivium.cli.console import out
from trivium.cli.options import Plugins
from trivium.errors import unknown_name

if TYPE_CHECKING:
    from trivium.learn.strategy import Strategy

Rows = Iterable[tuple[str, str]]
Section = tuple[str, Rows]
_NARROWEST = 10  # columns of descriptions, however narrow the terminal is


def list_components(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHAT]",
            help="benchmarks, presets, strategies, composers, models, sources, phenomena or trackers; by default all.",
        ),
    ] = None,
    plugin: Plugins = None,
) -> None:
    """List the benchmarks, presets, strategies, composers, models, sources, phenomena and trackers available."""
    from trivium.plugins import load_plugins

    load_plugins(plugin or ())
    if what is not None and what not in _SECTIONS:
        raise unknown_name("list", what, _SECTIONS)
    for name in _SECTIONS if what is None else (what,):
        for title, rows in _SECTIONS[name]():
            _print(title, rows)


def _benchmarks() -> Iterator[Section]:
    from trivium.benchmarks.benchmark import find_benchmarks

    yield "benchmarks", ((name, benchmark.about) for name, benchmark in find_benchmarks().items())


def _presets() -> Iterator[Section]:
    from trivium.benchmarks.benchmark import find_benchmarks

    for name, benchmark in find_benchmarks().items():
        yield f"presets of {name}", ((preset, _comment(file)) for preset, file in benchmark.presets.items())


def _strategies() -> Iterator[Section]:
    from trivium.learn.strategy import find_strategies

    yield "strategies", ((name, "\n".join(_about(cls))) for name, cls in sorted(find_strategies().items()))


def _composers() -> Iterator[Section]:
    from trivium.models.composer import find_composers

    yield "composers", ((name, _first_line(cls.__doc__)) for name, cls in sorted(find_composers().items()))


def _models() -> Iterator[Section]:
    from trivium.models.fingerprint import EMBEDDED

    yield (
        "models",
        [
            *((name, model.about) for name, model in EMBEDDED.items()),
            ("FOLDER or owner/name", "any encoder that transformers can load"),
        ],
    )


def _sources() -> Iterator[Section]:
    from trivium.data.sources import find_sources

    sources = [(name, make()) for name, make in find_sources().items()]
    complete = all(source.is_available() for _, source in sources)
    missing = "" if complete else " (get missing ones with trivium data get NAME)"
    rows = (
        (name, source.about + ("" if source.is_available() else " (not on this machine)")) for name, source in sources
    )
    yield f"sources{missing}", rows


def _phenomena() -> Iterator[Section]:
    from trivium.build.phenomena.selection import AUTO, BUILTIN, source_of
    from trivium.data.phenomena import CATEGORIES, PHENOMENA

    notes = {None: " (not on this machine)", BUILTIN: " (generated)"}
    for category, about in CATEGORIES.items():
        members = [phenomenon for _, phenomenon in PHENOMENA.items() if phenomenon.category == category]
        rows = [(p.name, f"{p.title}: {p.about}{notes.get(source_of(AUTO, p.name), '')}") for p in members]
        yield f"phenomena, {category}: {about}", rows


def _trackers() -> Iterator[Section]:
    from trivium.tracking import find_trackers

    yield "trackers", ((name, _first_line(cls.__doc__)) for name, cls in find_trackers().items())


_SECTIONS: dict[str, Callable[[], Iterator[Section]]] = {
    "benchmarks": _benchmarks,
    "presets": _presets,
    "strategies": _strategies,
    "composers": _composers,
    "models": _models,
    "sources": _sources,
    "phenomena": _phenomena,
    "trackers": _trackers,
}


def _print(title: str, rows: Rows) -> None:
    """Print names and descriptions in two columns, several times as fast as a table of rich."""
    texts = {f"  {name}": Text(about) for name, about in rows}
    indent = max(map(cell_len, texts), default=0) + 2
    page = Text("\n", style="bold").join([*Text(title).wrap(out, out.width), Text()])
    for name, about in texts.items():
        lines = about.wrap(out, max(_NARROWEST, out.width - indent))
        for first, line in zip(chain((name,), repeat("")), lines, strict=False):
            page.append(set_cell_size(first, indent), "not bold cyan").append(line.plain, "not bold").append("\n")
    out.print(page, end="", soft_wrap=True)


def _about(cls: type[Strategy]) -> Iterator[str]:
    """Yield what a strategy does, and its settings with their defaults."""
    from trivium.learn.strategy import strategy_defaults

    generated = f"{cls.__name__}("  # the docstring that a dataclass gets without one
    yield "(no description)" if (cls.__doc__ or generated).startswith(generated) else _first_line(cls.__doc__)
    if settings := strategy_defaults(cls):
        yield ", ".join(f"{name} = {value!r}" for name, value in settings.items())


def _first_line(text: str | None) -> str:
    return text.strip().splitlines()[0] if text else ""


def _comment(file: Path) -> str:
    """Return the comment at the top of a preset, up to the commands in it."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return " ".join(line[2:] for line in takewhile(lambda line: re.match(r"# \S", line), lines))
