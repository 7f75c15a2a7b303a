"""The verdict on the claim that a quantity is above zero, for every position of its interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.measure.bootstrap import Interval
from trivium.measure.claim import Claim, Verdict, claim


def verdict(low: float, high: float) -> Verdict:
    return Claim("6.1", "text", "CI", 1.0, Interval((low + high) / 2, low, high)).verdict


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.0, 2.0, Verdict.HOLDS),
        (1e-12, 2.0, Verdict.HOLDS),
        (1.0, 1.0, Verdict.HOLDS),
        (0.0, 2.0, Verdict.UNDECIDED),
        (-1.0, 2.0, Verdict.UNDECIDED),
        (-1.0, 1e-12, Verdict.UNDECIDED),
        (-1.0, 0.0, Verdict.FAILS),
        (0.0, 0.0, Verdict.UNDECIDED),
        (-2.0, -1.0, Verdict.FAILS),
        (float("nan"), float("nan"), Verdict.UNDECIDED),
    ],
)
def test_verdict_for_intervals_around_zero(low: float, high: float, expected: Verdict) -> None:
    assert verdict(low, high) is expected


def test_a_claim_without_measurement_is_not_run() -> None:
    missing = claim("6.1", "text", "CI", 7.27, None)
    assert missing.measured is None
    assert missing.verdict is Verdict.NOT_RUN
    assert missing.published == 7.27


BOUNDS = st.tuples(st.floats(-100, 100), st.floats(-100, 100)).map(sorted)


@given(bounds=BOUNDS)
@settings(max_examples=100, deadline=None)
def test_a_claim_and_its_opposite_never_both_hold(bounds: list[float]) -> None:
    low, high = bounds
    pair = {verdict(low, high), verdict(-high, -low)}
    assert pair != {Verdict.HOLDS}
    if Verdict.HOLDS in pair:
        assert Verdict.FAILS in pair
    assert (verdict(low, high) is Verdict.UNDECIDED) == (low <= 0 < high or low == high == 0)


def test_fractions_are_converted_to_percentage_points() -> None:
    quantity = np.array([0.05, *np.linspace(0.01, 0.09, 101)])
    result = claim("6.2", "raises CI", "CI: with − without", 5.49, quantity)
    assert result.measured is not None
    assert result.measured.value == pytest.approx(5.0)
    assert result.measured.low == pytest.approx(1.2)
    assert result.measured.high == pytest.approx(8.8)
    assert result.verdict is Verdict.HOLDS
    assert (result.group, result.text, result.quantity, result.published) == (
        "6.2",
        "raises CI",
        "CI: with − without",
        5.49,
    )


def test_a_difference_of_exactly_zero_is_undecided() -> None:
    assert claim("6.2", "raises CI", "CI", 5.49, np.zeros(101)).verdict is Verdict.UNDECIDED


def test_verdict_texts() -> None:
    assert [each.value for each in Verdict] == ["holds", "does not hold", "undecided", "not run"]
