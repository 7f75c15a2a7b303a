"""Why a claim is not decided is said, once for each reason."""

from __future__ import annotations

from trivium.measure.bootstrap import Interval
from trivium.measure.claim import Claim
from trivium.report.document import Document
from trivium.report.formatting import reasons
from trivium.report.markdown import to_markdown


def claim(measured: Interval | None, needs: str = "") -> Claim:
    return Claim("group", "text", "quantity", None, measured, needs)


def test_reasons_are_said_once_and_only_for_what_is_not_decided() -> None:
    open_ones = [claim(Interval(1, -1, 2)), claim(Interval(2, -1, 3)), claim(Interval(0, 0, 0))]
    missing = [claim(None, "nine folds"), claim(None, "nine folds"), claim(None)]
    assert reasons([claim(Interval(1, 0.5, 2)), claim(Interval(-1, -2, -0.5))]) == []
    assert reasons([*open_ones, *missing]) == [
        "Not run.",
        "Not run: needs nine folds.",
        "Undecided: no example tells the two sides apart.",
        "Undecided: zero is in the interval.",
    ]


def test_they_stand_below_the_claims() -> None:
    text = to_markdown(Document("title", claims=(claim(None, "nine folds"),)))
    assert text.rstrip().endswith("Not run: needs nine folds.")
