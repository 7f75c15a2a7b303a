from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trivium.data import Example, Split
from trivium.engine import checkpoints as module
from trivium.engine.checkpoints import SECONDS_VARIABLE, StepCheckpoints
from trivium.engine.execute import execute
from trivium.engine.steps import TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError

MakeTrain = Callable[..., TrainStep]
KEY = "ab" * 32


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store").open()


def write(checkpoints: StepCheckpoints, text: str) -> None:
    with checkpoints.writing() as folder:
        (folder / "state.json").write_text(text)


def test_the_last_checkpoint_is_found_in_the_same_environment_only(store: Store) -> None:
    here = StepCheckpoints(store, KEY, {"torch": "2"})
    assert here.load() is None
    for text in ("first", "second"):
        write(here, text)
    folder = StepCheckpoints(store, KEY, {"torch": "2"}).load()
    assert folder is not None
    assert (folder / "state.json").read_text() == "second"
    assert StepCheckpoints(store, KEY, {"torch": "3"}).load() is None


def test_a_damaged_checkpoint_is_not_used(store: Store) -> None:
    checkpoints = StepCheckpoints(store, KEY, {})
    write(checkpoints, "whole")
    folder = checkpoints.load()
    assert folder is not None
    (folder / "state.json").write_text("broken")
    assert checkpoints.load() is None


def test_checkpoints_are_two_minutes_apart(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(module, "time", type("Clock", (), {"monotonic": staticmethod(lambda: now)}))
    checkpoints = StepCheckpoints(store, KEY, {})
    assert not checkpoints.is_due()
    now += 120
    assert checkpoints.is_due()
    write(checkpoints, "")
    assert not checkpoints.is_due()
    monkeypatch.setenv(SECONDS_VARIABLE, "0")
    assert StepCheckpoints(store, KEY, {}).is_due()


@pytest.mark.parametrize("text", ["-1", "soon", "nan"])
def test_an_interval_that_is_no_number_of_seconds_is_an_error(
    store: Store, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv(SECONDS_VARIABLE, text)
    with pytest.raises(UserError, match=f"{SECONDS_VARIABLE} is '{text}'"):
        StepCheckpoints(store, KEY, {})


def test_a_step_that_was_interrupted_continues_and_leaves_no_checkpoint(
    store: Store, tmp_path: Path, train: MakeTrain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECONDS_VARIABLE, "0")
    examples = [Example.make(str(number), f"A {number}", "B", "neutral", task="composed") for number in range(8)]
    stage = Split("s", tuple(examples))
    step = train(store.put_split(stage), batch_size=2, epochs=2)
    other = Store(tmp_path / "other").open()
    other.put_split(stage)
    execute(step, other)
    done: list[int] = []

    def interrupt(number: int, total: int) -> None:
        if number == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        execute(step, store, interrupt)
    assert step.key not in store
    assert store.checkpoint(step.key) is not None
    execute(step, store, lambda number, total: done.append(number))
    assert done == [6, 7, 8]
    assert store.checkpoint(step.key) is None
    for name in ("weights.safetensors", "memory.json"):
        assert (store.path(step.key) / name).read_bytes() == (other.path(step.key) / name).read_bytes()
    assert store.losses(step.key).tolist() == other.losses(step.key).tolist()
    assert not list((tmp_path / "store" / "unfinished").iterdir())
