"""C²Gen's design: the data of each fold, the models that are trained on it, and the predictions of each model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.benchmarks.composers import ComposerDesign
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker, group_by_model, strategy_specs
from trivium.build.splits.harder import build_harder, require_harder
from trivium.build.splits.stage_invariants import require_fold_invariants, require_pseudo_words
from trivium.build.splits.stages import (
    FoldSplits,
    NaturalPool,
    build_fold,
    by_function,
    composed_only,
    divide_natural,
    fold_of,
    primitives_only,
    with_primitive,
    with_pseudo_words,
)
from trivium.build.veridicality.natural import NaturalPair, choose_natural
from trivium.build.veridicality.pseudo import NEGATIONS, Lexicon, make_lexicon
from trivium.build.veridicality.recorded import recorded_pairs
from trivium.data.compositions import read_compositions
from trivium.data.sources import choose_source, load_source
from trivium.data.split import Split
from trivium.engine.steps import PLAIN, PredictStep, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.models.composer import find_composers
from trivium.seeds import stream

HEADS = ("composed", "natural", "veridical")
PRIMITIVES: Final = MappingProxyType({"ver": "veridical", "nat": "natural"})
"""The primitive that each stage teaches."""
TESTS = ("composed", "primitive")
VECTORS: Final = "vectors"
CGEN = "cgen"
CFO, P_CFO = "+cfo", "+p|cfo"
"""Suffixes of settings with a third stage (Table 9): after S1 and S2, and after S1 and S2 with primitives alone."""


class PredictionKey(NamedTuple):
    """Identifies a prediction: the model (fold, seed, setting, strategy, stage), the test, and the words of both.

    ``composer`` is one of ``run.composers``, or empty for ``model.composer``.
    """

    fold: int
    seed: int
    setting: str
    strategy: str
    stage: int
    test: str
    words: str = "natural"
    composer: str = ""


@dataclass(frozen=True)
class C2GenDesign(ComposerDesign):
    """A run of C²Gen: its settings, its data, and the predictions that it needs."""

    settings: C2GenSettings
    data: BuiltData
    predictions: Mapping[PredictionKey, PredictStep]

    @property
    def source(self) -> str:
        """The name of the source."""
        return self.data.source

    @property
    def pool(self) -> NaturalPool:
        """The natural inference pairs."""
        return self.data.pool

    @property
    def folds(self) -> Mapping[int, FoldSplits]:
        """The splits of each fold, in the words of the source."""
        return self.data.folds

    def runs(self) -> Iterator[list[PredictStep]]:
        """Yield the predictions of each final model, with those of the models that it was trained from."""
        parents = {step.training.parent.key for step in self.predictions.values() if step.training.parent}
        models = group_by_model(self.predictions.values())
        for model, steps in models.items():
            if model in parents:
                continue
            earlier: list[PredictStep] = []
            stage = steps[0].training.parent
            while stage is not None:
                earlier = [*models.get(stage.key, []), *earlier]
                stage = stage.parent
            yield [*earlier, *steps]


class BuiltData(NamedTuple):
    """The data of a run: the name of the source, its natural pairs, and the splits of each fold.

    ``pseudo`` has the same splits in the pseudo-words of ``lexicon``; without pseudo-words it is empty. ``harder`` has
    the tests of ``run.harder``, by fold and name.
    """

    source: str
    pool: NaturalPool
    folds: dict[int, FoldSplits]
    pseudo: dict[int, FoldSplits]
    lexicon: Lexicon | None
    harder: Mapping[int, Mapping[str, Split]] = MappingProxyType({})


def build_data(settings: C2GenSettings) -> BuiltData:
    """Build the data of a run and check its invariants."""
    name = choose_source(settings.source, "sick")
    pairs = _natural_pairs(name)
    pool = divide_natural(pairs, settings.data, stream(settings.data_seed, "data"))
    folds = {}
    for number in settings.run.folds:
        rng = stream(settings.data_seed, "data", "fold", number)
        folds[number] = build_fold(pool, fold_of(number), settings.data, rng)
        require_fold_invariants(folds[number])
    harder = {number: _build_harder(settings, pool, splits) for number, splits in folds.items()}
    if "pseudo" not in settings.run.words:
        return BuiltData(name, pool, folds, {}, None, harder)
    others = NEGATIONS if settings.data.pseudo == "negations" else ()
    lexicon = make_lexicon((pair.example for pair in pairs), stream(settings.data_seed, "data", "pseudo"), others)
    pseudo = {number: with_pseudo_words(splits, lexicon) for number, splits in folds.items()}
    for splits in pseudo.values():
        require_fold_invariants(splits)
        require_pseudo_words(splits, lexicon)
    return BuiltData(name, pool, folds, pseudo, lexicon, harder)


def _natural_pairs(source: str) -> list[NaturalPair]:
    """Return the natural pairs of a source, or of a file of compositions in the authors' layout."""
    if source.endswith((".jsonl", ".jsonl.gz")):
        return recorded_pairs(read_compositions(Path(source)))
    return choose_natural(load_source(source).examples)


