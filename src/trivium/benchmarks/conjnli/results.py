"""ConjNLI's results: accuracies, flips and instability from stored predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trivium.benchmarks.conjnli.design import BASE, FLIPPED, ConjNliDesign, Model, PredictionKey
from trivium.benchmarks.steps import NLI_HEAD
from trivium.build.conjuncts.material import CONJ, MNLI
from trivium.build.conjuncts.traits import Traits, is_covered, traits_of
from trivium.data.example import Example
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.baselines import Baselines, baselines
from trivium.measure.instability import Instability, instability
from trivium.measure.metrics import Bools
from trivium.measure.statistics.estimate import Estimate, Training, mean, mean_of

BOOLEAN, NON_BOOLEAN = "Boolean", "non-Boolean"


@dataclass(frozen=True)
class Subset:
    """A named subset of the examples of a test, as a mask.

    The name identifies the subset in caches.
    """

    name: str
    mask: Bools

    def __len__(self) -> int:
        return int(self.mask.sum())


@dataclass(frozen=True)
class Results:
    """The results of a run of ConjNLI. An estimate is None if one of its predictions is not in the store."""

    design: ConjNliDesign
    store: Store
    _predicted: dict[PredictionKey, NDArray[np.intp] | None] = field(default_factory=dict)
    _accuracies: dict[tuple[object, ...], Estimate | None] = field(default_factory=dict)
    _baselines: dict[tuple[str, str], Baselines] = field(default_factory=dict)

    @cached_property
    def tests(self) -> dict[str, Split]:
        """All tests by name."""
        return self.design.tests

    @cached_property
    def traits(self) -> list[Traits]:
        """The traits of each pair of ConjNLI."""
        return [traits_of(example) for example in self.tests[CONJ]]

    def subset(self, name: str, condition: Callable[[Traits], bool]) -> Subset:
        """Return the pairs of ConjNLI whose traits meet a condition."""
        return Subset(name, np.array([condition(traits) for traits in self.traits], dtype=np.bool_))

    def with_conjunction(self, conjunction: str) -> Subset:
        """Return the pairs with a conjunction; ``conjunction`` may also be ``multiple`` or ``none``."""
        return self.subset(conjunction, lambda traits: traits.conjunction == conjunction)

    def boolean(self, is_boolean: bool, annotated: bool = False) -> Subset:
        """Return the Boolean or the non-Boolean pairs, by rules or as annotated in ``run.annotations``."""
        name = BOOLEAN if is_boolean else NON_BOOLEAN
        if not annotated:
            return self.subset(name, lambda traits: traits.boolean is is_boolean)
        annotations = self.design.annotated
        mask = [annotations.get(example.id) is is_boolean for example in self.tests[CONJ]]
        return Subset(f"{name}, annotated", np.array(mask, dtype=np.bool_))

    def covered(self, label: str | None = None, exclude: str | None = None) -> Subset:
        """Return the pairs whose hypothesis has only words of the premise.

        ``label`` restricts them to a gold label, ``exclude`` excludes one.
        """
        mask = [is_covered(e) and label in (None, e.label) and e.label != exclude for e in self.tests[CONJ]]
        name = f"covered {label or ''}{f' but {exclude}' if exclude else ''}".strip()
        return Subset(name, np.array(mask, dtype=np.bool_))

    def accuracy(
        self,
        method: str,
        test: str = CONJ,
        subset: Subset | None = None,
        base: str = MNLI,
        encoder: str = "",
        amount: int = 0,
    ) -> Estimate | None:
        """Return the mean accuracy over seeds on a test or a subset; None if not run, or if the subset is empty."""
        key = (method, test, "" if subset is None else subset.name, base, encoder, amount)
        if key not in self._accuracies:
            model = Model(method, 0, encoder or self.design.encoder, base, amount)
            accuracy = self.over_seeds(model, test, subset, self._correct)
            if accuracy is not None:
                baseline = self.baselines(test, base).best(None if subset is None else subset.mask)
                accuracy = replace(accuracy, baseline=baseline, is_constant=self._is_constant(model, test))
            self._accuracies[key] = accuracy
        return self._accuracies[key]

    def baselines(self, test: str, base: str) -> Baselines:
        """Return the baselines on a test, which learn from the training data of a base."""
        if (test, base) not in self._baselines:
            training = self.design.material.bases[base].examples if base in self.design.material.bases else ()
            self._baselines[test, base] = baselines(self.tests[test].examples, training)
        return self._baselines[test, base]

    def _is_constant(self, model: Model, test: str) -> bool:
        """Return whether all trainings of a model give the same answer to every example."""
        seeds = self.design.settings.run.seeds
        predicted = [self.predicted(PredictionKey(model._replace(seed=seed), test)) for seed in seeds]
        return all(labels is not None and len(np.unique(labels)) == 1 for labels in predicted)

    def over_seeds(
        self, model: Model, test: str, subset: Subset | None, read: Callable[[PredictionKey], Bools | None]
    ) -> Estimate | None:
        """Return the share of a subset's examples for which ``read`` is true, as the mean over seeds."""
        if test not in self.tests or (subset is not None and not len(subset)):
            return None

        clusters = [_sentence(example) for example in self.tests[test]]  # pairs built from one sentence

        def of_seed(seed: int) -> Estimate | None:
            values = read(PredictionKey(model._replace(seed=seed), test))
            if values is None:
                return None
            return mean(values, clusters, Training(0, seed), None if subset is None else subset.mask)

        return mean_of(map(of_seed, self.design.settings.run.seeds))

    def average(self, method: str, tests: Sequence[str]) -> Estimate | None:
        """Return the mean of the accuracies on several tests; None if one was not run."""
        return mean_of(self.accuracy(method, test) for test in tests)

    def label_share(self, method: str, label: str, subset: Subset) -> Estimate | None:
        """Return the share of pairs in a subset of ConjNLI for which a method predicts a label."""
        index = self.tests[CONJ].labels.index(label)

        def read(key: PredictionKey) -> Bools | None:
            predicted = self.predicted(key)
            return None if predicted is None else np.asarray(predicted == index)

        return self.over_seeds(Model(method, 0, self.design.encoder), CONJ, subset, read)

    def only_label(self, method: str) -> str | None:
        """Return the label that a method predicts for every pair of ConjNLI with every seed; None if it varies."""
        everything = Subset("all", np.ones(len(self.tests[CONJ]), dtype=np.bool_))
        shares = {label: self.label_share(method, label, everything) for label in self.tests[CONJ].labels.names}
        return next((label for label, share in shares.items() if share is not None and share.value == 1), None)

    @cached_property
    def flippable(self) -> Subset:
        """The pairs of ConjNLI that have a flipped version."""
        flipped = {pair.before.id for pair in self.design.flipped}
        return Subset("flippable", np.array([example.id in flipped for example in self.tests[CONJ]], dtype=np.bool_))

    def changed_by_flip(self, method: str) -> Estimate | None:
        """Return the share of predictions of a method that change when *and* becomes *either … or*."""
        if not self.design.flipped:
            return None

        def read(key: PredictionKey) -> Bools | None:
            after, before = self.predicted(key), self.predicted(key._replace(test=CONJ))
            return None if after is None or before is None else np.asarray(after != before[self.flippable.mask])

        return self.over_seeds(Model(method, 0, self.design.encoder), FLIPPED, None, read)

    def accuracy_after_flip(self, method: str) -> Estimate | None:
        """Return the accuracy on the flipped pairs."""
        return self.accuracy(method, FLIPPED) if self.design.flipped else None

    def instability(self, test: str = CONJ) -> Instability | None:
        """Return the instability of the MNLI base over all its seeds; None unless two or more were run."""
        run = self.design.settings.run
        model = Model(BASE, 0, self.design.encoder)
        seeds = (*run.seeds, *run.more_seeds)
        predictions = [self._correct(PredictionKey(model._replace(seed=seed), test)) for seed in seeds]
        available = [correct for correct in predictions if correct is not None]
        return instability(np.stack(available)) if len(available) == len(seeds) >= 2 else None

    def predicted(self, key: PredictionKey) -> NDArray[np.intp] | None:
        """Return the label index that a model predicts for each example of a test; None if not in the store."""
        if key not in self._predicted:
            step = self.design.predictions.get(key)
            is_stored = step is not None and step.key in self.store
            self._predicted[key] = self.store.logits(step.key)[NLI_HEAD].argmax(axis=1) if is_stored and step else None
        return self._predicted[key]

    def _correct(self, key: PredictionKey) -> Bools | None:
        predicted = self.predicted(key)
        if predicted is None:
            return None
        split = self.tests[key.test]
        return np.asarray(predicted == np.array([split.labels.index(str(example.label)) for example in split]))


def _sentence(example: Example) -> str:
    """Return the sentence that a pair was built from: the longer of the two."""
    return max(example.premise, example.hypothesis or "", key=len)
