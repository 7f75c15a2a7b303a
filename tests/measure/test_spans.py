"""Spans of IOB2 tags: by hand, and the best legal row against all rows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.data.roles import tag_mistake
from trivium.measure.spans import Counts, Span, added, best_tags, count_spans, f1, overall, spans_of

TAGS = ("O", "B-A", "I-A", "B-B", "I-B")


def test_a_span_ends_where_another_begins() -> None:
    tags = "B-A I-A B-A O B-B I-B I-B".split()
    assert spans_of(tags) == [Span("A", 0, 2), Span("A", 2, 3), Span("B", 4, 7)]
    assert spans_of([]) == []
    assert spans_of(["I-A", "I-B", "O", "I-B"]) == [Span("A", 0, 1), Span("B", 1, 2), Span("B", 3, 4)]


def test_the_role_and_both_ends_must_be_right() -> None:
    gold = "B-A I-A O B-B B-V B-A".split()
    said = "B-A O   O B-B B-V B-B".split()
    found = count_spans(gold, said, apart=["V"])
    assert found == {"A": Counts(0, 1, 2), "B": Counts(1, 2, 1)}
    assert (found["B"].precision, found["B"].recall, found["B"].f1) == (0.5, 1.0, pytest.approx(2 / 3))
    assert overall(found) == Counts(1, 3, 3)
    assert overall(found).f1 == pytest.approx(1 / 3)


def test_counts_of_rows_are_added() -> None:
    rows = [{"A": Counts(1, 2, 3)}, {"B": Counts(0, 1, 0), "A": Counts(1, 1, 1)}]
    assert added(rows) == {"A": Counts(2, 3, 4), "B": Counts(0, 1, 0)}
    assert added([]) == {}


def test_where_there_is_nothing_f1_is_zero() -> None:
    assert f1(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 3.0]])).tolist() == [0.0, 0.5]
    assert Counts(0, 0, 0) == overall({})
    assert (Counts(0, 0, 0).precision, Counts(0, 0, 0).recall, Counts(0, 0, 0).f1) == (0.0, 0.0, 0.0)


def test_rows_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="1 tags said for 2"):
        count_spans(["O", "O"], ["O"])


def legal(row: tuple[str, ...]) -> bool:
    mistake = tag_mistake([*row, "B-V"])
    return mistake is None


@settings(deadline=None)
@given(st.integers(1, 4).flatmap(lambda n: st.lists(
    st.lists(st.integers(-9, 9), min_size=5, max_size=5), min_size=n, max_size=n)))  # fmt: skip
def test_the_best_legal_row_is_found(scores: list[list[int]]) -> None:
    array = np.array(scores, dtype=np.float32)
    found = best_tags(array, TAGS)

    def score(row: tuple[str, ...]) -> float:
        return sum(float(array[place, TAGS.index(tag)]) for place, tag in enumerate(row))

    assert legal(tuple(found))
    assert score(tuple(found)) == max(score(row) for row in product(TAGS, repeat=len(scores)) if legal(row))


def test_no_words_have_no_tags() -> None:
    assert best_tags(np.zeros((0, 5), dtype=np.float32), TAGS) == []
