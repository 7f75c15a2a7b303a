"""The commands ``trivium conjunctions`` and ``trivium verify conjlabels``: their files, their output and errors."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest

from trivium.build.verification import read_key
from trivium.cli.main import run
from trivium.data.labels import NLI3
from trivium.data.split import Split

LINES = [
    *(f"The {name} bought apples and sold {number} pens." for number, name in enumerate(["cook", "boy", "girl"], 20)),
    *(f"The {name} wanted apples or pens." for name in ("cook", "boy", "girl", "farmer")),
    *(f"The {name} sang, but the girls slept." for name in ("cook", "boy", "man", "farmer")),
    "",
    "Hello!",
    "The cat sleeps.",
    "The cat\x07 and the dog sleep.",
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "400")
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def build(sentences: object, *options: object) -> int:
    return run([str(word) for word in ("conjunctions", sentences, "--parser", "light", *options)])


def error_of(capsys: pytest.CaptureFixture[str], sentences: object, *options: object) -> str:
    assert run([str(word) for word in ("conjunctions", sentences, *options)]) == 2
    message = capsys.readouterr().err.strip()
    assert message.startswith("error: ")
    assert "\n" not in message
    assert "Traceback" not in message
    return message


def test_pairs_and_a_sample_are_written_and_skipped_sentences_are_counted(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = file.with_name("out")
    assert build(file, "--size", 12, "--out", to, "--sample", 2) == 0
    output = capsys.readouterr().out
    for reason in ("1 empty", "1 one word", "1 no conjunction", "1 control characters"):
        assert reason in output
    split = Split.read(to / "conjnli.jsonl")
    assert Counter(example.fact("conjunction") for example in split) == {"and": 4, "or": 4, "but": 4}
    key = read_key(to / "verify" / "key.csv", NLI3)
    assert len(key) == 12
    assert {(item.premise, item.hypothesis) for item in key.values()} == {(e.premise, e.hypothesis) for e in split}
    assert output.count("\n  → ") == 2


def test_the_same_sentences_give_the_same_bytes(file: Path) -> None:
    assert build(file, "--size", 9, "--out", file.with_name("a")) == 0
    compressed = file.with_name("sentences.txt.gz")
    compressed.write_bytes(gzip.compress(file.read_bytes()))
    assert build(compressed, "--size", 9, "--out", file.with_name("b")) == 0
    for name in ("conjnli.jsonl", "verify/sheet.csv", "verify/key.csv"):
        assert (file.parent / "a" / name).read_bytes() == (file.parent / "b" / name).read_bytes()


def test_a_shortage_of_pairs_is_reported(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = file.with_name("out")
    assert build(file, "--size", 3000, "--out", to, "--format", "parquet") == 0
    output = capsys.readouterr().out
    built = len(Split.read(to / "conjnli.parquet"))
    assert f"{3000 - built:,} pairs fewer than the 3,000 requested" in output


def test_without_a_folder_nothing_is_written(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(file, "--size", 6) == 0
    assert "Nothing was written" in capsys.readouterr().out
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_sentences_are_read_from_a_split(file: Path) -> None:
    assert build(file, "--size", 9, "--out", file.with_name("a")) == 0
    assert build(file.with_name("a") / "conjnli.jsonl", "--size", 3, "--out", file.with_name("b")) == 0
    assert len(Split.read(file.with_name("b") / "conjnli.jsonl")) == 3


def test_errors_are_one_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such file and no such source" in error_of(capsys, "nothing.txt")
    assert "is a folder" in error_of(capsys, file.parent)
    assert "did you mean" in error_of(capsys, file, "--parser", "spacey")
    assert "--format csv: must be 'jsonl' or 'parquet'" in error_of(capsys, file, "--format", "csv")
    file.write_text("", encoding="utf-8")
    assert "contains no sentences" in error_of(capsys, file, "--parser", "light")
    file.write_text("Hello!\n", encoding="utf-8")
    assert "no pair could be built: 1 one word" in error_of(capsys, file, "--parser", "light")
    file.write_bytes(b"caf\xe9 and tea\n")
    assert "not UTF-8" in error_of(capsys, file)


def test_a_sample_with_possible_answers_is_not_overwritten(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = file.with_name("out")
    assert build(file, "--size", 6, "--out", to) == 0
    assert "sheet.csv: already exists" in error_of(capsys, file, "--size", 6, "--parser", "light", "--out", to)


def test_an_unwritable_folder_is_reported_before_anything_is_built(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise AssertionError("build_pairs() was called")

    monkeypatch.setattr("trivium.build.conjuncts.building.build_pairs", fail)
    start = (file, "--parser", "light", "--out")
    assert "is a file, but must be a folder" in error_of(capsys, *start, file)
    assert "cannot be written" in error_of(capsys, *start, file / "deeper")
    to = file.with_name("out")
    to.mkdir()
    (to / "conjnli.jsonl").write_text("old\n", encoding="utf-8")
    assert "conjnli.jsonl: already exists" in error_of(capsys, *start, to)
    assert (to / "conjnli.jsonl").read_text(encoding="utf-8") == "old\n"
    (to / "conjnli.jsonl").unlink()
    (to / "verify").mkdir()
    (to / "verify" / "notes.txt").write_text("mine", encoding="utf-8")
    assert "already exists and is not an empty folder" in error_of(capsys, *start, to)


@pytest.mark.usefixtures("real_data")
def test_the_agreement_of_the_label_rules_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["verify", "conjlabels", "--parser", "light"]) == 0
    output = capsys.readouterr().out
    assert "dev 1-330" in output
    assert "dev 331-623" in output
    assert "taken together" in output
    assert "221" in output
