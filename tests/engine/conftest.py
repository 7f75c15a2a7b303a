from __future__ import annotations

from collections.abc import Callable

import pytest

from trivium.engine.steps import PLAIN, StrategySpec, TrainStep
from trivium.learn.config import ModelConfig, TrainConfig

MakeTrain = Callable[..., TrainStep]


@pytest.fixture
def train() -> MakeTrain:
    def make(
        split: str = "a", spec: StrategySpec = PLAIN, parent: TrainStep | None = None, seed: int = 0, **changes: object
    ) -> TrainStep:
        config = TrainConfig.model_validate(changes)
        return TrainStep(ModelConfig(name="tiny"), "f", ("composed",), config, seed, split, 10, spec, parent)

    return make
