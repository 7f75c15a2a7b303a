"""Verdicts: significance, the number of trainings, baselines, and correction within a table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from trivium.measure.claim import (
    Claim,
    Evidence,
    Verdict,
    claim,
    corrected,
    folds_needed,
    has_learned,
    sample_claim,
    seeds_needed,
    share_claim,
)
from trivium.measure.statistics.estimate import Estimate, Training, mean, mean_of, over_folds
from trivium.measure.statistics.intervals import Interval, interval


def trained(
    shares: list[float], number: int = 300, baseline: float | None = 0.5, constant: bool = False, name: str = ""
) -> Estimate:
    """Return an accuracy with one training for each share, which fail on the first examples."""
    result = mean_of(
        mean(np.arange(number) < share * number, [f"{name}{index}" for index in range(number)], Training(0, seed),
             baseline=baseline, is_constant=constant)
        for seed, share in enumerate(shares)
    )  # fmt: skip
    assert result is not None
    return result


def gap_in_folds(differences: list[list[float]], number: int = 300) -> Estimate:
    """Return a difference of two methods: one list for each of nine folds that was run, one value for each seed."""

    def side(shares: list[list[float]]) -> Estimate:
        result = over_folds(
            [
                mean_of(mean(np.arange(number) < share * number, [f"{fold}/{index}" for index in range(number)],
                             Training(fold, seed)) for seed, share in enumerate(row))
                for fold, row in enumerate(shares)
            ],
            9,
        )  # fmt: skip
        assert result is not None
        return result

    return side([[0.5 + each / 100 for each in row] for row in differences]) - side(
        [[0.5] * len(r) for r in differences]
    )


def verdict(measured: Estimate) -> Verdict:
    return claim("6.1", "text", "CI", 1.0, measured).verdict


def test_a_clear_difference_of_three_trainings_is_decided() -> None:
    gap = trained([0.9, 0.91, 0.92]) - trained([0.7, 0.71, 0.72])
    assert verdict(gap) is Verdict.HOLDS
    assert verdict(-gap) is Verdict.FAILS
    result = claim("6.1", "text", "CI", 1.0, gap)
    assert (result.evidence.seeds, result.evidence.folds, result.evidence.baselines) == (3, 1, (50.0,))
    assert result.measured is not None
    assert result.measured.value == pytest.approx(20)
    assert result.reason == ""


@pytest.mark.parametrize(("number", "text"), [(1, "one training"), (2, "two trainings")])
def test_fewer_than_three_trainings_do_not_decide_a_claim_about_methods(number: int, text: str) -> None:
    gap = trained([0.9] * number) - trained([0.6] * number)
    assert verdict(gap) is Verdict.NOT_DECIDABLE
    assert f"{text}; 3 are needed" in claim("", "", "", None, gap).reason


def test_a_claim_about_a_given_model_needs_no_trainings() -> None:
    accuracy = mean(np.arange(100) < 80, range(100))
    assert verdict(accuracy - 0.5) is Verdict.HOLDS


def test_models_at_or_below_their_baselines_decide_nothing() -> None:
    gap = trained([0.5, 0.49, 0.5]) - trained([0.3, 0.31, 0.3])
    assert verdict(gap) is Verdict.NOT_DECIDABLE
    assert "learned nothing: 49.7 % against 50.0 %" in claim("", "", "", None, gap).reason
    assert verdict(trained([0.9, 0.91, 0.9]) - trained([0.3, 0.31, 0.3])) is Verdict.HOLDS
    unsure = trained([0.9, 0.3, 0.8]) - trained([0.3, 0.31, 0.3])
    assert "not shown to be above the baseline: 66.7 % against 50.0 %" in claim("", "", "", None, unsure).reason


def test_a_baseline_that_is_always_right_does_not_count() -> None:
    assert verdict(trained([0.9, 0.91, 0.9], baseline=1.0) - trained([0.3, 0.31, 0.3], baseline=1.0)) is Verdict.HOLDS
    assert has_learned(trained([0.9], baseline=1.0))
    assert not has_learned(trained([0.9], baseline=0.95))


def test_constant_answers_decide_nothing() -> None:
    gap = trained([0.57] * 3, constant=True) - trained([0.37] * 3, constant=True)
    assert "constant answers" in claim("", "", "", None, gap).reason


def test_an_undecided_claim_says_how_many_seeds_would_decide_it() -> None:
    gap = trained([0.8, 0.9, 0.7, 0.85]) - trained([0.75, 0.72, 0.76, 0.74])
    result = claim("", "", "", None, gap)
    assert result.verdict is Verdict.UNDECIDED
    assert result.evidence.more_seeds is not None
    assert f"about {result.evidence.more_seeds} more seed" in result.reason
    assert seeds_needed(trained([0.9, 0.91, 0.92]) - trained([0.7, 0.71, 0.72])) == 0
    few = trained([0.8, 0.82, 0.81], 20) - trained([0.75, 0.74, 0.76], 20, name="other")
    assert "only a larger test" in claim("", "", "", None, few).reason


@pytest.mark.parametrize(
    ("differences", "reason"),
    [
        ([[20, 21, 20]], "one of 9 folds; 3 are needed"),
        ([[20, 21, 20], [20, 20, 21]], "two of 9 folds; 3 are needed"),
        ([[20, 21]], "two trainings; 3 are needed, in as many folds"),
        ([[20], [21]], "two trainings; 3 are needed, in as many folds"),
    ],
)
def test_one_or_two_of_nine_folds_decide_nothing(differences: list[list[float]], reason: str) -> None:
    assert claim("", "", "", None, gap_in_folds(differences)).reason == f"Not decidable: {reason}."


def test_one_seed_in_each_of_nine_folds_is_nine_trainings_whose_folds_count_as_a_sample() -> None:
    one_seed = gap_in_folds([[20], [25], [15], [22], [18], [21], [19], [24], [16]])
    result = claim("", "", "", None, one_seed)
    assert result.verdict is Verdict.HOLDS
    assert (result.evidence.seeds, result.evidence.folds) == (1, 9)
    three_seeds = gap_in_folds([[each] * 3 for each in (20, 25, 15, 22, 18, 21, 19, 24, 16)])
    assert interval(one_seed).low < interval(three_seeds).low
    unclear = claim("", "", "", None, gap_in_folds([[30], [-20], [15], [-22], [18], [31], [-9], [24], [-16]]))
    assert unclear.verdict is Verdict.UNDECIDED
    assert "one does not show how many" in unclear.reason


def test_where_folds_differ_more_seeds_are_not_said_to_decide() -> None:
    gap = gap_in_folds([[40, 41, 40], [1, 0, 0], [20, 20, 19]])
    assert seeds_needed(gap) is None
    folds = folds_needed(gap)
    assert folds is not None
    assert folds > 0
    assert (
        claim("", "", "", None, gap).reason
        == f"Undecided: the interval contains zero; about {folds} more folds would decide it."
    )
    assert folds_needed(gap_in_folds([[40, 41, 40], [-45, -44, -45], [6, 5, 6]])) is None


def test_what_the_correction_leaves_undecided_takes_more_seeds() -> None:
    one = claim("a", "", "", None, trained([0.82, 0.9, 0.79, 0.88]) - trained([0.73, 0.74, 0.75, 0.72]))
    assert one.verdict is Verdict.HOLDS
    several = corrected([one] * 8)[0]
    assert several.verdict is Verdict.UNDECIDED
    assert several.evidence.more_seeds
    assert f"correction for several claims; about {several.evidence.more_seeds} more seed" in several.reason


def test_models_that_are_always_right_show_no_difference() -> None:
    gap = trained([1.0] * 3) - trained([1.0] * 3)
    assert "right on all examples: a harder test is needed" in claim("", "", "", None, gap).reason


def test_p_values_are_corrected_within_a_group() -> None:
    claims = [
        Claim(group, "text", "CI", None, Interval(1.0, 0.1, 1.9), evidence=Evidence(p, 3))
        for group, p in (("a", 0.03), ("a", 0.04), ("b", 0.04))
    ]
    blocked = replace(claims[0], evidence=Evidence(0.01, 1, obstacle="one training; 3 are needed"))
    missing = Claim("a", "text", "CI", None, None)
    results = corrected([*claims, blocked, missing])
    assert [item.evidence.p for item in results[:3]] == pytest.approx([0.06, 0.06, 0.04])
    assert [item.verdict for item in results] == [
        Verdict.UNDECIDED, Verdict.UNDECIDED, Verdict.HOLDS, Verdict.NOT_DECIDABLE, Verdict.NOT_RUN,
    ]  # fmt: skip
    assert "correction for several claims" in results[0].reason


def test_a_share_of_picked_items_is_not_decidable_and_one_of_all_items_is() -> None:
    margins = {str(index): trained([0.9, 0.91, 0.9]) - 0.5 for index in range(12)}
    picked = share_claim("5.1", "most", margins, 0.5, "phenomena", 77.8, 36)
    assert picked.verdict is Verdict.NOT_DECIDABLE
    assert "12 of 36 phenomena were picked" in picked.reason
    everything = share_claim("5.1", "most", margins, 0.5, "phenomena", 77.8, 12)
    assert everything.verdict is Verdict.HOLDS
    assert everything.published == 27.8


def test_a_sample_of_items_has_wilsons_interval() -> None:
    assert sample_claim("", "", [True] * 7 + [False] * 13, 0.25, "pairs", None).verdict is Verdict.UNDECIDED
    assert sample_claim("", "", [True] * 70 + [False] * 130, 0.25, "pairs", None).verdict is Verdict.HOLDS
    assert sample_claim("", "", [], 0.25, "pairs", None).verdict is Verdict.NOT_RUN
