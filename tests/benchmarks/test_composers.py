"""Benchmarks that compare composers."""

from __future__ import annotations

from pathlib import Path

import pytest

import trivium as tv
from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.errors import UserError

TINY = {
    "data.entailment": 30, "data.neutral": 30, "data.contradiction": 30, "data.held_out": 6, "data.per_type": 8,
    "data.test_composed": 8, "data.test_primitive": 9, "run.orders": [], "run.strategies": ["finetune"],
}  # fmt: skip


def options(tmp_path: Path) -> dict[str, object]:
    return {"store": str(tmp_path / "store"), "progress": False, "executor": "inline"}


def test_c2gen_compares_composers_and_has_harder_tests(tmp_path: Path) -> None:
    changes = {**TINY, "run.orders": ["ver-nat"], "run.composers": ["rules"], "run.harder": ["new-pair", "chain-3"]}
    run = tv.run("c2gen", "smoke", set=changes, **options(tmp_path))  # type: ignore[arg-type]
    tables = {table.name: table for table in run.experiment.tables(run.store)}
    models = ["CGen", "ver → nat, Fine-tuning"]
    assert [(row.group, row.name) for row in tables["Composers"].rows] == [
        (composer, name) for composer in ("Head", "Rules") for name in models
    ]
    both, composed, gold, fallback = (cell.measured for cell in tables["Composers"].rows[2].cells)
    assert both is not None
    assert composed is not None
    assert gold is not None
    assert fallback is not None
    assert composed.value == gold.value >= both.value
    assert fallback.value == 0
    right = tables["Learned rules"].rows[0].cells[0].measured
    assert right is not None
    assert right.value == 9
    assert tables["Harder tests"].columns == ("unseen pair", "three verbs")
    assert len(tables["Harder tests"].rows) == 5
    assert tables["CI by fold and composer"].rows[2].cells[0].measured == composed
    assert [row.name for row in tables["Unseen rules"].rows] == models  # the head learns no rules
    assert [cell.measured.value for cell in tables["Unseen rules"].rows[1].cells if cell.measured] == [1, 1, 1]
    first = run.experiment.charts(run.store)[0]
    assert list(dict.fromkeys((point.panel, point.x) for point in first.points if point.series == "Rules")) == [
        (f"ver → nat: {panel}", x)
        for panel in ("V, learned first", "V+N of unseen compositions", "CI")
        for x in ("first stage", "Fine-tuning")
    ]
    assert {row["composer"] for row in run.rows()} == {"head", "rules"}


def test_seti_compares_composers(tmp_path: Path) -> None:
    changes = {
        "data.lexical": 30, "data.structural": 8, "data.train": 60, "data.test": 20, "run.settings": ["task2-trivial"],
        "run.depths": [], "run.configurations": ["compositional"], "run.composers": ["typed"],
    }  # fmt: skip
    run = tv.run("seti", "smoke", set=changes, **options(tmp_path))  # type: ignore[arg-type]
    (table,) = [table for table in run.experiment.tables(run.store) if table.name == "Composers"]
    assert table.columns == ("Head", "Typed", "majority")
    assert [row.name for row in table.rows] == ["Task 2, trivial"]
    assert all(cell.measured is not None for row in table.rows for cell in row.cells[:2])


def test_an_unknown_composer_is_a_mistake_that_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="did you mean 'typed'"):
        tv.plan("c2gen", "smoke", set={"model.composer": "type"}, **options(tmp_path))  # type: ignore[arg-type]


def test_settings_without_composers_are_those_of_earlier_versions() -> None:
    plain = C2GenSettings().model_dump()
    assert "composer" not in plain["model"]
    assert not {"composers", "harder"} & set(plain["run"])
