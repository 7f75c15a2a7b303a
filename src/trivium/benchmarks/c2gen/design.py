"""C²Gen's design: what is built, which models are trained on what, and which predictions are wanted from each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple

from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker, by_model, strategy_specs
from trivium.build.splits.stage_invariants import prove_fold, prove_pseudo
from trivium.build.splits.stages import (
    FoldSplits,
    NaturalPool,
    build_fold,
    by_function,
    composed_only,
    divide_natural,
    fold_of,
    in_pseudo_words,
    primitives_only,
)
from trivium.build.veridicality.natural import choose_natural
from trivium.build.veridicality.pseudo import Lexicon, make_lexicon
from trivium.data.sources import choose_source, load_source
from trivium.data.split import Split
from trivium.engine.steps import PLAIN, PredictStep, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.seeds import stream

HEADS = ("composed", "natural", "veridical")
TESTS = ("composed", "primitive")
VECTORS: Final = "vectors"
CGEN = "cgen"
CFO, P_CFO = "+cfo", "+p|cfo"
"""Ends of the names of settings with a third stage: as it is in Table 9, and with primitives strictly first."""


class PredictionKey(NamedTuple):
    """What a prediction is of: which model (fold, seed, setting, strategy, after which stage), which test and words."""

    fold: int
    seed: int
    setting: str
    strategy: str
    stage: int
    test: str
    words: str = "natural"


@dataclass(frozen=True)
class C2GenDesign:
    """A run of C²Gen: its settings, its data, and the predictions that it wants."""

    settings: C2GenSettings
    data: BuiltData
    predictions: Mapping[PredictionKey, PredictStep]

    @property
    def source(self) -> str:
        """The source that is used."""
        return self.data.source

    @property
    def pool(self) -> NaturalPool:
        """The natural pairs."""
        return self.data.pool

    @property
    def folds(self) -> Mapping[int, FoldSplits]:
        """The splits of each fold, with the words that the sentences have."""
        return self.data.folds

    def keys(self) -> Iterator[tuple[dict[str, Any], PredictStep]]:
        """Yield the fields of each prediction's key, and its step."""
        for key, step in self.predictions.items():
            yield key._asdict(), step

    def runs(self) -> Iterator[list[PredictStep]]:
        """The predictions of each run: one model's whole way through its stages."""
        parents = {step.training.parent.key for step in self.predictions.values() if step.training.parent}
        models = by_model(self.predictions.values())
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
    """What is built before anything is trained: the source, its pairs, and the splits of each fold.

    ``pseudo`` are the same splits in the words of ``lexicon``, where they are asked for.
    """

    source: str
    pool: NaturalPool
    folds: dict[int, FoldSplits]
    pseudo: dict[int, FoldSplits]
    lexicon: Lexicon | None


def build_data(settings: C2GenSettings) -> BuiltData:
    """The source that is used, its natural pairs, and the proved splits of each fold."""
    name = choose_source(settings.source, "sick")
    pairs = choose_natural(load_source(name).examples)
    pool = divide_natural(pairs, settings.data, stream(settings.data_seed, "data"))
    folds = {}
    for number in settings.run.folds:
        rng = stream(settings.data_seed, "data", "fold", number)
        folds[number] = build_fold(pool, fold_of(number), settings.data, rng)
        prove_fold(folds[number])
    if "pseudo" not in settings.run.words:
        return BuiltData(name, pool, folds, {}, None)
    lexicon = make_lexicon((pair.example for pair in pairs), stream(settings.data_seed, "data", "pseudo"))
    pseudo = {number: in_pseudo_words(splits, lexicon) for number, splits in folds.items()}
    for splits in pseudo.values():
        prove_fold(splits)
        prove_pseudo(splits, lexicon)
    return BuiltData(name, pool, folds, pseudo, lexicon)


