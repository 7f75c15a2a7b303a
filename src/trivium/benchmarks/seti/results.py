"""SETI's results: accuracies from stored predictions, with resamples."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from trivium.benchmarks.seti.design import COMPOSITIONAL, PredictionKey, SetiDesign
from trivium.benchmarks.steps import NLI_HEAD
from trivium.build.veridicality.natural import content_words
from trivium.data.example import Example
from trivium.engine.store import Store
from trivium.measure.bootstrap import Bootstrap, by_seed, spread
from trivium.measure.metrics import Floats, correct


@dataclass(frozen=True)
class Results:
    """The results of a run of SETI. A quantity is None if one of its predictions is not in the store."""

    design: SetiDesign
    store: Store
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    _means: dict[PredictionKey, Floats | None] = field(default_factory=dict)

    def accuracy(
        self, setting: str, configuration: str, shots: int = 0, depth: int = 0, part: str = "test"
    ) -> Floats | None:
        """Return the mean accuracy over seeds, with its resamples."""
        return self.bootstrap.over_seeds(self._by_seed(PredictionKey(setting, configuration, 0, shots, depth, part)))

    def spread(
        self, setting: str, configuration: str, shots: int = 0, depth: int = 0, part: str = "test"
    ) -> float | None:
        """Return the standard deviation of an accuracy over seeds; None for one seed."""
        return spread(self._by_seed(PredictionKey(setting, configuration, 0, shots, depth, part)))

    def prediction_accuracy(self, key: PredictionKey) -> Floats | None:
        """Return the accuracy of one prediction with its resamples."""
        if key not in self._means:
            self._means[key] = self._read(key)
        return self._means[key]

    def by_rule(self, setting: str, rule: str) -> Floats | None:
        """Return the mean accuracy over seeds on the probe, or else the test, for compositions of one rule."""

        def read(seed: int) -> Floats | None:
            for part in ("probe", "test"):
                accuracy = self._read(PredictionKey(setting, COMPOSITIONAL, seed, part=part), rule)
                if accuracy is not None:
                    return accuracy
            return None

        return self.bootstrap.over_seeds(by_seed(self.design.settings.run.seeds, read))

    def majority(self, setting: str, configuration: str) -> float | None:
        """Return the share of the most frequent label in a test; None if the setting is not run."""
        key = PredictionKey(setting, configuration, self.design.settings.run.seeds[0])
        if key not in self.design.predictions:
            return None
        test = self.design.test(key)
        return max(test.counts().values()) / len(test)

    def _by_seed(self, key: PredictionKey) -> dict[int, Floats] | None:
        return by_seed(self.design.settings.run.seeds, lambda seed: self.prediction_accuracy(key._replace(seed=seed)))

    def _read(self, key: PredictionKey, rule: str | None = None) -> Floats | None:
        step = self.design.predictions.get(key)
        if step is None or step.key not in self.store:
            return None
        test = self.design.test(key)
        gold = np.array([test.labels.index(str(example.label)) for example in test], dtype=np.intp)
        are_correct = correct(self.store.logits(step.key)[NLI_HEAD], gold)
        indices = [index for index, example in enumerate(test) if rule in (None, example.fact("rule"))]
        if not indices:
            return None
        # Errors on one sentence are correlated, so its examples are resampled together. Tests with the same sentences
        # have the same resamples.
        sentences = [premise_of(test.examples[index]) for index in indices]
        name = hashlib.sha256("\n".join(sorted(set(sentences))).encode()).hexdigest()
        return self.bootstrap.mean(are_correct[indices], name, sentences)


def premise_of(example: Example) -> str:
    """Return the content words of the sentence that an example is about: its premise, or the clause its verb embeds."""
    veridical = example.fact("kind") == "veridical"
    sentence = example.hypothesis if veridical else example.fact("embedded") or example.premise
    return " ".join(content_words(str(sentence)))
