"""Diagnose what a classifier can reason about: zero-shot predictions on many phenomena, against simple baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from trivium.benchmarks.curriculum.design import INOCULATION, ZERO_SHOT, CurriculumDesign, PredictionKey, make_design
from trivium.benchmarks.curriculum.results import Results
from trivium.benchmarks.curriculum.settings import CurriculumSettings, RunSettings
from trivium.build.phenomena.selection import AUTO, BUILTIN, RELEASED, PhenomenonSizes, Selection
from trivium.data.labels import Labels
from trivium.data.phenomena import PHENOMENA, Phenomenon, select_phenomena
from trivium.engine.store import Store
from trivium.errors import unknown_name
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.measure.baselines import Baselines, baselines
from trivium.measure.error_examples import ErrorExample, ErrorExamples, ErrorGroup
from trivium.measure.metrics import Floats
from trivium.measure.outputs import AlignedOutputs
from trivium.measure.statistics.estimate import Estimate, difference, mean
from trivium.measure.statistics.intervals import Interval, bounds, interval, p_value
from trivium.measure.statistics.multiple import holm

State = Literal["mastered", "in part", "undecided", "missing", "reversed"]
STATES: tuple[State, ...] = ("mastered", "in part", "undecided", "missing", "reversed")
SOURCES = (AUTO, RELEASED, BUILTIN)
_STRONG, _WEAK = 0.5, 0.2
_BASELINE_EXAMPLES = 1000  # maximum number of training examples per label of the baselines
_MAX_ERRORS = 5


@dataclass(frozen=True)
class Finding:
    """The figures of one phenomenon. Accuracies and shares are between 0 and 1.

    Attributes:
        baselines: The accuracy of each of :data:`BASELINES` by name.
        gain: The accuracy of the model minus that of the best baseline, paired by example.
        truncated_share: The share of pairs that are longer than ``max_length``.
        inoculated_accuracy: The accuracy after inoculation.
        inoculation_gain: The gain in accuracy by inoculation.
        constant: The label that the model gives to every example; empty if it gives several.
    """

    phenomenon: Phenomenon
    source: str
    examples: int
    correlation: Interval
    accuracy: Interval
    baselines: Mapping[str, float]
    gain: Interval
    truncated_share: float = 0.0
    inoculated_accuracy: Interval | None = None
    inoculation_gain: Interval | None = None
    constant: str = ""

    @property
    def doubt(self) -> str:
        """Why the gold labels are not to be trusted; empty if they are, as those of generated examples."""
        return self.phenomenon.doubt if self.source == RELEASED else ""

    @property
    def state(self) -> State:
        """The state of the phenomenon, read from the 95 % interval of the correlation.

        - Mastered: the interval is at or above 0.5, and that of the gain over the best baseline is above 0.
        - Reversed: it is below 0, as for a model that swaps labels.
        - Missing: it is below 0.2.
        - In part: it is above 0.
        - Undecided: none of these; more examples are needed.
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
    """The predictions of a model on the phenomena, as far as they are in the store."""

    design: CurriculumDesign
    results: Results

    @property
    def model(self) -> str:
        """The model's name."""
        return self.design.settings.model.name

    @cached_property
    def findings(self) -> list[Finding]:
        """One finding for each phenomenon, ordered by category, then by correlation, the highest first."""
        findings = [self._finding(selection) for selection in self.design.examples.values()]
        order = list(dict.fromkeys(PHENOMENA[name].category for name in PHENOMENA))
        return sorted(findings, key=lambda f: (order.index(f.phenomenon.category), -f.correlation.value))

    def with_state(self, state: State) -> list[Finding]:
        """Return the findings in a state, the highest correlation first."""
        findings = (finding for finding in self.findings if finding.state == state)
        return sorted(findings, key=lambda finding: -finding.correlation.value)

    def outputs(self, name: str) -> AlignedOutputs:
        """Return the outputs of the model for a phenomenon, with the gold labels."""
        outputs = self.results.outputs(self._key(name))
        if outputs is None:
            raise ValueError(f"{name} is not in the store")
        return outputs

    def worst(self, number: int = _MAX_ERRORS, prefix: str = "") -> list[ErrorExamples]:
        """Return for each phenomenon the examples on which the model is most confident of an incorrect label.

        ``prefix`` is put before each title.
        """
        return [self._error_examples(finding, number, prefix) for finding in self.findings]

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        sizes = self.design.settings.run.sizes
        return {
            "model": self.model,
            "revision": self.design.settings.model.revision,
            "examples": self.design.settings.data.validation,
            "not_tested": list(self.design.missing),
            "inoculation": sizes[0] if INOCULATION in self.design.settings.run.tests else None,
            "phenomena": [_to_json(finding) for finding in self.findings],
        }

    def correct(self, name: str, labels: Labels) -> Floats:
        """Return whether each prediction is correct (1 or 0), both sides expressed in a label scheme."""
        outputs = self.results.outputs_in(self._key(name), labels)
        return np.asarray(outputs.predicted == outputs.gold, dtype=np.float64)

    def mean(self, name: str, values: Floats) -> Estimate:
        """Return the mean of values, one for each example of a phenomenon."""
        return mean(values, self.results.clusters(self._key(name)))

    def _finding(self, selection: Selection) -> Finding:
        name = selection.phenomenon.name
        correlation, accuracy = self.results.correlation(ZERO_SHOT, name), self.results.accuracy(ZERO_SHOT, name)
        if correlation is None or accuracy is None:
            raise ValueError(f"{name} is not in the store")
        inoculated = self.results.accuracy(INOCULATION, name, self.design.settings.run.sizes[0])
        inoculation_gain = difference(inoculated, accuracy)
        outputs = self.outputs(name)
        known = selection_baselines(selection, outputs)
        best = max((row for row in known if row is not None), key=np.mean)
        gain = (outputs.predicted == outputs.gold).astype(np.float64) - best
        return Finding(
            phenomenon=selection.phenomenon,
            source=selection.source,
            examples=len(selection.validation),
            correlation=interval(correlation),
            accuracy=interval(accuracy),
            baselines=known.accuracies(),
            gain=interval(self.mean(name, gain)),
            truncated_share=self.results.truncated_share(name),
            inoculated_accuracy=None if inoculated is None else interval(inoculated),
            inoculation_gain=None if inoculation_gain is None else interval(inoculation_gain),
            constant=outputs.labels.names[outputs.predicted[0]] if accuracy.is_constant else "",
        )

    def _key(self, name: str) -> PredictionKey:
        return PredictionKey(ZERO_SHOT, name, self.results.seeds[0])

    def _error_examples(self, finding: Finding, number: int, prefix: str) -> ErrorExamples:
        phenomenon = finding.phenomenon
        outputs, examples = self.outputs(phenomenon.name), self.design.examples[phenomenon.name].validation.examples
        confidence = (outputs.logits - np.logaddexp.reduce(outputs.logits, axis=1, keepdims=True)).max(axis=1)
        incorrect = [
            int(index)
            for index in np.argsort(-confidence, kind="stable")
            if outputs.predicted[index] != outputs.gold[index]
        ]
        names, cases = outputs.labels.names, []
        for index in incorrect[:number]:
            answer = ("label", names[outputs.gold[index]], names[outputs.predicted[index]])
            cases.append(ErrorExample(examples[index].premise, str(examples[index].hypothesis), (answer,)))
        title = f"{prefix}{phenomenon.title} ({phenomenon.name}), {finding.state}"
        group = ErrorGroup("wrong", len(incorrect), tuple(cases))
        return ErrorExamples(title, phenomenon.about.capitalize() + ".", (group,))


