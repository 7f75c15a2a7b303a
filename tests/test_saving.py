"""A reader finds the old file or folder, or the whole new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.errors import UserError
from trivium.saving import check_file, check_free, saving_folder


def test_a_new_folder_takes_the_place_of_the_old_one_and_leaves_nothing_behind(tmp_path: Path) -> None:
    for text in ("old", "new"):
        with saving_folder(tmp_path / "out") as folder:
            (folder / "file").write_text(text)
    assert (tmp_path / "out" / "file").read_text() == "new"
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("moment", ["while it is written", "when the old one is moved", "when the new one is moved"])
def test_what_was_there_stays_if_it_is_stopped(tmp_path: Path, moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with saving_folder(tmp_path / "out") as folder:
        (folder / "file").write_text("old")
    rename = Path.rename

    def stopped(self: Path, target: Path) -> Path:
        if moment == "when the old one is moved" or (moment == "when the new one is moved" and self.suffix == ".tmp"):
            monkeypatch.setattr(Path, "rename", rename)
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(KeyboardInterrupt), saving_folder(tmp_path / "out") as folder:  # noqa: PT012
        (folder / "file").write_text("new")
        if moment == "while it is written":
            raise KeyboardInterrupt
    assert (tmp_path / "out" / "file").read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_what_was_there_can_be_kept_under_another_name(tmp_path: Path) -> None:
    for text in ("old", "new"):
        with saving_folder(tmp_path / "out", tmp_path / "kept") as folder:
            (folder / "file").write_text(text)
    assert (tmp_path / "out" / "file").read_text() == "new"
    assert (tmp_path / "kept" / "file").read_text() == "old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kept", "out"]


def test_folders_on_the_way_are_made_only_for_what_is_written(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), saving_folder(tmp_path / "new" / "one" / "out"):
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())
    with saving_folder(tmp_path / "new" / "one" / "out"):
        pass
    assert (tmp_path / "new" / "one" / "out").is_dir()


def test_a_folder_with_something_in_it_is_not_free(tmp_path: Path) -> None:
    check_free(tmp_path / "new" / "one")
    check_free(tmp_path / "new")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("")
    for place in (tmp_path, tmp_path / "file"):
        with pytest.raises(UserError, match="there is something already"):
            check_free(place)
    with pytest.raises(UserError, match="cannot be written"):
        check_free(tmp_path / "file" / "in")


def test_a_file_is_not_written_over_a_folder_or_into_none(tmp_path: Path) -> None:
    check_file(tmp_path / "new.json")
    with pytest.raises(UserError, match="it is a folder, and a file is to be written"):
        check_file(tmp_path)
    with pytest.raises(UserError, match="its folder is not there"):
        check_file(tmp_path / "none" / "new.json")
