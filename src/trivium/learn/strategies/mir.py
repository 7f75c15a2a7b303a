"""Maximally interfered retrieval (Aljundi et al., 2019): replay the examples that the next update harms most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.example import Example
from trivium.learn.memory import Memory, reservoir
from trivium.learn.strategy import Positive, Strategy, strategy

if TYPE_CHECKING:
    from torch import Tensor

    from trivium.learn.learner import Learner


@strategy("er-mir")
@dataclass(frozen=True)
class InterferedReplay(Strategy):
    """Replay the remembered candidates whose loss a virtual step on the batch raises most.

    The score of a remembered example x is l(f_θ'(x)) − l(f_θ(x)) with θ' = θ − α ∇L(batch) (Aljundi et al., 2019,
    section 3.1). ``candidates`` times the batch size are drawn, and as many as the batch has are replayed.
    """

    cost = 4.0
    title = "ER-Mir"
    given_examples_only = True
    memory_size: Positive = 100
    candidates: Positive = 3

    def step(self, learner: Learner, batch: Sequence[Example], memory: Memory) -> float:
        """Leave the gradient over the batch and the most interfered candidates, as one batch."""
        import torch

        if not memory:
            return super().step(learner, batch, memory)
        drawn = memory.draw(self.candidates * len(batch), learner.rng)
        kept = min(len(batch), len(drawn))
        share = len(batch) / (len(batch) + kept)
        # The gradient of the batch is used twice: for the virtual step, and as its share of the joint gradient.
        loss = learner.backward(share * learner.loss(batch))
        scores = interference(learner, drawn, learner.learning_rate / share)
        harmed = torch.topk(scores, kept).indices.tolist()
        return loss + learner.backward((1 - share) * learner.loss([drawn[i] for i in harmed]))

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Add the stage to the reservoir."""
        return reservoir(memory, stage, self.memory_size, learner.rng)


def interference(learner: Learner, candidates: Sequence[Example], step: float) -> Tensor:
    """Return how much a step of this size against the current gradient raises the loss of each candidate."""
    # A step of 1e-5 changes losses by less than bfloat16 resolves, and by less than dropout does: use neither.
    with learner.evaluation_mode():
        before = learner.losses(candidates)
        with _virtual_step(learner, step):
            return learner.losses(candidates) - before


@contextmanager
def _virtual_step(learner: Learner, step: float) -> Iterator[None]:
    """Replace the parameters, within the block, by those after a plain step against their gradients."""
    import torch

    parameters = [parameter for parameter in learner.network.parameters() if parameter.grad is not None]
    values = [parameter.data for parameter in parameters]
    moved = torch._foreach_mul([p.grad for p in parameters if p.grad is not None], -step)
    torch._foreach_add_(moved, values)
    try:
        for parameter, value in zip(parameters, moved, strict=True):
            parameter.data = value
        yield
    finally:
        for parameter, value in zip(parameters, values, strict=True):
            parameter.data = value
