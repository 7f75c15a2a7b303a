"""CFL's design: which categories of which suites, and which predictions of which models are wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from trivium.benchmarks.cfl.settings import CflSettings, Loss
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker, by_model, strategy_specs
from trivium.build.edits.selection import Category, alone, check_category, in_turn
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
    """Which model a prediction is of: its suite, the setup, the strategy, and how far it was corrected.

    ``category`` is the one that was learned (last), ``number`` the support set, or the order of the categories.
    """

    suite: str
    setup: str
    strategy: str = ""
    category: str = ""
    number: int = 0


class Asked(NamedTuple):
    """A prediction and what it is of."""

    step: PredictStep
    split: Split


class Embedded(NamedTuple):
    """The vectors that a base gives: of what it was trained on, and of everything that is asked."""

    base: PredictStep
    asked: PredictStep


@dataclass(frozen=True)
class Part:
    """A suite in a run: what its base is trained on and asked, and its categories, alone and in turn.

    Without categories (None) the base must first be asked which examples it gets wrong. ``left_out`` are categories
    with too few of them, and how many there are.
    """

    suite: Suite
    base: Split
    asked: Split
    categories: Mapping[str, Category] | None
    turns: Mapping[str, Category]
    left_out: Mapping[str, int]


@dataclass(frozen=True)
class CflDesign:
    """A run of CFL: its settings, its data, and the predictions that it wants."""

    settings: CflSettings
    parts: Mapping[str, Part]
    predictions: Mapping[Model, Asked]
    vectors: Mapping[tuple[str, Loss], Embedded]

    @property
    def pending(self) -> list[str]:
        """The suites of which the rest is known only when their base has been asked."""
        return [name for name, part in self.parts.items() if part.categories is None]

    def keys(self) -> Iterator[tuple[dict[str, Any], PredictStep]]:
        """Yield the fields of each prediction's key, and its step."""
        for model, asked in self.predictions.items():
            yield model._asdict(), asked.step

    def runs(self) -> Iterator[list[PredictStep]]:
        """The predictions of each model."""
        steps = [asked.step for asked in self.predictions.values()]
        steps += [step for embedded in self.vectors.values() for step in embedded]
        yield from by_model(steps).values()

    def order(self, suite: str, number: int) -> list[str]:
        """An order of the categories of a suite: the paper's, or from 1 on a random one."""
        names = list(self.parts[suite].turns)
        return names if number == 0 else random_orders(names, number, self.settings.data_seed)[number - 1]


def random_orders(names: Sequence[str], number: int, seed: int) -> list[list[str]]:
    """So many random orders; the first of many are the same as of few."""
    rng = stream(seed, "data", "few-shot", "orders")
    return [[names[place] for place in rng.permutation(len(names))] for _ in range(number)]


def make_design(settings: CflSettings, store: Store | None) -> CflDesign:
    """Load the suites and say which predictions are wanted, as far as the store tells what bases get wrong."""
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    run = settings.run
    specs = strategy_specs(settings.strategy, (*run.strategies, *run.others, *run.followed, _PROTO))
    parts: dict[str, Part] = {}
    predictions: dict[Model, Asked] = {}
    vectors: dict[tuple[str, Loss], Embedded] = {}
    for name, chosen in settings.suites.items():
        suite = load_suite(name, chosen.limit, chosen.test, settings.data_seed)
        make = StepMaker(settings.model_of(name), fingerprint, (suite.task,), store)
        maker = _Wanted(settings, suite, make, specs, predictions, vectors)
        parts[name] = maker.part(store)
    return CflDesign(settings, parts, predictions, vectors)


