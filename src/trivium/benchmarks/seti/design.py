"""SETI's design: the data of each setting, the models that are trained on it, and the predictions of each model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, get_args

import numpy as np

from trivium.benchmarks.composers import ComposerDesign
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.seti.settings import SetiSettings
from trivium.benchmarks.steps import NLI_HEAD, StepMaker, group_by_model
from trivium.build.splits.systematicity import (
    NO,
    SETTINGS,
    YES,
    Inferences,
    Setting,
    SettingSplits,
    build_setting,
    choose_inferences,
    composed_inference,
    shortcut_probe,
    shots_of,
    text_key,
)
from trivium.build.splits.systematicity_invariants import require_setting_invariants
from trivium.build.veridicality.verbs import THAT_VERBS
from trivium.data.example import Example
from trivium.data.labels import NLI2
from trivium.data.sources import choose_source, load_source
from trivium.data.split import Split
from trivium.engine.steps import PredictStep, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, Pooling
from trivium.models.composer import find_composers
from trivium.seeds import stream

T = TypeVar("T")
_VERBS = {label: [verb for verb in THAT_VERBS if verb.label == label] for label in (YES, NO)}
COMPOSITIONAL, IN_DISTRIBUTION = "compositional", "in-distribution"
DEEP = "task2-trivial"
"""The setting whose in-distribution model has seen all rules with one verb, and is tested on chains of verbs."""

PROBED = "task3-nontrivial-ver"
"""The setting that can be solved by the verb alone, and is also tested on examples where that shortcut fails."""


class PredictionKey(NamedTuple):
    """Identifies a prediction: the model (setting, configuration, seed, number of shots) and its test.

    ``part`` is ``test``, ``dev`` (held-out training data, which shows what was learned and what shots cost) or
    ``probe`` (examples where the shortcut fails). ``depth`` is the number of verbs in a test on chains, else 0.
    ``composer`` is one of ``run.composers``, or empty for ``model.composer``; ``model`` is one of ``run.models``, or
    empty for ``model.name``.
    """

    setting: str
    configuration: str
    seed: int
    shots: int = 0
    depth: int = 0
    part: str = "test"
    composer: str = ""
    model: str = ""


class BuiltData(NamedTuple):
    """The data of a run: the name of the source, its natural inferences, and the splits of each setting."""

    source: str
    inferences: Inferences
    splits: dict[str, dict[str, SettingSplits]]
    chains: dict[int, Split]
    probe: Split | None

    def part(self, setting: str, configuration: str, name: str) -> Split:
        """Return a part of a setting: ``test``, ``dev`` (at most as many examples as in the test) or ``probe``."""
        if name == "probe" and self.probe is not None:
            return self.probe
        splits = self.splits[setting][configuration]
        return splits.test if name == "test" else Split("dev", splits.dev.examples[: len(splits.test)], NLI2)


@dataclass(frozen=True)
class SetiDesign(ComposerDesign):
    """A run of SETI: its settings, its data, and the predictions that it needs."""

    settings: SetiSettings
    data: BuiltData
    predictions: Mapping[PredictionKey, PredictStep]

    def keys(self) -> Iterator[tuple[dict[str, Any], PredictStep]]:
        """Yield the fields of each prediction's key, and its step."""
        for fields, step in super().keys():  # noqa: SIM118
            yield fields | {"model": fields["model"] or self.settings.model.name}, step

    @property
    def models(self) -> tuple[str, ...]:
        """The models of the run as in keys: an empty name for that of the settings, then the others."""
        return ("", *self.settings.run.models)

    def model_title(self, model: str) -> str:
        """Return the name of a model in tables and charts."""
        return named_model(model or self.settings.model.name, self.settings.model).name.rpartition("/")[2]

    def runs(self) -> Iterator[list[PredictStep]]:
        """Yield the predictions of each model."""
        yield from group_by_model(self.predictions.values()).values()

    def test(self, key: PredictionKey) -> Split:
        """Return the split that is predicted."""
        if key.depth:
            return self.data.chains[key.depth]
        return self.data.part(key.setting, key.configuration, key.part)


def build_data(settings: SetiSettings) -> BuiltData:
    """Build the data of a run and check its invariants."""
    name = choose_source(settings.source, "sick")
    seed = settings.data_seed
    inferences = choose_inferences(load_source(name).examples, settings.data, stream(seed, "data"))
    splits = {}
    for setting in chosen_settings(settings):
        rng = stream(seed, "data", "setting", setting.name)
        splits[setting.name] = build_setting(setting, inferences, settings.data, rng)
        require_setting_invariants(setting, splits[setting.name])
    chains = {}
    for depth in settings.run.depths:
        deep = splits[DEEP][IN_DISTRIBUTION]
        trained = {text_key(example) for example in (*deep.train, *deep.dev)}
        rng = stream(seed, "data", "depth", depth)
        chains[depth] = chains_of(inferences, depth, settings.run.depth_test, trained, rng)
    probe = None
    if PROBED in splits:
        number = len(splits[PROBED][COMPOSITIONAL].test)
        probe = shortcut_probe(inferences, number, stream(seed, "data", "probe"))
    return BuiltData(name, inferences, splits, chains, probe)


def chosen_settings(settings: SetiSettings) -> list[Setting]:
    """Return the settings to run, in the paper's order."""
    return [setting for setting in SETTINGS if setting.name in settings.run.settings]


