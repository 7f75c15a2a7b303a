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
    has_learned,
    sample_claim,
    seeds_needed,
    share_claim,
)
from trivium.measure.statistics.estimate import Estimate, Training, mean, mean_of
from trivium.measure.statistics.intervals import Interval


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
    assert "more test examples" in claim("", "", "", None, few).reason


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
