"""The report of a stress test: accuracy by traits of the pairs with intervals, and the worst errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trivium.measure.table import Cell, Row, Table
from trivium.report.document import Document
from trivium.report.formatting import BEST_BASELINE, percent, without_understanding
from trivium.tools.stress import ALL, Group, Stress, StressResult

_MAX_HARD = 5  # hard traits named in the summary
_TRAITS = (
    "Operation: what happens to a conjunct in the hypothesis. Boolean: whether “and” and “or” have their logical "
    "meaning in the pair. Rule: the rule by which trivium conjunctions labels such a pair."
)
_MIN_PAIRS = 10  # of a hard trait named in the summary


def stress_document(stress: Stress, command: str, prefix: str = "") -> Document:
    """Return the report of a model. The prefix, such as its name, precedes the names of its sets."""
    keys = [step.key for step in stress.predictions.values()]
    return Document(
        title=f"Stress test of {stress.model} on conjunctions",
        lead=tuple(summary(stress, prefix)),
        caveats=tuple(caveats(stress, prefix)),
        tables=tuple(stress_tables(stress, prefix)),
        error_examples=tuple(
            replace(result.error_examples, title=prefix + result.name)
            for result in stress.results
            if any(group.total for group in result.error_examples.groups)
        ),
        commands=(command,),
        environment=tuple(sorted(stress.store.environment(keys).items())),
    )


def stress_tables(stress: Stress, prefix: str = "") -> list[Table]:
    """Return a table of accuracies by trait for each set, and one of flips."""
    tables = [_traits_table(result, prefix + result.name) for result in stress.results]
    rows = []
    for result in stress.results:
        if result.flips is not None:
            shares = (result.flips.before, result.flips.after, result.flips.changed)
            rows.append(Row(prefix + result.name, tuple(Cell(percent(share)) for share in shares)))
    if rows:
        columns = ("“and” correct", "“either … or” correct", "prediction changes")
        notes = ("Entailment pairs that remove a conjunct of “and”; after the flip, neutral is correct.",)
        tables.append(Table("Flips", "“and” becomes “either … or”", columns, tuple(rows), "%", notes))
    return tables


def summary(stress: Stress, prefix: str = "") -> list[str]:
    """Return the accuracy on each set, the predicted labels, the hard traits, and the effect of flips."""
    lines = []
    for result in stress.results:
        title = prefix + result.name
        whole = next(group for group in result.groups if group.value == ALL and not group.trait)
        accuracy = percent(whole.accuracy)
        lines.append(
            f"{title}: accuracy {accuracy.value:.1f} % [{accuracy.low:.1f}, {accuracy.high:.1f}] on {whole.pairs:,} "
            f"pairs. {without_understanding(result.baselines, whole.accuracy)}"
        )
        lines.append(f"{title}: predicts {_label_shares(result.label_shares)}.")
        hard = _hard_traits(result, whole)
        if hard:
            named = "; ".join(
                f"{group.trait} {group.value} {100 * group.accuracy.value:.0f} % of {group.pairs}"
                for group in hard[:_MAX_HARD]
            )
            more = f"; and {len(hard) - _MAX_HARD} more" if len(hard) > _MAX_HARD else ""
            lines.append(f"{title}: significantly harder than all pairs together, most costly first: {named}{more}.")
        if result.flips is not None:
            lines.append(
                f"{title}: when “and” becomes “either … or”, {100 * result.flips.changed.value:.0f} % of "
                f"{result.flips.pairs} predictions change."
            )
    return lines


def _hard_traits(result: StressResult, whole: Group) -> list[Group]:
    """Return the traits whose interval is below that of all pairs, those that cost most correct answers first."""
    hard = [
        group
        for group in result.groups
        if group.trait and group.pairs >= _MIN_PAIRS and group.accuracy.high < whole.accuracy.low
    ]
    return sorted(hard, key=lambda group: -group.pairs * (whole.accuracy.value - group.accuracy.value))


def _label_shares(shares: Mapping[str, float]) -> str:
    if max(shares.values()) == 1:
        return f"{max(shares, key=lambda name: shares[name])} for all pairs"
    return ", ".join(f"{name} for {100 * share:.0f} %" for name, share in shares.items())


def caveats(stress: Stress, prefix: str = "") -> list[str]:
    """Return the limitations to report with a stress test."""
    lines = ["Operation, rule and Boolean are as recorded in the data, else derived from the two sentences by rules."]
    if len(stress.labels) == 2:
        lines.append("The model has two labels: neutral and contradiction count as not entailed.")
    return [prefix + line for line in lines]


def _traits_table(result: StressResult, title: str) -> Table:
    rows = []
    for group in result.groups:
        # Among the pairs of one label, the most frequent label says nothing.
        baseline = Cell.empty() if group.trait == "label" else Cell.without_interval(100 * group.baseline)
        cells = (Cell(percent(group.accuracy)), baseline)
        rows.append(Row(f"{group.value} ({group.pairs})", cells, f"By {group.trait}" if group.trait else ""))
    columns = ("accuracy", "best baseline")
    return Table(title, "accuracy by trait", columns, tuple(rows), notes=(BEST_BASELINE, _TRAITS))
