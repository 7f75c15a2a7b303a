"""Each package imports only from the layers below it, and the lower layers run without torch."""

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
    "tracking",
    "engine",
    "benchmarks",
    "tools",
    "report",
    "results",
    "tool_session",
    "session",
    "api",
    "cli",
)
FOUNDATIONS = ("errors", "printing", "registry", "saving", "seeds", "settings", "plugins", "version")
FILES = sorted(SOURCE.rglob("*.py"))


def _imported(file: Path) -> set[str]:
    """Return the packages and modules of Trivium that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("trivium."):
            names.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            names |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("trivium.")}
    return names


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_a_file_imports_only_from_its_own_layer_and_lower_ones(file: Path) -> None:
    layer = file.relative_to(SOURCE).parts[0].removesuffix(".py")
    allowed = set(FOUNDATIONS)
    if layer in LAYERS:
        allowed |= set(LAYERS[: LAYERS.index(layer) + 1])
    allowed |= {"__init__": set(LAYERS[:-1]), "__main__": {"cli"}}.get(layer, set())
    assert _imported(file) <= allowed


@pytest.mark.parametrize(
    "module", ["data", "build.splits.stage_invariants", "measure.claim", "data.sources.builtin", "engine.store"]
)
def test_a_lower_layer_runs_without_torch(module: str) -> None:
    check = f"import sys, trivium.{module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False, timeout=120).returncode == 0


@pytest.mark.parametrize("package", ["data", "language.inflection"])
def test_data_and_language_import_heavy_packages_on_first_use_only(package: str) -> None:
    check = (
        f"import sys, trivium.{package}; sys.exit(bool({{'pyarrow', 'lemminflect', 'pydantic'}} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False, timeout=120).returncode == 0


def test_lemminflect_is_imported_only_through_trivium_language_inflection() -> None:
    """A plain import of lemminflect also imports spaCy and torch, if they are installed."""
    direct = [str(file) for file in FILES if "from lemminflect import" in file.read_text(encoding="utf-8")]
    assert not direct


def test_no_file_is_too_long() -> None:
    long = {str(file): lines for file in FILES if (lines := len(file.read_text(encoding="utf-8").splitlines())) > 450}
    assert not long


def test_every_test_file_is_collected(request: pytest.FixtureRequest) -> None:
    """A folder whose name is in pytest's ``norecursedirs`` would hide its tests."""
    skipped = request.config.getini("norecursedirs")
    folders = {
        part
        for file in Path(__file__).parent.rglob("test_*.py")
        for part in file.relative_to(Path(__file__).parent).parts[:-1]
    }
    assert not [folder for folder in folders if any(Path(folder).match(pattern) for pattern in skipped)]
