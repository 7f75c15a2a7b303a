"""The journey of somebody who corrects a model: correct, correct again, undo; and every mistake is one line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from trivium.cli.main import run
from trivium.data.example import Example
from trivium.data.labels import NLI3, SENTIMENT
from trivium.data.sources import load_source
from trivium.data.split import Split
from trivium.models.classifiers import SUPPORT, new_classifier
from trivium.tools.corrected import load_corrected
from trivium.tools.correction_data import numbers_of
from trivium.tools.methods import CORRECTING, Predicted, Teacher

PAIRS = [replace(example, facts=()) for example in load_source("builtin").examples[:90]]
FAST = ("--learning-rate", "1e-3", "--epochs", 2)
Say = Callable[..., str]


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("trivium.tools.methods.CORRECTING", CORRECTING.model_copy(update={"threads": 1}))


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Say:
    """Runs the program, and gives what it said."""

    def call(*arguments: object) -> str:
        assert run([str(argument) for argument in arguments]) == 0, capsys.readouterr().err
        return " ".join(capsys.readouterr().out.split())

    return call


@pytest.fixture
def mistake(capsys: pytest.CaptureFixture[str]) -> Say:
    """Runs the program with something that is wrong, and gives the one line that it said."""

    def call(*arguments: object) -> str:
        assert run([str(argument) for argument in arguments]) == 2
        found = without_progress(capsys.readouterr().err)
        assert found.startswith("error: ")
        assert found.count("\n") == 1, found
        return found

    return call


def without_progress(text: str) -> str:
    """What was said without the lines about finished steps, which may be wrapped."""
    lines = text.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if line.startswith("error: ")]
    return "".join(lines[starts[0] :]) if starts else ""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with models, a guard, corrections that the model gets wrong, and files that do not fit."""
    folder = tmp_path_factory.mktemp("there")
    new_classifier("tiny", 0).save(folder / "nli")
    new_classifier("tiny", 0, SENTIMENT).save(folder / "feeling")
    Split("guard", tuple(PAIRS[:50])).write(folder / "guard.jsonl")
    told = load_corrected(folder / "nli").predict(PAIRS[50:])
    wrong = [example for example, label in zip(PAIRS[50:], told, strict=True) if example.label != label]
    lines = [{"premise": e.premise, "hypothesis": e.hypothesis, "label": e.label} for e in wrong[:12]]
    write(folder / "few.jsonl", [*lines, {**lines[0], "premise": f"{lines[0]['premise']} ".upper()}])
    write(folder / "more.jsonl", [*lines[6:], {"premise": "It rains", "hypothesis": "It snows", "label": "neutral"}])
    right = tuple(replace(one, label=label) for one, label in zip(PAIRS[50:60], told, strict=False))
    Split("right", right).write(folder / "right.jsonl")
    reviews = [{"premise": f"A film of {hours} hours", "hypothesis": None, "label": "positive"} for hours in range(6)]
    write(folder / "reviews.jsonl", [{"labels": "sentiment"}, *reviews])
    write(folder / "bare.jsonl", reviews)
    return folder


