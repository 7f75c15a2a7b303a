"""Prototypical loss (Snell et al., 2017): an example is to be near the mean of its label's examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from trivium.data.example import Example
from trivium.learn.memory import Memory
from trivium.learn.strategy import Positive, Strategy, strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner


@strategy("proto")
@dataclass(frozen=True)
class PrototypicalLoss(Strategy):
    """Bring vectors near the mean of their label's vectors in a support set (CFL, equation 4).

    For every batch ``support`` examples of each label are drawn from the stage; the loss is the cross-entropy of
    softmax(−d), d the Euclidean distances to the means. The heads are not trained: what such a model says is read
    from its vectors.
    """

    cost = 2.0
    for_corrections = False
    title = "Prototypical loss"
    support: Positive = 5

    def begin_stage(self, learner: Learner, memory: Memory) -> Mapping[str, list[Example]]:
        """The examples of the stage by label."""
        found: dict[str, list[Example]] = {}
        for example in learner.stage:
            found.setdefault(str(example.label), []).append(example)
        return found

    def step(self, learner: Learner, batch: Sequence[Example], stage: Mapping[str, list[Example]]) -> float:
        """The gradient of the loss on the batch by a support set of its own."""
        drawn: list[Example] = []
        for examples in stage.values():
            places = learner.rng.choice(len(examples), size=min(self.support, len(examples)), replace=False)
            drawn += [examples[place] for place in places]
        losses = []
        for answer in learner.answers([*drawn, *batch]):
            known = torch.tensor([place < len(drawn) for place in answer.places], device=answer.vectors.device)
            labels = [str(row.label) for row in answer.rows]
            losses.append(prototypical(answer.vectors, labels, known))
        return learner.backward(torch.stack(losses).sum())


def prototypical(vectors: Tensor, labels: Sequence[str], known: Tensor) -> Tensor:
    """The mean cross-entropy of softmax(−d) of the vectors that are not ``known``, d to the means of those that are.

    Vectors whose label no known one has are passed over; where none is left, the loss is zero.
    """
    names = sorted({label for label, is_known in zip(labels, known.tolist(), strict=True) if is_known})
    places = torch.tensor([names.index(label) if label in names else -1 for label in labels], device=vectors.device)
    asked = ~known & (places >= 0)
    if not asked.any():
        return 0.0 * vectors.sum()
    means = torch.stack([vectors[known & (places == place)].mean(0) for place in range(len(names))])
    squares = (vectors[asked].unsqueeze(1) - means).pow(2).sum(2)
    distances = torch.sqrt(squares + 1e-12)  # the root has no slope at zero
    return functional.cross_entropy(-distances, places[asked])
