"""A memory that is filled online takes every batch in as soon as it is trained on, as C²Gen's authors do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from torch import Tensor

from trivium.data.example import Example
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory, reservoir
from trivium.learn.replay import OnlineMemory
from trivium.learn.strategies.reservoir import ReservoirReplay
from trivium.learn.strategy import make_strategy

ONLINE = ("er-res", "er-mir", "agem", "kd")


def test_batch_by_batch_the_reservoir_is_that_of_the_whole_sequence(examples: list[Example]) -> None:
    before = reservoir(Memory(), examples[:10], 6, np.random.default_rng(1))
    online, rng = OnlineMemory(before, examples[10:], 6), np.random.default_rng(2)
    for start in range(10, 24, 4):
        online.add(examples[start : start + 4], rng)
    assert online.current() == reservoir(before, examples[10:], 6, np.random.default_rng(2))
    assert set(online.current().stages) == {1, 2}


def test_a_state_continues_with_the_same_slots(examples: list[Example]) -> None:
    before = reservoir(Memory(), examples[:10], 6, np.random.default_rng(1))
    first, second = (OnlineMemory(before, examples[10:], 6) for _ in range(2))
    first.add(examples[10:18], np.random.default_rng(3))
    second.load_state_dict(first.state_dict())
    for online in (first, second):
        online.add(examples[18:], np.random.default_rng(4))
    assert first.current() == second.current()


def trained_on(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> list[list[Example]]:
    """The examples of each loss that is computed."""
    seen: list[list[Example]] = []
    loss = learner.loss

    def counting(examples: Sequence[Example]) -> Tensor:
        seen.append(list(examples))
        return loss(examples)

    monkeypatch.setattr(learner, "loss", counting)
    return seen


@pytest.mark.parametrize("memory", ["stage", "online"])
def test_replayed_examples_are_of_the_stage_itself_only_if_the_memory_is_filled_online(
    make_learner: Callable[..., Learner],
    examples: list[Example],
    remember,
    monkeypatch: pytest.MonkeyPatch,
    memory: str,
) -> None:
    learner = make_learner()
    batches = trained_on(learner, monkeypatch)
    after = learner.train(examples[8:], ReservoirReplay(4, memory), remember(examples[:4]), 2)
    replayed = {example for batch in batches for example in batch[4:]}
    assert bool(replayed & set(examples[8:])) == (memory == "online")
    assert replayed & set(examples[:4])
    assert after.seen == 4 + 16


def test_what_is_remembered_after_a_stage_is_what_was_remembered_in_its_last_step(
    make_learner: Callable[..., Learner], examples: list[Example], remember
) -> None:
    learner = make_learner(epochs=2)
    after = learner.train(examples[8:], ReservoirReplay(4, "online"), remember(examples[:4]), 2)
    assert after == learner.online.current()
    assert after.seen == 4 + 2 * 16
    assert after.passed == 2


def test_a_first_stage_that_plain_fine_tuning_trained_enters_once_for_every_epoch(
    make_learner: Callable[..., Learner], examples: list[Example]
) -> None:
    learner = make_learner(epochs=3)
    memory = ReservoirReplay(4, "online").end_stage(learner, examples, Memory())
    assert memory.seen == 3 * len(examples)
    assert ReservoirReplay(4).end_stage(learner, examples, Memory()).seen == len(examples)


@pytest.mark.parametrize("name", ONLINE)
def test_every_replaying_strategy_trains_with_an_online_memory_that_begins_empty(
    make_learner: Callable[..., Learner], examples: list[Example], name: str
) -> None:
    learner = make_learner()
    memory = learner.train(examples[:12], make_strategy(name, {"memory": "online", "memory_size": 5}), Memory(), 1)
    assert len(memory) == 5
    assert memory.seen == 12
