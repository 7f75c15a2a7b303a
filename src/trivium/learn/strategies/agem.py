"""Averaged gradient episodic memory (Chaudhry et al., 2019a): no update may raise the loss on the memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.example import Example
from trivium.learn.replay import OnlineMemory, Replay, remember
from trivium.learn.strategy import strategy

if TYPE_CHECKING:
    from torch import Tensor

    from trivium.learn.learner import Learner
    from trivium.learn.memory import Memory


@strategy("agem")
@dataclass(frozen=True)
class AveragedGradientMemory(Replay):
    """Project the gradient so that it does not point against the gradient on the memory.

    With g the gradient on the batch and r that on a batch of the memory: where g·r < 0, the update follows
    g − (g·r / r·r) r instead of g (Chaudhry et al., 2019a, equation 11).
    """

    cost = 2.1
    for_corrections = True
    title = "A-GEM"
    given_examples_only = True

    def step(self, learner: Learner, batch: Sequence[Example], memory: Memory | OnlineMemory) -> float:
        """Leave the projected gradient of the batch."""
        remembered = memory.draw(len(batch), learner.rng) if memory else []
        reference = learner.gradients(learner.loss(remembered)) if remembered else []
        loss = learner.backward(learner.loss(batch))
        if reference:
            parameters = [parameter for parameter in learner.network.parameters() if parameter.requires_grad]
            project(parameters, reference)
        remember(memory, batch, learner.rng)
        return loss


def project(parameters: Sequence[Tensor], reference: Sequence[Tensor | None]) -> None:
    """Change the gradients of ``parameters`` so that their product with ``reference`` is not negative.

    A missing gradient, of a head that only one of the two batches used, counts as 0.
    """
    import torch

    both = [(p, p.grad, r) for p, r in zip(parameters, reference, strict=True) if r is not None]
    product = sum(float((g * r).sum(dtype=torch.float64)) for _, g, r in both if g is not None)
    if product >= 0:
        return
    square = sum(float((r * r).sum(dtype=torch.float64)) for _, _, r in both)
    if square == 0:  # the squares of a very small reference underflow: there is no direction to project on
        return
    for parameter, gradient, direction in both:
        if gradient is None:
            parameter.grad = gradient = torch.zeros_like(parameter)
        gradient.sub_(direction, alpha=product / square)
