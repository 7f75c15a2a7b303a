"""C²Gen's protocol: what is built, which models are trained on what, and which predictions are wanted from each."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.build.leaks import prove_fold, prove_pseudo
from trivium.build.natural import choose_natural
from trivium.build.pseudo import Lexicon, make_lexicon
from trivium.build.stages import FoldSplits, NaturalPool, build_fold, divide_natural, fold_of, in_pseudo_words
from trivium.data.sources import find_sources, load_source
from trivium.data.split import Split
from trivium.engine.steps import PLAIN, PredictStep, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.errors import ConfigError, Problem, did_you_mean
from trivium.learn.strategy import find_strategies, make_strategy
from trivium.models.fingerprint import Identity, identify_encoder
from trivium.plugins import plugin_hash
from trivium.seeds import stream

HEADS = ("composed", "natural", "veridical")
TESTS = ("composed", "primitive")
CGEN = "cgen"


class Reading(NamedTuple):
    """What a prediction is of: which model (fold, seed, setting, strategy, after which stage), which test and words."""

    fold: int
    seed: int
    setting: str
    strategy: str
    stage: int
    test: str
    words: str = "natural"


@dataclass(frozen=True)
class Protocol:
    """A run of C²Gen: its settings, its data, and the predictions that it wants."""

    settings: C2GenSettings
    data: BuiltData
    wanted: Mapping[Reading, PredictStep]

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

    def runs(self) -> Iterator[list[PredictStep]]:
        """The predictions of each run: one model's whole way through its stages."""
        for last in self.wanted:
            if last.test != TESTS[0] or (last.stage == 1 and last.setting != CGEN):
                continue
            stages = [(1, PLAIN.name)] if last.setting == CGEN else [(1, PLAIN.name), (2, last.strategy)]
            readings = [last._replace(stage=s, strategy=name, test=t) for s, name in stages for t in TESTS]
            yield [self.wanted[reading] for reading in readings]


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
    sources = find_sources()
    name = settings.source
    if name == "auto":
        name = "sick" if sources["sick"]().is_there() else "builtin"
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


def prepare(settings: C2GenSettings, store: Store | None) -> Protocol:
    """Check the settings, build the data, and say which predictions are wanted; a store keeps the data.

    Without a store nothing can be run, and the model, which may be on a hub out of reach, is not looked for.
    """
    strategies = _strategies(settings)
    encoder = Identity("", settings.model.revision)
    if store is not None:
        encoder = identify_encoder(settings.model.name, settings.model.revision)
    # A branch of a hub moves: what is planned, run and reported is the commit that it is now.
    settings = settings.model_copy(update={"model": settings.model.model_copy(update={"revision": encoder.commit})})
    data = build_data(settings)
    wanted: dict[Reading, PredictStep] = {}
    for words in settings.run.words:
        specs = strategies if words == "natural" else {PLAIN.name: PLAIN}
        for number, splits in (data.folds if words == "natural" else data.pseudo).items():
            if store is not None:
                for split in (splits.ver, splits.nat, mixed(splits), splits.composed, splits.primitive):
                    store.put_split(split)
            for seed in settings.run.seeds:
                for reading, step in _fold_steps(settings, encoder.fingerprint, specs, splits, number, seed):
                    wanted[reading._replace(words=words)] = step
    return Protocol(settings.model_copy(update={"source": data.source}), data, wanted)


def mixed(splits: FoldSplits) -> Split:
    """What CGen trains on: the data of both stages at once."""
    return Split("mixed", splits.ver.examples + splits.nat.examples)


def _fold_steps(
    settings: C2GenSettings,
    fingerprint: str,
    strategies: Mapping[str, StrategySpec],
    splits: FoldSplits,
    fold: int,
    seed: int,
) -> Iterator[tuple[Reading, PredictStep]]:
    def train(split: Split, spec: StrategySpec = PLAIN, parent: TrainStep | None = None) -> TrainStep:
        return TrainStep(
            settings.model, fingerprint, HEADS, settings.train, seed, split.identity, len(split), spec, parent
        )

    def predictions(trained: TrainStep, setting: str, strategy: str) -> Iterator[tuple[Reading, PredictStep]]:
        for test in TESTS:
            split: Split = getattr(splits, test)
            reading = Reading(fold, seed, setting, strategy, trained.stage, test)
            yield reading, PredictStep(trained, split.identity, len(split))

    yield from predictions(train(mixed(splits)), CGEN, PLAIN.name)
    for order in settings.run.orders:
        first, second = (getattr(splits, name) for name in order.split("-"))
        shared = train(first)
        yield from predictions(shared, order, PLAIN.name)
        for name, spec in strategies.items():
            yield from predictions(train(second, spec, shared), order, name)


def _strategies(settings: C2GenSettings) -> dict[str, StrategySpec]:
    """The specs of the strategies to run; an error that lists every mistake in their names and settings."""
    known = find_strategies()
    named = dict.fromkeys((*settings.run.strategies, *settings.strategy))
    problems = [
        Problem("settings", f"unknown strategy {name!r}: {did_you_mean(name, known)}")
        for name in named
        if name not in known
    ]
    specs = {}
    for name in named:
        if name not in known:
            continue
        try:
            made = make_strategy(name, settings.strategy.get(name, {}))
        except ConfigError as error:
            problems += error.problems
        else:
            values = tuple(sorted(dataclasses.asdict(made).items()))
            specs[name] = StrategySpec(name, values, plugin_hash(known[name]))
    if problems:
        raise ConfigError(problems)
    return {name: specs[name] for name in settings.run.strategies}
