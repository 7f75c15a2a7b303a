"""The command ``trivium recast``: its file and its output, and one-line errors that leave no file behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trivium.cli.main import run
from trivium.data.split import Split

SWAP = {"context": "Ada sang, and Tom danced.", "question": "Who sang?", "answer": "Ada"}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "200")
    path = tmp_path / "qa.jsonl"
    rows = [SWAP, {**SWAP, "answer": "a bird"}, SWAP]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def error_of(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run([str(argument) for argument in arguments]) == 2
    message = capsys.readouterr().err.strip()
    assert message.startswith("error: ")
    assert "\n" not in message
    assert "Traceback" not in message
    return message


def test_pairs_are_written_counted_and_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = file.with_name("pairs.jsonl")
    assert run(["recast", "swap", str(file), "--out", str(to)]) == 0
    output = capsys.readouterr().out
    assert f"Wrote 4 pairs (2 entailed, 2 not-entailed) to {to}." in output
    assert "Skipped 1 line (first: line 2): the answer contains no entity" in output
    assert output.count("→") == 4
    split = Split.read(to)
    assert [example.hypothesis for example in split] == ["Ada sang", "Tom sang"] * 2
    before = to.read_bytes()
    again = file.with_name("again.jsonl")
    assert run(["recast", "swap", str(file), "--out", str(again)]) == 0
    assert again.read_bytes() == before


def test_options_set_the_classes_and_the_number_of_negatives(tmp_path: Path) -> None:
    file, to = tmp_path / "reviews.jsonl", tmp_path / "pairs.parquet"
    file.write_text('{"text": "Dull!", "label": "bad"}\n', encoding="utf-8")
    classes = ("good=It is good.", "bad=It is bad.", "odd=1 = 1.")
    options = [word for definition in classes for word in ("--class", definition)]
    assert run(["recast", "classes", str(file), "--out", str(to), "--negatives", "all", *options]) == 0
    assert [example.hypothesis for example in Split.read(to)] == ["It is bad.", "It is good.", "1 = 1."]


def test_an_existing_file_is_not_overwritten(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = file.with_name("pairs.jsonl")
    to.write_text("mine", encoding="utf-8")
    assert "already exists: choose another file" in error_of(capsys, "recast", "swap", file, "--out", to)
    assert to.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("swop",), ("swop", "did you mean 'swap'")),
        (("swap", "--negatives", "none"), ("--negatives none", "1 or more, or 'all'")),
        (("swap", "--negatives", "0"), ("--negatives 0",)),
        (("swap", "--negatives", "²"), ("--negatives ²",)),
        (("swap", "--class", "a=b"), ("--class a=b", "only for the kind 'classes'")),
        (("classes", "--class", "a"), ("--class a", "NAME=STATEMENT")),
        (("classes", "--class", "a=b", "--class", "a=c"), ("'a' already has the statement 'b'",)),
        (("classes", "--class", "a=b"), ("only one class, 'a'",)),
        (("classes",), (":1: ", "the field 'text' is missing")),
        (("choices",), (":1: ", "the field 'choices' is missing")),
    ],
)
def test_an_error_is_one_line_and_leaves_no_file(
    file: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    kind, *options = arguments
    message = error_of(capsys, "recast", kind, file, "--out", file.with_name("pairs.jsonl"), *options)
    assert all(word in message for word in words), message
    assert [path.name for path in file.parent.iterdir()] == ["qa.jsonl"]


@pytest.mark.parametrize(
    ("name", "words"), [("pairs.csv", ".jsonl or a .parquet"), ("qa.jsonl/p.jsonl", "cannot be written")]
)
def test_an_output_file_that_cannot_be_written_is_rejected(
    file: Path, capsys: pytest.CaptureFixture[str], name: str, words: str
) -> None:
    assert words in error_of(capsys, "recast", "swap", file, "--out", file.parent / name)


def test_a_file_without_any_recastable_line_is_rejected(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(json.dumps({**SWAP, "answer": "a bird"}) + "\n", encoding="utf-8")
    message = error_of(capsys, "recast", "swap", file, "--out", file.with_name("pairs.jsonl"))
    assert "nothing could be recast: 1 line (first: line 1): the answer contains no entity" in message


def test_help_shows_a_line_of_each_kind(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["recast", "--help"]) == 0
    output = capsys.readouterr().out
    for kind in ("choices", "concatenation", "swap", "classes"):
        assert f"{kind}: {{" in output
    assert '"choices": ["' in output
