"""Cells of CSV files are no formulas for a spreadsheet, and come back as they were written."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.build.verification import Item, read_causes, read_key, read_sheet, write_csv, write_key, write_sheet
from trivium.data.cells import guarded, without_guard
from trivium.data.labels import NLI3
from trivium.data.tables import read_pairs
from trivium.results.base import write_rows
from trivium.tools.prediction_files import write_rows as write_predictions

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "''-x", "＝1")


@given(st.text(alphabet="'=+-@\t\r\nab ＝"))
def test_a_cell_comes_back_as_it_was_written(text: str) -> None:
    assert without_guard(guarded(text)) == text
    assert not guarded(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize("value", ["It rains.", "'tis", "", "a=b", 1, -1.5, None, True])
def test_other_values_stay(value: object) -> None:
    assert guarded(value) is value


def cells_of(path: Path) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [cell for row in csv.reader(file) for cell in row]


def assert_safe(path: Path) -> None:
    for cell in cells_of(path):
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or _is_number(cell)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_sheets_and_keys_have_no_formulas_and_are_read_back(tmp_path: Path) -> None:
    items = [Item(text, text, f"{text}.", "neutral") for text in FORMULAS]
    sheet, key, causes = tmp_path / "sheet.csv", tmp_path / "key.csv", tmp_path / "causes.csv"
    write_sheet(items, sheet)
    write_key(items, key)
    write_csv(causes, ("id", "cause"), [(item.id, "=slip") for item in items])
    for file in (sheet, key, causes):
        assert_safe(file)
    read = read_key(key, NLI3)
    assert list(read.values()) == items
    assert list(read_sheet(sheet, read, NLI3).notes) == [item.id for item in items]
    assert set(read_causes(causes).values()) == {"=slip"}


def test_exported_rows_have_no_formulas(tmp_path: Path) -> None:
    write_rows([{"=name": "=1", "value": -0.5}, {"value": 1}], tmp_path / "rows.csv", "csv")
    assert_safe(tmp_path / "rows.csv")
    assert cells_of(tmp_path / "rows.csv") == ["'=name", "value", "'=1", "-0.5", "", "1"]


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_predictions_have_no_formulas_and_are_read_back(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"predictions.{ending}"
    rows = [
        {"id": f"{text}{number}", "premise": text, "hypothesis": "x", "label": "neutral", "predicted": "neutral",
         "correct": True, "probability": 0.5, "probabilities": {"neutral": 0.5}, "metadata": {"topic": text}}
        for number, text in enumerate(FORMULAS)
    ]  # fmt: skip
    write_predictions(rows, ("neutral",), ("topic",), file)
    assert [example.premise for example in read_pairs(file)] == list(FORMULAS)
    assert [example.fact("topic") for example in read_pairs(file)] == list(FORMULAS)


def test_a_table_of_other_origin_is_read_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("premise,hypothesis\n'=1,'-tis\n")
    assert [(example.premise, example.hypothesis) for example in read_pairs(file)] == [("'=1", "'-tis")]