@pytest.fixture
def place(there: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, to work in; the store is elsewhere."""
    monkeypatch.chdir(there)
    monkeypatch.setenv("TRIVIUM_STORE", str(there.parent / "store"))
    return there


def write(file: Path, lines: Sequence[Mapping[str, object]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def always_correct(
    self: Teacher, methods: Sequence[str], corrections: Sequence[Example], folds: object
) -> dict[str, Predicted | str]:
    return {method: numbers_of(corrections, NLI3) for method in methods}


def test_a_model_is_corrected_then_again_in_place_and_both_are_undone(
    place: Path, tmp_path: Path, said: Say, mistake: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--guard", "guard.jsonl", "--allow", 100, *FAST)
    copy = tmp_path / "mine"
    page, figures = tmp_path / "page.html", tmp_path / "found.json"
    found = said("correct", "nli", "--examples", "few.jsonl", "--out", copy, *options, "--method", "er-res",
                 "--report", page, "--json", figures)  # fmt: skip
    assert "12 corrections from few.jsonl (1 repeated not counted)" in found
    assert "Guard: guard.jsonl. Methods may replay 16 of its examples; the other 34 measure the loss." in found
    assert "Selected: er-res. It gains" in found
    plain = json.loads(figures.read_text())
    assert (plain["taken"], plain["guard"]["measured"], len(plain["trials"])) == ("er-res", 34, 1)
    assert plain["finals"][0]["guard_loss_bound_points"] <= 100
    shown = page.read_text()
    assert all(text in shown for text in ("Correction of nli", "Limitations", "Forgotten by er-res", "<svg"))

    monkeypatch.setattr(Teacher, "try_out", always_correct)  # what little it was taught is not enough for it
    found = said("correct", copy, "--examples", "more.jsonl", "--out", copy, *options, "--method", "pn")
    assert "It was corrected with 6 others before" in found
    assert "Earlier corrections: " in found
    assert (copy / SUPPORT).is_file()
    assert (tmp_path / "mine.before-1").is_dir()
    assert SUPPORT in mistake("diagnose", copy, "--only", "negat", "--source", "builtin", "--store", tmp_path / "store")

    assert "before its last correction (pn, 7 examples)" in said("correct", copy, "--undo")
    assert not (tmp_path / "mine.before-1").exists()
    assert "before its last correction (er-res, 12 examples)" in said("correct", copy, "--undo")
    assert "nothing to undo" in mistake("correct", copy, "--undo")


def test_what_forgets_too_much_is_not_written_but_reported(place: Path, tmp_path: Path, mistake: Say) -> None:
    before, figures, page = sorted(place.iterdir()), tmp_path / "found.json", tmp_path / "page.md"
    found = mistake("correct", "nli", "--examples", "few.jsonl", "--guard", "guard.jsonl", "--allow", 0, "--method",
                    "finetune", "--json", figures, "--report", page, *FAST)  # fmt: skip
    assert "no method is within 0 points of loss on the guard with 95 % confidence: the best, finetune, gains" in found
    assert "--allow" in found
    assert "no model is written" in found
    assert json.loads(figures.read_text())["taken"] is None
    assert "no method is within 0 points of loss on the guard" in page.read_text()
    assert sorted(place.iterdir()) == before


def test_what_was_corrected_already_is_pointed_at(place: Path, tmp_path: Path, said: Say, mistake: Say) -> None:
    shutil.copytree("nli", tmp_path / "nli")
    model, done = tmp_path / "nli", tmp_path / "nli-corrected"
    call = ("correct", model, "--examples", "few.jsonl", "--guard", "guard.jsonl", "--allow", 100, "--method", "er-res",
            *FAST)  # fmt: skip
    assert f"Wrote the corrected model to {done}" in said(*call)
    again = mistake(*call)
    assert f"continue from it with trivium correct {done}" in again
    assert "--out" in again
    assert f"trivium correct {done} --undo" in mistake("correct", model, "--undo")
    assert f"did you mean '{done}'?" in mistake("correct", tmp_path / "nli-correctd", "--undo")
    assert "before its last correction" in said("correct", done, "--undo")


def test_ctrl_c_writes_nothing_and_says_so_in_one_line(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("trivium.tools.correction.write_history", stopped)
    before = sorted(place.iterdir())
    call = ["correct", "nli", "--examples", "few.jsonl", "--guard", "guard.jsonl", "--allow", "100", "--method", "knn"]
    assert run(call) == 130
    assert (
        without_progress(capsys.readouterr().err)
        == "error: stopped: finished steps are kept; run the same command again to continue\n"
    )
    assert sorted(place.iterdir()) == before


PAIR = {"premise": "It rains", "hypothesis": "It pours", "label": "neutral"}
FIVE = [{**PAIR, "premise": f"It rains {number} times"} for number in range(5)]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (FIVE[:4], ("few.jsonl", "4 different corrections", "5 to 50")),
        ([{**PAIR, "premise": f"{number} dogs"} for number in range(51)], ("51 different", "5 to 50")),
        ([*FIVE[:3], {**PAIR, "label": None}], ("few.jsonl:4", "label is missing")),
        ([*FIVE[:3], {**PAIR, "label": "nutral"}], ("few.jsonl:4", "nutral", "did you mean 'neutral'")),
        ([{"premise": "It rains", "label": "neutral"}], ("few.jsonl:1", "hypothesis", "missing")),
        ([*FIVE, {**PAIR, "hypothesis": None}], ("few.jsonl:6", "reads pairs")),
        ([*FIVE, {**PAIR, "hypothesis": " "}], ("few.jsonl:6", "empty")),
        (
            [*FIVE, {**FIVE[1], "premise": " it  RAINS 1 times", "label": "entailment"}],
            ("two labels in lines 2 (neutral) and 6 (entailment)", "keep one"),
        ),
        (
            [{"labels": "sentiment"}, {"premise": "x", "hypothesis": None, "label": "positive"}],
            ("positive", "entailment"),
        ),
        ([], ("few.jsonl", "empty")),
    ],
)
def test_wrong_corrections_are_one_line(
    place: Path, tmp_path: Path, mistake: Say, lines: list[dict[str, object]], words: tuple[str, ...]
) -> None:
    write(tmp_path / "few.jsonl", lines)
    found = mistake("correct", "nli", "--examples", tmp_path / "few.jsonl", "--guard", "guard.jsonl")
    assert all(word in found for word in words), found


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nli",), ("--examples", "--undo")),
        (("nli", "--examples", "few.jsonl", "--undo"), ("leave out --examples",)),
        (("nli", "--undo", "--guard", "g", "--json", "f", "--seed", "0"), ("leave out --guard, --json, --seed",)),
        (("nli", "--undo"), ("nothing to undo",)),
        (("nil", "--undo"), ("nil: no such folder",)),
        (("./nowhere", "--examples", "few.jsonl"), ("nowhere", "no such folder")),
        (("minilm", "--examples", "few.jsonl"), ("encoder without a classifier",)),
        (("nli", "--examples", "nowhere.jsonl"), ("nowhere.jsonl", "no such file")),
        (("nli", "--examples", "few.txt"), ("few.txt", ".jsonl")),
        (("nli", "--examples", "few.jsonl", "--guard", "nowhere.jsonl"), ("nowhere.jsonl", "no such file")),
        (("nli", "--examples", "few.jsonl", "--guard", "few.jsonl"), ("few.jsonl", "at least 30")),
        (("nli", "--examples", "few.jsonl", "--method", "er-rse"), ("er-rse", "did you mean 'er-res'")),
        (("nli", "--examples", "few.jsonl", "--out", "."), ("already exists",)),
        (("nli", "--examples", "few.jsonl", "--out", "x/y/z", "--guard", "few.jsonl"), ("at least 30",)),
        (("nli", "--examples", "few.jsonl", "--report", "page.pdf"), ("page.pdf", "must be an .html or .md file")),
        (("nli", "--examples", "few.jsonl", "--json", "nowhere/f.json"), ("nowhere/f.json", "folder does not exist")),
        (("nli", "--examples", "few.jsonl", "--json", "nli"), ("nli", "it is a folder")),
        (("nli", "--examples", "few.jsonl", "--learning-rate", "7"), ("between 0 and 1",)),
        (("feeling", "--examples", "reviews.jsonl"), ("negative and positive", "--guard")),
        (("feeling", "--examples", "few.jsonl", "--guard", "guard.jsonl"), ("negative, positive",)),
        (("feeling", "--examples", "bare.jsonl"), ("bare.jsonl:1", "positive", '{"labels": "sentiment"}')),
        (("nli", "--examples", "right.jsonl", "--guard", "guard.jsonl"), ("nothing to correct",)),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    place: Path, mistake: Say, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    before = sorted(place.iterdir())
    found = mistake("correct", *arguments)
    assert all(word in found for word in words), found
    assert sorted(place.iterdir()) == before
