"""Texts of unknown origin cannot control the terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from trivium.cli.console import complain, out, say
from trivium.cli.main import run
from trivium.printing import printable, safe_console

ESCAPE = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202egpj.exe"


def test_control_characters_are_shown_as_escapes() -> None:
    assert (
        printable("a\x1b[31mb\tc\nd\x7f\x9b\r\u202e\ud800") == "a\\u001b[31mb\tc\nd\\u007f\\u009b\\u000d\\u202e\\ud800"
    )
    assert printable("naïve 日本 😀 …") == "naïve 日本 😀 …"


def test_escaped_json_stays_json() -> None:
    line = printable(json.dumps({"text": ESCAPE}, ensure_ascii=False))
    assert json.loads(line) == {"text": ESCAPE}


@pytest.mark.parametrize("terminal", [True, False])
def test_a_console_prints_no_control_characters_but_its_own(terminal: bool) -> None:
    console = safe_console(file=io.StringIO(), force_terminal=terminal, width=200)
    table = Table("name")
    table.add_row(ESCAPE)
    table.add_row(Text(ESCAPE))
    for each in (ESCAPE, Text(ESCAPE, style="red"), table):
        console.print(each)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    for wrong in ("\x1b]0", "\x07", "\x1b[2J", "\x9b", "\r", "\u202e"):
        assert wrong not in text
    assert ("\x1b[" in text) == terminal  # the style of the second line


def test_data_is_not_taken_as_markup(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("name")
    table.add_row("[/red] [bold]x")
    out.print(table)
    say("[/red]")
    assert "[/red] [bold]x" in capsys.readouterr().out


def test_errors_and_output_of_commands_are_safe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "split.jsonl"
    row = {"id": ESCAPE, "premise": "A", "hypothesis": "B", "label": "neutral"}
    file.write_text((json.dumps(row) + "\n") * 2)
    assert run(["data", "check", str(file)]) == 0
    file.write_text(json.dumps({**row, "label": ESCAPE}, ensure_ascii=False) + "\n")
    assert run(["data", "check", str(file)]) == 2
    assert run(["data", "check", f"{tmp_path}/\x1b[2J.jsonl"]) == 2
    printed = "".join(capsys.readouterr())
    assert "\x1b" not in printed
    assert "\x9b" not in printed
    assert "\\u001b[2J" in printed


def test_a_very_long_error_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    complain("a" * 100_000 + "the end")
    message = capsys.readouterr().err
    assert len(message) < 2100
    assert message.endswith("the end\n")