def chains_of(
    inferences: Inferences, depth: int, number: int, trained: Set[tuple[str, str]], rng: np.random.Generator
) -> Split:
    """Return compositions of ``depth`` verbs with natural pairs that are not in the training data.

    Half of them are entailed. The rest is divided equally among the other three rules, so that depths are comparable.
    A chain that is not veridical has one non-veridical verb, at a random position.
    """
    chains: dict[tuple[str, str], Example] = {}
    sizes = {(YES, YES): number // 2, (YES, NO): number // 6, (NO, YES): number // 6, (NO, NO): number // 6}
    for (veridical, label), size in sizes.items():
        pairs, required = inferences.of(label=label), len(chains) + max(1, size)
        for _ in range(20 * number):
            verbs = [_choice(_VERBS[YES], rng) for _ in range(depth)]
            if veridical == NO:
                verbs[int(rng.integers(depth))] = _choice(_VERBS[NO], rng)
            chain = composed_inference(verbs, _choice(pairs, rng))
            if text_key(chain) not in trained:
                chains.setdefault(text_key(chain), chain)
            if len(chains) == required:
                break
        else:
            raise UserError(
                f"run.depth_test is {number}, but there are fewer untrained chains of depth {depth}: lower depth_test"
            )
    return Split(f"depth-{depth}", tuple(chains.values()), NLI2)


def make_design(settings: SetiSettings, store: Store | None) -> SetiDesign:
    """Build the data and return the design. The data is saved in the store, if given."""
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    data = build_data(settings)
    predictions: dict[PredictionKey, PredictStep] = {}
    for composer in dict.fromkeys((model.composer, *settings.run.composers)):
        find_composers()[composer]  # raises if there is no such composer
        composing = model.model_copy(update={"composer": composer})
        setting_steps = _SettingSteps(settings, StepMaker(composing, fingerprint, (NLI_HEAD,), store), data)
        name = "" if composer == model.composer else composer
        for setting in chosen_settings(settings):
            for seed in settings.run.seeds:
                steps = setting_steps.steps(setting, seed)
                predictions |= {key._replace(composer=name): step for key, step in steps.items()}
    for other in settings.run.models:
        resolved, its_fingerprint = resolve_model(named_model(other, model), store)
        its_steps = _SettingSteps(settings, StepMaker(resolved, its_fingerprint, (NLI_HEAD,), store), data)
        for setting in chosen_settings(settings):
            for seed in settings.run.seeds:
                steps = its_steps.steps(setting, seed)
                predictions |= {key._replace(model=other): step for key, step in steps.items()}
    return SetiDesign(settings.model_copy(update={"source": data.source}), data, predictions)


def named_model(name: str, like: ModelConfig) -> ModelConfig:
    """Return a model with another name, and another pooling if the name ends with one, such as ``gpt2-large:last``."""
    bare, _, pooling = name.rpartition(":")
    own = {"name": bare, "pooling": pooling} if bare and pooling in get_args(Pooling) else {"name": name}
    return like.model_copy(update={**own, "revision": None})


@dataclass(frozen=True)
class _SettingSteps:
    """Plans the predictions of a setting and seed."""

    settings: SetiSettings
    make: StepMaker
    data: BuiltData

    def steps(self, setting: Setting, seed: int) -> dict[PredictionKey, PredictStep]:
        """Return the predictions of each configuration, after shots, and on chains of verbs."""
        predictions: dict[PredictionKey, PredictStep] = {}
        for configuration in self.settings.run.configurations:
            splits = self.data.splits[setting.name][configuration]
            model = self._train(splits.train, seed)
            key = PredictionKey(setting.name, configuration, seed)
            probed = setting.name == PROBED and configuration == COMPOSITIONAL
            for part in ("test", "dev", *(["probe"] if probed else [])):
                split = self.data.part(setting.name, configuration, part)
                predictions[key._replace(part=part)] = self.make.predict(model, split)
            if setting.shots and configuration == COMPOSITIONAL:
                predictions |= self._shot_steps(key, model, splits)
            if setting.name == DEEP and configuration == IN_DISTRIBUTION:
                for depth, chains in self.data.chains.items():
                    predictions[key._replace(depth=depth)] = self.make.predict(model, chains)
        return predictions

    def _shot_steps(
        self, key: PredictionKey, model: TrainStep, splits: SettingSplits
    ) -> dict[PredictionKey, PredictStep]:
        """Return the predictions after each number of shots, on the test and on held-out training data."""
        predictions: dict[PredictionKey, PredictStep] = {}
        largest = max(self.settings.run.shots, default=0)
        drawn = shots_of(splits.few.examples, largest, stream(key.seed, "data", "shots", key.setting))
        if len(drawn) < largest:
            raise UserError(f"run.shots has {largest}, but {key.setting} has only {len(drawn)} shots: remove it")
        for shots in self.settings.run.shots:
            few = tuple(drawn[:shots])
            if self.settings.run.shot_data == "alone":
                after_shots = self._train(Split("few", few, NLI2), key.seed, model)
            else:
                after_shots = self._train(Split("train-and-few", (*splits.train.examples, *few), NLI2), key.seed)
            for part in ("test", "dev"):
                split = self.data.part(key.setting, key.configuration, part)
                predictions[key._replace(shots=shots, part=part)] = self.make.predict(after_shots, split)
        return predictions

    def _train(self, split: Split, seed: int, parent: TrainStep | None = None) -> TrainStep:
        train = self.settings.train
        if parent is not None:
            train = train.model_copy(update={"epochs": self.settings.run.shot_epochs, "warmup": 0.0})
        return self.make.train(split, train, seed, parent)


def _choice(items: Sequence[T], rng: np.random.Generator) -> T:
    return items[int(rng.integers(len(items)))]
