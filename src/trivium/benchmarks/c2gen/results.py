"""C²Gen's results: accuracies from stored predictions, averaged over folds and seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.benchmarks.c2gen.design import C2GenDesign, PredictionKey
from trivium.build.veridicality.composition import TYPES
from trivium.data.example import Example
from trivium.engine.store import Store
from trivium.measure.baselines import Baselines, baselines
from trivium.measure.metrics import Bools, correct, joint
from trivium.measure.statistics.estimate import Estimate, Training, mean, mean_of, over_folds

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
    """The results of a run of C²Gen. An estimate is None if one of its predictions is not in the store."""

    design: C2GenDesign
    store: Store
    _correct: dict[tuple[PredictionKey, tuple[str, ...]], Bools | None] = field(default_factory=dict)
    _means: dict[tuple[str, str, str, int, str], Estimate | None] = field(default_factory=dict)
    _baselines: dict[tuple[int, str, str, str], Baselines] = field(default_factory=dict)

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies of the run."""
        return self.design.settings.run.strategies

    def accuracy(
        self, measure: str, setting: str, strategy: str, stage: int, words: str = "natural"
    ) -> Estimate | None:
        """Return the mean of a measure over folds and seeds."""
        key = (measure, setting, strategy, stage, words)
        if key not in self._means:
            folds = self.design.settings.run.folds
            self._means[key] = over_folds([self.in_fold(fold, *key) for fold in folds], len(TYPES))
        return self._means[key]

    def in_fold(
        self, fold: int, measure: str, setting: str, strategy: str, stage: int, words: str = "natural"
    ) -> Estimate | None:
        """Return the mean of a measure over seeds in one fold."""
        key = PredictionKey(fold, 0, setting, strategy, stage, _ALL[measure].test, words)
        return mean_of(self._mean(measure, key._replace(seed=seed)) for seed in self.design.settings.run.seeds)

    def _mean(self, measure: str, key: PredictionKey) -> Estimate | None:
        met = self.meets(measure, key)
        if met is None:
            return None
        return mean(
            met,
            self._natural_pairs(key),
            Training(key.fold, key.seed),
            baseline=self.baseline(measure, key),
            is_constant=measure in MEASURES and self._is_constant(measure, key),
        )

    def baseline(self, measure: str, key: PredictionKey) -> float | None:
        """Return the accuracy of the best baseline; None for a measure that is not an accuracy."""
        if measure not in MEASURES:
            return None
        by_head = [self.baselines(key, head) for heads, _ in MEASURES[measure].groups for head in heads]
        kinds = [kind for kind in zip(*by_head, strict=True) if all(part is not None for part in kind)]
        return max(float(joint(*parts).mean()) for parts in kinds)

    def baselines(self, key: PredictionKey, head: str) -> Baselines:
        """Return the baselines of a head on a test. They are trained on what CGen is trained on."""
        name = (key.fold, key.test, head, key.words)
        if name not in self._baselines:
            splits = self.design.data.pseudo[key.fold] if key.words == "pseudo" else self.design.folds[key.fold]
            training = [row for split in (splits.ver, splits.nat) for row in _rows_of(split.examples, head)]
            self._baselines[name] = baselines(_rows_of(getattr(splits, key.test).examples, head), training)
        return self._baselines[name]

    def _is_constant(self, measure: str, key: PredictionKey) -> bool:
        """Return whether a test with several labels gets one answer. Unseen compositions all have the same label."""
        logits = self.store.logits(self.design.predictions[key].key)
        heads = [head for heads, _ in MEASURES[measure].groups for head in heads]
        return all(
            len(np.unique(logits[head].argmax(axis=1))) == 1 < len(np.unique(self._gold(key, head))) for head in heads
        )

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

    def harder(self, name: str, setting: str, strategy: str, stage: int) -> Estimate | None:
        """Return the mean accuracy on a harder test over folds and seeds."""
        run = self.design.settings.run
        in_folds = [
            mean_of(self._harder(PredictionKey(fold, seed, setting, strategy, stage, name)) for seed in run.seeds)
            for fold in run.folds
        ]
        return over_folds(in_folds, len(TYPES))

    def _harder(self, key: PredictionKey) -> Estimate | None:
        step = self.design.predictions.get(key)
        if step is None or step.key not in self.store:
            return None
        split = self.design.data.harder[key.fold][key.test]
        gold = np.array([split.labels.index(str(example.label)) for example in split], dtype=np.intp)
        is_correct = correct(self.store.logits(step.key)["composed"], gold)
        return mean(is_correct, [str(example.fact("pair")) for example in split], Training(key.fold, key.seed))

    def composition(self, key: PredictionKey) -> dict[str, NDArray[np.float32]] | None:
        """Return what the composer of a prediction had learned; None if it is the head, or not in the store."""
        step = self.design.predictions.get(key)
        return None if step is None or step.key not in self.store else self.store.composition(step.key)

    def _from_gold_parts(self, key: PredictionKey) -> Bools | None:
        """Return for each composition whether its label follows from what the heads answer about its gold parts."""
        composition = self.composition(key)
        if composition is None:
            return self.correct(key, _COMPOSED)
        from scipy.special import softmax  # imported here because it is slow to import and rarely needed

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


def _rows_of(examples: Sequence[Example], head: str) -> list[Example]:
    return [row for example in examples for row in example.rows() if row.task == head]
