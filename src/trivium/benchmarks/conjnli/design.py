"""ConjNLI's design: bases, adversarial fine-tuning (AFT, IAFT), predicate-aware models (PA), and tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from trivium.benchmarks.conjnli.settings import ConjSettings
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import NLI_HEAD, StepMaker, group_by_model
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


class Model(NamedTuple):
    """A trained model: its method, seed, encoder, base, and the number of adversarial pairs of IAFT (0: all)."""

    method: str
    seed: int
    encoder: str
    base: str = MNLI
    amount: int = 0


class PredictionKey(NamedTuple):
    """A prediction of a model on a test."""

    model: Model
    test: str


@dataclass(frozen=True)
class ConjNliDesign:
    """A run of ConjNLI: its settings, its data, and the predictions that it needs.

    ``slices`` are the MNLI pairs of each epoch of IAFT. ``annotated`` maps the ids of tested pairs to whether they are
    Boolean; it is empty without annotations.
    """

    settings: ConjSettings
    material: Material
    flipped: tuple[Flipped, ...]
    slices: tuple[tuple[Example, ...], ...]
    annotated: Mapping[str, bool]
    predictions: Mapping[PredictionKey, PredictStep]

    @property
    def encoder(self) -> str:
        """The encoder of all methods."""
        return self.settings.model.name

    @property
    def tests(self) -> dict[str, Split]:
        """All tests by name, including the flipped pairs."""
        after = Split(FLIPPED, tuple(pair.after for pair in self.flipped))
        return {**self.material.tests, **({FLIPPED: after} if self.flipped else {})}

    @property
    def mnli_share(self) -> float:
        """The share of MNLI pairs in the first epoch of IAFT."""
        size = len(self.slices[0]) if self.slices else 0
        return size / max(size + len(self.material.adversarial), 1)

    def keys(self) -> Iterator[tuple[dict[str, Any], PredictStep]]:
        """Yield the fields of each prediction's key, and its step."""
        for key, step in self.predictions.items():
            yield key.model._asdict() | {"test": key.test}, step

    def runs(self) -> Iterator[list[PredictStep]]:
        """Yield the predictions of each model."""
        yield from group_by_model(self.predictions.values()).values()

    def invariants(self) -> list[Invariant]:
        """Check the invariants of the data and return the results."""
        natural = () if self.settings.source == BUILTIN else (check_copies(self.material),)
        return [*check_material(self.material), *natural, *check_slices(self.slices)]


def make_design(settings: ConjSettings, store: Store | None) -> ConjNliDesign:
    """Load the data, check that no tested pair is trained on, and plan the predictions."""
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    material = load_material(settings.source, settings.data.sizes(), settings.data_seed)
    above = [amount for amount in settings.run.amounts if amount > len(material.adversarial)]
    if above:
        raise UserError(
            f"run.amounts has {above[0]:,}, but there are {len(material.adversarial):,} adversarial pairs: lower it"
        )
    if settings.run.fragment:
        material = with_fragment(material, settings.run.fragment, settings.data_seed)
    needs_slices = any(method in (IAFT, PA_IAFT) for method in settings.run.methods)
    parts = slices(material.conjunctive(MNLI), settings.run.rounds, settings.data.slice) if needs_slices else []
    tested = material.tests[CONJ]
    annotations = settings.run.annotations
    annotated = {} if annotations is None else read_annotations(Path(annotations), tested)
    design = ConjNliDesign(settings, material, tuple(flips(tested)), tuple(parts), annotated, {})
    require("ConjNLI", design.invariants())
    planner = _Planner(design, store, {})
    planner.add_bases(model, fingerprint)
    planner.add_methods(model, fingerprint)
    planner.add_predicate_aware()
    return replace(design, predictions=planner.predictions)


def iaft_epoch(part: tuple[Example, ...], adversarial: Split, number: int, seed: int) -> Split:
    """Return the pairs of an epoch of IAFT: a slice and all adversarial pairs, shuffled (Algorithm 1, lines 6, 7)."""
    pairs = [*part, *adversarial]
    order = stream(seed, "data", "iaft", number).permutation(len(pairs))
    return Split(f"iaft {number}", tuple(pairs[index] for index in order))


