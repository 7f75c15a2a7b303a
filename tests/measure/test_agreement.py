"""Kappa against the formula written out and against scikit-learn, and tables of known agreement."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from trivium.build.verification import Item
from trivium.measure.agreement import _kappas, agreement, agreement_tables, kappa

ANSWERS = st.lists(st.tuples(st.sampled_from("enc"), st.sampled_from("enc")), min_size=2, max_size=40)


def sheet(**counts: int) -> tuple[list[str], list[str]]:
    """Two people's answers: ``en=3`` is three pairs that A calls e and B calls n."""
    pairs = [name for name, count in counts.items() for _ in range(count)]
    return [name[0] for name in pairs], [name[1] for name in pairs]


def test_kappa_of_a_worked_case() -> None:
    # 50 pairs: both yes 20, both no 15, apart 15; p_o = 0.7, p_e = 0.5·0.6 + 0.5·0.4 = 0.5, kappa = 0.4.
    first, second = sheet(yy=20, yn=5, ny=10, nn=15)
    found = kappa(first, second)
    assert found.value == pytest.approx(0.4)
    assert found.low < 0.4 < found.high
    assert 0.1 < found.low < 0.2
    assert 0.6 < found.high < 0.7


def test_full_agreement_is_one_and_chance_is_zero() -> None:
    same = kappa(*sheet(ee=10, nn=10, cc=10))
    assert (same.value, same.low, same.high) == (1.0, 1.0, 1.0)
    assert kappa(*sheet(ee=10, en=10, ne=10, nn=10)).value == pytest.approx(0.0)


def test_one_answer_for_everything_leaves_kappa_undefined() -> None:
    found = kappa(*sheet(ee=10))
    assert all(map(math.isnan, (found.value, found.low, found.high)))


@given(pairs=ANSWERS)
@settings(max_examples=100, deadline=None)
def test_the_formula_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    names = ["c", "e", "n"]
    matrix = np.zeros((1, 3, 3), dtype=np.int64)
    for one, other in pairs:
        matrix[0, names.index(one), names.index(other)] += 1
    (ours,) = _kappas(matrix)
    if math.isnan(ours):
        assert len({answer for pair in pairs for answer in pair}) == 1
    else:
        assert ours == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True), labels=names))


@given(pairs=ANSWERS)
@settings(max_examples=50, deadline=None)
def test_kappa_and_agreement_do_not_ask_who_is_first(pairs: list[tuple[str, str]]) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    for one, other in ((kappa(first, second).value, kappa(second, first).value),
                       (agreement(first, second).value, agreement(second, first).value)):  # fmt: skip
        assert one == pytest.approx(other, nan_ok=True)


def test_tables_have_a_row_for_each_kind_of_inference() -> None:
    key = {}
    answers = {}
    for kind, right in (("natural", 6), ("composed", 9)):
        for number in range(10):
            item = Item(kind, f"{kind} {number}", "h", "neutral")
            key[item.id] = item
            answers[item.id] = ("neutral", "neutral" if number < right else "entailment")
    kappas, shares = agreement_tables(key, answers)
    assert [row.name for row in shares.rows] == ["composed (10 pairs)", "natural (10 pairs)"]
    found = [[cell.measured.value for cell in row.cells if cell.measured] for row in shares.rows]
    assert found == [[90.0, 100.0, 90.0], [60.0, 100.0, 60.0]]
    assert [row.cells[0].measured.value for row in kappas.rows if row.cells[0].measured] == [0.0, 0.0]
