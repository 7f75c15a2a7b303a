"""Plots are readable, and measured values are distinct from published ones."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from trivium.measure.chart import Chart, Dot, Point, Scatter
from trivium.measure.statistics.intervals import Interval
from trivium.report.document import Document
from trivium.report.plots import can_draw, draw

SVG = "{http://www.w3.org/2000/svg}"
STRATEGIES = ("no strategy", "ER-Res", "ER-Buff", "ER-Mir", "A-GEM", "KD")


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(svg).iter(f"{SVG}text")]


def symbols(svg: str) -> list[ET.Element]:
    """The dots and diamonds of the panels, without those of the legend."""
    groups = [g for g in ET.fromstring(svg).iter(f"{SVG}g") if "mark-symbol role-mark" in g.get("class", "")]
    return [path for group in groups for path in group.iter(f"{SVG}path")]


def filled(svg: str) -> list[ET.Element]:
    return [mark for mark in symbols(svg) if mark.get("fill", "transparent") not in ("transparent", "white", "none")]


def hollow(svg: str) -> list[ET.Element]:
    return [mark for mark in symbols(svg) if mark.get("fill", "transparent") in ("transparent", "white", "none")]


def crowded() -> Chart:
    points = tuple(
        Point(f"a panel with a long name, number {panel}", name, name, Interval(40 + panel, 38, 47), 44.5)
        for panel in range(4)
        for name in STRATEGIES
    )
    return Chart("crowded", "Crowded", "Four panels, six strategies.", "dots", "accuracy, %", points)


def test_a_plot_has_a_description_for_screen_readers(document: Document) -> None:
    chart = document.charts[0]
    root = ET.fromstring(draw(chart))
    assert root.get("role") == "img"
    assert root.get("aria-label") == f"{chart.title}. {chart.caption}"
    assert root.findtext(f"{SVG}title") == chart.title


def test_every_point_is_drawn_and_published_ones_are_hollow(document: Document) -> None:
    svg = draw(document.charts[0])
    assert len(filled(svg)) == 8
    # Each published value has a grey diamond, which the legend shows, and one in the colour of its series above it.
    assert len(hollow(svg)) == 2 * 4
    assert "published" in texts(svg)
    shapes = {len(re.findall(r"[LA]", str(mark.get("d")))) for mark in filled(svg)}
    assert shapes.isdisjoint({len(re.findall(r"[LA]", str(mark.get("d")))) for mark in hollow(svg)})


def test_without_published_values_the_legend_does_not_name_them(document: Document) -> None:
    svg = draw(document.charts[1])
    assert len(filled(svg)) == 2
    assert hollow(svg) == []
    assert "published" not in texts(svg)


def test_series_and_x_are_in_order_of_first_occurrence(document: Document) -> None:
    words = texts(draw(document.charts[0]))
    assert words.index("veridical") < words.index("natural")
    assert [word for word in texts(draw(crowded())) if word in STRATEGIES] == [*STRATEGIES] * 4


@pytest.mark.parametrize("kind", ["lines", "dots"])
def test_percentages_are_drawn_from_0_to_100(kind: str) -> None:
    chart = replace(crowded(), kind=kind)
    ticks = [word for word in texts(draw(chart)) if re.fullmatch(r"[−\d]+", word)]
    assert ticks == ["0", "20", "40", "60", "80", "100"]


def test_the_axis_of_percentages_extends_to_negative_values() -> None:
    points = (Point("p", "s", "x", Interval(-4, -7, -1)), Point("p", "s", "y", Interval(30, 28, 31)))
    words = texts(draw(Chart("c", "t", "c", "lines", "forgotten, %", points)))
    assert "0" in words
    assert "100" in words


def test_labels_do_not_overlap_in_a_crowded_chart() -> None:
    labels = re.findall(r"rotate\((-?\d+)\)[^>]*>(?:no strategy|KD)<", draw(crowded()))
    assert labels == ["320"] * 8


def test_long_panel_names_are_wrapped() -> None:
    lines = [str(line.text) for line in ET.fromstring(draw(crowded())).iter(f"{SVG}tspan")]
    assert " ".join(lines[:2]) == "a panel with a long name, number 0"
    assert len(lines) == 8


def test_values_that_are_not_finite_are_omitted() -> None:
    odd = Point("p", "s", "x", Interval(math.nan, math.nan, math.inf))
    good = Point("p", "s", "y", Interval(30, 28, 31))
    assert len(filled(draw(Chart("c", "t", "c", "dots", "accuracy, %", (odd, good))))) == 1
    assert not can_draw(Chart("c", "t", "c", "dots", "accuracy, %", (odd,)))
    with pytest.raises(ValueError, match="nothing to draw"):
        draw(Chart("c", "t", "c", "dots", "accuracy, %", (odd,)))


def test_drawing_is_deterministic(document: Document) -> None:
    assert [draw(chart) for chart in document.charts] == [draw(chart) for chart in document.charts]


def test_a_grid_has_a_cell_with_its_value_for_each_row_and_column() -> None:
    positions = [(panel, row, column) for panel in ("ours", "published") for row in "ab" for column in "xyz"]
    points = tuple(
        Point(panel, row, column, Interval(*[10.0 * number + 0.2] * 3))
        for number, (panel, row, column) in enumerate(positions[:-1])
    )
    svg = draw(Chart("grid", "Grid", "Cells.", "grid", "accuracy, %", points))
    labels = texts(svg)
    assert [f"{10 * number + 0.2:.1f}" in labels for number in range(11)] == [True] * 11
    assert {"ours", "published", "a", "b", "x", "y", "z"} <= set(labels)


def test_a_scatter_plot_has_a_dot_for_each_point_and_names_its_panels() -> None:
    dots = tuple(Dot(panel, series, float(i), float(-i)) for panel in ("S1", "S2") for series in "en" for i in range(5))
    svg = draw(Scatter("vectors", "Vectors", "In the plane.", dots))
    assert len(symbols(svg)) == 20
    assert {"S1", "S2", "e", "n"} <= set(texts(svg))
    assert 'aria-label="Vectors. In the plane."' in svg
    assert not can_draw(Scatter("none", "None", "", ()))


def test_rows_have_a_line_for_each_name_in_its_panel_and_a_dot_for_each_series() -> None:
    points = [
        Point(panel, series, f"{panel}-{name}", Interval(value, value - 5, value + 5))
        for panel, names in (("lexical", "abc"), ("logical", "de"))
        for name, value in zip(names, (20, 40, 60), strict=False)
        for series in ("model", "baseline")
    ]
    svg = draw(Chart("rows", "Rows", "Names below each other.", "rows", "accuracy, %", tuple(points)))
    assert len(filled(svg)) == 10
    labels = texts(svg)
    names = [text for text in labels if re.fullmatch(r"(lexical|logical)-\w", text)]
    assert names == ["lexical-a", "lexical-b", "lexical-c", "logical-d", "logical-e"]
    assert {"lexical", "logical", "model", "baseline", "accuracy, %"} <= set(labels)
