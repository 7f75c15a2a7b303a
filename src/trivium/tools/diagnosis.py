"""What a classifier can and cannot reason about: its zero-shot answers on many phenomena, beside simple baselines."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from trivium.benchmarks.curriculum.design import INOCULATION, ZERO_SHOT, CurriculumDesign, PredictionKey, make_design
from trivium.benchmarks.curriculum.results import Results
from trivium.benchmarks.curriculum.settings import CurriculumSettings, RunSettings
from trivium.build.phenomena.selection import AUTO, BUILTIN, RELEASED, Chosen, PhenomenonSizes
from trivium.data.labels import Labels
from trivium.data.phenomena import PHENOMENA, Phenomenon, phenomena_of
from trivium.engine.store import Store
from trivium.errors import unknown_name
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.measure.bootstrap import Bootstrap, Interval, interval
from trivium.measure.error_examples import Case, ErrorExamples, ErrorGroup
from trivium.measure.metrics import Bools, Floats, difference
from trivium.measure.outputs import Asked
from trivium.measure.significance import bootstrap_p, holm

State = Literal["mastered", "in part", "undecided", "missing", "reversed"]
STATES: tuple[State, ...] = ("mastered", "in part", "undecided", "missing", "reversed")
SOURCES = (AUTO, RELEASED, BUILTIN)
_STRONG, _WEAK = 0.5, 0.2
_LEARNED_FROM = 1000  # examples of each label that the hypothesis-only baseline learns from, at most
_WORST = 5


@dataclass(frozen=True)
class Finding:
    """What was found out about one phenomenon. Accuracies are shares; ``alone`` is that of hypotheses alone.

    ``alone`` comes from a linear model of words and pairs of words. ``gain`` is how much more often the model is right
    than the better of ``majority`` and ``alone``, example by example. ``cut`` is the share of pairs that are longer
    than what is read. ``recovered`` is the accuracy after inoculation, and ``taught`` what it is more than before.
    """

    phenomenon: Phenomenon
    source: str
    examples: int
    correlation: Interval
    accuracy: Interval
    majority: float
    alone: float
    gain: Interval
    cut: float = 0.0
    recovered: Interval | None = None
    taught: Interval | None = None

    @property
    def state(self) -> State:
        """What the 95 % interval of the correlation says.

        Mastered: it is at least 0.5, and the model is surely right more often than the better baseline. Reversed: it is
        below 0, as of a model that gets labels the wrong way round. Missing: it is below 0.2. In part: it is above 0.
        Undecided: it may be anything from nothing to something, and more examples would tell.
        """
        if self.correlation.low >= _STRONG and self.gain.low > 0:
            return "mastered"
        if self.correlation.high < 0:
            return "reversed"
        if self.correlation.high < _WEAK:
            return "missing"
        return "in part" if self.correlation.low > 0 else "undecided"


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """A model's answers on the phenomena, as far as they are in the store."""

    design: CurriculumDesign
    results: Results

    @property
    def model(self) -> str:
        """The model's name."""
        return self.design.settings.model.name

    @cached_property
    def findings(self) -> list[Finding]:
        """One for each phenomenon, by category, the best first."""
        found = [self._finding(chosen) for chosen in self.design.chosen.values()]
        order = list(dict.fromkeys(PHENOMENA[name].category for name in PHENOMENA))
        return sorted(found, key=lambda one: (order.index(one.phenomenon.category), -one.correlation.value))

    def of(self, state: State) -> list[Finding]:
        """The phenomena in a state, the best first."""
        return sorted((one for one in self.findings if one.state == state), key=lambda one: -one.correlation.value)

    def asked(self, name: str) -> Asked:
        """What the model said about a phenomenon."""
        found = self.results.asked(self._reading(name))
        if found is None:
            raise ValueError(f"{name} is not in the store")
        return found

    def worst(self, number: int = _WORST, prefix: str = "") -> list[ErrorExamples]:
        """Of each phenomenon the examples on which the model is surest of a wrong label, to read."""
        names = [(one, one.phenomenon.name) for one in self.findings]
        return [_gallery(prefix, one, self.design.chosen[name], self.asked(name), number) for one, name in names]

    def to_json(self) -> dict[str, Any]:
        """All figures, for machines."""
        sizes = self.design.settings.run.sizes
        return {
            "model": self.model,
            "revision": self.design.settings.model.revision,
            "examples": self.design.settings.data.validation,
            "not_tested": list(self.design.missing),
            "inoculation": sizes[0] if INOCULATION in self.design.settings.run.tests else None,
            "phenomena": [_plain(one) for one in self.findings],
        }

    def _finding(self, chosen: Chosen) -> Finding:
        name = chosen.phenomenon.name
        correlation, accuracy = self.results.correlation(ZERO_SHOT, name), self.results.accuracy(ZERO_SHOT, name)
        if correlation is None or accuracy is None:
            raise ValueError(f"{name} is not in the store")
        taught = self.results.accuracy(INOCULATION, name, self.design.settings.run.sizes[0])
        more = difference(taught, accuracy)
        asked = self.asked(name)
        most, alone = asked.gold == np.bincount(asked.gold).argmax(), right_by_hypothesis(chosen, asked)
        better = max(most, alone, key=np.mean)
        gain = (asked.said == asked.gold).astype(np.float64) - better
        return Finding(
            phenomenon=chosen.phenomenon,
            source=chosen.source,
            examples=len(chosen.validation),
            correlation=interval(correlation),
            accuracy=interval(accuracy),
            majority=float(most.mean()),
            alone=float(alone.mean()),
            gain=interval(self.results.bootstrap.mean(gain, *self.results.named(self._reading(name)))),
            cut=self.results.cut(name),
            recovered=None if taught is None else interval(taught),
            taught=None if more is None else interval(more),
        )

    def _reading(self, name: str) -> PredictionKey:
        return PredictionKey(ZERO_SHOT, name, self.results.seeds[0])

    def right(self, name: str, labels: Labels) -> Floats:
        """Whether each answer is right (1 or 0), asked in the labels of a scheme."""
        asked = self.results.asked_as(self._reading(name), labels)
        return np.asarray(asked.said == asked.gold, dtype=np.float64)


