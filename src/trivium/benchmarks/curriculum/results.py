"""Reading stored predictions of CURRICULUM: correlation, accuracy, usable information, with resamples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trivium.benchmarks.curriculum.protocol import (
    DIFFICULTY,
    GENERALIZATION,
    INFORMED,
    NULL,
    SEQUENTIAL,
    Protocol,
    Reading,
)
from trivium.benchmarks.curriculum.sequential import DIRECT
from trivium.data.labels import Labels, answered
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.bootstrap import Bootstrap
from trivium.measure.information import pointwise_information, simple
from trivium.measure.metrics import Bools, Floats, confusion, matthews
from trivium.measure.outputs import Asked, asked_in
from trivium.models.classifiers import HEAD


@dataclass(frozen=True)
class Results:
    """The predictions of a run of CURRICULUM, as far as they are in the store."""

    protocol: Protocol
    store: Store
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    _asked: dict[Reading, Asked | None] = field(default_factory=dict)
    _bits: dict[tuple[str, int], Floats | None] = field(default_factory=dict)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that are run."""
        return self.protocol.settings.run.seeds

    @property
    def asked_labels(self) -> Labels:
        """What the outputs of the model mean that is diagnosed."""
        return answered(self.protocol.base.labels)

    @property
    def strategies(self) -> list[str]:
        """The strategies of section 6."""
        chosen = self.protocol.settings.sequential
        return [DIRECT, *chosen.sources, *chosen.selections]

    def correlation(self, test: str, name: str, size: int = 0) -> Floats | None:
        """Matthews' correlation, mean over seeds, with resamples; None if a prediction is missing."""
        return self._over_seeds(Reading(test, name, 0, size), self._matthews)

    def accuracy(self, test: str, name: str, size: int = 0, model: str = "") -> Floats | None:
        """The accuracy, mean over seeds, with resamples; None if a prediction is missing."""
        return self._over_seeds(Reading(test, name, 0, size, model), self._accuracy)

    def spread(self, test: str, name: str, size: int = 0, model: str = "") -> float | None:
        """The standard deviation of the accuracy over seeds; None for one seed."""
        found = [self._accuracy(Reading(test, name, seed, size, model)) for seed in self.seeds]
        values = [one[0] for one in found if one is not None]
        return float(np.std(values, ddof=1)) if 1 < len(values) == len(found) else None

    def information(self, name: str) -> Floats | None:
        """V-information in bits, mean over seeds, with resamples; None if a prediction is missing."""
        return self._over_seeds(Reading(DIFFICULTY, name, 0), self._information)

    def across(self, name: str, trained: str, tested: str) -> Floats | None:
        """The accuracy on the simple or hard half of a phenomenon after training on one of them."""

        def read(reading: Reading) -> Floats | None:
            asked, easy = self.asked(reading), self.easy(name, reading.seed)
            if asked is None or easy is None:
                return None
            places = np.flatnonzero(easy == (tested == "simple"))
            if not len(places):
                return None
            return self._mean((asked.said == asked.gold)[places], reading, places)

        return self._over_seeds(Reading(GENERALIZATION, name, 0, 0, trained), read)

    def majority(self, name: str) -> float:
        """How often one would be right who always gave a phenomenon's most frequent label."""
        asked = self.protocol.chosen[name].validation
        return max(asked.counts().values()) / len(asked)

    def easy(self, name: str, seed: int) -> Bools | None:
        """Which validated examples are simple."""
        bits, informed = self.bits(name, seed), self.asked(Reading(DIFFICULTY, name, seed, model=INFORMED))
        if bits is None or informed is None:
            return None
        return simple(bits, informed.gold, self.protocol.settings.run.at)

    def bits(self, name: str, seed: int) -> Floats | None:
        """The pointwise V-information of each validated example; None if a prediction is missing."""
        if (name, seed) not in self._bits:
            informed, null = (self.asked(Reading(DIFFICULTY, name, seed, model=which)) for which in (INFORMED, NULL))
            there = informed is not None and null is not None
            self._bits[name, seed] = (
                pointwise_information(informed.logits, null.logits, informed.gold) if there else None  # type: ignore[union-attr]
            )
        return self._bits[name, seed]

    def asked(self, reading: Reading) -> Asked | None:
        """Logits and gold labels of a prediction in one scheme; None if it is not in the store."""
        if reading not in self._asked:
            step = self.protocol.wanted.get(reading)
            there = step is not None and step.key in self.store
            self._asked[reading] = self._read(reading) if there else None
        return self._asked[reading]

    def _read(self, reading: Reading) -> Asked:
        test, step = self.protocol.tests[reading], self.protocol.wanted[reading]
        return asked_in(test.examples, self.store.logits(step.key)[HEAD], self._model_labels(reading), test.labels)

    def _model_labels(self, reading: Reading) -> Labels:
        if reading.test == SEQUENTIAL:
            return self.protocol.tests[reading].labels
        return self.asked_labels

    def _matthews(self, reading: Reading) -> Floats | None:
        asked = self.asked(reading)
        if asked is None:
            return None
        number = len(asked.labels)
        each = confusion(asked.said, asked.gold, number)
        return matthews(self.bootstrap.sums(each, *self._named(reading)), number)

    def _accuracy(self, reading: Reading) -> Floats | None:
        asked = self.asked(reading)
        return None if asked is None else self._mean(asked.said == asked.gold, reading)

    def _information(self, reading: Reading) -> Floats | None:
        bits = self.bits(reading.phenomenon, reading.seed)
        return None if bits is None else self._mean(bits, reading._replace(model=INFORMED))

    def _mean(self, values: Bools | Floats, reading: Reading, places: NDArray[np.intp] | None = None) -> Floats:
        name, clusters = self._named(reading)
        if places is not None:
            name, clusters = f"{name}/{len(places)}", [clusters[place] for place in places]
        return self.bootstrap.mean(values, name, clusters)

    def _named(self, reading: Reading) -> tuple[str, list[str]]:
        """Examples with one premise stand or fall together; tests on the same examples are drawn alike."""
        test: Split = self.protocol.tests[reading]
        return test.identity, [example.premise for example in test]

    def _over_seeds(self, reading: Reading, read: Callable[[Reading], Floats | None]) -> Floats | None:
        by_seed = {}
        for seed in self.seeds:
            found = read(reading._replace(seed=seed))
            if found is None:
                return None
            by_seed[seed] = found
        return self.bootstrap.over_seeds(by_seed)