@dataclass(frozen=True)
class ComparedPhenomenon:
    """The difference between the accuracies of two models on one phenomenon, and its corrected p-value."""

    phenomenon: Phenomenon
    difference: Interval
    p: float

    @property
    def is_significant(self) -> bool:
        """Whether the difference is significant at 5 %, corrected for the number of phenomena."""
        return self.p < 0.05

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        gap, name = bounds(self.difference), self.phenomenon.name
        return {"name": name, "difference": gap, "p_corrected": self.p, "significant": self.is_significant}


def diagnosis_settings(
    model: str,
    phenomena: Sequence[str],
    source: str,
    sample: int,
    inoculate: int,
    train: TrainConfig,
    length: int,
    composer: str = "head",
) -> CurriculumSettings:
    """Return the settings of a diagnosis: the model as it is, and after inoculation if ``inoculate`` is above 0.

    Args:
        model: A folder, or a name on a hub.
        phenomena: Names of phenomena or categories; empty for all.
        source: One of :data:`SOURCES`.
        sample: How many examples of each phenomenon to test on.
        inoculate: How many examples of each label to inoculate with; 0 for none.
        train: How to train on them.
        length: The maximum number of tokens of a pair.
        composer: How pairs whose premise embeds a clause are answered.
    """
    select_phenomena(tuple(phenomena))
    if source not in SOURCES:
        raise unknown_name("source", source, SOURCES)
    plain = {
        "source": source,
        "data": PhenomenonSizes(validation=sample),
        "model": ModelConfig(name=model, head="own", max_length=length, composer=composer),
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


def prepare_diagnosis(settings: CurriculumSettings, store: Store) -> Diagnosis:
    """Return a diagnosis; its predictions still have to be run."""
    design = make_design(settings, store)
    return Diagnosis(design, Results(design, store))


def compare(first: Diagnosis, second: Diagnosis) -> list[ComparedPhenomenon]:
    """Return the difference second − first on each phenomenon, with p-values corrected by Holm's method.

    Where the models have different label schemes, both are compared in the smaller one.
    """
    differences: list[tuple[Phenomenon, Estimate]] = []
    for finding in first.findings:
        name = finding.phenomenon.name
        labels = min(first.outputs(name).labels, second.outputs(name).labels, key=len)
        gap = second.correct(name, labels) - first.correct(name, labels)
        differences.append((finding.phenomenon, first.mean(name, gap)))
    corrected = holm([p_value(gap) for _, gap in differences])
    return [
        ComparedPhenomenon(phenomenon, interval(gap), p)
        for (phenomenon, gap), p in zip(differences, corrected, strict=True)
    ]


def selection_baselines(chosen: Selection, outputs: AlignedOutputs) -> Baselines:
    """Return the baselines on the examples of a phenomenon, in the labels of the outputs."""
    names, labels = outputs.labels.names, outputs.labels
    training = chosen.first(min(_BASELINE_EXAMPLES, len(chosen.train) // len(chosen.train.labels)))
    assert training is not None
    known = [replace(example, label=names[labels.indices(str(example.label))[0]]) for example in training]
    test = zip(chosen.validation.examples, outputs.gold, strict=True)
    return baselines([replace(example, label=names[gold]) for example, gold in test], known)


def _to_json(finding: Finding) -> Mapping[str, Any]:
    return {
        "name": finding.phenomenon.name,
        "title": finding.phenomenon.title,
        "category": finding.phenomenon.category,
        "source": finding.source,
        "labels": list(finding.phenomenon.labels.names),
        "examples": finding.examples,
        "state": finding.state,
        "constant": finding.constant or None,
        "doubt": finding.doubt or None,
        "correlation": bounds(finding.correlation),
        "accuracy": bounds(finding.accuracy),
        **{name.replace(" ", "_"): share for name, share in finding.baselines.items()},
        "gain_over_baselines": bounds(finding.gain),
        "cut": finding.truncated_share,
        "after_inoculation": bounds(finding.inoculated_accuracy),
        "gain_by_inoculation": bounds(finding.inoculation_gain),
    }
