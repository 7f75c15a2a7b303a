"""Making the steps of a benchmark from splits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from trivium.data.split import Split
from trivium.engine.steps import PLAIN, DivideStep, PredictStep, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.learn.config import ModelConfig, TrainConfig


@dataclass(frozen=True)
class StepMaker:
    """Makes steps of one model, and keeps what they train and test on in the store, if there is one."""

    model: ModelConfig
    fingerprint: str
    heads: tuple[str, ...]
    store: Store | None

    def trained(
        self,
        split: Split,
        train: TrainConfig,
        seed: int,
        parent: TrainStep | None = None,
        strategy: StrategySpec = PLAIN,
    ) -> TrainStep:
        """A stage on a split, after the parent's."""
        name, size = self.kept(split), len(split)
        return TrainStep(self.model, self.fingerprint, self.heads, train, seed, name, size, strategy, parent)

    def trained_on_half(self, half: DivideStep, train: TrainConfig, seed: int, parent: TrainStep) -> TrainStep:
        """A stage on the half of a split that a step finds."""
        size = half.informed.size // 2
        return TrainStep(self.model, self.fingerprint, self.heads, train, seed, half.key, size, PLAIN, parent, half)

    def predicted(
        self, training: TrainStep, split: Split, output: Literal["logits", "vectors"] = "logits"
    ) -> PredictStep:
        """What the model of a step says of a split."""
        return PredictStep(training, self.kept(split), len(split), output)

    def kept(self, split: Split) -> str:
        """The identity of a split, which the store keeps."""
        return split.identity if self.store is None else self.store.put_split(split)


def by_model(steps: Iterable[PredictStep]) -> dict[str, list[PredictStep]]:
    """The predictions of each model, by the key of the step that makes it."""
    found: dict[str, list[PredictStep]] = {}
    for step in steps:
        found.setdefault(step.training.key, []).append(step)
    return found
