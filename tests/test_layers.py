"""Each folder imports only from those above it in the map, and the lower ones run without torch."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "trivium"
LAYERS = (
    "language",
    "data",
    "build",
    "measure",
    "models",
    "learn",
    "engine",
    "tracking",
    "benchmarks",
    "tools",
    "report",
    "cli",
)
FOUNDATIONS = ("errors", "registry", "saving", "seeds", "settings", "plugins")
FILES = sorted(SOURCE.rglob("*.py"))


def _imported(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("trivium."):
            found.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {name.name.split(".")[1] for name in node.names if name.name.startswith("trivium.")}
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_a_file_imports_only_from_its_own_layer_and_those_above_it(file: Path) -> None:
    place = file.relative_to(SOURCE).parts[0]
    allowed = set(FOUNDATIONS)
    if place in LAYERS:
        allowed |= set(LAYERS[: LAYERS.index(place) + 1])
    allowed |= {"__init__.py": {"data"}, "__main__.py": {"cli"}}.get(place, set())
    assert _imported(file) <= allowed


@pytest.mark.parametrize(
    "module", ["data", "build.splits.stage_invariants", "measure.claim", "data.sources.builtin", "engine.store"]
)
def test_a_lower_layer_runs_without_torch(module: str) -> None:
    check = f"import sys, trivium.{module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False, timeout=120).returncode == 0


def test_the_dictionary_of_word_forms_is_imported_in_one_place() -> None:
    """lemminflect brings spaCy and torch along where they are installed, unless it is imported with care."""
    found = [str(file) for file in FILES if "from lemminflect import" in file.read_text(encoding="utf-8")]
    assert not found


def test_no_file_has_grown_past_what_one_idea_needs() -> None:
    long = {str(file): lines for file in FILES if (lines := len(file.read_text(encoding="utf-8").splitlines())) > 450}
    assert not long


def test_every_test_file_is_collected(request: pytest.FixtureRequest) -> None:
    """A folder named like one that pytest passes over by default must not hide its tests."""
    skipped = request.config.getini("norecursedirs")
    folders = {
        part
        for file in Path(__file__).parent.rglob("test_*.py")
        for part in file.relative_to(Path(__file__).parent).parts[:-1]
    }
    assert not [folder for folder in folders if any(Path(folder).match(pattern) for pattern in skipped)]
