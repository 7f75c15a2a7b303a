"""Charts as SVG: measured values as filled dots with intervals, published values as hollow diamonds.

Altair is imported by the functions that use it, because loading it is slow.
"""

from __future__ import annotations

import io
import json
import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from trivium.measure.chart import Chart, Curves, Figure, Point, Scatter

if TYPE_CHECKING:
    import altair as alt

# Okabe and Ito (2008): distinguishable with every type of colour vision. Without yellow, which is faint on white.
_PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
_CURVE_HEIGHT = 220
_INK, _GREY, _GRID = "#222222", "#555555", "#e6e6e6"
_FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
# Legends are laid out with the widths of Arial; the browser may have a wider font.
_WITH_ROOM = "pad(datum.label, ceil(1.3 * length(datum.label)), '\\u00a0', 'left')"
_OURS = "ours, with 95 % interval"
_PUBLISHED = "published"
WIDE, NARROW = 860, 330
"""The width of the panels of a chart for a page, and for a telephone, where they are below each other."""
_HEIGHT, _GAP = 250, 24
# All in pixels.
_MIN_STEP = 34  # for each x
_LETTER_WIDTH = 6.2  # average of the letters of a label
_MIN_CELL_HEIGHT = 24  # of a grid
_LINE_HEIGHT = 15  # for each series in a chart of rows
_LABEL_LETTERS = 22  # letters in a line of a row's label, if the chart is narrow
_DODGE = 9  # between marks at the same x


class _Panels(NamedTuple):
    """What the panels of a chart share: their order, their size, and the positions of marks at the same x."""

    names: list[str]
    series: list[str]
    xs: list[str]
    marks: int  # of each series at an x: 1, or 2 with published values
    width: int
    columns: int  # of panels

    @property
    def legend_columns(self) -> int:
        """The number of columns of the legend."""
        return 4 if self.columns * self.width > NARROW else 2

    @property
    def step(self) -> float:
        """The width of each x, in pixels."""
        return self.width / len(self.xs)

    def offset(self, series: str, mark: int) -> float:
        """Return the offset of a mark from the start of its x; ``mark`` is 0 for measured, 1 for published values."""
        total = self.marks * len(self.series)
        dodge = min(_DODGE, 0.8 * self.step / total)
        return round(self.step / 2 + (self.marks * self.series.index(series) + mark - (total - 1) / 2) * dodge, 2)

    @property
    def is_single(self) -> bool:
        """Whether there is only one series."""
        return self.series == [_OURS]


def draw(chart: Figure, width: int = WIDE) -> str:
    """Return a chart as SVG; the same chart always gives the same text. Values that are not finite are omitted."""
    import altair as alt

    if isinstance(chart, Scatter | Curves):
        return _to_svg(_dots(chart, width), chart)
    chart = replace(chart, points=tuple(point for point in chart.points if _is_finite(point)))
    if not chart.points:
        raise ValueError(f"chart {chart.name!r} has nothing to draw")
    series = _series(chart)
    panels = _panels(chart, series, width)
    if chart.kind == "rows":
        return _to_svg(_rows_chart(chart, panels, _rows(chart, series, panels)), chart)
    layers = _grid_layers(chart, panels) if chart.kind == "grid" else _layers(chart, panels)
    picture = (
        alt.layer(*layers, data=alt.InlineData(values=_rows(chart, series, panels)))
        .properties(width=panels.width, height=_height(chart, panels))
        .facet(_header(panels), columns=panels.columns, spacing=_GAP)
        .configure(**_config())
    )
    return _to_svg(picture, chart)


def _to_svg(picture: Any, chart: Figure) -> str:
    out = io.StringIO()
    picture.save(out, format="svg")
    return _with_description(out.getvalue(), chart)


