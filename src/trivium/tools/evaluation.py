"""Evaluate a classifier as it is on a user's own pairs: figures with intervals, predictions, and errors to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, NLI3_AND_2, SENTIMENT, Labels
from trivium.data.split import Split
from trivium.engine.steps import PredictStep
from trivium.engine.store import Store
from trivium.errors import UserError, did_you_mean
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.measure.baselines import Baselines, baselines
from trivium.measure.classification import LabelScores, Scores, confusion_matrix, score, score_labels
from trivium.measure.error_examples import ErrorExample, ErrorExamples, ErrorGroup
from trivium.measure.outputs import AlignedOutputs, align_outputs
from trivium.models.classifiers import HEAD, SUPPORT, labels_of, nli_labels
from trivium.models.encoders import load_tokenizer
from trivium.models.tokens import RowMaker
from trivium.tools.prediction_files import flat_rows, write_rows

_MAX_VALUES = 20  # of a metadata column that is grouped by default
_MAX_ERRORS = 5
_DIGITS = 6


@dataclass(frozen=True)
class Group:
    """The figures of the examples that have one value in a metadata column."""

    column: str
    value: str
    scores: Scores
    baseline: float
    """The accuracy of the best of :attr:`Evaluation.baselines` and of the group's most frequent label."""

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return {"column": self.column, "value": self.value, **self.scores.to_json(), "best_baseline": self.baseline}


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The evaluation of a classifier on pairs: figures computed from its predictions in the store.

    Figures are computed on the labelled examples; they raise a :class:`UserError` if there is none. Where model and
    data have different label schemes, both are expressed in the smaller one (:attr:`labels`).
    """

    config: ModelConfig
    model_labels: Labels
    split: Split
    store: Store
    prediction: PredictStep
    by: tuple[str, ...] | None = None
    metadata: tuple[str, ...] = ()

    @property
    def model(self) -> str:
        """The model's name."""
        return self.config.name

    def runs(self) -> Iterator[list[PredictStep]]:
        """Yield the predictions that have to be in the store."""
        yield [self.prediction]

    @cached_property
    def labelled(self) -> NDArray[np.bool_]:
        """Whether each example has a label."""
        return np.array([example.label is not None for example in self.split], dtype=np.bool_)

    @property
    def labels(self) -> Labels:
        """The label scheme of the predictions and the figures."""
        return self._outputs.labels

    @cached_property
    def predicted(self) -> NDArray[np.intp]:
        """The index of the label predicted for each example."""
        return self._outputs.predicted

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of each label, for each example."""
        logits = self._outputs.logits
        return np.asarray(np.exp(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)))

    @cached_property
    def predicted_counts(self) -> dict[str, int]:
        """How often each label is predicted, on all examples."""
        return {name: int((self.predicted == index).sum()) for index, name in enumerate(self.labels.names)}

    @cached_property
    def overall(self) -> Scores:
        """Accuracy, Matthews' correlation and macro F1 of all labelled examples."""
        return self._score(self._labelled_or_raise())

    @cached_property
    def baselines(self) -> Baselines:
        """What needs no understanding gets right, of the labelled examples."""
        labelled, names = self._labelled_or_raise(), self.labels.names
        gold = self._outputs.gold
        return baselines([replace(self.split.examples[index], label=names[gold[index]]) for index in labelled])

    @cached_property
    def by_label(self) -> list[LabelScores]:
        """Precision, recall, F1 and support of each label."""
        labelled = self._labelled_or_raise()
        predicted, gold = self.predicted[labelled], self._outputs.gold[labelled]
        return score_labels(predicted, gold, self.labels.names)

    @cached_property
    def confusion(self) -> NDArray[np.int64]:
        """The confusion matrix: gold labels in rows, predicted labels in columns."""
        labelled = self._labelled_or_raise()
        return confusion_matrix(self.predicted[labelled], self._outputs.gold[labelled], len(self.labels))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The metadata columns by which :attr:`groups` are formed.

        Those that the user chose; by default all that have 2 to 20 distinct values, fewer than a third of the rows.
        """
        if self.by is not None:
            return self.by
        values = _values_by_column(self.split)
        return tuple(
            name
            for name, distinct in values.items()
            if 2 <= len(distinct) <= _MAX_VALUES and 3 * len(distinct) < len(self.split)
        )

    @cached_property
    def groups(self) -> list[Group]:
        """The figures for each value of each metadata column, the most frequent value first."""
        labelled = self._labelled_or_raise()
        groups = []
        for column in self.columns:
            members: dict[str, list[int]] = {}
            for index in labelled:
                value = self.split.examples[index].fact(column)
                if value is not None:
                    members.setdefault(value, []).append(int(index))
            for value, indices in sorted(members.items(), key=lambda item: (-len(item[1]), item[0])):
                chosen = np.array(indices, dtype=np.intp)
                scores, baseline = self._score(chosen), self.baselines.best(np.isin(labelled, chosen))
                groups.append(Group(column, value, scores, max(scores.majority, baseline)))
        return groups

    @cached_property
    def truncated(self) -> int:
        """The number of examples that are longer than ``max_length`` and are truncated."""
        tokenizer = load_tokenizer(self.config.name, self.config.revision)
        rows = RowMaker(tokenizer, self.config.max_length)
        return sum(not rows.fits(example) for example in self.split)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield each example with its prediction: a dictionary with probabilities by label and all metadata.

        ``label`` is spelled in the scheme of the data, ``predicted`` in :attr:`labels`; ``correct`` compares the two,
        and is None without a label.
        """
        names, gold = self.labels.names, self._outputs.gold
        for index, example in enumerate(self.split):
            predicted, probabilities = int(self.predicted[index]), self.probabilities[index]
            yield {
                "id": example.id,
                "premise": example.premise,
                "hypothesis": example.hypothesis,
                "label": example.label,
                "predicted": names[predicted],
                "correct": bool(gold[index] == predicted) if self.labelled[index] else None,
                "probability": round(float(probabilities[predicted]), _DIGITS),
                "probabilities": {name: round(float(p), _DIGITS) for name, p in zip(names, probabilities, strict=True)},
                "metadata": dict(example.facts),
            }

    def flat_rows(self) -> list[dict[str, Any]]:
        """Return :meth:`rows` without nested values, with the columns that :meth:`write_predictions` writes to CSV."""
        _, *rows = flat_rows(self.rows(), self.labels.names, self._metadata)
        return rows

    def write_predictions(self, path: str | Path) -> None:
        """Write :meth:`rows` as ``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``, atomically."""
        write_rows(self.rows(), self.labels.names, self._metadata, Path(path))

    @property
    def _metadata(self) -> tuple[str, ...]:
        """The metadata columns: those of the data in their order, then others."""
        present = _values_by_column(self.split)
        return tuple(dict.fromkeys([*(name for name in self.metadata if name in present), *present]))

    def error_examples(self, number: int = _MAX_ERRORS) -> ErrorExamples:
        """Return the examples on which the model is most confident of a wrong label, by gold and predicted label."""
        names, gold = self.labels.names, self._outputs.gold
        confidence = self.probabilities.max(axis=1)
        incorrect = [int(index) for index in self._labelled_or_raise() if gold[index] != self.predicted[index]]
        members: dict[tuple[int, int], list[int]] = {}
        for index in sorted(incorrect, key=lambda index: -confidence[index]):
            members.setdefault((int(gold[index]), int(self.predicted[index])), []).append(index)
        groups = []
        for labels, indices in sorted(members.items(), key=lambda item: (-len(item[1]), item[0])):
            correct, predicted = (names[label] for label in labels)
            cases = tuple(self._error_example(index, correct, predicted) for index in indices[:number])
            groups.append(ErrorGroup(f"{correct} predicted as {predicted}", len(indices), cases))
        caption = "Where the model is most confident of a wrong label."
        return ErrorExamples(f"Errors on {self.split.name}", caption, tuple(groups))

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain values; without labels, the figures that need them are None."""
        has_labels = bool(self.labelled.any())
        return {
            "model": self.model,
            "revision": self.config.revision,
            "data": self.split.name,
            "examples": len(self.split),
            "unlabelled": int((~self.labelled).sum()),
            "labels": list(self.labels.names),
            "predicted": self.predicted_counts,
            "overall": self.overall.to_json() if has_labels else None,
            "baselines": self.baselines.accuracies() if has_labels else None,
            "by_label": [label.to_json() for label in self.by_label] if has_labels else None,
            "confusion": self.confusion.tolist() if has_labels else None,
            "groups": [group.to_json() for group in self.groups] if has_labels else None,
        }

    @cached_property
    def _outputs(self) -> AlignedOutputs:
        """The logits and gold labels in one label scheme. The gold label of an unlabelled example is a placeholder."""
        if self.prediction.key not in self.store:
            raise UserError(f"the evaluation of {self.model} on {self.split.name} has not been run: run it first")
        logits = self.store.logits(self.prediction.key)[HEAD]
        task = self.split.labels if self.labelled.any() else self.model_labels
        examples = [e if e.label is not None else replace(e, label=task.names[0]) for e in self.split]
        return align_outputs(examples, logits, self.model_labels, task)

    def _labelled_or_raise(self) -> NDArray[np.intp]:
        if not self.labelled.any():
            raise UserError(
                f"{self.split.name}: the examples have no labels, so accuracy, correlation and F1 cannot be "
                "computed: add a column with labels, or write the predictions alone"
            )
        return np.flatnonzero(self.labelled)

    def _score(self, indices: NDArray[np.intp]) -> Scores:
        predicted, gold = self.predicted[indices], self._outputs.gold[indices]
        return score(predicted, gold, len(self.labels))

    def _error_example(self, index: int, correct: str, predicted: str) -> ErrorExample:
        example = self.split.examples[index]
        title = f"{example.id}, probability {self.probabilities[index].max():.2f}"
        return ErrorExample(example.premise, example.hypothesis or "", ((title, correct, predicted),))


def prepare_evaluation(
    model: str | Path,
    split: Split,
    store: Store,
    max_length: int = 512,
    device: str = "cpu",
    precision: str = "fp32",
    *,
    by: Sequence[str] | None = None,
    metadata: Sequence[str] = (),
) -> Evaluation:
    """Return the evaluation of a classifier, as it is, on a split; its predictions still have to be run.

    Args:
        model: A folder, or a name on a hub.
        split: The pairs, labelled or not; see :func:`trivium.data.tables.read_pairs`.
        store: Where predictions are kept. They depend on the texts alone: other labels or metadata need no new run.
        max_length: The maximum number of tokens of a pair; longer pairs are truncated.
        device: ``cpu`` or ``cuda``.
        precision: ``fp32``, ``bf16`` or ``int8``.
        by: The metadata columns to group by; by default those with few values.
        metadata: The order of metadata columns in files of predictions.
    """
    if not len(split):
        raise UserError(f"{split.name}: contains no examples to evaluate on")
    _check_columns(split, by)
    try:
        unresolved = ModelConfig(name=str(model), head="own", max_length=max_length)
        train = TrainConfig.model_validate({"device": device, "precision": precision})
    except ValidationError as error:
        problem = error.errors()[0]
        where = f"{problem['loc'][0]}={problem['input']!r}: " if problem["loc"] else ""
        raise UserError(f"{where}{problem['msg'].removeprefix('Value error, ')}") from None
    config, fingerprint = resolve_model(unresolved, store)
    labels = _model_labels(config)
    _check_labels(labels, split, config.name)
    maker = StepMaker(config, fingerprint, (HEAD,), store)
    base = maker.train(Split("base", (), labels), train, 0)  # a stage without examples: the model as it is
    prediction = maker.predict(base, _texts(split, labels))
    columns = None if by is None else tuple(dict.fromkeys(by))
    return Evaluation(config, labels, split, store, prediction, columns, tuple(metadata))


def _texts(split: Split, labels: Labels) -> Split:
    """Return a split with only the texts, and indices as ids, because predictions depend on nothing else."""
    examples = (Example(str(index), e.premise, e.hypothesis, None, HEAD) for index, e in enumerate(split))
    return Split(split.name, tuple(examples), labels)


def _model_labels(config: ModelConfig) -> Labels:
    labels = labels_of(config.name, config.revision)
    if labels != SENTIMENT or (Path(config.name) / SUPPORT).is_file():
        return nli_labels(config.name, config.revision)  # raises for models that do not predict by their head
    return labels


def _check_labels(model: Labels, split: Split, name: str) -> None:
    """Raise if the labels of a model and of labelled data cannot be compared."""
    if all(example.label is None for example in split):
        return
    if split.labels == NLI3_AND_2:
        raise UserError(
            f"{split.name}: contains labels of two schemes ({NLI3_AND_2.name}): evaluate each scheme separately"
        )
    if model != split.labels and not {model.name, split.labels.name} <= {NLI3.name, NLI2.name}:
        raise UserError(
            f"{split.name}: its labels are {', '.join(split.labels.names)}, but those of model {name!r} are "
            f"{', '.join(model.names)}: choose data or a model with matching labels"
        )


def _check_columns(split: Split, by: Sequence[str] | None) -> None:
    known = _values_by_column(split)
    for column in by or ():
        if column not in known:
            raise UserError(f"{split.name}: no metadata column {column!r}: {did_you_mean(column, known)}")


def _values_by_column(split: Split) -> dict[str, set[str]]:
    """Return the distinct values of each metadata column, columns in order of appearance.

    Of a column with more than 20 distinct values only the first 21 are kept.
    """
    values: dict[str, set[str]] = {}
    for example in split:
        for name, value in example.facts:
            distinct = values.setdefault(name, set())
            if len(distinct) <= _MAX_VALUES:
                distinct.add(value)
    return values
