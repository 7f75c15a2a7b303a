"""Reasons why claims are not decided."""

from __future__ import annotations

from trivium.measure.claim import Claim, Evidence
from trivium.measure.statistics.intervals import Interval
from trivium.report.document import Document
from trivium.report.formatting import reasons
from trivium.report.markdown import to_markdown


def claim(measured: Interval | None, needs: str = "", obstacle: str = "") -> Claim:
    return Claim("group", "text", "quantity", None, measured, needs, Evidence(obstacle=obstacle))


def test_each_reason_is_given_once_and_only_for_claims_that_are_not_decided() -> None:
    undecided = [claim(Interval(1, -1, 2)), claim(Interval(2, -1, 3)), claim(Interval(0, -1, 1))]
    blocked = claim(Interval(1, 0.5, 2), obstacle="one training; 3 are needed")
    missing = [claim(None, "nine folds"), claim(None, "nine folds"), claim(None)]
    assert reasons([claim(Interval(1, 0.5, 2)), claim(Interval(-1, -2, -0.5))]) == []
    assert reasons([*undecided, *missing, blocked]) == [
        "Not decidable: one training; 3 are needed.",
        "Not run.",
        "Not run: needs nine folds.",
        "Undecided: the interval contains zero.",
    ]


def test_reasons_follow_the_claims() -> None:
    text = to_markdown(Document("title", claims=(claim(None, "nine folds"),)))
    assert text.rstrip().endswith("Not run: needs nine folds.")
