"""SETI's design: what is built, which models are trained on what, and which predictions are wanted from each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.seti.settings import SetiSettings
from trivium.benchmarks.steps import StepMaker, by_model
from trivium.build.splits.systematicity import (
    NO,
    SETTINGS,
    YES,
    Inferences,
    Setting,
    SettingSplits,
    build_setting,
    choose_inferences,
    composed,
    said,
    shortcut_probe,
    shots_of,
)
from trivium.build.splits.systematicity_invariants import prove_setting
from trivium.build.veridicality.verbs import THAT_VERBS
from trivium.data.example import Example
from trivium.data.labels import NLI2
from trivium.data.sources import choose_source, load_source
from trivium.data.split import Split
from trivium.engine.steps import PredictStep, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.seeds import stream

T = TypeVar("T")
HEADS = ("nli",)
_VERBS = {label: [verb for verb in THAT_VERBS if verb.label == label] for label in (YES, NO)}
COMPOSITIONAL, IN_DISTRIBUTION = "compositional", "in-distribution"
DEEP = "task2-trivial"
"""The setting whose model, in distribution, has seen all rules with one verb: it is asked about chains of verbs."""

PROBED = "task3-nontrivial-ver"
"""The setting that a model can solve by the verb alone: it is also asked about what that gets wrong."""


class PredictionKey(NamedTuple):
    """What a prediction is of: which model (setting, configuration, seed, after how many shots), and which test.

    ``part`` is ``test``; ``dev`` for what is like the training: what was learned, and what shots cost; or ``probe``.
    ``depth`` is the number of verbs of the test with chains, 0 for the setting's own.
    """

    setting: str
    configuration: str
    seed: int
    shots: int = 0
    depth: int = 0
    part: str = "test"


class BuiltData(NamedTuple):
    """What is built before anything is trained: the source, its inferences, and the splits of each setting."""

    source: str
    inferences: Inferences
    splits: dict[str, dict[str, SettingSplits]]
    chains: dict[int, Split]
    probe: Split | None

    def part(self, setting: str, configuration: str, name: str) -> Split:
        """The test of a setting, as much of what is held out of the training, or the probe for a shortcut."""
        parts = self.splits[setting][configuration]
        if name == "probe" and self.probe is not None:
            return self.probe
        return parts.test if name == "test" else Split("dev", parts.dev.examples[: len(parts.test)], NLI2)


@dataclass(frozen=True)
class SetiDesign:
    """A run of SETI: its settings, its data, and the predictions that it wants."""

    settings: SetiSettings
    data: BuiltData
    predictions: Mapping[PredictionKey, PredictStep]

    def keys(self) -> Iterator[tuple[dict[str, Any], PredictStep]]:
        """Yield the fields of each prediction's key, and its step."""
        for key, step in self.predictions.items():
            yield key._asdict(), step

    def runs(self) -> Iterator[list[PredictStep]]:
        """The predictions of each run: a model, with shots after it or not."""
        yield from by_model(self.predictions.values()).values()

    def test(self, reading: PredictionKey) -> Split:
        """What a prediction is about."""
        if reading.depth:
            return self.data.chains[reading.depth]
        return self.data.part(reading.setting, reading.configuration, reading.part)


def build_data(settings: SetiSettings) -> BuiltData:
    """The source that is used, its inferences, and the proved splits of each setting."""
    name = choose_source(settings.source, "sick")
    seed = settings.data_seed
    inferences = choose_inferences(load_source(name).examples, settings.data, stream(seed, "data"))
    splits = {}
    for setting in chosen_settings(settings):
        rng = stream(seed, "data", "setting", setting.name)
        splits[setting.name] = build_setting(setting, inferences, settings.data, rng)
        prove_setting(setting, splits[setting.name])
    chains = {}
    for depth in settings.run.depths:
        parts = splits[DEEP][IN_DISTRIBUTION]
        trained = {said(example) for example in (*parts.train, *parts.dev)}
        rng = stream(seed, "data", "depth", depth)
        chains[depth] = chains_of(inferences, depth, settings.run.depth_test, trained, rng)
    probe = None
    if PROBED in splits:
        number = len(splits[PROBED][COMPOSITIONAL].test)
        probe = shortcut_probe(inferences, number, stream(seed, "data", "probe"))
    return BuiltData(name, inferences, splits, chains, probe)


def chosen_settings(settings: SetiSettings) -> list[Setting]:
    """The settings that are run, in the paper's order."""
    return [setting for setting in SETTINGS if setting.name in settings.run.settings]


