"""CURRICULUM's results: correlation, accuracy and V-information from stored predictions, with resamples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from trivium.benchmarks.curriculum.design import (
    DIFFICULTY,
    GENERALIZATION,
    INFORMED,
    NULL,
    SEQUENTIAL,
    CurriculumDesign,
    PredictionKey,
)
from trivium.benchmarks.curriculum.sequential import DIRECT
from trivium.benchmarks.steps import NLI_HEAD
from trivium.data.labels import Labels, output_labels
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.bootstrap import Bootstrap, by_seed, spread
from trivium.measure.information import pointwise_information, select_simple
from trivium.measure.metrics import Bools, Floats, confusion, matthews, mean_of
from trivium.measure.outputs import AlignedOutputs, align_outputs


@dataclass(frozen=True)
class Results:
    """The results of a run of CURRICULUM. A quantity is None if one of its predictions is not in the store."""

    design: CurriculumDesign
    store: Store
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    _outputs: dict[PredictionKey, AlignedOutputs | None] = field(default_factory=dict)
    _information_bits: dict[tuple[str, int], Floats | None] = field(default_factory=dict)
    _truncated_share: dict[str, float] = field(default_factory=dict)

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

    def correlation(self, test: str, name: str, size: int = 0) -> Floats | None:
        """Return the mean of Matthews' correlation over seeds, with its resamples."""
        return self._over_seeds(PredictionKey(test, name, 0, size), self._matthews)

    def accuracy(self, test: str, name: str, size: int = 0, model: str = "") -> Floats | None:
        """Return the mean accuracy over seeds, with its resamples."""
        return self._over_seeds(PredictionKey(test, name, 0, size, model), self._accuracy)

    def spread(self, test: str, name: str, size: int = 0, model: str = "") -> float | None:
        """Return the standard deviation of the accuracy over seeds; None for one seed."""
        key = PredictionKey(test, name, 0, size, model)
        return spread(by_seed(self.seeds, lambda seed: self._accuracy(key._replace(seed=seed))))

    def information(self, name: str) -> Floats | None:
        """Return the mean V-information over seeds in bits, with its resamples."""
        return self._over_seeds(PredictionKey(DIFFICULTY, name, 0), self._information)

    def transfer(self, name: str, trained: str, tested: str) -> Floats | None:
        """Return the accuracy on half ``tested`` after training on half ``trained`` (``simple`` or ``hard``)."""

        def read(key: PredictionKey) -> Floats | None:
            outputs, is_simple = self.outputs(key), self._simple(name, key.seed)
            if outputs is None or is_simple is None:
                return None
            in_half = is_simple == (tested == "simple")
            return self._ratio((outputs.predicted == outputs.gold) & in_half, in_half, key)

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

    def outputs_in(self, key: PredictionKey, labels: Labels) -> AlignedOutputs:
        """Return the logits and gold labels of a prediction in a label scheme that may be coarser than its own."""
        test, step = self.design.tests[key], self.design.predictions[key]
        return align_outputs(test.examples, self.store.logits(step.key)[NLI_HEAD], self._labels_of(key), labels)

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

    def bootstrap_clusters(self, key: PredictionKey) -> tuple[str, list[str]]:
        """Return the name of a prediction's resamples, and the cluster of each example.

        Errors on one premise are correlated, so its examples are resampled together. Tests with the same examples
        have the same resamples.
        """
        test: Split = self.design.tests[key]
        return test.identity, [example.premise for example in test]

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
        if key.test == SEQUENTIAL:
            return self.design.tests[key].labels
        return self.model_labels

    def _matthews(self, key: PredictionKey) -> Floats | None:
        outputs = self.outputs(key)
        if outputs is None:
            return None
        number = len(outputs.labels)
        confusions = confusion(outputs.predicted, outputs.gold, number)
        return matthews(self.bootstrap.sums(confusions, *self.bootstrap_clusters(key)), number)

    def _accuracy(self, key: PredictionKey) -> Floats | None:
        outputs = self.outputs(key)
        if outputs is None:
            return None
        return self.bootstrap.mean(outputs.predicted == outputs.gold, *self.bootstrap_clusters(key))

    def _information(self, key: PredictionKey) -> Floats | None:
        # All labels have the same weight, as in the training of both models. Otherwise label frequencies would count
        # as information.
        informed_key = key._replace(model=INFORMED)
        bits, informed = self._bits(key.phenomenon, key.seed), self.outputs(informed_key)
        if bits is None or informed is None:
            return None
        masks = [informed.gold == label for label in np.unique(informed.gold)]
        return mean_of(self._ratio(np.where(mask, bits, 0.0), mask, informed_key) for mask in masks)

    def _ratio(self, values: Bools | Floats, mask: Bools, key: PredictionKey) -> Floats | None:
        """Return the sum of values divided by the size of a mask, on each resample; None for an empty mask."""
        if not mask.any():
            return None
        sums = self.bootstrap.sums(np.stack([values, mask], axis=1).astype(np.float64), *self.bootstrap_clusters(key))
        return np.asarray(sums[:, 0] / np.maximum(sums[:, 1], 1))

    def _over_seeds(self, key: PredictionKey, read: Callable[[PredictionKey], Floats | None]) -> Floats | None:
        return self.bootstrap.over_seeds(by_seed(self.seeds, lambda seed: read(key._replace(seed=seed))))
