"""CURRICULUM's design: the examples of each phenomenon, the models, and the predictions of each model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from trivium.benchmarks.curriculum.pairs import source_pairs
from trivium.benchmarks.curriculum.sequential import sequential_steps
from trivium.benchmarks.curriculum.settings import CurriculumSettings
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import NLI_HEAD, StepMaker, group_by_model
from trivium.build.phenomena.selection import (
    Selection,
    check_selection,
    hypothesis_only,
    load_parts,
    null_input,
    select_examples,
    source_of,
)
from trivium.build.splits.invariants import require
from trivium.data.example import Example
from trivium.data.labels import NLI3, Labels, output_labels
from trivium.data.phenomena import select_phenomena
from trivium.data.split import Split
from trivium.engine.steps import DivideStep, PredictStep, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, TrainConfig

ZERO_SHOT: Final = "zero-shot"
DIFFICULTY: Final = "difficulty"
INOCULATION: Final = "inoculation"
HYPOTHESIS: Final = "hypothesis-only"
GENERALIZATION: Final = "generalization"
SEQUENTIAL: Final = "sequential"
INFORMED, NULL = "informed", "null"
HALVES = ("simple", "hard")


class PredictionKey(NamedTuple):
    """Identifies a prediction: the test it belongs to, the phenomenon, the seed, and the model.

    ``size`` is the number of training examples per label. ``model`` is ``informed`` or ``null`` for difficulty, and
    ``simple`` or ``hard`` for generalization; in the zero-shot test it is one of ``run.models``, or empty. In section
    6, ``phenomenon`` is the strategy and ``model`` the round of ANLI.
    """

    test: str
    phenomenon: str
    seed: int
    size: int = 0
    model: str = ""


@dataclass(frozen=True)
class CurriculumDesign:
    """A run of CURRICULUM: its settings, its data, and the predictions that it needs.

    ``examples`` has the selection of each phenomenon; ``missing`` are the phenomena that the source does not have.
    ``base`` is what the model is trained on before it is diagnosed, ``others`` the labels of each of ``run.models``.
    """

    settings: CurriculumSettings
    examples: Mapping[str, Selection]
    missing: tuple[str, ...]
    base: Split
    predictions: Mapping[PredictionKey, PredictStep]
    tests: Mapping[PredictionKey, Split]
    others: Mapping[str, Labels] = field(default_factory=dict)

    def keys(self) -> Iterator[tuple[dict[str, Any], PredictStep]]:
        """Yield the fields of each prediction's key, and its step."""
        for key, step in self.predictions.items():
            yield key._asdict(), step

    def runs(self) -> Iterator[list[PredictStep]]:
        """Yield the predictions of each model."""
        yield from group_by_model(self.predictions.values()).values()

    def sizes(self, name: str) -> list[int]:
        """Return the inoculation sizes for which a phenomenon has enough examples."""
        return [size for size in self.settings.run.sizes if self.examples[name].first(size) is not None]


def make_design(settings: CurriculumSettings, store: Store | None) -> CurriculumDesign:
    """Select the examples and return the design. The examples are saved in the store, if given."""
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    base = base_split(settings, store)
    selections, missing = select_all(settings, base)
    collector = _Collector(settings, StepMaker(model, fingerprint, (NLI_HEAD,), store), base, {}, {})
    for seed in settings.run.seeds:
        for selection in selections.values():
            collector.add_phenomenon(selection, seed)
    if SEQUENTIAL in settings.run.tests:
        classifier = collector.model(settings.run.seeds[0]) if model.head == "own" else None
        for strategy, round, size, seed, step, test in sequential_steps(settings, collector.make, classifier):
            collector.add(PredictionKey(SEQUENTIAL, strategy, seed, size, round), step, test)
    others = {name: _add_model(name, collector, selections, store) for name in settings.run.models}
    return CurriculumDesign(settings, selections, missing, base, collector.predictions, collector.tests, others)


def _add_model(name: str, collector: _Collector, selections: Mapping[str, Selection], store: Store | None) -> Labels:
    """Add the zero-shot predictions of another model, and return its labels."""
    config = collector.settings.model.model_copy(update={"name": name, "revision": None})
    model, fingerprint = resolve_model(config, store)
    settings = collector.settings.model_copy(update={"model": model})
    base = base_split(settings, store)
    other = replace(collector, settings=settings, base=base, make=StepMaker(model, fingerprint, (NLI_HEAD,), store))
    for seed in settings.run.seeds:
        for selection in selections.values():
            key = PredictionKey(ZERO_SHOT, selection.phenomenon.name, seed, model=name)
            other.add(key, other.make.predict(other.model(seed), selection.validation), selection.validation)
    return output_labels(base.labels)


