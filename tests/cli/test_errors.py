"""Errors on the command line: one clear line each, and exit code 2."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from trivium.cli.main import run

ErrorOf = Callable[..., str]


@pytest.fixture
def error_of(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> ErrorOf:
    """Return a function that runs the program, which must fail, and returns its error message."""
    monkeypatch.setenv("COLUMNS", "300")

    def call(*arguments: object) -> str:
        assert run([str(argument) for argument in arguments]) == 2
        message = capsys.readouterr().err
        assert message.startswith("error: ")
        assert "Traceback" not in message
        return message

    return call


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "c3gen"), ("c3gen", "did you mean 'c2gen'")),
        (("run", "c2gen", "--preset", "labtop"), ("labtop", "did you mean 'laptop'")),
        (
            ("plan", "c2gen", "--preset", "smoke", "--set", 'run.strategies=["er-rse"]'),
            ("er-rse", "did you mean 'er-res'"),
        ),
        (("plan", "c2gen", "--preset", "smoke", "--set", "train.epoch=2"), ("train.epoch", "did you mean 'epochs'")),
        (("plan", "c2gen", "--preset", "smoke", "--set", "model.name=./nowhere"), ("./nowhere", "no such folder")),
        (("plan", "c2gen", "--preset", "smoke", "--set", "source=sikc"), ("sikc", "did you mean 'sick'")),
        (("plan", "c2gen", "--preset", "smoke", "--plugin", "nowhere.py"), ("nowhere.py", "no such file")),
        (("build", "c2gen", "--source", "builtin", "--format", "xml"), ("xml", "'jsonl' or 'parquet'")),
        (("plan", "c2gen", "--preset", "smoke", "--set", "model.name=minilmm"), ("minilmm", "did you mean 'minilm'")),
        (("plan", "c2gen", "--preset", "smoke", "--set", "run.folds=[1, 1]"), ("run.folds", "duplicate values: 1")),
        (("plan", "c2gen", "--preset", "smoke", "--set", "run.strategies=[]"), ("run.strategies",)),
        (
            ("plan", "c2gen", "--preset", "smoke", "--set", "data.per_type=4"),
            ("data.per_type is 4", "each of its 8 verbs"),
        ),
        (
            ("plan", "c2gen", "--preset", "smoke", "--set", "strategy.er-res.memory_size=many"),
            ("strategy.er-res.memory_size", "integer", "many"),
        ),
        (
            ("plan", "c2gen", "--preset", "smoke", "--set", "strategy.kd.wait=2"),
            ("strategy.kd.wait", "did you mean 'weight'"),
        ),
        (("run", "c2gen", "--preset", "smoke", "--report", "report.htm"), ("report.htm", ".html or .md")),
        (
            ("run", "c2gen", "--preset", "smoke", "--report", "nowhere/report.html"),
            ("report.html", "folder does not exist"),
        ),
        (("claims", "c2gen", "--preset", "smoke"), ("no store in",)),
        (("report", "c2gen", "--preset", "smoke"), ("no store in",)),
        (("run", "c2gen", "--preset", "smoke", "--keep-models", "some"), ("some", "needed")),
    ],
)
def test_an_error_names_what_is_wrong(
    error_of: ErrorOf, tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    store = () if arguments[0] == "build" else ("--store", tmp_path / "store")
    message = error_of(*arguments, *store)
    assert all(word in message for word in words), message


def test_all_errors_in_a_configuration_are_reported_at_once(error_of: ErrorOf, tmp_path: Path) -> None:
    changes = ("--set", "train.epochs=0", "--set", "train.learning_rat=1e-5", "--set", "run.folds=[10]")
    message = error_of("plan", "c2gen", "--preset", "smoke", *changes, "--store", tmp_path / "store")
    assert message.count("error: ") == 3
    for word in ("train.epochs", "did you mean 'learning_rate'", "run.folds"):
        assert word in message


def test_a_model_folder_without_a_tokenizer_is_an_error(error_of: ErrorOf, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "bert"}))
    changes = ("--set", f"model.name={folder}")
    message = error_of("run", "c2gen", "--preset", "smoke", *changes, "--store", tmp_path / "store")
    assert "no tokenizer" in message


def test_a_store_that_cannot_be_written_is_an_error(error_of: ErrorOf, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    message = error_of("run", "c2gen", "--preset", "smoke", "--store", tmp_path / "file" / "store")
    assert "cannot be written" in message


def test_a_sick_file_without_a_required_column_is_an_error(
    error_of: ErrorOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(tmp_path))
    folder = tmp_path / "sick"
    (folder / "corrected").mkdir(parents=True)
    (folder / "SICK.txt").write_text("pair_ID\tsentence_A\r\n1\tA man is singing\r\n")
    (folder / "corrected" / "SICK_whole_corpus_reannotated.csv").write_text("pair_ID\tentailment_label\n1\tNEUTRAL\n")
    message = error_of("build", "c2gen", "--source", "sick")
    assert "SICK.txt" in message
    assert "sentence_B" in message


def test_the_error_about_missing_data_explains_how_to_get_it(
    error_of: ErrorOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRIVIUM_DATA", raising=False)
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path))
    message = error_of("build", "c2gen", "--source", "sick")
    assert "trivium data get sick" in message


@pytest.mark.parametrize(
    "arguments", [["frobnicate"], ["run"], ["run", "c2gen", "--wrong"], ["plan", "c2gen", "--workers", "x"]]
)
def test_a_usage_error_has_no_traceback(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    message = capsys.readouterr().err
    assert "Usage" in message
    assert "Traceback" not in message


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("trivium 0.")


def test_a_store_without_the_requested_run_is_an_error(
    error_of: ErrorOf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    assert run(["plan", "c2gen", "--preset", "smoke", "--store", str(store)]) == 0
    capsys.readouterr()
    assert "no results of c2gen" in error_of("claims", "c2gen", "--preset", "smoke", "--store", store)


SOURCE = """
from trivium.data import Example, Split
from trivium.data.sources import source

@source("{name}")
class Mine:
    about = "a source with a mistake"
    def is_available(self): return True
    def load(self): return Split("mine", ({example},))
"""


@pytest.mark.parametrize(
    ("name", "example", "words"),
    [
        (
            "capital",
            'Example.make("7", "A man is singing", "A man is humming", "Neutral")',
            ("'7'", "did you mean 'neutral'"),
        ),
        ("failing", "open('/nowhere/at/all')", ("cannot be loaded", "FileNotFoundError")),
    ],
)
def test_an_error_in_a_users_source_is_reported(
    error_of: ErrorOf, tmp_path: Path, name: str, example: str, words: tuple[str, ...]
) -> None:
    plugin = tmp_path / f"{name}.py"
    plugin.write_text(SOURCE.format(name=name, example=example))
    message = error_of("build", "c2gen", "--source", name, "--plugin", plugin, "--preset", "smoke")
    assert all(word in message for word in words), message


def test_a_strategy_that_does_not_derive_from_strategy_is_an_error(error_of: ErrorOf, tmp_path: Path) -> None:
    plugin = tmp_path / "plain.py"
    plugin.write_text("from trivium.learn.strategy import strategy\n@strategy('plain')\nclass Plain: pass\n")
    assert "must be a class that derives from Strategy" in error_of("list", "--plugin", plugin)


@pytest.mark.parametrize("command", [("persona", "add"), ("data", "check")])
def test_a_name_that_no_file_can_have_is_an_error_of_one_line(command: tuple[str, ...], error_of: ErrorOf) -> None:
    rest = ("fact",) if command[0] == "persona" else ()
    assert "File name too long" in error_of(*command, "9" * 5000, *rest)
