"""Mean vectors, distances to them and pooled means, against pure-Python loops."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.measure.prototypes import BLOCK, Prototypes

NUMBER = 4  # of labels


class Support(NamedTuple):
    vectors: np.ndarray
    labels: np.ndarray


@st.composite
def supports(draw: st.DrawFn, width: int, scale: float = 100.0) -> Support:
    """Draw a few labelled vectors; some labels may be absent."""
    number = draw(st.integers(1, 8))
    value = st.floats(-scale, scale, width=32)
    rows = draw(st.lists(st.lists(value, min_size=width, max_size=width), min_size=number, max_size=number))
    labels = draw(st.lists(st.integers(0, NUMBER - 1), min_size=number, max_size=number))
    return Support(np.array(rows, dtype=np.float32), np.array(labels, dtype=np.intp))


several = st.integers(1, 3).flatmap(lambda width: st.lists(supports(width), min_size=2, max_size=4))


def means_by_loop(support: Support) -> dict[int, list[float]]:
    means = {}
    for label in sorted(set(support.labels.tolist())):
        members = [v.tolist() for v, own in zip(support.vectors, support.labels, strict=True) if own == label]
        means[label] = [math.fsum(values) / len(members) for values in zip(*members, strict=True)]
    return means


def logits_by_loop(means: list[tuple[int, list[float]]], vector: np.ndarray) -> list[float]:
    """Return −d to the nearest mean of each label, or −∞ for a label without a mean."""
    return [
        max((-math.dist(vector.tolist(), mean) for label, mean in means if label == name), default=-math.inf)
        for name in range(NUMBER)
    ]


@given(several)
@settings(deadline=None, max_examples=40)
def test_each_label_in_the_support_set_has_the_mean_of_its_vectors(given_supports: list[Support]) -> None:
    for support in given_supports:
        expected, prototypes = means_by_loop(support), Prototypes.from_vectors(*support)
        assert prototypes.labels.tolist() == list(expected)
        assert np.allclose(prototypes.means, list(expected.values()), rtol=1e-12, atol=1e-12)


@given(several)
@settings(deadline=None, max_examples=40)
def test_a_logit_is_the_negative_distance_to_the_mean_and_infinite_without_a_mean(
    given_supports: list[Support],
) -> None:
    support, queries = given_supports[0], given_supports[1].vectors
    logits = Prototypes.from_vectors(*support).logits(queries, NUMBER)
    expected = [logits_by_loop(list(means_by_loop(support).items()), vector) for vector in queries]
    assert logits.shape == (len(queries), NUMBER)
    assert np.allclose(logits, expected, rtol=1e-9, atol=1e-5)
    present = set(support.labels.tolist())
    assert all(np.isneginf(logits[:, name]).all() == (name not in present) for name in range(NUMBER))


@given(several)
@settings(deadline=None, max_examples=40)
def test_pooled_prototypes_use_the_nearest_mean_of_all_sets(given_supports: list[Support]) -> None:
    *sets, last = given_supports
    means = [pair for support in sets for pair in means_by_loop(support).items()]
    pooled = Prototypes.pooled(Prototypes.from_vectors(*support) for support in sets)
    assert len(pooled.means) == len(pooled.labels) == len(means)
    expected = [logits_by_loop(means, vector) for vector in last.vectors]
    assert np.allclose(pooled.logits(last.vectors, NUMBER), expected, rtol=1e-9, atol=1e-5)


def test_a_large_support_set_has_the_same_weight_as_a_small_one() -> None:
    many = Prototypes.from_vectors(np.zeros((1000, 1), dtype=np.float32), np.zeros(1000, dtype=np.intp))
    few = Prototypes.from_vectors(np.array([[4.0], [3.0]], dtype=np.float32), np.array([0, 1]))
    queries = np.array([[3.6], [1.0]], dtype=np.float32)
    assert Prototypes.pooled([many, few]).logits(queries, 2) == pytest.approx(np.array([[-0.4, -0.6], [-1.0, -2.0]]))


def test_single_precision_vectors_are_averaged_in_double_precision() -> None:
    vectors = np.full((100_000, 1), 0.1, dtype=np.float32)
    assert Prototypes.from_vectors(vectors, np.zeros(100_000, dtype=np.intp)).means[0, 0] == pytest.approx(
        float(np.float32(0.1)), rel=1e-12
    )


def test_a_vector_at_a_mean_has_a_distance_of_zero_and_no_nan() -> None:
    vectors = np.random.default_rng(0).normal(1, 1, size=(200, 64)).astype(np.float32)
    logits = Prototypes.from_vectors(vectors, np.arange(200)).logits(vectors, 200)
    assert np.isfinite(logits).all()
    assert np.allclose(np.diag(logits), 0, atol=1e-4)
    assert np.array_equal(logits.argmax(1), np.arange(200))


def test_a_label_of_a_single_support_set_uses_its_mean() -> None:
    first = Prototypes.from_vectors(np.array([[0.0, 0.0]], dtype=np.float32), np.array([2]))
    second = Prototypes.from_vectors(np.array([[3.0, 4.0]], dtype=np.float32), np.array([0]))
    logits = Prototypes.pooled([first, second]).logits(np.zeros((1, 2), dtype=np.float32), NUMBER)
    assert logits.tolist() == [[-5.0, -math.inf, 0.0, -math.inf]]


def test_many_vectors_are_compared_in_blocks() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(2 * BLOCK + 3, 5)).astype(np.float32)
    prototypes = Prototypes(rng.normal(size=(4, 5)), np.array([0, 1, 1, 3]))
    alone = np.concatenate([prototypes.logits(vectors[[index]], 4) for index in range(len(vectors))])
    assert np.allclose(prototypes.logits(vectors, 4), alone, rtol=1e-12)