@dataclass(frozen=True)
class Compared:
    """How two models differ on one phenomenon: the difference of their accuracies, and its corrected p."""

    phenomenon: Phenomenon
    difference: Interval
    p: float

    @property
    def is_significant(self) -> bool:
        """Whether the difference is more than chance, all phenomena considered."""
        return self.p < 0.05

    def to_json(self) -> dict[str, Any]:
        """The figures, for machines."""
        gap, name = _bounds(self.difference), self.phenomenon.name
        return {"name": name, "difference": gap, "p_corrected": self.p, "significant": self.is_significant}


def diagnosis_settings(
    model: str, phenomena: Sequence[str], source: str, sample: int, inoculate: int, train: TrainConfig, length: int
) -> CurriculumSettings:
    """The settings of a diagnosis: the model as it is, zero-shot and, if asked for, after inoculation."""
    phenomena_of(tuple(phenomena))
    if source not in SOURCES:
        raise unknown_name("source", source, SOURCES)
    plain = {
        "source": source,
        "data": PhenomenonSizes(validation=sample),
        "model": ModelConfig(name=model, head="own", max_length=length),
        "train": train,
        "inoculate": train,
        "run": RunSettings(
            phenomena=tuple(dict.fromkeys(phenomena)),
            tests=(ZERO_SHOT, INOCULATION) if inoculate else (ZERO_SHOT,),
            sizes=(inoculate or 1,),
            seeds=(0,),
        ),
    }
    return CurriculumSettings.model_validate(plain)


def prepare_diagnosis(settings: CurriculumSettings, store: Store, resamples: int = 1000) -> Diagnosis:
    """What has to be run for a diagnosis, and what is read from it then."""
    design = make_design(settings, store)
    return Diagnosis(design, Results(design, store, Bootstrap(resamples)))


def compare(first: Diagnosis, second: Diagnosis) -> list[Compared]:
    """Second − first on each phenomenon, asked in the labels that both know; p is corrected for their number (Holm)."""
    found: list[tuple[Phenomenon, Floats]] = []
    for one in first.findings:
        name = one.phenomenon.name
        labels = min(first.asked(name).labels, second.asked(name).labels, key=len)
        gap = second.right(name, labels) - first.right(name, labels)
        found.append((one.phenomenon, first.results.bootstrap.mean(gap, *first.results.named(first._reading(name)))))
    corrected = holm([bootstrap_p(gap) for _, gap in found])
    return [Compared(phenomenon, interval(gap), p) for (phenomenon, gap), p in zip(found, corrected, strict=True)]


def right_by_hypothesis(chosen: Chosen, asked: Asked) -> Bools:
    """Where a linear model of words and pairs of words in the hypothesis is right, having seen no premise."""
    number = min(_LEARNED_FROM, len(chosen.train) // len(chosen.train.labels))
    known = chosen.first(number)
    assert known is not None
    labels = [asked.labels.places(str(example.label))[0] for example in known]
    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"(?u)\b\w+\b"),
        LogisticRegression(max_iter=500, C=3.0),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not to have converged is no matter for a baseline
        model.fit([str(example.hypothesis) for example in known], labels)
    said = model.predict([str(example.hypothesis) for example in chosen.validation])
    return np.asarray(said == asked.gold)


def _gallery(model: str, finding: Finding, chosen: Chosen, asked: Asked, number: int) -> ErrorExamples:
    sure = asked.logits - np.logaddexp.reduce(asked.logits, axis=1, keepdims=True)
    wrong = [
        int(place) for place in np.argsort(-sure.max(axis=1), kind="stable") if asked.said[place] != asked.gold[place]
    ]
    cases = []
    for place in wrong[:number]:
        example = chosen.validation.examples[place]
        names = asked.labels.names
        said = names[asked.said[place]]
        cases.append(Case(example.premise, str(example.hypothesis), (("label", names[asked.gold[place]], said),)))
    title = f"{model}{finding.phenomenon.title} ({finding.phenomenon.name}), {finding.state}"
    return ErrorExamples(
        title, finding.phenomenon.about.capitalize() + ".", (ErrorGroup("wrong", len(wrong), tuple(cases)),)
    )


def _plain(finding: Finding) -> Mapping[str, Any]:
    return {
        "name": finding.phenomenon.name,
        "title": finding.phenomenon.title,
        "category": finding.phenomenon.category,
        "source": finding.source,
        "labels": list(finding.phenomenon.labels.names),
        "examples": finding.examples,
        "state": finding.state,
        "correlation": _bounds(finding.correlation),
        "accuracy": _bounds(finding.accuracy),
        "majority": finding.majority,
        "hypothesis_only": finding.alone,
        "gain_over_both": _bounds(finding.gain),
        "cut": finding.cut,
        "after_inoculation": None if finding.recovered is None else _bounds(finding.recovered),
        "gain_by_inoculation": None if finding.taught is None else _bounds(finding.taught),
    }


def _bounds(found: Interval) -> dict[str, float]:
    return {"value": found.value, "low": found.low, "high": found.high}
