from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from trivium.data import Example, Split
from trivium.engine.store import Store
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
    assert list((store.folder / "unfinished").iterdir()) == []


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
    store.note_cost("k", {"seconds": 3})
    store.release("k")
    assert list(store.costs()) == [{"seconds": 3}]


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
from trivium.engine.store import Store
with Store(Path(sys.argv[1])).open().locked():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_two_runs_cannot_use_one_store_at_once(store: Store) -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(store.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    with pytest.raises(UserError, match="another run is using"), store.locked():
        pass
    other.communicate("", timeout=30)
    with store.locked():
        pass


def test_what_a_killed_run_left_behind_is_swept_away(store: Store) -> None:
    left = store.folder / "unfinished" / "999999999-dead"
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
    (store.folder / "store.json").write_text("")
    with pytest.raises(UserError, match=r"store\.json is damaged"):
        store.open()


def test_a_store_of_another_format_is_not_touched(store: Store) -> None:
    (store.folder / "store.json").write_text('{"format": 99}')
    with pytest.raises(UserError, match="format 99"):
        store.open()
