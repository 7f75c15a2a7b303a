"""Pointwise V-information against a hand-computed example and the values published by its authors."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.measure.information import pointwise_information, select_simple


def test_a_hand_computed_example() -> None:
    # With the input, the gold labels have probability 1/2, 1/8 and 1/4; without it, the labels have 1/4 and 3/4.
    informed = np.log(np.array([[1 / 2, 1 / 2], [7 / 8, 1 / 8], [1 / 4, 3 / 4]]))
    null = np.log(np.array([[1 / 4, 3 / 4]] * 3))
    gold = np.array([0, 1, 0])
    bits = pointwise_information(informed, null, gold)
    # -log2(1/4) + log2(1/2) = 1; -log2(3/4) + log2(1/8) = log2(4/3) - 3; -log2(1/4) + log2(1/4) = 0
    assert bits == pytest.approx([1.0, np.log2(4 / 3) - 3, 0.0])
    assert bits.mean() == pytest.approx((1 + np.log2(4 / 3) - 3) / 3)


def test_logits_need_not_be_normalised() -> None:
    logits, null, gold = np.array([[3.0, 1.0, -2.0]]), np.array([[0.0, 0.0, 0.0]]), np.array([0])
    shifted = pointwise_information(logits + 100, null - 7, gold)
    assert shifted == pytest.approx(pointwise_information(logits, null, gold))


def test_a_model_that_ignores_its_input_has_no_information_even_if_confident() -> None:
    same = np.array([[900.0, -900.0]])
    assert pointwise_information(same, same, np.array([1])) == pytest.approx([0.0])


def test_values_match_the_published_ones(shared_data: Path) -> None:
    file = shared_data / "pvi_reference" / "bert-base-cased_snli_std2_test.csv.gz"
    with gzip.open(file, "rt", encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    null_entropy, informed_entropy, published_bits = (
        np.array([float(row[name]) for row in rows]) for name in ("H_yb", "H_yx", "PVI")
    )
    # The columns are -log2 of the probability of the gold label; here a single other label gets the rest.
    gold = np.zeros(len(rows), dtype=np.intp)
    informed, null = (_logits(column) for column in (informed_entropy, null_entropy))
    bits = pointwise_information(informed, null, gold)
    assert np.allclose(bits, published_bits, atol=1e-5)
    assert bits.mean() == pytest.approx(1.187, abs=5e-4)


def _logits(entropy: np.ndarray) -> np.ndarray:
    probability = np.exp2(-entropy)
    with np.errstate(divide="ignore"):
        return np.log(np.stack([probability, np.clip(1 - probability, 1e-300, None)], axis=1))


@given(st.lists(st.tuples(st.floats(-20, 20), st.integers(0, 2)), min_size=1, max_size=60))
def test_the_median_splits_each_label_in_half_and_the_simple_half_is_easier(rows: list[tuple[float, int]]) -> None:
    bits, gold = np.array([bit for bit, _ in rows]), np.array([label for _, label in rows])
    is_simple = select_simple(bits, gold)
    for label in set(gold.tolist()):
        easy, hard = bits[(gold == label) & is_simple], bits[(gold == label) & ~is_simple]
        assert len(easy) - len(hard) in (0, 1)
        assert not len(hard) or easy.min() >= hard.max()


def test_the_middle_of_the_range_is_sensitive_to_outliers_and_the_median_is_not() -> None:
    bits, gold = np.array([10.0, 1.0, 0.0, -1.0]), np.zeros(4, dtype=np.intp)
    assert select_simple(bits, gold, "middle").tolist() == [True, False, False, False]
    assert select_simple(bits, gold, "median").tolist() == [True, True, False, False]


def test_the_authors_threshold_is_the_middle_only_if_values_have_both_signs() -> None:
    """min + (|max| + |min|) / 2: of 1 … 5 it is 4, not 3; of −5 … −1 it is −2, not −3."""
    gold = np.zeros(5, dtype=np.intp)
    for bits, authors, middle in (
        ([1.0, 2.0, 3.5, 4.5, 5.0], [False, False, False, True, True], [False, False, True, True, True]),
        ([-5.0, -4.0, -2.5, -1.5, -1.0], [False, False, False, True, True], [False, False, True, True, True]),
        ([-3.0, -1.0, 0.5, 2.0, 3.0], [False, False, True, True, True], [False, False, True, True, True]),
    ):
        assert select_simple(np.array(bits), gold, "authors").tolist() == authors
        assert select_simple(np.array(bits), gold, "middle").tolist() == middle
