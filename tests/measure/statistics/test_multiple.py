"""Holm's correction against its definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.measure.statistics.multiple import holm


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
