"""Knowledge distillation over the memory (Aguilar et al., 2020): stay close to what the previous stage said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.learn.memory import Memory, reservoir
from trivium.learn.strategy import NotNegative, Positive, Strategy, strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner


@dataclass(frozen=True)
class Taught:
    """The memory, and the logits that the model of the previous stage gave each row of it."""

    memory: Memory
    said: Mapping[Example, Tensor]


@strategy("kd")
@dataclass(frozen=True)
class Distillation(Strategy):
    """Add the squared difference between today's and yesterday's logits on remembered examples to the loss.

    L + weight · Σ_heads mean (z − z')², with z' from the model as it was when the stage began.
    """

    cost = 2.0
    title = "KD"
    memory_size: Positive = 100
    weight: NotNegative = 1.0

    def begin_stage(self, learner: Learner, memory: Memory) -> Taught:
        """Ask the model about everything in the memory while it still is what the previous stage made it."""
        if not memory:
            return Taught(memory, {})
        with learner.exactly(), torch.no_grad():
            answers = learner.answers(memory.examples)
        return Taught(memory, {row: logits for answer in answers for row, logits in answer.by_row()})

    def step(self, learner: Learner, batch: Sequence[Example], taught: Taught) -> float:
        """The gradient of the loss on the batch and of the distance to the previous model on the memory."""
        if not taught.memory:
            return super().step(learner, batch, taught)
        remembered = taught.memory.draw(len(batch), learner.rng)
        apart = [
            (answer.logits - torch.stack([taught.said[row] for row in answer.rows])).pow(2).mean()
            for answer in learner.answers(remembered)
        ]
        return learner.backward(learner.loss(batch) + self.weight * torch.stack(apart).sum())

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Let the stage flow through the reservoir."""
        return reservoir(memory, stage, self.memory_size, learner.rng)
