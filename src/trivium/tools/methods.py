"""The methods of correcting a model: strategies that train it, and support sets that compare vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker, strategy_specs
from trivium.data.example import Example
from trivium.data.labels import Labels
from trivium.data.split import Split
from trivium.engine.runner import StepRunner
from trivium.engine.steps import PredictStep, TrainStep
from trivium.errors import UserError, unknown_name
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.strategy import find_strategies
from trivium.measure.clusters import Vectors
from trivium.models.classifiers import HEAD
from trivium.tools.corrected import MAX_LENGTH, SUPPORTS, Predicted, Support
from trivium.tools.correction_data import label_indices

AUTO: Final = "auto"
CORRECTING = TrainConfig(learning_rate=5e-5, batch_size=8, epochs=10, warmup=0.1, frozen="embeddings", threads=2)
"""How corrections are trained by default."""


def methods() -> tuple[str, ...]:
    """Return all methods in the order of preference among equal gains: the cheapest first."""
    strategies = {name: cls for name, cls in find_strategies().items() if cls.for_corrections}
    return (*sorted(strategies, key=lambda name: (strategies[name].cost, name)), *SUPPORTS)


def chosen_methods(name: str) -> tuple[str, ...]:
    """Return all methods for ``auto``, else the named method. Raise if it is unknown."""
    if name == AUTO:
        return methods()
    if name not in SUPPORTS and name not in find_strategies():
        raise unknown_name("method", name, (AUTO, *SUPPORTS, *find_strategies()))
    return (name,)


@dataclass(frozen=True)
class Lesson:
    """A model taught by a method: the step that trains it, or the support set that replaces its head."""

    method: str
    step: TrainStep | None = None
    support: Support | None = None


@dataclass(frozen=True)
class Teacher:
    """Teaches corrections by any method, always starting from the same model, through the steps of a store.

    ``sets`` are the examples that methods may remember: a share of the guard, then each earlier round of corrections.
    ``queries`` are the other examples for which predictions are needed.
    """

    model: str
    labels: Labels
    train: TrainConfig
    seed: int
    runner: StepRunner
    sets: tuple[tuple[Example, ...], ...]
    queries: tuple[Example, ...]

    @cached_property
    def before(self) -> Predicted:
        """The predictions for :attr:`all_examples` before the correction; see :meth:`positions`."""
        step = self._maker.predict(self._base, self.all_examples)
        self.runner.run_steps([[step]], f"Predictions of {self.model} before the correction")
        return self._predictions(step)

    def positions(self, examples: Sequence[Example]) -> NDArray[np.intp]:
        """Return the positions of examples in :attr:`all_examples`."""
        return np.array([self._index[example] for example in examples], dtype=np.intp)

    def try_out(
        self, methods: Sequence[str], corrections: Sequence[Example], folds: Sequence[Sequence[int]]
    ) -> dict[str, Predicted | str]:
        """Return the cross-validated predictions of each method for the corrections, or why it failed."""
        parts = [
            ([e for i, e in enumerate(corrections) if i not in fold], [corrections[i] for i in fold]) for fold in folds
        ]
        steps = {method: self._fold_steps(method, parts) for method in methods if method not in SUPPORTS}
        labels = {
            key: f"{method}, fold {number} of {len(folds)}"
            for method, each in steps.items()
            for number, step in enumerate(each, 1)
            for key in (step.key, step.training.key)
        }
        failures = self.runner.run_steps(
            steps.values(), f"Trying {', '.join(methods)}", labels=labels, continue_on_error=True
        )
        results: dict[str, Predicted | str] = {}
        for method in methods:
            failed = [failures[s.training.key] for s in steps.get(method, ()) if s.training.key in failures]
            if failed:
                results[method] = failed[0]
                continue
            predicted = np.zeros(len(corrections), dtype=np.intp)
            for number, (taught, held_out) in enumerate(parts):
                if method in SUPPORTS:
                    support, vectors = self._support(method, taught), self._vectors_of(held_out)
                    predicted[folds[number]] = support.predict(vectors, len(self.labels))
                else:
                    predicted[folds[number]] = self._predictions(steps[method][number])
            results[method] = predicted
        return results

    def _fold_steps(
        self, method: str, parts: Sequence[tuple[Sequence[Example], Sequence[Example]]]
    ) -> list[PredictStep]:
        return [
            self._maker.predict(self._trained(method, taught), Split("held out", tuple(held_out), self.labels))
            for taught, held_out in parts
        ]

    def teach(self, method: str, corrections: Sequence[Example]) -> tuple[Lesson, Predicted]:
        """Teach all corrections by a method. Return the taught model and its predictions for :attr:`all_examples`."""
        if method in SUPPORTS:
            support = self._support(method, corrections)
            return Lesson(method, support=support), support.predict(self._vectors, len(self.labels))
        trained = self._trained(method, corrections)
        step = self._maker.predict(trained, self.all_examples)
        labels = dict.fromkeys((step.key, trained.key), f"{method}, all corrections")
        failures = self.runner.run_steps(
            [[step]], f"Teaching by {method}", labels=labels, models=(trained,), continue_on_error=True
        )
        if failures:
            raise UserError(next(iter(failures.values())))
        return Lesson(method, step=trained), self._predictions(step)

    @cached_property
    def _maker(self) -> StepMaker:
        config = ModelConfig(name=self.model, head="own", max_length=MAX_LENGTH)
        resolved = resolve_model(config, self.runner.store)
        return StepMaker(resolved.model, resolved.fingerprint, (HEAD,), self.runner.store)

    @cached_property
    def _base(self) -> TrainStep:
        return self._maker.train(Split("base", (), self.labels), self.train, self.seed)

    @cached_property
    def all_examples(self) -> Split:
        """All examples for which predictions are needed, without duplicates."""
        remembered = (example for examples in self.sets for example in examples)
        return Split("every", tuple(dict.fromkeys([*self.queries, *remembered])), self.labels)

    @cached_property
    def _index(self) -> Mapping[Example, int]:
        return {example: index for index, example in enumerate(self.all_examples)}

    @cached_property
    def _vectors(self) -> Vectors:
        """The vectors of all examples. Methods with a support set train nothing, so vectors do not change."""
        step = self._maker.predict(self._base, self.all_examples, "vectors")
        self.runner.run_steps([[step]], f"Vectors of {self.model}")
        return self.runner.store.vectors(step.key)[HEAD]

    def _vectors_of(self, examples: Sequence[Example]) -> Vectors:
        return np.asarray(self._vectors[self.positions(examples)])

    def _trained(self, method: str, corrections: Sequence[Example]) -> TrainStep:
        return self._maker.train(
            Split("corrections", tuple(corrections), self.labels),
            self.train,
            self.seed,
            strategy=strategy_specs({}, (method,))[method],
            past=[Split("past", examples, self.labels) for examples in self.sets if examples],
        )

    def _support(self, method: str, corrections: Sequence[Example]) -> Support:
        sets = [*(examples for examples in self.sets if examples), corrections]
        return Support.of(method, [(self._vectors_of(each), label_indices(each, self.labels)) for each in sets])

    def _predictions(self, step: PredictStep) -> Predicted:
        return np.asarray(self.runner.store.logits(step.key)[HEAD].argmax(axis=1), dtype=np.intp)
