"""ER: a batch is trained together with an equal number of remembered examples."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest
import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.buffer import BufferReplay
from trivium.learn.strategies.reservoir import ReservoirReplay
from trivium.learn.strategy import Strategy, make_strategy

both = pytest.mark.parametrize("cls", [ReservoirReplay, BufferReplay])


@both
@pytest.mark.parametrize("remembered", [9, 2], ids=["memory larger than the batch", "memory smaller than the batch"])
def test_a_step_leaves_the_gradient_of_the_batch_and_what_was_drawn_as_one_batch(
    learner: Learner, by_hand, examples: list[Example], contrary: list[Example], remember, gradient_at_hand,
    same_gradient, cls: type[Strategy], remembered: int,
) -> None:  # fmt: skip
    batch, memory = examples[:3], remember(contrary[3 : 3 + remembered])
    drawn = np.random.default_rng(4).choice(remembered, size=min(3, remembered), replace=False)
    joint = [*batch, *(memory.examples[i] for i in drawn)]
    expected, expected_loss = (
        by_hand.gradient(learner.network, joint),
        float(by_hand.loss(learner.network, joint).detach()),
    )
    plain = by_hand.gradient(learner.network, batch)
    learner.rng = np.random.default_rng(4)
    loss = cls().step(learner, batch, memory)
    assert same_gradient(gradient_at_hand(learner), expected)
    assert not same_gradient(gradient_at_hand(learner), plain)
    assert loss == pytest.approx(expected_loss, rel=1e-5)


@both
@pytest.mark.parametrize(("size", "remembered"), [(4, 12), (4, 4), (6, 2), (1, 5)])
def test_as_many_different_examples_are_drawn_as_the_batch_has_or_the_memory_holds(
    learner: Learner, examples: list[Example], contrary: list[Example], remember,
    monkeypatch: pytest.MonkeyPatch, cls: type[Strategy], size: int, remembered: int,
) -> None:  # fmt: skip
    trained: list[list[Example]] = []

    def seen(given: Sequence[Example]) -> Tensor:
        trained.append(list(given))
        return torch.zeros((), requires_grad=True)

    monkeypatch.setattr(learner, "loss", seen)
    batch, memory = examples[:size], remember(contrary[:remembered])
    for _ in range(40):
        cls().step(learner, batch, memory)
    for joint in trained:
        replayed = joint[size:]
        assert joint[:size] == batch
        assert len(replayed) == len(set(replayed)) == min(size, remembered)
        assert set(replayed) <= set(memory.examples)
    assert {example for joint in trained for example in joint[size:]} == set(memory.examples)


@both
def test_with_an_empty_memory_a_step_is_a_plain_one(
    learner: Learner, by_hand, examples: list[Example], gradient_at_hand, same_gradient, cls: type[Strategy]
) -> None:
    cls().step(learner, examples[:3], Memory())
    assert same_gradient(gradient_at_hand(learner), by_hand.gradient(learner.network, examples[:3]))


def test_the_reservoir_is_filled_by_the_learners_own_stream(learner: Learner, examples: list[Example]) -> None:
    rng = np.random.default_rng(6)
    slots: list[Example] = []
    for n, example in enumerate(examples, start=1):
        if n <= 5:
            slots.append(example)
        elif (index := int(rng.integers(n))) < 5:
            slots[index] = example
    learner.rng = np.random.default_rng(6)
    strategy = ReservoirReplay(memory_size=5)
    memory = strategy.end_stage(learner, examples[:14], Memory())
    assert memory.stages == (1,) * 5
    assert strategy.end_stage(learner, examples[14:], memory).examples == tuple(slots)


def test_the_buffer_gives_each_stage_its_share(learner: Learner, examples: list[Example]) -> None:
    strategy = BufferReplay(memory_size=7)
    memory, shares = Memory(), []
    for start in (0, 8, 16):
        memory = strategy.end_stage(learner, examples[start : start + 8], memory)
        shares.append(Counter(memory.stages))
    assert shares == [{1: 7}, {1: 4, 2: 3}, {1: 3, 2: 2, 3: 2}]


def test_replay_retains_what_plain_training_on_contrary_labels_forgets(
    make_learner: Callable[..., Learner], by_hand, examples: list[Example], contrary: list[Example]
) -> None:
    first, second = examples[:8], contrary[16:]
    trained = make_learner(epochs=3)
    trained.train(first, Strategy(), Memory(), 1)
    after = {}
    for strategy in (Strategy(), ReservoirReplay(memory_size=8)):
        learner = copy.deepcopy(trained)
        learner.train(second, strategy, strategy.end_stage(learner, first, Memory()), 2)
        after[type(strategy)] = float(by_hand.losses(learner.network.eval(), first).mean())
    assert after[ReservoirReplay] < after[Strategy] - 0.1


@pytest.mark.parametrize("name", ["er-res", "er-buff", "er-mir", "agem", "kd"])
def test_with_an_empty_memory_a_strategy_is_plain_fine_tuning(
    make_learner: Callable[..., Learner], examples: list[Example], name: str
) -> None:
    plain, own = make_learner(), make_learner()
    plain.train(examples[:8], make_strategy("finetune", {}), Memory(), 1)
    own.train(examples[:8], make_strategy(name, {}), Memory(), 1)
    actual = own.network.state_dict()
    assert all(torch.equal(tensor, actual[key]) for key, tensor in plain.network.state_dict().items())
