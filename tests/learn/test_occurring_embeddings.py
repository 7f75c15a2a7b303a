"""Training without the embeddings of tokens that do not occur changes no bit of any result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.learn import embeddings as module
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.finetune import FineTune
from trivium.learn.strategy import Strategy, make_strategy

Make = Callable[..., Learner]
TABLE = "encoder.embeddings.word_embeddings.weight"


def shape(learner: Learner) -> tuple[int, ...]:
    """The shape of the token embeddings that are trained."""
    return tuple(dict(learner.network.named_parameters())[TABLE].shape)


@pytest.mark.parametrize("name", ["finetune", "agem", "er-mir", "kd", "mas"])
@pytest.mark.parametrize("clip", [0.1, 1e6])
def test_all_weights_and_losses_are_the_same_to_the_bit(
    make_learner: Make, examples: list[Example], monkeypatch: pytest.MonkeyPatch, name: str, clip: float
) -> None:
    def trained() -> tuple[dict[str, Tensor], list[float]]:
        learner = make_learner(dropout=0.1, clip=clip)
        strategy, memory = make_strategy(name, {}), Memory((examples[20],), (1,), passed=1, seen=1)
        memory = learner.train(examples[:6], strategy, memory, 2)
        learner.train(examples[12:18], strategy, memory, 3)
        return learner.network.state_dict(), learner.loss_history.tolist()

    weights, losses = trained()
    monkeypatch.setattr(module, "occurring_embeddings", lambda model, ids: nullcontext())
    expected, expected_losses = trained()
    assert list(weights) == list(expected)
    assert all(torch.equal(weights[key], expected[key]) for key in expected)
    assert losses == pytest.approx(expected_losses, rel=1e-6)


@dataclass(frozen=True)
class Sees(Strategy):
    """Records the shape of the embeddings that it trains, and asks about other examples if it has any."""

    others: tuple[Example, ...] = ()

    def step(self, learner: Learner, batch: Sequence[Example], state: Any) -> float:
        assert learner.network.training
        learner.seen = shape(learner)  # type: ignore[attr-defined]
        return learner.backward(learner.loss([*batch, *self.others]))


@dataclass(frozen=True)
class Declares(Sees):
    given_examples_only = True


def test_a_strategy_of_ones_own_may_use_any_example_unless_it_declares_otherwise(
    make_learner: Make, examples: list[Example]
) -> None:
    stranger = replace(examples[0], premise="Zebras yodel", parts=())
    learner = make_learner()
    whole = shape(learner)
    learner.train(examples[:2], Sees((stranger,)), Memory(), 1)
    assert learner.seen == whole  # type: ignore[attr-defined]
    learner.train(examples[:2], Declares(), Memory(), 1)
    assert learner.seen[0] < 100  # type: ignore[attr-defined]
    assert shape(learner) == whole
    with pytest.raises(UserError, match="set given_examples_only = False"):
        learner.train(examples[:2], Declares((stranger,)), Memory(), 1)
    assert shape(learner) == whole
    learner.logits([stranger])


class Folder:
    """A checkpoint after every step."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> None:
        return None

    def is_due(self) -> bool:
        return True

    @contextmanager
    def writing(self) -> Iterator[Path]:
        yield self.path


def test_checkpoints_hold_only_what_is_trained_and_saved_weights_are_whole(
    make_learner: Make, examples: list[Example], tmp_path: Path
) -> None:
    learner = make_learner()
    learner.train(examples[:6], FineTune(), Memory(), 1, checkpoints=Folder(tmp_path))
    saved = load_file(tmp_path / "tensors.safetensors")
    assert saved[f"weights.{TABLE}"].shape[0] == saved[f"optimizer.exp_avg.{TABLE}"].shape[0] < 100
    learner.save(tmp_path / "weights.safetensors")
    assert tuple(load_file(tmp_path / "weights.safetensors")[TABLE].shape) == shape(learner)
    make_learner(seed=1).load(tmp_path / "weights.safetensors")


@pytest.mark.parametrize("settings", [{"frozen": "embeddings"}])
def test_frozen_embeddings_stay_whole(make_learner: Make, examples: list[Example], settings: dict[str, Any]) -> None:
    learner = make_learner(**settings)
    learner.train(examples[:2], Declares(), Memory(), 1)
    assert learner.seen == shape(learner)  # type: ignore[attr-defined]
