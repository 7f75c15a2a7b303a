"""Spans of IOB2 tags against hand-written ones, and decoding against all valid sequences."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.data.roles import tag_error
from trivium.measure.spans import Counts, Span, best_tags, count_spans, f1, overall, spans_of, sum_counts

TAGS = ("O", "B-A", "I-A", "B-B", "I-B")


def test_a_span_ends_where_another_begins() -> None:
    tags = "B-A I-A B-A O B-B I-B I-B".split()
    assert spans_of(tags) == [Span("A", 0, 2), Span("A", 2, 3), Span("B", 4, 7)]
    assert spans_of([]) == []
    assert spans_of(["I-A", "I-B", "O", "I-B"]) == [Span("A", 0, 1), Span("B", 1, 2), Span("B", 3, 4)]


def test_a_correct_span_has_the_gold_role_and_boundaries() -> None:
    gold = "B-A I-A O B-B B-V B-A".split()
    predicted = "B-A O O B-B B-V B-B".split()
    result = count_spans(gold, predicted, exclude=["V"])
    assert result == {"A": Counts(0, 1, 2), "B": Counts(1, 2, 1)}
    assert (result["B"].precision, result["B"].recall, result["B"].f1) == (0.5, 1.0, pytest.approx(2 / 3))
    assert overall(result) == Counts(1, 3, 3)
    assert overall(result).f1 == pytest.approx(1 / 3)


def test_counts_are_summed_over_sequences() -> None:
    rows = [{"A": Counts(1, 2, 3)}, {"B": Counts(0, 1, 0), "A": Counts(1, 1, 1)}]
    assert sum_counts(rows) == {"A": Counts(2, 3, 4), "B": Counts(0, 1, 0)}
    assert sum_counts([]) == {}


def test_scores_without_spans_are_zero() -> None:
    assert f1(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 3.0]])).tolist() == [0.0, 0.5]
    assert Counts(0, 0, 0) == overall({})
    assert (Counts(0, 0, 0).precision, Counts(0, 0, 0).recall, Counts(0, 0, 0).f1) == (0.0, 0.0, 0.0)


def test_sequences_of_different_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="1 predicted tags for 2 gold tags"):
        count_spans(["O", "O"], ["O"])


def valid(tags: tuple[str, ...]) -> bool:
    return tag_error([*tags, "B-V"]) is None


@settings(deadline=None)
@given(st.integers(1, 4).flatmap(lambda n: st.lists(
    st.lists(st.integers(-9, 9), min_size=5, max_size=5), min_size=n, max_size=n)))  # fmt: skip
def test_the_best_valid_sequence_is_returned(scores: list[list[int]]) -> None:
    array = np.array(scores, dtype=np.float32)
    result = best_tags(array, TAGS)

    def score(tags: tuple[str, ...]) -> float:
        return sum(float(array[index, TAGS.index(tag)]) for index, tag in enumerate(tags))

    assert valid(tuple(result))
    assert score(tuple(result)) == max(score(tags) for tags in product(TAGS, repeat=len(scores)) if valid(tags))


def test_decoding_no_words_gives_no_tags() -> None:
    assert best_tags(np.zeros((0, 5), dtype=np.float32), TAGS) == []
