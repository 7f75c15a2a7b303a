"""ER-MIR replays the candidates whose loss a virtual step on the batch raises most."""

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
from trivium.learn.optimizer import AdamW
from trivium.learn.strategies.mir import InterferedReplay, interference, plain_step
from trivium.models.network import Network

RATE = 0.02


def after_virtual_step(network: Network, gradient: Sequence[Tensor | None], rate: float) -> Network:
    """A copy of the network after the actual step."""
    moved = copy.deepcopy(network)
    with torch.no_grad():
        for parameter, direction in zip(moved.parameters(), gradient, strict=True):
            if direction is not None:
                parameter.copy_(parameter - rate * direction)
    return moved


def interference_by_hand(
    by_hand, network: Network, batch: Sequence[Example], candidates: Sequence[Example], rate: float
) -> Tensor:
    """l(f_θ'(x)) − l(f_θ(x)) with θ' = θ − α ∇L(batch) (Aljundi et al., 2019, section 3.1)."""
    moved = after_virtual_step(network, by_hand.gradient(network, batch), rate)
    return by_hand.losses(moved, candidates) - by_hand.losses(network, candidates)


def drawn_by_hand(memory: Memory, number: int, seed: int) -> list[Example]:
    indices = np.random.default_rng(seed).choice(len(memory), size=min(number, len(memory)), replace=False)
    return [memory.examples[i] for i in indices]


def after_plain_step(learner: Learner) -> list[Tensor]:
    return plain_step([parameter for parameter in learner.network.parameters() if parameter.grad is not None], RATE)


def weights(learner: Learner) -> list[Tensor]:
    return [parameter.detach().clone() for parameter in learner.network.parameters()]


def same_bits(first: Sequence[Tensor], second: Sequence[Tensor]) -> bool:
    return all(torch.equal(a, b) for a, b in zip(first, second, strict=True))


@pytest.fixture
def memory(contrary: list[Example], remember: Callable[[Sequence[Example]], Memory]) -> Memory:
    return remember(contrary[4:18])


def test_interference_is_the_change_of_the_losses_by_an_actual_step(
    learner: Learner, by_hand, examples: list[Example], contrary: list[Example]
) -> None:
    batch, candidates = examples[:4], [*examples[4:8], *contrary[8:14]]
    expected = interference_by_hand(by_hand, learner.network, batch, candidates, RATE)
    learner.backward(learner.loss(batch))
    actual = interference(learner, candidates, after_plain_step(learner))
    gaps = expected.sort().values.diff()
    assert gaps.min() > 1e-5
    assert torch.allclose(actual, expected, rtol=0, atol=float(gaps.min()) / 3)
    assert actual.argsort().tolist() == expected.argsort().tolist()
    assert actual.min() < 0 < actual.max()


def test_interference_is_measured_without_dropout(
    make_learner: Callable[..., Learner], by_hand, examples: list[Example], contrary: list[Example]
) -> None:
    learner = make_learner(dropout=0.4)
    learner.network.eval()
    expected = interference_by_hand(by_hand, learner.network, examples[:4], contrary[:6], RATE)
    learner.backward(learner.loss(examples[:4]))
    learner.network.train()
    actual = interference(learner, contrary[:6], after_plain_step(learner))
    assert torch.allclose(actual, expected, rtol=0, atol=1e-5)
    assert learner.network.training


def test_a_virtual_step_leaves_the_parameters_as_they_were_to_the_bit(
    learner: Learner, examples: list[Example], memory: Memory
) -> None:
    before = weights(learner)
    learner.learning_rate = RATE
    InterferedReplay().step(learner, examples[:4], memory)
    assert same_bits(weights(learner), before)


