from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.system.forked import ForkServer

Trivium = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """The environment of a user's shell: steps run in workers."""
    return {**os.environ, "HF_HUB_OFFLINE": "1", "COLUMNS": "100", "TERM": "dumb", "TRIVIUM_EXECUTOR": "local"}


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
def trivium(environment: dict[str, str]) -> Iterator[Trivium]:
    """Runs a command of the program to its end and gives what it printed. Steps run in its own process, as a default:
    worker processes would import torch anew.
    """
    server = ForkServer(environment)

    def call(*arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
        variables = {"TRIVIUM_EXECUTOR": "inline", **variables}
        return server.run([*map(str, arguments)], {**environment, **variables}, timeout=300)

    yield call
    server.close()


@pytest.fixture(scope="session")
def finished(trivium: Trivium, small: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of an undisturbed small run."""
    store = tmp_path_factory.mktemp("finished") / "store"
    done = trivium("run", *small, "--store", store)
    assert done.returncode == 0, done.stderr
    return store
