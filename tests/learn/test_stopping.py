"""Training ends when the accuracy on held-out examples no longer grows, with the weights of the best epoch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.stopping import EarlyStopping, hold_out
from trivium.learn.strategy import Strategy
from trivium.seeds import stream


def test_examples_with_the_same_hypothesis_are_held_out_together() -> None:
    examples = [Example(f"{n}", f"Premise {n}.", f"Hypothesis {n % 7}.", "neutral") for n in range(70)]
    trained, held_out = hold_out(examples, 0.2, stream(0, "held-out", 1))
    assert sorted([*trained, *held_out], key=lambda e: int(e.id)) == examples
    assert not {e.hypothesis for e in trained} & {e.hypothesis for e in held_out}
    assert len(held_out) == 20
    with pytest.raises(UserError, match=r"train\.patience needs examples with different hypotheses"):
        hold_out(examples[::7], 0.2, stream(0, "held-out", 1))


@pytest.mark.parametrize(
    ("scores", "patience", "epochs", "best"),
    [
        ([0.5, 0.6, 0.6, 0.4, 0.9], 2, 4, 2),  # a later, better epoch is not waited for
        ([0.5, 0.6, 0.6, 0.4, 0.9], 3, 5, 5),
        ([0.5, 0.4], 1, 2, 1),
    ],
)
def test_the_weights_of_the_best_epoch_are_taken(scores: list[float], patience: int, epochs: int, best: int) -> None:
    network, left = nn.Linear(1, 1, bias=False), iter(scores)
    stopping = EarlyStopping(network, lambda: next(left), patience)
    for epoch in range(1, len(scores) + 1):
        with torch.no_grad():
            network.weight.fill_(epoch)
        if stopping.is_over():
            break
    assert epoch == epochs
    stopping.restore_best()
    assert network.weight.item() == best


def test_a_learner_stops_early_and_reports_the_accuracy_of_each_epoch(
    make_learner: Callable[..., Learner], examples: list[Example]
) -> None:
    learner = make_learner(epochs=30, learning_rate=1e-3, patience=2, held_out=0.3)
    learner.fit(examples)
    history = learner.held_out_history
    assert 3 <= len(history) < 30
    assert len(history) - 1 - int(np.argmax(history)) == 2
    steps_in_epoch = len(learner.loss_history) / len(history)
    assert steps_in_epoch == int(steps_in_epoch)
    assert steps_in_epoch < -(-len(examples) // learner.train_config.batch_size)


def test_step_keys_depend_on_the_held_out_share_only_if_it_is_used() -> None:
    plain = TrainConfig().model_dump()
    assert not {"patience", "held_out"} & set(plain)
    assert TrainConfig(held_out=0.2).model_dump() == plain
    assert TrainConfig(patience=2, held_out=0.2).model_dump() == plain | {"patience": 2, "held_out": 0.2}


def test_the_best_epoch_is_chosen_on_dev_examples_and_none_are_held_out(
    make_learner: Callable[..., Learner], examples: list[Example], contrary: list[Example]
) -> None:
    """Labels of the dev examples contradict those of the training: the first epoch answers most of them."""
    learner = make_learner(epochs=6, learning_rate=1e-3)
    learner.train(examples, Strategy(), Memory(), 1, dev=contrary)
    history = learner.held_out_history
    assert len(history) == 6
    best = int(np.argmax(history))
    assert best < 5
    again = make_learner(epochs=best + 1, learning_rate=1e-3)
    again.train(examples, Strategy(), Memory(), 1)
    assert all(torch.equal(a, b) for a, b in zip(learner.network.parameters(), again.network.parameters(), strict=True))