def test_a_virtual_step_is_undone_after_an_exception(
    learner: Learner, examples: list[Example], memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = weights(learner)
    losses = learner.losses

    def broken(queries: Sequence[Example]) -> Tensor:
        if not same_bits(weights(learner), before):
            raise RuntimeError("no more memory")
        return losses(queries)

    monkeypatch.setattr(learner, "losses", broken)
    learner.backward(learner.loss(examples[:4]))
    with pytest.raises(RuntimeError, match="no more memory"):
        interference(learner, memory.examples, after_plain_step(learner))
    assert same_bits(weights(learner), before)
    assert torch.is_grad_enabled()


def test_a_step_leaves_the_gradient_of_the_batch_and_the_most_interfered_candidates_as_one_batch(
    learner: Learner, by_hand, examples: list[Example], memory: Memory, gradient_at_hand, same_gradient
) -> None:
    batch = examples[:3]
    candidates = drawn_by_hand(memory, 9, seed=11)
    hurt = interference_by_hand(by_hand, learner.network, batch, candidates, RATE).argsort(descending=True).tolist()
    most, least = ([candidates[i] for i in chosen] for chosen in (hurt[:3], hurt[-3:]))
    expected = by_hand.gradient(learner.network, [*batch, *most])
    expected_loss = float(by_hand.loss(learner.network, [*batch, *most]).detach())
    others = by_hand.gradient(learner.network, [*batch, *least])
    learner.rng, learner.learning_rate = np.random.default_rng(11), RATE
    loss = InterferedReplay(candidates=3).step(learner, batch, memory)
    assert same_gradient(gradient_at_hand(learner), expected)
    assert not same_gradient(gradient_at_hand(learner), others)
    assert loss == pytest.approx(expected_loss, rel=1e-5)


@pytest.mark.parametrize("remembered", [1, 2])
def test_a_memory_smaller_than_the_batch_is_replayed_whole(
    learner: Learner, by_hand, examples: list[Example], contrary: list[Example], remember, gradient_at_hand,
    same_gradient, remembered: int,
) -> None:  # fmt: skip
    batch, memory = examples[:4], remember(contrary[4 : 4 + remembered])
    expected = by_hand.gradient(learner.network, [*batch, *memory.examples])
    InterferedReplay().step(learner, batch, memory)
    assert same_gradient(gradient_at_hand(learner), expected)


@pytest.mark.parametrize("rate", [1e-5, 0.3])
def test_the_virtual_step_uses_the_current_learning_rate(
    learner: Learner, by_hand, examples: list[Example], memory: Memory, monkeypatch: pytest.MonkeyPatch, rate: float
) -> None:
    batch = examples[:4]
    reached: list[list[Tensor]] = []
    losses = learner.losses

    def seen(queries: Sequence[Example]) -> Tensor:
        reached.append(weights(learner))
        return losses(queries)

    monkeypatch.setattr(learner, "losses", seen)
    gradient = by_hand.gradient(learner.network, batch)
    learner.learning_rate = rate
    InterferedReplay().step(learner, batch, memory)
    start, end = reached
    moved = torch.cat([(a - b).flatten().double() for a, b in zip(start, end, strict=True)])
    expected = rate * torch.cat([g.flatten().double() for g in gradient])
    rounding = 1e-7 * torch.cat([a.flatten().double() for a in start]).norm()
    assert (moved - expected).norm() < 1e-4 * expected.norm() + rounding


def test_a_virtual_step_of_adam_is_the_next_step_of_the_optimizer_on_the_batch_alone(
    learner: Learner, by_hand, examples: list[Example], memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = examples[:3]
    parameters = list(learner.network.parameters())
    learner.optimizer, learner.learning_rate = AdamW(parameters), RATE
    for step in range(3):  # moments of other batches
        for parameter, gradient in zip(
            parameters, by_hand.gradient(learner.network, examples[4 + step :]), strict=True
        ):
            parameter.grad = gradient
        learner.optimizer.step(1e-3)
    moved = copy.deepcopy(learner.network)
    actual = torch.optim.AdamW(moved.parameters(), lr=RATE, weight_decay=0.0)
    for mine, other, gradient in zip(
        parameters, moved.parameters(), by_hand.gradient(learner.network, batch), strict=True
    ):
        actual.state[other] = {part: value.clone() for part, value in learner.optimizer.state[mine].items()}
        other.grad = gradient
    actual.step()
    reached: list[list[Tensor]] = []
    losses = learner.losses

    def seen(queries: Sequence[Example]) -> Tensor:
        reached.append(weights(learner))
        return losses(queries)

    monkeypatch.setattr(learner, "losses", seen)
    learner.network.zero_grad()
    moments = copy.deepcopy(list(learner.optimizer.state.values()))
    InterferedReplay(virtual_step="adam").step(learner, batch, memory)
    start, end = (torch.cat([value.flatten().double() for value in values]) for values in reached)
    expected = torch.cat([parameter.detach().flatten().double() for parameter in moved.parameters()])
    # Where gradients are almost 0, rounding decides the sign of a step.
    assert (end - expected).norm() < 0.02 * (start - expected).norm()
    for before, after in zip(moments, learner.optimizer.state.values(), strict=True):
        assert all(torch.equal(before[part], after[part]) for part in before)


def test_more_candidates_are_drawn_than_kept_and_none_twice(
    learner: Learner, examples: list[Example], memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries: list[Sequence[Example]] = []
    trained: list[Sequence[Example]] = []
    loss = learner.loss

    def score(learner: Learner, candidates: Sequence[Example], moved: Sequence[Tensor]) -> Tensor:
        queries.append(candidates)
        return torch.arange(float(len(candidates)))

    def seen(given: Sequence[Example]) -> Tensor:
        trained.append(given)
        return loss(given)

    monkeypatch.setattr("trivium.learn.strategies.mir.interference", score)
    monkeypatch.setattr(learner, "loss", seen)
    strategy = InterferedReplay()
    strategy.step(learner, examples[:3], memory)
    assert strategy.candidates > 1
    assert len(queries[0]) == len(set(queries[0])) == 3 * strategy.candidates
    assert set(queries[0]) <= set(memory.examples)
    assert [example for batch in trained for example in batch] == [*examples[:3], *reversed(queries[0][-3:])]


def test_the_stage_is_added_to_a_reservoir_of_the_given_size(learner: Learner, examples: list[Example]) -> None:
    memory = InterferedReplay(memory_size=5).end_stage(learner, examples, Memory())
    assert len(memory) == 5
    assert memory.seen == len(examples)
