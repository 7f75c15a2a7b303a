"""Tables as data: what was measured beside what was published."""

from __future__ import annotations

from dataclasses import dataclass, field

from trivium.measure.bootstrap import Interval

COUNT, SCORE = "count", "score"


@dataclass(frozen=True)
class Cell:
    """A value with its spread over seeds and its interval, and the published one. All in the unit of the table.

    An ``exact`` value (a share of labels, say) has no interval to show.
    """

    measured: Interval | None = None
    spread: float | None = None
    published: float | None = None
    published_spread: float | None = None
    blank: bool = False
    exact: bool = False

    @classmethod
    def exactly(cls, value: float, published: float | None = None) -> Cell:
        """A value that is what it is."""
        return cls(Interval(value, value, value), published=published, exact=True)

    @classmethod
    def empty(cls) -> Cell:
        """A cell that the paper leaves empty too."""
        return cls(blank=True)


@dataclass(frozen=True)
class Row:
    """A line of a table; ``group`` is the heading it stands under."""

    name: str
    cells: tuple[Cell, ...]
    group: str = ""


@dataclass(frozen=True)
class Table:
    """A table of the paper with our figures: ``unit`` is ``%``, ``count``, or ``score`` for values around 1."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    unit: str = "%"
    notes: tuple[str, ...] = field(default=())

    @property
    def has_published(self) -> bool:
        """Whether a published figure stands beside one of ours."""
        return any(cell.published is not None for row in self.rows for cell in row.cells)
