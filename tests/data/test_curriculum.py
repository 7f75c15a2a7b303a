"""The 36 released tasks of CURRICULUM have the counts of the data README, and damaged archives are errors."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from trivium.data import curriculum
from trivium.data.curriculum import read_released
from trivium.data.labels import NLI2, NLI3
from trivium.data.phenomena import CATEGORIES, PHENOMENA, select_phenomena
from trivium.errors import UserError

THREE_WAY = {"bool", "comp", "cond", "control", "cont", "negat", "quant"}


def test_the_ontology_has_36_phenomena_in_8_categories() -> None:
    counts = Counter(PHENOMENA[name].category for name in PHENOMENA)
    assert counts == {
        "lexical": 5, "syntactic": 4, "semantic": 6, "logical": 7,
        "analytic": 2, "commonsense": 4, "comprehension": 4, "special": 4,
    }  # fmt: skip
    assert set(counts) == set(CATEGORIES)
    assert len({PHENOMENA[name].task for name in PHENOMENA}) == 36
    assert {name for name in PHENOMENA if PHENOMENA[name].labels == NLI3} == THREE_WAY


def test_phenomena_are_chosen_by_name_and_by_category() -> None:
    assert [phenomenon.name for phenomenon in select_phenomena(("logical", "ner", "negat"))] == [
        "ner", "bool", "cond", "comp", "cont", "quant", "negat", "monot",
    ]  # fmt: skip
    assert len(select_phenomena(())) == 36
    with pytest.raises(UserError, match="unknown phenomenon or category 'negation': did you mean"):
        select_phenomena(("negation",))


@pytest.mark.parametrize("name", PHENOMENA)
def test_every_released_task_has_the_counts_of_the_data_readme(name: str, real_data: Path) -> None:
    phenomenon, parts = PHENOMENA[name], read_released(name)
    readme = (real_data / "README.md").read_text(encoding="utf-8")
    row = next(line for line in readme.splitlines() if f"/{phenomenon.task}.zip`" in line)
    sizes, labels = row.split("|")[5:7]
    assert sizes.strip() == f"{len(parts.train)}/{len(parts.validation)}"
    match = re.fullmatch(r"\s*train: (.*); val: (.*?)\s*", labels)
    assert match is not None
    for part, text in zip(parts, match.groups(), strict=True):
        counts: Counter[str] = Counter()
        for item in text.split(", "):
            label, number = item.rsplit(" ", 1)
            three_way = phenomenon.labels == NLI2 and label in NLI3.names
            counts[NLI3.map_to(label, NLI2) if three_way else label] += int(number)
        assert part.counts() == counts
    assert all(example.fact("phenomenon") == name for part in parts for example in part)


@pytest.mark.usefixtures("real_data")
def test_two_way_labels_written_with_three_way_names_are_mapped() -> None:
    assert read_released("monot").train.counts() == {"entailed": 17869, "not-entailed": 18022}


def _archive(folder: Path, members: dict[str, str]) -> None:
    (folder / "curriculum").mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / "curriculum" / "sentiment.zip", "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)


LINE = '{"premise": " P  said ", "hypothesis": "H .", "gold_label": "Entailed", "idx": 3}'


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"sentiment/train.jsonl": LINE}, r"sentiment.zip: must contain one val.jsonl, found 0"),
        (
            {"sentiment/train.jsonl": LINE, "sentiment/val.jsonl": '{"premise": "P", "gold_label": "entailed"}'},
            r"sentiment.zip: val.jsonl:1: missing field 'hypothesis'",
        ),
        (
            {"sentiment/train.jsonl": LINE.replace("Entailed", "maybe"), "sentiment/val.jsonl": LINE},
            r"sentiment.zip: train.jsonl:1: unknown label 'maybe'",
        ),
        ({"sentiment/train.jsonl": LINE, "sentiment/val.jsonl": ""}, "val.jsonl contains no examples"),
        ({"sentiment/train.jsonl": "{", "sentiment/val.jsonl": LINE}, "not JSON"),
        ({"../train.jsonl": LINE}, "train.jsonl"),
    ],
)
def test_the_error_for_a_damaged_archive_names_the_problem(
    members: dict[str, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(tmp_path))
    _archive(tmp_path, members)
    read_released.cache_clear()
    with pytest.raises(UserError, match=message):
        read_released("senti")


def test_extra_members_and_spaces_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(tmp_path))
    members = {"sentiment/train.jsonl": LINE, "sentiment/val.jsonl": LINE, "__MACOSX/sentiment/._train.jsonl": "\x00"}
    _archive(tmp_path, members)
    read_released.cache_clear()
    example = read_released("senti").train.examples[0]
    assert (example.premise, example.hypothesis, example.label) == ("P said", "H .", "entailed")
    assert example.fact("index") == "3"
    read_released.cache_clear()
    assert curriculum.has_released_task("senti")
    assert not curriculum.has_released_task("ner")
