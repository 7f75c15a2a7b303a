"""Tables as data: measured values beside published ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from trivium.measure.claim import lack_of
from trivium.measure.statistics.estimate import Estimate
from trivium.measure.statistics.intervals import Interval, interval

COUNT, SCORE = "count", "score"


@dataclass(frozen=True)
class Cell:
    """A measured value with its interval and its spread over seeds, beside the published value and spread.

    All values are in the unit of the table. An ``exact`` value, such as the proportion of a label in the data, is shown
    without an interval; a ``blank`` cell is empty. ``baseline`` is the accuracy of the best baseline on the same
    examples, and ``mark`` says that a model is not above it, or that it gives the same answer to every example.
    """

    measured: Interval | None = None
    spread: float | None = None
    published: float | None = None
    published_spread: float | None = None
    blank: bool = False
    exact: bool = False
    baseline: float | None = None
    mark: str = ""

    @classmethod
    def without_interval(cls, value: float, published: float | None = None) -> Cell:
        """Return a cell whose value has no interval."""
        return cls(Interval(value, value, value), published=published, exact=True)

    @classmethod
    def given(cls, value: float) -> Cell:
        """Return a cell with a published value alone."""
        return cls(published=value)

    @classmethod
    def empty(cls) -> Cell:
        """Return a cell that is empty in the paper too."""
        return cls(blank=True)


CONSTANT = "constant answers"


def percent_cell(
    estimate: Estimate | None, published: float | None = None, published_spread: float | None = None
) -> Cell:
    """Return a cell in percent for an estimate, which is a fraction."""
    if estimate is None:
        return Cell(published=published, published_spread=published_spread)
    spread, baseline = estimate.spread(), estimate.baseline
    mark = CONSTANT if baseline is not None and estimate.is_constant else lack_of(estimate)
    return Cell(
        100 * interval(estimate),
        None if spread is None else 100 * spread,
        published,
        published_spread,
        baseline=None if baseline is None else 100 * baseline,
        mark=mark,
    )


@dataclass(frozen=True)
class Row:
    """A row of a table; ``group`` is the heading it is listed under, ``about`` a sentence about it."""

    name: str
    cells: tuple[Cell, ...]
    group: str = ""
    about: str = ""


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
