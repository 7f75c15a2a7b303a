"""Memory-aware synapses (Aljundi et al., 2018): what matters for the output may change little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.learn.memory import Memory, reservoir
from trivium.learn.strategy import NotNegative, Positive, Strategy, strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner


@dataclass(frozen=True)
class Anchor:
    """The trained parameters, their values when the stage began, and the importance of each."""

    parameters: Sequence[Tensor]
    values: Sequence[Tensor]
    importance: Sequence[Tensor]

    def distance(self) -> Tensor:
        """Σ Ω (θ − θ*)²."""
        parts = zip(self.parameters, self.values, self.importance, strict=True)
        return torch.stack([(weight * (now - then).pow(2)).sum() for now, then, weight in parts]).sum()


@strategy("mas")
@dataclass(frozen=True)
class MemoryAwareSynapses(Strategy):
    """Hold each parameter where it was, the more the output depends on it (CFL, equations 1 to 3).

    L + weight · Σ Ω (θ − θ*)², with θ* the parameters when the stage begins and Ω the mean over examples of
    |∂‖f(x)‖² / ∂θ|. The examples are those of the stage to come, as in CFL, or with ``measured_on`` remembered ones, as
    in the original; at most ``examples`` of them. Ω is small: with a weight of 1 a fine-tuned encoder is hardly held.
    """

    cost = 1.5
    title = "MAS"
    weight: NotNegative = 100.0
    examples: Positive = 100
    measured_on: Literal["stage", "memory"] = "stage"

    def begin_stage(self, learner: Learner, memory: Memory) -> Anchor | None:
        """Measure the importance of each parameter for the model as it is; None without examples to do it by."""
        every = learner.stage if self.measured_on == "stage" else memory.examples
        if not every:
            return None
        chosen = learner.rng.permutation(len(every))[: self.examples]
        parameters = [one for one in learner.network.parameters() if one.requires_grad]
        weights = importance(learner, parameters, [every[place] for place in chosen])
        return Anchor(parameters, [one.detach().clone() for one in parameters], weights)

    def step(self, learner: Learner, batch: Sequence[Example], anchor: Anchor | None) -> float:
        """The gradient of the loss on the batch and of the weighted distance to the parameters before."""
        loss = learner.loss(batch)
        return learner.backward(loss if anchor is None else loss + self.weight * anchor.distance())

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Let the stage flow through the reservoir."""
        return reservoir(memory, stage, self.examples, learner.rng)


def importance(learner: Learner, parameters: Sequence[Tensor], examples: Sequence[Example]) -> list[Tensor]:
    """The mean over examples of |∂‖f(x)‖² / ∂θ| for each parameter, example by example."""
    total = [torch.zeros_like(one) for one in parameters]
    with learner.exactly():
        for example in examples:
            squares = torch.stack([answer.logits.pow(2).sum() for answer in learner.answers([example])])
            slopes = torch.autograd.grad(squares.sum(), parameters, allow_unused=True)
            for sum_, slope in zip(total, slopes, strict=True):
                if slope is not None:
                    sum_ += slope.abs()
    return [sum_ / len(examples) for sum_ in total]
