"""An evaluation as a page: figures overall, by label and by metadata, the confusion matrix, and errors to read."""

from __future__ import annotations

from trivium.measure.chart import Chart, Point
from trivium.measure.classification import Scores
from trivium.measure.statistics.intervals import Interval
from trivium.measure.table import COUNT, SCORE, Cell, Row, Table
from trivium.report.document import Document
from trivium.report.formatting import BEST_BASELINE, bounds, figure, without_understanding
from trivium.tools.evaluation import Evaluation

_MIN_EXAMPLES = 10  # of a group that the summary may list as harder
_MAX_HARD = 5  # groups listed there
_SCORES = ("accuracy", "best baseline", "MCC", "macro F1")
_MCC = (
    "MCC: Matthews' correlation, 0 for chance; undefined if all gold labels or all predictions are the same. Macro F1: "
    "the mean over the labels that occur."
)


def evaluation_document(evaluation: Evaluation, command: str = "") -> Document:
    """Return the page of an evaluation; ``command`` is the command that reproduces it."""
    has_labels = bool(evaluation.labelled.any())
    errors = evaluation.error_examples() if has_labels else None
    return Document(
        title=f"Evaluation of {evaluation.model} on {evaluation.split.name}",
        lead=tuple(summary(evaluation)),
        caveats=tuple(caveats(evaluation)),
        tables=tuple(evaluation_tables(evaluation)),
        charts=(_chart(evaluation),) if has_labels and evaluation.groups else (),
        error_examples=(errors,) if errors is not None and errors.groups else (),
        commands=(command,) if command else (),
        environment=tuple(sorted(evaluation.store.environment([evaluation.prediction.key]).items())),
    )


def summary(evaluation: Evaluation) -> list[str]:
    """Return how good the model is, what it predicts, and which groups are harder than the rest."""
    counts, total = evaluation.predicted_counts, len(evaluation.split)
    only = next((name for name, count in counts.items() if count == total), None)
    shares = ", ".join(f"{name} {100 * count / total:.0f} %" for name, count in counts.items())
    predicts = f"Predicts {only} for every example." if only else f"Predicts {shares}."
    if not evaluation.labelled.any():
        return [f"{total:,} examples without labels: predictions only.", predicts]
    whole = evaluation.overall
    examples = f"{whole.examples:,} example{'' if whole.examples == 1 else 's'}"
    lines = [
        f"Correct on {_percent(whole.accuracy.value)} of {examples} "
        f"{bounds(_times_100(whole.accuracy))}. {without_understanding(evaluation.baselines, whole.accuracy)}",
        predicts,
    ]
    hard = [
        group
        for group in evaluation.groups
        if group.scores.examples >= _MIN_EXAMPLES and group.scores.accuracy.high < whole.accuracy.low
    ]
    hard.sort(key=lambda group: group.scores.accuracy.value)
    if hard:
        worst = "; ".join(
            f"{group.column} {group.value} {_percent(group.scores.accuracy.value)} of {group.scores.examples:,}"
            for group in hard[:_MAX_HARD]
        )
        more = f"; and {len(hard) - _MAX_HARD} more" if len(hard) > _MAX_HARD else ""
        lines.append(f"Harder than all examples together (the 95 % intervals do not overlap): {worst}{more}.")
    return lines


def caveats(evaluation: Evaluation) -> list[str]:
    """Return the limitations to report with the results."""
    lines = []
    unlabelled = int((~evaluation.labelled).sum())
    if 0 < unlabelled < len(evaluation.split):
        lines.append(f"{unlabelled:,} examples have no label and are not counted.")
    if evaluation.labelled.any() and evaluation.labels != evaluation.split.labels:
        lines.append("The model has two labels: neutral and contradiction both count as not entailed.")
    elif evaluation.labelled.any() and evaluation.labels != evaluation.model_labels:
        lines.append("The data have two labels: the model's neutral and contradiction both count as not entailed.")
    repeated = len(evaluation.split) - len({example.premise for example in evaluation.split})
    if repeated:
        lines.append(
            f"{repeated:,} examples share their premise with an earlier one; intervals treat examples as "
            "independent, and may be too narrow."
        )
    if evaluation.truncated:
        lines.append(
            f"{evaluation.truncated:,} examples are longer than the {evaluation.config.max_length} tokens that "
            "the model reads, and were truncated."
        )
    return lines


def evaluation_tables(evaluation: Evaluation) -> list[Table]:
    """Return the tables: overall, labels, confusion and metadata columns; without labels, what is predicted."""
    if not evaluation.labelled.any():
        rows = tuple(Row(name, (Cell.without_interval(count),)) for name, count in evaluation.predicted_counts.items())
        return [Table("Predictions", "how often each label is predicted", ("examples",), rows, COUNT)]
    overall = evaluation.overall
    whole = Row(_counted("all examples", overall.examples), _cells(overall, evaluation.baselines.best()))
    tables = [
        Table("Overall", "accuracy, correlation and F1", _SCORES, (whole,), SCORE, (BEST_BASELINE, _MCC)),
        _label_table(evaluation),
        _confusion_table(evaluation),
    ]
    if evaluation.groups:
        rows = tuple(
            Row(
                _counted(group.value, group.scores.examples), _cells(group.scores, group.baseline), f"By {group.column}"
            )
            for group in evaluation.groups
        )
        tables.append(Table("Metadata", "the same by metadata column", _SCORES, rows, SCORE, (BEST_BASELINE, _MCC)))
    return tables


def _label_table(evaluation: Evaluation) -> Table:
    rows = tuple(
        Row(_counted(label.label, label.support), tuple(map(_cell, (label.precision, label.recall, label.f1))))
        for label in evaluation.by_label
    )
    note = "In parentheses: how many examples have the label. Precision is undefined for a label never predicted."
    return Table("Labels", "precision, recall and F1 by label", ("precision", "recall", "F1"), rows, SCORE, (note,))


def _confusion_table(evaluation: Evaluation) -> Table:
    names = evaluation.labels.names
    rows = tuple(
        Row(name, tuple(Cell.without_interval(float(count)) for count in counts), "gold label")
        for name, counts in zip(names, evaluation.confusion, strict=True)
    )
    columns = tuple(f"predicted {name}" for name in names)
    return Table("Confusion", "gold labels by predicted labels", columns, rows, COUNT)


def _chart(evaluation: Evaluation) -> Chart:
    points = []
    for group in evaluation.groups:
        baseline = 100 * group.baseline
        panel, x = f"By {group.column}", group.value
        points.append(Point(panel, evaluation.model, x, _times_100(group.scores.accuracy)))
        points.append(Point(panel, "best baseline", x, Interval(baseline, baseline, baseline)))
    caption = "Accuracy with 95 % intervals, beside the best baseline."
    return Chart("groups", "Accuracy by metadata", caption, "rows", "accuracy, %", tuple(points))


def _cells(scores: Scores, baseline: float) -> tuple[Cell, ...]:
    return Cell(scores.accuracy), Cell.without_interval(baseline), _cell(scores.mcc), Cell(scores.macro_f1)


def _cell(value: Interval | None) -> Cell:
    """Return a cell with a value, or with "undefined" for None."""
    return Cell.without_interval(float("nan")) if value is None else Cell(value)


def _counted(name: str, number: int) -> str:
    return f"{name} ({number:,})"


def _percent(share: float) -> str:
    return f"{figure(100 * share)} %"


def _times_100(value: Interval) -> Interval:
    return Interval(100 * value.value, 100 * value.low, 100 * value.high)
