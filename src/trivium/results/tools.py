"""Results of tools: diagnosis, stress test, evaluation, correction, training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trivium.errors import UserError
from trivium.measure.statistics.intervals import bounds
from trivium.report.document import Document
from trivium.results.base import Result, flatten

if TYPE_CHECKING:
    from trivium.data.example import Example
    from trivium.measure.error_examples import ErrorExamples
    from trivium.tools.correction import Correction
    from trivium.tools.diagnosis import ComparedPhenomenon, Diagnosis
    from trivium.tools.evaluation import Evaluation
    from trivium.tools.stress import Stress
    from trivium.tools.training import Trained

_SHOWN = 20  # predictions that are printed


@dataclass(frozen=True, eq=False, repr=False)
class DiagnosisResult(Result):
    """The diagnosis of one or two classifiers, with the requested stress tests."""

    diagnoses: tuple[Diagnosis, ...]
    compared: tuple[ComparedPhenomenon, ...] = ()
    stress: tuple[Stress, ...] = ()
    derivations: tuple[ErrorExamples, ...] = ()
    command: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each model and phenomenon."""
        return [
            {"model": diagnosis.model, **flatten(phenomenon)}
            for diagnosis in self.diagnoses
            for phenomenon in diagnosis.to_json()["phenomena"]
        ]

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        models: list[dict[str, Any]] = [diagnosis.to_json() for diagnosis in self.diagnoses]
        for model, stress in zip(models, self.stress, strict=False):
            model["stress"] = stress.to_json()["sets"]
        if len(models) == 1:
            return models[0]
        return {"models": models, "compared": [item.to_json() for item in self.compared]}

    def document(self) -> Document:
        """Return the content of the report."""
        from trivium.report.diagnosis import diagnosis_document
        from trivium.report.formatting import prefixed_by_model
        from trivium.report.stress import stress_document

        document = diagnosis_document(self.diagnoses, self.compared, self.command)
        document = replace(document, error_examples=(*self.derivations, *document.error_examples))
        for stress, prefix in prefixed_by_model(self.stress):
            document = document.followed_by(stress_document(stress, self.command, prefix))
        return document


@dataclass(frozen=True, eq=False, repr=False)
class StressResult(Result):
    """The stress test of a classifier on pairs with conjunctions."""

    stress: Stress
    command: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each set and group of pairs."""
        return [
            {"set": subset["name"], **flatten(group)}
            for subset in self.stress.to_json()["sets"]
            for group in subset["groups"]
        ]

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        return self.stress.to_json()

    def document(self) -> Document:
        """Return the content of the report."""
        from trivium.report.stress import stress_document

        return stress_document(self.stress, self.command)


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationResult(Result):
    """A classifier's predictions for a user's own examples, with scores if the examples are labelled."""

    evaluation: Evaluation
    command: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each example: label, predicted label, probabilities (``p_<label>``) and metadata."""
        return self.evaluation.flat_rows()

    def write_predictions(self, path: str | Path) -> Path:
        """Write one line for each example as ``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``."""
        self.evaluation.write_predictions(Path(path))
        return Path(path)

    def figure_rows(self) -> list[dict[str, Any]]:
        """Return one row for all examples, for each label, and for each value of each metadata column."""
        plain = self.to_json()
        rows = [{"column": "", "value": "all", **flatten(plain["overall"] or {})}]
        rows += [{"column": "label", "value": each["label"], **flatten(each)} for each in plain["by_label"] or ()]
        return rows + [flatten(each) for each in plain["groups"] or ()]

    def to_json(self) -> dict[str, Any]:
        """Return all scores as plain values."""
        return self.evaluation.to_json()

    def document(self) -> Document:
        """Return the content of the report."""
        from trivium.report.evaluation import evaluation_document

        return evaluation_document(self.evaluation, self.command)


@dataclass(frozen=True, eq=False, repr=False)
class PredictionResult(EvaluationResult):
    """A classifier's predictions for a user's own examples: printed as predictions, not as scores."""

    def __str__(self) -> str:
        rows = list(islice(self.evaluation.rows(), _SHOWN))
        lines = [f"{row['predicted']}\t{row['probability']:.3f}\t{_pair(row)}" for row in rows]
        more = len(self.evaluation.split) - len(rows)
        return "\n".join([*lines, *([f"… and {more:,} more: see rows()"] if more else [])])

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def _pair(row: Mapping[str, Any]) -> str:
    return row["premise"] if row["hypothesis"] is None else f"{row['premise']} → {row['hypothesis']}"


@dataclass(frozen=True, eq=False, repr=False)
class CorrectionResult(Result):
    """The correction of a classifier: the gain and loss of each method, and the selected method, if any.

    ``saver`` writes the corrected model into a folder; ``saved`` is the folder that the report names.
    """

    correction: Correction
    saver: Callable[[Path], None]
    command: str = ""
    saved: Path | None = None

    @property
    def method(self) -> str | None:
        """The selected method; None if no method was good enough."""
        return None if self.correction.selected is None else self.correction.selected.method

    def pairs(self) -> list[Example]:
        """Return the pairs of a lesson about all corrections; empty if the kind of the mistakes is unknown."""
        task = self.correction.task
        return list(task.lessons.pairs(task.corrections.examples))

    def write_pairs(self, path: str | Path) -> Path:
        """Write these pairs as JSON Lines, to look at and to edit; ``correct(…, pairs=path)`` reads them."""
        from trivium.tools.lessons import write_pairs

        write_pairs(self.pairs(), self.correction.labels, Path(path))
        return Path(path)

    def save(self, out: str | Path) -> Path:
        """Write the corrected model, which transformers loads, whole or not at all; :func:`trivium.undo` undoes it."""
        if self.correction.selected is None:
            from trivium.report.correction_text import refusal

            raise UserError("no model is written: " + "\n".join(refusal(self.correction)))
        self.saver(Path(out))
        return Path(out)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each method that was trained on all corrections."""
        return [flatten(figures) for figures in self.to_json()["finals"]]

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        from trivium.report.correction import correction_json

        return correction_json(self.correction, self.saved)

    def document(self) -> Document:
        """Return the content of the report."""
        from trivium.report.correction import correction_document

        return correction_document(self.correction, self.command, self.saved)


@dataclass(frozen=True, repr=False)
class TrainingResult(Result):
    """A trained classifier: its folder, and its accuracy on held-out pairs."""

    folder: Path
    trained: Trained

    def rows(self) -> list[dict[str, Any]]:
        """Return a single row."""
        return [self.to_json()]

    def to_json(self) -> dict[str, Any]:
        """Return the folder, the numbers of pairs, and the accuracy in percent."""
        sizes = {"pairs": self.trained.pairs, "held_out": self.trained.held_out}
        return {"folder": str(self.folder), **sizes, **bounds(self.trained.accuracy, "accuracy")}

    def document(self) -> Document:
        """Return the content of the report."""
        return Document(title=f"Classifier in {self.folder}", lead=(str(self),))

    def __str__(self) -> str:
        accuracy = self.trained.accuracy
        return (
            f"Trained on {self.trained.pairs:,} pairs. Accuracy on {self.trained.held_out:,} held-out pairs, whose "
            f"sentences may occur in other pairs: {accuracy.value:.1f} % [{accuracy.low:.1f}, {accuracy.high:.1f}]. "
            f"The model is in {self.folder}"
        )
