"""CURRICULUM's results: correlation, accuracy and V-information from stored predictions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from trivium.benchmarks.curriculum.design import (
    DIFFICULTY,
    GENERALIZATION,
    INFORMED,
    NULL,
    SEQUENTIAL,
    ZERO_SHOT,
    CurriculumDesign,
    PredictionKey,
)
from trivium.benchmarks.curriculum.sequential import DIRECT
from trivium.benchmarks.steps import NLI_HEAD
from trivium.data.example import Example
from trivium.data.labels import Labels, output_labels
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.baselines import Baselines, baselines
from trivium.measure.information import pointwise_information, select_simple
from trivium.measure.metrics import Bools, Floats, confusion, matthews
from trivium.measure.outputs import AlignedOutputs, Decision, align_outputs
from trivium.measure.statistics.estimate import GIVEN_MODEL, Estimate, Training, functional, mean, mean_of


@dataclass(frozen=True)
class Results:
    """The results of a run of CURRICULUM. An estimate is None if one of its predictions is not in the store."""

    design: CurriculumDesign
    store: Store
    _outputs: dict[PredictionKey, AlignedOutputs | None] = field(default_factory=dict)
    _information_bits: dict[tuple[str, int], Floats | None] = field(default_factory=dict)
    _truncated_share: dict[str, float] = field(default_factory=dict)
    _baselines: dict[str, Baselines] = field(default_factory=dict)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of the run."""
        return self.design.settings.run.seeds

    @property
    def model_labels(self) -> Labels:
        """The labels that the diagnosed model predicts."""
        return output_labels(self.design.base.labels)

    @property
    def strategies(self) -> list[str]:
        """The strategies of section 6."""
        sequential = self.design.settings.sequential
        return [DIRECT, *sequential.sources, *sequential.selections]

    def correlation(
        self, test: str, name: str, size: int = 0, model: str = "", decision: Decision = "half"
    ) -> Estimate | None:
        """Return the mean of Matthews' correlation over seeds."""
        key = PredictionKey(test, name, 0, size, model)
        return self._over_seeds(key, lambda key: self._matthews(key, decision))

    def accuracy(self, test: str, name: str, size: int = 0, model: str = "") -> Estimate | None:
        """Return the mean accuracy over seeds."""
        return self._over_seeds(PredictionKey(test, name, 0, size, model), self._accuracy)

    def information(self, name: str, weight: Literal["labels", "examples"] = "labels") -> Estimate | None:
        """Return the mean V-information over seeds in bits, with equal weight for all labels or all examples."""
        return self._over_seeds(PredictionKey(DIFFICULTY, name, 0), lambda key: self._information(key, weight))

    def transfer(self, name: str, trained: str, tested: str) -> Estimate | None:
        """Return the accuracy on half ``tested`` after training on half ``trained`` (``simple`` or ``hard``)."""

        def read(key: PredictionKey) -> Estimate | None:
            outputs, is_simple = self.outputs(key), self._simple(name, key.seed)
            if outputs is None or is_simple is None:
                return None
            in_half = is_simple == (tested == "simple")
            if not in_half.any():
                return None
            return mean(outputs.predicted == outputs.gold, self.clusters(key), self._training(key), in_half)

        return self._over_seeds(PredictionKey(GENERALIZATION, name, 0, 0, trained), read)

    def majority(self, name: str) -> float:
        """Return the share of a phenomenon's most frequent label, in the label scheme that the model is tested in."""
        labels = min(self.model_labels, self.design.examples[name].validation.labels, key=len)
        gold = [labels.indices(str(example.label))[0] for example in self.design.examples[name].validation]
        return float(np.bincount(gold).max() / len(gold))

    def outputs(self, key: PredictionKey) -> AlignedOutputs | None:
        """Return the logits and gold labels of a prediction, in one label scheme."""
        if key not in self._outputs:
            step = self.design.predictions.get(key)
            available = step is not None and step.key in self.store
            self._outputs[key] = self.outputs_in(key, self.design.tests[key].labels) if available else None
        return self._outputs[key]

    def outputs_in(self, key: PredictionKey, labels: Labels, decision: Decision = "half") -> AlignedOutputs:
        """Return the logits and gold labels of a prediction in a label scheme that may be coarser than its own."""
        test, logits = self.design.tests[key], self.store.logits(self.design.predictions[key].key)[NLI_HEAD]
        return align_outputs(test.examples, logits, self._labels_of(key), labels, decision)

    def truncated_share(self, name: str) -> float:
        """Return the share of a phenomenon's validation pairs that are truncated to the model's maximum length."""
        from trivium.models.encoders import load_tokenizer  # both modules import torch
        from trivium.models.tokens import RowMaker

        if name not in self._truncated_share:
            model = self.design.settings.model
            rows = RowMaker(load_tokenizer(model.name, model.revision), model.max_length)
            validation = self.design.examples[name].validation
            self._truncated_share[name] = sum(not rows.fits(example) for example in validation) / len(validation)
        return self._truncated_share[name]

    def clusters(self, key: PredictionKey) -> list[str]:
        """Return the cluster of each example of a test: errors on one premise are correlated."""
        test: Split = self.design.tests[key]
        return [example.premise for example in test]

    def baselines(self, key: PredictionKey) -> Baselines:
        """Return the baselines on a test, which learn from the training part of its phenomenon."""
        test = self.design.tests[key]
        if test.identity not in self._baselines:
            selection = self.design.examples.get(key.phenomenon)
            outputs = self.outputs(key)
            labels = test.labels if outputs is None else outputs.labels
            training = () if selection is None else selection.train.examples
            merged = [[_merge(example, labels) for example in part] for part in (test.examples, training)]
            self._baselines[test.identity] = baselines(*merged)
        return self._baselines[test.identity]

    def _training(self, key: PredictionKey) -> Training:
        """Return the training of a prediction; a user's own model is given."""
        is_given = self.design.settings.model.head == "own" and key.test == ZERO_SHOT
        return GIVEN_MODEL if is_given else Training(0, key.seed)

    def _simple(self, name: str, seed: int) -> Bools | None:
        """Return whether each validation example belongs to the simple half."""
        bits, informed = self._bits(name, seed), self.outputs(PredictionKey(DIFFICULTY, name, seed, model=INFORMED))
        if bits is None or informed is None:
            return None
        return select_simple(bits, informed.gold, self.design.settings.run.at)

    def _bits(self, name: str, seed: int) -> Floats | None:
        """Return the pointwise V-information of each validation example."""
        if (name, seed) not in self._information_bits:
            informed, null = (
                self.outputs(PredictionKey(DIFFICULTY, name, seed, model=model)) for model in (INFORMED, NULL)
            )
            bits = None
            if informed is not None and null is not None:
                bits = pointwise_information(informed.logits, null.logits, informed.gold)
            self._information_bits[name, seed] = bits
        return self._information_bits[name, seed]

    def _labels_of(self, key: PredictionKey) -> Labels:
        if key.test == SEQUENTIAL and self.design.settings.model.head != "own":
            return self.design.tests[key].labels
        return self.design.others.get(key.model, self.model_labels)

    def _matthews(self, key: PredictionKey, decision: Decision) -> Estimate | None:
        outputs = self.outputs(key)
        if outputs is None:
            return None
        if decision == "argmax":
            outputs = self.outputs_in(key, self.design.tests[key].labels, decision)
        number, clusters, training = len(outputs.labels), self.clusters(key), self._training(key)
        if min(len(np.unique(outputs.predicted)), len(np.unique(outputs.gold))) == 1:
            # Undefined, and 0 by convention: the interval is that of a value that no example moves.
            return replace(mean(np.zeros(len(outputs.gold)), clusters, training), is_constant=True)
        confusions = confusion(outputs.predicted, outputs.gold, number)
        return functional(confusions, lambda sums: float(matthews(sums[None], number)[0]), clusters, training)

    def _accuracy(self, key: PredictionKey) -> Estimate | None:
        outputs = self.outputs(key)
        if outputs is None:
            return None
        is_constant = len(np.unique(outputs.predicted)) == 1
        return mean(
            outputs.predicted == outputs.gold,
            self.clusters(key),
            self._training(key),
            baseline=self.baselines(key).best(),
            is_constant=is_constant,
        )

    def _information(self, key: PredictionKey, weight: str) -> Estimate | None:
        # The paper's formula is the mean over examples. Both models are trained with as many examples of each label,
        # so that label frequencies count as information unless all labels have the same weight.
        informed_key = key._replace(model=INFORMED)
        bits, informed = self._bits(key.phenomenon, key.seed), self.outputs(informed_key)
        if bits is None or informed is None:
            return None
        clusters, training = self.clusters(informed_key), self._training(key)
        if weight == "examples":
            return mean(bits, clusters, training)
        masks = [informed.gold == label for label in np.unique(informed.gold)]
        return mean_of(mean(bits, clusters, training, mask) for mask in masks)

    def _over_seeds(self, key: PredictionKey, read: Callable[[PredictionKey], Estimate | None]) -> Estimate | None:
        return mean_of(read(key._replace(seed=seed)) for seed in self.seeds)


def _merge(example: Example, labels: Labels) -> Example:
    """Return an example with its label in a scheme that may be coarser than its own."""
    return replace(example, label=labels.names[labels.indices(str(example.label))[0]])
