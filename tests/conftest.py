"""Fixtures that many tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# COLUMNS, which parallel test runners set, would change the width of all printed output.
os.environ.pop("COLUMNS", None)
# Steps run in the process of the command: workers take seconds to start. Tests of workers ask for them.
os.environ["TRIVIUM_EXECUTOR"] = "inline"


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
