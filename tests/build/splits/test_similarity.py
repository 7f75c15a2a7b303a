"""Likeness is the largest share of common words, as counted one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.build.splits.similarity import similarity

TEXTS = st.lists(st.frozensets(st.sampled_from("a b c d e f g".split())), max_size=8)


@given(TEXTS, TEXTS)
def test_it_is_that_of_all_pairs_counted(texts: list[frozenset[str]], others: list[frozenset[str]]) -> None:
    wanted = [max((len(a & b) / max(len(a | b), 1) for b in others), default=0.0) for a in texts]
    assert list(similarity(texts, others)) == pytest.approx(wanted)
