"""SNLI, MultiNLI and ANLI are read completely, and errors in their files name the file and the line."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from trivium.data.sources import load_source
from trivium.data.sources.anli import read_anli
from trivium.data.sources.mnli import read_dev, read_train
from trivium.data.sources.snli import read_snli
from trivium.errors import UserError


@pytest.mark.usefixtures("real_data")
@pytest.mark.parametrize(
    ("name", "parts", "labels"),
    [
        ("snli", {"train": 1022, "dev": 9842, "test": 9824}, (7040, 6792, 6856)),
        ("mnli", {"train": 3000, "dev": 9815}, (4474, 4118, 4223)),
        ("anli", {"dev": 3200, "test": 3200}, (2140, 2136, 2124)),
    ],
)
def test_counts_are_those_of_the_released_files(name: str, parts: dict[str, int], labels: tuple[int, ...]) -> None:
    split = load_source(name)
    assert Counter(example.fact("part") for example in split) == parts
    assert tuple(split.counts().values()) == labels
    assert len({example.id for example in split}) == len(split)
    assert all(example.premise and example.hypothesis for example in split)
    assert all(text == text.strip() for example in split for text in (example.premise, str(example.hypothesis)))


def test_a_pair_without_a_majority_label_is_left_out(tmp_path: Path) -> None:
    row = {"sentence1": "A dog runs.", "sentence2": "A cat runs.", "pairID": "1", "captionID": "c"}
    file = tmp_path / "snli.jsonl"
    file.write_text("\n".join(json.dumps(row | {"gold_label": label}) for label in ("-", "neutral", "contradiction")))
    assert [example.label for example in read_snli(file, "dev")] == ["neutral", "contradiction"]


def test_errors_name_the_file_and_the_line(tmp_path: Path) -> None:
    file = tmp_path / "data.jsonl"
    file.write_text('{"premise": "A", "hypothesis": "B", "label": "entailment"}\n{"premise": "A", "label": "x"}\n')
    with pytest.raises(UserError, match=r"data.jsonl:2: missing field 'hypothesis' \(available: label, premise\)"):
        list(read_dev(file))
    file.write_text('{"uid": "1", "context": "A", "hypothesis": "B", "label": "q", "genre": "g"}\n')
    with pytest.raises(UserError, match=r"data.jsonl:1: unknown label 'q'"):
        list(read_anli(file, "R1", "dev"))
    file.write_text('{"uid": "1", "context": 3, "hypothesis": "B", "label": "e", "genre": "g"}\n')
    with pytest.raises(UserError, match=r"data.jsonl:1: 'context' must be text, not 3"):
        list(read_anli(file, "R1", "dev"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": 1}', "must be a JSON list, not dict"),
        ("[3]", "item 1: must be a JSON object, not int"),
        ('[{"sentence": "one text", "label": "neutral"}]', "item 1: 'sentence' must be 'sentence 1: …'"),
        ("[", "not JSON"),
    ],
)
def test_a_file_that_is_not_a_list_of_pairs_is_an_error(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_text(content)
    with pytest.raises(UserError, match=message):
        list(read_train(file))
