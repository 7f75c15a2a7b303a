"""ConjNLI's design: bases, adversarial fine-tuning at once and by epochs, predicate-aware models, and tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from trivium.benchmarks.conjnli.settings import ConjSettings
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker, by_model
from trivium.build.conjuncts.flip import Flipped, flips
from trivium.build.conjuncts.material import (
    BUILTIN,
    CONJ,
    MNLI,
    Material,
    check_copies,
    check_material,
    check_slices,
    load_material,
    slices,
    with_fragment,
)
from trivium.build.conjuncts.traits import read_annotations
from trivium.build.splits.invariants import Invariant, require
from trivium.data.example import Example
from trivium.data.split import Split
from trivium.engine.steps import PredictStep, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import ModelConfig
from trivium.seeds import stream

BASE: Final = "base"
AFT, IAFT, PA, PA_IAFT = "aft", "iaft", "pa", "pa-iaft"
IAFT_FRAGMENT: Final = "iaft-fragment"
FLIPPED: Final = "flipped"
_TASK = "nli"


class Model(NamedTuple):
    """Which model: by which method, of which encoder and base; of IAFT with how many adversarial pairs (0: all)."""

    method: str
    seed: int
    encoder: str
    base: str = MNLI
    amount: int = 0


class PredictionKey(NamedTuple):
    """A prediction that is wanted: of a model, on a test."""

    model: Model
    test: str


@dataclass(frozen=True)
class ConjNliDesign:
    """A run of ConjNLI: its settings, its data, the slices of IAFT, and the predictions that it wants.

    ``annotated`` says which tested pairs are Boolean, by id, if a reader told.
    """

    settings: ConjSettings
    material: Material
    flipped: tuple[Flipped, ...]
    parts: tuple[tuple[Example, ...], ...]
    annotated: Mapping[str, bool]
    predictions: Mapping[PredictionKey, PredictStep]

    @property
    def encoder(self) -> str:
        """The encoder that all methods are tried with."""
        return self.settings.model.name

    @property
    def tests(self) -> dict[str, Split]:
        """All tests by name, with the flipped pairs."""
        after = Split(FLIPPED, tuple(one.after for one in self.flipped))
        return {**self.material.tests, **({FLIPPED: after} if self.flipped else {})}

    @property
    def mix(self) -> float:
        """The share of MNLI's pairs in what the first epoch of IAFT sees."""
        slice = len(self.parts[0]) if self.parts else 0
        return slice / max(slice + len(self.material.adversarial), 1)

    def keys(self) -> Iterator[tuple[dict[str, Any], PredictStep]]:
        """Yield the fields of each prediction's key, and its step."""
        for key, step in self.predictions.items():
            yield key.model._asdict() | {"test": key.test}, step

    def runs(self) -> Iterator[list[PredictStep]]:
        """The predictions of each model."""
        yield from by_model(self.predictions.values()).values()

    def findings(self) -> list[Invariant]:
        """What is promised about the data."""
        natural = () if self.settings.source == BUILTIN else (check_copies(self.material),)
        return [*check_material(self.material), *natural, *check_slices(self.parts)]


def make_design(settings: ConjSettings, store: Store | None) -> ConjNliDesign:
    """Load the data, prove that nothing leaks, and say which predictions are wanted."""
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    material = load_material(settings.source, settings.data.sizes(), settings.data_seed)
    above = [amount for amount in settings.run.amounts if amount > len(material.adversarial)]
    if above:
        raise UserError(
            f"run.amounts: {above[0]:,} adversarial pairs are wanted, and there are {len(material.adversarial):,}"
        )
    if settings.run.fragment:
        material = with_fragment(material, settings.run.fragment, settings.data_seed)
    iterates = any(method in (IAFT, PA_IAFT) for method in settings.run.methods)
    parts = tuple(slices(material.conjunctive(MNLI), settings.run.rounds, settings.data.slice)) if iterates else ()
    tested = material.tests[CONJ]
    annotations = settings.run.annotations
    annotated = {} if annotations is None else read_annotations(Path(annotations), tested)
    design = ConjNliDesign(settings, material, tuple(flips(tested)), parts, annotated, {})
    require("ConjNLI", design.findings())
    maker = _Wanted(design, store, {})
    maker.bases(model, fingerprint)
    maker.methods(model, fingerprint)
    maker.predicate_aware()
    return ConjNliDesign(settings, material, design.flipped, parts, annotated, maker.predictions)


