"""Reading stored predictions of SETI: accuracies by setting, configuration, seed, shots and depth, with resamples."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from trivium.benchmarks.seti.design import COMPOSITIONAL, PredictionKey, SetiDesign
from trivium.build.veridicality.natural import content_words
from trivium.data.example import Example
from trivium.engine.store import Store
from trivium.measure.bootstrap import Bootstrap, by_seed, spread
from trivium.measure.metrics import Floats, correct


@dataclass(frozen=True)
class Results:
    """The predictions of a run of SETI, as far as they are in the store."""

    design: SetiDesign
    store: Store
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    _means: dict[PredictionKey, Floats | None] = field(default_factory=dict)

    def accuracy(
        self, setting: str, configuration: str, shots: int = 0, depth: int = 0, part: str = "test"
    ) -> Floats | None:
        """The mean over seeds, with resamples; None if a prediction is missing."""
        return self.bootstrap.over_seeds(self._by_seed(PredictionKey(setting, configuration, 0, shots, depth, part)))

    def spread(
        self, setting: str, configuration: str, shots: int = 0, depth: int = 0, part: str = "test"
    ) -> float | None:
        """The standard deviation over seeds; None for one seed."""
        return spread(self._by_seed(PredictionKey(setting, configuration, 0, shots, depth, part)))

    def of(self, reading: PredictionKey) -> Floats | None:
        """The accuracy of one prediction, with resamples; examples about one sentence are drawn together."""
        if reading not in self._means:
            self._means[reading] = self._read(reading)
        return self._means[reading]

    def by_rule(self, setting: str, rule: str) -> Floats | None:
        """The accuracy on the compositions by one rule, mean over seeds; None if there are none."""

        def read(seed: int) -> Floats | None:
            found = [
                self._read(PredictionKey(setting, COMPOSITIONAL, seed, part=part), rule) for part in ("test", "probe")
            ]
            return next((one for one in reversed(found) if one is not None), None)

        return self.bootstrap.over_seeds(by_seed(self.design.settings.run.seeds, read))

    def majority(self, setting: str, configuration: str) -> float | None:
        """How often one would be right who always gave a test's most frequent label."""
        reading = PredictionKey(setting, configuration, self.design.settings.run.seeds[0])
        if reading not in self.design.predictions:
            return None
        test = self.design.test(reading)
        return max(test.counts().values()) / len(test)

    def _by_seed(self, reading: PredictionKey) -> dict[int, Floats] | None:
        return by_seed(self.design.settings.run.seeds, lambda seed: self.of(reading._replace(seed=seed)))

    def _read(self, reading: PredictionKey, rule: str | None = None) -> Floats | None:
        step = self.design.predictions.get(reading)
        if step is None or step.key not in self.store:
            return None
        test = self.design.test(reading)
        gold = np.array([test.labels.index(str(example.label)) for example in test], dtype=np.intp)
        right = correct(self.store.logits(step.key)["nli"], gold)
        places = [place for place, example in enumerate(test) if rule in (None, example.fact("rule"))]
        if not places:
            return None
        # Examples about one sentence stand or fall together, and tests about the same ones are drawn alike.
        about = [premise_of(test.examples[place]) for place in places]
        name = hashlib.sha256("\n".join(sorted(set(about))).encode()).hexdigest()
        return self.bootstrap.mean(right[places], name, about)


def premise_of(example: Example) -> str:
    """The sentence that an example reasons from, articles aside: its premise, or what its verb embeds."""
    plain = example.hypothesis if example.fact("kind") == "veridical" else example.fact("embedded") or example.premise
    return " ".join(content_words(str(plain)))
