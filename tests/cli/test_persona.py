"""The journey of somebody who keeps a persona: train a model, begin, check, teach, check again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from trivium.cli.main import app
from trivium.errors import UserError

RUNNER = CliRunner()


def said(*arguments: object, keys: str | None = None, code: int = 0) -> str:
    result = RUNNER.invoke(app, [str(a) for a in arguments], input=keys, env={"COLUMNS": "160"})
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def wrong(*arguments: object) -> str:
    result = RUNNER.invoke(app, [str(a) for a in arguments])
    assert isinstance(result.exception, UserError), result.output
    assert "\n" not in str(result.exception)
    return str(result.exception)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model") / "nli"
    output = said(
        "train", "nli", "--data", "builtin", "--limit", 80, "--model", "tiny", "--threads", 1, "--out", folder
    )
    assert "Trained on 72 pairs. Right on " in output
    assert "of 8 pairs held out (their sentences may occur in other pairs)" in " ".join(output.split())
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


def test_a_persona_from_the_first_fact_to_the_second_lesson(model: Path, lesson: Path, tmp_path: Path) -> None:
    place = tmp_path / "ada"
    facts = tmp_path / "facts.txt"
    facts.write_text("I sing.\nI live by the sea.\n")
    known = ("--knows", "builtin", "--limit", 30)
    output = said("persona", "new", place, "--model", model, "--facts", facts, "--fact", "I paint.", *known)
    assert "a persona with 3 facts" in output
    assert "4 facts, 1 of them new" in said("persona", "add", place, "I row.", "I sing.")

    output = said("persona", "check", place, "I never sing.", "--file", "-", "--details", keys="It rains.\n\n")
    assert all(text in output for text in ("I never sing.", "It rains.", "all facts together", "entailment"))
    plain = json.loads(said("persona", "check", place, "I never sing.", "--json"))
    assert plain["utterance"] == "I never sing."
    assert len(plain["facts"]) == 5
    assert abs(sum(plain["facts"][0][name] for name in ("entailment", "neutral", "contradiction")) - 1) < 0.001

    output = said("persona", "teach", place, lesson, "--epochs", 1)
    assert "what it knew before" in output
    assert "lesson 1: things" in output
    assert "has 7 facts" in output
    output = said("persona", "teach", place, "--fact", "I own a car.", "--fact", "Welding is my trade.", "--epochs", 1)
    assert "'Welding is my trade.' cannot be denied" in output
    assert "lesson 1: things" in output
    assert "lesson 2: 2 facts" in output
    output = said("persona", "show", place)
    assert "9 Welding is my trade." in output
    assert output.count("er-buff") == 2
    assert "right when taught" in output


def test_what_costs_too_much_is_not_saved(
    model: Path, lesson: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "ada"
    said("persona", "new", place, "--model", model, "--fact", "I sing.")
    said("persona", "teach", place, lesson, "--epochs", 1)
    # what the model leaves open, then facts without a lesson, the earlier lesson and the new one, before and after
    answers = iter([True, True, True, True, True, False, True])
    monkeypatch.setattr("trivium.tools.persona.holds", lambda learner, examples: np.full(len(examples), next(answers)))
    output = said("persona", "teach", place, "--fact", "I row.", "--epochs", 1, "--most-lost", 99, code=1)
    assert "Not saved: lesson 1: things would lose 100.0 points, more than 99." in output
    assert "lost: I own a " in output
    monkeypatch.undo()
    assert "I row." not in said("persona", "show", place)


def test_mistakes_are_one_line(model: Path, lesson: Path, tmp_path: Path) -> None:
    place = tmp_path / "ada"
    said("persona", "new", place, "--model", model, "--fact", "I sing.")
    assert "already exists" in wrong("persona", "new", place, "--model", model)
    assert "trivium train nli" in wrong("persona", "new", tmp_path / "b", "--model", "minilm")
    assert "nothing is said" in wrong("persona", "check", place)
    assert "no persona in" in wrong("persona", "check", tmp_path / "nobody", "Hello.")
    assert "no such file" in wrong("persona", "check", place, "--file", tmp_path / "none.txt")
    assert "name a lesson file, or facts" in wrong("persona", "teach", place)
    assert "did you mean 'er-res'" in wrong("persona", "teach", place, lesson, "--strategy", "er-rez")
    facts = tmp_path / "facts.txt"
    facts.write_text("I sing.\n")
    assert "has 1" in wrong("persona", "new", tmp_path / "b", "--model", model, "--facts", facts, "--dialogue", 2)
    assert not (tmp_path / "b").exists()
    train = ("train", "nli", "--out", tmp_path / "m")
    assert "did you mean 'sick'" in wrong(*train, "--data", "sik")
    assert "already exists" in wrong("train", "nli", "--data", "builtin", "--out", place)
    assert "between 0 and 1" in wrong(*train, "--data", "builtin", "--learning-rate", 0)
    assert "between 0 and 1" in wrong("persona", "teach", place, lesson, "--learning-rate", 1)
    assert "cpu or cuda" in wrong(*train, "--data", "builtin", "--device", "gpu")
    assert "must not be empty" in wrong("persona", "teach", place, "--fact", " ")
    assert "unknown setting" in wrong("persona", "teach", place, lesson, "--set", "memory=3")
    assert "--knows sik: neither" in wrong("persona", "new", tmp_path / "b", "--model", model, "--knows", "sik")
    assert "cannot be written" in wrong("train", "nli", "--data", "builtin", "--out", facts / "m")
    two = tmp_path / "two.jsonl"
    two.write_text('{"labels": "nli2"}\n{"premise": "a", "hypothesis": "b", "label": "entailed"}\n')
    assert "must be those of three-way NLI" in wrong(*train, "--data", two)


def test_a_published_dialogue_is_checked_against_its_own_persona(
    model: Path, tmp_path: Path, shared_data: Path
) -> None:
    file = shared_data / "persona" / "convai2_sample" / "valid_self_original_no_cands.txt"
    said("persona", "new", tmp_path / "p", "--model", model, "--facts", file, "--dialogue", 2)
    output = said("persona", "check", tmp_path / "p", "--file", file, "--dialogue", 2, "--json")
    found = [json.loads(line) for line in output.splitlines()]
    assert found[0]["utterance"].startswith("i'm doing great")
    assert found[0]["facts"][0]["fact"] == "i have two dogs."


def test_a_published_consistency_set_is_taught_and_checked(model: Path, tmp_path: Path, shared_data: Path) -> None:
    sets = [shared_data / "persona" / "dnli_eval" / f"valid_{name}.jsonl" for name in ("attributes", "likedislike")]
    said("persona", "new", tmp_path / "p", "--model", model, "--fact", "I like [/b] :heart:")
    for file in sets:
        output = said("persona", "teach", tmp_path / "p", file, "--limit", 60, "--epochs", 1)
    assert "lesson 1: valid_attributes" in output
    assert "lesson 2: valid_likedislike" in output
    assert "has 1 fact." in output
    assert "I like [/b] :heart:" in said("persona", "show", tmp_path / "p")
    plain = said("persona", "check", tmp_path / "p", "Well :heart:", "--json")
    assert json.loads(plain)["utterance"] == "Well :heart:"
