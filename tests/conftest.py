"""What many tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Tests in several processes are told the width of the terminal, which would be that of everything printed in them.
os.environ.pop("COLUMNS", None)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public data: $TRIVIUM_DATA, else ../shared/data beside the repository."""
    own = os.environ.get("TRIVIUM_DATA")
    folder = Path(own) if own else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no public data: {folder} is not there (set TRIVIUM_DATA)")
    return folder


@pytest.fixture
def real_data(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of public data, as the one that Trivium looks in."""
    monkeypatch.setenv("TRIVIUM_DATA", str(shared_data))
    return shared_data
