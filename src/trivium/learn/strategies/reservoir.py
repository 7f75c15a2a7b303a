"""Experience replay from a reservoir (Chaudhry et al., 2019b): remembered examples are added to every batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.example import Example
from trivium.learn.memory import Memory, reservoir
from trivium.learn.strategy import Positive, Strategy, strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner


@strategy("er-res")
@dataclass(frozen=True)
class ReservoirReplay(Strategy):
    """Replay from a reservoir, which keeps every earlier example with the same probability.

    As many examples as the batch has are drawn from the memory, and both are trained as one batch.
    """

    cost = 2.0
    for_corrections = True
    title = "ER-Res"
    given_examples_only = True
    memory_size: Positive = 100

    def step(self, learner: Learner, batch: Sequence[Example], memory: Memory) -> float:
        """Leave the gradient over the batch and an equal number of remembered examples."""
        return learner.backward(learner.loss([*batch, *memory.draw(len(batch), learner.rng)]))

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Add the stage to the reservoir."""
        return reservoir(memory, stage, self.memory_size, learner.rng)
