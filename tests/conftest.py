"""Fixtures that many tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# COLUMNS, which parallel test runners set, would change the width of all printed output.
os.environ.pop("COLUMNS", None)
# Threads sleep while they wait for one another: those that spin take the cores of the tests that run at the same time.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# Steps run in the process of the command: workers take seconds to start. Tests of workers ask for them.
os.environ["TRIVIUM_EXECUTOR"] = "inline"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put whole journeys first, then tests of workers: files of few, long tests must not be left for the end."""
    slow = ("system", "engine")
    items.sort(key=lambda item: slow.index(item.path.parent.name) if item.path.parent.name in slow else len(slow))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of public data: $TRIVIUM_DATA, else ../shared/data beside the repository."""
    own = os.environ.get("TRIVIUM_DATA")
    folder = Path(own) if own else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no public data: {folder} does not exist (set TRIVIUM_DATA)")
    return folder


@pytest.fixture
def real_data(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of public data, and make Trivium use it."""
    monkeypatch.setenv("TRIVIUM_DATA", str(shared_data))
    return shared_data
