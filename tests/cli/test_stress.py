"""``trivium stress`` and ``trivium submit`` with a model that knows nothing; mistakes in one line."""

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
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stress")
    kinds: dict[str, Labels] = {"three": NLI3, "two": NLI2}
    for name, labels in kinds.items():
        new_classifier("tiny", 0, labels).save(folder / name)
    Split("own", tuple(built_pairs(12, 1))).write(folder / "own.jsonl")
    return folder


def stress(place: Path, *words: str) -> int:
    return run(["stress", *words, "--store", str(place / "store"), "--workers", "1"])


def test_a_set_of_ones_own_is_told_by_trait(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(place))  # no ConjNLI there
    page, figures = place / "page.html", place / "figures.json"
    words = ("--set", str(place / "own.jsonl"), "--report", str(page), "--json", str(figures))
    assert stress(place, str(place / "three"), *words) == 0
    said = capsys.readouterr().out
    for heading in ("By conjunction", "By operation", "By rule", "By Boolean", "either … or"):
        assert heading in said
    (found,) = json.loads(figures.read_text())["sets"]
    split = Split.read(place / "own.jsonl")
    whole, *groups = found["groups"]
    assert whole["pairs"] == len(split)
    for trait in ("label", "conjunction", "operation", "Boolean", "rule"):
        mine = [group for group in groups if group["trait"] == trait]
        assert sum(group["pairs"] for group in mine) == len(split)
        right = sum(group["pairs"] * group["accuracy"]["value"] for group in mine)
        assert right == pytest.approx(whole["pairs"] * whole["accuracy"]["value"])
    assert found["flips"]["pairs"] > 0
    assert "Stress test of" in page.read_text()


def test_pairs_of_two_sets_in_one_file_may_have_the_same_ids(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(place))
    lines = (place / "own.jsonl").read_text().splitlines()
    same = [lines[0], *(json.dumps({**json.loads(line), "id": "pair"}) for line in lines[1:])]
    (place / "joined.jsonl").write_text("\n".join(same) + "\n")
    found = {}
    for name in ("own", "joined"):
        figures = place / f"{name}.json"
        assert stress(place, str(place / "three"), "--set", str(place / f"{name}.jsonl"), "--json", str(figures)) == 0
        (found[name],) = json.loads(figures.read_text())["sets"]
    values = {name: [found[name]["flips"][one]["value"] for one in ("before", "after", "changed")] for name in found}
    assert values["own"] == values["joined"]


def test_a_diagnosis_takes_in_what_a_stress_test_says_of_each_model(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, figures = place / "diagnosis.html", place / "diagnosis.json"
    words = ["--only", "negat", "--source", "builtin", "--sample", "20", "--stress", str(place / "own.jsonl")]
    words += ["--out", str(page), "--json", str(figures), "--store", str(place / "store"), "--workers", "1"]
    assert run(["diagnose", str(place / "three"), str(place / "two"), *words]) == 0
    said = capsys.readouterr().out
    models = json.loads(figures.read_text())["models"]
    alone = place / "alone.json"
    for name, found in zip(("three", "two"), models, strict=True):
        assert f"{name}: " in said.replace("\n", " ")
        assert f"{place / name}: {place / 'own.jsonl'}" in page.read_text()
        words = ["stress", str(place / name), "--set", str(place / "own.jsonl")]
        run([*words, "--json", str(alone), "--store", str(place / "store"), "--workers", "1"])
        (own,) = (one for one in json.loads(alone.read_text())["sets"] if one["name"] == str(place / "own.jsonl"))
        assert found["stress"] == [own]


def test_conjnli_is_asked_if_it_is_there_and_a_submission_has_its_format(
    place: Path, real_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert stress(place, str(place / "two")) == 0
    assert "of 623 pairs" in capsys.readouterr().out.replace("\n", " ")
    file = place / "answers.txt"
    words = ["submit", "conjnli", str(place / "three"), "--out", str(file), "--store", str(place / "store")]
    assert run([*words, "--workers", "1"]) == 0
    lines, sample = (one.read_text().split("\n") for one in (file, real_data / "conjnli/sample_prediction.txt"))
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
        (("stress", "{three}", "--set", "{here}/missing.jsonl"), "no such file"),
        (("stress", "{three}", "--set", "{here}/unlabelled.jsonl"), "has no label"),
        (("stress", "{three}", "--set", "{here}/own.jsonl", "--set", "{here}/own.jsonl"), "named twice"),
        (("stress", "{three}", "--report", "{here}/x.pdf"), "an .html or an .md file"),
        (("diagnose", "{three}", "--stress", "{here}/unlabelled.jsonl"), "has no label"),
        (("diagnose", "{three}", "--stress", "conjnli", "--stress", "conjnli"), "named twice"),
    ],
)
def test_a_mistake_is_one_line(
    place: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    error: str,
) -> None:
    Split("x", (Example.make("a", "A and B.", "A.", None),)).write(place / "unlabelled.jsonl")
    known = {"here": place, "two": place / "two", "three": place / "three"}
    assert run([*(word.format(**known) for word in words), "--store", str(place / "store")]) == 2
    said = capsys.readouterr().err.strip()
    assert error in said
    assert "\n" not in said
    assert not (place / "x.txt").exists()


def test_nothing_to_ask_is_an_error(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(place))
    assert stress(place, str(place / "three")) == 2
    assert "nothing to ask" in capsys.readouterr().err


def test_a_released_set_that_is_asked_for_and_not_there_is_an_error(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(place))
    words = ["--set", "conjnli", "--set", str(place / "own.jsonl")]
    assert stress(place, str(place / "three"), *words) == 2
    assert "trivium data get conjnli" in capsys.readouterr().err
