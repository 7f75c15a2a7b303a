"""Charts as data: what is drawn, not how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trivium.measure.bootstrap import Interval


@dataclass(frozen=True)
class Point:
    """A value in a panel of a chart: which series it belongs to, its place on the x axis, and the published value."""

    panel: str
    series: str
    x: str
    measured: Interval
    published: float | None = None


@dataclass(frozen=True)
class Dot:
    """A point of a scatter plot."""

    panel: str
    series: str
    x: float
    y: float


@dataclass(frozen=True)
class Scatter:
    """Points in the plane, in panels side by side, coloured by series; the axes mean nothing."""

    name: str
    title: str
    caption: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Chart:
    """A chart with panels side by side.

    ``lines`` follow a series along x, ``dots`` compare series at each x, a ``grid`` has a coloured cell for each
    series (a row) and x (a column), ``rows`` are dots on a line for each x, the panels below each other.

    Series and x values are drawn in the order in which they first occur.
    """

    name: str
    title: str
    caption: str
    kind: Literal["lines", "dots", "grid", "rows"]
    y: str
    points: tuple[Point, ...]
