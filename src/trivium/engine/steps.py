"""Units of work whose inputs determine their key and their result. Imports no torch."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from trivium.learn.config import ModelConfig, TrainConfig

# Increase when the same inputs give another result, so that older results are no longer used.
_REVISION = 1
_TRAIN_REVISION = 2  # 2: padding is not computed, so that dropout draws fewer numbers
_PREDICT_REVISION = 3  # 2: equal inputs are encoded once; 3: padding is not computed: both round differently


@dataclass(frozen=True)
class StrategySpec:
    """A strategy by name, with all its settings, and for a user's own strategy the hash of its source."""

    name: str
    settings: tuple[tuple[str, Any], ...] = ()
    plugin: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return a plain dictionary for the step's key."""
        return {"name": self.name, "settings": dict(self.settings), "plugin": self.plugin}


PLAIN = StrategySpec("finetune")


@dataclass(frozen=True)
class TrainStep:
    """Train a stage, starting from the pretrained model or from the model of the parent step.

    If ``divided`` is given, the stage is the half of a split that this step selects, and ``split`` is its key. A stage
    of size 0 trains nothing: the model stays as it is. ``fingerprint`` identifies the model's weights, and those of its
    role encoder if it has one.

    ``past`` are splits of stages before the first one, which other programs trained: the memory starts with all of
    their examples, or, if ``recall`` is ``sampled``, with what the strategy keeps of each in turn. ``first_stage`` is
    the number of the first stage. If ``dev`` is given, it is the split on which the best epoch is chosen.
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
    past: tuple[str, ...] = ()
    recall: Literal["whole", "sampled"] = "whole"
    first_stage: int = 1
    dev: str = ""

    kind = "train"

    @property
    def training(self) -> TrainStep:
        """The step that trains the model: this one."""
        return self

    @property
    def is_load(self) -> bool:
        """Whether the model is only loaded: a first stage without examples trains nothing."""
        return self.parent is None and not self.size

    @property
    def stage(self) -> int:
        """The number of the stage."""
        return self.first_stage if self.parent is None else self.parent.stage + 1

    @property
    def processes(self) -> int:
        """The number of processes that train; one if there is nothing to train."""
        return self.train.processes if self.size else 1

    @property
    def root(self) -> TrainStep:
        """The first stage."""
        return self if self.parent is None else self.parent.root

    @property
    def needs(self) -> tuple[Step, ...]:
        """The steps whose results this one reads."""
        return tuple(step for step in (self.parent, self.divided, self.base) if step is not None)

    @property
    def base(self) -> TrainStep | None:
        """The first stage, if the strategy holds to its parameters and it is not the parent."""
        holds = ("anchor", "base") in self.strategy.settings
        return self.root if holds and self.parent is not None and self.parent.parent is not None else None

    @cached_property
    def key(self) -> str:
        """The hash of everything that the result depends on."""
        return _hash(self.inputs())

    def inputs(self) -> dict[str, Any]:
        """Return everything that the result depends on."""
        inputs = {
            "kind": self.kind,
            "revision": _TRAIN_REVISION,
            "model": self.model.inputs() | {"fingerprint": self.fingerprint},
            "heads": self.heads,
            "train": self.train.model_dump(),
            "seed": self.seed,
            "stage": self.stage,
            "split": self.split,
            "strategy": self.strategy.to_json(),
            "parent": self.parent.key if self.parent else None,
        }
        inputs |= {"past": self.past, "recall": self.recall} if self.past else {}
        return inputs | ({"dev": self.dev} if self.dev else {})


@dataclass(frozen=True)
class RoleStep(TrainStep):
    """Train a tagger of semantic roles: an encoder with a new token classifier. ``heads`` are its tags."""

    @property
    def processes(self) -> int:
        """The number of processes that train: always one."""
        return 1

    def inputs(self) -> dict[str, Any]:
        """Return everything that the result depends on."""
        return super().inputs() | {"task": "roles"}


@dataclass(frozen=True)
class PredictStep:
    """Predict a split with the model of a training step; the logits (or the encoder's vectors) are stored by head.

    ``max_length`` is the number of tokens that are read, if it is not that of the training. With a ``share`` below 1,
    the model has only that share of what the training changed in its weights (see :mod:`trivium.learn.interpolation`).
    """

    training: TrainStep
    split: str
    size: int
    output: Literal["logits", "vectors"] = "logits"
    max_length: int | None = None
    share: float = 1.0

    kind = "predict"
    processes = 1

    @property
    def needs(self) -> tuple[Step, ...]:
        """The steps whose results this one reads."""
        start = self.training.parent if self.share != 1 else None
        return (self.training,) if start is None else (self.training, start)

    @cached_property
    def key(self) -> str:
        """The hash of everything that the result depends on."""
        return _hash(self.inputs())

    def inputs(self) -> dict[str, Any]:
        """Return everything that the result depends on."""
        revision = {"kind": self.kind, "revision": _PREDICT_REVISION}
        inputs = {**revision, "trained": self.training.key, "split": self.split}
        inputs |= {} if self.output == "logits" else {"output": self.output}
        inputs |= {} if self.share == 1 else {"share": self.share}
        return inputs | ({} if self.max_length is None else {"max_length": self.max_length})


@dataclass(frozen=True)
class DivideStep:
    """Select the simple or the hard half of a split by pointwise V-information within each label (CURRICULUM, 3.5).

    ``informed`` are the predictions of a model that was trained on the inputs, ``null`` those of a model that was
    trained on empty inputs.
    """

    informed: PredictStep
    null: PredictStep
    half: Literal["simple", "hard"]
    at: Literal["median", "middle", "authors"] = "median"

    kind = "divide"
    processes = 1

    @property
    def training(self) -> TrainStep:
        """The step that trains the model by which the split is divided."""
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
        """Return everything that the result depends on."""
        predictions = {"informed": self.informed.key, "null": self.null.key}
        return {"kind": self.kind, "revision": _REVISION, **predictions, "half": self.half, "at": self.at}


Step = TrainStep | PredictStep | DivideStep


def _hash(inputs: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()
