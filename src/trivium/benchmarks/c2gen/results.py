"""C²Gen's results: accuracies from stored predictions, averaged over folds and seeds, with resamples."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from trivium.benchmarks.c2gen.design import C2GenDesign, PredictionKey
from trivium.engine.store import Store
from trivium.measure.bootstrap import Bootstrap, by_seed, spread
from trivium.measure.metrics import Bools, Floats, correct, joint, mean_of

_PRIMITIVES, _COMPOSED = ("veridical", "natural"), ("composed",)


class Measure(NamedTuple):
    """The share of a test's examples that meet a condition on groups of heads.

    Each group is paired with whether all its heads must be correct (True) or must not all be correct (False).
    """

    test: str
    groups: tuple[tuple[tuple[str, ...], bool], ...]


MEASURES = {
    "V": Measure("primitive", ((("veridical",), True),)),
    "N": Measure("primitive", ((("natural",), True),)),
    "V+N": Measure("primitive", ((_PRIMITIVES, True),)),
    "CI": Measure("composed", ((_COMPOSED, True),)),
}
"""The columns of Table 5. CI is measured on unseen compositions."""
QUADRANTS = {
    "correct": Measure("composed", ((_PRIMITIVES, True), (_COMPOSED, True))),
    "no generalization": Measure("composed", ((_PRIMITIVES, True), (_COMPOSED, False))),
    "shortcut": Measure("composed", ((_PRIMITIVES, False), (_COMPOSED, True))),
    "wrong": Measure("composed", ((_PRIMITIVES, False), (_COMPOSED, False))),
}
"""The columns of Table 7: P(✓)CI(✓), P(✓)CI(✗), P(✗)CI(✓), P(✗)CI(✗)."""
GOLD_PARTS = "CI, gold parts"
COMPOSITIONS = {
    "V+N of compositions": Measure("composed", ((_PRIMITIVES, True),)),
    GOLD_PARTS: Measure("composed", ((_COMPOSED, True),)),
}
"""Both primitives of unseen compositions, and CI if the composer is given the gold parts of each composition."""
_ALL = MEASURES | QUADRANTS | COMPOSITIONS


class StoredVectors(NamedTuple):
    """The encoder's vectors of test examples, and the gold labels of the examples."""

    vectors: NDArray[np.float32]
    labels: list[str]


