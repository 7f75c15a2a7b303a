"""Formatting of figures and verdicts, shared by the terminal, Markdown and HTML."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Protocol, TypeVar

from trivium.measure.baselines import BASELINES, Baselines
from trivium.measure.chart import Chart
from trivium.measure.claim import Claim, Verdict
from trivium.measure.metrics import format_rounded
from trivium.measure.statistics.intervals import Interval
from trivium.measure.table import COUNT, SCORE, Cell, Row, Table

NOT_RUN = "not run"
BLANK = "–"
_STEPS = {COUNT: "1", SCORE: "0.001"}
UNDEFINED = "undefined"
BEST_BASELINE = (
    "Best baseline: the best of the most frequent label, one answer for each side of a negation that only one of the "
    "sentences has, and a linear model of the hypothesis alone, tested on the half that it was not trained on."
)

_SUMMARY = {
    Verdict.HOLDS: ("holds", "hold"),
    Verdict.FAILS: ("does not hold", "do not hold"),
    Verdict.UNDECIDED: ("undecided", "undecided"),
    Verdict.NOT_DECIDABLE: ("not decidable", "not decidable"),
    Verdict.NOT_RUN: ("not run", "not run"),
}


class HasModel(Protocol):
    """A result that belongs to a model."""

    @property
    def model(self) -> str:
        """The name of the model."""


M = TypeVar("M", bound=HasModel)


def prefixed_by_model(results: Sequence[M]) -> list[tuple[M, str]]:
    """Return each result with the prefix of its lines: the name of its model if there are several, else nothing."""
    return [(result, f"{result.model}: " if len(results) > 1 else "") for result in results]


def percent(share: Interval) -> Interval:
    """Return an interval of shares in percent."""
    return Interval(100 * share.value, 100 * share.low, 100 * share.high)


def without_understanding(baselines: Baselines, accuracy: Interval) -> str:
    """Return what can be had without understanding, and whether an accuracy is shown to be higher."""
    shown = ", ".join(f"{BASELINES[name]} {figure(100 * share)} %" for name, share in baselines.accuracies().items())
    is_higher = accuracy.low > baselines.best()
    return f"Without understanding: {shown}." + ("" if is_higher else " The model is not shown to be better than that.")


def figure(value: float, unit: str = "%") -> str:
    """Return a value with one decimal (counts: none, scores: three) and a real minus sign; never "−0.0"."""
    text = _rounded(abs(value), unit)
    return f"−{text}" if value < 0 and text.strip("0.") else text


def signed(value: float) -> str:
    """Return a difference with its sign, even if it is rounded to zero: verdicts depend on the sign."""
    if not math.isfinite(value):
        return UNDEFINED
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return f"{sign}{_rounded(abs(value), '%')}"


def _rounded(value: float, unit: str) -> str:
    return format_rounded(value, _STEPS.get(unit, "0.1")) if math.isfinite(value) else UNDEFINED


def with_spread(value: float, spread: float | None, unit: str = "%") -> str:
    """Return a value with its standard deviation, if there is one: ``46.7 ± 0.3``."""
    if spread is None:
        return figure(value, unit)
    return f"{figure(value, unit)} ± {figure(spread, '%' if unit == COUNT else unit)}"


def bounds(interval: Interval, unit: str = "%") -> str:
    """Return the 95 % interval: ``[44.1, 48.9]``; nothing for a count, which is exact."""
    if unit == COUNT and interval.low == interval.high:
        return ""
    return f"[{figure(interval.low, unit)}, {figure(interval.high, unit)}]"


def signed_bounds(interval: Interval) -> str:
    """Return the 95 % interval of a difference: ``[+5.2, +8.4]``."""
    return f"[{signed(interval.low)}, {signed(interval.high)}]"


def measured(cell: Cell, unit: str) -> str:
    """Return the measured value with its standard deviation, or why there is none."""
    if cell.measured is not None:
        return with_spread(cell.measured.value, cell.spread, unit)
    return BLANK if cell.blank else NOT_RUN


def interval_of(cell: Cell, unit: str) -> str:
    """Return the interval of the measured value, or nothing."""
    return "" if cell.measured is None or cell.exact else bounds(cell.measured, unit)


def published(cell: Cell, unit: str) -> str:
    """Return the published value with its standard deviation, or nothing."""
    return "" if cell.published is None else with_spread(cell.published, cell.published_spread, unit)


def unit_of(chart: Chart) -> str:
    """Return the unit of a chart's values: percent or points with one decimal, or scores with three."""
    return "%" if "%" in chart.y or "point" in chart.y else SCORE


