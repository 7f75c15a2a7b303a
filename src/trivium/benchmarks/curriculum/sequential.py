"""Section 6: training on phenomena first, then on few examples of adversarial NLI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from trivium.benchmarks.curriculum.pairs import source_pairs
from trivium.benchmarks.curriculum.settings import CurriculumSettings
from trivium.benchmarks.steps import StepMaker
from trivium.build.phenomena.selection import choose_examples, load_parts, source_of
from trivium.data.example import Example
from trivium.data.labels import BOTH, NLI3
from trivium.data.phenomena import phenomena_of
from trivium.data.sources import load_source
from trivium.data.split import Split
from trivium.engine.steps import PredictStep, TrainStep
from trivium.errors import UserError
from trivium.seeds import stream

DIRECT = "direct"


class Wanted(NamedTuple):
    """A prediction of section 6: the strategy, the round, examples of each label, the seed, the step and its test."""

    strategy: str
    round: str
    size: int
    seed: int
    step: PredictStep
    test: Split


def sequential_steps(settings: CurriculumSettings, make: StepMaker) -> Iterator[Wanted]:
    """What is wanted of each strategy, round, number of examples and seed."""
    if settings.model.head == "own":
        raise UserError("run.tests has 'sequential', which begins with an encoder, but model.head is 'own': leave one")
    chosen = settings.sequential
    stages: dict[str, Split | None] = {DIRECT: None}
    stages |= {name: _of_source(name, settings) for name in chosen.sources}
    stages |= {name: intermediate(selection, settings) for name, selection in chosen.selections.items()}
    for strategy, stage in stages.items():
        for seed in settings.run.seeds:
            before = None if stage is None else make.trained(stage, settings.train, seed)
            yield from after(strategy, before, settings, make, seed)


def after(
    strategy: str, before: TrainStep | None, settings: CurriculumSettings, make: StepMaker, seed: int
) -> Iterator[Wanted]:
    """What is wanted of each round and number of examples after an intermediate stage."""
    for round in settings.sequential.rounds:
        test = target(round, "test")
        for size in settings.sequential.sizes:
            few = few_of(round, size, settings.data_seed)
            step = make.predicted(make.trained(few, settings.inoculate, seed, before), test)
            yield Wanted(strategy, round, size, seed, step, test)


def intermediate(selection: Sequence[str], settings: CurriculumSettings) -> Split:
    """The intermediate stage on a selection of phenomena: as many of each label of each, two-way and three-way."""
    found: list[Example] = []
    for phenomenon in phenomena_of(tuple(selection)):
        source = source_of(settings.source, phenomenon.name)
        if source is None:
            raise UserError(f"the source {settings.source!r} does not have the phenomenon {phenomenon.name!r}")
        parts = load_parts(source, phenomenon.name)
        train = choose_examples(phenomenon, source, parts, settings.data, settings.data_seed).train
        found += train.examples[: settings.sequential.each * len(train.labels)]
    return Split("intermediate", tuple(found), BOTH)


def _of_source(name: str, settings: CurriculumSettings) -> Split:
    return Split(name, tuple(source_pairs(name, settings.sequential.most, settings.data_seed)), NLI3)


@cache
def target(round: str, part: str) -> Split:
    """A part of a round of ANLI."""
    examples = [e for e in load_source("anli") if e.fact("round") == round and e.fact("part") == part]
    return Split(f"{round}-{part}", tuple(examples), NLI3)


def apart_from_test(round: str) -> Split:
    """The dev examples of a round whose contexts are not in its test."""
    tested = {example.premise for example in target(round, "test")}
    return Split(f"{round}-dev", tuple(e for e in target(round, "dev") if e.premise not in tested), NLI3)


def few_of(round: str, size: int, seed: int) -> Split:
    """So many examples of each label of a round's dev part, whose contexts are not tested.

    The round's training part is not in public repositories.
    """
    there = apart_from_test(round)
    order = stream(seed, "data", "anli", round).permutation(len(there))
    taken: dict[str, list[Example]] = {label: [] for label in NLI3.names}
    for place in order:
        mine = taken[str(there.examples[place].label)]
        if len(mine) < size:
            mine.append(there.examples[place])
    if any(len(mine) < size for mine in taken.values()):
        raise UserError(f"sequential.sizes has {size}, but {round} has fewer examples of a label to train on: lower it")
    examples = [example for turn in zip(*taken.values(), strict=True) for example in turn]
    return Split(f"{round}-few", tuple(examples), NLI3)
