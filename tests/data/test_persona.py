"""Dialogues and lessons are read, both those that users write and the published ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trivium.data.persona import Dialogue, read_dialogues, read_lesson
from trivium.errors import UserError

SETS = {"attributes": (1998, 13), "havenot": (6979, 26), "likedislike": (2614, 28)}


def write(tmp_path: Path, text: str, name: str = "lesson.jsonl") -> Path:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def test_plain_lines_are_both_facts_and_utterances(tmp_path: Path) -> None:
    file = write(tmp_path, "I have a dog.\n\n  I sing. \n", "facts.txt")
    assert read_dialogues(file) == [Dialogue(("I have a dog.", "I sing."), ("I have a dog.", "I sing."))]


def test_each_dialogue_has_the_facts_and_utterances_of_the_persona(tmp_path: Path) -> None:
    text = (
        "1 your persona: i have a dog.\n2 partner's persona: i sing.\n3 hello\ti walk my dog .\n"
        "1 your persona: i paint.\n2 hi\tnice picture .\n3 one side only\n"
    )
    assert read_dialogues(write(tmp_path, text, "d.txt")) == [
        Dialogue(("i have a dog.",), ("i walk my dog .",)),
        Dialogue(("i paint.",), ("nice picture .",)),
    ]


def test_a_lesson_has_each_pair_once(tmp_path: Path) -> None:
    row = {"fact": "I have a dog.", "utterance": "I have a pet.", "label": "E"}
    lesson = read_lesson(write(tmp_path, f"{json.dumps(row)}\n\n{json.dumps(row)}\n"))
    pairs = [(example.premise, example.hypothesis, example.label) for example in lesson.examples]
    assert pairs == [("I have a dog.", "I have a pet.", "entailment")]
    assert lesson.facts == ["I have a dog."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"fact": "a", "utterance": "b", "label": "e"}\n{"fact": "a", "utterance": "b", "label": "n"}\n',
         "'b' with the fact 'a' has two labels, entailment in line 1 and neutral in line 2"),
        ('{"fact": "a", "utterance": "b"}\n', ":1: missing field 'label' (available: fact, utterance)"),
        ('{"fact": "a", "utterance": " ", "label": "e"}\n', ":1: 'utterance' is empty"),
        ('{"fact": "a", "utterance": 3, "label": "e"}\n', ":1: 'utterance' must be text, not 3"),
        ('\n{"fact": "a", "utterance": "b", "label": "maybe"}\n', ":2: unknown label 'maybe'"),
        ("[]\n", ":1: a line must be a JSON object"),
        ("{\n", ":1: not JSON"),
        ("", "contains no examples"),
        ('{"candidates": [1]}\n', ":1: 'candidates' must be an object"),
        ('{"relevant_persona_sentence": "a", "candidates": {"neg": null}}\n', ":1: the candidates 'neg' must be a"),
        ('{"relevant_persona_sentence": "a", "candidates": {"neg": [1]}}\n', ":1: 'neg' must be text, not 1"),
        ('{"relevant_persona_sentence": "", "candidates": {}}\n', ":1: 'relevant_persona_sentence' is empty"),
    ],
)  # fmt: skip
def test_an_error_in_a_lesson_is_one_line_that_names_the_location(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError) as raised:
        read_lesson(write(tmp_path, text))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("text", "message"), [("", "the file is empty"), ("1 your persona: a\nb\n", ":2: a line of")])
def test_an_error_in_a_dialogue_names_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_dialogues(write(tmp_path, text, "d.txt"))


@pytest.mark.parametrize("name", SETS)
def test_the_published_consistency_sets_are_lessons(name: str, shared_data: Path) -> None:
    lesson = read_lesson(shared_data / "persona" / "dnli_eval" / f"valid_{name}.jsonl")
    assert (len(lesson.examples), len({example.premise for example in lesson.examples})) == SETS[name]
    assert {example.label for example in lesson.examples} == {"entailment", "neutral", "contradiction"}
    assert lesson.facts == []


def test_the_published_dialogues_are_read_completely(shared_data: Path) -> None:
    file = shared_data / "persona" / "convai2_sample" / "valid_self_original_no_cands.txt"
    dialogues = read_dialogues(file)
    assert dialogues[0].facts[0] == "i read twenty books a year."
    assert all(3 <= len(dialogue.facts) <= 6 and dialogue.utterances for dialogue in dialogues)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert sum(len(dialogue.facts) + len(dialogue.utterances) for dialogue in dialogues) == len(lines)
