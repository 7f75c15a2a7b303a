"""Reading stored predictions of CURRICULUM: correlation, accuracy, usable information, with resamples."""

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
from trivium.data.labels import Labels, answered
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.bootstrap import Bootstrap, by_seed, spread
from trivium.measure.information import pointwise_information, simple
from trivium.measure.metrics import Bools, Floats, confusion, matthews, mean_of
from trivium.measure.outputs import Asked, asked_in
from trivium.models.classifiers import HEAD
from trivium.models.encoders import load_tokenizer
from trivium.models.tokens import RowMaker


@dataclass(frozen=True)
class Results:
    """The predictions of a run of CURRICULUM, as far as they are in the store."""

    design: CurriculumDesign
    store: Store
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    _asked: dict[PredictionKey, Asked | None] = field(default_factory=dict)
    _bits: dict[tuple[str, int], Floats | None] = field(default_factory=dict)
    _cut: dict[str, float] = field(default_factory=dict)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that are run."""
        return self.design.settings.run.seeds

    @property
    def asked_labels(self) -> Labels:
        """What the outputs of the model mean that is diagnosed."""
        return answered(self.design.base.labels)

    @property
    def strategies(self) -> list[str]:
        """The strategies of section 6."""
        chosen = self.design.settings.sequential
        return [DIRECT, *chosen.sources, *chosen.selections]

    def correlation(self, test: str, name: str, size: int = 0) -> Floats | None:
        """Matthews' correlation, mean over seeds, with resamples; None if a prediction is missing."""
        return self._over_seeds(PredictionKey(test, name, 0, size), self._matthews)

    def accuracy(self, test: str, name: str, size: int = 0, model: str = "") -> Floats | None:
        """The accuracy, mean over seeds, with resamples; None if a prediction is missing."""
        return self._over_seeds(PredictionKey(test, name, 0, size, model), self._accuracy)

    def spread(self, test: str, name: str, size: int = 0, model: str = "") -> float | None:
        """The standard deviation of the accuracy over seeds; None for one seed."""
        reading = PredictionKey(test, name, 0, size, model)
        return spread(by_seed(self.seeds, lambda seed: self._accuracy(reading._replace(seed=seed))))

    def information(self, name: str) -> Floats | None:
        """V-information in bits, mean over seeds, with resamples; None if a prediction is missing."""
        return self._over_seeds(PredictionKey(DIFFICULTY, name, 0), self._information)

    def across(self, name: str, trained: str, tested: str) -> Floats | None:
        """The accuracy on the simple or hard half of a phenomenon after training on one of them."""

        def read(reading: PredictionKey) -> Floats | None:
            asked, easy = self.asked(reading), self.easy(name, reading.seed)
            if asked is None or easy is None:
                return None
            mine = easy == (tested == "simple")
            return self._ratio((asked.said == asked.gold) & mine, mine, reading)

        return self._over_seeds(PredictionKey(GENERALIZATION, name, 0, 0, trained), read)

    def majority(self, name: str) -> float:
        """How often one would be right who always gave a phenomenon's most frequent label, as the model is asked it."""
        labels = min(self.asked_labels, self.design.chosen[name].validation.labels, key=len)
        gold = [labels.places(str(example.label))[0] for example in self.design.chosen[name].validation]
        return float(np.bincount(gold).max() / len(gold))

    def easy(self, name: str, seed: int) -> Bools | None:
        """Which validated examples are simple."""
        bits, informed = self.bits(name, seed), self.asked(PredictionKey(DIFFICULTY, name, seed, model=INFORMED))
        if bits is None or informed is None:
            return None
        return simple(bits, informed.gold, self.design.settings.run.at)

    def bits(self, name: str, seed: int) -> Floats | None:
        """The pointwise V-information of each validated example; None if a prediction is missing."""
        if (name, seed) not in self._bits:
            informed, null = (
                self.asked(PredictionKey(DIFFICULTY, name, seed, model=which)) for which in (INFORMED, NULL)
            )
            found = None
            if informed is not None and null is not None:
                found = pointwise_information(informed.logits, null.logits, informed.gold)
            self._bits[name, seed] = found
        return self._bits[name, seed]

    def asked(self, reading: PredictionKey) -> Asked | None:
        """Logits and gold labels of a prediction in one scheme; None if it is not in the store."""
        if reading not in self._asked:
            step = self.design.predictions.get(reading)
            there = step is not None and step.key in self.store
            self._asked[reading] = self._read(reading) if there else None
        return self._asked[reading]

    def cut(self, name: str) -> float:
        """The share of a phenomenon's validated pairs that are longer than what the model reads."""
        if name not in self._cut:
            model = self.design.settings.model
            rows = RowMaker(load_tokenizer(model.name, model.revision), model.max_length)
            asked = self.design.chosen[name].validation
            self._cut[name] = sum(not rows.fits(example) for example in asked) / len(asked)
        return self._cut[name]

    def asked_as(self, reading: PredictionKey, labels: Labels) -> Asked:
        """Logits and gold labels of a prediction in the labels of a task that may be coarser than its own."""
        test, step = self.design.tests[reading], self.design.predictions[reading]
        return asked_in(test.examples, self.store.logits(step.key)[HEAD], self._model_labels(reading), labels)

    def named(self, reading: PredictionKey) -> tuple[str, list[str]]:
        """What the bootstrap of a prediction goes by.

        Examples with one premise stand or fall together; tests on the same examples are drawn alike.
        """
        test: Split = self.design.tests[reading]
        return test.identity, [example.premise for example in test]

    def _read(self, reading: PredictionKey) -> Asked:
        return self.asked_as(reading, self.design.tests[reading].labels)

    def _model_labels(self, reading: PredictionKey) -> Labels:
        if reading.test == SEQUENTIAL:
            return self.design.tests[reading].labels
        return self.asked_labels

    def _matthews(self, reading: PredictionKey) -> Floats | None:
        asked = self.asked(reading)
        if asked is None:
            return None
        number = len(asked.labels)
        each = confusion(asked.said, asked.gold, number)
        return matthews(self.bootstrap.sums(each, *self.named(reading)), number)

    def _accuracy(self, reading: PredictionKey) -> Floats | None:
        asked = self.asked(reading)
        return None if asked is None else self._mean(asked.said == asked.gold, reading)

    def _information(self, reading: PredictionKey) -> Floats | None:
        """Labels weigh the same, as when both models were trained: else knowing their shares would be worth bits."""
        bits, informed = self.bits(reading.phenomenon, reading.seed), self.asked(reading._replace(model=INFORMED))
        if bits is None or informed is None:
            return None
        own = reading._replace(model=INFORMED)
        by_label = [informed.gold == label for label in np.unique(informed.gold)]
        return mean_of(self._ratio(np.where(mine, bits, 0.0), mine, own) for mine in by_label)

    def _mean(self, values: Bools | Floats, reading: PredictionKey) -> Floats:
        return self.bootstrap.mean(values, *self.named(reading))

    def _ratio(self, values: Bools | Floats, of: Bools, reading: PredictionKey) -> Floats | None:
        """The sum of values over the number of examples that they are of, both on the same resamples; None of none."""
        if not of.any():
            return None
        sums = self.bootstrap.sums(np.stack([values, of], axis=1).astype(np.float64), *self.named(reading))
        return np.asarray(sums[:, 0] / np.maximum(sums[:, 1], 1))

    def _over_seeds(self, reading: PredictionKey, read: Callable[[PredictionKey], Floats | None]) -> Floats | None:
        return self.bootstrap.over_seeds(by_seed(self.seeds, lambda seed: read(reading._replace(seed=seed))))
