"""Intervals cover what they should, differences are paired, and the same question always gets the same answer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.measure.bootstrap import Bootstrap, Interval, interval

SOME = np.random.default_rng(11).random(300) < 0.7


def width(quantity: np.ndarray) -> float:
    found = interval(quantity)
    return found.high - found.low


@given(answers=st.lists(st.booleans(), min_size=1, max_size=40), seed=st.integers(0, 99))
@settings(max_examples=50, deadline=None)
def test_the_first_entry_is_the_value_and_the_others_are_shares_of_as_many_examples(
    answers: list[bool], seed: int
) -> None:
    quantity = Bootstrap(50, seed).mean(np.array(answers), "test")
    assert quantity.shape == (51,)
    assert quantity[0] == pytest.approx(sum(answers) / len(answers))
    counts = quantity * len(answers)
    assert counts == pytest.approx(np.round(counts))
    assert (quantity >= 0).all()
    assert (quantity <= 1).all()


def test_an_interval_is_the_middle_95_of_100_resamples() -> None:
    assert interval(np.array([7.0, *range(101)])) == Interval(7.0, 2.5, 97.5)


def test_no_doubt_where_all_answers_are_alike() -> None:
    for answer in (True, False):
        assert interval(Bootstrap().mean(np.full(20, answer), "x")) == Interval(answer, answer, answer)


@pytest.mark.parametrize(("share", "number"), [(0.5, 400), (0.8, 300), (0.95, 600)])
def test_the_width_is_that_of_a_binomial_share(share: float, number: int) -> None:
    right = np.arange(number) < share * number
    expected = 2 * 1.96 * np.sqrt(share * (1 - share) / number)
    assert width(Bootstrap(4000).mean(right, "x")) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_the_interval_of_95_percent_covers_the_truth_about_that_often(share: float) -> None:
    rng = np.random.default_rng(20240)
    bootstrap = Bootstrap(400)
    inside = 0
    for number in range(300):
        found = interval(bootstrap.mean(rng.random(200) < share, number))
        inside += found.low <= share <= found.high
    assert 0.90 <= inside / 300 <= 0.99


def test_the_paired_interval_of_a_difference_covers_the_truth_about_that_often() -> None:
    rng = np.random.default_rng(555)
    bootstrap = Bootstrap(400)
    truth = 0.8 - (rng.random(500_000) + rng.normal(0, 0.1, 500_000) < 0.7).mean()
    inside = 0
    for number in range(300):
        hard = rng.random(200)  # one scale of difficulty, so that the methods agree on most examples
        left, right = hard < 0.8, hard + rng.normal(0, 0.1, 200) < 0.7
        found = interval(bootstrap.mean(left, number) - bootstrap.mean(right, number))
        inside += found.low <= truth <= found.high
    assert 0.90 <= inside / 300 <= 0.99


def test_two_methods_that_answer_alike_differ_by_exactly_zero() -> None:
    bootstrap = Bootstrap()
    difference = bootstrap.mean(SOME, (1, "composed")) - Bootstrap().mean(SOME.copy(), (1, "composed"))
    assert (difference == 0).all()


def test_a_paired_difference_of_methods_that_agree_is_surer_than_an_unpaired_one() -> None:
    better = SOME.copy()
    better[np.flatnonzero(~SOME)[:10]] = True
    bootstrap = Bootstrap()
    paired = bootstrap.mean(better, "one") - bootstrap.mean(SOME, "one")
    unpaired = bootstrap.mean(better, "one") - bootstrap.mean(SOME, "other")
    assert paired[0] == unpaired[0] == pytest.approx(10 / 300)
    assert width(paired) < 0.5 * width(unpaired)
    assert interval(paired).low > 0 > interval(unpaired).low


def test_the_same_examples_are_drawn_every_time_and_others_for_another_name_seed_or_number() -> None:
    same = Bootstrap(200, 3).mean(SOME, ("fold", 1))
    assert (Bootstrap(200, 3).mean(SOME, ("fold", 1)) == same).all()
    assert (Bootstrap(200, 3).mean(SOME, ("fold", 2)) != same).any()
    assert (Bootstrap(200, 4).mean(SOME, ("fold", 1)) != same).any()


def test_draws_do_not_depend_on_what_was_asked_before() -> None:
    bootstrap = Bootstrap(100)
    bootstrap.mean(SOME, "before")
    assert (bootstrap.mean(SOME, "x") == Bootstrap(100).mean(SOME, "x")).all()


def test_asking_leaves_the_global_random_state_alone() -> None:
    before = np.random.get_state()[1].copy()  # type: ignore[index]
    Bootstrap(10).over_seeds({0: Bootstrap(10).mean(SOME, "x"), 1: Bootstrap(10).mean(SOME, "x")})
    assert (np.random.get_state()[1] == before).all()  # type: ignore[index]


def test_one_seed_is_its_own_mean() -> None:
    quantity = Bootstrap(20).mean(SOME, "x")
    assert (Bootstrap(20).over_seeds({5: quantity}) == quantity).all()


def test_several_seeds_are_averaged_and_drawn_again_with_replacement() -> None:
    values = {0: 0.5, 1: 0.6, 2: 0.9}
    quantity = Bootstrap(1000).over_seeds({seed: np.full(1001, value) for seed, value in values.items()})
    assert quantity[0] == pytest.approx(2 / 3)
    possible = {round(sum(drawn) / 3, 9) for drawn in itertools.product(values.values(), repeat=3)}
    seen = {round(value, 9) for value in quantity[1:].tolist()}
    assert seen == possible
    every = [sum(drawn) / 3 for drawn in itertools.product(values.values(), repeat=3)]
    assert quantity[1:].std() == pytest.approx(np.std(every), rel=0.1)


def test_seeds_that_differ_make_an_interval_wider_than_examples_alone_do() -> None:
    bootstrap = Bootstrap()
    by_seed = {}
    for seed, share in enumerate((55, 70, 85)):
        by_seed[seed] = bootstrap.mean(np.arange(300) % 100 < share, "test")
    together = bootstrap.over_seeds(by_seed)
    without = np.mean([by_seed[seed] for seed in by_seed], axis=0)
    assert together[0] == pytest.approx(0.7)
    assert width(together) > 1.5 * width(without)


def test_a_resample_draws_one_seed_with_its_own_draw_of_examples() -> None:
    stacked = {seed: np.arange(5.0) + 10 * seed for seed in range(2)}
    quantity = Bootstrap(4).over_seeds(stacked)
    for place in range(1, 5):
        assert quantity[place] in {place, place + 5.0, place + 10.0}


def test_the_order_in_which_seeds_are_given_does_not_count() -> None:
    quantities = {seed: Bootstrap(50).mean(SOME, seed) for seed in (2, 0, 1)}
    turned = dict(sorted(quantities.items()))
    assert (Bootstrap(50).over_seeds(quantities) == Bootstrap(50).over_seeds(turned)).all()


def test_seeds_are_drawn_alike_for_every_method_so_that_differences_are_paired() -> None:
    left = {seed: np.full(1001, value) for seed, value in enumerate((0.5, 0.7, 0.9))}
    right = {seed: np.full(1001, value) for seed, value in enumerate((0.4, 0.6, 0.8))}
    difference = Bootstrap().over_seeds(left) - Bootstrap().over_seeds(right)
    assert difference == pytest.approx(0.1)


def test_sums_are_drawn_like_means() -> None:
    clusters = [place // 3 for place in range(len(SOME))]
    means = Bootstrap(50).mean(SOME, "some", clusters)
    sums = Bootstrap(50).sums(np.stack([SOME, np.ones(len(SOME))], axis=1), "some", clusters)
    assert sums[:, 0] / sums[:, 1] == pytest.approx(means)
