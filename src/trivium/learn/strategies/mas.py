"""Memory-aware synapses (Aljundi et al., 2018): parameters that matter for the output change little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from trivium.data.example import Example
from trivium.learn.memory import Memory, reservoir
from trivium.learn.strategy import NotNegative, Positive, Strategy, later, strategy

if TYPE_CHECKING:
    from torch import Tensor

    from trivium.learn.learner import Learner


@dataclass(frozen=True)
class Anchor:
    """The trained parameters, the values to hold to, and the importance of each."""

    parameters: Sequence[Tensor]
    values: Sequence[Tensor]
    importance: Sequence[Tensor]

    def penalize(self, weight: float) -> float:
        """Add the gradient of weight · Σ Ω (θ − θ*)² to the parameters, and return its value."""
        total = 0.0
        for parameter, value, importance in zip(self.parameters, self.values, self.importance, strict=True):
            change = parameter.detach() - value
            weighted = importance * change
            total += float(weighted.flatten() @ change.flatten())
            parameter.grad = weighted.mul_(2 * weight).add_(0.0 if parameter.grad is None else parameter.grad)
        return weight * total


@strategy("mas")
@dataclass(frozen=True)
class MemoryAwareSynapses(Strategy):
    """Penalise changes of a parameter, the more the output depends on it (CFL, equations 1 to 3).

    L + weight · Σ Ω (θ − θ*)², with θ* the parameters at the beginning of the stage and Ω the mean over examples of
    |∂‖f(x)‖² / ∂θ|. These are at most ``examples`` examples of the new stage, as in CFL, or with
    ``measured_on = "memory"`` remembered ones, as in the original. Ω is small: a weight of 1 has hardly any effect on a
    fine-tuned encoder.

    With ``anchor = "base"``, θ* are the parameters learned in the first stage, also in later ones (equation 3), and Ω
    is measured with them.
    """

    cost = 1.5
    for_corrections = True
    title = "MAS"
    resumable = True
    given_examples_only = True
    weight: NotNegative = 100.0
    examples: Positive = 100
    measured_on: Literal["stage", "memory"] = "stage"
    anchor: Literal["stage", "base"] = later("stage")

    def begin_stage(self, learner: Learner, memory: Memory) -> Anchor | None:
        """Measure the importance of each parameter; return None if there are no examples to measure it on."""
        available = learner.stage if self.measured_on == "stage" else memory.examples
        if not available:
            return None
        chosen = [available[index] for index in learner.rng.permutation(len(available))[: self.examples]]
        trained = {name: p for name, p in learner.network.named_parameters() if p.requires_grad}
        parameters, values = list(trained.values()), {name: p.detach().clone() for name, p in trained.items()}
        if self.anchor == "base":
            learner.base = values = learner.base or values
        held = [values[name].to(parameter.device) for name, parameter in trained.items()]
        with holding(parameters, held):
            weights = importance(learner, parameters, chosen)
        return Anchor(parameters, held, weights)

    def step(self, learner: Learner, batch: Sequence[Example], anchor: Anchor | None) -> float:
        """Leave the gradient of the loss on the batch and of the weighted distance to the earlier parameters."""
        loss = learner.backward(learner.loss(batch))
        return loss if anchor is None else loss + anchor.penalize(self.weight)

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Add the stage to the reservoir."""
        return reservoir(memory, stage, self.examples, learner.rng)


@contextmanager
def holding(parameters: Sequence[Tensor], values: Sequence[Tensor]) -> Iterator[None]:
    """Give the parameters other values within the block."""
    before = [parameter.data for parameter in parameters]
    try:
        for parameter, value in zip(parameters, values, strict=True):
            parameter.data = value
        yield
    finally:
        for parameter, value in zip(parameters, before, strict=True):
            parameter.data = value


def importance(learner: Learner, parameters: Sequence[Tensor], examples: Sequence[Example]) -> list[Tensor]:
    """Return the mean over examples of |∂‖f(x)‖² / ∂θ| for each parameter, computed example by example."""
    import torch

    total = [torch.zeros_like(parameter) for parameter in parameters]
    with learner.evaluation_mode():
        for example in examples:
            squares = torch.stack([answer.logits.pow(2).sum() for answer in learner.answers([example])])
            gradients = torch.autograd.grad(squares.sum(), parameters, allow_unused=True)
            for sum_, gradient in zip(total, gradients, strict=True):
                if gradient is not None:
                    sum_ += gradient.abs()
    return [sum_ / len(examples) for sum_ in total]