def baseline_of(cell: Cell, unit: str) -> str:
    """Return the accuracy of the best baseline, and the mark of a model that is not above it; or nothing."""
    if cell.baseline is None or cell.measured is None:
        return ""
    return f"baseline {figure(cell.baseline, unit)}{f', {cell.mark}' if cell.mark else ''}"


def evidence_of(claim: Claim) -> str:
    """Return what a verdict rests on: ``3 seeds × 9 folds; baseline 66.3``."""
    evidence, parts = claim.evidence, []
    if claim.measured is None:
        return ""
    if evidence.seeds:
        some = f" of {evidence.population}" if evidence.folds < (evidence.population or 0) else ""
        folds = f" × {evidence.folds}{some} fold{'s' if evidence.folds > 1 or some else ''}"
        folds = folds if evidence.folds > 1 or some else ""
        parts.append(f"{evidence.seeds} seed{'' if evidence.seeds == 1 else 's'}{folds}")
    if evidence.baselines:
        shown = dict.fromkeys(figure(value) for value in evidence.baselines)
        parts.append(f"baseline{'' if len(shown) == 1 else 's'} {', '.join(shown)}")
    return "; ".join(parts)


def heading(table: Table) -> str:
    """Return the name, title and unit of a table: ``Table 5: Accuracy (%)``."""
    unit = "" if table.unit in _STEPS else f" ({table.unit})"
    return f"{table.name}: {table.title}{unit}"


def has_published_column(table: Table) -> tuple[bool, ...]:
    """Return whether each column has published figures in a column beside it: only counts do."""
    if table.unit != COUNT:
        return (False,) * len(table.columns)
    return tuple(
        any(row.cells[index].published is not None for row in table.rows) for index in range(len(table.columns))
    )


def row_groups(table: Table) -> Iterator[tuple[str, list[Row]]]:
    """Yield each group heading with its rows."""
    for name, rows in groupby(table.rows, key=lambda row: row.group):
        yield name, list(rows)


def claim_groups(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """Return the claims by group, in order of first occurrence."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        groups.setdefault(claim.group, []).append(claim)
    return groups


def reasons(claims: Iterable[Claim]) -> list[str]:
    """Return why claims are not decided: the reasons that all claims with the same verdict share."""
    by_verdict: dict[Verdict, set[str]] = {}
    for claim in claims:
        by_verdict.setdefault(claim.verdict, set()).add(claim.reason)
    return sorted(text for texts in by_verdict.values() if len(texts) == 1 for text in texts if text)


def own_reasons(claims: Sequence[Claim]) -> list[str]:
    """Return for each claim why it is not decided, without the verdict; nothing if :func:`reasons` says it."""
    shared = reasons(claims)
    return ["" if claim.reason in shared else claim.reason.partition(": ")[2] for claim in claims]


def verdict_counts(claims: Iterable[Claim]) -> list[tuple[Verdict, str]]:
    """Return the number of claims with each verdict that occurs: ``3 hold``, ``1 does not hold``."""
    numbers = Counter(claim.verdict for claim in claims)
    return [
        (verdict, f"{numbers[verdict]} {singular if numbers[verdict] == 1 else plural}")
        for verdict, (singular, plural) in _SUMMARY.items()
        if numbers[verdict]
    ]


def claim_summary(claims: Sequence[Claim]) -> str:
    """Return one line: ``26 claims: 20 hold, 4 undecided, 2 not run``."""
    if not claims:
        return "no claims"
    counts = ", ".join(words for _, words in verdict_counts(claims))
    return f"{len(claims)} claim{'' if len(claims) == 1 else 's'}: {counts}"