@dataclass(frozen=True)
class Results:
    """The results of a run of C²Gen. A quantity is None if one of its predictions is not in the store."""

    design: C2GenDesign
    store: Store
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    _correct: dict[tuple[PredictionKey, tuple[str, ...]], Bools | None] = field(default_factory=dict)
    _means: dict[tuple[str, str, str, int, str], dict[int, Floats] | None] = field(default_factory=dict)

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies of the run."""
        return self.design.settings.run.strategies

    def accuracy(self, measure: str, setting: str, strategy: str, stage: int, words: str = "natural") -> Floats | None:
        """Return the mean of a measure over folds and seeds, with its resamples."""
        return self.bootstrap.over_seeds(self.by_seed(measure, setting, strategy, stage, words))

    def spread(self, measure: str, setting: str, strategy: str, stage: int, words: str = "natural") -> float | None:
        """Return the standard deviation over seeds of the mean over folds; None for one seed."""
        return spread(self.by_seed(measure, setting, strategy, stage, words))

    def by_seed(
        self, measure: str, setting: str, strategy: str, stage: int, words: str = "natural"
    ) -> dict[int, Floats] | None:
        """Return the mean of a measure over folds for each seed, with its resamples."""
        key = (measure, setting, strategy, stage, words)
        if key not in self._means:
            self._means[key] = self._fold_means(*key)
        return self._means[key]

    def in_fold(self, fold: int, measure: str, setting: str, strategy: str, stage: int) -> Floats | None:
        """Return the mean of a measure over seeds in one fold, with its resamples."""
        key = PredictionKey(fold, 0, setting, strategy, stage, _ALL[measure].test)
        means = by_seed(self.design.settings.run.seeds, lambda seed: self._mean(measure, key._replace(seed=seed)))
        return self.bootstrap.over_seeds(means)

    def _fold_means(
        self, measure: str, setting: str, strategy: str, stage: int, words: str
    ) -> dict[int, Floats] | None:
        run = self.design.settings.run
        key = PredictionKey(0, 0, setting, strategy, stage, _ALL[measure].test, words)

        def of_seed(seed: int) -> Floats | None:
            return mean_of(self._mean(measure, key._replace(fold=fold, seed=seed)) for fold in run.folds)

        return by_seed(run.seeds, of_seed)

    def _mean(self, measure: str, key: PredictionKey) -> Floats | None:
        met = self.meets(measure, key)
        if met is None:
            return None
        pairs = self._natural_pairs(key)
        # Folds that test the same natural pairs have the same resamples, since the same pairs are not new evidence.
        name = hashlib.sha256("\n".join(dict.fromkeys(pairs)).encode()).hexdigest()
        return self.bootstrap.mean(met, name, pairs)

    def meets(self, measure: str, key: PredictionKey) -> Bools | None:
        """Return for each test example whether it meets the condition of a measure."""
        if measure == GOLD_PARTS:
            return self._from_gold_parts(key)
        conditions = []
        for heads, must_be_correct in _ALL[measure].groups:
            are_correct = self.correct(key, heads)
            if are_correct is None:
                return None
            conditions.append(are_correct == must_be_correct)
        return joint(*conditions)

    def vectors(self, key: PredictionKey, task: str) -> StoredVectors | None:
        """Return the vectors of a task's test examples."""
        step = self.design.predictions.get(key)
        if step is None or step.key not in self.store:
            return None
        split = self.design.folds[key.fold].primitive
        labels = [str(row.label) for example in split for row in example.rows() if row.task == task]
        return StoredVectors(self.store.vectors(step.key)[task], labels)

    def predicted(self, key: PredictionKey) -> dict[str, list[str]]:
        """Return the label that each head predicts for each test example."""
        names = self.design.folds[key.fold].composed.labels.names
        logits = self.store.logits(self.design.predictions[key].key)
        return {head: [names[index] for index in values.argmax(axis=1)] for head, values in logits.items()}

    def correct(self, key: PredictionKey, heads: tuple[str, ...]) -> Bools | None:
        """Return for each test example whether the predictions of all given heads are correct."""
        if (key, heads) not in self._correct:
            self._correct[key, heads] = self._read(key, heads)
        return self._correct[key, heads]

    def _read(self, key: PredictionKey, heads: tuple[str, ...]) -> Bools | None:
        step = self.design.predictions.get(key)
        if step is None or step.key not in self.store:
            return None
        logits = self.store.logits(step.key)
        return joint(*(correct(logits[head], self._gold(key, head)) for head in heads))

    def harder(self, name: str, setting: str, strategy: str, stage: int) -> Floats | None:
        """Return the mean accuracy on a harder test over folds and seeds, with its resamples."""
        run = self.design.settings.run

        def of_seed(seed: int) -> Floats | None:
            keys = (PredictionKey(fold, seed, setting, strategy, stage, name) for fold in run.folds)
            return mean_of(map(self._harder, keys))

        return self.bootstrap.over_seeds(by_seed(run.seeds, of_seed))

    def _harder(self, key: PredictionKey) -> Floats | None:
        step = self.design.predictions.get(key)
        if step is None or step.key not in self.store:
            return None
        split = self.design.data.harder[key.fold][key.test]
        gold = np.array([split.labels.index(str(example.label)) for example in split], dtype=np.intp)
        is_correct = correct(self.store.logits(step.key)["composed"], gold)
        return self.bootstrap.mean(is_correct, f"{key.fold} {key.test}", [str(e.fact("pair")) for e in split])

    def composition(self, key: PredictionKey) -> dict[str, NDArray[np.float32]] | None:
        """Return what the composer of a prediction had learned; None if it is the head, or not in the store."""
        step = self.design.predictions.get(key)
        return None if step is None or step.key not in self.store else self.store.composition(step.key)

    def _from_gold_parts(self, key: PredictionKey) -> Bools | None:
        """Return for each composition whether its label follows from what the heads answer about its gold parts."""
        composition = self.composition(key)
        if composition is None:
            return self.correct(key, _COMPOSED)
        logits = self.store.logits(self.design.predictions[key].key)
        parts = [softmax(logits[head], axis=1) for head in _PRIMITIVES]
        veridical, natural = parts[0][:, :, None, None], parts[1][:, None, :, None]
        composed = (veridical * natural * composition["table"]).max((1, 2))
        return correct(composed.astype(np.float32), self._gold(key, "composed"))

    def _natural_pairs(self, key: PredictionKey) -> list[str]:
        split = getattr(self.design.folds[key.fold], key.test)
        return [part.id for example in split for part in example.parts if part.task == "natural"]

    def _gold(self, key: PredictionKey, head: str) -> NDArray[np.intp]:
        split = getattr(self.design.folds[key.fold], key.test)
        rows = [row for example in split for row in example.rows() if row.task == head]
        return np.array([split.labels.index(row.label) for row in rows], dtype=np.intp)
