"""Stress-test a classifier on pairs with conjunctions: its accuracy by the traits of the pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker
from trivium.build.conjuncts.flip import ENDING, flips
from trivium.build.conjuncts.traits import Traits, is_covered, traits_of
from trivium.data.example import Example
from trivium.data.labels import NLI3, SENTIMENT, Labels
from trivium.data.sources import find_sources
from trivium.data.sources.conjnli import FILES, load_part
from trivium.data.split import Split
from trivium.data.tables import Data, as_split, name_of
from trivium.engine.steps import PredictStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.measure.baselines import Baselines, baselines
from trivium.measure.error_examples import ErrorExample, ErrorExamples, ErrorGroup
from trivium.measure.metrics import Bools
from trivium.measure.outputs import AlignedOutputs, align_outputs
from trivium.measure.statistics.estimate import mean
from trivium.measure.statistics.intervals import Interval, bounds, interval
from trivium.models.classifiers import HEAD, nli_labels

RELEASED = "conjnli"
SUBMITTED = ("conjnli",)
"""Benchmarks whose test labels are withheld, so that predictions are submitted to their authors."""
CONJNLI = "ConjNLI dev"
ALL = "all"
_MAX_ERRORS = 10
_BOOLEAN = {True: "Boolean", False: "non-Boolean", None: "neither"}


class Group(NamedTuple):
    """The accuracy on the pairs of a set that have one value of a trait.

    ``majority`` is the share of the most frequent label among them, ``baseline`` the accuracy of the best baseline.
    """

    trait: str
    value: str
    pairs: int
    accuracy: Interval
    majority: float
    baseline: float

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return {
            "trait": self.trait,
            "value": self.value,
            "pairs": self.pairs,
            "accuracy": bounds(self.accuracy),
            "majority": self.majority,
            "best_baseline": self.baseline,
        }


class Flips(NamedTuple):
    """The effect of replacing *and* by *either … or*: accuracy before and after, and how many predictions change."""

    pairs: int
    before: Interval
    after: Interval
    changed: Interval

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        shares = {"before": self.before, "after": self.after, "changed": self.changed}
        return {"pairs": self.pairs, **{name: bounds(share) for name, share in shares.items()}}


@dataclass(frozen=True)
class StressResult:
    """The predictions of a model on one set.

    ``outputs`` are those for the pairs of ``split``, followed by those for ``flipped``.
    """

    name: str
    split: Split
    flipped: Split
    outputs: AlignedOutputs

    @cached_property
    def traits(self) -> list[Traits]:
        """The traits of each pair, such as its conjunction and its operation."""
        return [traits_of(example) for example in self.split]

    @cached_property
    def correct(self) -> Bools:
        """Whether each prediction is correct, those for the flipped pairs included."""
        return np.asarray(self.outputs.predicted == self.outputs.gold)

    @cached_property
    def baselines(self) -> Baselines:
        """What needs no understanding gets right, of the pairs that are not flipped."""
        names = self.outputs.labels.names
        gold = zip(self.split, self.outputs.gold[: len(self.split)], strict=True)
        return baselines([replace(example, label=names[label]) for example, label in gold])

    @cached_property
    def label_shares(self) -> dict[str, float]:
        """The share of pairs for which the model predicts each label."""
        predicted = self.outputs.predicted[: len(self.split)]
        return {name: float(np.mean(predicted == index)) for index, name in enumerate(self.outputs.labels.names)}

    @cached_property
    def groups(self) -> list[Group]:
        """All pairs as one group, then a group for each value of each trait, the most frequent value first."""
        covered = ["only words of the premise" if is_covered(e) else "other words too" for e in self.split]
        values_by_trait: dict[str, list[str]] = {
            "": [ALL] * len(self.split),
            "label": [str(example.label) for example in self.split],
            "conjunction": [traits.conjunction for traits in self.traits],
            "operation": [traits.operation for traits in self.traits],
            "Boolean": [_BOOLEAN[traits.boolean] for traits in self.traits],
            "words of the hypothesis": covered,
            "rule": [traits.rule for traits in self.traits],
        }
        return [
            self._group(trait, value, np.array([each == value for each in values], dtype=np.bool_))
            for trait, values in values_by_trait.items()
            for value, _ in Counter(values).most_common()
        ]

    @cached_property
    def flips(self) -> Flips | None:
        """The effect of the flips; None if no pair can be flipped."""
        if not len(self.flipped):
            return None
        ids = {example.id.removesuffix(ENDING) for example in self.flipped}
        chosen = np.array([example.id in ids for example in self.split], dtype=np.bool_)
        own = len(self.split)
        predicted = self.outputs.predicted
        clusters = [example.premise for example in self.flipped]
        before, after = self.correct[:own][chosen], self.correct[own:]
        changed = predicted[:own][chosen] != predicted[own:]
        shares = [interval(mean(values, clusters)) for values in (before, after, changed)]
        return Flips(len(self.flipped), *shares)

    @cached_property
    def error_examples(self) -> ErrorExamples:
        """The pairs on which the model is most confident of a wrong label."""
        logits = self.outputs.logits[: len(self.split)]
        confidence = (logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)).max(axis=1)
        incorrect = [int(index) for index in np.argsort(-confidence, kind="stable") if not self.correct[index]]
        names, cases = self.outputs.labels.names, []
        for index in incorrect[:_MAX_ERRORS]:
            example, traits = self.split.examples[index], self.traits[index]
            predicted = names[self.outputs.predicted[index]]
            answer = (f"{traits.operation}, rule “{traits.rule}”", names[self.outputs.gold[index]], predicted)
            cases.append(ErrorExample(example.premise, str(example.hypothesis), (answer,)))
        caption = "Where the model is most confident of a wrong label."
        return ErrorExamples(self.name, caption, (ErrorGroup("wrong", len(incorrect), tuple(cases)),))

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        return {
            "name": self.name,
            "pairs": len(self.split),
            "labels": list(self.outputs.labels.names),
            "says": self.label_shares,
            "baselines": self.baselines.accuracies(),
            "groups": [group.to_json() for group in self.groups],
            "flips": None if self.flips is None else self.flips.to_json(),
        }

    def _group(self, trait: str, value: str, chosen: Bools) -> Group:
        clusters = [_sentence(example) for example in self.split]
        accuracy = interval(mean(self.correct[: len(self.split)], clusters, mask=chosen))
        gold = self.outputs.gold[: len(self.split)][chosen]
        majority = float(np.bincount(gold).max() / len(gold))
        return Group(trait, value, len(gold), accuracy, majority, max(majority, self.baselines.best(chosen)))


@dataclass(frozen=True, eq=False)
class Stress:
    """A stress test: a model, the sets it is tested on (each with its flipped pairs), and the predictions it needs."""

    config: ModelConfig
    labels: Labels
    store: Store
    sets: Mapping[str, tuple[Split, Split]]
    predictions: Mapping[str, PredictStep]

    @property
    def model(self) -> str:
        """The model's name."""
        return self.config.name

    def runs(self) -> Iterator[list[PredictStep]]:
        """Yield the predictions that have to be in the store."""
        yield list(self.predictions.values())

    @cached_property
    def results(self) -> list[StressResult]:
        """The results on each set."""
        results = []
        for name, (split, flipped) in self.sets.items():
            examples = (*split.examples, *flipped.examples)
            logits = self.store.logits(self.predictions[name].key)[HEAD]
            outputs = align_outputs(examples, logits, self.labels, split.labels)
            results.append(StressResult(name, split, flipped, outputs))
        return results

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        sets = [result.to_json() for result in self.results]
        return {"model": self.model, "revision": self.config.revision, "sets": sets}


