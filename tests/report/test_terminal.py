"""Tables and claims in a terminal are not truncated, and readable without colours."""

from __future__ import annotations

import io

import pytest
from rich.console import Console, RenderableType

from trivium.measure.claim import Claim
from trivium.measure.statistics.intervals import Interval
from trivium.measure.table import Cell, Row, Table
from trivium.report.document import Document
from trivium.report.terminal import claims_view, table_view


def printed(view: RenderableType, width: int, *, colours: bool = False) -> str:
    console = Console(
        file=io.StringIO(), width=width, force_terminal=colours, color_system="standard" if colours else None
    )
    console.print(view)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def paper_table(seeds: bool) -> Table:
    """Return a table as wide as the widest of C²Gen."""
    cell = Cell(Interval(94.14, 92.9, 95.3), 0.52 if seeds else None, 94.25, 0.76)
    rows = [Row(name, (cell,) * 5, "ver → nat") for name in ("Fine-tuning", "ER-Res")]
    return Table("Table 6", "Strategies", ("V", "N", "V+N", "Forget", "CI"), tuple(rows))


def test_a_wide_terminal_shows_intervals_beside_values() -> None:
    text = lines(printed(table_view(paper_table(seeds=False)), 120))
    assert "ER-Res" + " 94.1 [92.9, 95.3]" * 5 in text
    assert "published" + " 94.3 ± 0.8" * 5 in text


@pytest.mark.parametrize("seeds", [False, True])
def test_80_columns_show_intervals_below_values(seeds: bool) -> None:
    text = lines(printed(table_view(paper_table(seeds)), 80))
    assert "ER-Res" + (" 94.1 ± 0.5" if seeds else " 94.1") * 5 in text
    assert "95 %" + " [92.9, 95.3]" * 5 in text
    assert "published" + " 94.3 ± 0.8" * 5 in text


def test_a_narrow_terminal_notes_that_intervals_are_omitted() -> None:
    text = printed(table_view(paper_table(seeds=False)), 70)
    assert "[92.9" not in text
    assert "95 % intervals are omitted: they need a wider terminal." in text


@pytest.mark.parametrize("width", [80, 100, 120])
def test_nothing_is_truncated(document: Document, width: int) -> None:
    views = [*map(table_view, (*document.tables, paper_table(seeds=True))), claims_view(document.claims)]
    text = "".join(printed(view, width) for view in views)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width


def test_missing_blank_and_unpublished_cells_differ(document: Document) -> None:
    text = lines(printed(table_view(document.tables[0]), 120))
    assert "all at once 81.3 ± 0.7 [79.1, 83.2] –" in text
    assert "plain 71.7 [70.3, 72.9] not run" in text
    assert "published 80.7 94.3" in text
    assert "own −1.3 [−2.3, 0.0] 100.0 [100.0, 100.0]" in text
    assert "replay not run not run" in text
    assert "first | second" in text


def test_published_counts_are_beside_measured_counts(document: Document) -> None:
    text = lines(printed(table_view(document.tables[1]), 80))
    assert text == ["Table 2: Sizes", "pairs published verbs", "ee_e 5969 5976 23"]


def test_long_names_wrap_before_intervals_are_omitted() -> None:
    row = Row("a strategy with a name that is longer than any other", (Cell(Interval(50, 49, 51)),) * 4)
    text = printed(table_view(Table("T", "t", ("a", "b", "c", "d"), (row,))), 80)
    assert "[49.0, 51.0]" in text
    assert "…" not in text


@pytest.mark.parametrize("width", [80, 120])
def test_claims_show_verdict_text_quantity_and_both_figures(document: Document, width: int) -> None:
    text = " ".join(lines(printed(claims_view(document.claims), width)))
    for word in ("holds", "does not hold", "undecided", "not run"):
        assert word in text
    assert 'a < b & "c" is harder V − N +6.9 [+4.7, +9.0] +7.3' in text
    assert "last is better last − first not run +2.1" in text
    assert "first is better first − second +0.4 [−1.8, +2.5] –" in text
    assert text.endswith("4 claims: 1 holds, 1 does not hold, 1 undecided, 1 not run")


def test_a_claim_takes_two_lines_at_80_columns() -> None:
    claim = Claim(
        "g", "ver → nat: ER-Res lowers Forget", "V+N: ver → nat − nat → ver", 19.1, Interval(12.7, 10.5, 14.8)
    )
    text = lines(printed(claims_view([claim]), 80))
    assert "holds ver → nat: ER-Res lowers Forget" in text
    assert "V+N: ver → nat − nat → ver +12.7 [+10.5, +14.8] +19.1" in text


def test_a_very_narrow_terminal_still_shows_everything(document: Document) -> None:
    text = " ".join(lines(printed(claims_view(document.claims), 40)))
    assert "V − N: +6.9 [+4.7, +9.0], published +7.3" in text


def test_colours_are_only_used_in_a_terminal(document: Document) -> None:
    assert "\x1b" not in printed(claims_view(document.claims), 80)
    assert "\x1b[32m" in printed(claims_view(document.claims), 80, colours=True)
    assert "\x1b[2m" in printed(table_view(document.tables[0]), 80, colours=True)


def test_without_claims_the_summary_is_no_claims() -> None:
    assert printed(claims_view(()), 80).strip() == "no claims"


def test_a_table_without_rows_shows_its_heading() -> None:
    assert lines(printed(table_view(Table("T", "t", ("a",), ())), 80)) == ["T: t (%)", "a"]
