"""Estimates keep the pairing, and their variance is that of a textbook analysis of variance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.measure.metrics import forget
from trivium.measure.statistics.estimate import Training, functional, least, mean, mean_of, over_folds, transform
from trivium.measure.statistics.intervals import (
    interval,
    p_text,
    p_value,
    population_share,
    probability_above,
    share_interval,
    wilson,
)
from trivium.measure.statistics.variance import variance_of

RNG = np.random.default_rng(7)


def studies(outcomes: np.ndarray, fold: int = 0) -> object:
    """Return the mean over seeds of a matrix with a row for each seed."""
    return mean_of(mean(row, range(len(row)), Training(fold, seed)) for seed, row in enumerate(outcomes))


def test_the_variance_is_that_of_a_two_way_analysis_of_variance() -> None:
    outcomes = RNG.normal(size=(4, 1)) + RNG.normal(size=(1, 30)) + RNG.normal(size=(4, 30))
    grand, by_seed, by_item = outcomes.mean(), outcomes.mean(axis=1), outcomes.mean(axis=0)
    seeds = 30 * ((by_seed - grand) ** 2).sum() / 3
    items = 4 * ((by_item - grand) ** 2).sum() / 29
    residuals = outcomes - by_seed[:, None] - by_item + grand
    rest = (residuals**2).sum() / (3 * 29)
    estimate = studies(outcomes)
    assert estimate.value == pytest.approx(grand)
    assert variance_of(estimate).total == pytest.approx((seeds + items - rest) / 120, rel=0.02)
    assert estimate.spread() == pytest.approx(by_seed.std(ddof=1))


def test_a_difference_is_paired_by_training_and_example() -> None:
    outcomes = RNG.random((3, 200)) < 0.7
    better = outcomes | (RNG.random((3, 200)) < 0.1)
    paired = studies(better) - studies(outcomes)
    unpaired = mean_of(mean(row, range(200, 400), Training(1, seed)) for seed, row in enumerate(better))
    assert paired.value == pytest.approx((unpaired - studies(outcomes)).value)
    assert variance_of(paired).total < 0.5 * variance_of(unpaired - studies(outcomes)).total
    assert interval(paired).low > 0


@given(st.lists(st.booleans(), min_size=2, max_size=60), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_no_interval_has_zero_width_and_all_contain_their_value(answers: list[bool], seeds: int) -> None:
    outcomes = np.tile(np.array(answers), (seeds, 1))
    for estimate in (studies(outcomes), studies(outcomes) - studies(outcomes), 1.0 - studies(outcomes)):
        limits = interval(estimate)
        assert limits.low <= limits.value <= limits.high
        assert limits.high - limits.low > 0


def test_examples_of_one_cluster_count_as_one() -> None:
    correct = np.repeat(RNG.random(50) < 0.5, 4)
    apart, together = mean(correct, range(200)), mean(correct, np.repeat(np.arange(50), 4).tolist())
    assert variance_of(together).total == pytest.approx(4 * variance_of(apart).total, rel=0.03)


def test_folds_are_a_finite_population() -> None:
    outcomes = [RNG.random((3, 100)) < share for share in (0.4, 0.6, 0.9)]
    by_fold = [studies(part, fold) for fold, part in enumerate(outcomes)]
    widths = []
    for population in (3, 4, 9):
        limits = interval(over_folds(by_fold, population))
        widths.append(limits.high - limits.low)
    assert widths == sorted(widths)
    assert widths[2] > 3 * widths[0]


def test_a_transformed_estimate_has_the_derivative_of_the_function() -> None:
    before, after = (mean(RNG.random(400) < share, range(400)) for share in (0.8, 0.5))
    lost = transform(forget, before, after)
    gradient = np.array([after.value / before.value**2, -1 / before.value])
    covariance = np.cov([before.influence[0], after.influence[0]]) * 400
    assert lost.value == pytest.approx(forget(before.value, after.value))
    assert variance_of(lost).total == pytest.approx(gradient @ covariance @ gradient, rel=0.02)


def test_a_functional_of_sums_has_the_variance_of_the_jackknife() -> None:
    columns = RNG.random((120, 2)) + np.array([1, 2])
    estimate = functional(columns, lambda sums: float(sums[0] / sums[1]), range(120))
    total = columns.sum(axis=0)
    left_out = np.array([(total - row)[0] / (total - row)[1] for row in columns])
    jackknife = 119 / 120 * ((left_out - left_out.mean()) ** 2).sum()
    assert estimate.value == pytest.approx(total[0] / total[1])
    assert variance_of(estimate).total == pytest.approx(jackknife, rel=0.05)


def test_shares_keep_their_baselines_and_differences_their_sides() -> None:
    first, second = (
        mean(RNG.random(90) < 0.6, range(90), Training(0, seed), baseline=0.5 + 0.1 * seed) for seed in (0, 1)
    )
    average = mean_of([first, second])
    assert average.is_share
    assert average.baseline == pytest.approx(0.55)
    gap = average - first
    assert (gap.is_share, gap.baseline, gap.sides) == (False, None, (average, first))
    assert (1.0 - first).is_share
    assert least([gap, first - 1.0]).value == pytest.approx(first.value - 1)
    assert least([gap, None]) is None
    assert mean_of([]) is None


def test_wilsons_interval_of_worked_cases() -> None:
    assert share_interval(np.ones(15, dtype=bool)).low == pytest.approx(0.7961, abs=1e-4)
    limits = wilson(0.1, 50)
    assert (limits.low, limits.high) == pytest.approx((0.0435, 0.2136), abs=1e-4)


def test_no_p_value_is_reported_as_zero() -> None:
    assert [p_text(p) for p in (0.0321, 0.001, 0.0004, 0.0)] == ["p = 0.032", "p = 0.001", "p < 0.001", "p < 0.001"]


def test_the_p_value_agrees_with_the_interval() -> None:
    for share in (0.02, 0.05, 0.1, 0.2):
        gap = mean((RNG.random(150) < share).astype(float), range(150))
        assert (p_value(gap) < 0.05) == (interval(gap).low > 0)
        assert probability_above(gap) == pytest.approx(1 - p_value(gap) / 2)


def test_all_members_of_a_population_leave_only_errors_of_measurement() -> None:
    exact = population_share([1.0] * 27 + [0.0] * 9)
    assert (exact.value, exact.high - exact.low) == (0.75, pytest.approx(1 / 36))
    unsure = population_share([0.9] * 27 + [0.4] * 9)
    assert unsure.high - unsure.low > 5 * (exact.high - exact.low)


def test_intervals_stay_within_what_is_possible() -> None:
    good, bad = (mean(np.arange(10) < count, range(10), Training(0, seed=1)) for count in (9, 1))
    other = mean(np.arange(10) < 2, range(10), Training(0, seed=2))
    unsure = mean_of([good, other]) - bad
    assert unsure.limits == (-1.0, 1.0)
    assert (0.5 * unsure + 1).limits == (0.5, 1.5)
    assert -1.0 <= interval(unsure).low < interval(unsure).high <= 1.0
