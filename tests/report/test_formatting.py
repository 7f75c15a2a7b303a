"""Reasons why claims are not decided."""

from __future__ import annotations

import pytest

from trivium.measure.chart import Chart, Point
from trivium.measure.claim import Claim, Evidence
from trivium.measure.statistics.intervals import Interval
from trivium.measure.table import Cell
from trivium.report.document import Document
from trivium.report.formatting import baseline_of, figure, own_reasons, reasons, unit_of
from trivium.report.markdown import to_markdown


def claim(measured: Interval | None, needs: str = "", obstacle: str = "") -> Claim:
    return Claim("group", "text", "quantity", None, measured, needs, Evidence(obstacle=obstacle))


def test_a_reason_that_claims_share_is_given_once_and_others_with_their_claim() -> None:
    undecided = [claim(Interval(1, -1, 2)), claim(Interval(2, -1, 3)), claim(Interval(0, -1, 1))]
    blocked = claim(Interval(1, 0.5, 2), obstacle="one training; 3 are needed")
    missing = [claim(None, "nine folds"), claim(None, "nine folds"), claim(None)]
    assert reasons([claim(Interval(1, 0.5, 2)), claim(Interval(-1, -2, -0.5))]) == []
    mixed = [*undecided, *missing, blocked]
    assert reasons(mixed) == ["Not decidable: one training; 3 are needed.", "Undecided: the interval contains zero."]
    assert own_reasons(mixed) == ["", "", "", "needs nine folds.", "needs nine folds.", "", ""]
    rows = to_markdown(Document("title", claims=tuple(mixed))).splitlines()
    assert sum(row.startswith("| not run") and row.rstrip(" |").endswith("needs nine folds.") for row in rows) == 2


def test_reasons_follow_the_claims() -> None:
    text = to_markdown(Document("title", claims=(claim(None, "nine folds"),)))
    assert text.rstrip().endswith("Not run: needs nine folds.")


@pytest.mark.parametrize(("y", "expected"), [("accuracy, %", "41.9"), ("Matthews' correlation", "0.419")])
def test_values_of_a_figure_have_the_digits_of_their_unit(y: str, expected: str) -> None:
    value = 41.9 if "%" in y else 0.419
    chart = Chart("n", "t", "c", "rows", y, (Point("p", "s", "x", Interval(value, value, value)),))
    assert figure(value, unit_of(chart)) == expected


def test_a_baseline_is_shown_with_the_mark_of_a_model_that_is_not_above_it() -> None:
    cell = Cell(Interval(67.7, 60.0, 74.0), baseline=66.3, mark="learned nothing")
    assert baseline_of(cell, "%") == "baseline 66.3, learned nothing"
    assert baseline_of(Cell(Interval(1.0, 0.5, 1.5)), "%") == ""
