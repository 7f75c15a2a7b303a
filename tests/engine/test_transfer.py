from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from trivium.cli.main import run
from trivium.data import Example, Split
from trivium.engine.records import RunRecord, run_names, write_record
from trivium.engine.store import Store
from trivium.engine.transfer import export_steps, import_steps, merge_stores
from trivium.errors import UserError


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "store").open()
    identity = store.put_split(Split("s", (Example.make("1", "A", "B", "neutral"),)))
    for key in ("a", "b"):
        with store.writing(key, {"split": identity}) as folder:
            (folder / "logits.safetensors").write_text(key)
        record = RunRecord(
            name=f"run-{key}", benchmark="c2gen", preset="smoke", settings={}, version="0", started="now"
        )
        write_record(store, record.model_copy(update={"steps": (key,)}))
    return store


def test_an_archive_brings_a_run_to_another_store(store: Store, tmp_path: Path) -> None:
    assert export_steps(store.url, tmp_path / "a.tar.gz", ["run-a"]) == 1
    other = tmp_path / "other"
    assert import_steps(tmp_path / "a.tar.gz", other) == 1
    assert import_steps(tmp_path / "a.tar.gz", other) == 0
    assert Store(other).keys() == ["a"]
    assert run_names(Store(other)) == ["run-a"]
    assert list(Store(other).verify()) == []
    assert merge_stores(store.url, other) == 1
    assert Store(other).keys() == ["a", "b"]


def test_a_damaged_step_is_not_copied(store: Store, tmp_path: Path) -> None:
    (Path(store.url) / "steps" / "a" / "logits.safetensors").write_text("x")
    with pytest.raises(UserError, match="is damaged"):
        merge_stores(store.url, tmp_path / "other")
    assert Store(tmp_path / "other").keys() == []


def test_what_is_no_archive_of_a_store_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "x.tar", "w") as tar:
        tar.add(__file__, "x.py")
    with pytest.raises(UserError, match="not an archive"):
        import_steps(tmp_path / "x.tar", tmp_path / "store")
    with pytest.raises(UserError, match="no such file"):
        import_steps(tmp_path / "y.tar", tmp_path / "store")


def test_the_commands(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive, other = str(tmp_path / "all.tar"), ["--store", str(tmp_path / "other")]
    assert run(["store", "export", "--out", archive, "--store", store.url]) == 0
    assert run(["store", "import", archive, *other]) == 0
    assert run(["store", "merge", store.url, *other]) == 0
    assert run(["store", "verify", *other]) == 0
    assert "2 steps, 0 damaged" in capsys.readouterr().out
    (tmp_path / "other" / "steps" / "a" / "logits.safetensors").write_text("x")
    assert run(["store", "verify", "--quarantine", *other]) == 1
    assert "steps/a is damaged (the checksum of logits.safetensors is wrong)" in capsys.readouterr().out
    assert run(["store", "verify", *other]) == 0
    assert run(["store", "export", "--out", str(tmp_path / "x.zip"), "--store", store.url]) == 2
