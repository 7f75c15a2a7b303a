"""Instability against its definition, summed over all pairs of examples."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.measure.instability import instability


def by_loops(correct: np.ndarray) -> tuple[float, float, float]:
    """Return the total, independent and covariance terms, computed with loops over examples (Zhou et al., 2020)."""
    seeds, number = correct.shape
    values = correct.astype(float)

    def covariance(i: int, j: int) -> float:
        return float(((values[:, i] - values[:, i].mean()) * (values[:, j] - values[:, j].mean())).sum() / (seeds - 1))

    accuracies = [float(row.mean()) for row in values]
    mean = sum(accuracies) / seeds
    total = sum((accuracy - mean) ** 2 for accuracy in accuracies) / (seeds - 1)
    independent = sum(covariance(i, i) for i in range(number)) / number**2
    covariances = 2 * sum(covariance(i, j) for i in range(number) for j in range(i + 1, number)) / number**2
    return total, independent, covariances


@pytest.mark.parametrize("seed", range(5))
def test_the_parts_match_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    correct = rng.random((int(rng.integers(2, 7)), int(rng.integers(1, 12)))) < 0.6
    total, independent, covariances = by_loops(correct)
    result = instability(correct)
    assert result.total == pytest.approx(np.sqrt(total))
    assert result.independent == pytest.approx(np.sqrt(independent))
    assert np.sign(result.covariance) * result.covariance**2 == pytest.approx(covariances, abs=1e-12)
    assert total == pytest.approx(independent + covariances, abs=1e-12)
    assert result.mean == pytest.approx(correct.mean())
    assert result.interval.low <= result.total <= result.interval.high


def test_covariance_is_positive_for_correlated_examples_and_negative_for_anticorrelated_ones() -> None:
    correlated = np.array([[1, 1, 1, 1], [0, 0, 0, 0]], dtype=bool)
    anticorrelated = np.array([[1, 0, 1, 0], [0, 1, 0, 1]], dtype=bool)
    assert instability(correlated).covariance > instability(correlated).independent
    assert instability(anticorrelated).total == 0
    assert instability(anticorrelated).covariance == pytest.approx(-instability(anticorrelated).independent)


def test_one_seed_is_not_enough() -> None:
    with pytest.raises(ValueError, match="at least two seeds and one example, got 1 seeds and 5 examples"):
        instability(np.ones((1, 5), dtype=bool))
