"""The loss by which a head learns to answer as typed composition does, on recombined parts without labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from trivium.build.veridicality.recombination import embed_like
from trivium.data.example import Example
from trivium.language.embedding import decompose
from trivium.learn.answers import Answer, cross_entropy
from trivium.learn.composing import Outputs, composed_outputs, parts_of

if TYPE_CHECKING:
    from trivium.learn.learner import Learner


def imitation_loss(learner: Learner, examples: Sequence[Example], outputs: Outputs) -> Tensor:
    """Return the loss of typed composition on the compositions of a batch, and that of the head on recombined ones.

    The first teaches the composer its table. In the second, what composition makes of the parts is the target of the
    head, and has no gradient. ``outputs`` returns those of the heads.
    """
    composition = learner.network.composition
    assert composition is not None
    rows = [row for example in examples for row in example.rows() if row.task in learner.tasks]
    composed = [row for row in rows if parts_of(row, learner.tasks)]
    if not composed:
        return torch.zeros((), device=learner.device)
    recombined = recombine(composed, learner.rng.permutation(len(composed)).tolist())
    answered = composed_outputs(composition, learner.tasks, [*composed, *recombined], outputs)
    total = torch.zeros((), device=learner.device)
    for task, output in answered.items():
        labelled, others = ([row for row in group if row.task == task] for group in (composed, recombined))
        answer = Answer(task, labelled, list(range(len(labelled))), output.logits[: len(labelled)], output.vectors)
        total = total + cross_entropy(answer, learner.labels, "mean")
        if others:
            target = output.logits[len(labelled) :].detach().softmax(-1)
            total = total + functional.cross_entropy(outputs(others)[task].logits, target)
    return total


def recombine(rows: Sequence[Example], order: Sequence[int]) -> list[Example]:
    """Return compositions of the verb of each row with the pair of another, without labels, where that is possible."""
    recombined = []
    for row, other in zip(rows, (rows[index] for index in order), strict=True):
        layers, inner = (decompose(each.premise, str(each.hypothesis)) for each in (row, other))
        premise = embed_like(layers[-1], inner[-1].clause) if layers and inner else None
        if premise is not None and premise != other.premise:
            recombined.append(replace(other, premise=premise, label=None, facts=(), parts=()))
    return recombined
