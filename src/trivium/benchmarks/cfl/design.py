"""CFL's design: the categories of each suite, the models, and the predictions of each model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from trivium.benchmarks.cfl.settings import CflSettings, Loss
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker, group_by_model, strategy_specs
from trivium.build.edits.layout import Layout, read_layout, with_layout
from trivium.build.edits.selection import Category, check_category, continual_categories, few_shot_category
from trivium.build.edits.suites import Suite, load_suite
from trivium.build.splits.invariants import require
from trivium.data.example import Example
from trivium.data.split import Split
from trivium.engine.steps import PredictStep, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.seeds import stream

BASE: Final = "base"
FEW_SHOT: Final = "few-shot"
CONTINUAL: Final = "continual"
ORDERS: Final = "orders"
ZERO_SHOT, PROTOTYPES, NEIGHBOURS = "zero-shot", "pn", "knn"
CROSS_ENTROPY: Final = "cross-entropy"
PROTOTYPICAL: Final = "prototypical"
_PROTO = "proto"


class Model(NamedTuple):
    """A trained model: its suite, setup and strategy, and what it has learned.

    ``category`` is the last category that it learned. ``number`` is the number of the support set (few-shot) or of the
    random order of the categories (orders).
    """

    suite: str
    setup: str
    strategy: str = ""
    category: str = ""
    number: int = 0


class Prediction(NamedTuple):
    """A prediction step, and the split that it predicts."""

    step: PredictStep
    split: Split


class VectorSteps(NamedTuple):
    """The steps that compute a base's vectors: of its training data, and of all queries."""

    base: PredictStep
    queries: PredictStep


@dataclass(frozen=True)
class SuitePlan:
    """A suite in an experiment: the base's training data, the queries, and the categories.

    ``queries`` are all examples that the base predicts: those of the base tests and of the categories. ``categories``
    are split for the few-shot setup, ``continual`` are the same categories split for the continual setup.
    ``categories`` is None until the base's errors, which define the categories of some suites, are known.
    ``left_out`` has the number of examples of each category with too few.
    """

    suite: Suite
    base: Split
    queries: Split
    categories: Mapping[str, Category] | None
    continual: Mapping[str, Category]
    left_out: Mapping[str, int]


@dataclass(frozen=True)
class CflDesign:
    """A run of CFL: its settings, its data, and the predictions that it needs."""

    settings: CflSettings
    suites: Mapping[str, SuitePlan]
    predictions: Mapping[Model, Prediction]
    vectors: Mapping[tuple[str, Loss], VectorSteps]

    @property
    def pending(self) -> list[str]:
        """The suites whose categories are not known before the predictions of their base are stored."""
        return [name for name, plan in self.suites.items() if plan.categories is None]

    def keys(self) -> Iterator[tuple[dict[str, Any], PredictStep]]:
        """Yield the fields of each prediction's key, and its step."""
        for model, prediction in self.predictions.items():
            yield model._asdict(), prediction.step

    def runs(self) -> Iterator[list[PredictStep]]:
        """Yield the predictions of each model."""
        steps = [prediction.step for prediction in self.predictions.values()]
        steps += [step for pair in self.vectors.values() for step in pair]
        yield from group_by_model(steps).values()

    def order(self, suite: str, number: int) -> list[str]:
        """Return an order of a suite's categories: 0 is the paper's order, the others are random."""
        names = list(self.suites[suite].continual)
        return names if number == 0 else random_orders(names, number, self.settings.data_seed)[number - 1]


def random_orders(names: Sequence[str], number: int, seed: int) -> list[list[str]]:
    """Return random orders of names. The first orders do not depend on how many are requested."""
    rng = stream(seed, "data", "few-shot", "orders")
    return [[names[index] for index in rng.permutation(len(names))] for _ in range(number)]


def make_design(settings: CflSettings, store: Store | None) -> CflDesign:
    """Load the suites and plan the predictions.

    For suites whose categories are the base's errors, only the base is planned until its predictions are in the store.
    """
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    run = settings.run
    specs = strategy_specs(settings.strategy, (*run.strategies, *run.others, *run.followed, _PROTO))
    suites: dict[str, SuitePlan] = {}
    predictions: dict[Model, Prediction] = {}
    vectors: dict[tuple[str, Loss], VectorSteps] = {}
    for name, sizes in settings.suites.items():
        suite = load_suite(name, sizes.limit, sizes.test, settings.data_seed)
        layout = None if sizes.folder is None else read_layout(Path(sizes.folder), suite)
        suite = suite if layout is None else with_layout(suite, layout)
        make = StepMaker(settings.model_of(name), fingerprint, (suite.task,), store, sizes.test_length)
        planner = _SuitePlanner(settings, suite, make, specs, predictions, vectors, layout)
        suites[name] = planner.plan(store)
    return CflDesign(settings, suites, predictions, vectors)