@dataclass(frozen=True)
class _Planner:
    """Plans the predictions of a design and adds them to ``predictions``."""

    design: ConjNliDesign
    store: Store | None
    predictions: dict[PredictionKey, PredictStep]

    def add_bases(self, model: ModelConfig, fingerprint: str) -> None:
        """Add the bases of all encoders, and the model's MNLI base with further seeds."""
        settings = self.design.settings
        for base in settings.run.bases:
            for seed in settings.run.seeds:
                self._add_base(model, fingerprint, base, seed)
        for seed in settings.run.more_seeds:
            self._add_base(model, fingerprint, MNLI, seed)
        for name in settings.run.encoders:
            config = settings.model.model_copy(update={"name": name, "revision": None})
            other, other_fingerprint = resolve_model(config, self.store)
            for base in settings.run.bases:
                for seed in settings.run.seeds:
                    self._add_base(other, other_fingerprint, base, seed)

    def add_methods(self, model: ModelConfig, fingerprint: str) -> None:
        """Add AFT and IAFT, which start from the MNLI base."""
        settings, material = self.design.settings, self.design.material
        make = self._maker(model, fingerprint)
        for seed in settings.run.seeds:
            base = make.train(material.bases[MNLI], settings.train, seed)
            if AFT in settings.run.methods:
                step = make.train(material.adversarial, settings.adapt, seed, base)
                self._add(make, Model(AFT, seed, model.name), step)
            if IAFT in settings.run.methods:
                self._add(make, Model(IAFT, seed, model.name), self._iaft(make, base, seed))
                if material.fragment is not None:
                    step = self._iaft(make, base, seed, material.fragment)
                    self._add(make, Model(IAFT_FRAGMENT, seed, model.name), step)
            for amount in settings.run.amounts:
                step = self._iaft(make, base, seed, material.first(amount))
                self._add(make, Model(IAFT, seed, model.name, amount=amount), step, (CONJ,))

    def add_predicate_aware(self) -> None:
        """Add the predicate-aware models, if there is a role encoder."""
        settings = self.design.settings
        if settings.run.roles is None or not {PA, PA_IAFT} & set(settings.run.methods):
            return
        try:
            model, fingerprint = resolve_model(settings.predicate_aware, self.store)
        except UserError as error:  # the message names model.roles, which the user did not set
            raise UserError(str(error).replace("model.roles", "run.roles")) from None
        make = self._maker(model, fingerprint)
        for seed in settings.run.seeds:
            base = make.train(self.design.material.bases[MNLI], settings.train, seed)
            if PA in settings.run.methods:
                self._add(make, Model(PA, seed, settings.model.name), base)
            if PA_IAFT in settings.run.methods:
                step = self._iaft(make, base, seed)
                self._add(make, Model(PA_IAFT, seed, settings.model.name), step)

    def _add_base(self, model: ModelConfig, fingerprint: str, base: str, seed: int) -> None:
        make = self._maker(model, fingerprint)
        step = make.train(self.design.material.bases[base], self.design.settings.train, seed)
        self._add(make, Model(BASE, seed, model.name, base), step)

    def _iaft(self, make: StepMaker, base: TrainStep, seed: int, pairs: Split | None = None) -> TrainStep:
        """Return the last epoch of IAFT, with ``pairs`` or, by default, all adversarial pairs."""
        settings = self.design.settings
        step = base
        for number, part in enumerate(self.design.slices, 1):
            split = iaft_epoch(part, pairs or self.design.material.adversarial, number, settings.data_seed)
            step = make.train(split, settings.round_train, seed, step)
        return step

    def _add(self, make: StepMaker, model: Model, step: TrainStep, tests: tuple[str, ...] | None = None) -> None:
        for name, split in self.design.tests.items():
            if tests is None or name in tests:
                self.predictions[PredictionKey(model, name)] = make.predict(step, split)

    def _maker(self, model: ModelConfig, fingerprint: str) -> StepMaker:
        return StepMaker(model, fingerprint, (NLI_HEAD,), self.store)
