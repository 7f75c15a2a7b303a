"""The report as GitHub-flavoured Markdown that can be read as plain text too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from trivium.measure.claim import Claim
from trivium.measure.table import Row, Table
from trivium.report.document import Document
from trivium.report.formatting import (
    BLANK,
    NOT_RUN,
    between_signed,
    claim_groups,
    claim_summary,
    heading,
    interval_of,
    measured,
    published,
    reasons,
    row_groups,
    signed,
)


def to_markdown(document: Document) -> str:
    """The report without its plots; the same document gives the same text, which ends with a newline."""
    blocks = [f"# {_text(document.title)}", *map(_text, document.lead)]
    if document.caveats:
        blocks += ["What limits this:", "\n".join(f"- {_text(caveat)}" for caveat in document.caveats)]
    if document.tables:
        blocks += ["## Tables", "In brackets: 95 % interval; ±: standard deviation over seeds, or over support sets."]
        for table in document.tables:
            blocks += [f"### {_text(heading(table))}", _figures(table), *map(_text, table.notes)]
    if document.claims:
        blocks += ["## Claims", f"{claim_summary(document.claims)}."]
        for group, claims in claim_groups(document.claims).items():
            blocks += [f"### {_text(group)}", _claims(claims), *map(_text, reasons(claims))]
    return "\n\n".join([*blocks, *_reproduction(document)]) + "\n"


def _reproduction(document: Document) -> Iterator[str]:
    if document.commands or document.settings or document.environment:
        yield "## How to reproduce it"
    if document.commands:
        yield _code("\n".join(document.commands), "sh")
    if document.settings:
        yield "<details>\n<summary>The whole configuration</summary>"
        yield _code(document.settings, "toml")
        yield "</details>"
    if document.environment:
        yield _grid(
            ["made with", ""], [(_text(name), _text(value)) for name, value in document.environment], numbers=()
        )


def _figures(table: Table) -> str:
    """The columns of a table, each with the published one beside it if the paper has figures for it."""
    beside = [any(row.cells[i].published is not None for row in table.rows) for i in range(len(table.columns))]
    names = [""]
    for column, has_published in zip(table.columns, beside, strict=True):
        names += [_text(column), "published"] if has_published else [_text(column)]
    lines: list[Sequence[str]] = []
    for group, rows in row_groups(table):
        if group:
            lines.append([f"**{_text(group)}**", *[""] * (len(names) - 1)])
        lines += [_line(row, table.unit, beside) for row in rows]
    return _grid(names, lines, numbers=range(1, len(names)))


def _line(row: Row, unit: str, beside: Sequence[bool]) -> list[str]:
    line = [_text(row.name)]
    for cell, has_published in zip(row.cells, beside, strict=True):
        line.append(f"{measured(cell, unit)} {interval_of(cell, unit)}".strip())
        if has_published:
            line.append(published(cell, unit) or BLANK)
    return line


def _claims(claims: Iterable[Claim]) -> str:
    names = ["verdict", "claim", "quantity", "ours [95 % interval]", "published"]
    lines = [
        (
            claim.verdict.value,
            _text(claim.text),
            _text(claim.quantity),
            f"{signed(claim.measured.value)} {between_signed(claim.measured)}" if claim.measured else NOT_RUN,
            BLANK if claim.published is None else signed(claim.published),
        )
        for claim in claims
    ]
    return _grid(names, lines, numbers=(3, 4))


def _grid(names: Sequence[str], lines: Iterable[Sequence[str]], numbers: Iterable[int]) -> str:
    """A table whose columns are aligned in the text too; those of ``numbers`` to the right."""
    right = set(numbers)
    rows = [names, *lines]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(names))]

    def padded(row: Sequence[str]) -> str:
        cells = [cell.rjust(widths[i]) if i in right else cell.ljust(widths[i]) for i, cell in enumerate(row)]
        return f"| {' | '.join(cells)} |"

    rule = [f"{'-' * (width - 1)}{':' if i in right else '-'}" for i, width in enumerate(widths)]
    return "\n".join([padded(names), f"| {' | '.join(rule)} |", *map(padded, rows[1:])])


def _text(text: str) -> str:
    """A text on one line in which nothing is markup; an underscore within a word never is."""
    line = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    line = re.sub(r"([\\`*|~]|(?<!\w)_|_(?!\w)|^[#>+-](?=\s))", r"\\\1", line)
    return re.sub(r"\](?=[(\[:])", r"\\]", line)


def _code(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
