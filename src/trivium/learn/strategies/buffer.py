"""Experience replay from a buffer with an equal share for every stage (Chaudhry et al., 2019b)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.example import Example
from trivium.learn.memory import Memory, equal_shares
from trivium.learn.strategy import Positive, Strategy, strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner


@strategy("er-buff")
@dataclass(frozen=True)
class BufferReplay(Strategy):
    """Replay from a buffer in which every earlier stage has the same share."""

    cost = 2.0
    title = "ER-Buff"
    given_examples_only = True
    memory_size: Positive = 100

    def step(self, learner: Learner, batch: Sequence[Example], memory: Memory) -> float:
        """Leave the gradient over the batch and an equal number of remembered examples."""
        return learner.backward(learner.loss([*batch, *memory.draw(len(batch), learner.rng)]))

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Give the stage its share of the buffer."""
        return equal_shares(memory, stage, self.memory_size, learner.rng)
