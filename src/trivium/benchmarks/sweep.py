"""Sweeps: one setting at several values, and what becomes of a benchmark's main quantities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from trivium.engine.store import Store
from trivium.measure.bootstrap import interval
from trivium.measure.chart import Chart, Point
from trivium.measure.claim import Claim
from trivium.measure.metrics import Floats
from trivium.measure.table import Cell, Row, Table

if TYPE_CHECKING:
    from trivium.benchmarks.experiment import Experiment


class Headline(NamedTuple):
    """A main quantity of a run, in shares with resamples: the panel of the plot it belongs to, and its name."""

    panel: str
    name: str
    quantity: Floats | None


Found = Mapping[str, Sequence[Headline]]
"""The headlines of each value."""


def _no_claims(found: Found) -> list[Claim]:
    return []


@dataclass(frozen=True)
class Sweep:
    """A setting to vary: what it is, the values to try, and the ``--set`` changes that make each of them.

    ``published`` are the paper's figures by value, panel and name; ``claims`` is what the paper says about the whole.
    """

    about: str
    values: tuple[str, ...]
    changes: Callable[[Any, str], list[str]]
    published: Mapping[tuple[str, str, str], float] = field(default_factory=dict)
    claims: Callable[[Found], list[Claim]] = _no_claims


def headlines_of(runs: Mapping[str, Experiment[Any, Any]], store: Store) -> dict[str, list[Headline]]:
    """The headlines of the run of each value."""
    return {value: run.headlines(store) for value, run in runs.items()}


def sweep_chart(sweep: Sweep, found: Found) -> Chart:
    """A line for each headline along the values."""
    points = tuple(
        Point(line.panel, line.name, value, interval(100 * line.quantity), sweep.published.get((value, *line[:2])))
        for value, lines in found.items()
        for line in lines
        if line.quantity is not None
    )
    return Chart("sweep", f"By {sweep.about}", "Each value is a run of its own.", "lines", "points of %", points)


def sweep_table(sweep: Sweep, found: Found) -> Table:
    """A row for each headline, a column for each value."""
    first = next(iter(found.values()))
    rows = []
    for place, line in enumerate(first):
        quantities = [(value, lines[place].quantity) for value, lines in found.items()]
        cells = [
            Cell(None if q is None else interval(100 * q), published=sweep.published.get((value, *line[:2])))
            for value, q in quantities
        ]
        rows.append(Row(line.name, tuple(cells), line.panel))
    return Table("Sweep", f"by {sweep.about}", tuple(found), tuple(rows))
