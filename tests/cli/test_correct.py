"""The command ``trivium correct``: correct a model, correct it again, undo; and its errors."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from trivium.cli.main import run
from trivium.data.example import Example
from trivium.data.labels import NLI3, SENTIMENT, Labels
from trivium.data.sources import load_source
from trivium.data.split import Split
from trivium.models.classifiers import SUPPORT, new_classifier
from trivium.tools.corrected import load_corrected
from trivium.tools.correction_data import label_indices
from trivium.tools.methods import CORRECTING, LESSON, Teacher
from trivium.tools.proof import Phenomena, phenomenon_pairs

PAIRS = [replace(example, facts=()) for example in load_source("builtin").examples[:90]]
FAST = ("--learning-rate", "1e-3", "--epochs", 2, "--workers", 1)
Call = Callable[..., str]


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("trivium.tools.methods.CORRECTING", CORRECTING.model_copy(update={"threads": 1}))
    monkeypatch.setattr("trivium.tools.methods.LESSON", LESSON.model_copy(update={"threads": 1}))
    monkeypatch.setattr("trivium.tools.correction_task.phenomenon_pairs", few_pairs)


@pytest.fixture
def output_of(capsys: pytest.CaptureFixture[str]) -> Call:
    """Return a function that runs the program, which must succeed, and returns its output."""

    def call(*arguments: object) -> str:
        assert run([str(argument) for argument in arguments]) == 0, capsys.readouterr().err
        return " ".join(capsys.readouterr().out.split())

    return call


@pytest.fixture
def error_of(capsys: pytest.CaptureFixture[str]) -> Call:
    """Return a function that runs the program, which must fail, and returns its error, by default of one line."""

    def call(*arguments: object, lines: int = 1) -> str:
        assert run([str(argument) for argument in arguments]) == 2
        message = without_progress(capsys.readouterr().err)
        assert all(line.startswith("error: ") for line in message.splitlines())
        assert message.count("\n") == lines, message
        return message

    return call


def without_progress(text: str) -> str:
    """Return standard error without the lines about finished steps, such as ``[1/5] train er-res, fold 1 of 5``."""
    return "".join(line for line in text.splitlines(keepends=True) if not re.match(r"\[\d+/\d+\] ", line))


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with models, a guard, corrections of incorrect predictions, and unsuitable files."""
    folder = tmp_path_factory.mktemp("shared")
    new_classifier("tiny", 0).save(folder / "nli")
    new_classifier("tiny", 0, SENTIMENT).save(folder / "feeling")
    Split("guard", tuple(PAIRS[:50])).write(folder / "guard.jsonl")
    predicted = load_corrected(folder / "nli").predict(PAIRS[50:])
    incorrect = [example for example, label in zip(PAIRS[50:], predicted, strict=True) if example.label != label]
    incorrect.sort(key=lambda example: str(example.label))  # any training gains on corrections that share a label
    lines = [{"premise": e.premise, "hypothesis": e.hypothesis, "label": e.label} for e in incorrect]
    lines, others = lines[:12], lines[-8:]
    write(folder / "few.jsonl", [*lines, {**lines[0], "premise": f"{lines[0]['premise']} ".upper()}])
    write(
        folder / "more.jsonl",
        [*lines[6:], *others, {"premise": "It rains", "hypothesis": "It snows", "label": "neutral"}],
    )
    correct = tuple(replace(example, label=label) for example, label in zip(PAIRS[50:60], predicted, strict=False))
    Split("correct", correct).write(folder / "correct.jsonl")
    reviews = [{"premise": f"A film of {hours} hours", "hypothesis": None, "label": "positive"} for hours in range(6)]
    write(folder / "reviews.jsonl", [{"labels": "sentiment"}, *reviews])
    write(folder / "bare.jsonl", reviews)
    return folder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def folder(shared_folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the shared folder, which is the working directory; the store is elsewhere."""
    monkeypatch.setenv("TRIVIUM_STORE", str(store))
    monkeypatch.chdir(shared_folder)
    return shared_folder


def few_pairs(labels: Labels, number: int) -> Phenomena:
    """Replace ``phenomenon_pairs``: few pairs of each phenomenon are enough to test the command."""
    return phenomenon_pairs(labels, min(number, 40))


def write(file: Path, lines: Sequence[Mapping[str, object]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def learn_everything(
    teacher: Teacher, methods: Sequence[str], corrections: Sequence[Example], folds: object
) -> dict[str, NDArray[np.intp]]:
    """Replace ``Teacher.try_out``: every method predicts all held-out corrections correctly."""
    return {method: label_indices(corrections, NLI3) for method in methods}


def test_a_model_is_corrected_then_again_in_place_and_both_are_undone(
    folder: Path, tmp_path: Path, output_of: Call, error_of: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--guard", "guard.jsonl", "--allow", 100, *FAST)
    copy = tmp_path / "mine"
    page, figures = tmp_path / "page.html", tmp_path / "figures.json"
    output = output_of("correct", "nli", "--examples", "few.jsonl", "--out", copy, *options, "--method", "er-res",
                       "--report", page, "--json", figures)  # fmt: skip
    assert "12 corrections from few.jsonl (without 1 repeated)" in output
    assert "Guard: guard.jsonl. Methods may replay 16 of its examples; the other 34 measure the loss." in output
    assert "Selected: er-res. It gains" in output
    plain = json.loads(figures.read_text())
    assert (plain["taken"], plain["guard"]["measured"], len(plain["trials"])) == ("er-res", 34, 1)
    assert plain["finals"][0]["guard_loss_bound_points"] <= 100
    report = page.read_text()
    assert all(text in report for text in ("Correction of nli", "Limitations", "Forgotten by er-res", "<svg"))
    assert f"Accepted: er-res, written to {copy}; undo with trivium correct {copy} --undo." in report

    # So few epochs teach too little for a gain on held-out corrections.
    monkeypatch.setattr("trivium.tools.methods.Teacher.try_out", learn_everything)
    output = output_of("correct", copy, "--examples", "more.jsonl", "--out", copy, *options, "--method", "pn",
                       "--runtime", "trivium")  # fmt: skip
    assert "6 earlier corrections are replayed" in output
    assert "Earlier corrections: " in output
    assert (copy / SUPPORT).is_file()
    assert (tmp_path / "mine.before-1").is_dir()
    assert SUPPORT in error_of("diagnose", copy, "--only", "negat", "--source", "builtin")

    assert re.search(r"er-res 12 .* pn 15 ", output_of("history", copy))
    assert "before its last correction (pn, 15 examples)" in output_of("correct", copy, "--undo")
    assert not (tmp_path / "mine.before-1").exists()
    assert (tmp_path / "mine.undone-1" / SUPPORT).is_file()
    assert "before its last correction (er-res, 12 examples)" in output_of("correct", copy, "--undo")
    assert "nothing to undo" in error_of("correct", copy, "--undo")


def test_a_model_that_forgets_too_much_is_reported_but_not_written(
    folder: Path, tmp_path: Path, error_of: Call
) -> None:
    before, figures, page = sorted(folder.iterdir()), tmp_path / "figures.json", tmp_path / "page.html"
    message = error_of("correct", "nli", "--examples", "few.jsonl", "--guard", "guard.jsonl", "--allow", 0, "--method",
                       "finetune", "--json", figures, "--report", page, *FAST, lines=2)  # fmt: skip
    assert "no model is written: finetune may lose up to" in message
    assert re.search(r"--allow of \d+\.\d would pass", message)
    assert "The gain is shown" in message
    assert json.loads(figures.read_text())["taken"] is None
    text = page.read_text()
    assert "Refused: no model was written: " in text
    assert "Each correction" in text
    first = json.loads(figures.read_text())["examples"][0]
    assert set(first["held_out"]) == {"finetune"}
    assert first["before"] != first["label"]
    assert sorted(folder.iterdir()) == before


def test_errors_point_to_an_earlier_corrected_model(
    folder: Path, tmp_path: Path, output_of: Call, error_of: Call
) -> None:
    shutil.copytree("nli", tmp_path / "nli")
    model, corrected = tmp_path / "nli", tmp_path / "nli-corrected"
    call = ("correct", model, "--examples", "few.jsonl", "--guard", "guard.jsonl", "--allow", 100, "--method", "er-res",
            *FAST)  # fmt: skip
    assert f"Wrote the corrected model to {corrected}" in output_of(*call)
    again = error_of(*call)
    assert f"trivium correct {corrected}" in again
    assert "--out" in again
    assert f"trivium correct {corrected} --undo" in error_of("correct", model, "--undo")
    assert f"did you mean '{corrected}'?" in error_of("correct", tmp_path / "nli-correctd", "--undo")
    assert "before its last correction" in output_of("correct", corrected, "--undo")


def test_ctrl_c_leaves_no_model_and_exits_with_130(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("trivium.tools.correction.write_history", interrupt)
    before = sorted(folder.iterdir())
    call = ["correct", "nli", "--examples", "few.jsonl", "--guard", "guard.jsonl", "--allow", "100", "--method",
            "er-res"]  # fmt: skip
    assert run([*call, *map(str, FAST)]) == 130
    message = without_progress(capsys.readouterr().err)
    assert message == "error: stopped: finished steps are kept; run the same command again to continue\n"
    assert sorted(folder.iterdir()) == before


PAIR = {"premise": "It rains", "hypothesis": "It pours", "label": "neutral"}
FIVE = [{**PAIR, "premise": f"It rains {number} times"} for number in range(5)]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (FIVE[:4], ("few.jsonl", "4 different corrections", "5 to 50")),
        ([{**PAIR, "premise": f"{number} dogs"} for number in range(51)], ("51 different", "5 to 50")),
        ([*FIVE[:3], {**PAIR, "label": None}], ("few.jsonl:4", "label is missing")),
        ([*FIVE[:3], {**PAIR, "label": "nutral"}], ("few.jsonl:4", "nutral", "did you mean 'neutral'")),
        (
            [{"premise": "It rains", "label": "neutral"}],
            ("few.jsonl:1", "no column for the hypothesis"),
        ),
        ([*FIVE, {**PAIR, "hypothesis": None}], ("few.jsonl:6", "hypothesis", "empty")),
        ([*FIVE, {**PAIR, "hypothesis": " "}], ("few.jsonl:6", "empty")),
        (
            [*FIVE, {**FIVE[1], "premise": " it  RAINS 1 times", "label": "entailment"}],
            ("two labels in line 2 (neutral) and line 6 (entailment)", "keep one"),
        ),
        (
            [{"labels": "sentiment"}, {"premise": "x", "hypothesis": None, "label": "positive"}],
            ("positive", "entailment"),
        ),
        ([], ("few.jsonl", "empty")),
    ],
)
@pytest.mark.usefixtures("folder")
def test_an_error_in_the_corrections_is_one_line(
    tmp_path: Path, error_of: Call, lines: list[dict[str, object]], words: tuple[str, ...]
) -> None:
    write(tmp_path / "few.jsonl", lines)
    message = error_of("correct", "nli", "--examples", tmp_path / "few.jsonl", "--guard", "guard.jsonl")
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nli",), ("--examples", "--undo")),
        (("nli", "--examples", "few.jsonl", "--undo"), ("leave out --examples",)),
        (("nli", "--undo", "--guard", "g", "--json", "f", "--seed", "0"), ("leave out --guard, --json, --seed",)),
        (("nli", "--undo"), ("nothing to undo",)),
        (("nil", "--undo"), ("nil: ", "no such folder")),
        (("./nowhere", "--examples", "few.jsonl"), ("nowhere", "no such folder")),
        (("minilm", "--examples", "few.jsonl"), ("encoder without a classifier",)),
        (("nli", "--examples", "nowhere.jsonl"), ("nowhere.jsonl", "no such file")),
        (("nli", "--examples", "few.txt"), ("few.txt", ".jsonl")),
        (("nli", "--examples", "few.jsonl", "--guard", "nowhere.jsonl"), ("nowhere.jsonl", "no such file")),
        (("nli", "--examples", "few.jsonl", "--guard", "few.jsonl"), ("few.jsonl", "at least 30")),
        (("nli", "--examples", "few.jsonl", "--method", "er-rse"), ("er-rse", "did you mean 'er-res'")),
        (("nli", "--examples", "few.jsonl", "--method", "pn"), ("pn", "--runtime trivium")),
        (("nli", "--examples", "few.jsonl", "--runtime", "onnx"), ("--runtime onnx", "transformers or trivium")),
        (("nli", "--examples", "few.jsonl", "--about", "negatoin"), ("negatoin", "did you mean 'negation'")),
        (("nli", "--examples", "few.jsonl", "--text", "nowhere.txt"), ("--text nowhere.txt", "no such file")),
        (("nli", "--examples", "few.jsonl", "--replay", "nowhere.jsonl"), ("nowhere.jsonl", "no such file")),
        (("nli", "--examples", "few.jsonl", "--pairs", "pairs.csv"), ("pairs.csv", ".jsonl")),
        (("nli", "--examples", "few.jsonl", "--out", "."), ("already exists",)),
        (("nli", "--examples", "few.jsonl", "--out", "x/y/z", "--guard", "few.jsonl"), ("at least 30",)),
        (("nli", "--examples", "few.jsonl", "--report", "page.pdf"), ("page.pdf", ".html or .md")),
        (("nli", "--examples", "few.jsonl", "--json", "nowhere/f.json"), ("nowhere/f.json", "folder does not exist")),
        (("nli", "--examples", "few.jsonl", "--json", "nli"), ("nli", "is a folder, but must be a file")),
        (("nli", "--examples", "few.jsonl", "--learning-rate", "7"), ("between 0 and 1",)),
        (("feeling", "--examples", "reviews.jsonl"), ("negative and positive", "--guard")),
        (("feeling", "--examples", "few.jsonl", "--guard", "guard.jsonl"), ("negative, positive",)),
        (("feeling", "--examples", "bare.jsonl"), ("negative and positive", "--guard")),
        (("few.jsonl", "--examples", "nli"), ("few.jsonl: is a file", "must be a model")),
        (("nli", "--examples", "correct.jsonl", "--guard", "guard.jsonl"), ("nothing to correct",)),
    ],
)
def test_an_error_is_one_line_and_nothing_is_written(
    folder: Path, error_of: Call, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    before = sorted(folder.iterdir())
    workers = () if "--undo" in arguments else ("--workers", 1)
    message = error_of("correct", *arguments, *workers)
    assert all(word in message for word in words), message
    assert sorted(folder.iterdir()) == before
