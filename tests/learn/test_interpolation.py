"""WiSE-FT: weights are interpolated between the model before a stage and after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from trivium.data.example import Example
from trivium.data.split import Split
from trivium.engine.execute import execute
from trivium.engine.steps import PredictStep, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.learn.config import AdapterConfig, ModelConfig, TrainConfig
from trivium.learn.interpolation import interpolate, interpolated, weights_of
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategy import make_strategy


def trained(make_learner: Callable[..., Learner], examples: list[Example], name: str, **settings: float) -> Learner:
    """Return a learner after two stages, the second with a strategy."""
    learner = make_learner(epochs=2)
    plain, second = make_strategy("finetune", {}), make_strategy(name, settings)
    learner.train(examples[:8], plain, Memory(), 1)
    learner.train(examples[8:16], second, second.end_stage(learner, examples[:8], Memory()), 2)
    return learner


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_strategy_keeps_a_share_of_what_replay_changes(
    make_learner: Callable[..., Learner], examples: list[Example], share: float
) -> None:
    before = make_learner(epochs=2)
    before.train(examples[:8], make_strategy("finetune", {}), Memory(), 1)
    whole = trained(make_learner, examples, "er-res").network.state_dict()
    part = trained(make_learner, examples, "wise", share=share).network.state_dict()
    for name, start in before.network.state_dict().items():
        assert torch.allclose(part[name], (1 - share) * start + share * whole[name], atol=1e-6), name


def test_tied_weights_move_once_and_those_that_were_not_trained_stay() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.other = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False)
            self.second = nn.Linear(2, 2, bias=False)
            self.second.weight = self.first.weight

    network = Tied()
    start = weights_of(network)
    with torch.no_grad():
        network.first.weight += 1
        network.other.weight += 1
    own = weights_of(network)
    del start["other.weight"]
    with interpolated(network, start, 0.25):
        assert torch.allclose(network.second.weight, start["first.weight"] + 0.25)
        assert torch.equal(network.other.weight, own["other.weight"])
    assert all(torch.equal(tensor, own[name]) for name, tensor in network.state_dict().items())


@pytest.mark.parametrize("adapter", [None, AdapterConfig(rank=2)], ids=["whole", "adapter"])
@pytest.mark.parametrize("staged", [True, False], ids=["second stage", "first stage"])
def test_a_share_of_a_training_is_predicted_with_interpolated_weights(
    examples: list[Example], tmp_path: Path, staged: bool, adapter: AdapterConfig | None
) -> None:
    store = Store(tmp_path / "store").open()
    one, two, test = (store.put_split(Split(name, tuple(examples[i::3]))) for i, name in enumerate("abc"))
    model, heads = ModelConfig(name="tiny", adapter=adapter), ("composed", "natural", "veridical")
    train = TrainConfig(learning_rate=1e-3, batch_size=4, epochs=2)
    first = TrainStep(model, "f", heads, train, 0, one, 8)
    last = TrainStep(model, "f", heads, train, 0, two, 8, StrategySpec("finetune"), first) if staged else first
    whole, half = (PredictStep(last, test, 8, share=share) for share in (1.0, 0.5))
    assert whole.key == PredictStep(last, test, 8).key != half.key
    assert half.needs == ((last, first) if staged else (first,))
    for step in dict.fromkeys((first, last, half, whole)):
        execute(step, store)
    learner = Learner(model, tasks=heads, train=train, seed=0)
    if staged:
        learner.load(store.path(first.key) / "weights.safetensors")
    start = weights_of(learner.network)
    learner.load(store.path(last.key) / "weights.safetensors")
    rows = [row for example in examples[2::3] for row in example.rows()]
    expected_whole = learner.logits(rows)["composed"]
    interpolate(learner.network, start, 0.5)
    assert np.allclose(store.logits(half.key)["composed"], learner.logits(rows)["composed"], atol=1e-5)
    assert np.allclose(store.logits(whole.key)["composed"], expected_whole, atol=1e-5)
