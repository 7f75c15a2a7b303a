"""Published figures: the numbers that a paper prints, kept in ``published.toml`` beside its benchmark.

They are shown beside the results, and never replace a missing result.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class Figure(NamedTuple):
    """A published value, and its standard deviation if the paper prints one."""

    value: float
    spread: float | None = None


@cache
def load_published(folder: Path) -> dict[str, Any]:
    """Return the content of ``published.toml`` in the folder of a benchmark."""
    return tomllib.loads((folder / "published.toml").read_text(encoding="utf-8"))


def parse_row(row: str) -> tuple[Figure | None, ...]:
    """Return the cells of a table row such as ``"99.96±0.12 94.36 -"``, where ``-`` is an empty cell."""
    return tuple(None if cell == "-" else parse_figure(cell) for cell in row.split())


def parse_figure(cell: str) -> Figure:
    """Return the figure of a cell: a value, or a value and its standard deviation, such as ``"99.96±0.12"``."""
    value, _, spread = cell.partition("±")
    return Figure(float(value), float(spread) if spread else None)
