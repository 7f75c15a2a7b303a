"""The similarity of texts equals the largest Jaccard similarity over all pairs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.build.splits.similarity import similarity

TEXTS = st.lists(st.frozensets(st.sampled_from("a b c d e f g".split())), max_size=8)


@given(TEXTS, TEXTS)
@settings(deadline=None)  # the first call imports scipy
def test_similarity_is_the_maximum_over_all_pairs(texts: list[frozenset[str]], others: list[frozenset[str]]) -> None:
    expected = [max((len(a & b) / max(len(a | b), 1) for b in others), default=0.0) for a in texts]
    assert list(similarity(texts, others)) == pytest.approx(expected)
