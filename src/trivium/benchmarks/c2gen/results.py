"""Reading stored predictions: accuracies of C²Gen's settings, averaged over folds, with resamples."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.benchmarks.c2gen.design import C2GenDesign, PredictionKey
from trivium.engine.store import Store
from trivium.measure.bootstrap import Bootstrap, spread
from trivium.measure.metrics import Bools, Floats, correct, joint

_PRIMITIVES, _COMPOSED = ("veridical", "natural"), ("composed",)


class Measure(NamedTuple):
    """A share of a test's examples: those in which each group of heads is all right, or is not, as it says."""

    test: str
    groups: tuple[tuple[tuple[str, ...], bool], ...]


MEASURES = {
    "V": Measure("primitive", ((("veridical",), True),)),
    "N": Measure("primitive", ((("natural",), True),)),
    "V+N": Measure("primitive", ((_PRIMITIVES, True),)),
    "CI": Measure("composed", ((_COMPOSED, True),)),
}
"""The columns of Table 5. CI is asked on the unseen composition."""
QUADRANTS = {
    "correct": Measure("composed", ((_PRIMITIVES, True), (_COMPOSED, True))),
    "no generalization": Measure("composed", ((_PRIMITIVES, True), (_COMPOSED, False))),
    "shortcut": Measure("composed", ((_PRIMITIVES, False), (_COMPOSED, True))),
    "wrong": Measure("composed", ((_PRIMITIVES, False), (_COMPOSED, False))),
}
"""The columns of Table 7: P(✓)CI(✓), P(✓)CI(✗), P(✗)CI(✓), P(✗)CI(✗)."""
_ALL = MEASURES | QUADRANTS


@dataclass(frozen=True)
class Results:
    """The predictions of a run of C²Gen, as far as they are in the store."""

    design: C2GenDesign
    store: Store
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    _right: dict[tuple[PredictionKey, tuple[str, ...]], Bools | None] = field(default_factory=dict)
    _means: dict[tuple[str, str, str, int, str], dict[int, Floats] | None] = field(default_factory=dict)

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies of the run."""
        return self.design.settings.run.strategies

    def accuracy(self, measure: str, setting: str, strategy: str, stage: int, words: str = "natural") -> Floats | None:
        """A measure of a setting: the mean over folds and seeds, with resamples; None if a prediction is missing."""
        return self.bootstrap.over_seeds(self.by_seed(measure, setting, strategy, stage, words))

    def spread(self, measure: str, setting: str, strategy: str, stage: int, words: str = "natural") -> float | None:
        """The standard deviation over seeds of the mean over folds; None for one seed."""
        return spread(self.by_seed(measure, setting, strategy, stage, words))

    def by_seed(
        self, measure: str, setting: str, strategy: str, stage: int, words: str = "natural"
    ) -> dict[int, Floats] | None:
        """For each seed the mean over folds, with resamples."""
        key = (measure, setting, strategy, stage, words)
        if key not in self._means:
            self._means[key] = self._fold_means(*key)
        return self._means[key]

    def in_fold(self, fold: int, measure: str, setting: str, strategy: str, stage: int) -> Floats | None:
        """A measure in one fold: the mean over seeds, with resamples."""
        by_seed = {}
        for seed in self.design.settings.run.seeds:
            mean = self._mean(measure, PredictionKey(fold, seed, setting, strategy, stage, _ALL[measure].test))
            if mean is None:
                return None
            by_seed[seed] = mean
        return self.bootstrap.over_seeds(by_seed)

    def _fold_means(
        self, measure: str, setting: str, strategy: str, stage: int, words: str
    ) -> dict[int, Floats] | None:
        found = {}
        for seed in self.design.settings.run.seeds:
            folds = []
            for fold in self.design.settings.run.folds:
                mean = self._mean(
                    measure, PredictionKey(fold, seed, setting, strategy, stage, _ALL[measure].test, words)
                )
                if mean is None:
                    return None
                folds.append(mean)
            found[seed] = np.mean(folds, axis=0)
        return found

    def _mean(self, measure: str, reading: PredictionKey) -> Floats | None:
        met = self.meets(measure, reading)
        if met is None:
            return None
        pairs = self._natural_pairs(reading)
        # Folds that test the same natural pairs draw them alike: they are not new evidence in each of them.
        name = hashlib.sha256("\n".join(dict.fromkeys(pairs)).encode()).hexdigest()
        return self.bootstrap.mean(met, name, pairs)

    def meets(self, measure: str, reading: PredictionKey) -> Bools | None:
        """Whether each test example counts for a measure; None if there is no prediction."""
        found = []
        for heads, wanted in _ALL[measure].groups:
            right = self.right(reading, heads)
            if right is None:
                return None
            found.append(right == wanted)
        return joint(*found)

    def vectors(self, reading: PredictionKey, task: str) -> tuple[NDArray[np.float32], list[str]] | None:
        """The encoder's vectors of a task's test examples and their right labels; None if they were not stored."""
        step = self.design.predictions.get(reading)
        if step is None or step.key not in self.store:
            return None
        split = self.design.folds[reading.fold].primitive
        labels = [str(row.label) for example in split for row in example.rows() if row.task == task]
        return self.store.vectors(step.key)[task], labels

    def said(self, reading: PredictionKey) -> dict[str, list[str]]:
        """The label that each head gives to each test example."""
        names = self.design.folds[reading.fold].composed.labels.names
        logits = self.store.logits(self.design.predictions[reading].key)
        return {head: [names[place] for place in values.argmax(axis=1)] for head, values in logits.items()}

    def right(self, reading: PredictionKey, heads: tuple[str, ...]) -> Bools | None:
        """Whether a model answers all of these heads rightly, for each test example."""
        key = (reading, heads)
        if key not in self._right:
            self._right[key] = self._read(reading, heads)
        return self._right[key]

    def _read(self, reading: PredictionKey, heads: tuple[str, ...]) -> Bools | None:
        step = self.design.predictions.get(reading)
        if step is None or step.key not in self.store:
            return None
        logits = self.store.logits(step.key)
        return joint(*(correct(logits[head], self._gold(reading, head)) for head in heads))

    def _natural_pairs(self, reading: PredictionKey) -> list[str]:
        split = getattr(self.design.folds[reading.fold], reading.test)
        return [part.id for example in split for part in example.parts if part.task == "natural"]

    def _gold(self, reading: PredictionKey, head: str) -> NDArray[np.intp]:
        split = getattr(self.design.folds[reading.fold], reading.test)
        rows = [row for example in split for row in example.rows() if row.task == head]
        return np.array([split.labels.index(row.label) for row in rows], dtype=np.intp)
