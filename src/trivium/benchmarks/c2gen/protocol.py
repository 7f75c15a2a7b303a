"""C²Gen's protocol: what is built, which models are trained on what, and which predictions are wanted from each."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.build.leaks import prove_fold
from trivium.build.natural import choose_natural
from trivium.build.stages import FoldSplits, NaturalPool, build_fold, divide_natural, fold_of
from trivium.data.sources import find_sources
from trivium.data.split import Split
from trivium.engine.steps import PLAIN, PredictStep, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.errors import ConfigError, did_you_mean
from trivium.learn.strategy import find_strategies
from trivium.models.fingerprint import encoder_fingerprint
from trivium.plugins import plugin_hash
from trivium.seeds import stream

HEADS = ("composed", "natural", "veridical")
TESTS = ("composed", "primitive")
CGEN = "cgen"


class Reading(NamedTuple):
    """What a prediction is of: which model (fold, seed, setting, strategy, after which stage), on which test."""

    fold: int
    seed: int
    setting: str
    strategy: str
    stage: int
    test: str


@dataclass(frozen=True)
class Protocol:
    """A run of C²Gen: its settings, its data, and the predictions that it wants."""

    settings: C2GenSettings
    source: str
    pool: NaturalPool
    folds: Mapping[int, FoldSplits]
    wanted: Mapping[Reading, PredictStep]

    def runs(self) -> Iterator[list[PredictStep]]:
        """The predictions of each run: one model's whole way through its stages."""
        by_run: dict[tuple[object, ...], list[PredictStep]] = {}
        final = {(r.fold, r.seed, r.setting, r.strategy) for r in self.wanted if r.stage == _last_stage(r.setting)}
        for reading, step in self.wanted.items():
            for fold, seed, setting, strategy in final:
                if (fold, seed, setting) == reading[:3] and (
                    strategy == reading.strategy or reading.stage < _last_stage(setting)
                ):
                    by_run.setdefault((fold, seed, setting, strategy), []).append(step)
        yield from by_run.values()


def build_data(settings: C2GenSettings) -> tuple[str, NaturalPool, dict[int, FoldSplits]]:
    """The source that is used, its natural pairs, and the proved splits of each fold."""
    sources = find_sources()
    name = settings.source
    if name == "auto":
        name = "sick" if sources["sick"]().is_there() else "builtin"
    pairs = choose_natural(sources[name]().load().examples)
    pool = divide_natural(pairs, settings.data, stream(settings.data_seed, "data"))
    folds = {}
    for number in settings.run.folds:
        rng = stream(settings.data_seed, "data", "fold", number)
        folds[number] = build_fold(pool, fold_of(number), settings.data, rng)
        prove_fold(folds[number])
    return name, pool, folds


def prepare(settings: C2GenSettings, store: Store | None) -> Protocol:
    """Check the settings, build the data, and say which predictions are wanted; a store keeps the data."""
    strategies = _strategies(settings)
    fingerprint = encoder_fingerprint(settings.model.name)
    source, pool, folds = build_data(settings)
    wanted: dict[Reading, PredictStep] = {}
    for number, splits in folds.items():
        if store is not None:
            for split in (splits.ver, splits.nat, mixed(splits), splits.composed, splits.primitive):
                store.put_split(split)
        for seed in settings.run.seeds:
            for reading, step in _fold_steps(settings, fingerprint, strategies, splits, number, seed):
                wanted[reading] = step
    return Protocol(settings, source, pool, folds, wanted)


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
    problems = [
        f"run.strategies: unknown strategy {name!r}: {did_you_mean(name, known)}"
        for name in settings.run.strategies
        if name not in known
    ]
    for name, values in settings.strategy.items():
        if name not in known:
            problems.append(f"strategy.{name}: there is no such strategy: {did_you_mean(name, known)}")
            continue
        fields = {field.name for field in dataclasses.fields(known[name])}
        problems += [
            f"strategy.{name}.{value}: there is no such setting: {did_you_mean(value, fields)}"
            for value in values
            if value not in fields
        ]
    if problems:
        raise ConfigError("settings", problems)
    return {name: _spec(name, settings) for name in dict.fromkeys(settings.run.strategies)}


def _spec(name: str, settings: C2GenSettings) -> StrategySpec:
    kind = find_strategies()[name]
    made = kind(**settings.strategy.get(name, {}))
    return StrategySpec(name, tuple(sorted(dataclasses.asdict(made).items())), plugin_hash(kind))


def _last_stage(setting: str) -> int:
    return 1 if setting == CGEN else 2
