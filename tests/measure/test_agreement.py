"""Kappa against a hand-computed example and scikit-learn, and tables of known agreement."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from trivium.build.verification import Item
from trivium.measure.agreement import _kappa, agreement, agreement_tables, kappa

ANSWERS = st.lists(st.tuples(st.sampled_from("enc"), st.sampled_from("enc")), min_size=2, max_size=40)


def answers_of(**counts: int) -> tuple[list[str], list[str]]:
    """Return the answers of two annotators: ``en=3`` stands for three pairs that A labels e and B labels n."""
    pairs = [name for name, count in counts.items() for _ in range(count)]
    return [name[0] for name in pairs], [name[1] for name in pairs]


def test_kappa_of_a_hand_computed_example() -> None:
    # 50 pairs: both yes 20, both no 15, different 15; p_o = 0.7, p_e = 0.5·0.6 + 0.5·0.4 = 0.5, kappa = 0.4.
    first, second = answers_of(yy=20, yn=5, ny=10, nn=15)
    result = kappa(first, second)
    assert result.value == pytest.approx(0.4)
    assert result.low < 0.4 < result.high
    assert 0.1 < result.low < 0.2
    assert 0.6 < result.high < 0.7


def test_kappa_is_one_for_full_agreement_and_zero_for_chance_agreement() -> None:
    same = kappa(*answers_of(ee=10, nn=10, cc=10))
    assert (same.value, same.high) == (1.0, 1.0)
    assert 0.8 < same.low < 1.0  # an interval is never a point
    assert kappa(*answers_of(ee=10, en=10, ne=10, nn=10)).value == pytest.approx(0.0)


def test_kappa_is_undefined_if_all_answers_are_the_same() -> None:
    result = kappa(*answers_of(ee=10))
    assert all(map(math.isnan, (result.value, result.low, result.high)))


@given(pairs=ANSWERS)
@settings(max_examples=100, deadline=None)
def test_kappa_matches_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    names = ["c", "e", "n"]
    matrix = np.zeros((3, 3))
    for first, second in pairs:
        matrix[names.index(first), names.index(second)] += 1
    ours = _kappa(matrix.ravel())
    if math.isnan(ours):
        assert len({answer for pair in pairs for answer in pair}) == 1
    else:
        assert ours == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True), labels=names))


@given(pairs=ANSWERS)
@settings(max_examples=50, deadline=None)
def test_kappa_and_agreement_are_symmetric(pairs: list[tuple[str, str]]) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    for measure in (kappa, agreement):
        assert measure(first, second).value == pytest.approx(measure(second, first).value, nan_ok=True)


def test_tables_have_a_row_for_each_inference() -> None:
    key = {}
    answers = {}
    for inference, same in (("natural", 6), ("composed", 9)):
        for number in range(10):
            item = Item(inference, f"{inference} {number}", "h", "neutral")
            key[item.id] = item
            answers[item.id] = ("neutral", "neutral" if number < same else "entailment")
    kappas, agreements = agreement_tables(key, answers)
    assert [row.name for row in agreements.rows] == ["composed (10 pairs)", "natural (10 pairs)"]
    values = [[cell.measured.value for cell in row.cells if cell.measured] for row in agreements.rows]
    assert values == [[90.0, 100.0, 90.0], [60.0, 100.0, 60.0]]
    assert [row.cells[0].measured.value for row in kappas.rows if row.cells[0].measured] == [0.0, 0.0]
