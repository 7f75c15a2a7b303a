"""CURRICULUM's design: which examples of which phenomena, and which predictions of which models are wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from trivium.benchmarks.curriculum.pairs import source_pairs
from trivium.benchmarks.curriculum.sequential import sequential_steps
from trivium.benchmarks.curriculum.settings import CurriculumSettings
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker, by_model
from trivium.build.phenomena.selection import (
    Chosen,
    check_chosen,
    choose_examples,
    hypothesis_only,
    load_parts,
    nothing,
    source_of,
)
from trivium.build.splits.invariants import require
from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.phenomena import phenomena_of
from trivium.data.split import Split
from trivium.engine.steps import DivideStep, PredictStep, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.models.classifiers import HEAD, own_labels

ZERO_SHOT: Final = "zero-shot"
DIFFICULTY: Final = "difficulty"
INOCULATION: Final = "inoculation"
HYPOTHESIS: Final = "hypothesis-only"
GENERALIZATION: Final = "generalization"
SEQUENTIAL: Final = "sequential"
INFORMED, NULL = "informed", "null"
HALVES = ("simple", "hard")


class PredictionKey(NamedTuple):
    """What a prediction is of: the test it belongs to, the phenomenon, the seed, and which model of that test.

    ``size`` is the number of training examples of each label, ``model`` tells ``informed`` from ``null`` and ``simple``
    from ``hard``. In section 6, ``phenomenon`` is the strategy and ``model`` the round of ANLI.
    """

    test: str
    phenomenon: str
    seed: int
    size: int = 0
    model: str = ""


@dataclass(frozen=True)
class CurriculumDesign:
    """A run of CURRICULUM: its settings, its data, and the predictions that it wants.

    ``missing`` are the phenomena that the source does not have.
    """

    settings: CurriculumSettings
    chosen: Mapping[str, Chosen]
    missing: tuple[str, ...]
    base: Split
    predictions: Mapping[PredictionKey, PredictStep]
    tests: Mapping[PredictionKey, Split]

    def keys(self) -> Iterator[tuple[dict[str, Any], PredictStep]]:
        """Yield the fields of each prediction's key, and its step."""
        for key, step in self.predictions.items():
            yield key._asdict(), step

    def runs(self) -> Iterator[list[PredictStep]]:
        """The predictions of each model."""
        yield from by_model(self.predictions.values()).values()

    def sizes(self, name: str) -> list[int]:
        """The sizes of inoculation for which a phenomenon has examples."""
        return [size for size in self.settings.run.sizes if self.chosen[name].first(size) is not None]


def make_design(settings: CurriculumSettings, store: Store | None) -> CurriculumDesign:
    """Choose the examples and say which predictions are wanted; a store keeps the examples."""
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    base = base_split(settings, store)
    chosen, missing = choose_all(settings, base)
    maker = _Wanted(settings, StepMaker(model, fingerprint, (HEAD,), store), base, {}, {})
    for seed in settings.run.seeds:
        for one in chosen.values():
            maker.of_phenomenon(one, seed)
    if SEQUENTIAL in settings.run.tests:
        for strategy, round, size, seed, step, test in sequential_steps(settings, maker.make):
            maker.want(PredictionKey(SEQUENTIAL, strategy, seed, size, round), step, test)
    return CurriculumDesign(settings, chosen, missing, base, maker.predictions, maker.tests)


def choose_all(settings: CurriculumSettings, base: Split) -> tuple[dict[str, Chosen], tuple[str, ...]]:
    """The proved examples of each phenomenon, and the phenomena that the source does not have."""
    chosen: dict[str, Chosen] = {}
    missing = []
    for phenomenon in phenomena_of(settings.run.phenomena):
        source = source_of(settings.source, phenomenon.name)
        if source is None:
            missing.append(phenomenon.name)
            continue
        parts = load_parts(source, phenomenon.name)
        one = choose_examples(phenomenon, source, parts, settings.data, settings.data_seed, base)
        require(phenomenon.title, check_chosen(one, base))
        chosen[phenomenon.name] = one
    if not chosen:
        raise UserError(
            f"there is no phenomenon to test: the source {settings.source!r} has none of {', '.join(missing)}; "
            "run `trivium data get curriculum`, or set TRIVIUM_DATA"
        )
    return chosen, tuple(missing)