def _build_harder(settings: C2GenSettings, pool: NaturalPool, splits: FoldSplits) -> dict[str, Split]:
    """Build the harder tests of a fold, as large as its composed test, and check their invariants."""
    built: dict[str, Split] = {}
    for name in settings.run.harder:
        rng = stream(settings.data_seed, "data", "harder", name, splits.fold.test.number)
        built[name] = build_harder(name, pool, splits, len(splits.composed), rng)
        require_harder(name, built[name], splits)
    return built


def make_design(settings: C2GenSettings, store: Store | None) -> C2GenDesign:
    """Check the settings, build the data, and return the design. The data is saved in the store, if given."""
    strategies = strategy_specs(settings.strategy, settings.run.strategies)
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    data = build_data(settings)
    fold_steps = _FoldSteps(settings, StepMaker(model, fingerprint, HEADS, store))
    predictions: dict[PredictionKey, PredictStep] = {}
    for number in settings.run.folds:
        for seed in settings.run.seeds:
            if "natural" in settings.run.words:
                predictions |= fold_steps.steps(data.folds[number], number, seed, strategies)
                predictions |= fold_steps.function_steps(data.folds[number], number, seed)
            if "pseudo" in settings.run.words:
                pseudo = fold_steps.steps(data.pseudo[number], number, seed, {PLAIN.name: PLAIN})
                predictions |= {
                    key._replace(words="pseudo"): step for key, step in pseudo.items() if key.test != VECTORS
                }
            predictions |= _composer_steps(settings, fold_steps, data, number, seed, strategies)
    predictions |= _harder_steps(fold_steps.make, data, predictions)
    return C2GenDesign(settings.model_copy(update={"source": data.source}), data, predictions)


def _composer_steps(
    settings: C2GenSettings,
    fold_steps: _FoldSteps,
    data: BuiltData,
    fold: int,
    seed: int,
    strategies: Mapping[str, StrategySpec],
) -> dict[PredictionKey, PredictStep]:
    """Return the predictions of the composers in ``run.composers``, in the words of the source."""
    predictions: dict[PredictionKey, PredictStep] = {}
    for name in settings.run.composers:
        find_composers()[name]  # raises if there is no such composer
        if name == settings.model.composer:
            continue
        make = replace(fold_steps.make, model=settings.model.model_copy(update={"composer": name}))
        steps = replace(fold_steps, make=make).steps(data.folds[fold], fold, seed, strategies)
        predictions |= {key._replace(composer=name): step for key, step in steps.items() if key.test != VECTORS}
    return predictions


def _harder_steps(
    make: StepMaker, data: BuiltData, predictions: Mapping[PredictionKey, PredictStep]
) -> dict[PredictionKey, PredictStep]:
    """Return the predictions of the final models on the harder tests."""
    final = {
        key: step
        for key, step in predictions.items()
        if (key.test, key.words, key.stage) == ("composed", "natural", 1 if key.setting == CGEN else 2)
    }
    return {
        key._replace(test=name): make.predict(step.training, split)
        for key, step in final.items()
        for name, split in data.harder.get(key.fold, {}).items()
    }


