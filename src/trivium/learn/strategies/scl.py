"""Supervised contrastive learning (Gunel et al., 2021): vectors of the same label attract, others repel each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from trivium.data.example import Example
from trivium.learn.memory import Memory
from trivium.learn.strategy import Strategy, strategy

if TYPE_CHECKING:
    from torch import Tensor

    from trivium.learn.learner import Learner


@strategy("scl")
@dataclass(frozen=True)
class SupervisedContrast(Strategy):
    """Combine the cross-entropy with a contrastive loss over the batch (CFL, equations 5 to 7).

    (1 − share) · L_XE + share · L_SCL.
    """

    for_corrections = True
    title = "SCL"
    given_examples_only = True
    share: Annotated[float, Field(ge=0, le=1)] = 0.9
    temperature: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 0.3

    def step(self, learner: Learner, batch: Sequence[Example], memory: Memory) -> float:
        """Leave the gradient of both losses on the batch."""
        import torch

        answers = learner.answers(batch)
        labels = [[str(row.label) for row in answer.rows] for answer in answers]
        losses = [contrast(a.vectors, gold, self.temperature) for a, gold in zip(answers, labels, strict=True)]
        return learner.backward((1 - self.share) * learner.loss_of(answers) + self.share * torch.stack(losses).sum())


def contrast(vectors: Tensor, labels: Sequence[str], temperature: float) -> Tensor:
    """Return Σ_i −1/(N_i − 1) Σ_j log(exp(x_i·x_j / τ) / Σ_{k≠i} exp(x_i·x_k / τ)), over the j ≠ i of the same label.

    The vectors are scaled to length 1. A vector whose label no other vector has adds nothing.
    """
    import torch
    from torch.nn import functional

    unit = functional.normalize(vectors, dim=1)
    itself = torch.eye(len(labels), dtype=torch.bool, device=vectors.device)
    similarity = (unit @ unit.T / temperature).masked_fill(itself, float("-inf"))
    log_probabilities = similarity - torch.logsumexp(similarity, dim=1, keepdim=True)
    same = torch.tensor([[a == b for b in labels] for a in labels], device=vectors.device) & ~itself
    others = same.sum(1)
    each = torch.where(same, log_probabilities, 0.0).sum(1) / others.clamp(min=1)
    return -each[others > 0].sum()