def select_all(settings: CurriculumSettings, base: Split) -> tuple[dict[str, Selection], tuple[str, ...]]:
    """Select and check the examples of each phenomenon; also return the phenomena that the source does not have."""
    selections: dict[str, Selection] = {}
    missing = []
    for phenomenon in select_phenomena(settings.run.phenomena):
        source = source_of(settings.source, phenomenon.name)
        if source is None:
            missing.append(phenomenon.name)
            continue
        parts = load_parts(source, phenomenon.name)
        selection = select_examples(phenomenon, source, parts, settings.data, settings.data_seed, base)
        require(phenomenon.title, check_selection(selection, base))
        selections[phenomenon.name] = selection
    if not selections:
        raise UserError(
            f"no phenomenon to test: the source {settings.source!r} has none of {', '.join(missing)}; "
            "run `trivium data get curriculum`, or set TRIVIUM_DATA"
        )
    return selections, tuple(missing)


def base_split(settings: CurriculumSettings, store: Store | None) -> Split:
    """Return what the NLI model is trained on before it is diagnosed: nothing for a trained classifier.

    Without a store nothing can be run, so the labels of a classifier are not looked up.
    """
    if settings.model.head == "own":
        return Split("base", (), NLI3 if store is None else _own_labels(settings.model))
    examples: list[Example] = []
    for name in settings.base.data:
        examples += source_pairs(name, settings.base.limit, settings.data_seed)
    if not examples:
        raise UserError("base.data is empty: name a source, or use a classifier with model.head='own'")
    return Split("base", tuple(examples), NLI3)


def _own_labels(model: ModelConfig) -> Labels:
    from trivium.models.classifiers import nli_labels  # imports torch

    return nli_labels(model.name, model.revision)


@dataclass(frozen=True)
class _Collector:
    """Collects the predictions of a run, and the split with the gold labels of each."""

    settings: CurriculumSettings
    make: StepMaker
    base: Split
    predictions: dict[PredictionKey, PredictStep]
    tests: dict[PredictionKey, Split]

    def add(self, key: PredictionKey, step: PredictStep, test: Split) -> None:
        """Add a prediction. ``test`` has the gold labels; the model may see only a part of the inputs."""
        self.predictions[key] = step
        self.tests[key] = test

    def add_phenomenon(self, selection: Selection, seed: int) -> None:
        """Add the predictions of all tests except the sequential one."""
        model = self.model(seed)
        tests = self.settings.run.tests
        name, validation = selection.phenomenon.name, selection.validation
        if ZERO_SHOT in tests:
            self.add(PredictionKey(ZERO_SHOT, name, seed), self.make.predict(model, validation), validation)
        if INOCULATION in tests:
            for size in self.settings.run.sizes:
                split = selection.first(size)
                if split is not None:
                    step = self.make.predict(self._inoculate(split, model, seed), validation)
                    self.add(PredictionKey(INOCULATION, name, seed, size), step, validation)
        if HYPOTHESIS in tests:
            self._add_hypothesis_only(selection, seed, model)
        if DIFFICULTY in tests or GENERALIZATION in tests:
            self._add_by_difficulty(selection, seed, model)

    def model(self, seed: int) -> TrainStep:
        """Return the model to diagnose. A trained classifier depends on neither the seed nor the training settings."""
        train = self.settings.train
        if self.settings.model.head != "own":
            return self.make.train(self.base, train, seed)
        untrained = TrainConfig(device=train.device, precision=train.precision, threads=train.threads)
        return self.make.train(self.base, untrained, 0)

    def _add_hypothesis_only(self, selection: Selection, seed: int, model: TrainStep) -> None:
        available = [split for size in self.settings.run.sizes if (split := selection.first(size)) is not None]
        if available:
            trained = self._inoculate(hypothesis_only(max(available, key=len)), model, seed)
            step = self.make.predict(trained, hypothesis_only(selection.validation))
            self.add(PredictionKey(HYPOTHESIS, selection.phenomenon.name, seed), step, selection.validation)

    def _add_by_difficulty(self, selection: Selection, seed: int, model: TrainStep) -> None:
        """Add the two models that measure V-information, and a model trained on each half of the other examples."""
        known = selection.first(selection.known)
        assert known is not None
        name, validation, other = selection.phenomenon.name, selection.validation, selection.other()
        informed, null = self._inoculate(known, model, seed), self._inoculate(null_input(known), model, seed)
        key = PredictionKey(DIFFICULTY, name, seed)
        self.add(key._replace(model=INFORMED), self.make.predict(informed, validation), validation)
        self.add(key._replace(model=NULL), self.make.predict(null, null_input(validation)), validation)
        if GENERALIZATION not in self.settings.run.tests:
            return
        for half in HALVES:
            predictions = self.make.predict(informed, other), self.make.predict(null, null_input(other))
            divided = DivideStep(*predictions, half, self.settings.run.at)  # type: ignore[arg-type]
            trained = self.make.train_on_half(divided, self.settings.inoculate, seed, model)
            key = PredictionKey(GENERALIZATION, name, seed, model=half)
            self.add(key, self.make.predict(trained, validation), validation)

    def _inoculate(self, split: Split, model: TrainStep, seed: int) -> TrainStep:
        return self.make.train(split, self.settings.inoculate, seed, model)
