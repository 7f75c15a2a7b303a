"""Readers see either the old file or folder, or the complete new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.errors import UserError
from trivium.saving import check_empty_folder, check_writable_file, saving_folder


def test_a_new_folder_replaces_the_old_one_and_leaves_no_temporary_files(tmp_path: Path) -> None:
    for text in ("old", "new"):
        with saving_folder(tmp_path / "out") as folder:
            (folder / "file").write_text(text)
    assert (tmp_path / "out" / "file").read_text() == "new"
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("moment", ["while writing", "while moving the old folder", "while moving the new folder"])
def test_the_old_folder_stays_if_saving_is_interrupted(
    tmp_path: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with saving_folder(tmp_path / "out") as folder:
        (folder / "file").write_text("old")
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


def test_the_old_folder_can_be_kept_under_another_name(tmp_path: Path) -> None:
    for text in ("old", "new"):
        with saving_folder(tmp_path / "out", tmp_path / "kept") as folder:
            (folder / "file").write_text(text)
    assert (tmp_path / "out" / "file").read_text() == "new"
    assert (tmp_path / "kept" / "file").read_text() == "old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kept", "out"]


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
