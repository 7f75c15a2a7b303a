"""Experience replay from a reservoir (Chaudhry et al., 2019b): remembered examples are added to every batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.example import Example
from trivium.learn.replay import OnlineMemory, Replay, remember
from trivium.learn.strategy import strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner
    from trivium.learn.memory import Memory


@strategy("er-res")
@dataclass(frozen=True)
class ReservoirReplay(Replay):
    """Replay from a reservoir, which keeps every earlier example with the same probability.

    As many examples as the batch has are drawn from the memory, and both are trained as one batch.
    """

    cost = 2.0
    for_corrections = True
    title = "ER-Res"
    given_examples_only = True

    def step(self, learner: Learner, batch: Sequence[Example], memory: Memory | OnlineMemory) -> float:
        """Leave the gradient over the batch and an equal number of remembered examples."""
        loss = learner.backward(learner.loss([*batch, *memory.draw(len(batch), learner.rng)]))
        remember(memory, batch, learner.rng)
        return loss
