"""Pointwise V-information against a case worked out by hand, and against values that its authors published."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.measure.information import pointwise_information, simple


def test_a_case_worked_out_by_hand() -> None:
    # With the input the model gives the right labels 1/2, 1/8 and 1/4; without, both labels 1/4 and 3/4.
    informed = np.log(np.array([[1 / 2, 1 / 2], [7 / 8, 1 / 8], [1 / 4, 3 / 4]]))
    null = np.log(np.array([[1 / 4, 3 / 4]] * 3))
    gold = np.array([0, 1, 0])
    bits = pointwise_information(informed, null, gold)
    # -log2(1/4) + log2(1/2) = 1; -log2(3/4) + log2(1/8) = log2(4/3) - 3; -log2(1/4) + log2(1/4) = 0
    assert bits == pytest.approx([1.0, np.log2(4 / 3) - 3, 0.0])
    assert bits.mean() == pytest.approx((1 + np.log2(4 / 3) - 3) / 3)


def test_logits_need_not_be_probabilities() -> None:
    logits, null, gold = np.array([[3.0, 1.0, -2.0]]), np.array([[0.0, 0.0, 0.0]]), np.array([0])
    shifted = pointwise_information(logits + 100, null - 7, gold)
    assert shifted == pytest.approx(pointwise_information(logits, null, gold))


def test_a_model_that_ignores_its_input_has_no_information_even_where_it_is_sure() -> None:
    same = np.array([[900.0, -900.0]])
    assert pointwise_information(same, same, np.array([1])) == pytest.approx([0.0])


def test_the_definition_is_that_of_the_published_values(shared_data: Path) -> None:
    file = shared_data / "pvi_reference" / "bert-base-cased_snli_std2_test.csv.gz"
    with gzip.open(file, "rt", encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    blind, seeing, given_bits = (np.array([float(row[name]) for row in rows]) for name in ("H_yb", "H_yx", "PVI"))
    # Their columns are -log2 of the probability of the right label; the rest goes to one other label here.
    gold = np.zeros(len(rows), dtype=np.intp)
    informed, null = (_logits(column) for column in (seeing, blind))
    bits = pointwise_information(informed, null, gold)
    assert np.allclose(bits, given_bits, atol=1e-5)
    assert bits.mean() == pytest.approx(1.187, abs=5e-4)


def _logits(entropy: np.ndarray) -> np.ndarray:
    right = np.exp2(-entropy)
    with np.errstate(divide="ignore"):
        return np.log(np.stack([right, np.clip(1 - right, 1e-300, None)], axis=1))


@given(st.lists(st.tuples(st.floats(-20, 20), st.integers(0, 2)), min_size=1, max_size=60))
def test_the_median_halves_each_label_and_the_simple_half_is_easier(found: list[tuple[float, int]]) -> None:
    bits, gold = np.array([bit for bit, _ in found]), np.array([label for _, label in found])
    easy = simple(bits, gold)
    for label in set(gold.tolist()):
        mine, other = bits[(gold == label) & easy], bits[(gold == label) & ~easy]
        assert len(mine) - len(other) in (0, 1)
        assert not len(other) or mine.min() >= other.max()


def test_the_authors_middle_of_the_range_can_leave_a_label_with_one_simple_example() -> None:
    bits, gold = np.array([10.0, 1.0, 0.0, -1.0]), np.zeros(4, dtype=np.intp)
    assert simple(bits, gold, "middle").tolist() == [True, False, False, False]
    assert simple(bits, gold, "median").tolist() == [True, True, False, False]
