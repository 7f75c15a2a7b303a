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
class Chart:
    """A chart with panels side by side.

    ``lines`` follow a series along x, ``dots`` compare series at each x, a ``grid`` has a coloured cell for each
    series (a row) and x (a column).

    Series and x values are drawn in the order in which they first occur.
    """

    name: str
    title: str
    caption: str
    kind: Literal["lines", "dots", "grid"]
    y: str
    points: tuple[Point, ...]
