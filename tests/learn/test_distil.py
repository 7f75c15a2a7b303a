"""KD: the logits on remembered examples stay close to those of the model at the beginning of the stage."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

import numpy as np
import pytest
import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.distil import Distillation
from trivium.models.network import Network


def distance_by_hand(by_hand, student: Network, teacher: Network, remembered: Sequence[Example]) -> Tensor:
    """Σ over heads of the mean of (z − z')² over all logits of all rows that the head answers."""
    of_head: dict[str, list[Tensor]] = {}
    for example in remembered:
        for row in (example, *example.parts):
            with torch.no_grad():
                target = by_hand.logits(teacher, row)
            of_head.setdefault(row.task, []).append((by_hand.logits(student, row) - target) ** 2)
    means = [torch.cat(squares).sum() / (3 * len(squares)) for squares in of_head.values()]
    return torch.stack(means).sum()


def drawn_by_hand(memory: Memory, number: int, seed: int) -> list[Example]:
    indices = np.random.default_rng(seed).choice(len(memory), size=min(number, len(memory)), replace=False)
    return [memory.examples[i] for i in indices]


def move(network: Network) -> None:
    """Change all weights, as steps of training would."""
    source = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.02 * torch.randn(parameter.shape, generator=source))


@pytest.fixture
def memory(examples: list[Example], remember: Callable[[Sequence[Example]], Memory]) -> Memory:
    return remember(examples[6:16])


@pytest.mark.parametrize("weight", [0.5, 3.0])
def test_a_step_leaves_the_gradient_of_the_loss_and_the_weighted_distance_to_the_old_model(
    learner: Learner, by_hand, examples: list[Example], memory: Memory, gradient_at_hand, same_gradient, weight: float
) -> None:
    batch, strategy = examples[:3], Distillation(weight=weight)
    old = copy.deepcopy(learner.network)
    teacher = strategy.begin_stage(learner, memory)
    move(learner.network)
    distance = distance_by_hand(by_hand, learner.network, old, drawn_by_hand(memory, 3, seed=8))
    loss = by_hand.loss(learner.network, batch) + weight * distance
    expected = torch.autograd.grad(loss, list(learner.network.parameters()))
    plain = by_hand.gradient(learner.network, batch)
    learner.rng = np.random.default_rng(8)
    actual = strategy.step(learner, batch, teacher)
    assert same_gradient(gradient_at_hand(learner), expected)
    assert not same_gradient(gradient_at_hand(learner), plain)
    assert actual == pytest.approx(float(loss.detach()), rel=1e-5)


def test_a_model_that_has_not_moved_has_no_distance_to_itself(
    learner: Learner, by_hand, examples: list[Example], memory: Memory, gradient_at_hand, same_gradient
) -> None:
    strategy = Distillation(weight=1000.0)
    teacher = strategy.begin_stage(learner, memory)
    expected = float(by_hand.loss(learner.network, examples[:3]).detach())
    assert strategy.step(learner, examples[:3], teacher) == pytest.approx(expected, rel=1e-5)
    gradient = gradient_at_hand(learner)
    learner.network.zero_grad()
    learner.rng = np.random.default_rng(0)
    weightless = Distillation(weight=0.0)
    weightless.step(learner, examples[:3], teacher)
    flat = torch.cat([(a - b).flatten() for a, b in zip(gradient, gradient_at_hand(learner), strict=True)])
    assert flat.norm() < 0.02 * torch.cat([g.flatten() for g in gradient]).norm()


def test_the_teacher_stays_what_it_was_when_the_student_moves(
    learner: Learner, by_hand, examples: list[Example], memory: Memory
) -> None:
    old = copy.deepcopy(learner.network)
    teacher = Distillation().begin_stage(learner, memory)
    move(learner.network)
    rows = [row for example in memory.examples for row in (example, *example.parts)]
    assert set(teacher.logits) == set(rows)
    with torch.no_grad():
        for row in rows:
            assert torch.allclose(teacher.logits[row], by_hand.logits(old, row), atol=1e-5)
            assert not torch.allclose(teacher.logits[row], by_hand.logits(learner.network, row), atol=1e-2)


def test_the_teacher_has_no_dropout_and_the_student_keeps_it(
    make_learner: Callable[..., Learner], by_hand, memory: Memory
) -> None:
    learner = make_learner(dropout=0.4)
    old = copy.deepcopy(learner.network).eval()
    learner.network.train()
    teacher = Distillation().begin_stage(learner, memory)
    assert learner.network.training
    with torch.no_grad():
        for row, logits in teacher.logits.items():
            assert torch.allclose(logits, by_hand.logits(old, row), atol=1e-5)


def test_the_teacher_has_no_gradients(learner: Learner, memory: Memory) -> None:
    teacher = Distillation().begin_stage(learner, memory)
    assert not any(logits.requires_grad for logits in teacher.logits.values())


def test_distillation_keeps_the_logits_closer_to_the_old_ones(
    make_learner: Callable[..., Learner], by_hand, contrary: list[Example], memory: Memory
) -> None:
    apart = {}
    for weight in (0.0, 20.0):
        learner = make_learner(epochs=2)
        old = copy.deepcopy(learner.network)
        learner.train(contrary[6:16], Distillation(weight=weight), memory, 2)
        with torch.no_grad():
            apart[weight] = float(distance_by_hand(by_hand, learner.network.eval(), old, memory.examples))
    assert apart[20.0] < 0.5 * apart[0.0]


def test_the_stage_is_added_to_a_reservoir_of_the_given_size(learner: Learner, examples: list[Example]) -> None:
    memory = Distillation(memory_size=5).end_stage(learner, examples, Memory())
    assert len(memory) == 5
    assert memory.seen == len(examples)
