"""Knowledge distillation over the memory (Aguilar et al., 2020): stay close to the logits of the previous stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.example import Example
from trivium.learn.memory import Memory, reservoir
from trivium.learn.strategy import NotNegative, Positive, Strategy, strategy

if TYPE_CHECKING:
    from torch import Tensor

    from trivium.learn.learner import Learner


@dataclass(frozen=True)
class Teacher:
    """The memory, and the logits of the previous stage's model for each row of it."""

    memory: Memory
    logits: Mapping[Example, Tensor]


@strategy("kd")
@dataclass(frozen=True)
class Distillation(Strategy):
    """Add the squared change of the logits on remembered examples to the loss.

    L + weight · Σ_heads mean (z − z')², with z' from the model at the beginning of the stage.
    """

    cost = 2.0
    for_corrections = True
    title = "KD"
    resumable = True
    given_examples_only = True
    memory_size: Positive = 100
    weight: NotNegative = 1.0

    def begin_stage(self, learner: Learner, memory: Memory) -> Teacher:
        """Compute the logits of the whole memory before training changes the model."""
        import torch

        if not memory:
            return Teacher(memory, {})
        with learner.evaluation_mode(), torch.no_grad():
            answers = learner.answers(memory.examples)
        return Teacher(memory, {row: logits for answer in answers for row, logits in answer.by_row()})

    def step(self, learner: Learner, batch: Sequence[Example], teacher: Teacher) -> float:
        """Leave the gradient of the loss on the batch and of the distance to the previous model on the memory."""
        import torch

        if not teacher.memory:
            return super().step(learner, batch, teacher)
        remembered = teacher.memory.draw(len(batch), learner.rng)
        distances = [
            (answer.logits - torch.stack([teacher.logits[row] for row in answer.rows])).pow(2).mean()
            for answer in learner.answers(remembered)
        ]
        return learner.backward(learner.loss(batch) + self.weight * torch.stack(distances).sum())

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Add the stage to the reservoir."""
        return reservoir(memory, stage, self.memory_size, learner.rng)
