"""Making the steps of a benchmark from splits."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trivium.data.split import Split
from trivium.engine.steps import PLAIN, DivideStep, PredictStep, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.errors import ConfigError, Problem, did_you_mean
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.interactive import interactive_hash
from trivium.learn.strategy import find_strategies, make_strategy
from trivium.plugins import plugin_hash


@dataclass(frozen=True)
class StepMaker:
    """Makes steps of one model, and keeps what they train and test on in the store, if there is one."""

    model: ModelConfig
    fingerprint: str
    heads: tuple[str, ...]
    store: Store | None

    def trained(
        self,
        split: Split,
        train: TrainConfig,
        seed: int,
        parent: TrainStep | None = None,
        strategy: StrategySpec = PLAIN,
        past: Sequence[Split] = (),
        recall: Literal["whole", "sampled"] = "whole",
        first_stage: int | None = None,
    ) -> TrainStep:
        """Return the step that trains a stage on a split, after the parent's.

        ``past`` are stages that were trained before, outside of Trivium or in another store; see :class:`TrainStep`.
        """
        return TrainStep(
            self.model,
            self.fingerprint,
            self.heads,
            train,
            seed,
            self.kept(split),
            len(split),
            strategy,
            parent,
            past=tuple(self.kept(stage) for stage in past),
            recall=recall,
            first_stage=len(past) + 1 if first_stage is None else first_stage,
        )

    def trained_on_half(self, half: DivideStep, train: TrainConfig, seed: int, parent: TrainStep) -> TrainStep:
        """A stage on the half of a split that a step finds."""
        size = half.informed.size // 2
        return TrainStep(self.model, self.fingerprint, self.heads, train, seed, half.key, size, PLAIN, parent, half)

    def predicted(
        self, training: TrainStep, split: Split, output: Literal["logits", "vectors"] = "logits"
    ) -> PredictStep:
        """What the model of a step says of a split."""
        return PredictStep(training, self.kept(split), len(split), output)

    def kept(self, split: Split) -> str:
        """The identity of a split, which the store keeps."""
        return split.identity if self.store is None else self.store.put_split(split)


def by_model(steps: Iterable[PredictStep]) -> dict[str, list[PredictStep]]:
    """The predictions of each model, by the key of the step that makes it."""
    found: dict[str, list[PredictStep]] = {}
    for step in steps:
        found.setdefault(step.training.key, []).append(step)
    return found


def strategy_specs(settings: Mapping[str, Mapping[str, Any]], wanted: Iterable[str]) -> dict[str, StrategySpec]:
    """The specs of strategies with settings of some; an error that lists every mistake in names and settings."""
    known = find_strategies()
    wanted = tuple(wanted)
    named = dict.fromkeys((*wanted, *settings))
    problems = [
        Problem("settings", f"unknown strategy {name!r}: {did_you_mean(name, known)}")
        for name in named
        if name not in known
    ]
    specs = {}
    for name in named:
        if name not in known:
            continue
        try:
            made = make_strategy(name, settings.get(name, {}))
        except ConfigError as error:
            problems += error.problems
        else:
            values = tuple(sorted(dataclasses.asdict(made).items()))
            specs[name] = StrategySpec(name, values, plugin_hash(known[name]) or interactive_hash(known[name]))
    if problems:
        raise ConfigError(problems)
    return {name: specs[name] for name in wanted}
