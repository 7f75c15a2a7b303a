"""Maximally interfered retrieval (Aljundi et al., 2019): replay what the next update would hurt most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from trivium.data.example import Example
from trivium.learn.memory import Memory, reservoir
from trivium.learn.strategy import Positive, Strategy, strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner


@strategy("er-mir")
@dataclass(frozen=True)
class InterferedReplay(Strategy):
    """Of several candidates from the memory, replay those whose loss a virtual step on the batch raises most.

    The score of a remembered example x is l(f_θ'(x)) − l(f_θ(x)) with θ' = θ − α ∇L(batch) (Aljundi et al., 2019,
    section 3.1). ``candidates`` times the batch's size are drawn, and as many as the batch has are kept.
    """

    cost = 4.0
    for_corrections = False
    title = "ER-Mir"
    memory_size: Positive = 100
    candidates: Positive = 3

    def step(self, learner: Learner, batch: Sequence[Example], memory: Memory) -> float:
        """The gradient over the batch and the most interfered of the candidates, as one batch."""
        if not memory:
            return super().step(learner, batch, memory)
        drawn = memory.draw(self.candidates * len(batch), learner.rng)
        kept = min(len(batch), len(drawn))
        share = len(batch) / (len(batch) + kept)
        # The batch's gradient serves twice: for the virtual step, and as its share of the joint batch's gradient.
        loss = learner.backward(share * learner.loss(batch))
        scores = interference(learner, drawn, learner.learning_rate / share)
        hurt = torch.topk(scores, kept).indices.tolist()
        return loss + learner.backward((1 - share) * learner.loss([drawn[i] for i in hurt]))

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Let the stage flow through the reservoir."""
        return reservoir(memory, stage, self.memory_size, learner.rng)


def interference(learner: Learner, candidates: Sequence[Example], step: float) -> torch.Tensor:
    """How much a step of this length against the gradient at hand raises the loss of each candidate."""
    # A step of 1e-5 moves losses by less than bfloat16 can tell apart, and dropout by more: score without both.
    with learner.exactly():
        before = learner.losses(candidates)
        with _virtual_step(learner, step):
            return learner.losses(candidates) - before


@contextmanager
def _virtual_step(learner: Learner, step: float) -> Iterator[None]:
    """Within: the parameters after a plain step against their gradients. After: what they were, to the bit."""
    parameters = [parameter for parameter in learner.network.parameters() if parameter.grad is not None]
    kept = [parameter.detach().clone() for parameter in parameters]
    with torch.no_grad():
        for parameter in parameters:
            parameter.sub_(step * parameter.grad)  # type: ignore[operator]
        try:
            yield
        finally:
            for parameter, old in zip(parameters, kept, strict=True):
                parameter.copy_(old)
