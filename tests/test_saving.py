"""Readers see either the old file or folder, or the complete new one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from trivium import saving
from trivium.errors import UserError
from trivium.saving import check_empty_folder, check_writable_file, recover_folder, saving_folder


def test_a_new_folder_replaces_the_old_one_and_leaves_no_temporary_files(tmp_path: Path, way: str) -> None:
    for text in ("old", "new"):
        with saving_folder(tmp_path / "out") as folder:
            (folder / "file").write_text(text)
    assert (tmp_path / "out" / "file").read_text() == "new"
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


@pytest.fixture(params=["exchange", "rename"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How a folder is replaced: by exchanging it, where the system can, or by renaming twice."""
    if request.param == "rename":
        monkeypatch.setattr(saving, "_exchange", lambda first, second: False)
    elif not sys.platform.startswith("linux"):
        pytest.skip("only Linux exchanges folders")
    return str(request.param)


@pytest.mark.parametrize("moment", ["while writing", "while moving the old folder", "while moving the new folder"])
def test_the_old_folder_stays_if_saving_is_interrupted(
    tmp_path: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with saving_folder(tmp_path / "out") as folder:
        (folder / "file").write_text("old")
    monkeypatch.setattr(saving, "_exchange", lambda first, second: False)
    rename = Path.rename

    def interrupted(self: Path, target: Path) -> Path:
        if moment == "while moving the old folder" or (
            moment == "while moving the new folder" and self.suffix == ".tmp"
        ):
            monkeypatch.setattr(Path, "rename", rename)
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt), saving_folder(tmp_path / "out") as folder:  # noqa: PT012
        (folder / "file").write_text("new")
        if moment == "while writing":
            raise KeyboardInterrupt
    assert (tmp_path / "out" / "file").read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_the_old_folder_can_be_kept_under_another_name(tmp_path: Path, way: str) -> None:
    for text in ("old", "new"):
        with saving_folder(tmp_path / "out", tmp_path / "kept") as folder:
            (folder / "file").write_text(text)
    assert (tmp_path / "out" / "file").read_text() == "new"
    assert (tmp_path / "kept" / "file").read_text() == "old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kept", "out"]


# Replaces a folder, and ends like a killed process before its rename number `renames`, counted from 1.
KILLED = """
import os, sys
from pathlib import Path
from trivium import saving
way, renames, backup, out = sys.argv[1], int(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
if way == "rename":
    saving._exchange = lambda first, second: False
rename, done = os.rename, []
def killed(first, second, **options):
    done.append(second)
    if len(done) == renames:
        os._exit(9)
    rename(first, second, **options)
os.rename = killed
with saving.saving_folder(out, out.with_name(backup) if backup else None) as folder:
    (folder / "file").write_text("new")
    if renames == 0:
        os._exit(9)
"""


def replace_and_be_killed(out: Path, way: str, renames: int, backup: str) -> None:
    command = [sys.executable, "-c", KILLED, way, str(renames), backup, str(out)]
    assert subprocess.run(command, check=False).returncode == 9


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "file").write_text("old")
    return tmp_path / "out"


def contents(folder: Path) -> dict[str, str]:
    return {entry.name: (entry / "file").read_text() for entry in folder.iterdir()}


@pytest.mark.parametrize(
    ("way", "renames", "backup", "expected"),
    [
        ("exchange", 0, "", {"out": "old"}),
        ("exchange", 0, "kept", {"out": "old"}),
        ("exchange", 1, "kept", {"out": "new", "kept": "old"}),
        ("rename", 0, "kept", {"out": "old"}),
        ("rename", 1, "kept", {"out": "old"}),
        ("rename", 2, "", {"out": "old"}),
        ("rename", 2, "kept", {"out": "old"}),
        ("rename", 3, "kept", {"out": "new", "kept": "old"}),
    ],
)
def test_what_a_killed_process_left_is_recovered(
    out: Path, way: str, renames: int, backup: str, expected: dict[str, str]
) -> None:
    if way == "exchange" and not sys.platform.startswith("linux"):
        pytest.skip("only Linux exchanges folders")
    replace_and_be_killed(out, way, renames, backup)
    assert way == "rename" or out.exists()  # where folders are exchanged, none is missing at any moment
    recover_folder(out)
    assert contents(out.parent) == expected


def test_the_next_save_recovers_first(out: Path) -> None:
    replace_and_be_killed(out, "rename", 2, "kept")
    assert not out.exists()
    with saving_folder(out, out.with_name("kept")) as folder:
        (folder / "file").write_text("newer")
    assert contents(out.parent) == {"out": "newer", "kept": "old"}


def test_a_process_that_still_runs_is_not_disturbed(out: Path) -> None:
    with saving_folder(out) as folder:
        (folder / "file").write_text("new")
        recover_folder(out)
        program = (
            "import sys; from pathlib import Path; from trivium.saving import recover_folder as r; r(Path(sys.argv[1]))"
        )
        subprocess.run([sys.executable, "-c", program, str(out)], check=True)
        assert (folder / "file").read_text() == "new"
    assert contents(out.parent) == {"out": "new"}


def test_what_another_host_left_is_deleted_only_after_an_hour(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = out.with_name(".out.1@elsewhere.tmp")
    left.mkdir()
    recover_folder(out)
    assert left.exists()
    now = saving.time.time()
    monkeypatch.setattr(saving.time, "time", lambda: now + 3700)
    recover_folder(out)
    assert contents(out.parent) == {"out": "old"}


def test_other_hidden_files_are_left_alone(out: Path) -> None:
    for name in (".out.tmp", ".out.notes.tmp", f".outer.{os.getpid()}.tmp", ".out.12"):
        (out.parent / name).mkdir()
        (out.parent / name / "file").write_text("")
    recover_folder(out)
    assert len(list(out.parent.iterdir())) == 5


def test_parent_folders_are_created_only_if_saving_succeeds(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), saving_folder(tmp_path / "new" / "one" / "out"):
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())
    with saving_folder(tmp_path / "new" / "one" / "out"):
        pass
    assert (tmp_path / "new" / "one" / "out").is_dir()


def test_a_folder_that_is_not_empty_is_not_free(tmp_path: Path) -> None:
    check_empty_folder(tmp_path / "new" / "one")
    check_empty_folder(tmp_path / "new")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file"):
        with pytest.raises(UserError, match="already exists and is not an empty folder"):
            check_empty_folder(path)
    with pytest.raises(UserError, match="cannot be written"):
        check_empty_folder(tmp_path / "file" / "in")


def test_a_file_must_not_be_a_folder_and_its_folder_must_exist(tmp_path: Path) -> None:
    check_writable_file(tmp_path / "new.json")
    with pytest.raises(UserError, match="is a folder, but must be a file"):
        check_writable_file(tmp_path)
    with pytest.raises(UserError, match="its folder does not exist"):
        check_writable_file(tmp_path / "none" / "new.json")
