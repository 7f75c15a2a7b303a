"""The report as one HTML file without scripts and external resources."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from trivium.measure.chart import Figure
from trivium.measure.claim import Claim, Verdict
from trivium.measure.statistics.intervals import Interval
from trivium.measure.table import Table
from trivium.report import formatting
from trivium.report.document import Document
from trivium.report.plots import NARROW, WIDE, can_draw, draw
from trivium.saving import write_text

_CLASSES = {
    Verdict.HOLDS: "holds",
    Verdict.FAILS: "fails",
    Verdict.UNDECIDED: "undecided",
    Verdict.NOT_DECIDABLE: "not-decidable",
    Verdict.NOT_RUN: "not-run",
}


def write_html(document: Document, path: Path) -> None:
    """Write the report atomically. Raise a ``UserError`` if the path cannot be written."""
    write_text(path, to_html(document))


def to_html(document: Document) -> str:
    """Return the report as HTML; the same document always gives the same text."""
    template = _environment().from_string(_resource("template.html.j2"))
    page = template.render(
        document=document,
        style=Markup(_resource("report.css")),
        figures=[_Figure(chart, _svg(chart, WIDE), _svg(chart, NARROW)) for chart in document.charts],
        claim_groups=formatting.claim_groups(document.claims),
        strips=_strips(document.claims),
        summary=formatting.claim_summary(document.claims),
        counts=formatting.verdict_counts(document.claims),
    )
    return page.strip() + "\n"


class _Figure(NamedTuple):
    chart: Figure
    svg: Markup | None
    narrow: Markup | None


class _Strip(NamedTuple):
    """The positions of a claim's marks on its strip, in percent of the width."""

    zero: float
    low: float
    width: float
    value: float
    published: float | None


def _svg(chart: Figure, width: int) -> Markup | None:
    return Markup(draw(chart, width)) if can_draw(chart) else None


def _strips(claims: Sequence[Claim]) -> dict[Claim, _Strip]:
    """Return a strip for each measured claim, all on the same scale, which contains zero."""
    shown = {claim: claim.measured for claim in claims if claim.measured is not None and _is_finite(claim.measured)}
    ends = [end for ours in shown.values() for end in (ours.low, ours.high)]
    values = [0.0, *ends, *(claim.published for claim in shown if claim.published is not None)]
    lowest, width = min(values), (max(values) - min(values)) or 1

    def position(value: float) -> float:
        return round(3 + 94 * (value - lowest) / width, 2)

    return {
        claim: _Strip(
            zero=position(0),
            low=position(ours.low),
            width=round(position(ours.high) - position(ours.low), 2),
            value=position(ours.value),
            published=None if claim.published is None else position(claim.published),
        )
        for claim, ours in shown.items()
    }


def _is_finite(interval: Interval) -> bool:
    return all(map(math.isfinite, (interval.value, interval.low, interval.high)))


def _has_spread(table: Table) -> bool:
    return any(cell.spread is not None for row in table.rows for cell in row.cells)


def emphasized(text: str) -> Markup:
    """Return text as HTML in which words between asterisks are emphasized.

    >>> str(emphasized("*denied that S* contradicts S; 1 < 2"))
    '<em>denied that S</em> contradicts S; 1 &lt; 2'
    """
    parts = text.split("*")
    return Markup("").join(Markup("<em>{}</em>").format(part) if i % 2 else part for i, part in enumerate(parts))


def _environment() -> Environment:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters.update(
        figure=formatting.figure,
        signed=formatting.signed,
        bounds=formatting.bounds,
        signed_bounds=formatting.signed_bounds,
        measured=formatting.measured,
        interval_of=formatting.interval_of,
        emphasized=emphasized,
        baseline_of=formatting.baseline_of,
        unit_of=formatting.unit_of,
        evidence_of=formatting.evidence_of,
        published=formatting.published,
        heading=formatting.heading,
        row_groups=formatting.row_groups,
        has_published_column=formatting.has_published_column,
        has_spread=_has_spread,
        reasons=formatting.reasons,
        own_reasons=formatting.own_reasons,
        css_class=_CLASSES.__getitem__,
    )
    return environment


def _resource(name: str) -> str:
    return files("trivium.report").joinpath(name).read_text(encoding="utf-8")
