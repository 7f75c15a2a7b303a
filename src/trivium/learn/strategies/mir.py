"""Maximally interfered retrieval (Aljundi et al., 2019): replay the examples that the next update harms most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from trivium.data.example import Example
from trivium.learn.replay import OnlineMemory, Replay, remember
from trivium.learn.strategies.mas import holding
from trivium.learn.strategy import Positive, later, strategy

if TYPE_CHECKING:
    from torch import Tensor

    from trivium.learn.learner import Learner
    from trivium.learn.memory import Memory


@strategy("er-mir")
@dataclass(frozen=True)
class InterferedReplay(Replay):
    """Replay the remembered candidates whose loss a virtual step on the batch raises most.

    The score of a remembered example x is l(f_θ'(x)) − l(f_θ(x)) with θ' = θ − α ∇L(batch) (Aljundi et al., 2019,
    section 3.1). ``candidates`` times the batch size are drawn, and as many as the batch has are replayed. With
    ``virtual_step = "adam"``, θ' is what the optimizer's next step makes of θ, as in the code of C²Gen's authors.
    """

    cost = 4.0
    title = "ER-Mir"
    given_examples_only = True
    candidates: Positive = 3
    virtual_step: Literal["gradient", "adam"] = later("gradient")

    def step(self, learner: Learner, batch: Sequence[Example], memory: Memory | OnlineMemory) -> float:
        """Leave the gradient over the batch and the most interfered candidates, as one batch."""
        loss = self._replay(learner, batch, memory) if memory else learner.backward(learner.loss(batch))
        remember(memory, batch, learner.rng)
        return loss

    def _replay(self, learner: Learner, batch: Sequence[Example], memory: Memory | OnlineMemory) -> float:
        import torch

        drawn = memory.draw(self.candidates * len(batch), learner.rng)
        kept = min(len(batch), len(drawn))
        share = len(batch) / (len(batch) + kept)
        # The gradient of the batch is used twice: for the virtual step, and as its share of the joint gradient.
        loss = learner.backward(share * learner.loss(batch))
        scores = interference(learner, drawn, self._moved(learner, share))
        harmed = torch.topk(scores, kept).indices.tolist()
        return loss + learner.backward((1 - share) * learner.loss([drawn[i] for i in harmed]))

    def _moved(self, learner: Learner, share: float) -> list[Tensor]:
        """Return the parameters after the virtual step, given a gradient that was scaled by ``share``."""
        parameters = _with_gradient(learner)
        if self.virtual_step == "gradient":
            return plain_step(parameters, learner.learning_rate / share)
        from trivium.learn.optimizer import AdamW

        optimizer = learner.optimizer or AdamW(parameters)
        return optimizer.lookahead(parameters, learner.learning_rate, 1 / share)


def interference(learner: Learner, candidates: Sequence[Example], moved: Sequence[Tensor]) -> Tensor:
    """Return how much the loss of each candidate rises if the parameters with a gradient have the values ``moved``."""
    # A step of 1e-5 changes losses by less than bfloat16 resolves, and by less than dropout does: use neither.
    with learner.evaluation_mode():
        before = learner.losses(candidates)
        with holding(_with_gradient(learner), moved):
            return learner.losses(candidates) - before


def plain_step(parameters: Sequence[Tensor], step: float) -> list[Tensor]:
    """Return the parameters after a step of this size against their gradients."""
    import torch

    moved = torch._foreach_mul([p.grad for p in parameters if p.grad is not None], -step)
    torch._foreach_add_(moved, [parameter.data for parameter in parameters])
    return list(moved)


def _with_gradient(learner: Learner) -> list[Tensor]:
    return [parameter for parameter in learner.network.parameters() if parameter.grad is not None]
