"""The HTML report is complete, escaped, self-contained, and rendered by a browser."""

from __future__ import annotations

import math
import re
import shutil
import struct
import subprocess
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from trivium.errors import UserError
from trivium.measure.chart import Chart
from trivium.measure.claim import Claim
from trivium.measure.statistics.intervals import Interval
from trivium.measure.table import Cell, Row, Table
from trivium.report.document import Document
from trivium.report.html import to_html, write_html

VOID = {"meta", "link", "br", "hr", "img", "input"}
LOADS = {"src", "srcset", "poster", "data", "action", "formaction", "background"}


class Page(HTMLParser):
    """The visible text, tags, ids and links of a page, the tags left open, and the resources it loads."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name in LOADS:
                self.loaded.append(str(value))
            if name in ("href", "xlink:href"):
                (self.links if tag == "a" else self.loaded).append(str(value))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def test_every_figure_of_the_document_is_shown(document: Document) -> None:
    text = Page(to_html(document)).text
    for expected in (
        "81.3 ± 0.7 [79.1, 83.2] published 100.0 ± 0.1",
        "71.7 [70.3, 72.9] published 80.7",
        "−1.3 [−2.3, 0.0]",
        "100.0 [100.0, 100.0]",
        "published 94.3",
        "5969 5976 23",
        "+6.9 [+4.7, +9.0] published +7.3",
        "−3.3 [−5.5, −1.1] published +9.3",
        "+0.4 [−1.8, +2.5] no published figure",
        "not run published +2.1",
        "veridical S1 97.5 [95.0, 99.0] 100.0",
        "ER-Res ER-Res 44.6 [41.6, 47.6]",
    ):
        assert expected in text


def test_empty_cells_state_why(document: Document) -> None:
    text = Page(to_html(document)).text
    assert "replay not run not run" in text
    assert "plain 71.7 [70.3, 72.9] published 80.7 not run published 94.3" in text
    assert "all at once 81.3 ± 0.7 [79.1, 83.2] published 100.0 ± 0.1 –" in text


def test_verdicts_are_spelled_out_and_counted(document: Document) -> None:
    page = to_html(document)
    assert "4 claims: 1 holds, 1 does not hold, 1 undecided, 1 not run." in Page(page).text
    for word, css_class in (
        ("holds", "holds"),
        ("does not hold", "fails"),
        ("undecided", "undecided"),
        ("not run", "not-run"),
    ):
        assert f'<span class="verdict {css_class}">{word}</span>' in page


def test_text_is_escaped(document: Document) -> None:
    page = to_html(document)
    assert "<i>small</i>" not in page
    assert "<minilm>" not in page
    assert "a < b" not in page
    text = Page(page).text
    assert 'A report on a < b & "c"' in text
    assert "Ours: <i>small</i>." in text
    assert 'name = "<minilm>"' in text
    assert "trivium report --out 'a & b.html'" in text
    assert "Xeon <R>" in text


def test_no_external_resources_are_loaded(document: Document) -> None:
    text = to_html(document)
    page = Page(text)
    assert page.loaded == ["data:,"]
    assert all(link.startswith("#") for link in page.links)
    assert "script" not in page.tags
    assert set(re.findall(r"https?://[^\s\"'<>)]*", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert "@import" not in text
    assert "url(" not in text


def test_the_page_is_well_formed_and_its_links_have_targets(document: Document) -> None:
    page = Page(to_html(document))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert {"figure-1", "figure-2", "table-1", "table-2", "claims-1", "claims-2", "reproduce"} <= set(page.ids)
    assert page.tags.count("svg") == 2 * 2  # each figure for wide and for narrow screens


def test_an_empty_document_gives_a_valid_page(empty: Document) -> None:
    page = Page(to_html(empty))
    assert page.open == []
    assert "Nothing yet" in page.text
    assert "claim" not in page.text
    assert {"table", "svg", "nav", "section"}.isdisjoint(page.tags)


def test_the_legend_mentions_the_paper_only_beside_published_figures(document: Document, empty: Document) -> None:
    own = Table("Own", "Figures", ("V",), (Row("plain", (Cell(Interval(71.7, 70.3, 72.9)),)),))
    assert "empty in the paper" in Page(to_html(document)).text
    assert "the paper" not in Page(to_html(replace(empty, tables=(own,)))).text


def test_values_that_are_not_finite_are_undefined(empty: Document) -> None:
    odd = Interval(math.nan, math.nan, math.inf)
    claim = Claim("g", "t", "q", 1.0, odd)
    table = Table("T", "t", ("V",), (Row("r", (Cell(odd),)),))
    chart = Chart("c", "c", "c", "dots", "accuracy, %", ())
    page = Page(to_html(replace(empty, claims=(claim,), tables=(table,), charts=(chart,))))
    assert "r undefined [undefined, undefined]" in page.text
    assert "undecided t q undefined [undefined, undefined] published +1.0" in page.text
    assert "nan" not in page.text


def test_the_same_document_gives_the_same_page(document: Document) -> None:
    assert to_html(document) == to_html(document)


def test_writing_replaces_the_file_and_leaves_no_other_files(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    write_html(document, path)
    assert path.read_text(encoding="utf-8") == to_html(document)
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_a_one_line_error(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "report.html"
    with pytest.raises(UserError) as caught:
        write_html(document, path)
    assert str(caught.value) == f"{path}: cannot be written: its folder does not exist"
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_no_files(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.mkdir()
    with pytest.raises(UserError) as caught:
        write_html(document, path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert list(tmp_path.iterdir()) == [path]
    assert list(path.iterdir()) == []


def test_a_full_disk_keeps_the_old_report(document: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UserError, match="No space left on device"):
        write_html(document, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


CHROMIUM = shutil.which("chromium")
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --window-size=1280,1600"
).split()


def browse(page: Path, profile: Path, *options: str) -> str:
    command = [str(CHROMIUM), *QUIET, f"--user-data-dir={profile}", *options, page.as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=90, check=True)
    return result.stdout


def png_rows(content: bytes) -> tuple[int, int, bytes]:
    """Width, height and the decompressed (still filtered) rows of a PNG."""
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    data, position = b"", 8
    while position < len(content):
        (length,) = struct.unpack(">I", content[position : position + 4])
        if content[position + 4 : position + 8] == b"IDAT":
            data += content[position + 8 : position + 8 + length]
        position += length + 12
    return width, height, zlib.decompress(data)


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH: the report cannot be opened in a browser")
def test_a_browser_renders_the_page(document: Document, tmp_path: Path) -> None:
    path, screenshot = tmp_path / "report.html", tmp_path / "report.png"
    write_html(document, path)
    shown = Page(browse(path, tmp_path / "one", "--dump-dom"))
    assert shown.tags.count("svg") == 2 * 2
    assert shown.tags.count("table") == 2 + 2 + 1
    assert "81.3 ± 0.7 [79.1, 83.2] published 100.0 ± 0.1" in shown.text
    browse(path, tmp_path / "two", f"--screenshot={screenshot}")
    width, height, rows = png_rows(screenshot.read_bytes())
    assert (width, height) == (1280, 1600)
    # On a blank page all rows are the same.
    length = len(rows) // height
    assert len({rows[start : start + length] for start in range(0, len(rows), length)}) > 200


def test_limitations_precede_the_verdicts(document: Document, empty: Document) -> None:
    text = Page(to_html(document)).text
    assert text.index("Limitations") < text.index("One seed.") < text.index("Two of nine a")
    assert text.index("Two of nine a") < text.index("4 claims")
    assert "Limitations" not in Page(to_html(empty)).text


def test_examples_show_the_predicted_and_the_correct_label(document: Document) -> None:
    text = Page(to_html(document)).text
    assert 'Runs a < b & "c": right 7, wrong 1' in text
    assert "right: 1 of 7" in text
    assert "whole: entailment (correct: neutral)" in text
