"""Two documents: one with everything that can occur, and an empty one."""

from __future__ import annotations

import pytest

from trivium.measure.chart import Chart, Point
from trivium.measure.claim import Claim
from trivium.measure.error_examples import ErrorExample, ErrorExamples, ErrorGroup
from trivium.measure.statistics.intervals import Interval
from trivium.measure.table import Cell, Row, Table
from trivium.report.document import Document

ODD = 'a < b & "c"'


def _count(number: int, published: float | None = None) -> Cell:
    return Cell(Interval(number, number, number), published=published)


def _tables() -> tuple[Table, ...]:
    accuracy = Table(
        "Table 1",
        f"Accuracy of {ODD}",
        ("V", "N"),
        (
            Row("all at once", (Cell(Interval(81.34, 79.12, 83.21), 0.72, 99.96, 0.12), Cell.empty())),
            Row("plain", (Cell(Interval(71.7, 70.3, 72.9), None, 80.72), Cell(published=94.25)), "first | second"),
            Row("own", (Cell(Interval(-1.26, -2.31, 0.04)), Cell(Interval(100.0, 100.0, 100.0))), "first | second"),
            Row("replay", (Cell(), Cell()), "second, first"),
        ),
        notes=("Ours: <i>small</i>.", "Published: large."),
    )
    counts = Table("Table 2", "Sizes", ("pairs", "verbs"), (Row("ee_e", (_count(5969, 5976), _count(23))),), "count")
    return accuracy, counts


def _claims() -> tuple[Claim, ...]:
    return (
        Claim("6.1 It is harder", f"{ODD} is harder", "V − N", 7.27, Interval(6.93, 4.71, 9.02)),
        Claim("6.1 It is harder", "the other way round too", "N − V", 9.31, Interval(-3.33, -5.51, -1.14)),
        Claim("7.1 Order matters", "first is better", "first − second", None, Interval(0.44, -1.83, 2.52)),
        Claim("7.1 Order matters", "last is better", "last − first", 2.1, None),
    )


def _charts() -> tuple[Chart, ...]:
    lines = tuple(
        Point(panel, series, stage, Interval(value, value - 2.5, value + 1.5), published)
        for panel in (f"panel {ODD}", "panel 2")
        for series, stage, value, published in (
            ("veridical", "S1", 97.5, 100.0),
            ("veridical", "S2", 61.3, None),
            ("natural", "S1", 33.4, None),
            ("natural", "S2", 88.8, 94.2),
        )
    )
    dots = tuple(
        Point("order", name, name, Interval(value, value - 3, value + 3), None)
        for name, value in (("no strategy", 30.2), ("ER-Res", 44.6))
    )
    return (
        Chart("stages", f"Stages {ODD}", "What each stage does.", "lines", "accuracy, %", lines),
        Chart("strategies", "Strategies", "How they compare.", "dots", "accuracy, %", dots),
    )


@pytest.fixture
def document() -> Document:
    """A document with missing and blank cells, with and without published values, spreads, and text to escape."""
    return Document(
        f"A report on {ODD}",
        ("First paragraph.", f"Second paragraph: {ODD}."),
        _tables(),
        _claims(),
        _charts(),
        'name = "<minilm>"\nseeds = [0, 1]\n',
        ("trivium run c2gen --preset laptop", "trivium report --out 'a & b.html'"),
        (("torch", "2.6.0"), ("processor", "Xeon <R>")),
        ("One seed.", f"Two of nine {ODD}."),
        (
            ErrorExamples(
                f"Runs {ODD}",
                "Some of them.",
                (
                    ErrorGroup(
                        "right", 7, (ErrorExample(f"Premise {ODD}", "Hypothesis", (("whole", "neutral", "neutral"),)),)
                    ),
                    ErrorGroup(
                        "wrong", 1, (ErrorExample("Other premise", "Other", (("whole", "neutral", "entailment"),)),)
                    ),
                ),
            ),
        ),
    )


@pytest.fixture
def empty() -> Document:
    """A document with a title and nothing else."""
    return Document("Nothing yet")
