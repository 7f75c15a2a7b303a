"""Maximally interfered retrieval (Aljundi et al., 2019): replay what the next update would hurt most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from trivium.data.example import Example
from trivium.learn.memory import Memory, reservoir
from trivium.learn.strategy import Strategy, strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner


@strategy("er-mir")
@dataclass(frozen=True)
class InterferedReplay(Strategy):
    """Of several candidates from the memory, replay those whose loss a virtual step on the batch raises most.

    The score of a remembered example x is l(f_θ'(x)) − l(f_θ(x)) with θ' = θ − α ∇L(batch) (Aljundi et al., 2019,
    section 3.1). ``candidates`` times the batch's size are drawn, and as many as the batch has are kept.
    """

    cost = 5.0
    memory_size: int = 100
    candidates: int = 3

    def step(self, learner: Learner, batch: Sequence[Example], memory: Memory) -> float:
        """The gradient over the batch and the most interfered of the candidates."""
        drawn = memory.draw(self.candidates * len(batch), learner.rng)
        scores = self.interference(learner, batch, drawn)
        hurt = torch.topk(scores, min(len(batch), len(drawn))).indices.tolist()
        return learner.backward(learner.loss([*batch, *(drawn[i] for i in hurt)]))

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Let the stage flow through the reservoir."""
        return reservoir(memory, stage, self.memory_size, learner.rng)

    def interference(self, learner: Learner, batch: Sequence[Example], candidates: Sequence[Example]) -> torch.Tensor:
        """How much a virtual step on the batch raises the loss of each candidate."""
        # A step of 1e-5 moves losses by less than bfloat16 can tell apart, and dropout by more: score without both.
        with learner.exactly():
            before = learner.losses(candidates)
            with _virtual_step(learner, batch):
                after = learner.losses(candidates)
        return after - before


@contextmanager
def _virtual_step(learner: Learner, batch: Sequence[Example]) -> Iterator[None]:
    """Within: the parameters after one plain gradient step on the batch. After: what they were, to the bit."""
    parameters = [parameter for parameter in learner.network.parameters() if parameter.requires_grad]
    kept = [parameter.detach().clone() for parameter in parameters]
    gradients = torch.autograd.grad(learner.loss(batch), parameters, allow_unused=True)
    with torch.no_grad():
        for parameter, gradient in zip(parameters, gradients, strict=True):
            if gradient is not None:
                parameter.sub_(learner.learning_rate * gradient)
        yield
        for parameter, old in zip(parameters, kept, strict=True):
            parameter.copy_(old)
