"""A classifier under stress: its answers on pairs with conjunctions, by what each pair is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from trivium.engine.steps import PredictStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.measure.bootstrap import Bootstrap, Interval
from trivium.measure.error_examples import Case, ErrorExamples, ErrorGroup
from trivium.measure.metrics import Bools
from trivium.measure.outputs import Asked, asked_in
from trivium.measure.paired import resampled_share
from trivium.models.classifiers import HEAD, own_labels

RELEASED = "conjnli"
SUBMITTED = ("conjnli",)
"""Benchmarks with a test whose labels are withheld."""
CONJNLI = "ConjNLI dev"
ALL = "all"
_WORST = 10
_BOOLEAN = {True: "Boolean", False: "non-Boolean", None: "neither"}


class Group(NamedTuple):
    """Some pairs of a set: by which trait, its value, how many, the accuracy, and the share of the commonest label."""

    trait: str
    value: str
    pairs: int
    accuracy: Interval
    majority: float

    def to_json(self) -> dict[str, Any]:
        """The figures, for machines."""
        return {
            "trait": self.trait,
            "value": self.value,
            "pairs": self.pairs,
            "accuracy": _bounds(self.accuracy),
            "majority": self.majority,
        }


class Flips(NamedTuple):
    """What becomes of pairs when *and* becomes *either … or*: right before and after, and answers that change."""

    pairs: int
    before: Interval
    after: Interval
    changed: Interval

    def to_json(self) -> dict[str, Any]:
        """The figures, for machines."""
        found = {"before": self.before, "after": self.after, "changed": self.changed}
        return {"pairs": self.pairs, **{name: _bounds(one) for name, one in found.items()}}


@dataclass(frozen=True)
class Stressed:
    """What a model says of one set, which has the flipped pairs behind its own."""

    name: str
    split: Split
    flipped: Split
    asked: Asked
    bootstrap: Bootstrap

    @cached_property
    def traits(self) -> list[Traits]:
        """What each pair is about."""
        return [traits_of(example) for example in self.split]

    @cached_property
    def right(self) -> Bools:
        """Whether each answer is right, those to the flipped pairs too."""
        return np.asarray(self.asked.said == self.asked.gold)

    @cached_property
    def says(self) -> dict[str, float]:
        """Which share of the pairs the model gives each label that it knows of these."""
        said = self.asked.said[: len(self.split)]
        return {name: float(np.mean(said == number)) for number, name in enumerate(self.asked.labels.names)}

    @cached_property
    def groups(self) -> list[Group]:
        """All pairs, and those of each conjunction, operation, rule and so on, the most frequent first."""
        covered = ["only words of the premise" if is_covered(e) else "other words too" for e in self.split]
        read: dict[str, list[str]] = {
            "": [ALL] * len(self.split),
            "label": [str(example.label) for example in self.split],
            "conjunction": [traits.conjunction for traits in self.traits],
            "operation": [traits.operation for traits in self.traits],
            "Boolean": [_BOOLEAN[traits.boolean] for traits in self.traits],
            "words of the hypothesis": covered,
            "rule": [traits.rule for traits in self.traits],
        }
        return [
            self._group(trait, value, np.array([one == value for one in values], dtype=np.bool_))
            for trait, values in read.items()
            for value, _ in Counter(values).most_common()
        ]

    @cached_property
    def flips(self) -> Flips | None:
        """What the flips change; None if no pair can be flipped."""
        if not len(self.flipped):
            return None
        ids = {example.id.removesuffix(ENDING) for example in self.flipped}
        chosen = np.array([example.id in ids for example in self.split], dtype=np.bool_)
        own = len(self.split)
        said = self.asked.said
        together = [example.premise for example in self.flipped]
        before, after = self.right[:own][chosen], self.right[own:]
        changed = said[:own][chosen] != said[own:]
        name = f"{self.split.identity} flips"
        found = [
            resampled_share(self.bootstrap.mean(one, name, together), one, len(set(together)))
            for one in (before, after, changed)
        ]
        return Flips(len(self.flipped), *found)

    @cached_property
    def gallery(self) -> ErrorExamples:
        """The pairs on which the model is surest of a wrong label."""
        logits = self.asked.logits[: len(self.split)]
        sure = (logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)).max(axis=1)
        wrong = [int(place) for place in np.argsort(-sure, kind="stable") if not self.right[place]]
        names, cases = self.asked.labels.names, []
        for place in wrong[:_WORST]:
            example, traits = self.split.examples[place], self.traits[place]
            said = names[self.asked.said[place]]
            row = (f"{traits.operation}, rule “{traits.rule}”", names[self.asked.gold[place]], said)
            cases.append(Case(example.premise, str(example.hypothesis), (row,)))
        return ErrorExamples(
            self.name, "Where the model is surest of a wrong label.", (ErrorGroup("wrong", len(wrong), tuple(cases)),)
        )

    def to_json(self) -> dict[str, Any]:
        """All figures, for machines."""
        return {
            "name": self.name,
            "pairs": len(self.split),
            "labels": list(self.asked.labels.names),
            "says": self.says,
            "groups": [group.to_json() for group in self.groups],
            "flips": None if self.flips is None else self.flips.to_json(),
        }

    def _group(self, trait: str, value: str, chosen: Bools) -> Group:
        together = [_sentence(e) for e, is_chosen in zip(self.split, chosen, strict=True) if is_chosen]
        right = self.right[: len(self.split)][chosen]
        found = self.bootstrap.mean(right, f"{self.split.identity} {trait} {value}", together)
        gold = self.asked.gold[: len(self.split)][chosen]
        limits = resampled_share(found, right, len(set(together)))
        return Group(trait, value, len(right), limits, float(np.bincount(gold).max() / len(gold)))


@dataclass(frozen=True, eq=False)
class Stress:
    """A model and the sets that it is asked about; what it says is read from the store."""

    config: ModelConfig
    labels: Labels
    store: Store
    sets: Mapping[str, tuple[Split, Split]]
    predictions: Mapping[str, PredictStep]
    bootstrap: Bootstrap = field(default_factory=Bootstrap)

    @property
    def model(self) -> str:
        """The model's name."""
        return self.config.name

    def runs(self) -> Iterator[list[PredictStep]]:
        """The predictions that are wanted."""
        yield list(self.predictions.values())

    @cached_property
    def found(self) -> list[Stressed]:
        """What the model says of each set."""
        every = []
        for name, (split, flipped) in self.sets.items():
            examples = (*split.examples, *flipped.examples)
            logits = self.store.logits(self.predictions[name].key)[HEAD]
            asked = asked_in(examples, logits, self.labels, split.labels)
            every.append(Stressed(name, split, flipped, asked, self.bootstrap))
        return every

    def to_json(self) -> dict[str, Any]:
        """All figures, for machines."""
        sets = [one.to_json() for one in self.found]
        return {"model": self.model, "revision": self.config.revision, "sets": sets}