def base_split(settings: CurriculumSettings, store: Store | None) -> Split:
    """What the NLI model is trained on before it is diagnosed; nothing, if it is taken as it is.

    Without a store nothing can be run, and the model is not looked for.
    """
    if settings.model.head == "own":
        name, commit = settings.model.name, settings.model.revision
        return Split("base", (), NLI3 if store is None else own_labels(name, commit))
    found: list[Example] = []
    for name in settings.base.data:
        found += source_pairs(name, settings.base.limit, settings.data_seed)
    if not found:
        raise UserError("base.data names no source: name one, or give a classifier with model.head='own'")
    return Split("base", tuple(found), NLI3)


@dataclass(frozen=True)
class _Wanted:
    """Collects the predictions that are wanted, and what each is about."""

    settings: CurriculumSettings
    make: StepMaker
    base: Split
    predictions: dict[PredictionKey, PredictStep]
    tests: dict[PredictionKey, Split]

    def want(self, reading: PredictionKey, step: PredictStep, test: Split) -> None:
        """Note a prediction; ``test`` has the labels, whatever part of its input the model is shown."""
        self.predictions[reading] = step
        self.tests[reading] = test

    def of_phenomenon(self, chosen: Chosen, seed: int) -> None:
        """The predictions of all tests but the sequential one."""
        model = self._model(seed)
        tests = self.settings.run.tests
        name, asked = chosen.phenomenon.name, chosen.validation
        if ZERO_SHOT in tests:
            self.want(PredictionKey(ZERO_SHOT, name, seed), self.make.predicted(model, asked), asked)
        if INOCULATION in tests:
            for size in self.settings.run.sizes:
                shown = chosen.first(size)
                if shown is not None:
                    step = self.make.predicted(self._taught(shown, model, seed), asked)
                    self.want(PredictionKey(INOCULATION, name, seed, size), step, asked)
        if HYPOTHESIS in tests:
            self._hypothesis_only(chosen, seed, model)
        if DIFFICULTY in tests or GENERALIZATION in tests:
            self._by_difficulty(chosen, seed, model)

    def _model(self, seed: int) -> TrainStep:
        """The model that is diagnosed. One that is taken as it is does not depend on a seed or on how to train."""
        train = self.settings.train
        if self.settings.model.head != "own":
            return self.make.trained(self.base, train, seed)
        same = TrainConfig(device=train.device, precision=train.precision, threads=train.threads)
        return self.make.trained(self.base, same, 0)

    def _hypothesis_only(self, chosen: Chosen, seed: int, model: TrainStep) -> None:
        there = [split for size in self.settings.run.sizes if (split := chosen.first(size)) is not None]
        if there:
            taught = self._taught(hypothesis_only(max(there, key=len)), model, seed)
            step = self.make.predicted(taught, hypothesis_only(chosen.validation))
            self.want(PredictionKey(HYPOTHESIS, chosen.phenomenon.name, seed), step, chosen.validation)

    def _by_difficulty(self, chosen: Chosen, seed: int, model: TrainStep) -> None:
        """Two models that tell what the input is worth, and one trained on each half of what they have not seen."""
        known = chosen.first(chosen.known)
        assert known is not None
        name, asked, other = chosen.phenomenon.name, chosen.validation, chosen.other()
        informed, null = self._taught(known, model, seed), self._taught(nothing(known), model, seed)
        first = PredictionKey(DIFFICULTY, name, seed)
        self.want(first._replace(model=INFORMED), self.make.predicted(informed, asked), asked)
        self.want(first._replace(model=NULL), self.make.predicted(null, nothing(asked)), asked)
        if GENERALIZATION not in self.settings.run.tests:
            return
        for half in HALVES:
            judged = self.make.predicted(informed, other), self.make.predicted(null, nothing(other))
            divided = DivideStep(*judged, half, self.settings.run.at)  # type: ignore[arg-type]
            taught = self.make.trained_on_half(divided, self.settings.inoculate, seed, model)
            reading = PredictionKey(GENERALIZATION, name, seed, model=half)
            self.want(reading, self.make.predicted(taught, asked), asked)

    def _taught(self, split: Split, model: TrainStep, seed: int) -> TrainStep:
        return self.make.trained(split, self.settings.inoculate, seed, model)
