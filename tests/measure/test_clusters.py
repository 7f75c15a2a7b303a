"""Silhouettes and spreads against their formulas, and reproducible projections."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.measure.clusters import has_clusters, project_tsne, silhouettes, spreads

RNG = np.random.default_rng(0)
VECTORS = RNG.normal(size=(30, 5)).astype(np.float32)
LABELS = [("e", "n", "c")[i % 3] for i in range(30)]


def distance(left: int, right: int) -> float:
    return float(np.sqrt(sum((a - b) ** 2 for a, b in zip(VECTORS[left], VECTORS[right], strict=True))))


def mean_distance(index: int, label: str) -> float:
    others = [i for i in range(30) if LABELS[i] == label and i != index]
    return sum(distance(index, other) for other in others) / len(others)


def test_a_silhouette_compares_distances_to_its_own_and_the_nearest_other_class() -> None:
    result = silhouettes(VECTORS, LABELS)
    for index in range(30):
        own = mean_distance(index, LABELS[index])
        nearest = min(mean_distance(index, label) for label in "enc" if label != LABELS[index])
        assert result[index] == pytest.approx((nearest - own) / max(nearest, own), abs=1e-4)


def test_a_spread_is_the_distance_to_the_centre_relative_to_that_between_centres() -> None:
    centres = {label: np.mean([VECTORS[i] for i in range(30) if LABELS[i] == label], axis=0) for label in "enc"}
    between = np.mean([np.linalg.norm(centres[a] - centres[b]) for a, b in ("en", "ec", "nc")])
    result = spreads(VECTORS, LABELS)
    for index in range(30):
        expected = np.linalg.norm(VECTORS[index] - centres[LABELS[index]]) / between
        assert result[index] == pytest.approx(expected, rel=1e-5)


def test_silhouettes_and_spreads_do_not_depend_on_the_scale_of_the_vectors() -> None:
    assert silhouettes(7 * VECTORS, LABELS) == pytest.approx(silhouettes(VECTORS, LABELS), abs=1e-5)
    assert spreads(7 * VECTORS, LABELS) == pytest.approx(spreads(VECTORS, LABELS), rel=1e-4)


def test_dense_classes_have_a_high_silhouette_and_a_low_spread() -> None:
    centres = 10 * np.eye(3, 5, dtype=np.float32)[[i % 3 for i in range(30)]]
    assert silhouettes(centres + 0.01 * VECTORS, LABELS).min() > 0.9
    assert spreads(centres + 0.01 * VECTORS, LABELS).max() < 0.1


@pytest.mark.parametrize(
    ("labels", "expected"), [("", False), ("e", False), ("ee", False), ("en", False), ("een", True)]
)
def test_clusters_need_two_classes_and_one_with_two_members(labels: str, expected: bool) -> None:
    assert has_clusters(labels) == expected
    if expected:
        assert len(silhouettes(VECTORS[: len(labels)], list(labels))) == len(labels)
        assert project_tsne(VECTORS[: len(labels)]).shape == (len(labels), 2)


def test_a_projection_is_reproducible_and_keeps_classes_apart() -> None:
    vectors = 10 * np.eye(3, 5, dtype=np.float32)[[i % 3 for i in range(30)]] + VECTORS
    projected = project_tsne(vectors)
    assert projected.shape == (30, 2)
    assert np.array_equal(projected, project_tsne(vectors))
    assert silhouettes(projected.astype(np.float32), LABELS).mean() > 0.5
