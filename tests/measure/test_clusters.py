"""Density of classes against the formulas written out, and pictures that are the same each time."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.measure.clusters import are_classes, flattened, silhouettes, spreads

RNG = np.random.default_rng(0)
VECTORS = RNG.normal(size=(30, 5)).astype(np.float32)
LABELS = [("e", "n", "c")[i % 3] for i in range(30)]


def distance(one: int, other: int) -> float:
    return float(np.sqrt(sum((a - b) ** 2 for a, b in zip(VECTORS[one], VECTORS[other], strict=True))))


def mean_distance(place: int, label: str) -> float:
    others = [i for i in range(30) if LABELS[i] == label and i != place]
    return sum(distance(place, other) for other in others) / len(others)


def test_a_silhouette_compares_the_own_class_with_the_nearest_other() -> None:
    found = silhouettes(VECTORS, LABELS)
    for place in range(30):
        own = mean_distance(place, LABELS[place])
        near = min(mean_distance(place, label) for label in "enc" if label != LABELS[place])
        assert found[place] == pytest.approx((near - own) / max(near, own), abs=1e-4)


def test_a_spread_is_the_distance_to_the_centre_over_that_between_centres() -> None:
    centres = {label: np.mean([VECTORS[i] for i in range(30) if LABELS[i] == label], axis=0) for label in "enc"}
    apart = np.mean([np.linalg.norm(centres[a] - centres[b]) for a, b in ("en", "ec", "nc")])
    found = spreads(VECTORS, LABELS)
    for place in range(30):
        assert found[place] == pytest.approx(np.linalg.norm(VECTORS[place] - centres[LABELS[place]]) / apart, rel=1e-5)


def test_neither_changes_with_the_scale_of_the_vectors() -> None:
    assert silhouettes(7 * VECTORS, LABELS) == pytest.approx(silhouettes(VECTORS, LABELS), abs=1e-5)
    assert spreads(7 * VECTORS, LABELS) == pytest.approx(spreads(VECTORS, LABELS), rel=1e-4)


def test_dense_classes_have_a_high_silhouette_and_a_low_spread() -> None:
    places = 10 * np.eye(3, 5, dtype=np.float32)[[i % 3 for i in range(30)]]
    assert silhouettes(places + 0.01 * VECTORS, LABELS).min() > 0.9
    assert spreads(places + 0.01 * VECTORS, LABELS).max() < 0.1


@pytest.mark.parametrize(("labels", "are"), [("", False), ("e", False), ("ee", False), ("en", False), ("een", True)])
def test_classes_take_two_labels_and_company(labels: str, are: bool) -> None:
    assert are_classes(labels) == are
    if are:
        assert len(silhouettes(VECTORS[: len(labels)], list(labels))) == len(labels)
        assert flattened(VECTORS[: len(labels)]).shape == (len(labels), 2)


def test_a_picture_is_the_same_each_time_and_keeps_classes_apart() -> None:
    places = 10 * np.eye(3, 5, dtype=np.float32)[[i % 3 for i in range(30)]] + VECTORS
    picture = flattened(places)
    assert picture.shape == (30, 2)
    assert np.array_equal(picture, flattened(places))
    assert silhouettes(picture.astype(np.float32), LABELS).mean() > 0.5
