"""Tango's limit of a loss against a grid search and published values, and its special cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from trivium.measure.statistics.flips import (
    ONE_SIDED,
    TWO_SIDED,
    Flips,
    examples_needed,
    examples_needed_without_flips,
)
from trivium.measure.statistics.intervals import share_interval


def most_likely(flips: Flips, loss: float) -> float:
    """Return the maximum-likelihood probability of being won, given ``loss``, from a fine grid."""
    won = np.linspace(max(0.0, -loss), (1 - loss) / 2, 20_001)
    rest = flips.number - flips.lost - flips.won
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = [
            np.where(count > 0, count * np.log(np.maximum(share, 0)), 0.0)
            for count, share in ((flips.lost, won + loss), (flips.won, won), (rest, 1 - 2 * won - loss))
        ]
    return float(won[np.argmax(sum(logs))])


def score_by_grid(flips: Flips, loss: float) -> float:
    variance = flips.number * (2 * most_likely(flips, loss) + loss * (1 - loss))
    return (flips.lost - flips.won - flips.number * loss) / math.sqrt(variance)


@pytest.mark.parametrize(
    "flips", [Flips(0, 0, 50), Flips(3, 0, 40), Flips(0, 4, 40), Flips(7, 1, 21), Flips(5, 9, 300), Flips(20, 20, 800)]
)
def test_the_limit_matches_a_grid_search(flips: Flips) -> None:
    limit = flips.upper()
    assert score_by_grid(flips, limit) == pytest.approx(-ONE_SIDED, abs=2e-3)
    losses = np.linspace(flips.value + 1e-3, 0.99, 20)
    accepted = [loss for loss in losses if score_by_grid(flips, float(loss)) >= -ONE_SIDED]
    assert max(accepted, default=flips.value) <= limit + 1e-3
    assert all(loss > limit - 1e-3 for loss in losses if loss not in accepted)


def test_the_interval_matches_published_ones() -> None:
    # R's PropCIs: scoreci.mp(7, 1, 21, 0.95), also in ratesci; and scoreci.mp(25, 28, 618, 0.90).
    limits = Flips(1, 7, 21).loss()
    assert (round(limits.low, 3), round(limits.high, 3)) == (-0.517, -0.026)
    flips = Flips(28, 25, 618)
    assert (round(-flips.reversed.upper(), 4), round(flips.upper(), 4)) == (-0.0148, 0.0247)


def test_without_flips_the_limit_has_a_closed_form() -> None:
    for number in (1, 10, 539, 800, 10_000):
        assert Flips(0, 0, number).upper() == pytest.approx(ONE_SIDED**2 / (number + ONE_SIDED**2))


@pytest.mark.parametrize(("lost", "number"), [(1, 800), (5, 60), (40, 41)])
def test_without_won_examples_the_limit_is_wilsons(lost: int, number: int) -> None:
    high = binomtest(lost, number).proportion_ci(0.9, "wilson").high
    assert Flips(lost, 0, number).upper() == pytest.approx(high, rel=1e-6)


def test_limits_exist_if_all_examples_are_lost_or_won() -> None:
    assert Flips(12, 0, 12).upper() == 1.0
    assert -1 < Flips(0, 12, 12).upper() < -0.6
    assert Flips(0, 12, 12).gain().high == 1.0


def test_gain_and_loss_mirror_each_other() -> None:
    flips = Flips(3, 8, 100)
    loss, gain = flips.loss(), flips.gain()
    assert (gain.value, gain.low, gain.high) == (-loss.value, -loss.high, -loss.low)
    assert gain.value == pytest.approx(0.05)
    assert gain.low < 0.05 < gain.high


def test_flips_are_counted_per_example() -> None:
    before, after = np.array([True, True, False, False, True]), np.array([True, False, True, False, False])
    assert Flips.of(before, after) == Flips(2, 1, 5)


def test_a_share_has_wilsons_interval() -> None:
    for correct in (0, 4, 15):
        limits = share_interval(np.arange(15) < correct)
        wilson = binomtest(correct, 15).proportion_ci(0.95, "wilson")
        assert (limits.value, limits.low, limits.high) == pytest.approx((correct / 15, wilson.low, wilson.high))


def test_number_of_examples_needed() -> None:
    number = examples_needed_without_flips(0.005)
    assert number == math.ceil(ONE_SIDED**2 * 0.995 / 0.005) == 539
    assert examples_needed_without_flips(0.0) is None
    assert examples_needed(Flips(4, 0, 800), 0.005) is None
    number = examples_needed(Flips(2, 0, 800), 0.005)
    assert number is not None
    assert Flips(2 * number / 800, 0, number).upper() <= 0.005 < Flips(2 * (number - 1) / 800, 0, number - 1).upper()


def test_quantiles_of_the_normal_distribution() -> None:
    assert (round(ONE_SIDED, 6), round(TWO_SIDED, 6)) == (1.644854, 1.959964)
