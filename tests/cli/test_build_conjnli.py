"""``trivium build conjnli --sentences`` and ``trivium verify conjlabels``: what they write and say, and mistakes."""

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


def build(file: object, *more: object) -> int:
    given = ("build", "conjnli", "--sentences", file, "--parser", "light", *more)
    return run([str(argument) for argument in given])


def mistake(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run([str(argument) for argument in arguments]) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("error: ")
    assert "\n" not in said
    assert "Traceback" not in said
    return said


def test_pairs_and_a_sample_are_written_and_what_is_not_used_is_counted(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = file.with_name("out")
    assert build(file, "--size", 12, "--out", to, "--sample", 2) == 0
    said = capsys.readouterr().out
    for reason in ("1 empty", "1 one word", "1 no conjunction", "1 control characters"):
        assert reason in said
    split = Split.read(to / "conjnli.jsonl")
    assert Counter(example.fact("conjunction") for example in split) == {"and": 4, "or": 4, "but": 4}
    key = read_key(to / "verify" / "key.csv", NLI3)
    assert len(key) == 12
    assert {(item.premise, item.hypothesis) for item in key.values()} == {(e.premise, e.hypothesis) for e in split}
    assert said.count("\n  → ") == 2


def test_the_same_command_writes_the_same_bytes(file: Path) -> None:
    assert build(file, "--size", 9, "--out", file.with_name("a")) == 0
    packed = file.with_name("sentences.txt.gz")
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert build(packed, "--size", 9, "--out", file.with_name("b")) == 0
    for name in ("conjnli.jsonl", "verify/sheet.csv", "verify/key.csv"):
        assert (file.parent / "a" / name).read_bytes() == (file.parent / "b" / name).read_bytes()


def test_fewer_pairs_than_asked_are_written_and_said(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = file.with_name("out")
    assert build(file, "--size", 3000, "--out", to, "--format", "parquet") == 0
    said = capsys.readouterr().out
    made = len(Split.read(to / "conjnli.parquet"))
    assert f"{3000 - made:,} pairs fewer than the 3,000" in said


def test_without_a_folder_nothing_is_written(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(file, "--size", 6) == 0
    assert "Nothing was written" in capsys.readouterr().out
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_split_gives_its_longer_sentences(file: Path) -> None:
    assert build(file, "--size", 9, "--out", file.with_name("a")) == 0
    assert build(file.with_name("a") / "conjnli.jsonl", "--size", 3, "--out", file.with_name("b")) == 0
    assert len(Split.read(file.with_name("b") / "conjnli.jsonl")) == 3


def test_mistakes_are_one_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = ("build", "conjnli", "--sentences")
    assert "no such file and no such source" in mistake(capsys, *start, "nothing.txt")
    assert "it is a folder" in mistake(capsys, *start, file.parent)
    assert "did you mean" in mistake(capsys, *start, file, "--parser", "spacey")
    assert "only conjnli" in mistake(capsys, "build", "c2gen", "--sentences", file)
    assert "--size needs --sentences" in mistake(capsys, "build", "conjnli", "--size", "5")
    assert "--seed needs --sentences" in mistake(capsys, "build", "c2gen", "--seed", "0")
    assert "--source has no use with --sentences" in mistake(capsys, *start, file, "--source", "builtin")
    assert "--preset has no use with --sentences" in mistake(capsys, *start, file, "--preset", "smoke")
    file.write_text("", encoding="utf-8")
    assert "there are no sentences in it" in mistake(capsys, *start, file, "--parser", "light")
    file.write_text("Hello!\n", encoding="utf-8")
    assert "no pair could be built: 1 one word" in mistake(capsys, *start, file, "--parser", "light")
    file.write_bytes(b"caf\xe9 and tea\n")
    assert "not UTF-8" in mistake(capsys, *start, file)


def test_a_sample_that_may_be_answered_already_is_not_overwritten(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = file.with_name("out")
    assert build(file, "--size", 6, "--out", to) == 0
    again = ("build", "conjnli", "--sentences", file, "--size", 6, "--parser", "light", "--out", to)
    assert "sheet.csv is already there" in mistake(capsys, *again)


def test_what_cannot_be_written_is_said_before_anything_is_built(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def built(*given: object, **more: object) -> None:
        raise AssertionError("it was built")

    monkeypatch.setattr("trivium.build.conjuncts.building.build_pairs", built)
    start = ("build", "conjnli", "--sentences", file, "--parser", "light", "--out")
    assert "it is a file: name a folder" in mistake(capsys, *start, file)
    assert "cannot be written" in mistake(capsys, *start, file / "deeper")
    to = file.with_name("out")
    to.mkdir()
    (to / "conjnli.jsonl").write_text("old\n", encoding="utf-8")
    assert "conjnli.jsonl is already there" in mistake(capsys, *start, to)
    assert (to / "conjnli.jsonl").read_text(encoding="utf-8") == "old\n"
    (to / "conjnli.jsonl").unlink()
    (to / "verify").mkdir()
    (to / "verify" / "notes.txt").write_text("mine", encoding="utf-8")
    assert "already exists" in mistake(capsys, *start, to)


@pytest.mark.usefixtures("real_data")
def test_the_agreement_of_the_rules_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["verify", "conjlabels", "--parser", "light"]) == 0
    said = capsys.readouterr().out
    assert "dev 1-330" in said
    assert "dev 331-623" in said
    assert "taken together" in said
    assert "221" in said