@dataclass(frozen=True)
class _SuitePlanner:
    """Plans the predictions of a suite and adds them to ``predictions`` and ``vectors``."""

    settings: CflSettings
    suite: Suite
    make: StepMaker
    specs: Mapping[str, StrategySpec]
    predictions: dict[Model, Prediction]
    vectors: dict[tuple[str, Loss], VectorSteps]
    layout: Layout | None = None

    def plan(self, store: Store | None) -> SuitePlan:
        """Plan the predictions of the suite, as far as its categories are known."""
        suite = self.suite
        base = Split(BASE, suite.base, suite.labels)
        tests = [example for examples in suite.tests.values() for example in examples]
        queries = Split("asked", tuple(dict.fromkeys([*tests, *suite.candidates()])), suite.labels)
        training = self.make.train(base, self.settings.train, self.settings.run.seed)
        self._add(Model(suite.name, BASE), training, queries)
        self._add_vectors(CROSS_ENTROPY, training, base, queries)
        candidates = self._errors(queries, store) if suite.errors_only and store is not None else suite.categories
        if candidates is None:
            return SuitePlan(suite, base, queries, None, {}, {})
        categories, continual = self._categories(candidates)
        self._add_few_shot(categories, training)
        self._add_continual(continual, training)
        if PROTOTYPICAL in self.settings.run.losses:
            other = self.make.train(base, self.settings.train, self.settings.run.seed, strategy=self.specs[_PROTO])
            self._add_vectors(PROTOTYPICAL, other, base, queries)
        left_out = {name: len(examples) for name, examples in candidates.items() if name not in categories}
        return SuitePlan(suite, base, queries, categories, continual, left_out)

    def _errors(self, queries: Split, store: Store) -> dict[str, tuple[Example, ...]] | None:
        """Return the examples of each category that the base gets wrong; None if its predictions are not stored."""
        step = self.predictions[Model(self.suite.name, BASE)].step
        if step.key not in store:
            return None
        predicted = store.logits(step.key)[self.suite.task].argmax(axis=1)
        gold = np.array([self.suite.labels.index(str(example.label)) for example in queries])
        errors = {example for example, is_error in zip(queries, predicted != gold, strict=True) if is_error}
        return {name: tuple(e for e in examples if e in errors) for name, examples in self.suite.categories.items()}

    def _categories(
        self, candidates: Mapping[str, Sequence[Example]]
    ) -> tuple[dict[str, Category], dict[str, Category]]:
        """Split the categories that have enough examples, for both setups, and check the invariants of the splits."""
        suite = self.suite
        if self.layout is None:
            categories, continual = self._divide(candidates)
        else:
            categories, continual = dict(self.layout.alone), dict(self.layout.in_turn)
        for name, category in categories.items():
            require(f"{suite.title}, {name}", check_category(category))
        for name, category in continual.items():
            others = [other for other_name, other in continual.items() if other_name != name]
            require(f"{suite.title}, {name}, continual", check_category(category, others))
        return categories, continual

    def _divide(self, candidates: Mapping[str, Sequence[Example]]) -> tuple[dict[str, Category], dict[str, Category]]:
        """Divide the examples of each category into support, dev and test sets, for both setups."""
        suite, run, seed = self.suite, self.settings.run, self.settings.data_seed
        sets = self.settings.suites[suite.name].sets or suite.sets
        splits = {
            name: few_shot_category(name, examples, suite.labels, sets, run.each, seed)
            for name, examples in candidates.items()
        }
        categories = {name: category for name, category in splits.items() if category is not None}
        if not categories:
            counts = ", ".join(f"{name} {len(examples)}" for name, examples in candidates.items())
            raise UserError(
                f"the suite {suite.name!r} has no category with {sets} × {run.each} examples of each label ({counts}): "
                f"lower run.each or suites.{suite.name}.sets"
            )
        return categories, continual_categories(
            {name: candidates[name] for name in categories}, suite.labels, run.each, seed
        )

    def _add_few_shot(self, categories: Mapping[str, Category], base: TrainStep) -> None:
        if FEW_SHOT not in self.settings.run.setups:
            return
        for name, category in categories.items():
            queries = self._with_base_tests(category.test.examples)
            for strategy in self.settings.run.strategies:
                for number, support in enumerate(category.supports, 1):
                    step = self._correct(support, base, strategy, category.dev)
                    self._add(Model(self.suite.name, FEW_SHOT, strategy, name, number), step, queries)

    def _add_continual(self, categories: Mapping[str, Category], base: TrainStep) -> None:
        run, suite = self.settings.run, self.suite.name
        queries = self._with_base_tests([example for category in categories.values() for example in category.test])
        names = list(categories)
        if CONTINUAL in run.setups:
            for strategy in dict.fromkeys((*run.strategies, *run.others)):
                self._add_sequence(Model(suite, CONTINUAL, strategy), names, categories, base, queries)
        if ORDERS in run.setups:
            orders = random_orders(names, self.settings.suites[suite].orders, self.settings.data_seed)
            for number, order in enumerate(orders, 1):
                model = Model(suite, ORDERS, run.strategies[0], number=number)
                self._add_sequence(model, order, categories, base, queries)

    def _add_sequence(
        self, model: Model, order: Sequence[str], categories: Mapping[str, Category], base: TrainStep, queries: Split
    ) -> None:
        """Add training on categories in sequence. Test strategies in ``run.followed`` after each, others at the end."""
        step = base
        follow = model.setup == CONTINUAL and model.strategy in self.settings.run.followed
        for name in order:
            step = self._correct(categories[name].supports[0], step, model.strategy, categories[name].dev)
            if follow or name == order[-1]:
                self._add(model._replace(category=name), step, queries)

    def _correct(self, support: Split, parent: TrainStep, strategy: str, dev: Split) -> TrainStep:
        settings = self.settings
        chosen_on = dev if settings.run.select == "dev" else None
        return self.make.train(
            support, settings.correct, settings.run.seed, parent, self.specs[strategy], dev=chosen_on
        )

    def _with_base_tests(self, examples: Sequence[Example]) -> Split:
        tests = [example for test in self.suite.tests.values() for example in test]
        return Split("asked", tuple(dict.fromkeys([*examples, *tests])), self.suite.labels)

    def _add(self, model: Model, training: TrainStep, queries: Split) -> None:
        self.predictions[model] = Prediction(self.make.predict(training, queries), queries)

    def _add_vectors(self, loss: Loss, training: TrainStep, base: Split, queries: Split) -> None:
        steps = [self.make.predict(training, split, "vectors") for split in (base, queries)]
        self.vectors[self.suite.name, loss] = VectorSteps(*steps)