def mixed(splits: FoldSplits) -> Split:
    """Return the training data of CGen: both stages together."""
    return Split("mixed", splits.ver.examples + splits.nat.examples)


@dataclass(frozen=True)
class _FoldSteps:
    """Plans the predictions of a fold and seed."""

    settings: C2GenSettings
    make: StepMaker

    def steps(
        self, splits: FoldSplits, fold: int, seed: int, strategies: Mapping[str, StrategySpec]
    ) -> dict[PredictionKey, PredictStep]:
        """Return the predictions of CGen, and of each order with each strategy after each stage."""
        predict = partial(self._predict, splits, fold, seed)
        predictions = predict(self._train(mixed(splits), seed), CGEN, PLAIN.name)
        for order in self.settings.run.orders:
            first, second = (self._stage(splits, name) for name in order.split("-"))
            first_model = self._train(first, seed)
            predictions |= predict(first_model, order, PLAIN.name)
            for name, spec in strategies.items():
                predictions |= predict(self._train(second, seed, spec, first_model), order, name)
        for key, step in list(predictions.items()):
            has_vectors = key.setting in self.settings.run.representations and key.strategy in (PLAIN.name, "er-res")
            if has_vectors and key.test == "primitive":
                predictions[key._replace(test=VECTORS)] = replace(step, output=VECTORS)
        return predictions

    def function_steps(self, splits: FoldSplits, fold: int, seed: int) -> dict[PredictionKey, PredictStep]:
        """Return the predictions after the third stage of section 7.3, one composition function after the other."""
        functions = self.settings.functions
        if not functions.directions or functions.easiest_first == "measured":
            return {}
        (spec,) = strategy_specs(self.settings.strategy, (functions.strategy,)).values()
        predict = partial(self._predict, splits, fold, seed)
        both_stages = mixed(splits)
        composed = Split("composed-only", tuple(composed_only(both_stages)))
        ver, nat = (Split(f"{task}-only", tuple(primitives_only(stage, task)))
                    for stage, task in ((splits.ver, "veridical"), (splits.nat, "natural")))  # fmt: skip
        random_order = self._train(composed, seed, parent=self._train(both_stages, seed))
        predictions = predict(random_order, f"{CGEN}{CFO}", PLAIN.name)
        together = Split("primitives-and-compositions", ver.examples + nat.examples + composed.examples)
        predictions |= predict(self._train(together, seed), f"{CGEN}{P_CFO}", PLAIN.name)
        starts = {
            CFO: self._train(self._stage(splits, "nat"), seed, spec, self._train(self._stage(splits, "ver"), seed)),
            P_CFO: self._train(nat, seed, spec, self._train(ver, seed)),
        }
        predictions |= predict(starts[CFO], "ver-nat", functions.strategy)
        compositions = by_function(both_stages)
        for direction in functions.directions:
            easiest_first = functions.easiest_first
            labels = easiest_first if direction == "easy-hard" else tuple(reversed(easiest_first))
            for suffix, start in starts.items():
                last = start
                for label in labels:
                    split = Split(f"function-{label}", tuple(composed_only(compositions[label])))
                    last = self._train(split, seed, spec, last)
                predictions |= predict(last, f"{direction}{suffix}", functions.strategy)
        return predictions

    def _stage(self, splits: FoldSplits, name: str) -> Split:
        """Return a stage with the primitives whose heads it trains."""
        stage: Split = getattr(splits, name)
        return stage if self.settings.run.loss == "all" else with_primitive(stage, PRIMITIVES[name])

    def _train(self, split: Split, seed: int, spec: StrategySpec = PLAIN, parent: TrainStep | None = None) -> TrainStep:
        return self.make.train(split, self.settings.train, seed, parent, spec)

    def _predict(
        self, splits: FoldSplits, fold: int, seed: int, model: TrainStep, setting: str, strategy: str
    ) -> dict[PredictionKey, PredictStep]:
        return {
            PredictionKey(fold, seed, setting, strategy, model.stage, test): self.make.predict(
                model, getattr(splits, test)
            )
            for test in TESTS
        }
