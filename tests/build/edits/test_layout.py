"""The layout of CFL's authors: few_shot/SNLI/change-action-1/train.tsv and so on."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.build.edits.layout import read_layout, with_layout
from trivium.build.edits.selection import check_category
from trivium.build.edits.suites import Suite
from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.errors import UserError

SUITE = Suite(
    "snli", "SNLI", "nli", NLI3, (), {}, {"Change action": (), "Insert/remove phrases": ()}, sets=3, errors_only=True
)


def write(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True)
    for part, name in zip(("train", "dev", "test"), names, strict=True):
        lines = ["sentence1\tsentence2\tgold_label"]
        lines += [f"{name} {label}\tA clown\t{label}" for label in NLI3.names]
        (folder / f"{part}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in (1, 2, 3):
        write(tmp_path / "few_shot" / "SNLI" / f"change-action-{number}", [f"Set {number}", "Dev", "Test"])
    write(tmp_path / "few_shot" / "SNLI" / "odd-jobs-1", ["Odd", "Dev odd", "Test odd"])
    write(tmp_path / "continual" / "SNLI" / "change-action", ["Set 1", "Dev", "Test"])
    return tmp_path


def test_supports_dev_and_test_are_those_of_the_files(folder: Path) -> None:
    layout = read_layout(folder, SUITE)
    assert list(layout.alone) == ["Change action", "Odd jobs"]
    category = layout.alone["Change action"]
    assert [support.examples[0].premise for support in category.supports] == [f"Set {n} entailment" for n in (1, 2, 3)]
    assert {e.premise.split()[0] for e in category.dev} == {"Dev"}
    assert {e.premise.split()[0] for e in category.test} == {"Test"}
    assert all(not check.violations for check in check_category(category))
    assert {e.task for e in category.test} == {"nli"}
    assert [len(layout.in_turn["Change action"].supports), len(layout.in_turn)] == [1, 1]


def test_what_a_support_set_trains_is_not_tested(folder: Path) -> None:
    tested = folder / "few_shot" / "SNLI" / "change-action-1" / "test.tsv"
    with tested.open("a", encoding="utf-8") as file:
        file.write("Set 2 neutral\tA clown\tneutral\n")
    assert len(read_layout(folder, SUITE).alone["Change action"].test) == 3


def test_the_base_of_the_suite_is_trained_on_no_example_of_a_category(folder: Path) -> None:
    known = Example.make("b", "Dev neutral", "A clown", "neutral"), Example.make("c", "Other", "A clown", "neutral")
    suite = with_layout(Suite("snli", "SNLI", "nli", NLI3, known, {}, {}, 3, True), read_layout(folder, SUITE))
    assert [example.id for example in suite.base] == ["c"]
    assert not suite.errors_only
    assert len(suite.categories["Change action"]) == 5 * 3


def test_missing_folders_and_other_labels_are_user_errors(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"few_shot/SNLI: no such folder: suites\.snli\.folder"):
        read_layout(tmp_path, SUITE)
    write(tmp_path / "few_shot" / "SNLI" / "negation", ["A", "B", "C"])
    with pytest.raises(UserError, match="must end with the number of its support set"):
        read_layout(tmp_path, SUITE)
