"""The commands ``trivium stress`` and ``trivium submit`` with an untrained model, and their errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trivium.build.conjuncts.builtin import built_pairs
from trivium.cli.main import run
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.split import Split
from trivium.models.classifiers import new_classifier


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a three-way model, a two-way model and a stress set."""
    folder = tmp_path_factory.mktemp("stress")
    schemes: dict[str, Labels] = {"three": NLI3, "two": NLI2}
    for name, labels in schemes.items():
        new_classifier("tiny", 0, labels).save(folder / name)
    Split("own", tuple(built_pairs(12, 1))).write(folder / "own.jsonl")
    return folder


def stress(folder: Path, *words: str) -> int:
    return run(["stress", *words, "--store", str(folder / "store"), "--workers", "1"])


def test_accuracy_on_a_users_set_is_shown_by_trait(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(folder))  # no ConjNLI there
    page, figures = folder / "page.html", folder / "figures.json"
    words = (str(folder / "own.jsonl"), "--report", str(page), "--json", str(figures))
    assert stress(folder, str(folder / "three"), *words) == 0
    output = capsys.readouterr().out
    for heading in ("By conjunction", "By operation", "By rule", "By Boolean", "either … or"):
        assert heading in output
    (result,) = json.loads(figures.read_text())["sets"]
    split = Split.read(folder / "own.jsonl")
    whole, *groups = result["groups"]
    assert whole["pairs"] == len(split)
    for trait in ("label", "conjunction", "operation", "Boolean", "rule"):
        mine = [group for group in groups if group["trait"] == trait]
        assert sum(group["pairs"] for group in mine) == len(split)
        correct = sum(group["pairs"] * group["accuracy"]["value"] for group in mine)
        assert correct == pytest.approx(whole["pairs"] * whole["accuracy"]["value"])
    assert result["flips"]["pairs"] > 0
    assert "Stress test of" in page.read_text()


def test_ids_need_not_be_unique(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(folder))
    lines = (folder / "own.jsonl").read_text().splitlines()
    same_id = [lines[0], *(json.dumps({**json.loads(line), "id": "pair"}) for line in lines[1:])]
    (folder / "joined.jsonl").write_text("\n".join(same_id) + "\n")
    values = {}
    for name in ("own", "joined"):
        figures = folder / f"{name}.json"
        assert stress(folder, str(folder / "three"), str(folder / f"{name}.jsonl"), "--json", str(figures)) == 0
        (result,) = json.loads(figures.read_text())["sets"]
        values[name] = [result["flips"][quantity]["value"] for quantity in ("before", "after", "changed")]
    assert values["own"] == values["joined"]


def test_a_diagnosis_includes_the_stress_test_of_each_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, figures = folder / "diagnosis.html", folder / "diagnosis.json"
    words = ["--only", "negat", "--source", "builtin", "--sample", "20", "--stress", str(folder / "own.jsonl")]
    words += ["--report", str(page), "--json", str(figures), "--store", str(folder / "store"), "--workers", "1"]
    assert run(["diagnose", str(folder / "three"), str(folder / "two"), *words]) == 0
    output = capsys.readouterr().out
    models = json.loads(figures.read_text())["models"]
    alone = folder / "alone.json"
    for name, diagnosis in zip(("three", "two"), models, strict=True):
        assert f"{name}: " in output.replace("\n", " ")
        assert f"{folder / name}: {folder / 'own.jsonl'}" in page.read_text()
        assert stress(folder, str(folder / name), str(folder / "own.jsonl"), "--json", str(alone)) == 0
        sets = json.loads(alone.read_text())["sets"]
        assert diagnosis["stress"] == [each for each in sets if each["name"] == str(folder / "own.jsonl")]


def test_conjnli_is_tested_if_available_and_a_submission_has_its_format(
    folder: Path, real_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert stress(folder, str(folder / "two")) == 0
    assert "on 623 pairs" in capsys.readouterr().out.replace("\n", " ")
    file = folder / "answers.txt"
    words = ["submit", "conjnli", str(folder / "three"), "--out", str(file), "--store", str(folder / "store")]
    assert run([*words, "--workers", "1"]) == 0
    lines, sample = (path.read_text().split("\n") for path in (file, real_data / "conjnli/sample_prediction.txt"))
    assert len(lines) == len(sample) == 1001
    assert lines[0] == sample[0] == "Label"
    assert set(lines[1:]) <= set(NLI3.names)


@pytest.mark.usefixtures("real_data")
@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("submit", "conjnli", "{two}", "--out", "{here}/x.txt"), "a two-way model cannot be submitted"),
        (("submit", "conjli", "{three}", "--out", "{here}/x.txt"), "did you mean 'conjnli'?"),
        (("submit", "conjnli", "{three}", "--out", "{here}/none/x.txt"), "its folder does not exist"),
        (("stress", "{here}/missing"), "no such folder"),
        (("stress", "{three}", "{here}/missing.jsonl"), "no such file"),
        (("stress", "{three}", "{here}/unlabelled.jsonl"), "has no label"),
        (("stress", "{three}", "{here}/own.jsonl", "{here}/own.jsonl"), "named twice"),
        (("stress", "{three}", "--report", "{here}/x.pdf"), "an .html or .md file"),
        (("diagnose", "{three}", "--stress", "{here}/unlabelled.jsonl"), "has no label"),
        (("diagnose", "{three}", "--stress", "conjnli", "--stress", "conjnli"), "named twice"),
    ],
)
def test_an_error_is_one_line(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    error: str,
) -> None:
    Split("x", (Example.make("a", "A and B.", "A.", None),)).write(folder / "unlabelled.jsonl")
    paths = {"here": folder, "two": folder / "two", "three": folder / "three"}
    assert run([*(word.format(**paths) for word in words), "--store", str(folder / "store")]) == 2
    message = capsys.readouterr().err.strip()
    assert error in message
    assert "\n" not in message
    assert not (folder / "x.txt").exists()


def test_a_stress_test_without_a_set_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(folder))
    assert stress(folder, str(folder / "three")) == 2
    assert "no stress set" in capsys.readouterr().err


def test_a_requested_released_set_that_is_not_available_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(folder))
    assert stress(folder, str(folder / "three"), "conjnli", str(folder / "own.jsonl")) == 2
    assert "trivium data get conjnli" in capsys.readouterr().err
