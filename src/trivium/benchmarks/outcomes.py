"""Outcomes: which test examples each model of an experiment predicts correctly, as tidy data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from trivium.benchmarks.experiment import Experiment
from trivium.data.example import Example
from trivium.data.labels import Labels, output_labels
from trivium.data.split import Split
from trivium.engine.steps import PredictStep
from trivium.engine.store import Store
from trivium.measure.metrics import Bools, forget
from trivium.measure.outputs import align_outputs
from trivium.measure.statistics.estimate import GIVEN_MODEL, Estimate, Training, mean, transform
from trivium.measure.statistics.intervals import bounds, interval


class Outcome(NamedTuple):
    """One metric of one prediction: the fields that identify the prediction, and which examples count as correct.

    ``split`` is the identity of the test. ``clusters`` has a name for each example; examples with the same name (which
    share a natural pair or a premise) form a cluster.
    """

    fields: Mapping[str, Any]
    metric: str
    correct: Bools
    split: str
    clusters: tuple[str, ...]

    def to_row(self) -> dict[str, Any]:
        """Return a row of a tidy table, with the accuracy and its 95 % interval over test examples in per cent."""
        return self._row(self.metric, self.accuracy())

    def forget_row(self, before: Outcome) -> dict[str, Any]:
        """Return a row with the share of an earlier accuracy that is lost, in per cent."""
        return self._row("Forget", transform(forget, before.accuracy(), self.accuracy()))

    def accuracy(self, training: Training = GIVEN_MODEL) -> Estimate:
        """Return the share of correct examples."""
        return mean(self.correct, self.clusters, training)

    def _row(self, metric: str, estimate: Estimate) -> dict[str, Any]:
        figures = bounds(100 * interval(estimate))
        return {**self.fields, "metric": metric, **figures, "examples": len(self.correct)}


def tidy_rows(experiment: Experiment[Any, Any], store: Store) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric of each prediction, and for what was forgotten between the first two stages."""
    every = list(outcomes(experiment, store))
    yield from (outcome.to_row() for outcome in every)
    first = [o for o in every if o.metric == experiment.first_metrics.get(str(o.fields.get("setting")))]
    before = {_test(outcome): outcome for outcome in first if outcome.fields["stage"] == 1}
    for outcome in first:
        if outcome.fields["stage"] == 2 and _test(outcome) in before:
            yield outcome.forget_row(before[_test(outcome)])


def _test(outcome: Outcome) -> tuple[Any, ...]:
    return tuple(value for name, value in outcome.fields.items() if name not in ("strategy", "stage"))


def outcomes(experiment: Experiment[Any, Any], store: Store) -> Iterator[Outcome]:
    """Yield the outcomes of all predictions that are in the store."""
    splits: dict[str, Split] = {}
    for fields, step in experiment.predictions():
        if step.output != "logits" or step.key not in store:
            continue
        if step.split not in splits:
            splits[step.split] = store.split(step.split)
        split = splits[step.split]
        correct = _correct_by_task(step, split, store)
        for metric, values in experiment.metrics(fields, correct).items():
            if len(values):
                clusters = (
                    tuple(map(_cluster, split)) if len(values) == len(split) else tuple(map(str, range(len(values))))
                )
                yield Outcome(fields, metric, values, step.split, clusters)


def _correct_by_task(step: PredictStep, split: Split, store: Store) -> dict[str, Bools]:
    labels = _model_labels(step, store)
    correct = {}
    for task, logits in store.logits(step.key).items():
        rows = [row for example in split for row in example.rows() if row.task == task]
        if rows and all(row.label is not None for row in rows):
            outputs = align_outputs(rows, logits, labels, split.labels)
            correct[task] = np.asarray(outputs.predicted == outputs.gold)
    return correct


def _model_labels(step: PredictStep, store: Store) -> Labels:
    """Return the label scheme of a model's outputs."""
    model = step.training.model
    if model.head == "own":
        from trivium.models.classifiers import labels_of

        return labels_of(model.name, model.revision)
    return output_labels(store.split(step.training.root.split).labels)


def _cluster(example: Example) -> str:
    return example.parts[-1].id if example.parts else example.premise
