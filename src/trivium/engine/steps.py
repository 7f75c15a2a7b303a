"""Units of work whose inputs decide their identity and their result. Imports no torch."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from trivium.learn.config import ModelConfig, TrainConfig

# Raised when what a step computes from the same inputs changes: older results are then no longer found.
_REVISION = 1


@dataclass(frozen=True)
class StrategySpec:
    """A strategy by name, all its settings, and for a user's own one the hash of its file."""

    name: str
    settings: tuple[tuple[str, Any], ...] = ()
    plugin: str | None = None

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary for the step's key."""
        return {"name": self.name, "settings": dict(self.settings), "plugin": self.plugin}


PLAIN = StrategySpec("finetune")


@dataclass(frozen=True)
class TrainStep:
    """Train a stage, starting from scratch or from the model that the parent made.

    A ``divided`` stage is the half of a split that the step of that name finds; ``split`` is then its key. A stage of
    size 0 trains nothing: the model as it is. The ``fingerprint`` is that of the model's weights, and of its role
    encoder's if it has one.
    """

    model: ModelConfig
    fingerprint: str
    heads: tuple[str, ...]
    train: TrainConfig
    seed: int
    split: str
    size: int
    strategy: StrategySpec = PLAIN
    parent: TrainStep | None = None
    divided: DivideStep | None = None

    kind = "train"

    @property
    def training(self) -> TrainStep:
        """The step that makes the model: this one."""
        return self

    @property
    def stage(self) -> int:
        """The number of the stage, from 1."""
        return 1 if self.parent is None else self.parent.stage + 1

    @property
    def root(self) -> TrainStep:
        """The first stage."""
        return self if self.parent is None else self.parent.root

    @property
    def needs(self) -> tuple[Step, ...]:
        """The steps whose results this one reads."""
        return tuple(step for step in (self.parent, self.divided) if step is not None)

    @cached_property
    def key(self) -> str:
        """The hash of everything that the result depends on."""
        return _hash(self.inputs())

    def inputs(self) -> dict[str, Any]:
        """Everything that the result depends on."""
        return {
            "kind": self.kind,
            "revision": _REVISION,
            "model": self.model.inputs() | {"fingerprint": self.fingerprint},
            "heads": self.heads,
            "train": self.train.model_dump(),
            "seed": self.seed,
            "stage": self.stage,
            "split": self.split,
            "strategy": self.strategy.to_json(),
            "parent": self.parent.key if self.parent else None,
        }


@dataclass(frozen=True)
class PredictStep:
    """Let a model predict a split; its logits (or the encoder's vectors) are stored, by head.

    ``training`` is the step that makes the model.
    """

    training: TrainStep
    split: str
    size: int
    output: Literal["logits", "vectors"] = "logits"

    kind = "predict"

    @property
    def needs(self) -> tuple[Step, ...]:
        """The steps whose results this one reads."""
        return (self.training,)

    @cached_property
    def key(self) -> str:
        """The hash of everything that the result depends on."""
        return _hash(self.inputs())

    def inputs(self) -> dict[str, Any]:
        """Everything that the result depends on."""
        wanted = {"kind": self.kind, "revision": _REVISION, "trained": self.training.key, "split": self.split}
        return wanted if self.output == "logits" else wanted | {"output": self.output}


@dataclass(frozen=True)
class DivideStep:
    """The simple or the hard half of a split, by pointwise V-information within each label (CURRICULUM, section 3.5).

    ``informed`` and ``null`` are what a model says of the split that read it, and one that learned from empty input.
    """

    informed: PredictStep
    null: PredictStep
    half: Literal["simple", "hard"]
    at: Literal["median", "middle"] = "median"

    kind = "divide"

    @property
    def training(self) -> TrainStep:
        """The step that made the model by which the split is divided."""
        return self.informed.training

    @property
    def needs(self) -> tuple[Step, ...]:
        """The steps whose results this one reads."""
        return (self.informed, self.null)

    @cached_property
    def key(self) -> str:
        """The hash of everything that the result depends on."""
        return _hash(self.inputs())

    def inputs(self) -> dict[str, Any]:
        """Everything that the result depends on."""
        asked = {"informed": self.informed.key, "null": self.null.key, "half": self.half, "at": self.at}
        return {"kind": self.kind, "revision": _REVISION, **asked}


Step = TrainStep | PredictStep | DivideStep


def _hash(inputs: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()