def chains_of(
    inferences: Inferences, depth: int, number: int, trained: Set[tuple[str, str]], rng: np.random.Generator
) -> Split:
    """Compositions of so many verbs with natural pairs, none of them trained; half of them are entailed.

    The others are of the other three rules in equal numbers, so that depths can be compared. One verb of a chain that
    is not veridical is not, at a random place.
    """
    found: dict[tuple[str, str], Example] = {}
    shares = {(YES, YES): number // 2, (YES, NO): number // 6, (NO, YES): number // 6, (NO, NO): number // 6}
    for (over, label), share in shares.items():
        pairs, wanted = inferences.of(label=label), len(found) + max(1, share)
        for _ in range(20 * number):
            verbs = [_one_of(_VERBS[YES], rng) for _ in range(depth)]
            if over == NO:
                verbs[int(rng.integers(depth))] = _one_of(_VERBS[NO], rng)
            made = composed(verbs, _one_of(pairs, rng))
            if said(made) not in trained:
                found.setdefault(said(made), made)
            if len(found) == wanted:
                break
        else:
            raise UserError(f"run.depth_test is {number}: there are not so many chains of {depth} that are not trained")
    return Split(f"depth-{depth}", tuple(found.values()), NLI2)


def make_design(settings: SetiSettings, store: Store | None) -> SetiDesign:
    """Build the data and say which predictions are wanted; a store keeps the data.

    Without a store nothing can be run, and the model, which may be on a hub out of reach, is not looked for.
    """
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    data = build_data(settings)
    maker = _SettingSteps(settings, StepMaker(model, fingerprint, HEADS, store), data)
    predictions: dict[PredictionKey, PredictStep] = {}
    for setting in chosen_settings(settings):
        for seed in settings.run.seeds:
            predictions |= maker.steps(setting, seed)
    return SetiDesign(settings.model_copy(update={"source": data.source}), data, predictions)


@dataclass(frozen=True)
class _SettingSteps:
    """Makes the steps of a setting and seed."""

    settings: SetiSettings
    make: StepMaker
    data: BuiltData

    def steps(self, setting: Setting, seed: int) -> dict[PredictionKey, PredictStep]:
        """Each configuration, the shots after compositional training, and chains of verbs."""
        run = self.settings.run
        found: dict[PredictionKey, PredictStep] = {}
        for configuration in run.configurations:
            parts = self.data.splits[setting.name][configuration]
            model = self._train(parts.train, seed)
            reading = PredictionKey(setting.name, configuration, seed)
            probed = setting.name == PROBED and configuration == COMPOSITIONAL
            for part in ("test", "dev", *(["probe"] if probed else [])):
                split = self.data.part(setting.name, configuration, part)
                found[reading._replace(part=part)] = self.make.predicted(model, split)
            if setting.shots and configuration == COMPOSITIONAL:
                found |= self._shot_steps(reading, model, parts.few)
            if setting.name == DEEP and configuration == IN_DISTRIBUTION:
                for depth, chains in self.data.chains.items():
                    found[reading._replace(depth=depth)] = self.make.predicted(model, chains)
        return found

    def _shot_steps(self, reading: PredictionKey, model: TrainStep, few: Split) -> dict[PredictionKey, PredictStep]:
        """The model after each number of shots, asked about its test and about what is like its training."""
        found: dict[PredictionKey, PredictStep] = {}
        most = max(self.settings.run.shots, default=0)
        drawn = shots_of(few.examples, most, stream(reading.seed, "data", "shots", reading.setting))
        if len(drawn) < most:
            raise UserError(f"run.shots has {most}, but {reading.setting} has {len(drawn)} shots to give: lower it")
        for shots in self.settings.run.shots:
            shown = self._train(Split("few", tuple(drawn[:shots]), NLI2), reading.seed, model)
            for part in ("test", "dev"):
                split = self.data.part(reading.setting, reading.configuration, part)
                found[reading._replace(shots=shots, part=part)] = self.make.predicted(shown, split)
        return found

    def _train(self, split: Split, seed: int, parent: TrainStep | None = None) -> TrainStep:
        train = self.settings.train
        if parent is not None:
            train = train.model_copy(update={"epochs": self.settings.run.shot_epochs, "warmup": 0.0})
        return self.make.trained(split, train, seed, parent)


def _one_of(items: Sequence[T], rng: np.random.Generator) -> T:
    return items[int(rng.integers(len(items)))]
