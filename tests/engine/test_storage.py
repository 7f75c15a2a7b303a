"""Every kind of storage keeps the same promises: a folder, an object store, and whatever else fsspec knows."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from trivium.data import Example, Split
from trivium.engine.storage import Storage, open_storage
from trivium.engine.storage.folder import FolderStorage
from trivium.engine.store import Store, UnreadableStepError
from trivium.errors import UserError


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of an object store on loopback."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(params=["folder", "memory", "s3"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path / "cache"))
    if request.param == "folder":
        return str(tmp_path / "store")
    if request.param == "memory":
        return f"memory://{uuid.uuid4().hex}/store"
    monkeypatch.setenv("AWS_ENDPOINT_URL", request.getfixturevalue("s3"))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    return f"s3://bucket-{uuid.uuid4().hex}/store"


@pytest.fixture
def storage(url: str) -> Storage:
    storage = open_storage(url)
    storage.create()
    return storage


def folder(storage: Storage, **files: str) -> Path:
    made = storage.scratch / uuid.uuid4().hex
    made.mkdir()
    for name, text in files.items():
        (made / name).write_text(text)
    return made


def contents(made: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in made.iterdir()}


def test_files_are_written_replaced_listed_and_removed(storage: Storage) -> None:
    assert storage.names("runs") == []
    for text in ("first", "second"):
        file = storage.scratch / "file"
        file.write_text(text)
        storage.put("runs/a.json", file)
        assert not file.exists()
    assert storage.get("runs/a.json").read_text() == "second"
    assert storage.names("runs") == ["a.json"]
    assert storage.exists("runs/a.json")
    storage.remove("runs/a.json")
    storage.remove("runs/a.json")
    assert not storage.exists("runs/a.json")
    with pytest.raises(FileNotFoundError):
        storage.get("runs/a.json")


def test_the_first_bundle_wins_unless_it_is_to_be_replaced(storage: Storage) -> None:
    storage.put_bundle("steps/k", folder(storage, a="1", b="2"))
    storage.put_bundle("steps/k", folder(storage, a="3"))
    assert contents(storage.get_bundle("steps/k")) == {"a": "1", "b": "2"}
    storage.put_bundle("steps/k", folder(storage, c="4"), replace=True)
    assert contents(storage.get_bundle("steps/k")) == {"c": "4"}
    assert storage.bundles("steps") == ["k"]


def test_a_bundle_is_moved_and_removed(storage: Storage) -> None:
    storage.put_bundle("steps/k", folder(storage, a="1"))
    storage.move_bundle("steps/k", "quarantine/k")
    assert not storage.has_bundle("steps/k")
    assert contents(storage.get_bundle("quarantine/k")) == {"a": "1"}
    storage.remove_bundle("quarantine/k")
    storage.remove_bundle("quarantine/k")
    storage.move_bundle("steps/k", "quarantine/k")
    with pytest.raises(FileNotFoundError):
        storage.get_bundle("quarantine/k")
    assert storage.bundles("quarantine") == []
    assert storage.size("data") == 0


@pytest.mark.parametrize("url", ["memory", "s3"], indirect=True)
def test_an_upload_that_was_never_published_is_an_orphan_after_a_day(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage.put_bundle("steps/k", folder(storage, a="1"))
    storage.put("data/killed/a", folder(storage, a="2") / "a")
    assert storage.orphans() == []
    tomorrow = time.time() + 100_000
    monkeypatch.setattr(time, "time", lambda: tomorrow)
    assert storage.orphans() == ["data/killed/a"]


def test_many_writers_of_one_step_leave_one_whole_step(url: str) -> None:
    Store(url).open()
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            store = Store(url)
            with store.writing("k", {}) as made:
                (made / "one").write_text(str(number))
                (made / "two").write_text(str(number))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    path = Store(url).path("k")
    assert (path / "one").read_text() == (path / "two").read_text()


def test_a_store_is_the_same_everywhere(url: str) -> None:
    store = Store(url).open()
    assert Store(url).open_existing().id == store.id
    split = Split("s", (Example.make("1", "A", "B", "neutral"),))
    identity = store.put_split(split)
    with store.writing("k", {"split": identity}) as made:
        (made / "result").write_text("x")
    store.keep("k")
    store.write("runs/first.json", "{}")
    assert store.keys() == ["k"]
    assert store.is_kept("k")
    assert store.names("runs") == ["first.json"]
    assert list(store.verify()) == []
    assert store.split(identity).examples == split.examples
    assert sum(store.sizes().values()) > 0
    with store.locked():
        store.release("k")
    assert "k" not in store
    with pytest.raises(UnreadableStepError, match="is missing"):
        store.path("k")
    assert store.collect_garbage(frozenset(), remove=True) == [f"splits/{identity}.jsonl"]


def test_an_address_that_cannot_be_reached_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path))
    with pytest.raises(UserError, match="cannot be opened"):
        Store("nonsense://bucket")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    with pytest.raises(UserError, match="choose another with store=") as caught:
        Store("s3://bucket/store").open()
    assert "\n" not in str(caught.value)


def test_what_ended_processes_left_is_removed_before_and_after_a_run(tmp_path: Path) -> None:
    storage = FolderStorage(tmp_path)
    storage.create()
    ended = subprocess.Popen([sys.executable, "-c", "pass"])  # a zombie until somebody waits for it
    dying = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    for process in (ended, dying):
        (storage.scratch / f"{process.pid}-step").mkdir()
    with storage.locked():
        assert [left.name for left in storage.scratch.iterdir()] == [f"{dying.pid}-step"]
        dying.kill()
        dying.communicate()
    ended.wait()
    assert not list(storage.scratch.iterdir())
