"""Samples for human verification: what is drawn, and how sheets are read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from trivium.build.verification import (
    Item,
    draw_items,
    read_csv,
    read_key,
    read_sheet,
    write_answers,
    write_csv,
    write_key,
    write_sheet,
)
from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.errors import UserError

LABELS = NLI3.names
ITEMS = [
    Item("veridical", 'He message "no", and left; twice', "Un café, s'il vous plaît", "entailment"),
    Item("natural", "A dog is running", "An animal is running", "neutral"),
    Item("natural", "A dog is\tbarking", "A cat is barking", "contradiction"),
]


def compositions(each: int) -> list[Example]:
    """Return ``each`` examples of every combination of two labels, with their two parts."""
    examples = []
    for v in LABELS:
        for n in LABELS:
            for i in range(each):
                parts = (
                    Example.make(f"v{v}{n}{i}", f"x tries to {n} {i} {v}", f"{n} {i}", v, task="veridical"),
                    Example.make(f"n{n}{i}", f"{n} {i}", f"hypothesis {n} {i}", n, task="natural"),
                )
                examples.append(
                    Example.make(f"{v}{n}{i}", parts[0].premise, f"hypothesis {n} {i}", n, task="composed", parts=parts)
                )
    return examples


@given(number=st.integers(1, 45), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_a_sample_has_equally_many_examples_of_each_type_with_all_their_parts(number: int, seed: int) -> None:
    examples = compositions(5)
    items = draw_items(examples, number, np.random.default_rng(seed))
    by_premise = {example.premise: example for example in examples}
    composed = [by_premise[item.premise] for item in items if item.inference == "composed"]
    assert len(composed) == number
    types = Counter(tuple(part.label for part in example.parts) for example in composed)
    assert max(types.values()) - min([*types.values(), *([0] if len(types) < 9 else [])]) <= 1
    expected = {(row.task, row.premise, row.hypothesis) for example in composed for row in example.rows()}
    assert {(item.inference, item.premise, item.hypothesis) for item in items} == expected
    assert len(items) == len(expected), "a pair shared by two examples is annotated once"


def test_pairs_of_one_example_are_not_adjacent() -> None:
    items = draw_items(compositions(5), 20, np.random.default_rng(0))
    inferences = [item.inference for item in items]
    assert inferences != sorted(inferences)
    assert inferences[:9] != ["composed", "veridical", "natural"] * 3


def test_the_same_seed_draws_the_same_sample_and_another_seed_another() -> None:
    first, again, other = (draw_items(compositions(5), 9, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_too_large_samples_and_unlabelled_examples_are_rejected() -> None:
    with pytest.raises(UserError, match="cannot draw a sample of 10 from 9 examples"):
        draw_items(compositions(1), 10, np.random.default_rng(0))
    with pytest.raises(UserError, match="'x' has no label or no hypothesis"):
        draw_items([Example.make("x", "p", "h", None)], 1, np.random.default_rng(0))


def test_a_sheet_shows_no_label_and_is_read_back_with_its_key(tmp_path: Path) -> None:
    write_key(ITEMS, tmp_path / "key.csv")
    write_sheet(ITEMS, tmp_path / "sheet.csv")
    key = read_key(tmp_path / "key.csv", NLI3)
    assert list(key.values()) == ITEMS
    sheet = read_sheet(tmp_path / "sheet.csv", key, NLI3)
    assert sheet.answers == {}
    text = (tmp_path / "sheet.csv").read_text(encoding="utf-8")
    assert text.startswith("\ufeffid,inference,premise,hypothesis,answer,note")
    assert not any(label in text for label in LABELS)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_sheet_can_be_read_as_saved_by_any_spreadsheet(tmp_path: Path, delimiter: str, end: str, mark: str) -> None:
    item = ITEMS[1]
    cells = [["id", "inference", "premise", "hypothesis", "answer", "note"],
             [item.id, item.inference, item.premise, item.hypothesis, " Neutral ", "odd"], [""] * 6]  # fmt: skip
    text = end.join(delimiter.join(line) for line in cells) + end
    (tmp_path / "sheet.csv").write_bytes((mark + text).encode())
    sheet = read_sheet(tmp_path / "sheet.csv", {item.id: item}, NLI3)
    assert sheet.answers == {item.id: "neutral"}
    assert sheet.notes == {item.id: "odd"}


def filled(tmp_path: Path, change: Callable[[list[list[str]]], None]) -> Path:
    rows = [[item.id, item.inference, item.premise, item.hypothesis, item.label, ""] for item in ITEMS]
    change(rows)
    path = tmp_path / "a.csv"
    write_csv(path, ("id", "inference", "premise", "hypothesis", "answer", "note"), rows)
    return path


def _drop(rows: list[list[str]]) -> None:
    del rows[1]


def _repeat(rows: list[list[str]]) -> None:
    rows.append(rows[0])


def _replace_id(rows: list[list[str]]) -> None:
    rows[2][0] = "0123456789"


def _edit(rows: list[list[str]]) -> None:
    rows[1][2] = "A dog is sleeping"


def _misspell(rows: list[list[str]]) -> None:
    rows[1][4] = "entailmnet"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_drop, r"a\.csv: 1 of 3 pairs of the sample are missing, such as"),
        (_repeat, r"a\.csv:5: duplicate pair '\w+', first at .*a\.csv:2"),
        (_replace_id, r"a\.csv:4: the pair '0123456789' is not in this sample: use the sheet of this sample"),
        (_edit, r"a\.csv:3: the pair '\w+' was changed after the sample was drawn"),
        (_misspell, r"a\.csv:3: unknown label 'entailmnet' .* did you mean 'entailment'\?"),
    ],
)
def test_an_invalid_sheet_is_reported_in_one_line(
    tmp_path: Path, change: Callable[[list[list[str]]], None], message: str
) -> None:
    with pytest.raises(UserError, match=message) as caught:
        read_sheet(filled(tmp_path, change), {item.id: item for item in ITEMS}, NLI3)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,premise\n1,2\n", "missing column 'inference', 'hypothesis', 'answer'"),
        ("", "missing column"),
        ("id,inference,premise,hypothesis,answer\n1,2,3,4,5,6\n", ":2: more fields than columns"),
    ],
)
def test_a_file_that_is_not_a_sheet_is_rejected(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        read_sheet(path, {}, NLI3)


def test_a_key_with_an_edited_pair_is_rejected(tmp_path: Path) -> None:
    write_csv(tmp_path / "key.csv", ("id", "inference", "premise", "hypothesis", "label"), [("1", "n", "p", "h", "n")])
    with pytest.raises(UserError, match="changed after the sample was drawn"):
        read_key(tmp_path / "key.csv", NLI3)


def test_answers_are_written_in_the_order_of_the_sheet(tmp_path: Path) -> None:
    key = {item.id: item for item in ITEMS}
    path = filled(tmp_path, lambda rows: rows.reverse())
    sheet = read_sheet(path, key, NLI3)
    write_answers(sheet, key)
    assert [row["id"] for _, row in read_csv(path, ["id"])] == [item.id for item in reversed(ITEMS)]
    assert read_sheet(path, key, NLI3) == sheet


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)


@given(rows=st.lists(st.lists(TEXT, min_size=2, max_size=2), max_size=5))
@example(rows=[["", "\r"]])
@settings(max_examples=100, deadline=None)
def test_rows_are_read_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]) -> None:
    path = tmp_path_factory.mktemp("csv") / "x.csv"
    write_csv(path, ("a", "b"), rows)
    read = [list(row.values()) for _, row in read_csv(path, ("a", "b"))]
    assert read == [row for row in rows if any(cell.strip() for cell in row)]


@given(premise=st.text(max_size=30), hypothesis=st.text(max_size=30))
@settings(max_examples=300, deadline=None)
def test_an_id_is_never_a_number_to_a_spreadsheet(premise: str, hypothesis: str) -> None:
    try:
        float(Item("natural", premise, hypothesis, "neutral").id)
    except ValueError:
        return
    pytest.fail("a spreadsheet would read this id as a number")