def make_design(settings: C2GenSettings, store: Store | None) -> C2GenDesign:
    """Check the settings, build the data, and say which predictions are wanted; a store keeps the data."""
    strategies = strategy_specs(settings.strategy, settings.run.strategies)
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    data = build_data(settings)
    maker = _FoldSteps(settings, StepMaker(model, fingerprint, HEADS, store))
    predictions: dict[PredictionKey, PredictStep] = {}
    for number in settings.run.folds:
        for seed in settings.run.seeds:
            if "natural" in settings.run.words:
                predictions |= maker.steps(data.folds[number], number, seed, strategies)
                predictions |= maker.function_steps(data.folds[number], number, seed)
            if "pseudo" in settings.run.words:
                pseudo = maker.steps(data.pseudo[number], number, seed, {PLAIN.name: PLAIN})
                predictions |= {r._replace(words="pseudo"): step for r, step in pseudo.items() if r.test != VECTORS}
    return C2GenDesign(settings.model_copy(update={"source": data.source}), data, predictions)


def mixed(splits: FoldSplits) -> Split:
    """What CGen trains on: the data of both stages at once."""
    return Split("mixed", splits.ver.examples + splits.nat.examples)


@dataclass(frozen=True)
class _FoldSteps:
    """Makes the steps of a fold and seed."""

    settings: C2GenSettings
    make: StepMaker

    def steps(
        self, splits: FoldSplits, fold: int, seed: int, strategies: Mapping[str, StrategySpec]
    ) -> dict[PredictionKey, PredictStep]:
        """CGen, and each order with each strategy, tested after each stage."""
        test = partial(self._tested, splits, fold, seed)
        found = test(self._train(mixed(splits), seed), CGEN, PLAIN.name)
        for order in self.settings.run.orders:
            first, second = (getattr(splits, name) for name in order.split("-"))
            shared = self._train(first, seed)
            found |= test(shared, order, PLAIN.name)
            for name, spec in strategies.items():
                found |= test(self._train(second, seed, spec, shared), order, name)
        for reading, step in list(found.items()):
            shown = reading.setting in self.settings.run.representations and reading.strategy in (PLAIN.name, "er-res")
            if shown and reading.test == "primitive":
                found[reading._replace(test=VECTORS)] = replace(step, output=VECTORS)
        return found

    def function_steps(self, splits: FoldSplits, fold: int, seed: int) -> dict[PredictionKey, PredictStep]:
        """The third stage of section 7.3, after S1 and S2 as they are, and after primitives alone (P|)."""
        chosen = self.settings.functions
        if not chosen.directions or chosen.easiest_first == "measured":
            return {}
        (spec,) = strategy_specs(self.settings.strategy, (chosen.strategy,)).values()
        test = partial(self._tested, splits, fold, seed)
        every = mixed(splits)
        composed = Split("composed-only", tuple(composed_only(every)))
        ver, nat = (Split(f"{task}-only", tuple(primitives_only(stage, task)))
                    for stage, task in ((splits.ver, "veridical"), (splits.nat, "natural")))  # fmt: skip
        random_order = self._train(composed, seed, parent=self._train(every, seed))
        found = test(random_order, f"{CGEN}{CFO}", PLAIN.name)
        together = Split("primitives-and-compositions", ver.examples + nat.examples + composed.examples)
        found |= test(self._train(together, seed), f"{CGEN}{P_CFO}", PLAIN.name)
        starts = {
            CFO: self._train(splits.nat, seed, spec, self._train(splits.ver, seed)),
            P_CFO: self._train(nat, seed, spec, self._train(ver, seed)),
        }
        found |= test(starts[CFO], "ver-nat", chosen.strategy)
        functions = by_function(every)
        for direction in chosen.directions:
            labels = chosen.easiest_first if direction == "easy-hard" else tuple(reversed(chosen.easiest_first))
            for kind, step in starts.items():
                last = step
                for label in labels:
                    split = Split(f"function-{label}", tuple(composed_only(functions[label])))
                    last = self._train(split, seed, spec, last)
                found |= test(last, f"{direction}{kind}", chosen.strategy)
        return found

    def _train(self, split: Split, seed: int, spec: StrategySpec = PLAIN, parent: TrainStep | None = None) -> TrainStep:
        return self.make.trained(split, self.settings.train, seed, parent, spec)

    def _tested(
        self, splits: FoldSplits, fold: int, seed: int, trained: TrainStep, setting: str, strategy: str
    ) -> dict[PredictionKey, PredictStep]:
        found = {}
        for test in TESTS:
            step = self.make.predicted(trained, getattr(splits, test))
            found[PredictionKey(fold, seed, setting, strategy, trained.stage, test)] = step
        return found
