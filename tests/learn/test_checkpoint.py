"""A training that is interrupted continues from its last checkpoint, and its result is the same to the byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.learn.checkpoint import is_resumable
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.distil import Distillation
from trivium.learn.strategy import Strategy, find_strategies, make_strategy
from trivium.learn.tagging import TaggedQuery, fit_tagger
from trivium.models.tagger import TaggingQuery, new_tagger, tags_of

Make = Callable[..., Learner]
SHIPPED = sorted(name for name, cls in find_strategies().items() if cls.__module__.startswith("trivium.learn."))
STEPS = 9


class InterruptedTrainingError(Exception):
    pass


@dataclass
class FolderCheckpoints:
    """Checkpoints after every step, in a folder."""

    folder: Path
    written: int = 0

    def load(self) -> Path | None:
        return self.folder / str(self.written) if self.written else None

    def is_due(self) -> bool:
        return True

    @contextmanager
    def writing(self) -> Iterator[Path]:
        new = self.folder / str(self.written + 1)
        new.mkdir(parents=True)
        yield new
        self.written += 1


@dataclass
class Recorder:
    """Records which steps were done, and interrupts the training after one of them."""

    interrupt_after: int = 0
    done: list[int] = field(default_factory=list)

    def __call__(self, done: int, total: int) -> None:
        self.done.append(done)
        if done == self.interrupt_after:
            raise InterruptedTrainingError


def result(learner: Learner, memory: Memory, folder: Path) -> tuple[bytes, bytes, list[float]]:
    folder.mkdir()
    learner.save(folder / "weights.safetensors")
    memory.write(folder / "memory.json")
    files = [(folder / name).read_bytes() for name in ("weights.safetensors", "memory.json")]
    return files[0], files[1], learner.loss_history.tolist()


@pytest.fixture
def interrupted(make_learner: Make, examples: list[Example], remember, tmp_path: Path) -> Callable[..., Any]:
    """The results of a whole training and of an interrupted one, and the steps that were done after it continued."""
    memory = remember(examples[12:20])

    def run(strategy: Strategy, after: int, **train: Any) -> tuple[Any, Any, list[int]]:
        def learner() -> Learner:
            return make_learner(dropout=0.1, epochs=3, warmup=0.5, **train)

        whole = learner()
        expected = result(whole, whole.train(examples[:12], strategy, memory, 2), tmp_path / "whole")
        checkpoints = FolderCheckpoints(tmp_path / "checkpoints")
        with pytest.raises(InterruptedTrainingError):
            learner().train(examples[:12], strategy, memory, 2, Recorder(after), checkpoints)
        recorder, resumed = Recorder(), learner()
        after_stage = resumed.train(examples[:12], strategy, memory, 2, recorder, checkpoints)
        return expected, result(resumed, after_stage, tmp_path / "resumed"), recorder.done

    return run


@pytest.mark.parametrize("name", SHIPPED)
def test_an_interrupted_training_ends_with_the_same_bytes(name: str, interrupted: Callable[..., Any]) -> None:
    after = int(np.random.default_rng().integers(1, STEPS))
    expected, resumed, done = interrupted(make_strategy(name, {}), after)
    assert done == list(range(after + 1, STEPS + 1)), f"interrupted after step {after}"
    assert resumed == expected, f"interrupted after step {after}"


@pytest.mark.parametrize("name", ["er-res", "kd"])
def test_an_online_memory_continues_as_it_was(name: str, interrupted: Callable[..., Any]) -> None:
    expected, resumed, _ = interrupted(make_strategy(name, {"memory": "online", "memory_size": 5}), 4)
    assert resumed == expected


@pytest.mark.parametrize("after", [1, 2, 3])
def test_early_stopping_continues_with_the_best_epoch_so_far(after: int, interrupted: Callable[..., Any]) -> None:
    expected, resumed, _ = interrupted(make_strategy("er-res", {}), after, patience=1, held_out=0.3)
    assert resumed == expected


def test_frozen_parameters_are_not_in_a_checkpoint(interrupted: Callable[..., Any], tmp_path: Path) -> None:
    expected, resumed, _ = interrupted(make_strategy("er-res", {}), 4, frozen="embeddings")
    assert resumed == expected
    size = (tmp_path / "checkpoints" / "1" / "tensors.safetensors").stat().st_size
    assert size < 3 * len(expected[0])


def test_a_checkpoint_is_safetensors_and_json(interrupted: Callable[..., Any], tmp_path: Path) -> None:
    interrupted(make_strategy("er-res", {}), 1)
    folder = tmp_path / "checkpoints" / "1"
    assert sorted(file.name for file in folder.iterdir()) == ["state.json", "tensors.safetensors"]
    assert json.loads((folder / "state.json").read_text())["rng"]["bit_generator"] == "PCG64"


class Momentum:
    """A state that changes with every step."""

    def __init__(self) -> None:
        self.mean = torch.zeros(())

    def state_dict(self) -> dict[str, Tensor]:
        return {"mean": self.mean}

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        self.mean = state["mean"]


@dataclass(frozen=True)
class Undeclared(Strategy):
    """Scales the loss by the mean of the losses so far."""

    def begin_stage(self, learner: Learner, memory: Memory) -> Momentum:
        return Momentum()

    def step(self, learner: Learner, batch: Sequence[Example], state: Momentum) -> float:
        loss = learner.loss(batch)
        state.mean = 0.5 * state.mean + 0.5 * loss.detach()
        return learner.backward(loss * state.mean)


@dataclass(frozen=True)
class Declared(Undeclared):
    resumable = True


@dataclass(frozen=True)
class Overriding(Distillation):
    def begin_stage(self, learner: Learner, memory: Memory) -> Any:
        return super().begin_stage(learner, memory)


def test_a_state_that_changes_is_saved_if_it_has_a_state_dict(interrupted: Callable[..., Any]) -> None:
    expected, resumed, done = interrupted(Declared(), 5)
    assert done == [6, 7, 8, 9]
    assert resumed == expected


def test_a_strategy_that_does_not_declare_that_it_resumes_starts_anew(interrupted: Callable[..., Any]) -> None:
    expected, resumed, done = interrupted(Undeclared(), 5)
    assert done == list(range(1, STEPS + 1))
    assert resumed == expected


def test_which_strategies_resume() -> None:
    assert all(is_resumable(make_strategy(name, {})) for name in SHIPPED)
    assert is_resumable(Strategy())
    assert is_resumable(Declared())
    assert not is_resumable(Undeclared())
    assert not is_resumable(Overriding())


def test_a_state_with_something_else_than_tensors_is_an_error(
    make_learner: Make, examples: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Momentum, "state_dict", lambda self: {"mean": 0.5})
    with pytest.raises(UserError, match=r"Momentum.*'mean', which is not a tensor"):
        make_learner().train(examples[:8], Declared(), Memory(), 1, checkpoints=FolderCheckpoints(tmp_path))


@pytest.mark.parametrize("damage", ["format", "model"])
def test_a_checkpoint_of_another_version_or_model_is_not_used(
    make_learner: Make, examples: list[Example], tmp_path: Path, damage: str
) -> None:
    checkpoints, recorder = FolderCheckpoints(tmp_path), Recorder()
    heads = ("composed",) if damage == "model" else ("composed", "natural", "veridical")
    with pytest.raises(InterruptedTrainingError):
        make_learner(heads=heads).train(examples[:8], Strategy(), Memory(), 1, Recorder(1), checkpoints)
    if damage == "format":
        (tmp_path / "1" / "state.json").write_text('{"format": 0}')
    make_learner().train(examples[:8], Strategy(), Memory(), 1, recorder, checkpoints)
    assert recorder.done == [1, 2]


def test_the_training_of_a_tagger_continues_too(tmp_path: Path) -> None:
    words = [(f"w{number}er", f"w{number}ed", f"w{number}ing") for number in range(12)]
    questions = [TaggedQuery(TaggingQuery(each, 1), ("B-ARG0", "B-V", "B-ARG1")) for each in words]
    train = TrainConfig(learning_rate=1e-3, batch_size=4, epochs=3, frozen="embeddings")

    def fit(progress: Recorder, checkpoints: FolderCheckpoints | None = None) -> tuple[dict[str, Tensor], list[float]]:
        tagger = new_tagger("tiny", tags_of(["V", "ARG0", "ARG1"]), 0)
        losses = fit_tagger(tagger, questions, train, 0, progress, checkpoints)
        return tagger.model.state_dict(), losses.tolist()

    expected, losses = fit(Recorder())
    checkpoints, recorder = FolderCheckpoints(tmp_path), Recorder()
    with pytest.raises(InterruptedTrainingError):
        fit(Recorder(4), checkpoints)
    resumed, losses_after = fit(recorder, checkpoints)
    assert recorder.done == [5, 6, 7, 8, 9]
    assert losses_after == losses
    assert all(torch.equal(resumed[name], expected[name]) for name in expected)
