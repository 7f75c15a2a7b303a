"""The page that says what of the papers is implemented names only what exists."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from trivium.benchmarks.benchmark import find_benchmarks
from trivium.learn.strategy import find_strategies
from trivium.settings import Settings

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "fidelity.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", PAGE, flags=re.DOTALL | re.MULTILINE))
BENCHMARKS = {"C²Gen": "c2gen", "SETI": "seti", "CURRICULUM": "curriculum", "CFL": "cfl", "ConjNLI": "conjnli"}
_CELLS = 4


def rows(section: str) -> list[list[str]]:
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names(row: list[str]) -> list[str]:
    return re.findall(r"`([^`]+)`", row[2])


def has_setting(settings: Any, path: list[str]) -> bool:
    """Whether a dotted name leads to a setting, from the settings of a preset."""
    for name in path:
        if isinstance(settings, Settings) and name in type(settings).model_fields:
            settings = getattr(settings, name)
        elif isinstance(settings, Mapping) and name in settings:
            settings = settings[name]
        else:
            return False
    return True


def is_known(name: str, benchmark: str) -> bool:
    if "/" in name:
        return (ROOT / "src" / "trivium" / name).is_file()
    first, *path = name.split(".")
    if first == "strategy":
        fields = {field.name for field in dataclasses.fields(find_strategies()[path[0]])}
        return path[1] in fields
    return has_setting(find_benchmarks()[benchmark].settings("paper"), [first, *path])


@pytest.mark.parametrize("paper", BENCHMARKS)
def test_every_module_and_setting_on_the_page_exists(paper: str) -> None:
    table = rows(SECTIONS[paper])
    assert {len(row) for row in table} == {_CELLS}
    named = [name for row in table for name in names(row)]
    assert len(named) > 10
    assert [name for name in named if not is_known(name, BENCHMARKS[paper])] == []


@pytest.mark.parametrize("name", ["run.nothing", "build/nothing.py", "strategy.mas.nothing"])
def test_a_name_that_does_not_exist_is_noticed(name: str) -> None:
    assert not is_known(name, "cfl")


@pytest.mark.parametrize("paper", BENCHMARKS)
def test_every_row_says_what_was_run(paper: str) -> None:
    for row in rows(SECTIONS[paper]):
        links = re.findall(r"\]\(([^)#]+)", row[3])
        assert links or "not run" in row[3] or row[3] == "–", row
        assert all((ROOT / "docs" / link).is_file() for link in links), row
