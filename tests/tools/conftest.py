"""Steps run in the process of the tests: starting workers takes seconds."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIVIUM_EXECUTOR", "inline")
