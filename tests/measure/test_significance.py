"""Holm's correction against its definition, and bootstrap p-values of clear examples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.measure.significance import bootstrap_p, holm


def test_holm_of_a_textbook_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.001, 0.5))
def test_holm_rejects_what_the_stepwise_procedure_rejects(values: list[float], level: float) -> None:
    rejected: set[int] = set()
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        if values[index] * (len(values) - rank) > level:
            break
        rejected.add(index)
    assert {index for index, p in enumerate(holm(values)) if p <= level} == rejected


def test_p_is_one_without_a_difference_and_minimal_for_a_constant_one() -> None:
    assert bootstrap_p(np.zeros(1001)) == 1.0
    assert bootstrap_p(np.ones(1001)) == pytest.approx(2 / 1001)
    symmetric = np.concatenate([[0.0], np.linspace(-1, 1, 1000)])
    assert bootstrap_p(symmetric) > 0.99
