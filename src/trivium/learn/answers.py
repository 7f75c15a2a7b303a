"""What the heads of a model answer about examples, and the cross-entropy of those answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from trivium.data.example import Example
from trivium.data.labels import Labels


class Answer(NamedTuple):
    """The output of one head for a batch of examples.

    ``rows`` are the examples, and parts of examples, that have the head's task; ``indices`` has, for each row, the
    index of its example in the batch. ``logits`` and ``vectors`` have one line for each row.
    """

    head: str
    rows: list[Example]
    indices: list[int]
    logits: Tensor
    vectors: Tensor

    def by_row(self) -> Iterator[tuple[Example, Tensor]]:
        """Yield each row with its logits."""
        return zip(self.rows, self.logits, strict=True)


def cross_entropy(answer: Answer, labels: Labels, reduction: Literal["mean", "none"]) -> Tensor:
    """Return the cross-entropy of an answer, as the mean over its rows or for each row.

    Where a gold label stands for several outputs (*not-entailed* for a three-way model), its probability is the sum of
    theirs.
    """
    device = answer.logits.device
    indices = [labels.indices(str(row.label)) for row in answer.rows]
    if all(len(each) == 1 for each in indices):
        gold = torch.tensor([index for (index,) in indices], device=device)
        return functional.cross_entropy(answer.logits, gold, reduction=reduction)
    is_gold = torch.zeros(answer.logits.shape, dtype=torch.bool, device=device)
    for row, each in enumerate(indices):
        is_gold[row, list(each)] = True
    gold_logits = answer.logits.masked_fill(~is_gold, float("-inf"))
    losses = torch.logsumexp(answer.logits, 1) - torch.logsumexp(gold_logits, 1)
    return losses.mean() if reduction == "mean" else losses
