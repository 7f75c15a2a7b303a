"""Tables and claims for a terminal, in the widest layout that fits and readable without colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.table import Table as Grid
from rich.text import Text

from trivium.measure.claim import Claim, Verdict
from trivium.measure.table import COUNT, Cell, Row, Table
from trivium.printing import safe_console
from trivium.report.formatting import (
    BLANK,
    NOT_RUN,
    baseline_of,
    claim_groups,
    claim_summary,
    has_published_column,
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

_STYLES = {
    Verdict.HOLDS: "green",
    Verdict.FAILS: "red",
    Verdict.UNDECIDED: "yellow",
    Verdict.NOT_DECIDABLE: "magenta",
    Verdict.NOT_RUN: "dim",
}
_VERDICT_WIDTH = max(len(verdict.value) for verdict in Verdict)
_PUBLISHED_WIDTH = len("published")
_INDENT = 2
_NAME_WIDTH = 24
_TEXT_WIDTH = 36  # minimum width of a claim's text beside its figures


def table_view(table: Table) -> RenderableType:
    """Return a table to print with rich: measured values with 95 % intervals, published ones on a dim line below."""
    return _TableView(table)


def tables_text(tables: Sequence[Table], width: int = 120) -> str:
    """Return tables as plain text of at most ``width`` columns."""
    console = safe_console(file=StringIO(), width=width, force_terminal=False, force_jupyter=False)
    for number, table in enumerate(tables):
        console.print(*([""] if number else []), _TableView(table), sep="\n")
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.splitlines())


def claims_view(claims: Sequence[Claim]) -> RenderableType:
    """Return claims to print with rich, by group: verdict, text, quantity, and the measured and published values."""
    return _ClaimsView(tuple(claims))


@dataclass(frozen=True)
class _Layout:
    """The position of intervals, and the gap between columns."""

    beside: bool  # the interval follows the value
    below: bool  # the interval is on the next line
    gap: int
    note: str = ""


_NO_INTERVALS = "95 % intervals are omitted: they need a wider terminal."

# From widest to narrowest.
_LAYOUTS = (
    _Layout(beside=True, below=False, gap=3, note="In brackets: 95 % interval."),
    _Layout(beside=True, below=False, gap=2, note="In brackets: 95 % interval."),
    _Layout(beside=False, below=True, gap=2),
    _Layout(beside=False, below=True, gap=1),
    _Layout(beside=False, below=False, gap=2, note=_NO_INTERVALS),
    _Layout(beside=False, below=False, gap=1, note=_NO_INTERVALS),
)


def _marked(table: Table) -> Iterator[str]:
    if any(cell.mark for row in table.rows for cell in row.cells):
        yield "! constant answers, or not above the best of three baselines (majority, negation, hypothesis only)."


@dataclass(frozen=True)
class _TableView:
    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        layout, grid = self._fit(console, options)
        yield Text(heading(self.table), style="bold")
        yield grid
        if layout.note and any(interval_of(cell, self.table.unit) for row in self.table.rows for cell in row.cells):
            yield Text(layout.note, style="dim")
        for note in (*self.table.notes, *_marked(self.table)):
            yield Text(note, style="dim")

    def _fit(self, console: Console, options: ConsoleOptions) -> tuple[_Layout, Grid]:
        """Return the widest layout that fits. Long names are wrapped before intervals are omitted."""
        unlimited = options.update(max_width=10_000)
        longest = max((cell_len(name) for row in self.table.rows for name in (row.name, row.group)), default=0)
        room = options.max_width + max(0, longest - _NAME_WIDTH)
        for layout in _LAYOUTS:
            grid = self._grid(layout)
            if Measurement.get(console, unlimited, grid).maximum <= room:
                break
        return layout, grid

    def _grid(self, layout: _Layout) -> Grid:
        grid = Grid(box=None, pad_edge=False, padding=(0, layout.gap, 0, 0), show_edge=False, header_style="bold")
        grid.add_column("")
        for column, has_published in zip(self.table.columns, has_published_column(self.table), strict=True):
            grid.add_column(Text(column), justify="right", no_wrap=True)
            if has_published:
                grid.add_column(Text("published", style="not bold dim"), justify="right", no_wrap=True, style="dim")
        for number, (group, rows) in enumerate(row_groups(self.table)):
            if group and number:
                grid.add_row()
            if group:
                grid.add_row(Text(group, style="bold"))
            for row in rows:
                self._add_row(grid, row, layout)
        return grid

    def _add_row(self, grid: Grid, row: Row, layout: _Layout) -> None:
        unit = self.table.unit
        figures = [published(cell, unit) for cell in row.cells]
        line = [Text(row.name)]
        for cell, figure, has_published in zip(row.cells, figures, has_published_column(self.table), strict=True):
            line.append(_value(cell, unit, layout))
            if has_published:
                line.append(Text(figure or BLANK))
        grid.add_row(*line)
        intervals = [interval_of(cell, unit) for cell in row.cells]
        if layout.below and any(intervals):
            grid.add_row(Text("  95 %"), *map(Text, intervals))
        baselines = [_baseline(cell, unit) for cell in row.cells]
        if any(baselines):
            grid.add_row(Text("  baseline", style="dim"), *(Text(text or BLANK, style="dim") for text in baselines))
        if any(figures) and unit != COUNT:
            grid.add_row(Text("  published", style="dim"), *(Text(figure or BLANK, style="dim") for figure in figures))


def _value(cell: Cell, unit: str, layout: _Layout) -> Text:
    text = Text(measured(cell, unit), style="" if cell.measured else "dim")
    interval = interval_of(cell, unit)
    if layout.beside and interval:
        text.append(f" {interval}")
    return text


def _baseline(cell: Cell, unit: str) -> str:
    """Return the best baseline, with an exclamation mark if the model is not above it."""
    return f"{baseline_of(cell, unit).removeprefix('baseline ').partition(',')[0]}{'!' if cell.mark else ''}"


@dataclass(frozen=True)
class _Entry:
    """The printed columns of a claim, or of the heading."""

    verdict: str
    text: str
    quantity: str
    ours: str
    published: str
    style: str
    reason: str = ""

    @classmethod
    def of(cls, claim: Claim, reason: str = "") -> _Entry:
        ours, theirs = claim.measured, claim.published
        return cls(
            claim.verdict.value,
            claim.text,
            claim.quantity,
            NOT_RUN if ours is None else f"{signed(ours.value):>5} {signed_bounds(ours)}",
            BLANK if theirs is None else signed(theirs),
            _STYLES[claim.verdict],
            reason,
        )


_HEADING = _Entry("verdict", "claim", "quantity", " ours [95 % interval]", "published", "dim")


@dataclass(frozen=True)
class _ClaimsView:
    claims: tuple[Claim, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        if self.claims:
            layout = _ClaimLayout.of([_HEADING, *map(_Entry.of, self.claims)], options.max_width)
            if layout.quantity:
                yield layout.grid([_HEADING])
            for group, claims in claim_groups(self.claims).items():
                yield Text()
                yield Text(group, style="bold")
                yield layout.grid(list(map(_Entry.of, claims, own_reasons(claims))))
                for reason in reasons(claims):
                    yield Text(" " * _INDENT + reason, style="dim")
            yield Text()
        yield Text(claim_summary(self.claims), style="bold")


@dataclass(frozen=True)
class _ClaimLayout:
    """The widths of the columns, which are the same for all groups so that they align.

    The figures are beside the text if there is room (``beside``), else below it. If they do not fit there either, they
    are printed without columns, and ``quantity`` is 0.
    """

    quantity: int
    ours: int
    text: int
    beside: bool

    @classmethod
    def of(cls, entries: Sequence[_Entry], width: int) -> _ClaimLayout:
        quantity = max(cell_len(entry.quantity) for entry in entries)
        ours = max(cell_len(entry.ours) for entry in entries)
        available = width - _INDENT - _VERDICT_WIDTH - 2
        text = available - quantity - ours - _PUBLISHED_WIDTH - 3 * 2
        if text >= _TEXT_WIDTH:
            return cls(quantity, ours, text, beside=True)
        spare = available - ours - _PUBLISHED_WIDTH - 2 * 2
        return cls(quantity if quantity <= spare else 0, ours, max(available, 1), beside=False)

    def grid(self, entries: Sequence[_Entry]) -> Grid:
        grid = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        grid.add_column(width=_INDENT + _VERDICT_WIDTH)
        grid.add_column(width=self.text)
        for entry in entries:
            style = entry.style if entry is _HEADING else ""
            verdict = Text(" " * _INDENT + entry.verdict, style=entry.style)
            if self.beside:
                grid.add_row(verdict, Text(entry.text, style=style), self._figures(entry, style))
            else:
                grid.add_row(verdict, Text(entry.text, style=style))
                grid.add_row("", self._figures(entry, style))
            if entry.reason:
                grid.add_row("", Text(entry.reason, style="dim"))
        return grid

    def _figures(self, entry: _Entry, style: str) -> Text:
        if not self.quantity:
            return Text(f"{entry.quantity}: {entry.ours.strip()}, published {entry.published}", style=style)
        quantity = set_cell_size(entry.quantity, self.quantity)
        ours = set_cell_size(entry.ours, self.ours)
        return Text.assemble(f"{quantity}  {ours}  ", (entry.published.rjust(_PUBLISHED_WIDTH), "dim"), style=style)