def _dots(chart: Scatter | Curves, total: int) -> Any:
    """Return dots in panels that each have their own scale, without axes; or lines through them, with axes."""
    import altair as alt

    names, series = _in_order(dot.panel for dot in chart.dots), _in_order(dot.series for dot in chart.dots)
    columns = _columns(names, total)
    width = (total - _GAP * (columns - 1)) // columns
    panels = _Panels(names, series, [""], 1, width, columns)
    rows = [{"panel": dot.panel, "series": dot.series, "x": dot.x, "y": dot.y} for dot in chart.dots]
    legend = alt.Legend(title=None, symbolSize=70, symbolOpacity=1, labelExpr=_WITH_ROOM, columns=panels.legend_columns)
    if isinstance(chart, Curves):
        marks = alt.Chart().mark_line(strokeWidth=1.6)
        axes: list[Any] = [alt.Axis(title=title, grid=False, tickCount=5) for title in (chart.x, chart.y)]
        height = _CURVE_HEIGHT
    else:
        marks = alt.Chart().mark_circle(size=26, opacity=0.75)
        axes, height = [None, None], width
    encoded = marks.encode(
        x=alt.X("x:Q", axis=axes[0], scale=alt.Scale(zero=False)),
        y=alt.Y("y:Q", axis=axes[1], scale=alt.Scale(zero=False)),
        color=alt.Color("series:N", scale=alt.Scale(domain=series, range=_PALETTE), legend=legend),
    )
    return (
        alt.layer(encoded, data=alt.InlineData(values=rows))
        .properties(width=width, height=height)
        .facet(_header(panels), columns=columns, spacing=_GAP)
        .resolve_scale(x="independent", y="independent")
        .configure(**(_config() | {"view": alt.ViewConfig(stroke=_GRID)}))
    )


def _rows_chart(chart: Chart, panels: _Panels, rows: list[dict[str, Any]]) -> Any:
    """Return dots with intervals on a line for each x, with panels below each other."""
    import altair as alt

    lines = {
        name: [x for x in panels.xs if any(r["panel"] == name and r["x"] == x for r in rows)] for name in panels.names
    }
    is_wide = panels.width == WIDE
    labels = {x: [x] if is_wide else textwrap.wrap(x, _LABEL_LETTERS) for x in panels.xs}
    height = _LINE_HEIGHT * max(len(panels.series), *map(len, labels.values()))
    plot = WIDE - 180 if is_wide else int(NARROW - _LABEL_LETTERS * _LETTER_WIDTH)

    def panel(name: str) -> Any:
        label = alt.Axis(labelLimit=0, ticks=False, labelExpr=f"{json.dumps(labels)}[datum.value]")
        y = alt.Y("x:N", sort=lines[name], title=None, scale=alt.Scale(type="band"), axis=label)
        last = name == panels.names[-1]
        axis = alt.Axis(tickCount=8 if is_wide else 4, labels=last, ticks=last, title=chart.y if last else None)
        base = alt.Chart(alt.InlineData(values=[row for row in rows if row["panel"] == name]))
        base = base.encode(y=y, color=_colour(panels))
        if not panels.is_single:
            base = base.encode(yOffset=alt.YOffset("series:N", sort=panels.series))

        def x(field: str) -> alt.X:
            return alt.X(field, scale=_y_scale(chart), axis=axis)

        layers = [
            base.mark_rule(strokeWidth=1.5).encode(x=x("low:Q"), x2="high:Q"),
            base.mark_point(filled=True, size=45, opacity=1).encode(x=x("value:Q")),
        ]
        title = alt.TitleParams(name, anchor="start", fontSize=12, color=_INK, offset=4)
        return alt.layer(*layers).properties(width=plot, height=height * len(lines[name]), title=title)

    config = _config() | {"axisX": alt.AxisConfig(grid=True), "axisY": alt.AxisConfig(grid=True)}
    left = 40 if is_wide else 24  # the browser's font may be wider
    config["padding"] = {"left": left, "right": 10, "top": 5, "bottom": 5}
    return alt.vconcat(*(panel(name) for name in panels.names), spacing=10).configure(**config)


def can_draw(chart: Figure) -> bool:
    """Return whether there is anything to draw."""
    if isinstance(chart, Scatter | Curves):
        return bool(chart.dots)
    return any(_is_finite(point) for point in chart.points)


def _is_finite(point: Point) -> bool:
    return all(math.isfinite(value) for value in (point.measured.value, point.measured.low, point.measured.high))


def _series(chart: Chart) -> list[str]:
    """Return the series of each point. If no x has several points, colours are useless and all are one series."""
    positions = {(point.panel, point.x) for point in chart.points}
    if chart.kind in ("dots", "rows") and len(positions) == len(chart.points):
        return [_OURS] * len(chart.points)
    return [point.series for point in chart.points]


