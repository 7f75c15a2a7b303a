"""The bound of a loss is Tango's: as a brute-force search finds it, as others computed it, sensible without flips."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from trivium.measure.paired import (
    ONE_SIDED,
    TWO_SIDED,
    Flips,
    needed,
    needed_without_flips,
    resampled_share,
    share_interval,
)


def likeliest(flips: Flips, loss: float) -> float:
    """The probability to be won under which the flips are likeliest if ``loss`` is given, by a fine grid."""
    won = np.linspace(max(0.0, -loss), (1 - loss) / 2, 20_001)
    rest = flips.number - flips.lost - flips.won
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = [
            np.where(count > 0, count * np.log(np.maximum(share, 0)), 0.0)
            for count, share in ((flips.lost, won + loss), (flips.won, won), (rest, 1 - 2 * won - loss))
        ]
    return float(won[np.argmax(sum(logs))])


def score_by_grid(flips: Flips, loss: float) -> float:
    variance = flips.number * (2 * likeliest(flips, loss) + loss * (1 - loss))
    return (flips.lost - flips.won - flips.number * loss) / math.sqrt(variance)


@pytest.mark.parametrize(
    "flips", [Flips(0, 0, 50), Flips(3, 0, 40), Flips(0, 4, 40), Flips(7, 1, 21), Flips(5, 9, 300), Flips(20, 20, 800)]
)
def test_the_bound_is_where_a_grid_search_puts_it(flips: Flips) -> None:
    bound = flips.upper()
    assert score_by_grid(flips, bound) == pytest.approx(-ONE_SIDED, abs=2e-3)
    losses = np.linspace(flips.value + 1e-3, 0.99, 20)
    accepted = [loss for loss in losses if score_by_grid(flips, float(loss)) >= -ONE_SIDED]
    assert max(accepted, default=flips.value) <= bound + 1e-3
    assert all(loss > bound - 1e-3 for loss in losses if loss not in accepted)


def test_the_interval_is_the_one_that_others_published() -> None:
    # R's PropCIs: scoreci.mp(7, 1, 21, 0.95), also in ratesci; and scoreci.mp(25, 28, 618, 0.90).
    found = Flips(1, 7, 21).loss()
    assert (round(found.low, 3), round(found.high, 3)) == (-0.517, -0.026)
    flips = Flips(28, 25, 618)
    assert (round(-flips.reversed.upper(), 4), round(flips.upper(), 4)) == (-0.0148, 0.0247)


def test_without_flips_the_bound_is_a_rule_of_three() -> None:
    for number in (1, 10, 539, 800, 10_000):
        assert Flips(0, 0, number).upper() == pytest.approx(ONE_SIDED**2 / (number + ONE_SIDED**2))


@pytest.mark.parametrize(("lost", "number"), [(1, 800), (5, 60), (40, 41)])
def test_where_nothing_is_won_the_bound_is_wilsons(lost: int, number: int) -> None:
    high = binomtest(lost, number).proportion_ci(0.9, "wilson").high
    assert Flips(lost, 0, number).upper() == pytest.approx(high, rel=1e-6)


def test_all_lost_and_all_won_are_bounded() -> None:
    assert Flips(12, 0, 12).upper() == 1.0
    assert -1 < Flips(0, 12, 12).upper() < -0.6
    assert Flips(0, 12, 12).gain().high == 1.0


def test_gain_and_loss_mirror_each_other() -> None:
    flips = Flips(3, 8, 100)
    loss, gain = flips.loss(), flips.gain()
    assert (gain.value, gain.low, gain.high) == (-loss.value, -loss.high, -loss.low)
    assert gain.value == pytest.approx(0.05)
    assert gain.low < 0.05 < gain.high


def test_flips_are_counted_by_example() -> None:
    before, after = np.array([True, True, False, False, True]), np.array([True, False, True, False, False])
    assert Flips.of(before, after) == Flips(2, 1, 5)


def test_a_share_has_wilsons_interval() -> None:
    for right in (0, 4, 15):
        found = share_interval(np.arange(15) < right)
        wilson = binomtest(right, 15).proportion_ci(0.95, "wilson")
        assert (found.value, found.low, found.high) == pytest.approx((right / 15, wilson.low, wilson.high))


def test_how_many_examples_are_needed() -> None:
    number = needed_without_flips(0.005)
    assert number == math.ceil(ONE_SIDED**2 * 0.995 / 0.005) == 539
    assert needed_without_flips(0.0) is None
    assert needed(Flips(4, 0, 800), 0.005) is None
    found = needed(Flips(2, 0, 800), 0.005)
    assert found is not None
    assert Flips(2 * found / 800, 0, found).upper() <= 0.005 < Flips(2 * (found - 1) / 800, 0, found - 1).upper()


def test_the_quantiles_are_those_of_the_normal_distribution() -> None:
    assert (round(ONE_SIDED, 6), round(TWO_SIDED, 6)) == (1.644854, 1.959964)


def test_resamples_of_few_groups_are_not_narrower_than_a_sample_would_be() -> None:
    right = np.arange(20) < 10
    narrow = np.array([0.5, 0.5, 0.5, 0.5])
    exact = share_interval(right)
    assert resampled_share(narrow, right, 2) == exact
    assert resampled_share(narrow, right, 20).low == 0.5  # resamples of many groups are believed
    assert resampled_share(np.ones(4), np.ones(20, dtype=np.bool_), 20) == share_interval(np.ones(20, dtype=np.bool_))
    wide = np.concatenate([[0.5], np.linspace(0, 1, 99)])
    assert resampled_share(wide, right, 2).low < exact.low
