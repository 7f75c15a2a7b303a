"""Knowledge distillation over the memory (Aguilar et al., 2020): stay close to the logits of the previous stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.example import Example
from trivium.learn.memory import Memory
from trivium.learn.replay import OnlineMemory, Replay, remember
from trivium.learn.strategy import NotNegative, strategy

if TYPE_CHECKING:
    from torch import Tensor

    from trivium.learn.learner import Learner

_BATCH = 64  # examples of a stage whose logits are computed together
_MEMORY_BATCH = 512  # and of the memory


@dataclass(frozen=True)
class Teacher:
    """The memory, and the logits of the previous stage's model for each row that may be in it."""

    memory: Memory | OnlineMemory
    logits: Mapping[Example, Tensor]

    def state_dict(self) -> dict[str, Tensor]:
        """Return what changes in a stage."""
        return self.memory.state_dict() if isinstance(self.memory, OnlineMemory) else {}

    def load_state_dict(self, state: Mapping[str, Tensor]) -> None:
        """Continue from a state."""
        if isinstance(self.memory, OnlineMemory):
            self.memory.load_state_dict(state)


@strategy("kd")
@dataclass(frozen=True)
class Distillation(Replay):
    """Add the squared change of the logits on remembered examples to the loss.

    L + weight · Σ_heads mean (z − z')², with z' from the model at the beginning of the stage.
    """

    cost = 2.0
    for_corrections = True
    title = "KD"
    resumable = True
    given_examples_only = True
    weight: NotNegative = 1.0

    def begin_stage(self, learner: Learner, memory: Memory) -> Teacher:
        """Compute the logits of all that is or will be remembered, before training changes the model."""
        import torch

        batches = _batches(memory.examples, _MEMORY_BATCH)
        if self.memory == "online":
            batches += _batches(learner.stage, _BATCH)
        with learner.evaluation_mode(), torch.no_grad():
            answers = [answer for batch in batches for answer in learner.answers(batch)]
        logits = {row: logits for answer in answers for row, logits in answer.by_row()}
        return Teacher(super().begin_stage(learner, memory), logits)

    def step(self, learner: Learner, batch: Sequence[Example], teacher: Teacher) -> float:
        """Leave the gradient of the loss on the batch and of the distance to the previous model on the memory."""
        import torch

        if not teacher.memory:
            loss = learner.backward(learner.loss(batch))
        else:
            remembered = teacher.memory.draw(len(batch), learner.rng)
            distances = [
                (answer.logits - torch.stack([teacher.logits[row] for row in answer.rows])).pow(2).mean()
                for answer in learner.answers(remembered)
            ]
            loss = learner.backward(learner.loss(batch) + self.weight * torch.stack(distances).sum())
        remember(teacher.memory, batch, learner.rng)
        return loss


def _batches(examples: Sequence[Example], size: int) -> list[Sequence[Example]]:
    return [examples[start : start + size] for start in range(0, len(examples), size)]
