"""Sweeps: run a benchmark with several values of one setting, and compare its main quantities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from trivium.engine.store import Store
from trivium.measure.chart import Chart, Point
from trivium.measure.claim import Claim
from trivium.measure.statistics.estimate import Estimate
from trivium.measure.statistics.intervals import interval
from trivium.measure.table import Row, Table, percent_cell

if TYPE_CHECKING:
    from trivium.benchmarks.experiment import Experiment


class Headline(NamedTuple):
    """A main quantity of a run, as a fraction; ``panel`` is its panel in the chart."""

    panel: str
    name: str
    quantity: Estimate | None


Headlines = Mapping[str, Sequence[Headline]]
"""The headlines of each run, by the value of the setting."""


def _no_claims(headlines: Headlines) -> list[Claim]:
    return []


@dataclass(frozen=True)
class Sweep:
    """A setting to vary: its description, the values to try, and a function that returns the overrides for a value.

    ``published`` has the paper's figures by value, panel and name. ``claims`` returns the paper's claims.
    """

    about: str
    values: tuple[str, ...]
    changes: Callable[[Any, str], list[str]]
    published: Mapping[tuple[str, str, str], float] = field(default_factory=dict)
    claims: Callable[[Headlines], list[Claim]] = _no_claims


def collect_headlines(runs: Mapping[str, Experiment[Any, Any]], store: Store) -> dict[str, list[Headline]]:
    """Return the headlines of each run, by the value of the setting."""
    return {value: run.headlines(store) for value, run in runs.items()}


def sweep_chart(sweep: Sweep, headlines: Headlines) -> Chart:
    """Return a chart with the values on the x axis and a line for each headline."""
    points = tuple(
        Point(
            headline.panel,
            headline.name,
            value,
            100 * interval(headline.quantity),
            sweep.published.get((value, headline.panel, headline.name)),
        )
        for value, at_value in headlines.items()
        for headline in at_value
        if headline.quantity is not None
    )
    return Chart("sweep", f"By {sweep.about}", "Each value is a separate run.", "lines", "percentage points", points)


def sweep_table(sweep: Sweep, headlines: Headlines) -> Table:
    """Return a table with a row for each headline and a column for each value."""
    first = next(iter(headlines.values()))
    rows = []
    for index, headline in enumerate(first):
        quantities = {value: at_value[index].quantity for value, at_value in headlines.items()}
        cells = [
            percent_cell(quantity, published=sweep.published.get((value, headline.panel, headline.name)))
            for value, quantity in quantities.items()
        ]
        rows.append(Row(headline.name, tuple(cells), headline.panel))
    return Table("Sweep", f"by {sweep.about}", tuple(headlines), tuple(rows))
