"""CFL's results: accuracies on categories and base tests from stored predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from trivium.benchmarks.cfl.design import (
    BASE,
    CONTINUAL,
    CROSS_ENTROPY,
    FEW_SHOT,
    NEIGHBOURS,
    ORDERS,
    PROTOTYPES,
    ZERO_SHOT,
    CflDesign,
    Model,
    SuitePlan,
)
from trivium.benchmarks.cfl.feature_matching import Matching, Support
from trivium.benchmarks.cfl.settings import Loss
from trivium.build.edits.selection import Category
from trivium.data.example import Example
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.baselines import Baselines, baselines
from trivium.measure.metrics import Bools, Floats
from trivium.measure.statistics.estimate import GIVEN_MODEL, Estimate, Training, mean, mean_of

AVERAGE = "Average"


@dataclass(frozen=True)
class Results:
    """The results of a run of CFL. An estimate is None if one of its predictions is not in the store."""

    design: CflDesign
    store: Store
    _correct: dict[Model, dict[Example, bool] | None] = field(default_factory=dict)
    _matching: dict[tuple[str, Loss], Matching | None] = field(default_factory=dict)
    _tested: dict[tuple[str, str, str], Split] = field(default_factory=dict)
    _measurements: dict[tuple[str, ...], Estimate | None] = field(default_factory=dict)
    _neighbour_counts: dict[tuple[str, str], int] = field(default_factory=dict)
    _baselines: dict[tuple[str, str], Baselines] = field(default_factory=dict)

    def plan(self, suite: str) -> SuitePlan:
        """Return the plan of a suite."""
        return self.design.suites[suite]

    def base_test(self, suite: str) -> str:
        """Return the name of the first base test of a suite, the one that the paper reports."""
        return next(iter(self.plan(suite).suite.tests))

    def categories(self, suite: str, setup: str = FEW_SHOT) -> dict[str, Category]:
        """Return the categories of a suite, split for a setup."""
        plan = self.plan(suite)
        return dict((plan.categories or {}) if setup == FEW_SHOT else plan.continual)

    def methods(self, setup: str) -> list[str]:
        """Return the methods of a setup, in the order of the paper's tables."""
        run = self.design.settings.run
        others = run.others if setup == CONTINUAL else ()
        return [ZERO_SHOT, *dict.fromkeys((*run.strategies, *others)), PROTOTYPES, NEIGHBOURS]

    def columns(self, suite: str, setup: str) -> list[str]:
        """Return the columns of a table: base tests, categories, and the average of the categories."""
        return [*self.plan(suite).suite.tests, *self.categories(suite, setup), AVERAGE]

    def accuracy(self, suite: str, setup: str, method: str, test: str) -> Estimate | None:
        """Return the accuracy on a base test, a category, or the average of the categories; None if not run."""
        key = (suite, setup, method, test)
        if key not in self._measurements:
            self._measurements[key] = self._accuracy(*key)
        return self._measurements[key]

    def _accuracy(self, suite: str, setup: str, method: str, test: str) -> Estimate | None:
        if test == AVERAGE:
            return mean_of(self.accuracy(suite, setup, method, name) for name in self.categories(suite, setup))
        tested = self.tested(suite, setup, test)
        if setup == FEW_SHOT and method != ZERO_SHOT:
            return self._over_support_sets(suite, method, test, tested)
        training = GIVEN_MODEL if method == ZERO_SHOT else Training(setup, 1)
        return self._mean(self.correct(suite, setup, method, test, 1), tested, suite, training)

    def correct(self, suite: str, setup: str, method: str, test: str, number: int) -> Bools | None:
        """Return whether a method is correct on each example of a test; None if not run.

        ``number`` is the number of the support set, for a category in the few-shot setup.
        """
        tested = self.tested(suite, setup, test).examples
        if method == ZERO_SHOT:
            return self._correct_on(Model(suite, BASE), tested)
        if method in (PROTOTYPES, NEIGHBOURS):
            return self._matched(suite, setup, method, test, number, tested)
        if setup == FEW_SHOT:
            return self._correct_on(Model(suite, FEW_SHOT, method, test, number), tested)
        last = list(self.categories(suite, CONTINUAL))[-1]
        return self._correct_on(Model(suite, CONTINUAL, method, last), tested)

    def after_category(self, suite: str, strategy: str, category: str, test: str) -> Estimate | None:
        """Return the accuracy after learning all categories up to ``category``, or none if it is empty (Table 12)."""
        model = Model(suite, CONTINUAL, strategy, category) if category else Model(suite, BASE)
        tested = self.tested(suite, CONTINUAL, test)
        training = Training(CONTINUAL, 1) if category else GIVEN_MODEL
        return self._mean(self._correct_on(model, tested.examples), tested, suite, training)

    def over_orders(self, suite: str, test: str) -> Estimate | None:
        """Return the mean accuracy at the end of all random orders of the categories; None if one was not run."""
        strategy, number = self.design.settings.run.strategies[0], self.design.settings.suites[suite].orders

        def of_order(order: int) -> Estimate | None:
            last = self.design.order(suite, order)[-1]
            model = Model(suite, ORDERS, strategy, last, order)
            names = list(self.categories(suite, CONTINUAL)) if test == AVERAGE else [test]
            tests = [self.tested(suite, CONTINUAL, name) for name in names]
            training = Training(ORDERS, order)
            return mean_of(
                self._mean(self._correct_on(model, tested.examples), tested, suite, training) for tested in tests
            )

        if ORDERS not in self.design.settings.run.setups or not number or not self.categories(suite, CONTINUAL):
            return None
        return mean_of(map(of_order, range(1, number + 1)))

    def by_support(self, suite: str, loss: Loss, support: Support, test: str) -> Estimate | None:
        """Return the accuracy of prototypes by loss and support (Tables 10 and 11).

        On a base test it is the mean over the support sets of all categories.
        """
        key = (suite, loss, support, test)
        if key not in self._measurements:
            self._measurements[key] = self._by_support(suite, loss, support, test)
        return self._measurements[key]

    def _by_support(self, suite: str, loss: Loss, support: Support, test: str) -> Estimate | None:
        matching, tested = self.matching(suite, loss), self.tested(suite, FEW_SHOT, test)
        categories = self.categories(suite)
        supported = [categories[test]] if test in categories else list(categories.values())
        if matching is None or not supported:
            return None
        sets = [[split] for category in supported for split in category.supports]
        if support == "original":
            return self._mean(matching.by_prototypes(tested.examples, support, ()), tested, suite, GIVEN_MODEL)
        return mean_of(
            self._mean(
                matching.by_prototypes(tested.examples, support, chosen), tested, suite, Training(FEW_SHOT, number)
            )
            for number, chosen in enumerate(sets, 1)
        )

    def by_domain(self, suite: str, method: str, category: str, domain: str) -> Estimate | None:
        """Return the accuracy of a method on the examples of a category and domain (Table 13)."""
        tested = self.tested(suite, FEW_SHOT, category)
        selected = np.array([example.fact("genre") == domain for example in tested])
        if not selected.any():
            return None
        examples = tuple(example for example, is_selected in zip(tested, selected, strict=True) if is_selected)
        subset = Split(domain, examples, tested.labels)

        def of_support_set(number: int) -> Estimate | None:
            correct = self.correct(suite, FEW_SHOT, method, category, number)
            if correct is None:
                return None
            return self._mean(correct[selected], subset, suite, Training(FEW_SHOT, number))

        return mean_of(map(of_support_set, self._support_numbers(suite, category)))

    def tested(self, suite: str, setup: str, test: str) -> Split:
        """Return the examples of a base test, or the test examples of a category."""
        key = suite, setup, test
        if key not in self._tested:
            data = self.plan(suite).suite
            if test in data.tests:
                self._tested[key] = Split(test, data.tests[test], data.labels)
            else:
                self._tested[key] = self.categories(suite, setup)[test].test
        return self._tested[key]

    def matching(self, suite: str, loss: Loss = CROSS_ENTROPY) -> Matching | None:
        """Return the vectors of a base; None if they are not in the store."""
        if (suite, loss) not in self._matching:
            steps = self.design.vectors.get((suite, loss))
            matching = None
            if steps is not None and all(step.key in self.store for step in steps):
                plan = self.plan(suite)
                base, queries = (self.store.vectors(step.key)[plan.suite.task] for step in steps)
                matching = Matching.of(plan.base, base, plan.queries, queries)
            self._matching[suite, loss] = matching
        return self._matching[suite, loss]

    def neighbour_count(self, suite: str, setup: str) -> int:
        """Return the number of neighbours with the best accuracy on dev examples that are in no test."""
        if (suite, setup) not in self._neighbour_counts:
            self._neighbour_counts[suite, setup] = self._best_neighbour_count(suite, setup)
        return self._neighbour_counts[suite, setup]

    def _best_neighbour_count(self, suite: str, setup: str) -> int:
        matching, categories = self.matching(suite), self.categories(suite, setup)
        numbers = self.design.settings.run.neighbours
        if matching is None or not categories:
            return numbers[0]
        # An example can belong to several categories, so a dev example of one may be a test example of another.
        tested = {example for category in categories.values() for example in category.test}
        scores = {}
        for number in numbers:
            accuracies = [
                matching.by_neighbours(dev, support, sets, number).mean()
                for category in categories.values()
                for support, sets in self._supports(suite, setup, category)
                if (dev := [example for example in category.dev if example not in tested])
            ]
            scores[number] = float(np.mean(accuracies)) if accuracies else 0.0
        return max(numbers, key=lambda number: (scores[number], -number))

    def _matched(
        self, suite: str, setup: str, method: str, test: str, number: int, tested: Sequence[Example]
    ) -> Bools | None:
        """Return whether prototypes or neighbours are correct on each example.

        In the few-shot setup a category is compared with its own support set, a base test with the base's training
        data. In the continual setup everything is compared with both.
        """
        matching, categories = self.matching(suite), self.categories(suite, setup)
        if matching is None:
            return None
        support: Support = "both"
        sets = [split for category in categories.values() for split in category.supports]
        if setup == FEW_SHOT and test in categories:
            support, sets = "categories", [categories[test].supports[number - 1]]
        elif setup == FEW_SHOT:
            support, sets = "original", []
        if method == PROTOTYPES:
            return matching.by_prototypes(tested, support, sets)
        return matching.by_neighbours(tested, support, sets, self.neighbour_count(suite, setup))

    def _supports(self, suite: str, setup: str, category: Category) -> list[tuple[Support, list[Split]]]:
        if setup == FEW_SHOT:
            return [("categories", [split]) for split in category.supports]
        return [("both", [split for other in self.categories(suite, setup).values() for split in other.supports])]

    def _over_support_sets(self, suite: str, method: str, test: str, tested: Split) -> Estimate | None:
        """Return the mean over support sets. On a base test, a method that trains is averaged over all categories."""
        categories = self.categories(suite)
        if test in categories:
            return mean_of(
                self._mean(
                    self.correct(suite, FEW_SHOT, method, test, number), tested, suite, Training(FEW_SHOT, number)
                )
                for number in self._support_numbers(suite, test)
            )
        if method in (PROTOTYPES, NEIGHBOURS):
            return self._mean(self.correct(suite, FEW_SHOT, method, test, 1), tested, suite, GIVEN_MODEL)
        models = [
            Model(suite, FEW_SHOT, method, name, number)
            for name in categories
            for number in self._support_numbers(suite, name)
        ]
        return mean_of(
            self._mean(self._correct_on(model, tested.examples), tested, suite, Training(FEW_SHOT, number))
            for number, model in enumerate(models, 1)
        )

    def _support_numbers(self, suite: str, category: str) -> range:
        return range(1, len(self.categories(suite)[category].supports) + 1)

    def _correct_on(self, model: Model, tested: Sequence[Example]) -> Bools | None:
        """Return whether a model is correct on each example; None if its predictions are not in the store."""
        correct = self._correct_by_example(model)
        return None if correct is None else np.array([correct[example] for example in tested], dtype=np.bool_)

    def _correct_by_example(self, model: Model) -> dict[Example, bool] | None:
        if model not in self._correct:
            prediction = self.design.predictions.get(model)
            correct = None
            if prediction is not None and prediction.step.key in self.store:
                suite = self.plan(model.suite).suite
                predicted = self.store.logits(prediction.step.key)[suite.task].argmax(axis=1)
                gold = [suite.labels.index(str(example.label)) for example in prediction.split]
                correct = {e: bool(p == g) for e, p, g in zip(prediction.split, predicted, gold, strict=True)}
            self._correct[model] = correct
        return self._correct[model]

    def mean(self, values: Bools | Floats, tested: Split, training: Training = GIVEN_MODEL) -> Estimate:
        """Return the mean. Edits of the same text, or examples that share a premise, form a cluster."""
        return mean(values, _clusters(tested), training)

    def baselines(self, suite: str, tested: Split) -> Baselines:
        """Return the baselines on a test, which learn from the training data of the base."""
        key = suite, tested.identity
        if key not in self._baselines:
            self._baselines[key] = baselines(tested.examples, self.plan(suite).base.examples)
        return self._baselines[key]

    def _mean(self, correct: Bools | None, tested: Split, suite: str, training: Training) -> Estimate | None:
        if correct is None:
            return None
        # Where only errors of the base are tested, a baseline that learns from its data is no lower limit.
        is_selected = self.plan(suite).suite.errors_only and tested.name not in self.plan(suite).suite.tests
        baseline = None if is_selected else self.baselines(suite, tested).best()
        return mean(correct, _clusters(tested), training, baseline=baseline)


def _clusters(tested: Split) -> list[str]:
    return [example.fact("original") or example.premise for example in tested]
