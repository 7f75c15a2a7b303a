"""Tables as data: measured values beside published ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from trivium.measure.bootstrap import Interval, interval
from trivium.measure.metrics import Floats

COUNT, SCORE = "count", "score"


@dataclass(frozen=True)
class Cell:
    """A measured value with its interval and its spread over seeds, beside the published value and spread.

    All values are in the unit of the table. An ``exact`` value, such as the proportion of a label in the data, is shown
    without an interval; a ``blank`` cell is empty.
    """

    measured: Interval | None = None
    spread: float | None = None
    published: float | None = None
    published_spread: float | None = None
    blank: bool = False
    exact: bool = False

    @classmethod
    def without_interval(cls, value: float, published: float | None = None) -> Cell:
        """Return a cell whose value has no interval."""
        return cls(Interval(value, value, value), published=published, exact=True)

    @classmethod
    def empty(cls) -> Cell:
        """Return a cell that is empty in the paper too."""
        return cls(blank=True)


def percent_cell(
    quantity: Floats | None,
    spread: float | None = None,
    published: float | None = None,
    published_spread: float | None = None,
) -> Cell:
    """Return a cell in percent for a bootstrapped quantity and its spread, both given as fractions."""
    measured = None if quantity is None else interval(100 * quantity)
    return Cell(measured, None if spread is None else 100 * spread, published, published_spread)


@dataclass(frozen=True)
class Row:
    """A row of a table; ``group`` is the heading it is listed under."""

    name: str
    cells: tuple[Cell, ...]
    group: str = ""


@dataclass(frozen=True)
class Table:
    """A table with measured values. ``unit`` is ``%``, ``points``, ``count``, or ``score`` for values around 1."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    unit: str = "%"
    notes: tuple[str, ...] = field(default=())

    @property
    def has_published(self) -> bool:
        """Whether any cell has a published value."""
        return any(cell.published is not None for row in self.rows for cell in row.cells)
