"""SETI's results: accuracies from stored predictions."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from trivium.benchmarks.seti.design import COMPOSITIONAL, PredictionKey, SetiDesign
from trivium.benchmarks.steps import NLI_HEAD
from trivium.build.veridicality.natural import content_words
from trivium.data.example import Example
from trivium.engine.store import Store
from trivium.measure.baselines import Baselines, baselines
from trivium.measure.metrics import correct
from trivium.measure.statistics.estimate import Estimate, Training, mean, mean_of


@dataclass(frozen=True)
class Results:
    """The results of a run of SETI. An estimate is None if one of its predictions is not in the store."""

    design: SetiDesign
    store: Store
    _means: dict[PredictionKey, Estimate | None] = field(default_factory=dict)
    _baselines: dict[PredictionKey, Baselines] = field(default_factory=dict)

    @property
    def models(self) -> tuple[str, ...]:
        """The models of the run, that of the settings first, with an empty name."""
        return self.design.models

    def accuracy(
        self, setting: str, configuration: str, shots: int = 0, depth: int = 0, part: str = "test", model: str = ""
    ) -> Estimate | None:
        """Return the mean accuracy over seeds."""
        key = PredictionKey(setting, configuration, 0, shots, depth, part, model=model)
        seeds = self.design.settings.run.seeds
        return mean_of(self.prediction_accuracy(key._replace(seed=seed)) for seed in seeds)

    def prediction_accuracy(self, key: PredictionKey) -> Estimate | None:
        """Return the accuracy of one prediction."""
        if key not in self._means:
            self._means[key] = self._read(key)
        return self._means[key]

    def by_rule(self, setting: str, rule: str) -> Estimate | None:
        """Return the mean accuracy over seeds on the probe, or else the test, for compositions of one rule."""

        def read(seed: int) -> Estimate | None:
            for part in ("probe", "test"):
                accuracy = self._read(PredictionKey(setting, COMPOSITIONAL, seed, part=part), rule)
                if accuracy is not None:
                    return accuracy
            return None

        return mean_of(map(read, self.design.settings.run.seeds))

    def majority(self, setting: str, configuration: str) -> float | None:
        """Return the share of the most frequent label in a test; None if the setting is not run."""
        key = PredictionKey(setting, configuration, self.design.settings.run.seeds[0])
        if key not in self.design.predictions:
            return None
        test = self.design.test(key)
        return max(test.counts().values()) / len(test)

    def baselines(self, key: PredictionKey) -> Baselines:
        """Return the baselines on a test, which learn from the training data of its setting."""
        key = key._replace(seed=0, shots=0, model="")
        if key not in self._baselines:
            training = self.design.data.splits[key.setting][key.configuration].train
            self._baselines[key] = baselines(self.design.test(key).examples, training.examples)
        return self._baselines[key]

    def _read(self, key: PredictionKey, rule: str | None = None) -> Estimate | None:
        step = self.design.predictions.get(key)
        if step is None or step.key not in self.store:
            return None
        test = self.design.test(key)
        gold = np.array([test.labels.index(str(example.label)) for example in test], dtype=np.intp)
        logits = self.store.logits(step.key)[NLI_HEAD]
        mask = np.array([rule in (None, example.fact("rule")) for example in test], dtype=np.bool_)
        if not mask.any():
            return None
        return mean(
            correct(logits, gold),
            [premise_of(example) for example in test],  # errors on one sentence are correlated
            Training(key.model or 0, key.seed),
            mask,
            self.baselines(key).best(mask),
            len(np.unique(logits.argmax(axis=1))) == 1,
        )


def premise_of(example: Example) -> str:
    """Return the content words of the sentence that an example is about: its premise, or the clause its verb embeds."""
    veridical = example.fact("kind") == "veridical"
    sentence = example.hypothesis if veridical else example.fact("embedded") or example.premise
    return " ".join(content_words(str(sentence)))
