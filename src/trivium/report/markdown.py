"""The report as GitHub-flavoured Markdown that is also readable as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from trivium.measure.claim import Claim
from trivium.measure.table import Row, Table
from trivium.report.document import Document
from trivium.report.formatting import (
    BLANK,
    NOT_RUN,
    baseline_of,
    claim_groups,
    claim_summary,
    evidence_of,
    heading,
    interval_of,
    measured,
    own_reasons,
    published,
    reasons,
    row_groups,
    signed,
    signed_bounds,
)


def to_markdown(document: Document) -> str:
    """Return the report without its plots; the same document always gives the same text."""
    blocks = [f"# {_text(document.title)}", *map(_text, document.lead)]
    if document.caveats:
        blocks += ["Limitations:", "\n".join(f"- {_text(caveat)}" for caveat in document.caveats)]
    if document.tables:
        blocks += ["## Tables", "In brackets: 95 % interval; ±: standard deviation over seeds or support sets."]
        for table in document.tables:
            blocks += [f"### {_text(heading(table))}", _figures(table), *map(_text, table.notes)]
    if document.claims:
        blocks += ["## Claims", f"{claim_summary(document.claims)}."]
        for group, claims in claim_groups(document.claims).items():
            blocks += [f"### {_text(group)}", _claims(claims), *map(_text, reasons(claims))]
    if document.next_steps:
        blocks.append("## Next")
        for text, command in document.next_steps:
            blocks += [_text(text), _code(command, "sh")]
    return "\n\n".join([*blocks, *_reproduction(document)]) + "\n"


def _reproduction(document: Document) -> Iterator[str]:
    if document.commands or document.settings or document.environment:
        yield "## Reproduction"
    if document.commands:
        yield _code("\n".join(document.commands), "sh")
    if document.settings:
        yield "<details>\n<summary>Complete configuration</summary>"
        yield _code(document.settings, "toml")
        yield "</details>"
    if document.environment:
        lines = [(_text(name), _text(value)) for name, value in document.environment]
        yield _grid(["environment", ""], lines, numeric=())


def _figures(table: Table) -> str:
    """Return a table in which a column with published figures has them in a second column beside it."""
    has_published = [any(row.cells[i].published is not None for row in table.rows) for i in range(len(table.columns))]
    names = [""]
    for column, is_published in zip(table.columns, has_published, strict=True):
        names += [_text(column), "published"] if is_published else [_text(column)]
    lines: list[Sequence[str]] = []
    for group, rows in row_groups(table):
        if group:
            lines.append([f"**{_text(group)}**", *[""] * (len(names) - 1)])
        lines += [_line(row, table.unit, has_published) for row in rows]
    return _grid(names, lines, numeric=range(1, len(names)))


def _line(row: Row, unit: str, has_published: Sequence[bool]) -> list[str]:
    line = [f"{_text(row.name)}{f'<br>{_text(row.about)}' if row.about else ''}"]
    for cell, is_published in zip(row.cells, has_published, strict=True):
        baseline = baseline_of(cell, unit)
        line.append(f"{measured(cell, unit)} {interval_of(cell, unit)}{baseline and f' ({baseline})'}".strip())
        if is_published:
            line.append(published(cell, unit) or BLANK)
    return line


def _claims(claims: Sequence[Claim]) -> str:
    names = ["verdict", "claim", "quantity", "ours [95 % interval]", "published", "based on"]
    lines: list[Sequence[str]] = [
        (
            claim.verdict.value,
            _text(claim.text),
            _text(claim.quantity),
            f"{signed(claim.measured.value)} {signed_bounds(claim.measured)}" if claim.measured else NOT_RUN,
            BLANK if claim.published is None else signed(claim.published),
            evidence_of(claim) or BLANK,
        )
        for claim in claims
    ]
    own = own_reasons(claims)
    if any(own):
        names.append("why, and what would decide it")
        lines = [(*line, _text(reason)) for line, reason in zip(lines, own, strict=True)]
    return _grid(names, lines, numeric=(3, 4))


def _grid(names: Sequence[str], lines: Iterable[Sequence[str]], numeric: Iterable[int]) -> str:
    """Return a table with aligned columns; ``numeric`` are the indices of those aligned to the right."""
    right_aligned = set(numeric)
    rows = [names, *lines]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(names))]

    def padded(row: Sequence[str]) -> str:
        cells = [cell.rjust(widths[i]) if i in right_aligned else cell.ljust(widths[i]) for i, cell in enumerate(row)]
        return f"| {' | '.join(cells)} |"

    rule = [f"{'-' * (width - 1)}{':' if i in right_aligned else '-'}" for i, width in enumerate(widths)]
    return "\n".join([padded(names), f"| {' | '.join(rule)} |", *map(padded, rows[1:])])


def _text(text: str) -> str:
    """Return a text on one line with markup escaped. An underscore within a word is not markup."""
    line = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    line = re.sub(r"([\\`*|~]|(?<!\w)_|_(?!\w)|^[#>+-](?=\s))", r"\\\1", line)
    return re.sub(r"\](?=[(\[:])", r"\\]", line)


def _code(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