@dataclass(frozen=True)
class _Wanted:
    """Collects the predictions of a suite that are wanted."""

    settings: CflSettings
    suite: Suite
    make: StepMaker
    specs: Mapping[str, StrategySpec]
    predictions: dict[Model, Asked]
    vectors: dict[tuple[str, Loss], Embedded]

    def part(self, store: Store | None) -> Part:
        """The suite's part of the run, with all that is wanted of it noted."""
        suite = self.suite
        base = Split(BASE, suite.base, suite.labels)
        tests = [example for examples in suite.tests.values() for example in examples]
        asked = Split("asked", tuple(dict.fromkeys([*tests, *suite.candidates()])), suite.labels)
        first = self.make.trained(base, self.settings.train, self.settings.run.seed)
        self._want(Model(suite.name, BASE), first, asked)
        self._embed(CROSS_ENTROPY, first, base, asked)
        there = self._errors(asked, store) if suite.errors_only and store is not None else suite.categories
        if there is None:
            return Part(suite, base, asked, None, {}, {})
        categories, turns = self._categories(there)
        self._few_shot(categories, first)
        self._continual(turns, first)
        if PROTOTYPICAL in self.settings.run.losses:
            second = self.make.trained(base, self.settings.train, self.settings.run.seed, strategy=self.specs[_PROTO])
            self._embed(PROTOTYPICAL, second, base, asked)
        left = {name: len(there[name]) for name in there if name not in categories}
        return Part(suite, base, asked, categories, turns, left)

    def _errors(self, asked: Split, store: Store) -> dict[str, tuple[Example, ...]] | None:
        """The examples of each category that the base gets wrong; None if it has not been asked."""
        step = self.predictions[Model(self.suite.name, BASE)].step
        if step.key not in store:
            return None
        said = store.logits(step.key)[self.suite.task].argmax(axis=1)
        gold = np.array([self.suite.labels.index(str(example.label)) for example in asked])
        wrong = {example for example, is_wrong in zip(asked, said != gold, strict=True) if is_wrong}
        return {name: tuple(e for e in found if e in wrong) for name, found in self.suite.categories.items()}

    def _categories(self, there: Mapping[str, Sequence[Example]]) -> tuple[dict[str, Category], dict[str, Category]]:
        """The categories with enough examples, learned alone and in turn, proved."""
        suite, run, seed = self.suite, self.settings.run, self.settings.data_seed
        sets = self.settings.suites[suite.name].sets or suite.sets
        every = {name: alone(name, found, suite.labels, sets, run.each, seed) for name, found in there.items()}
        categories = {name: category for name, category in every.items() if category is not None}
        turns = in_turn({name: there[name] for name in categories}, suite.labels, run.each, seed)
        if not categories:
            counts = ", ".join(f"{name} {len(found)}" for name, found in there.items())
            raise UserError(
                f"the suite {suite.name!r} has no category with {sets} × {run.each} examples of each label ({counts}): "
                "lower run.each or suites.….sets"
            )
        for name, category in categories.items():
            require(f"{suite.title}, {name}", check_category(category))
        for name, category in turns.items():
            others = [one for other, one in turns.items() if other != name]
            require(f"{suite.title}, {name} in turn", check_category(category, others))
        return categories, turns

    def _few_shot(self, categories: Mapping[str, Category], base: TrainStep) -> None:
        if FEW_SHOT not in self.settings.run.setups:
            return
        for name, category in categories.items():
            asked = self._with_tests(category.test.examples)
            for strategy in self.settings.run.strategies:
                for number, support in enumerate(category.supports, 1):
                    step = self._corrected(support, base, strategy)
                    self._want(Model(self.suite.name, FEW_SHOT, strategy, name, number), step, asked)

    def _continual(self, turns: Mapping[str, Category], base: TrainStep) -> None:
        run = self.settings.run
        asked = self._with_tests([example for category in turns.values() for example in category.test])
        names = list(turns)
        if CONTINUAL in run.setups:
            for strategy in dict.fromkeys((*run.strategies, *run.others)):
                self._sequence(Model(self.suite.name, CONTINUAL, strategy), names, turns, base, asked)
        if ORDERS in run.setups:
            orders = random_orders(names, self.settings.suites[self.suite.name].orders, self.settings.data_seed)
            for number, order in enumerate(orders, 1):
                self._sequence(
                    Model(self.suite.name, ORDERS, run.strategies[0], number=number), order, turns, base, asked
                )

    def _sequence(
        self, model: Model, order: Sequence[str], turns: Mapping[str, Category], base: TrainStep, asked: Split
    ) -> None:
        """Learn categories one after another; what is followed is asked after each, else after the last."""
        step = base
        follow = model.setup == CONTINUAL and model.strategy in self.settings.run.followed
        for name in order:
            step = self._corrected(turns[name].supports[0], step, model.strategy)
            if follow or name == order[-1]:
                self._want(model._replace(category=name), step, asked)

    def _corrected(self, support: Split, before: TrainStep, strategy: str) -> TrainStep:
        settings = self.settings
        return self.make.trained(support, settings.correct, settings.run.seed, before, self.specs[strategy])

    def _with_tests(self, examples: Sequence[Example]) -> Split:
        """Examples to ask a model about, with those of the base tests."""
        tests = [example for found in self.suite.tests.values() for example in found]
        return Split("asked", tuple(dict.fromkeys([*examples, *tests])), self.suite.labels)

    def _want(self, model: Model, training: TrainStep, asked: Split) -> None:
        self.predictions[model] = Asked(self.make.predicted(training, asked), asked)

    def _embed(self, loss: Loss, training: TrainStep, base: Split, asked: Split) -> None:
        made = [self.make.predicted(training, split, "vectors") for split in (base, asked)]
        self.vectors[self.suite.name, loss] = Embedded(*made)