def available_sets(names: Sequence[str]) -> list[str]:
    """Return ConjNLI's dev set, if its file is on this machine, and the sets that are named; raise if there is none."""
    released = [RELEASED] if find_sources()[RELEASED]().is_there() else []
    chosen = [*released, *(name for name in names if name not in released)]
    if not chosen:
        raise UserError(
            f"no stress set: {FILES['dev']} is not on this machine; run `trivium data get {RELEASED}`, set "
            "TRIVIUM_DATA, or name a set of your own"
        )
    return chosen


def stress_sets(names: Sequence[str]) -> dict[str, Split]:
    """The sets of these names: ``conjnli`` for the dev part of ConjNLI, or a file of a user's."""
    found: dict[str, Split] = {}
    for name in names:
        title, split = (CONJNLI, load_part("dev")) if name == RELEASED else (name, _read(Path(name)))
        if title in found:
            raise UserError(f"{name}: it is named twice")
        found[title] = split
    return found


def _read(file: Path) -> Split:
    split = Split.read(file)
    if split.labels == SENTIMENT:
        raise UserError(f"{file}: its labels are those of {split.labels.name}, and not of NLI")
    without = next((e for e in split if e.label is None or e.hypothesis is None), None)
    if without is not None:
        raise UserError(f"{file}: the pair {without.id!r} has no label or no hypothesis, so that nothing can be right")
    if not len(split):
        raise UserError(f"{file}: there is no pair in it")
    return split


def prepare_stress(model: str, sets: Mapping[str, Split], store: Store, length: int, device: str) -> Stress:
    """What has to be asked of a classifier, as it is."""
    config, make = _maker(model, store, length)
    labels = own_labels(config.name, config.revision)
    asked = {name: _plain(split) for name, split in sets.items()}
    both = {name: (split, _flipped(split)) for name, split in asked.items()}
    wanted = {
        name: _asked(make, labels, Split(name, (*split.examples, *flipped.examples), split.labels), device)
        for name, (split, flipped) in both.items()
    }
    return Stress(config, labels, store, both, wanted)


@dataclass(frozen=True)
class Submission:
    """The answers of a model to the test part of ConjNLI, for which there are no labels."""

    step: PredictStep
    labels: Labels
    store: Store

    def text(self) -> str:
        """The file that the authors score: the word *Label*, then a label a line; the last has no end of line."""
        said = self.store.logits(self.step.key)[HEAD].argmax(axis=1)
        return "\n".join(["Label", *(self.labels.names[place] for place in said)])


def prepare_submission(model: str, store: Store, length: int, device: str) -> Submission:
    """What has to be asked for a submission; a model of two labels cannot answer."""
    config, make = _maker(model, store, length)
    labels = own_labels(config.name, config.revision)
    if labels != NLI3:
        raise UserError(
            f"model {model!r} knows {' and '.join(labels.names)}, and ConjNLI's test has three labels: a two-way model "
            "cannot be submitted"
        )
    return Submission(_asked(make, labels, load_part("test"), device), labels, store)


def _maker(model: str, store: Store, length: int) -> tuple[ModelConfig, StepMaker]:
    config, fingerprint = resolve_model(ModelConfig(name=model, head="own", max_length=length), store)
    return config, StepMaker(config, fingerprint, (HEAD,), store)


def _asked(make: StepMaker, labels: Labels, split: Split, device: str) -> PredictStep:
    """A prediction of the model as it is: a stage that trains nothing."""
    train = TrainConfig.model_validate({"device": device})
    return make.predicted(make.trained(Split("base", (), labels), train, 0), split)


def _plain(split: Split) -> Split:
    """The pairs under the numbers of their places: in sets that were joined, ids may come twice."""
    examples = (replace(e, id=str(place), task=HEAD, parts=()) for place, e in enumerate(split))
    return Split(split.name, tuple(examples), split.labels)


def _flipped(split: Split) -> Split:
    """The pairs that can be flipped, flipped; of two-way labels none, for they cannot say neutral."""
    found = flips(split) if split.labels == NLI3 else []
    return Split(f"{split.name}{ENDING}", tuple(one.after for one in found), split.labels)


def _sentence(example: Example) -> str:
    return max(example.premise, example.hypothesis or "", key=len)


def _bounds(found: Interval) -> dict[str, float]:
    return {"value": found.value, "low": found.low, "high": found.high}
