"""Steps of benchmarks: training and prediction on splits, and the strategies that they use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Literal

from trivium.data.split import Split
from trivium.engine.steps import PLAIN, DivideStep, PredictStep, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.errors import ConfigError, Problem, did_you_mean, option
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.interactive import interactive_hash
from trivium.learn.strategy import find_strategies, make_strategy, settings_of
from trivium.plugins import plugin_hash

NLI_HEAD: Final = "nli"
"""The head of a model with one NLI task. A copy of ``trivium.models.classifiers.HEAD``, whose module imports torch."""


@dataclass(frozen=True)
class StepMaker:
    """Creates the steps of a model, and saves the splits that they use in the store, if given.

    ``test_length`` is the number of tokens that predictions read, if it is not that of training.
    """

    model: ModelConfig
    fingerprint: str
    heads: tuple[str, ...]
    store: Store | None
    test_length: int | None = None

    def train(
        self,
        split: Split,
        train: TrainConfig,
        seed: int,
        parent: TrainStep | None = None,
        strategy: StrategySpec = PLAIN,
        past: Sequence[Split] = (),
        recall: Literal["whole", "sampled"] = "whole",
        first_stage: int | None = None,
        dev: Split | None = None,
    ) -> TrainStep:
        """Return the step that trains a stage on a split, starting from the parent's model.

        ``past`` are earlier stages, trained outside of Trivium or in another store; see :class:`TrainStep`. The best
        epoch is chosen on ``dev``, if given.
        """
        return TrainStep(
            self.model,
            self.fingerprint,
            self.heads,
            train,
            seed,
            self.save_split(split),
            len(split),
            strategy,
            parent,
            past=tuple(self.save_split(stage) for stage in past),
            recall=recall,
            first_stage=len(past) + 1 if first_stage is None else first_stage,
            dev="" if dev is None else self.save_split(dev),
        )

    def train_on_half(self, half: DivideStep, train: TrainConfig, seed: int, parent: TrainStep) -> TrainStep:
        """Return the step that trains on the half of a split that a :class:`DivideStep` selects."""
        size = half.informed.size // 2
        return TrainStep(self.model, self.fingerprint, self.heads, train, seed, half.key, size, PLAIN, parent, half)

    def predict(
        self,
        training: TrainStep,
        split: Split,
        output: Literal["logits", "vectors"] = "logits",
        share: float = 1.0,
    ) -> PredictStep:
        """Return the step that predicts a split with the model of a training step, or a ``share`` of its change."""
        return PredictStep(training, self.save_split(split), len(split), output, self.test_length, share)

    def save_split(self, split: Split) -> str:
        """Return the identity of a split, and save the split in the store, if given."""
        return split.identity if self.store is None else self.store.put_split(split)


def group_by_model(steps: Iterable[PredictStep]) -> dict[str, list[PredictStep]]:
    """Return the predictions of each model, by the key of its training step."""
    by_key: dict[str, list[PredictStep]] = {}
    for step in steps:
        by_key.setdefault(step.training.key, []).append(step)
    return by_key


def strategy_title(name: str) -> str:
    """Return the title of a strategy in tables and charts, or its name if it has none."""
    strategies = find_strategies()
    return (strategies[name].title if name in strategies else "") or name


_recorded: ContextVar[tuple[StrategySpec, ...]] = ContextVar("recorded strategies", default=())


@contextmanager
def recorded_strategies(specs: Iterable[StrategySpec]) -> Iterator[None]:
    """Within the block, take these strategies as they were when a run was recorded: their code is not needed."""
    token = _recorded.set(tuple(specs))
    try:
        yield
    finally:
        _recorded.reset(token)


def strategy_specs(settings: Mapping[str, Mapping[str, Any]], names: Iterable[str]) -> dict[str, StrategySpec]:
    """Return the specs of the named strategies, with ``settings`` by strategy name.

    Raise a ConfigError that lists every mistake in the names and in the settings.
    """
    known = find_strategies()
    recorded = {spec.name: spec for spec in _recorded.get()}
    required = tuple(names)
    all_names = dict.fromkeys((*required, *settings))
    problems = [
        Problem(
            "settings",
            f"unknown strategy {name!r}: {did_you_mean(name, known)} (a strategy of your own needs "
            f"{option('plugins', 'FILE.py', shell='plugin')})",
        )
        for name in all_names
        if name not in known and name not in recorded
    ]
    specs = dict(recorded)
    for name in all_names:
        if name not in known or name in recorded:
            continue
        try:
            strategy = make_strategy(name, settings.get(name, {}))
        except ConfigError as error:
            problems += error.problems
        else:
            values = tuple(sorted(settings_of(strategy).items()))
            specs[name] = StrategySpec(name, values, plugin_hash(known[name]) or interactive_hash(known[name]))
    if problems:
        raise ConfigError(problems)
    return {name: specs[name] for name in required}
