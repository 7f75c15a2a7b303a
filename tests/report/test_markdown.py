"""The Markdown report is complete, its tables are valid, and its text is escaped."""

from __future__ import annotations

import re
from dataclasses import replace

from trivium.report.document import Document
from trivium.report.markdown import to_markdown


def blocks(text: str) -> list[list[list[str]]]:
    """Return the cells of each table."""
    tables = re.findall(r"(?:^\|.*\|\n)+", text, flags=re.MULTILINE)
    return [[[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in t.splitlines()] for t in tables]


def test_measured_and_published_values_have_separate_columns(document: Document) -> None:
    accuracy, counts, *_ = blocks(to_markdown(document))
    assert accuracy[0] == ["", "V", "published", "N", "published"]
    assert accuracy[2:] == [
        ["all at once", "81.3 ± 0.7 [79.1, 83.2]", "100.0 ± 0.1", "–", "–"],
        [r"**first \| second**", "", "", "", ""],
        ["plain", "71.7 [70.3, 72.9]", "80.7", "not run", "94.3"],
        ["own", "−1.3 [−2.3, 0.0]", "–", "100.0 [100.0, 100.0]", "–"],
        ["**second, first**", "", "", "", ""],
        ["replay", "not run", "–", "not run", "–"],
    ]
    assert counts[0] == ["", "pairs", "published", "verbs"]
    assert counts[2] == ["ee_e", "5969", "5976", "23"]


def test_claims_are_tables_by_group_with_a_summary(document: Document) -> None:
    text = to_markdown(document)
    assert "4 claims: 1 holds, 1 does not hold, 1 undecided, 1 not run." in text
    assert "### 6.1 It is harder" in text
    first, second = blocks(text)[2:4]
    assert first[2] == ["holds", 'a &lt; b &amp; "c" is harder', "V − N", "+6.9 [+4.7, +9.0]", "+7.3", "–"]
    assert first[3][0] == "does not hold"
    assert second[2:] == [
        ["undecided", "first is better", "first − second", "+0.4 [−1.8, +2.5]", "–", "–"],
        ["not run", "last is better", "last − first", "not run", "+2.1", "–"],
    ]


def test_all_rows_of_a_table_have_the_same_cells_and_width(document: Document) -> None:
    text = to_markdown(document)
    for table in re.findall(r"(?:^\|.*\|\n)+", text, flags=re.MULTILINE):
        assert len({len(line) for line in table.splitlines()}) == 1
    assert all(len({len(line) for line in table}) == 1 for table in blocks(text))


def test_text_is_escaped(document: Document) -> None:
    text = to_markdown(document)
    assert "Ours: &lt;i>small&lt;/i>." in text
    assert "a < b" not in text
    assert r"\*loud\* \_low\_ Task_CI" in to_markdown(Document("t", ("*loud* _low_ Task_CI",)))
    assert r"\# no heading" in to_markdown(Document("t", ("# no\nheading",)))


def test_settings_commands_and_environment_are_included(document: Document) -> None:
    text = to_markdown(document)
    assert '```toml\nname = "<minilm>"\nseeds = [0, 1]\n```' in text
    assert "```sh\ntrivium run c2gen --preset laptop\ntrivium report --out 'a & b.html'\n```" in text
    assert "| processor   | Xeon &lt;R>" in text


def test_a_code_fence_in_the_settings_does_not_end_their_block(document: Document) -> None:
    text = to_markdown(replace(document, settings="a = '''\n```\n'''"))
    assert "````toml\na = '''\n```\n'''\n````" in text


def test_an_empty_document_gives_its_title(empty: Document) -> None:
    assert to_markdown(empty) == "# Nothing yet\n"


def test_the_text_is_deterministic_and_ends_with_one_newline(document: Document) -> None:
    text = to_markdown(document)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text == to_markdown(document)


def test_limitations_are_a_list_before_the_tables(document: Document, empty: Document) -> None:
    text = to_markdown(document)
    assert text.index("Limitations:\n\n- One seed.\n- Two of nine") < text.index("## Tables")
    assert "Limitations" not in to_markdown(empty)