def _panels(chart: Chart, series: Iterable[str], total: int) -> _Panels:
    names = _in_order(point.panel for point in chart.points)
    xs = _in_order(point.x for point in chart.points)
    marks = 2 if any(point.published is not None for point in chart.points) else 1
    columns = 1 if chart.kind == "rows" else _columns(names, total)
    width = (total - _GAP * (columns - 1)) // columns
    least = _MIN_STEP * len(xs) if chart.kind != "rows" and total == WIDE else 0
    return _Panels(names, _in_order(series), xs, marks, max(width, least), columns)


def _columns(panels: Sequence[str], width: int) -> int:
    """Return how many panels are beside each other."""
    return len(panels) if width == WIDE else 1


def _height(chart: Chart, panels: _Panels) -> int:
    return max(_HEIGHT, _MIN_CELL_HEIGHT * len(panels.series)) if chart.kind == "grid" else _HEIGHT


def _in_order(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _rows(chart: Chart, series: Iterable[str], panels: _Panels) -> list[dict[str, Any]]:
    return [
        {
            "panel": point.panel,
            "series": name,
            "mark": _PUBLISHED,
            "x": point.x,
            "index": panels.xs.index(point.x),
            "value": point.measured.value,
            "low": point.measured.low,
            "high": point.measured.high,
            "published": point.published,
            "offset": panels.offset(name, 0),
            "published_offset": panels.offset(name, 1),
        }
        for point, name in zip(chart.points, series, strict=True)
    ]


def _layers(chart: Chart, panels: _Panels) -> list[alt.Chart]:
    import altair as alt

    def y(field: str) -> alt.Y:
        return alt.Y(field, title=chart.y, scale=_y_scale(chart), axis=_y_axis())

    scale = alt.Scale(type="band", padding=0)
    x = alt.X("x:N", sort=panels.xs, title=None, scale=scale, axis=_x_axis(panels))
    base = alt.Chart().encode(x=x, order=alt.Order("index:Q"))
    ours = base.encode(xOffset=alt.XOffset("offset:Q", scale=None), color=_colour(panels))
    layers = [
        ours.mark_rule(strokeWidth=1.5, opacity=1).encode(y=y("low:Q"), y2="high:Q"),
        ours.mark_tick(size=9, thickness=1.5, opacity=1).encode(y=y("low:Q")),
        ours.mark_tick(size=9, thickness=1.5, opacity=1).encode(y=y("high:Q")),
        ours.mark_point(filled=True, size=50, opacity=1).encode(y=y("value:Q")),
    ]
    if chart.kind == "lines":
        layers.insert(0, ours.mark_line(strokeWidth=2).encode(y=y("value:Q")))
    if panels.marks == 1:
        return layers
    theirs = base.encode(xOffset=alt.XOffset("published_offset:Q", scale=None), y=y("published:Q"))
    return layers + _published_layers(theirs.transform_filter("isValid(datum.published)"), chart, panels)


def _grid_layers(chart: Chart, panels: _Panels) -> list[alt.Chart]:
    """Return a coloured cell with its value for each row and column."""
    import altair as alt

    base = alt.Chart().encode(
        x=alt.X(
            "x:N", sort=panels.xs, title=None, axis=alt.Axis(labelAngle=0, orient="top", domain=False, ticks=False)
        ),
        y=alt.Y("series:N", sort=panels.series, title=None, axis=alt.Axis(domain=False, ticks=False)),
    )
    scale = alt.Scale(domain=[0, 100] if "%" in chart.y else alt.Undefined, scheme="blues")
    colour = alt.Color("value:Q", scale=scale, legend=alt.Legend(title=chart.y, orient="right"))
    ink = alt.condition("datum.value > 60", alt.value("white"), alt.value(_INK))
    return [
        base.mark_rect(stroke="white", strokeWidth=2).encode(color=colour),
        base.mark_text(fontSize=14).encode(text=alt.Text("value:Q", format=".1f"), color=ink),
    ]


def _published_layers(base: alt.Chart, chart: Chart, panels: _Panels) -> list[alt.Chart]:
    """Return hollow diamonds: grey ones for the legend, covered by those in the colours of their series."""
    diamond: dict[str, Any] = {"shape": "diamond", "filled": False, "size": 58, "strokeWidth": 1.4, "opacity": 1}
    grey = base.mark_point(**diamond, color=_GREY).encode(shape=_diamond())
    if panels.is_single:
        return [grey]
    coloured = base.encode(color=_colour(panels))
    layers = [grey, coloured.mark_point(**diamond, fill="white")]
    return [coloured.mark_line(strokeWidth=1, strokeDash=[4, 3]), *layers] if chart.kind == "lines" else layers


def _colour(panels: _Panels) -> alt.Color:
    import altair as alt

    legend = alt.Legend(
        title=None if panels.is_single else f"{_OURS}:",
        titleOrient="left" if panels.legend_columns > 2 else "top", titlePadding=45 if panels.legend_columns > 2 else 5,
        labelExpr=_WITH_ROOM, columns=panels.legend_columns,
        symbolType="circle", symbolStrokeWidth=0, symbolSize=70, symbolOpacity=1,
    )  # fmt: skip
    return alt.Color("series:N", scale=alt.Scale(domain=panels.series, range=_PALETTE), legend=legend)


def _diamond() -> alt.Shape:
    import altair as alt

    legend = alt.Legend(title=None, symbolSize=60, symbolStrokeWidth=1.4)
    return alt.Shape("mark:N", scale=alt.Scale(domain=[_PUBLISHED], range=["diamond"]), legend=legend)


def _x_axis(panels: _Panels) -> alt.Axis:
    import altair as alt

    longest = max(len(x) for x in panels.xs)
    if longest * _LETTER_WIDTH < panels.step:
        return alt.Axis(labelAngle=0, labelLimit=0)
    return alt.Axis(labelAngle=-40, labelLimit=160)


def _y_axis() -> alt.Axis:
    import altair as alt

    zero = alt.condition("datum.value == 0", alt.value("#999999"), alt.value(_GRID))
    return alt.Axis(tickCount=6, gridColor=zero)


def _y_scale(chart: Chart) -> alt.Scale:
    """Return a scale from 0, for percentages to 100, extended if there are values beyond."""
    import altair as alt

    values = [value for point in chart.points for value in (point.measured.low, point.measured.high, point.published)]
    known = [value for value in values if value is not None]
    low, high = min(0.0, *known), max(known)
    if "%" in chart.y:
        bounds = [math.floor(low / 10) * 10, 100 if high <= 100 else math.ceil(high / 10) * 10]
        # A relative change of a small number can be far below −100 %: clip it at the edge.
        return alt.Scale(domain=[max(-100, bounds[0]), bounds[1]], nice=False, clamp=True)
    return alt.Scale(domain=[low, high if high > low else low + 1], nice=True)


def _header(panels: _Panels) -> alt.Facet:
    """Return the names of the panels, with long ones on several lines."""
    import altair as alt

    letters = max(8, int(panels.width / (1.25 * _LETTER_WIDTH)))
    lines = {name: textwrap.wrap(name, letters) or [name] for name in panels.names}
    header = alt.Header(
        labelExpr=f"{json.dumps(lines)}[datum.value]",
        labelFontSize=13, labelFontWeight="bold", labelPadding=8, labelColor=_INK, labelLimit=0, labelLineHeight=16,
    )  # fmt: skip
    return alt.Facet("panel:N", sort=panels.names, title=None, header=header)


def _config() -> dict[str, Any]:
    import altair as alt

    return {
        "aria": False,  # the whole chart has a label; labels of hundreds of marks would not help
        "background": "white",
        "font": _FONT,
        "axis": alt.AxisConfig(
            labelColor=_GREY, titleColor=_GREY, labelFontSize=12, titleFontSize=12, titleFontWeight="normal",
            gridColor=_GRID, domainColor="#999999", tickColor="#999999",
        ),
        "axisX": alt.AxisConfig(grid=False),
        "legend": alt.LegendConfig(
            orient="bottom", labelFontSize=12, titleFontSize=12, titleFontWeight="normal", labelColor=_INK,
            titleColor=_GREY, labelLimit=0, offset=14,
        ),
        "view": alt.ViewConfig(stroke=None),
    }  # fmt: skip


def _with_description(svg: str, chart: Figure) -> str:
    """Return the SVG with a role, a label and a title for screen readers."""
    label = f"{chart.title}. {chart.caption}"
    opening = f'<svg role="img" aria-label="{escape(label)}"'
    svg = svg.replace("<svg", opening, 1)
    return re.sub(r"(<svg[^>]*>)", lambda tag: f"{tag[0]}<title>{escape(chart.title)}</title>", svg, count=1)
