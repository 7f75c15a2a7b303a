"""Sequential training (section 6): first on phenomena or a data set, then on few examples of ANLI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from trivium.benchmarks.curriculum.pairs import source_pairs
from trivium.benchmarks.curriculum.settings import CurriculumSettings
from trivium.benchmarks.steps import StepMaker
from trivium.build.phenomena.selection import load_parts, select_examples, source_of
from trivium.data.example import Example
from trivium.data.labels import NLI3, NLI3_AND_2
from trivium.data.phenomena import select_phenomena
from trivium.data.sources import load_source
from trivium.data.split import Split
from trivium.engine.steps import PredictStep, TrainStep
from trivium.errors import UserError
from trivium.seeds import stream

DIRECT = "direct"


class SequentialPrediction(NamedTuple):
    """A prediction of section 6: strategy, round, training examples per label, seed, step, and the test."""

    strategy: str
    round: str
    size: int
    seed: int
    step: PredictStep
    test: Split


def sequential_steps(
    settings: CurriculumSettings, make: StepMaker, classifier: TrainStep | None = None
) -> Iterator[SequentialPrediction]:
    """Yield the predictions of each strategy, seed, round and number of examples.

    Training starts from a pretrained encoder, or from a classifier with its own head, if given.
    """
    sequential = settings.sequential
    stages: dict[str, Split | None] = {DIRECT: None}
    stages |= {name: _source_stage(name, settings) for name in sequential.sources}
    stages |= {name: intermediate_stage(selection, settings) for name, selection in sequential.selections.items()}
    for strategy, stage in stages.items():
        for seed in settings.run.seeds:
            parent = classifier if stage is None else make.train(stage, settings.train, seed, classifier)
            yield from _after_stage(strategy, parent, settings, make, seed)


def _after_stage(
    strategy: str, parent: TrainStep | None, settings: CurriculumSettings, make: StepMaker, seed: int
) -> Iterator[SequentialPrediction]:
    for round in settings.sequential.rounds:
        test = anli_part(round, "test")
        for size in settings.sequential.sizes:
            few = few_examples(round, size, settings.data_seed)
            step = make.predict(make.train(few, settings.inoculate, seed, parent), test)
            yield SequentialPrediction(strategy, round, size, seed, step, test)


def intermediate_stage(selection: Sequence[str], settings: CurriculumSettings) -> Split:
    """Return the intermediate stage on a selection of two-way and three-way phenomena.

    Each phenomenon has the same number of examples of each label.
    """
    examples: list[Example] = []
    for phenomenon in select_phenomena(tuple(selection)):
        source = source_of(settings.source, phenomenon.name)
        if source is None:
            raise UserError(f"source {settings.source!r} does not have the phenomenon {phenomenon.name!r}: remove it")
        parts = load_parts(source, phenomenon.name)
        train = select_examples(phenomenon, source, parts, settings.data, settings.data_seed).train
        examples += train.examples[: settings.sequential.each * len(train.labels)]
    return Split("intermediate", tuple(examples), NLI3_AND_2)


def _source_stage(name: str, settings: CurriculumSettings) -> Split:
    return Split(name, tuple(source_pairs(name, settings.sequential.most, settings.data_seed)), NLI3)


@cache
def anli_part(round: str, part: str) -> Split:
    """Return a part of a round of ANLI."""
    examples = [e for e in load_source("anli") if e.fact("round") == round and e.fact("part") == part]
    return Split(f"{round}-{part}", tuple(examples), NLI3)


def untested_dev(round: str) -> Split:
    """Return the dev examples of a round whose contexts do not occur in its test."""
    tested = {example.premise for example in anli_part(round, "test")}
    return Split(f"{round}-dev", tuple(e for e in anli_part(round, "dev") if e.premise not in tested), NLI3)


def few_examples(round: str, size: int, seed: int) -> Split:
    """Return ``size`` examples per label from a round's dev part, whose contexts do not occur in its test.

    The training part of a round is not publicly available.
    """
    available = untested_dev(round)
    order = stream(seed, "data", "anli", round).permutation(len(available))
    by_label: dict[str, list[Example]] = {label: [] for label in NLI3.names}
    for index in order:
        same_label = by_label[str(available.examples[index].label)]
        if len(same_label) < size:
            same_label.append(available.examples[index])
    if any(len(same_label) < size for same_label in by_label.values()):
        raise UserError(f"sequential.sizes has {size}, but {round} has fewer training examples of a label: lower it")
    examples = [example for labels in zip(*by_label.values(), strict=True) for example in labels]
    return Split(f"{round}-few", tuple(examples), NLI3)