def available_sets(sets: Sequence[Data]) -> list[Data]:
    """Return the sets, preceded by ConjNLI's dev set if its file is on this machine. Raise if there is none."""
    released = [RELEASED] if find_sources()[RELEASED]().is_available() else []
    chosen = [*released, *(data for data in sets if not (released and _is_released(data)))]
    if not chosen:
        raise UserError(
            f"no stress set: {FILES['dev']} is not on this machine; run `trivium data get {RELEASED}`, set "
            "TRIVIUM_DATA, or name a set of your own"
        )
    return chosen


def stress_sets(sets: Sequence[Data]) -> dict[str, Split]:
    """Return sets by title: ``conjnli`` for the dev part of ConjNLI, the path of a split file, or pairs."""
    splits: dict[str, Split] = {}
    for data in sets:
        name = name_of(data, "rows")
        title, split = (CONJNLI, load_part("dev")) if _is_released(data) else (name, _read_set(data, name))
        if title in splits:
            raise UserError(f"stress set {name} is named twice: name it once")
        splits[title] = split
    return splits


def _is_released(data: Data) -> bool:
    return isinstance(data, str | Path) and str(data) == RELEASED


def _read_set(data: Data, name: str) -> Split:
    is_split = isinstance(data, str | Path) and Path(data).suffix == ".jsonl"  # whose ids need not be unique
    split = Split.read(Path(str(data))) if is_split else as_split(data, name)
    if split.labels == SENTIMENT:
        raise UserError(f"{name}: its labels are {', '.join(split.labels.names)}, but a stress set needs NLI labels")
    incomplete = next((e for e in split if e.label is None or e.hypothesis is None), None)
    if incomplete is not None:
        raise UserError(f"{name}: pair {incomplete.id!r} has no label or no hypothesis: add it, or remove the pair")
    if not len(split):
        raise UserError(f"{name}: contains no pairs")
    return split


