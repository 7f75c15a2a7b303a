"""Intervals have the right coverage, differences are paired, and draws are reproducible."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.measure.bootstrap import Bootstrap, Interval, interval

CORRECT = np.random.default_rng(11).random(300) < 0.7


def width(quantity: np.ndarray) -> float:
    limits = interval(quantity)
    return limits.high - limits.low


@given(answers=st.lists(st.booleans(), min_size=1, max_size=40), seed=st.integers(0, 99))
@settings(max_examples=50, deadline=None)
def test_the_first_entry_is_the_value_and_the_others_are_resamples_of_the_same_size(
    answers: list[bool], seed: int
) -> None:
    quantity = Bootstrap(50, seed).mean(np.array(answers), "test")
    assert quantity.shape == (51,)
    assert quantity[0] == pytest.approx(sum(answers) / len(answers))
    counts = quantity * len(answers)
    assert counts == pytest.approx(np.round(counts))
    assert (quantity >= 0).all()
    assert (quantity <= 1).all()


def test_an_interval_spans_the_middle_95_percent_of_the_resamples() -> None:
    assert interval(np.array([7.0, *range(101)])) == Interval(7.0, 2.5, 97.5)


def test_the_interval_has_zero_width_if_all_answers_are_the_same() -> None:
    for answer in (True, False):
        assert interval(Bootstrap().mean(np.full(20, answer), "x")) == Interval(answer, answer, answer)


@pytest.mark.parametrize(("share", "number"), [(0.5, 400), (0.8, 300), (0.95, 600)])
def test_the_width_matches_the_binomial_standard_error(share: float, number: int) -> None:
    correct = np.arange(number) < share * number
    expected = 2 * 1.96 * np.sqrt(share * (1 - share) / number)
    assert width(Bootstrap(4000).mean(correct, "x")) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_the_interval_covers_the_true_value_about_95_percent_of_the_time(share: float) -> None:
    rng = np.random.default_rng(20240)
    bootstrap = Bootstrap(400)
    inside = 0
    for number in range(300):
        limits = interval(bootstrap.mean(rng.random(200) < share, number))
        inside += limits.low <= share <= limits.high
    assert 0.90 <= inside / 300 <= 0.99


def test_the_paired_interval_covers_the_true_difference_about_95_percent_of_the_time() -> None:
    rng = np.random.default_rng(555)
    bootstrap = Bootstrap(400)
    truth = 0.8 - (rng.random(500_000) + rng.normal(0, 0.1, 500_000) < 0.7).mean()
    inside = 0
    for number in range(300):
        difficulty = rng.random(200)  # shared by both methods, so that they agree on most examples
        left, right = difficulty < 0.8, difficulty + rng.normal(0, 0.1, 200) < 0.7
        limits = interval(bootstrap.mean(left, number) - bootstrap.mean(right, number))
        inside += limits.low <= truth <= limits.high
    assert 0.90 <= inside / 300 <= 0.99


def test_methods_with_the_same_answers_differ_by_exactly_zero() -> None:
    bootstrap = Bootstrap()
    difference = bootstrap.mean(CORRECT, (1, "composed")) - Bootstrap().mean(CORRECT.copy(), (1, "composed"))
    assert (difference == 0).all()


def test_a_paired_difference_has_a_narrower_interval_than_an_unpaired_one() -> None:
    better = CORRECT.copy()
    better[np.flatnonzero(~CORRECT)[:10]] = True
    bootstrap = Bootstrap()
    paired = bootstrap.mean(better, "one") - bootstrap.mean(CORRECT, "one")
    unpaired = bootstrap.mean(better, "one") - bootstrap.mean(CORRECT, "other")
    assert paired[0] == unpaired[0] == pytest.approx(10 / 300)
    assert width(paired) < 0.5 * width(unpaired)
    assert interval(paired).low > 0 > interval(unpaired).low


def test_draws_are_equal_for_the_same_name_and_seed_and_differ_otherwise() -> None:
    same = Bootstrap(200, 3).mean(CORRECT, ("fold", 1))
    assert (Bootstrap(200, 3).mean(CORRECT, ("fold", 1)) == same).all()
    assert (Bootstrap(200, 3).mean(CORRECT, ("fold", 2)) != same).any()
    assert (Bootstrap(200, 4).mean(CORRECT, ("fold", 1)) != same).any()


def test_draws_do_not_depend_on_earlier_calls() -> None:
    bootstrap = Bootstrap(100)
    bootstrap.mean(CORRECT, "before")
    assert (bootstrap.mean(CORRECT, "x") == Bootstrap(100).mean(CORRECT, "x")).all()


def test_the_global_random_state_is_not_changed() -> None:
    before = np.random.get_state()[1].copy()  # type: ignore[index]
    Bootstrap(10).over_seeds({0: Bootstrap(10).mean(CORRECT, "x"), 1: Bootstrap(10).mean(CORRECT, "x")})
    assert (np.random.get_state()[1] == before).all()  # type: ignore[index]


def test_the_mean_over_a_single_seed_is_that_seed() -> None:
    quantity = Bootstrap(20).mean(CORRECT, "x")
    assert (Bootstrap(20).over_seeds({5: quantity}) == quantity).all()


def test_several_seeds_are_averaged_and_resampled_with_replacement() -> None:
    values = {0: 0.5, 1: 0.6, 2: 0.9}
    quantity = Bootstrap(1000).over_seeds({seed: np.full(1001, value) for seed, value in values.items()})
    assert quantity[0] == pytest.approx(2 / 3)
    possible = {round(sum(drawn) / 3, 9) for drawn in itertools.product(values.values(), repeat=3)}
    drawn_means = {round(value, 9) for value in quantity[1:].tolist()}
    assert drawn_means == possible
    all_means = [sum(drawn) / 3 for drawn in itertools.product(values.values(), repeat=3)]
    assert quantity[1:].std() == pytest.approx(np.std(all_means), rel=0.1)


def test_the_interval_over_seeds_includes_the_variance_between_seeds() -> None:
    bootstrap = Bootstrap()
    by_seed = {}
    for seed, share in enumerate((55, 70, 85)):
        by_seed[seed] = bootstrap.mean(np.arange(300) % 100 < share, "test")
    over_seeds = bootstrap.over_seeds(by_seed)
    examples_only = np.mean([by_seed[seed] for seed in by_seed], axis=0)
    assert over_seeds[0] == pytest.approx(0.7)
    assert width(over_seeds) > 1.5 * width(examples_only)


def test_each_resample_combines_seeds_on_the_same_draw_of_examples() -> None:
    stacked = {seed: np.arange(5.0) + 10 * seed for seed in range(2)}
    quantity = Bootstrap(4).over_seeds(stacked)
    for index in range(1, 5):
        assert quantity[index] in {index, index + 5.0, index + 10.0}


def test_the_order_of_the_seeds_does_not_matter() -> None:
    quantities = {seed: Bootstrap(50).mean(CORRECT, seed) for seed in (2, 0, 1)}
    reordered = dict(sorted(quantities.items()))
    assert (Bootstrap(50).over_seeds(quantities) == Bootstrap(50).over_seeds(reordered)).all()


def test_every_method_gets_the_same_draws_of_seeds() -> None:
    left = {seed: np.full(1001, value) for seed, value in enumerate((0.5, 0.7, 0.9))}
    right = {seed: np.full(1001, value) for seed, value in enumerate((0.4, 0.6, 0.8))}
    difference = Bootstrap().over_seeds(left) - Bootstrap().over_seeds(right)
    assert difference == pytest.approx(0.1)


def test_sums_use_the_same_draws_as_means() -> None:
    clusters = [index // 3 for index in range(len(CORRECT))]
    means = Bootstrap(50).mean(CORRECT, "some", clusters)
    sums = Bootstrap(50).sums(np.stack([CORRECT, np.ones(len(CORRECT))], axis=1), "some", clusters)
    assert sums[:, 0] / sums[:, 1] == pytest.approx(means)
