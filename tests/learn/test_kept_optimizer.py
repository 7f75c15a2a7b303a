"""One optimizer throughout all stages, or a new one in each."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Literal

import pytest
import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.learn.learner import Learner

Make = Callable[..., Learner]


def two_steps_by_hand(learner: Learner, by_hand, examples: list[Example], kept: bool) -> list[Tensor]:
    """The weights after one step on each half of the examples, by torch's AdamW."""
    network = copy.deepcopy(learner.network)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.0)
    for half in (examples[:8], examples[8:16]):
        for parameter, gradient in zip(network.parameters(), by_hand.gradient(network, half), strict=True):
            parameter.grad = gradient
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        if not kept:
            optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.0)
    return [parameter.detach() for parameter in network.parameters()]


@pytest.mark.parametrize("optimizer", ["new", "kept"])
def test_two_stages_are_two_steps_of_one_optimizer_or_a_step_of_each_of_two(
    make_learner: Make, by_hand, examples: list[Example], optimizer: Literal["new", "kept"]
) -> None:
    learner = make_learner(optimizer=optimizer, batch_size=8)
    expected, other = (two_steps_by_hand(learner, by_hand, examples, kept == (optimizer == "kept")) for kept in (1, 0))
    learner.fit(examples[:8]).fit(examples[8:16])
    actual = [parameter.detach() for parameter in learner.network.parameters()]
    apart = sum(float((a - b).double().pow(2).sum()) for a, b in zip(actual, expected, strict=True))
    wrong = sum(float((a - b).double().pow(2).sum()) for a, b in zip(actual, other, strict=True))
    assert apart < 1e-3 * wrong
    assert (learner.optimizer is None) == (optimizer == "new")
