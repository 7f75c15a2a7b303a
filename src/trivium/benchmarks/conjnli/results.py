"""Reading stored predictions of ConjNLI: accuracy on tests and on parts of them, flips, overlap and instability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.benchmarks.conjnli.design import BASE, FLIPPED, ConjNliDesign, Model, PredictionKey
from trivium.build.conjuncts.material import CONJ, MNLI
from trivium.build.conjuncts.traits import Traits, is_covered, traits_of
from trivium.data.example import Example
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.bootstrap import Bootstrap, Interval, by_seed, spread
from trivium.measure.instability import Instability, instability
from trivium.measure.metrics import Bools, Floats, mean_of
from trivium.measure.paired import share_interval

BOOLEAN, NON_BOOLEAN = "Boolean", "non-Boolean"
_TASK = "nli"


class Measured(NamedTuple):
    """A quantity with resamples, and its standard deviation over seeds, if there are several.

    Of a share of 0 or 1, of which resamples tell nothing, ``limits`` are those of the share.
    """

    quantity: Floats
    spread: float | None = None
    limits: Interval | None = None


@dataclass(frozen=True)
class Part:
    """Some examples of a test, under a name."""

    name: str
    chosen: Bools

    def __len__(self) -> int:
        return int(self.chosen.sum())


@dataclass(frozen=True)
class Results:
    """The predictions of a run of ConjNLI, as far as they are in the store."""

    design: ConjNliDesign
    store: Store
    bootstrap: Bootstrap = field(default_factory=Bootstrap)
    _said: dict[PredictionKey, NDArray[np.intp] | None] = field(default_factory=dict)
    _known: dict[tuple[object, ...], Measured | None] = field(default_factory=dict)

    @cached_property
    def tests(self) -> dict[str, Split]:
        """All tests by name."""
        return self.design.tests

    @cached_property
    def traits(self) -> list[Traits]:
        """What each pair of ConjNLI is about."""
        return [traits_of(example) for example in self.tests[CONJ]]

    def part(self, name: str, choose: Callable[[Traits], bool]) -> Part:
        """The pairs of ConjNLI that have a trait."""
        return Part(name, np.array([choose(traits) for traits in self.traits], dtype=np.bool_))

    def kind(self, conjunction: str) -> Part:
        """The pairs with a kind of conjunction."""
        return self.part(conjunction, lambda traits: traits.conjunction == conjunction)

    def boolean(self, wanted: bool, annotated: bool = False) -> Part:
        """The pairs that are Boolean, or are not: by the rules, or by what a reader annotated."""
        name = BOOLEAN if wanted else NON_BOOLEAN
        if not annotated:
            return self.part(name, lambda traits: traits.boolean is wanted)
        known = self.design.annotated
        return Part(
            f"{name}, annotated", np.array([known.get(e.id) is wanted for e in self.tests[CONJ]], dtype=np.bool_)
        )

    def covered(self, label: str | None = None, but: str | None = None) -> Part:
        """The pairs whose hypothesis has only words of the premise, with a gold label (or any, or any but one)."""
        chosen = [is_covered(e) and label in (None, e.label) and e.label != but for e in self.tests[CONJ]]
        name = f"covered {label or ''}{f' but {but}' if but else ''}".strip()
        return Part(name, np.array(chosen, dtype=np.bool_))

    def accuracy(
        self,
        method: str,
        test: str = CONJ,
        part: Part | None = None,
        base: str = MNLI,
        encoder: str = "",
        amount: int = 0,
    ) -> Measured | None:
        """The accuracy of a method over all seeds on a test or a part of one; None if not run, or there is nothing."""
        key = (method, test, "" if part is None else part.name, base, encoder, amount)
        if key not in self._known:
            model = Model(method, 0, encoder or self.design.encoder, base, amount)
            self._known[key] = self.over_seeds(model, test, part, self._right)
        return self._known[key]

    def over_seeds(
        self, model: Model, test: str, part: Part | None, read: Callable[[PredictionKey], Bools | None]
    ) -> Measured | None:
        """The mean over seeds of what is true of a model's answers to the examples of a part."""
        if part is not None and not len(part):
            return None

        def of_seed(seed: int) -> Floats | None:
            found = read(PredictionKey(model._replace(seed=seed), test))
            return None if found is None else self._mean(found, self.tests[test], part)

        found = by_seed(self.design.settings.run.seeds, of_seed)
        mean = self.bootstrap.over_seeds(found)
        if mean is None:
            return None
        number = len(self.tests[test]) if part is None else len(part)
        alike = share_interval(np.full(number, mean[0] == 1)) if mean[0] in (0, 1) else None
        return Measured(mean, spread(found), alike)

    def average(self, method: str, tests: Sequence[str]) -> Measured | None:
        """The mean of the accuracies on some tests."""
        found = [self.accuracy(method, test) for test in tests]
        mean = mean_of(None if one is None else one.quantity for one in found)
        return None if mean is None else Measured(mean)

    def says(self, method: str, label: str, part: Part) -> Measured | None:
        """How often a method says a label on a part of ConjNLI."""
        place = self.tests[CONJ].labels.index(label)

        def read(test: PredictionKey) -> Bools | None:
            said = self.said(test)
            return None if said is None else np.asarray(said == place)

        return self.over_seeds(Model(method, 0, self.design.encoder), CONJ, part, read)

    def only_label(self, method: str) -> str | None:
        """The label that a method gives to every pair of ConjNLI, whichever the seed; None if there are several."""
        everything = Part("all", np.ones(len(self.tests[CONJ]), dtype=np.bool_))
        found = {label: self.says(method, label, everything) for label in self.tests[CONJ].labels.names}
        return next((label for label, said in found.items() if said is not None and said.quantity[0] == 1), None)

    @cached_property
    def flippable(self) -> Part:
        """The pairs of ConjNLI that are flipped."""
        flipped = {one.before.id for one in self.design.flipped}
        return Part("flippable", np.array([example.id in flipped for example in self.tests[CONJ]], dtype=np.bool_))

    def changed(self, method: str) -> Measured | None:
        """How often a method says something else when *and* becomes *either … or*."""
        if not self.design.flipped:
            return None

        def read(test: PredictionKey) -> Bools | None:
            after, before = self.said(test), self.said(test._replace(test=CONJ))
            return None if after is None or before is None else np.asarray(after != before[self.flippable.chosen])

        return self.over_seeds(Model(method, 0, self.design.encoder), FLIPPED, None, read)

    def flipped(self, method: str) -> Measured | None:
        """The accuracy on the flipped pairs."""
        return self.accuracy(method, FLIPPED) if self.design.flipped else None

    def instability(self, test: str = CONJ) -> Instability | None:
        """How the accuracy of the MNLI base varies over all its seeds; None if there are not two that were run."""
        run = self.design.settings.run
        model = Model(BASE, 0, self.design.encoder)
        found = [self._right(PredictionKey(model._replace(seed=seed), test)) for seed in (*run.seeds, *run.more_seeds)]
        there = [one for one in found if one is not None]
        return instability(np.stack(there)) if len(there) == len(found) >= 2 else None

    def said(self, test: PredictionKey) -> NDArray[np.intp] | None:
        """The label that a model gives each example of a test; None if it is not in the store."""
        if test not in self._said:
            step = self.design.predictions.get(test)
            there = step is not None and step.key in self.store
            self._said[test] = self.store.logits(step.key)[_TASK].argmax(axis=1) if there and step else None
        return self._said[test]

    def _right(self, test: PredictionKey) -> Bools | None:
        said = self.said(test)
        if said is None:
            return None
        split = self.tests[test.test]
        return np.asarray(said == np.array([split.labels.index(str(example.label)) for example in split]))

    def _mean(self, values: Bools, split: Split, part: Part | None) -> Floats:
        """The mean with resamples; pairs that share a premise (of an addition, the hypothesis) are drawn together.

        Of a part it is the mean within resamples of the whole test, so that parts are drawn together too. Where some
        resample has nothing of the part, which happens if it is small, the part is drawn by itself.
        """
        together = [_sentence(example) for example in split]
        if part is None:
            return self.bootstrap.mean(values, split.identity, together)
        columns = np.stack([values & part.chosen, part.chosen], axis=1).astype(np.float64)
        right, of_all = self.bootstrap.sums(columns, split.identity, together).T
        if of_all.min() > 0:
            return np.asarray(right / of_all)
        chosen = [one for one, is_chosen in zip(together, part.chosen, strict=True) if is_chosen]
        return self.bootstrap.mean(values[part.chosen], f"{split.identity} {part.name}", chosen)


def _sentence(example: Example) -> str:
    """The sentence that a pair was made from: the longer of the two."""
    return max(example.premise, example.hypothesis or "", key=len)
