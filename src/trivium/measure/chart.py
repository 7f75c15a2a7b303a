"""Charts as data. ``trivium.report`` draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trivium.measure.statistics.intervals import Interval


@dataclass(frozen=True)
class Point:
    """A measured value of a series at ``x``, in one panel of a chart, with the published value if there is one."""

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
    """A scatter plot with panels side by side, coloured by series. The axes have no unit."""

    name: str
    title: str
    caption: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Curves:
    """Lines through points with numbers on both axes, in panels side by side, such as losses over training steps."""

    name: str
    title: str
    caption: str
    x: str
    y: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Chart:
    """A chart with one or more panels.

    The ``kind`` is one of:

    - ``lines``: a line for each series along x
    - ``dots``: the series compared at each x
    - ``grid``: a heat map with a row for each series and a column for each x
    - ``rows``: a row of dots for each x, with the panels below each other

    Series and x values are drawn in the order in which they first occur.
    """

    name: str
    title: str
    caption: str
    kind: Literal["lines", "dots", "grid", "rows"]
    y: str
    points: tuple[Point, ...]


Figure = Chart | Scatter | Curves
"""Any figure of a report."""
