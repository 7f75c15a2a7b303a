"""Nominal 95 % intervals contain the true value in 93 to 97 % of simulated studies."""

from __future__ import annotations

import pytest
from benchmarks.coverage import World, simulate, worlds

WORLDS = [
    world
    for world in worlds()
    if world.seeds > 2 and world.name in ("accuracy", "difference of two methods", "rare successes (2 %)")
]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: f"{world.name}, {world.seeds} seeds")
def test_coverage(world: World) -> None:
    assert 93 <= simulate(world, 800, with_before=False).after <= 97


@pytest.mark.parametrize("seeds", [3, 10])
def test_coverage_with_three_of_nine_folds(seeds: int) -> None:
    world = next(world for world in worlds() if (world.name, world.seeds) == ("3 of 9 folds, difference", seeds))
    assert 93 <= simulate(world, 500, with_before=False).after <= 97


@pytest.mark.parametrize("seeds", [1, 2])
def test_coverage_with_one_or_two_seeds_in_each_of_nine_folds(seeds: int) -> None:
    world = next(world for world in worlds() if (world.name, world.seeds) == ("all 9 folds, difference", seeds))
    assert simulate(world, 400, with_before=False).after >= 93


def test_two_seeds_cover_about_nine_of_ten_and_more() -> None:
    both = [world for world in worlds() if world.seeds == 2 and world.name in ("accuracy", "rare successes (2 %)")]
    assert all(simulate(world, 500, with_before=False).after >= 90 for world in both)
