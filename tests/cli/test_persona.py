"""The commands ``trivium persona``: train a model, create a persona, check utterances, teach lessons; and errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from trivium.cli.main import make_app
from trivium.data.example import Example
from trivium.errors import UserError
from trivium.measure.metrics import Bools

RUNNER = CliRunner()
FAST = ("--epochs", 1, "--workers", 1)


@pytest.fixture(scope="module", autouse=True)
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use a temporary store, which the tests share."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIVIUM_STORE", str(tmp_path_factory.mktemp("store")))
        yield


def output_of(*arguments: object, stdin: str | None = None, code: int = 0) -> str:
    result = RUNNER.invoke(make_app(), [str(argument) for argument in arguments], input=stdin, env={"COLUMNS": "160"})
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def error_of(*arguments: object) -> str:
    result = RUNNER.invoke(make_app(), [str(argument) for argument in arguments])
    assert isinstance(result.exception, UserError), result.output
    assert "\n" not in str(result.exception)
    return str(result.exception)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model") / "nli"
    options = ("--limit", 80, "--model", "tiny", "--threads", 1, "--workers", 1)
    output = output_of("train", "nli", "--data", "builtin", "--out", folder, *options)
    assert "Trained on 72 pairs. Accuracy on " in output
    assert "on 8 held-out pairs, whose sentences may occur in other pairs: " in " ".join(output.split())
    return folder


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    rows = [
        {"fact": f"I own a {thing}.", "utterance": utterance, "label": label}
        for thing in ("dog", "boat", "house")
        for utterance, label in ((f"The {thing} is mine.", "e"), (f"I have no {thing}.", "c"), ("I sing.", "n"))
    ]
    file = tmp_path / "things.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_a_persona_is_created_checked_and_taught_two_lessons(model: Path, lesson: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ada"
    facts = tmp_path / "facts.txt"
    facts.write_text("I sing.\nI live by the sea.\n")
    known = ("--knows", "builtin", "--limit", 30)
    output = output_of("persona", "new", folder, "--model", model, "--facts", facts, "--fact", "I paint.", *known)
    assert "a persona with 3 facts" in output
    assert "4 facts, 1 of them new" in output_of("persona", "add", folder, "I row.", "I sing.")

    output = output_of("persona", "check", folder, "I never sing.", "--file", "-", "--details", stdin="It rains.\n\n")
    assert all(text in output for text in ("I never sing.", "It rains.", "all facts together", "entailment"))
    plain = json.loads(output_of("persona", "check", folder, "I never sing.", "--json"))
    assert plain["utterance"] == "I never sing."
    assert len(plain["facts"]) == 5
    assert abs(sum(plain["facts"][0][name] for name in ("entailment", "neutral", "contradiction")) - 1) < 0.001

    output = output_of("persona", "teach", folder, lesson, *FAST)
    assert "what it knew before" in output
    assert "lesson 1: things" in output
    assert "has 7 facts" in output
    output = output_of("persona", "teach", folder, "--fact", "I own a car.", "--fact", "Welding is my trade.", *FAST)
    assert "'Welding is my trade.' cannot be negated" in output
    assert "lesson 1: things" in output
    assert "lesson 2: 2 facts" in output
    output = output_of("persona", "show", folder)
    assert "9 Welding is my trade." in output
    assert output.count("er-buff") == 2
    assert "accuracy when taught" in output


def test_a_lesson_that_loses_too_much_is_not_saved(
    model: Path, lesson: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "ada"
    output_of("persona", "new", folder, "--model", model, "--fact", "I sing.")
    output_of("persona", "teach", folder, lesson, *FAST)
    is_after = iter([False, True])  # first the predictions before the new lesson, then those after it

    def forget_the_first_lesson(store: object, step: object, examples: Sequence[Example]) -> Bools:
        forgets = next(is_after)
        return np.array([not (forgets and example.premise.startswith("I own a ")) for example in examples])

    monkeypatch.setattr("trivium.tools.persona._correct", forget_the_first_lesson)
    output = output_of("persona", "teach", folder, "--fact", "I row.", *FAST, "--most-lost", 99, code=1)
    assert "Not saved: lesson 1: things would lose 100.0 points, more than 99." in output
    assert "lost: I own a " in output
    monkeypatch.undo()
    assert "I row." not in output_of("persona", "show", folder)


def test_errors_are_one_line(model: Path, lesson: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ada"
    output_of("persona", "new", folder, "--model", model, "--fact", "I sing.")
    assert "already exists" in error_of("persona", "new", folder, "--model", model)
    assert "trivium train nli" in error_of("persona", "new", tmp_path / "b", "--model", "minilm")
    assert "no utterances to check" in error_of("persona", "check", folder)
    assert "no persona in" in error_of("persona", "check", tmp_path / "nobody", "Hello.")
    assert "no such file" in error_of("persona", "check", folder, "--file", tmp_path / "none.txt")
    assert "give either a lesson file or facts" in error_of("persona", "teach", folder)
    assert "give either a lesson file or facts" in error_of("persona", "teach", folder, lesson, "--fact", "I row.")
    assert "did you mean 'er-res'" in error_of("persona", "teach", folder, lesson, "--strategy", "er-rez")
    facts = tmp_path / "facts.txt"
    facts.write_text("I sing.\n")
    assert "--dialogue 2: must be at most 1" in error_of(
        "persona", "new", tmp_path / "b", "--model", model, "--facts", facts, "--dialogue", 2
    )
    assert not (tmp_path / "b").exists()
    train = ("train", "nli", "--out", tmp_path / "m")
    assert "did you mean 'sick'" in error_of(*train, "--data", "sik")
    assert "already exists" in error_of("train", "nli", "--data", "builtin", "--out", folder)
    assert "between 0 and 1" in error_of(*train, "--data", "builtin", "--learning-rate", 0)
    assert "between 0 and 1" in error_of("persona", "teach", folder, lesson, "--learning-rate", 1)
    assert "'cpu' or 'cuda'" in error_of(*train, "--data", "builtin", "--device", "gpu")
    assert "must not be empty" in error_of("persona", "teach", folder, "--fact", " ")
    assert "unknown setting" in error_of("persona", "teach", folder, lesson, "--set", "memory=3")
    assert "--knows sik: neither" in error_of("persona", "new", tmp_path / "b", "--model", model, "--knows", "sik")
    assert "cannot be written" in error_of("train", "nli", "--data", "builtin", "--out", facts / "m")
    two = tmp_path / "two.jsonl"
    two.write_text('{"labels": "nli2"}\n{"premise": "a", "hypothesis": "b", "label": "entailed"}\n')
    assert "must be entailment, neutral, contradiction" in error_of(*train, "--data", two)


def test_a_published_dialogue_is_checked_against_its_own_persona(
    model: Path, tmp_path: Path, shared_data: Path
) -> None:
    file = shared_data / "persona" / "convai2_sample" / "valid_self_original_no_cands.txt"
    output_of("persona", "new", tmp_path / "p", "--model", model, "--facts", file, "--dialogue", 2)
    output = output_of("persona", "check", tmp_path / "p", "--file", file, "--dialogue", 2, "--json")
    first = json.loads(output.splitlines()[0])
    assert first["utterance"].startswith("i'm doing great")
    assert first["facts"][0]["fact"] == "i have two dogs."


def test_a_published_consistency_set_is_taught_and_checked(model: Path, tmp_path: Path, shared_data: Path) -> None:
    sets = [shared_data / "persona" / "dnli_eval" / f"valid_{name}.jsonl" for name in ("attributes", "likedislike")]
    output_of("persona", "new", tmp_path / "p", "--model", model, "--fact", "I like [/b] :heart:")
    for file in sets:
        output = output_of("persona", "teach", tmp_path / "p", file, "--limit", 60, *FAST)
    assert "lesson 1: valid_attributes" in output
    assert "lesson 2: valid_likedislike" in output
    assert "has 1 fact." in output
    assert "I like [/b] :heart:" in output_of("persona", "show", tmp_path / "p")
    plain = output_of("persona", "check", tmp_path / "p", "Well :heart:", "--json")
    assert json.loads(plain)["utterance"] == "Well :heart:"