def prepare_stress(
    model: str, sets: Mapping[str, Split], store: Store, length: int, device: str, precision: str = "fp32"
) -> Stress:
    """Return the stress test of a classifier, as it is; its predictions still have to be run."""
    train = TrainConfig.model_validate({"device": device, "precision": precision})
    config, maker = _maker(model, store, length)
    labels = nli_labels(config.name, config.revision)
    renumbered = {name: _renumbered(split) for name, split in sets.items()}
    pairs = {name: (split, _flipped(split)) for name, split in renumbered.items()}
    predictions = {
        name: _prediction(maker, labels, Split(name, (*split.examples, *flipped.examples), split.labels), train)
        for name, (split, flipped) in pairs.items()
    }
    return Stress(config, labels, store, pairs, predictions)


@dataclass(frozen=True)
class Submission:
    """The predictions of a model on the test part of ConjNLI, whose labels are withheld."""

    step: PredictStep
    labels: Labels
    store: Store

    def text(self) -> str:
        """Return the text of the file that the authors score: the word *Label*, then one label per line.

        There is no newline after the last label.
        """
        predicted = self.store.logits(self.step.key)[HEAD].argmax(axis=1)
        return "\n".join(["Label", *(self.labels.names[index] for index in predicted)])


def prepare_submission(model: str, store: Store, length: int, device: str) -> Submission:
    """Return the submission of a three-way model; its predictions still have to be run."""
    config, maker = _maker(model, store, length)
    labels = nli_labels(config.name, config.revision)
    if labels != NLI3:
        raise UserError(
            f"model {model!r} predicts {' and '.join(labels.names)}, but ConjNLI's test set has three labels: a "
            "two-way model cannot be submitted"
        )
    train = TrainConfig.model_validate({"device": device})
    return Submission(_prediction(maker, labels, load_part("test"), train), labels, store)


def _maker(model: str, store: Store, length: int) -> tuple[ModelConfig, StepMaker]:
    config, fingerprint = resolve_model(ModelConfig(name=model, head="own", max_length=length), store)
    return config, StepMaker(config, fingerprint, (HEAD,), store)


def _prediction(maker: StepMaker, labels: Labels, split: Split, train: TrainConfig) -> PredictStep:
    """Return the prediction of the model as it is: after a stage without examples."""
    return maker.predict(maker.train(Split("base", (), labels), train, 0), split)


def _renumbered(split: Split) -> Split:
    """Return the pairs with their indices as ids: the ids of a file joined from several sets may not be unique."""
    examples = (replace(e, id=str(index), task=HEAD, parts=()) for index, e in enumerate(split))
    return Split(split.name, tuple(examples), split.labels)


def _flipped(split: Split) -> Split:
    """Return the flipped pairs; none with two-way labels, because the correct label after a flip is neutral."""
    pairs = flips(split) if split.labels == NLI3 else []
    return Split(f"{split.name}{ENDING}", tuple(pair.after for pair in pairs), split.labels)


def _sentence(example: Example) -> str:
    """Return the longer text: pairs built from one sentence share it, and form a cluster."""
    return max(example.premise, example.hypothesis or "", key=len)
