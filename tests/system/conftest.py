from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Trivium = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    return {**os.environ, "HF_HUB_OFFLINE": "1", "COLUMNS": "100", "TERM": "dumb"}


@pytest.fixture(scope="session")
def small() -> tuple[str, ...]:
    """Fewer runs than the preset has, for tests that run it several times."""
    return (
        "c2gen",
        "--preset",
        "smoke",
        "--set",
        'run.strategies=["finetune", "er-res"]',
        "--set",
        'run.orders=["ver-nat"]',
    )


@pytest.fixture(scope="session")
def program() -> list[str]:
    return [sys.executable, "-m", "trivium"]


@pytest.fixture(scope="session")
def trivium(program: list[str], environment: dict[str, str]) -> Trivium:
    """Runs the program to its end and gives what it printed."""

    def call(*arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*program, *map(str, arguments)],
            env={**environment, **variables},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return call


@pytest.fixture(scope="session")
def finished(trivium: Trivium, small: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of an undisturbed small run."""
    store = tmp_path_factory.mktemp("finished") / "store"
    done = trivium("run", *small, "--store", store)
    assert done.returncode == 0, done.stderr
    return store
