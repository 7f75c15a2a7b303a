"""Prototypical loss (Snell et al., 2017): draw an example's vector towards the mean of its label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.example import Example
from trivium.learn.memory import Memory
from trivium.learn.strategy import Positive, Strategy, strategy

if TYPE_CHECKING:
    from torch import Tensor

    from trivium.learn.learner import Learner


@strategy("proto")
@dataclass(frozen=True)
class PrototypicalLoss(Strategy):
    """Draw vectors towards the mean of their label in a support set (CFL, equation 4).

    For every batch, ``support`` examples of each label are drawn from the stage. The loss is the cross-entropy of
    softmax(−d), with d the Euclidean distances to the means. The heads are not trained: predictions of such a model
    are read from its vectors.
    """

    cost = 2.0
    title = "Prototypical loss"
    resumable = True
    given_examples_only = True
    support: Positive = 5

    def begin_stage(self, learner: Learner, memory: Memory) -> Mapping[str, list[Example]]:
        """Group the examples of the stage by label."""
        by_label: dict[str, list[Example]] = {}
        for example in learner.stage:
            by_label.setdefault(str(example.label), []).append(example)
        return by_label

    def step(self, learner: Learner, batch: Sequence[Example], stage: Mapping[str, list[Example]]) -> float:
        """Leave the gradient of the loss on the batch, given a newly drawn support set."""
        import torch

        drawn: list[Example] = []
        for examples in stage.values():
            indices = learner.rng.choice(len(examples), size=min(self.support, len(examples)), replace=False)
            drawn += [examples[index] for index in indices]
        losses = []
        for answer in learner.answers([*drawn, *batch]):
            in_support = torch.tensor([i < len(drawn) for i in answer.indices], device=answer.vectors.device)
            labels = [str(row.label) for row in answer.rows]
            losses.append(prototypical(answer.vectors, labels, in_support))
        return learner.backward(torch.stack(losses).sum())


def prototypical(vectors: Tensor, labels: Sequence[str], in_support: Tensor) -> Tensor:
    """Return the mean cross-entropy of softmax(−d), d the distances of a vector to the means of the support set.

    It is taken over the vectors outside the support set. Those whose label has no support are left out; if none
    remains, the loss is zero.
    """
    import torch
    from torch.nn import functional

    names = sorted({label for label, known in zip(labels, in_support.tolist(), strict=True) if known})
    gold = torch.tensor([names.index(label) if label in names else -1 for label in labels], device=vectors.device)
    queries = ~in_support & (gold >= 0)
    if not queries.any():
        return 0.0 * vectors.sum()
    means = torch.stack([vectors[in_support & (gold == index)].mean(0) for index in range(len(names))])
    squares = (vectors[queries].unsqueeze(1) - means).pow(2).sum(2)
    distances = torch.sqrt(squares + 1e-12)  # the square root has no gradient at zero
    return functional.cross_entropy(-distances, gold[queries])
