"""A stress test as a page: accuracy by what pairs are about, with intervals, and the worst examples to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trivium.measure.bootstrap import Interval
from trivium.measure.table import Cell, Row, Table
from trivium.report.document import Document
from trivium.tools.stress import ALL, Stress, Stressed

_SHOWN = 5
_ENOUGH = 10


def stress_document(stress: Stress, command: str, prefix: str = "") -> Document:
    """The page of a model; the prefix, such as its name, stands before its sets."""
    keys = [step.key for step in stress.predictions.values()]
    return Document(
        title=f"Stress test of {stress.model} on conjunctions",
        lead=tuple(summary(stress, prefix)),
        caveats=tuple(caveats(stress, prefix)),
        tables=tuple(stress_tables(stress, prefix)),
        error_examples=tuple(replace(one.gallery, title=prefix + one.name) for one in stress.found),
        commands=(command,),
        environment=tuple(sorted(stress.store.environment(keys).items())),
    )


def stress_tables(stress: Stress, prefix: str = "") -> list[Table]:
    """A table for each set, by trait, and one of flips."""
    tables = [_groups(one, prefix + one.name) for one in stress.found]
    rows = [
        Row(
            prefix + one.name,
            tuple(Cell(_percent(each)) for each in (one.flips.before, one.flips.after, one.flips.changed)),
        )
        for one in stress.found
        if one.flips is not None
    ]
    if rows:
        columns = ("“and” right", "“either … or” right", "answer changes")
        notes = ("Entailment by a removed conjunct of “and”; when it becomes “either … or”, neutral is right.",)
        tables.append(Table("Flips", "“and” becomes “either … or”", columns, tuple(rows), "%", notes))
    return tables


def summary(stress: Stress, prefix: str = "") -> list[str]:
    """How good the model is on each set, and which traits are surely harder than all pairs together."""
    lines = []
    for one in stress.found:
        title = prefix + one.name
        whole = next(group for group in one.groups if group.value == ALL and not group.trait)
        lines.append(
            f"{title}: right on {100 * whole.accuracy.value:.1f} % [{100 * whole.accuracy.low:.1f}, "
            f"{100 * whole.accuracy.high:.1f}] of {whole.pairs:,} pairs; the most frequent label is "
            f"{100 * whole.majority:.1f} %."
        )
        lines.append(f"{title}: says {_listed(one.says)}.")
        hard = [
            group
            for group in one.groups
            if group.trait and group.pairs >= _ENOUGH and group.accuracy.high < whole.accuracy.low
        ]
        hard.sort(key=lambda group: -group.pairs * (whole.accuracy.value - group.accuracy.value))
        more = f"; and {len(hard) - _SHOWN} more" if len(hard) > _SHOWN else ""
        if hard:
            worst = "; ".join(
                f"{group.trait} {group.value} {100 * group.accuracy.value:.0f} % of {group.pairs}"
                for group in hard[:_SHOWN]
            )
            lines.append(f"{title}: surely harder than the whole, what costs most first: {worst}{more}.")
        if one.flips is not None:
            lines.append(
                f"{title}: when “and” becomes “either … or”, {100 * one.flips.changed.value:.0f} % of "
                f"{one.flips.pairs} answers change."
            )
    return lines


def _listed(says: Mapping[str, float]) -> str:
    if max(says.values()) == 1:
        return f"{max(says, key=lambda name: says[name])} to everything"
    return ", ".join(f"{name} to {100 * share:.0f} %" for name, share in says.items())


def caveats(stress: Stress, prefix: str = "") -> list[str]:
    """What limits a stress test."""
    lines = ["Operation, rule and Boolean are as recorded, or as Trivium's rules read them from the two sentences."]
    if len(stress.labels) == 2:
        lines.append("The model knows two labels: neutral and contradiction count as not entailed.")
    return [prefix + line for line in lines]


def _groups(found: Stressed, title: str) -> Table:
    rows = []
    for group in found.groups:
        cells = (Cell(_percent(group.accuracy)), Cell.exactly(100 * group.majority))
        rows.append(Row(f"{group.value} ({group.pairs})", cells, f"By {group.trait}" if group.trait else ""))
    columns = ("accuracy", "most frequent label")
    return Table(title, "accuracy by what pairs are about", columns, tuple(rows))


def _percent(found: Interval) -> Interval:
    return Interval(100 * found.value, 100 * found.low, 100 * found.high)
