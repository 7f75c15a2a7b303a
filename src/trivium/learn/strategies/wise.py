"""Replay, then interpolation between the weights before and after the stage (WiSE-FT, Wortsman et al., 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from trivium.data.example import Example
from trivium.learn.replay import OnlineMemory, Replay, remember
from trivium.learn.strategy import strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner
    from trivium.learn.memory import Memory


@strategy("wise")
@dataclass(frozen=True)
class InterpolatedReplay(Replay):
    """Train a stage with replay, as ``er-res`` does, and keep only a ``share`` of the change of every weight.

    θ = (1 − share) · θ_before + share · θ_after.
    """

    cost = 2.0
    title = "WiSE-FT"
    resumable = True
    given_examples_only = False
    share: Annotated[float, Field(ge=0, le=1)] = 0.5

    def begin_stage(self, learner: Learner, memory: Memory) -> Any:
        """Keep the weights, and return the memory to draw from."""
        from trivium.learn.interpolation import weights_of

        learner.start = weights_of(learner.network)
        return super().begin_stage(learner, memory)

    def step(self, learner: Learner, batch: Sequence[Example], memory: Memory | OnlineMemory) -> float:
        """Leave the gradient over the batch and an equal number of remembered examples."""
        remembered = memory.draw(len(batch), learner.rng)
        remember(memory, batch, learner.rng)
        return learner.backward(learner.loss([*batch, *remembered]))

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Interpolate the weights, unless the stage was trained elsewhere, and add the stage to the reservoir."""
        from trivium.learn.interpolation import interpolate

        if learner.start is not None:
            interpolate(learner.network, learner.start, self.share)
            learner.start = None
        return super().end_stage(learner, stage, memory)
