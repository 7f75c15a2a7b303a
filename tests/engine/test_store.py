from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from trivium.data import Example, Split
from trivium.engine.plan import Plan
from trivium.engine.run import RunOptions, run_plan
from trivium.engine.store import Store, UnreadableStepError
from trivium.errors import UserError


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store").open()


def test_a_step_appears_only_when_it_is_whole(store: Store) -> None:
    with store.writing("k", {"kind": "test"}) as folder:
        (folder / "result").write_text("x")
        assert "k" not in store
    assert "k" in store
    assert (store.path("k") / "result").read_text() == "x"


def test_a_step_that_fails_leaves_nothing(store: Store) -> None:
    with suppress(KeyError), store.writing("k", {}) as folder:
        (folder / "result").write_text("x")
        raise KeyError("half way")
    assert "k" not in store
    assert list((Path(store.url) / "unfinished").iterdir()) == []


def test_the_first_of_two_writers_wins_and_the_second_does_not_fail(store: Store) -> None:
    with store.writing("k", {}) as slow:
        (slow / "result").write_text("slow")
        with store.writing("k", {}) as quick:
            (quick / "result").write_text("quick")
    assert (store.path("k") / "result").read_text() == "quick"


def test_a_released_step_is_gone(store: Store) -> None:
    with store.writing("k", {}):
        pass
    store.release("k")
    assert "k" not in store
    store.release("k")


def test_what_a_step_cost_is_known_after_its_result_is_gone(store: Store) -> None:
    with store.writing("k", {}):
        pass
    cost = {"kind": "train", "model": "tiny", "work": 2.0, "seconds": 3.0}
    store.note_cost("k", cost)
    store.release("k")
    assert list(store.costs()) == [cost]


def test_what_steps_were_made_with_is_told_and_so_is_a_difference(store: Store) -> None:
    for key, torch in (("a", "1"), ("b", "2"), ("c", "3")):
        with store.writing(key, {"environment": {"python": "3", "torch": torch}}):
            pass
    assert store.environment(["a", "b", "missing"]) == {"python": "3", "torch": "1 and 2"}


def test_a_split_is_kept_under_its_identity(store: Store) -> None:
    split = Split("s", (Example.make("1", "A", "B", "neutral"),))
    identity = store.put_split(split)
    assert store.split(identity).examples == split.examples
    assert store.split(identity).identity == identity


_HOLD = """
import sys
from contextlib import suppress
from pathlib import Path
from trivium.engine.store import Store, UnreadableStepError
with Store(Path(sys.argv[1])).open().locked():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_two_runs_cannot_use_one_store_at_once(store: Store) -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", _HOLD, store.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    with pytest.raises(UserError, match=rf"is in use: process {other.pid} runs .*: wait .*store="), store.locked():
        pass
    assert run_plan(Plan((), (), 0), store, RunOptions()) == {}  # what has nothing to do needs no lock
    other.communicate("", timeout=30)
    with store.locked():
        pass


def test_what_a_killed_run_left_behind_is_swept_away(store: Store) -> None:
    left = Path(store.url) / "unfinished" / "999999999-dead"
    left.mkdir()
    (left / "weights").write_text("half")
    with store.locked():
        assert not left.exists()


def test_a_store_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(UserError, match=r"cannot be written .*store="):
        Store(blocked / "store").open()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_one_clear_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UserError, match="cannot be written"):
        Store(tmp_path / "store").open()


def test_what_a_living_process_is_writing_is_left_alone(store: Store) -> None:
    with store.writing("k", {}) as folder, store.locked():
        assert folder.exists()
    assert "k" in store


def test_a_damaged_store_is_one_clear_line(store: Store) -> None:
    (Path(store.url) / "store.json").write_text("")
    with pytest.raises(UserError, match=r"store\.json in the store .* is damaged"):
        store.open()


def test_a_store_of_another_format_is_not_touched(store: Store) -> None:
    (Path(store.url) / "store.json").write_text('{"format": 99}')
    with pytest.raises(UserError, match="format 99"):
        store.open()


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(bytes(content))


@pytest.mark.parametrize("name", ["result", "step.json"])
def test_a_flipped_byte_is_noticed_and_the_step_can_run_again(store: Store, name: str) -> None:
    with store.writing("k", {"kind": "test"}) as folder:
        (folder / "result").write_text("x" * 100)
    flip(store.path("k") / name)
    assert store.path("k"), "verified once in a process"
    again = Store(store.url)
    with pytest.raises(UnreadableStepError, match="is damaged"):
        again.path("k")
    assert [name for name, _ in again.verify()] == ["steps/k"]
    again.quarantine("k")
    assert "k" not in again
    assert len(list((Path(store.url) / "quarantine").iterdir())) == 1


def test_two_swapped_steps_are_noticed(store: Store) -> None:
    for key in ("a", "b"):
        with store.writing(key, {}) as folder:
            (folder / "result").write_text(key)
    steps = Path(store.url) / "steps"
    (steps / "a").rename(steps / "c")
    (steps / "b").rename(steps / "a")
    with pytest.raises(UnreadableStepError, match="contains the step b"):
        store.path("a")
    with pytest.raises(UnreadableStepError, match="is missing"):
        store.path("b")


def test_a_damaged_split_is_noticed_and_written_anew(store: Store) -> None:
    split = Split("s", (Example.make("1", "A sentence", "B", "neutral"),))
    identity = store.put_split(split)
    flip(Path(store.url) / "splits" / f"{identity}.jsonl")
    with pytest.raises(UserError, match="is damaged"):
        store.split(identity)
    store.put_split(split)
    assert store.split(identity).examples == split.examples


def test_damaged_costs_and_losses_do_not_stop_anything(store: Store) -> None:
    for part, name in (("costs", "a.json"), ("losses", "a.npy")):
        (Path(store.url) / part).mkdir()
        (Path(store.url) / part / name).write_text("")
    assert list(store.costs()) == []
    assert store.losses("a") is None


def test_a_checkpoint_is_replaced_and_a_damaged_one_ignored(store: Store) -> None:
    assert store.checkpoint("k") is None
    for text in ("first", "second"):
        with store.writing_checkpoint("k") as folder:
            (folder / "state").write_text(text)
    folder_ = store.checkpoint("k")
    assert folder_ is not None
    assert (folder_ / "state").read_text() == "second"
    flip(folder_ / "state")
    assert store.checkpoint("k") is None
    store.remove_checkpoint("k")
    assert not list((Path(store.url) / "checkpoints").iterdir())


def test_steps_of_another_store_are_copied_with_what_belongs_to_them(store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path / "other").open()
    split = Split("s", (Example.make("1", "A", "B", "neutral"),))
    identity = other.put_split(split)
    for key in ("a", "b"):
        with other.writing(key, {"split": identity}) as folder:
            (folder / "result").write_text(key)
        other.note_cost(key, {"kind": "train", "model": "tiny", "work": 2.0, "seconds": 3.0})
    assert store.copy_from(other, ["a"]) == 1
    assert store.keys() == ["a"]
    assert store.split(identity).examples == split.examples
    assert store.copy_from(other) == 1
    assert list(store.verify()) == []
    assert store.was_done("b")