def joined(part: tuple[Example, ...], adversarial: Split, round: int, seed: int) -> Split:
    """What an epoch of IAFT sees: a slice and all adversarial pairs, shuffled (Algorithm 1, lines 6 and 7)."""
    every = [*part, *adversarial]
    order = stream(seed, "data", "iaft", round).permutation(len(every))
    return Split(f"iaft {round}", tuple(every[place] for place in order))


@dataclass(frozen=True)
class _Wanted:
    """Collects the predictions that are wanted."""

    design: ConjNliDesign
    store: Store | None
    predictions: dict[PredictionKey, PredictStep]

    def bases(self, model: ModelConfig, fingerprint: str) -> None:
        """The bases of all encoders, and the MNLI base of the model with further seeds."""
        settings = self.design.settings
        for base in settings.run.bases:
            for seed in settings.run.seeds:
                self._base(model, fingerprint, base, seed)
        for seed in settings.run.more_seeds:
            self._base(model, fingerprint, MNLI, seed)
        for name in settings.run.encoders:
            other, print_ = resolve_model(
                settings.model.model_copy(update={"name": name, "revision": None}), self.store
            )
            for base in settings.run.bases:
                for seed in settings.run.seeds:
                    self._base(other, print_, base, seed)

    def methods(self, model: ModelConfig, fingerprint: str) -> None:
        """AFT and IAFT, which start from the MNLI base."""
        settings, material = self.design.settings, self.design.material
        make = self._maker(model, fingerprint)
        for seed in settings.run.seeds:
            first = make.trained(material.bases[MNLI], settings.train, seed)
            if AFT in settings.run.methods:
                step = make.trained(material.adversarial, settings.adapt, seed, first)
                self._want(make, Model(AFT, seed, model.name), step)
            if IAFT in settings.run.methods:
                self._want(make, Model(IAFT, seed, model.name), self._iterated(make, first, seed))
                if material.fragment is not None:
                    step = self._iterated(make, first, seed, material.fragment)
                    self._want(make, Model(IAFT_FRAGMENT, seed, model.name), step)
            for amount in settings.run.amounts:
                step = self._iterated(make, first, seed, material.first(amount))
                self._want(make, Model(IAFT, seed, model.name, amount=amount), step, (CONJ,))

    def predicate_aware(self) -> None:
        """The predicate-aware models, if there is a role encoder."""
        settings = self.design.settings
        if settings.run.roles is None or not {PA, PA_IAFT} & set(settings.run.methods):
            return
        try:
            model, fingerprint = resolve_model(settings.predicate_aware, self.store)
        except UserError as error:  # which speaks of the setting that the user did not write
            raise UserError(str(error).replace("model.roles", "run.roles")) from None
        make = self._maker(model, fingerprint)
        for seed in settings.run.seeds:
            first = make.trained(self.design.material.bases[MNLI], settings.train, seed)
            if PA in settings.run.methods:
                self._want(make, Model(PA, seed, settings.model.name), first)
            if PA_IAFT in settings.run.methods:
                step = self._iterated(make, first, seed)
                self._want(make, Model(PA_IAFT, seed, settings.model.name), step)

    def _base(self, model: ModelConfig, fingerprint: str, base: str, seed: int) -> None:
        make = self._maker(model, fingerprint)
        step = make.trained(self.design.material.bases[base], self.design.settings.train, seed)
        self._want(make, Model(BASE, seed, model.name, base), step)

    def _iterated(self, make: StepMaker, first: TrainStep, seed: int, pairs: Split | None = None) -> TrainStep:
        """The last epoch of IAFT, with all adversarial pairs or others; each starts from the one before."""
        settings = self.design.settings
        step = first
        for number, part in enumerate(self.design.parts, 1):
            shown = joined(part, pairs or self.design.material.adversarial, number, settings.data_seed)
            step = make.trained(shown, settings.round_train, seed, step)
        return step

    def _want(self, make: StepMaker, model: Model, step: TrainStep, tests: tuple[str, ...] | None = None) -> None:
        for name, split in self.design.tests.items():
            if tests is None or name in tests:
                self.predictions[PredictionKey(model, name)] = make.predicted(step, split)

    def _maker(self, model: ModelConfig, fingerprint: str) -> StepMaker:
        return StepMaker(model, fingerprint, (_TASK,), self.store)
