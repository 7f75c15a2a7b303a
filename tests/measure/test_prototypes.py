"""Mean vectors, distances to them and pooled means, against loops."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.measure.prototypes import Prototypes

NUMBER = 4  # of labels


class Support(NamedTuple):
    vectors: np.ndarray
    labels: np.ndarray


@st.composite
def supports(draw: st.DrawFn, width: int, scale: float = 100.0) -> Support:
    """A few vectors with labels; not all labels need occur."""
    number = draw(st.integers(1, 8))
    value = st.floats(-scale, scale, width=32)
    lines = draw(st.lists(st.lists(value, min_size=width, max_size=width), min_size=number, max_size=number))
    labels = draw(st.lists(st.integers(0, NUMBER - 1), min_size=number, max_size=number))
    return Support(np.array(lines, dtype=np.float32), np.array(labels, dtype=np.intp))


several = st.integers(1, 3).flatmap(lambda width: st.lists(supports(width), min_size=2, max_size=4))


def means_by_hand(support: Support) -> dict[int, list[float]]:
    found = {}
    for label in sorted(set(support.labels.tolist())):
        mine = [v.tolist() for v, own in zip(support.vectors, support.labels, strict=True) if own == label]
        found[label] = [math.fsum(values) / len(mine) for values in zip(*mine, strict=True)]
    return found


def logits_by_hand(means: list[tuple[int, list[float]]], vector: np.ndarray) -> list[float]:
    """−d to the nearest mean of each label; −∞ without one."""
    return [
        max((-math.dist(vector.tolist(), mean) for label, mean in means if label == name), default=-math.inf)
        for name in range(NUMBER)
    ]


@given(several)
@settings(deadline=None, max_examples=40)
def test_each_label_that_occurs_has_the_mean_of_its_vectors(given_supports: list[Support]) -> None:
    for support in given_supports:
        expected, found = means_by_hand(support), Prototypes.of(*support)
        assert found.labels.tolist() == list(expected)
        assert np.allclose(found.means, list(expected.values()), rtol=1e-12, atol=1e-12)


@given(several)
@settings(deadline=None, max_examples=40)
def test_a_logit_is_the_distance_to_the_mean_below_zero_and_without_a_mean_it_is_infinite(
    given_supports: list[Support],
) -> None:
    support, asked = given_supports[0], given_supports[1].vectors
    found = Prototypes.of(*support).logits(asked, NUMBER)
    expected = [logits_by_hand(list(means_by_hand(support).items()), vector) for vector in asked]
    assert found.shape == (len(asked), NUMBER)
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-5)
    present = set(support.labels.tolist())
    assert all(np.isneginf(found[:, name]).all() == (name not in present) for name in range(NUMBER))


@given(several)
@settings(deadline=None, max_examples=40)
def test_of_pooled_means_the_nearest_of_all_counts(given_supports: list[Support]) -> None:
    *sets, last = given_supports
    means = [pair for support in sets for pair in means_by_hand(support).items()]
    pooled = Prototypes.pooled(Prototypes.of(*support) for support in sets)
    assert len(pooled.means) == len(pooled.labels) == len(means)
    expected = [logits_by_hand(means, vector) for vector in last.vectors]
    assert np.allclose(pooled.logits(last.vectors, NUMBER), expected, rtol=1e-9, atol=1e-5)


def test_a_large_support_set_weighs_no_more_than_a_small_one() -> None:
    many = Prototypes.of(np.zeros((1000, 1), dtype=np.float32), np.zeros(1000, dtype=np.intp))
    one = Prototypes.of(np.array([[4.0], [3.0]], dtype=np.float32), np.array([0, 1]))
    asked = np.array([[3.6], [1.0]], dtype=np.float32)
    assert Prototypes.pooled([many, one]).logits(asked, 2) == pytest.approx(np.array([[-0.4, -0.6], [-1.0, -2.0]]))


def test_vectors_of_single_precision_are_averaged_in_double() -> None:
    vectors = np.full((100_000, 1), 0.1, dtype=np.float32)
    assert Prototypes.of(vectors, np.zeros(100_000, dtype=np.intp)).means[0, 0] == pytest.approx(
        float(np.float32(0.1)), rel=1e-12
    )


def test_a_vector_at_a_mean_has_a_distance_of_zero_and_no_nan() -> None:
    vectors = np.random.default_rng(0).normal(1, 1, size=(200, 64)).astype(np.float32)
    found = Prototypes.of(vectors, np.arange(200)).logits(vectors, 200)
    assert np.isfinite(found).all()
    assert np.allclose(np.diag(found), 0, atol=1e-4)
    assert np.array_equal(found.argmax(1), np.arange(200))


def test_a_label_that_only_one_support_set_has_is_answered_by_it() -> None:
    first = Prototypes.of(np.array([[0.0, 0.0]], dtype=np.float32), np.array([2]))
    second = Prototypes.of(np.array([[3.0, 4.0]], dtype=np.float32), np.array([0]))
    found = Prototypes.pooled([first, second]).logits(np.zeros((1, 2), dtype=np.float32), NUMBER)
    assert found.tolist() == [[-5.0, -math.inf, 0.0, -math.inf]]
