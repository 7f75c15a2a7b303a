"""Results in a notebook: tables as HTML fragments, whole reports in a frame of their own."""

from __future__ import annotations

from html import escape

from trivium.measure.table import Table
from trivium.report.document import Document
from trivium.report.formatting import BLANK, NOT_RUN, baseline_of, heading, interval_of, measured, published, row_groups
from trivium.report.html import to_html

_FRAME = '<iframe srcdoc="{page}" sandbox style="width:100%;height:{height}px;border:1px solid #8884"></iframe>'


def document_frame(document: Document, height: int = 640) -> str:
    """Return a report as a frame: its style does not leak into the notebook, nor the notebook's into it."""
    return _FRAME.format(page=escape(to_html(document), quote=True), height=height)


def table_html(table: Table) -> str:
    """Return a table as an HTML fragment: ours with its 95 % interval, the published figure below it."""
    head = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    lines = [f"<table><caption>{escape(heading(table))}</caption><thead><tr><th></th>{head}</tr></thead><tbody>"]
    for group, rows in row_groups(table):
        if group:
            lines.append(f'<tr><th colspan="{len(table.columns) + 1}">{escape(group)}</th></tr>')
        for row in rows:
            cells = "".join(f"<td>{_cell(cell, table)}</td>" for cell in row.cells)
            lines.append(f"<tr><th>{escape(row.name)}</th>{cells}</tr>")
    notes = "".join(f"<p><small>{escape(note)}</small></p>" for note in table.notes)
    return "".join(lines) + "</tbody></table>" + notes


def _cell(cell: object, table: Table) -> str:
    from trivium.measure.table import Cell

    assert isinstance(cell, Cell)
    if cell.measured is None:
        return escape(BLANK if cell.blank else NOT_RUN)
    text = escape(measured(cell, table.unit))
    if bounds := interval_of(cell, table.unit):
        text += f" <small>{escape(bounds)}</small>"
    if baseline := baseline_of(cell, table.unit):
        text += f"<br><small>{escape(baseline)}</small>"
    if theirs := published(cell, table.unit):
        text += f"<br><small>published {escape(theirs)}</small>"
    return text
