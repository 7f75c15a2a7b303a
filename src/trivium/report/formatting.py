"""How figures and verdicts are worded: the same in the terminal, in Markdown and in HTML."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Protocol, TypeVar

from trivium.measure.bootstrap import Interval
from trivium.measure.claim import Claim, Verdict
from trivium.measure.metrics import rounded
from trivium.measure.table import COUNT, SCORE, Cell, Row, Table

NOT_RUN = "not run"
BLANK = "–"
_STEPS = {COUNT: "1", SCORE: "0.001"}
UNDEFINED = "undefined"

_SUMMARY = {
    Verdict.HOLDS: ("holds", "hold"),
    Verdict.FAILS: ("does not hold", "do not hold"),
    Verdict.UNDECIDED: ("undecided", "undecided"),
    Verdict.NOT_RUN: ("not run", "not run"),
}


class OfModel(Protocol):
    """What was found out about a model."""

    @property
    def model(self) -> str:
        """The model's name."""


M = TypeVar("M", bound=OfModel)


def prefixed_by_model(found: Sequence[M]) -> list[tuple[M, str]]:
    """What was found about each model, and what stands before its lines: its name, unless it is the only one."""
    return [(one, f"{one.model}: " if len(found) > 1 else "") for one in found]


def figure(value: float, unit: str = "%") -> str:
    """A value with one decimal, a count as a plain integer, a score with three; a minus sign, never a minus zero."""
    text = _rounded(abs(value), unit)
    return f"−{text}" if value < 0 and text.strip("0.") else text


def signed(value: float) -> str:
    """A difference with its sign, kept even if nothing else is left of it: verdicts depend on the sign."""
    if not math.isfinite(value):
        return UNDEFINED
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return f"{sign}{_rounded(abs(value), '%')}"


def _rounded(value: float, unit: str) -> str:
    return rounded(value, _STEPS.get(unit, "0.1")) if math.isfinite(value) else UNDEFINED


def with_spread(value: float, spread: float | None, unit: str = "%") -> str:
    """A value and, where there is one, its standard deviation: ``46.7 ± 0.3``."""
    return (
        figure(value, unit)
        if spread is None
        else f"{figure(value, unit)} ± {figure(spread, '%' if unit == COUNT else unit)}"
    )


def between(interval: Interval, unit: str = "%") -> str:
    """The 95 % interval: ``[44.1, 48.9]``. A count is exact and has none."""
    if unit == COUNT and interval.low == interval.high:
        return ""
    return f"[{figure(interval.low, unit)}, {figure(interval.high, unit)}]"


def between_signed(interval: Interval) -> str:
    """The 95 % interval of a difference: ``[+5.2, +8.4]``."""
    return f"[{signed(interval.low)}, {signed(interval.high)}]"


def measured(cell: Cell, unit: str) -> str:
    """Our value with its spread over seeds, or why there is none."""
    if cell.measured is not None:
        return with_spread(cell.measured.value, cell.spread, unit)
    return BLANK if cell.blank else NOT_RUN


def interval_of(cell: Cell, unit: str) -> str:
    """The interval of our value, empty where there is none."""
    return "" if cell.measured is None or cell.exact else between(cell.measured, unit)


def published(cell: Cell, unit: str) -> str:
    """The published value with its spread, empty where the paper has none."""
    return "" if cell.published is None else with_spread(cell.published, cell.published_spread, unit)


def heading(table: Table) -> str:
    """Name and title of a table with its unit: ``Table 5: Accuracy (%)``."""
    unit = "" if table.unit in _STEPS else f" ({table.unit})"
    return f"{table.name}: {table.title}{unit}"


def published_beside(table: Table) -> tuple[bool, ...]:
    """For each column, whether published figures stand in a column beside it: those of counts, if there are any."""
    if table.unit != COUNT:
        return (False,) * len(table.columns)
    return tuple(
        any(row.cells[index].published is not None for row in table.rows) for index in range(len(table.columns))
    )


def row_groups(table: Table) -> Iterator[tuple[str, list[Row]]]:
    """The rows under each heading, in their order."""
    for name, rows in groupby(table.rows, key=lambda row: row.group):
        yield name, list(rows)


def claim_groups(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """The claims of each group, in the order in which the groups first occur."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        groups.setdefault(claim.group, []).append(claim)
    return groups


def reasons(claims: Iterable[Claim]) -> list[str]:
    """Why claims of a group are not decided, a line for each reason."""
    found = []
    for claim in claims:
        if claim.verdict is Verdict.NOT_RUN:
            found.append(f"Not run: needs {claim.needs}." if claim.needs else "Not run.")
        elif claim.verdict is Verdict.UNDECIDED and claim.measured is not None:
            same = claim.measured.low == claim.measured.high == 0
            found.append(f"Undecided: {'no example tells the two sides apart' if same else 'zero is in the interval'}.")
    return sorted(set(found))


def verdict_counts(claims: Iterable[Claim]) -> list[tuple[Verdict, str]]:
    """How many claims have each verdict that occurs, in words: ``3 hold``, ``1 does not hold``."""
    numbers = Counter(claim.verdict for claim in claims)
    return [
        (verdict, f"{numbers[verdict]} {one if numbers[verdict] == 1 else many}")
        for verdict, (one, many) in _SUMMARY.items()
        if numbers[verdict]
    ]


def claim_summary(claims: Sequence[Claim]) -> str:
    """One line: ``26 claims: 20 hold, 4 undecided, 2 not run``."""
    if not claims:
        return "no claims"
    counted = ", ".join(words for _, words in verdict_counts(claims))
    return f"{len(claims)} claim{'' if len(claims) == 1 else 's'}: {counted}"
