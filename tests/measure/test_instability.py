"""Instability is what the definition says, summed over all pairs of examples."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.measure.instability import instability


def by_loops(right: np.ndarray) -> tuple[float, float, float]:
    """Total and independent variance, and the sum of covariances, by loops over examples (Zhou et al., 2020)."""
    seeds, number = right.shape
    values = right.astype(float)

    def covariance(i: int, j: int) -> float:
        return float(((values[:, i] - values[:, i].mean()) * (values[:, j] - values[:, j].mean())).sum() / (seeds - 1))

    accuracies = [float(line.mean()) for line in values]
    middle = sum(accuracies) / seeds
    total = sum((one - middle) ** 2 for one in accuracies) / (seeds - 1)
    independent = sum(covariance(i, i) for i in range(number)) / number**2
    together = 2 * sum(covariance(i, j) for i in range(number) for j in range(i + 1, number)) / number**2
    return total, independent, together


@pytest.mark.parametrize("seed", range(5))
def test_the_parts_are_those_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((int(rng.integers(2, 7)), int(rng.integers(1, 12)))) < 0.6
    total, independent, together = by_loops(right)
    found = instability(right)
    assert found.total == pytest.approx(np.sqrt(total))
    assert found.independent == pytest.approx(np.sqrt(independent))
    assert np.sign(found.covariance) * found.covariance**2 == pytest.approx(together, abs=1e-12)
    assert total == pytest.approx(independent + together, abs=1e-12)
    assert found.mean == pytest.approx(right.mean())
    assert found.interval.low <= found.total <= found.interval.high


def test_examples_that_go_together_are_told_from_such_that_make_up_for_each_other() -> None:
    together = np.array([[1, 1, 1, 1], [0, 0, 0, 0]], dtype=bool)
    apart = np.array([[1, 0, 1, 0], [0, 1, 0, 1]], dtype=bool)
    assert instability(together).covariance > instability(together).independent
    assert instability(apart).total == 0
    assert instability(apart).covariance == pytest.approx(-instability(apart).independent)


def test_one_seed_is_not_enough() -> None:
    with pytest.raises(ValueError, match="two seeds"):
        instability(np.ones((1, 5), dtype=bool))
