"""The figures of the CFL paper (Pasunuru et al., 2021), read from ``published.toml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from trivium.benchmarks.published import Figure, load_published

_DATA = load_published(Path(__file__).parent)


class Sizes(NamedTuple):
    """The numbers of examples of a category as (few-shot, continual); ``train`` counts all support sets."""

    train: tuple[int, int]
    dev: tuple[int, int]
    test: tuple[int, int]
    total: tuple[int, int]


Row = dict[str, Figure]


def _figure(figure: float | Sequence[float]) -> Figure:
    """Return the figure written as ``value`` or ``[value, sd]``."""
    return Figure(figure) if isinstance(figure, int | float) else Figure(*figure)


def _row(columns: Sequence[str], figures: Sequence[float | Sequence[float]]) -> Row:
    return dict(zip(columns, map(_figure, figures), strict=True))


def _columns_without_average(suite: str) -> list[str]:
    return [column for column in _DATA["columns"][suite] if column != "Average"]


def _by_method(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Row]]:
    columns = _DATA["columns"]
    return {
        suite: {method: _row(columns[suite], row) for method, row in rows.items()} for suite, rows in tables.items()
    }


def _supports(suite: str, table: Mapping[str, Any]) -> dict[str, Row]:
    """Return the rows of Table 10 or 11: the base's head, and prototypes by loss and support set."""
    columns = _columns_without_average(suite)
    rows = {"head": _row(columns, table["head"])}
    for loss in ("cross-entropy", "prototypical"):
        rows |= {f"{loss} {support}": _row(columns, row) for support, row in table[loss].items()}
    return rows


PAPERS_MODEL: str = _DATA["model"]

FEW_SHOT = _by_method(_DATA["few-shot"])
"""Tables 4, 5 and 6, by suite, method and column."""

CONTINUAL = _by_method(_DATA["continual"])
"""Tables 7, 8 and 9, by suite, method and column."""

SUPPORTS = {suite: _supports(suite, table) for suite, table in _DATA["prototypes"].items()}
"""Tables 10 and 11, by suite, loss with support set, and column."""

AFTER_CATEGORY = {
    category: _row(_columns_without_average("anli"), row) for category, row in _DATA["after-category"].items()
}
"""Table 12: fine-tuning on ANLI R3, by the last learned category (``base`` before the first) and column."""

DOMAINS = {
    category: {domain: {method: _figure(figure) for method, figure in row.items()} for domain, row in rows.items()}
    for category, rows in _DATA["domains"].items()
}
"""Table 13: by category of ANLI R3, domain and method."""

ORDER_SPREAD: float = _DATA["order_sd"]
"""The standard deviation of the average over ten random orders of the categories (E.2)."""

SIZES = {
    suite: {name: Sizes(**{part: tuple(numbers) for part, numbers in row.items()}) for name, row in rows.items()}
    for suite, rows in _DATA["sizes"].items()
}
"""Tables 2 and 3, by suite and category."""


def methods(setup: str) -> dict[str, dict[str, Row]]:
    """Return Tables 4 to 6 for the few-shot setup, else Tables 7 to 9."""
    return FEW_SHOT if setup == "few-shot" else CONTINUAL
