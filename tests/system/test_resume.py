"""A run may be killed at any moment; what the next one stores is the same to the byte."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Small = tuple[str, ...]
Trivium = Callable[..., "subprocess.CompletedProcess[str]"]


def _predictions(store: Path) -> dict[str, str]:
    files = sorted((store / "steps").glob("*/logits.safetensors"))
    return {file.parent.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _start(program: list[str], environment: dict[str, str], small: Small, store: Path) -> subprocess.Popen[str]:
    command = [*program, "run", *small, "--store", str(store)]
    return subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_listen,
    )


def _listen() -> None:
    """Let Ctrl-C reach the program, though the tests run in the background of a shell that shields them from it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _wait_for_steps(running: subprocess.Popen[str], store: Path, number: int) -> None:
    """Until this many steps are stored, or the run is over."""
    for _ in range(6000):
        if running.poll() is not None or len(list((store / "steps").glob("*/logits.safetensors"))) >= number:
            return
        time.sleep(0.05)
    pytest.fail("the run made no progress in five minutes")


def _children(pid: int) -> list[int]:
    """Return the processes that a process started, and those that they started."""
    file = Path(f"/proc/{pid}/task/{pid}/children")
    children = [int(child) for child in file.read_text().split()] if file.exists() else []
    return children + [grandchild for child in children for grandchild in _children(child)]


def test_after_kill_9_the_next_run_completes_with_identical_predictions(
    program: list[str], environment: dict[str, str], small: Small, trivium: Trivium, finished: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    for moment, wanted in enumerate((0, 1, 3, 5)):
        running = _start(program, environment, small, store)
        store.mkdir(exist_ok=True)
        (store / "steps").mkdir(exist_ok=True)
        _wait_for_steps(running, store, wanted)
        time.sleep(0.15 * moment)
        running.kill()
        running.wait(30)
    done = trivium("run", *small, "--store", store)
    assert done.returncode == 0, done.stderr
    assert _predictions(store) == _predictions(finished)
    assert not list((store / "unfinished").iterdir())


def test_workers_die_with_a_run_that_was_killed(
    program: list[str], environment: dict[str, str], small: Small, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    running = _start(program, environment, small, store)
    workers: list[int] = []
    for _ in range(600):
        workers = _children(running.pid)
        if len(workers) >= 4:  # a tracker of resources, and a server that forks two workers
            break
        time.sleep(0.05)
    assert workers, "this test reads /proc"
    os.kill(running.pid, signal.SIGKILL)
    running.wait(30)
    for _ in range(200):
        if not any(Path(f"/proc/{worker}").exists() for worker in workers):
            return
        time.sleep(0.1)
    pytest.fail("a worker outlived its parent")


def test_one_worker_stores_the_same_predictions_as_two(
    trivium: Trivium, small: Small, finished: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    done = trivium("run", *small, "--store", store, "--workers", 1)
    assert done.returncode == 0, done.stderr
    assert _predictions(store) == _predictions(finished)


def test_control_c_stops_cleanly(program: list[str], environment: dict[str, str], small: Small, tmp_path: Path) -> None:
    store = tmp_path / "store"
    running = _start(program, environment, small, store)
    (store / "steps").mkdir(parents=True, exist_ok=True)
    _wait_for_steps(running, store, 2)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "run the same command again to continue" in said
    assert "Traceback" not in said


def test_a_second_run_does_nothing_and_keeps_no_models(trivium: Trivium, small: Small, finished: Path) -> None:
    before = _predictions(finished)
    again = trivium("run", *small, "--store", finished)
    assert again.returncode == 0
    assert "0 to do" in again.stdout
    assert _predictions(finished) == before
    assert not list((finished / "steps").glob("*/weights.safetensors"))
