"""Reading stored predictions of CFL: accuracy on categories and on base tests, with resamples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

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
    Part,
)
from trivium.benchmarks.cfl.feature_matching import Matching, Support
from trivium.benchmarks.cfl.settings import Loss
from trivium.build.edits.selection import Category
from trivium.data.example import Example
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.bootstrap import Bootstrap, by_seed, spread
from trivium.measure.metrics import Bools, Floats, mean_of

AVERAGE = "Average"


class Measured(NamedTuple):
    """A quantity with resamples, and its standard deviation over support sets (or orders), if there are several."""

    quantity: Floats
    spread: float | None = None


@dataclass(frozen=True)
class Results:
    """The predictions of a run of CFL, as far as they are in the store."""

    design: CflDesign
    store: Store
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    _right: dict[Model, dict[Example, bool] | None] = field(default_factory=dict)
    _matching: dict[tuple[str, Loss], Matching | None] = field(default_factory=dict)
    _tested: dict[tuple[str, str, str], Split] = field(default_factory=dict)
    _measurements: dict[tuple[str, ...], Measured | None] = field(default_factory=dict)
    _numbers_of: dict[tuple[str, str], int] = field(default_factory=dict)

    def part(self, suite: str) -> Part:
        """A suite of the run."""
        return self.design.parts[suite]

    def categories(self, suite: str, setup: str = FEW_SHOT) -> dict[str, Category]:
        """The categories of a suite, alone or in turn."""
        part = self.part(suite)
        return dict((part.categories or {}) if setup == FEW_SHOT else part.turns)

    def methods(self, setup: str) -> list[str]:
        """The methods of a setup, in the order of the paper's tables."""
        run = self.design.settings.run
        others = run.others if setup == CONTINUAL else ()
        return [ZERO_SHOT, *dict.fromkeys((*run.strategies, *others)), PROTOTYPES, NEIGHBOURS]

    def columns(self, suite: str, setup: str) -> list[str]:
        """What is tested: base tests, categories, and their average."""
        return [*self.part(suite).suite.tests, *self.categories(suite, setup), AVERAGE]

    def accuracy(self, suite: str, setup: str, method: str, test: str) -> Measured | None:
        """The accuracy of a method on a base test, a category, or the average of the categories; None if not run."""
        key = (suite, setup, method, test)
        if key not in self._measurements:
            self._measurements[key] = self._accuracy(*key)
        return self._measurements[key]

    def _accuracy(self, suite: str, setup: str, method: str, test: str) -> Measured | None:
        if test == AVERAGE:
            return self._average([self.accuracy(suite, setup, method, name) for name in self.categories(suite, setup)])
        tested = self.tested(suite, setup, test)
        if setup == FEW_SHOT and method != ZERO_SHOT:
            return self._over_sets(suite, method, test, tested)
        return self._measured(self.right(suite, setup, method, test, 1), tested)

    def right(self, suite: str, setup: str, method: str, test: str, number: int) -> Bools | None:
        """Where a method is right on a test; ``number`` is the support set of the category that is learned alone."""
        tested = self.tested(suite, setup, test).examples
        if method == ZERO_SHOT:
            return self._of(Model(suite, BASE), tested)
        if method in (PROTOTYPES, NEIGHBOURS):
            return self._matched(suite, setup, method, test, number, tested)
        if setup == FEW_SHOT:
            return self._of(Model(suite, FEW_SHOT, method, test, number), tested)
        last = list(self.categories(suite, CONTINUAL))[-1]
        return self._of(Model(suite, CONTINUAL, method, last), tested)

    def after(self, suite: str, strategy: str, category: str, test: str) -> Measured | None:
        """The accuracy of a strategy when a category has been learned in turn ("" is before any); Table 12."""
        model = Model(suite, CONTINUAL, strategy, category) if category else Model(suite, BASE)
        tested = self.tested(suite, CONTINUAL, test)
        return self._measured(self._of(model, tested.examples), tested)

    def over_orders(self, suite: str, test: str) -> Measured | None:
        """The accuracy on a test at the end of each random order of the categories; None if one was not run."""
        strategy, number = self.design.settings.run.strategies[0], self.design.settings.suites[suite].orders

        def read(order: int) -> Floats | None:
            last = self.design.order(suite, order)[-1]
            model = Model(suite, ORDERS, strategy, last, order)
            names = list(self.categories(suite, CONTINUAL)) if test == AVERAGE else [test]
            tests = [self.tested(suite, CONTINUAL, name) for name in names]
            return mean_of(self._mean(self._of(model, tested.examples), tested) for tested in tests)

        if ORDERS not in self.design.settings.run.setups or not number or not self.categories(suite, CONTINUAL):
            return None
        return self._over(range(1, number + 1), read)

    def by_support(self, suite: str, loss: Loss, support: Support, test: str) -> Measured | None:
        """The accuracy of prototypes of one support set or another (Tables 10 and 11).

        On a base test the support sets of all categories are tried one by one.
        """
        key = (suite, loss, support, test)
        if key not in self._measurements:
            self._measurements[key] = self._by_support(suite, loss, support, test)
        return self._measurements[key]

    def _by_support(self, suite: str, loss: Loss, support: Support, test: str) -> Measured | None:
        matching, tested = self.matching(suite, loss), self.tested(suite, FEW_SHOT, test)
        categories = self.categories(suite)
        chosen = [categories[test]] if test in categories else list(categories.values())
        if matching is None or not chosen:
            return None
        sets = [[split] for category in chosen for split in category.supports]
        if support == "original":
            return self._measured(matching.by_prototypes(tested.examples, support, ()), tested)
        return self._over(
            range(len(sets)),
            lambda place: self._mean(matching.by_prototypes(tested.examples, support, sets[place]), tested),
        )

    def by_domain(self, suite: str, method: str, category: str, domain: str) -> Measured | None:
        """The accuracy of a method on the examples of a category that are of a domain (Table 13)."""
        tested = self.tested(suite, FEW_SHOT, category)
        mine = np.array([example.fact("genre") == domain for example in tested])

        def read(number: int) -> Floats | None:
            right = self.right(suite, FEW_SHOT, method, category, number)
            part = Split(domain, tuple(e for e, is_mine in zip(tested, mine, strict=True) if is_mine), tested.labels)
            return None if right is None else self._mean(right[mine], part)

        return self._over(self._numbers(suite, category), read) if mine.any() else None

    def tested(self, suite: str, setup: str, test: str) -> Split:
        """The examples of a base test, or those of a category that are tested."""
        if (suite, setup, test) not in self._tested:
            part = self.part(suite)
            is_base = test in part.suite.tests
            found = Split(test, part.suite.tests[test], part.suite.labels) if is_base else None
            self._tested[suite, setup, test] = found or self.categories(suite, setup)[test].test
        return self._tested[suite, setup, test]

    def matching(self, suite: str, loss: Loss = CROSS_ENTROPY) -> Matching | None:
        """The vectors of a base; None if they are not in the store."""
        if (suite, loss) not in self._matching:
            embedded = self.design.vectors.get((suite, loss))
            there = embedded is not None and all(step.key in self.store for step in embedded)
            found = None
            if embedded is not None and there:
                part = self.part(suite)
                vectors = [self.store.vectors(step.key)[part.suite.task] for step in embedded]
                found = Matching.of(part.base, vectors[0], part.asked, vectors[1])
            self._matching[suite, loss] = found
        return self._matching[suite, loss]

    def neighbours(self, suite: str, setup: str) -> int:
        """How many neighbours are asked: the best number on dev examples that are tested nowhere."""
        if (suite, setup) not in self._numbers_of:
            self._numbers_of[suite, setup] = self._best_number(suite, setup)
        return self._numbers_of[suite, setup]

    def _best_number(self, suite: str, setup: str) -> int:
        matching, categories = self.matching(suite), self.categories(suite, setup)
        numbers = self.design.settings.run.neighbours
        if matching is None or not categories:
            return numbers[0]
        tested = {example for category in categories.values() for example in category.test}  # some are of several
        scores = {}
        for number in numbers:
            each = [
                matching.by_neighbours(free, kind, supports, number).mean()
                for category in categories.values()
                for kind, supports in self._supports(suite, setup, category)
                if (free := [example for example in category.dev if example not in tested])
            ]
            scores[number] = float(np.mean(each)) if each else 0.0
        return max(numbers, key=lambda number: (scores[number], -number))

    def _matched(
        self, suite: str, setup: str, method: str, test: str, number: int, tested: Sequence[Example]
    ) -> Bools | None:
        """Where prototypes or neighbours are right. Alone, a category has its own support, a base test the base's."""
        matching, categories = self.matching(suite), self.categories(suite, setup)
        if matching is None:
            return None
        kind: Support = "both"
        supports = [split for category in categories.values() for split in category.supports]
        if setup == FEW_SHOT and test in categories:
            kind, supports = "categories", [categories[test].supports[number - 1]]
        elif setup == FEW_SHOT:
            kind, supports = "original", []
        if method == PROTOTYPES:
            return matching.by_prototypes(tested, kind, supports)
        return matching.by_neighbours(tested, kind, supports, self.neighbours(suite, setup))

    def _supports(self, suite: str, setup: str, category: Category) -> list[tuple[Support, list[Split]]]:
        if setup == FEW_SHOT:
            return [("categories", [split]) for split in category.supports]
        return [("both", [split for one in self.categories(suite, setup).values() for split in one.supports])]

    def _over_sets(self, suite: str, method: str, test: str, tested: Split) -> Measured | None:
        """The mean over support sets; on a base test over those of all categories, if there is training."""
        categories = self.categories(suite)
        trained = method not in (PROTOTYPES, NEIGHBOURS)
        if test in categories:
            return self._over(
                self._numbers(suite, test),
                lambda number: self._mean(self.right(suite, FEW_SHOT, method, test, number), tested),
            )
        if not trained:
            return self._measured(self.right(suite, FEW_SHOT, method, test, 1), tested)
        every = [(name, number) for name in categories for number in self._numbers(suite, name)]

        def of_model(place: int) -> Floats | None:
            return self._mean(self._of(Model(suite, FEW_SHOT, method, *every[place]), tested.examples), tested)

        return self._over(range(len(every)), of_model)

    def _numbers(self, suite: str, category: str) -> range:
        return range(1, len(self.categories(suite)[category].supports) + 1)

    def _of(self, model: Model, tested: Sequence[Example]) -> Bools | None:
        """Where a model is right on examples that it was asked about."""
        known = self._answers(model)
        return None if known is None else np.array([known[example] for example in tested], dtype=np.bool_)

    def _answers(self, model: Model) -> dict[Example, bool] | None:
        if model not in self._right:
            asked = self.design.predictions.get(model)
            found = None
            if asked is not None and asked.step.key in self.store:
                suite = self.part(model.suite).suite
                said = self.store.logits(asked.step.key)[suite.task].argmax(axis=1)
                gold = [suite.labels.index(str(example.label)) for example in asked.split]
                found = {e: bool(s == g) for e, s, g in zip(asked.split, said, gold, strict=True)}
            self._right[model] = found
        return self._right[model]

    def _over(self, numbers: Sequence[int], read: Callable[[int], Floats | None]) -> Measured | None:
        found = by_seed(numbers, read)
        mean = self.bootstrap.over_seeds(found)
        return None if mean is None else Measured(mean, spread(found))

    def mean(self, values: Bools | Floats, tested: Split) -> Floats:
        """The mean with resamples; examples that were edited from one, or share a premise, are drawn together."""
        together = [example.fact("original") or example.premise for example in tested]
        return self.bootstrap.mean(values, tested.identity, together)

    def _mean(self, right: Bools | None, tested: Split) -> Floats | None:
        return None if right is None else self.mean(right, tested)

    def _measured(self, right: Bools | None, tested: Split) -> Measured | None:
        found = self._mean(right, tested)
        return None if found is None else Measured(found)

    def _average(self, found: Sequence[Measured | None]) -> Measured | None:
        """The mean over categories; its spread is the mean of theirs, as in the paper."""
        mean = mean_of(None if one is None else one.quantity for one in found)
        spreads = [one.spread for one in found if one is not None and one.spread is not None]
        return None if mean is None else Measured(mean, float(np.mean(spreads)) if spreads else None)
