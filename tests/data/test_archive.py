"""Archives are unpacked inside their folder, within the limits, and completely or not at all."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from trivium.data.archive import Limits, unpack
from trivium.errors import UserError


def make_zip(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in members:
            package.writestr(name, content)
    return path


def make_tar(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz" if path.suffix == ".gz" else "w") as bundle:
        for info, content in members:
            info.size = len(content)
            bundle.addfile(info, io.BytesIO(content))
    return path


def info(name: str, type_: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = type_, link
    return member


def zip_link(name: str, mode: int = stat.S_IFLNK) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)
    member.create_system, member.external_attr = 3, (mode | 0o777) << 16
    return member


def check_refused(archive: Path, message: str, limits: Limits | None = None) -> None:
    """Check that unpacking fails with a message of one line and leaves no files."""
    before = sorted(archive.parent.rglob("*"))
    with pytest.raises(UserError, match=message) as raised:
        unpack(archive, archive.parent / "into", limits)
    assert "\n" not in str(raised.value)
    assert sorted(archive.parent.rglob("*")) == before


@pytest.fixture
def inner(tmp_path: Path) -> Path:
    """Return a folder inside another one, so that files written outside of it are noticed."""
    folder = tmp_path / "outer" / "inner"
    folder.mkdir(parents=True)
    return folder


def test_a_zip_is_unpacked_without_the_metadata_of_macos(inner: Path) -> None:
    archive = make_zip(inner / "a.zip", ("task/", b""), ("task/train.jsonl", b"{}"), ("__MACOSX/task/._x", b"no"))
    unpack(archive, inner / "into")
    assert [path.relative_to(inner / "into").as_posix() for path in (inner / "into").rglob("*")] == [
        "task",
        "task/train.jsonl",
    ]
    assert (inner / "into/task/train.jsonl").read_bytes() == b"{}"


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz"])
def test_a_tar_is_unpacked_and_its_inner_links_become_copies(inner: Path, name: str) -> None:
    archive = make_tar(
        inner / name,
        (info("d", tarfile.DIRTYPE), b""),
        (info("./d/a.txt"), b"text"),
        (info("d/soft", tarfile.SYMTYPE, "../d/a.txt"), b""),
        (info("hard", tarfile.LNKTYPE, "d/a.txt"), b""),
    )
    unpack(archive, inner / "new" / "into")
    for copy in ("d/a.txt", "d/soft", "hard"):
        path = inner / "new" / "into" / copy
        assert path.read_bytes() == b"text"
        assert not path.is_symlink()
    assert [path.name for path in (inner / "new").iterdir()] == ["into"]


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/evil", "C:/evil", "..\\evil", "a/.."])
def test_a_member_that_leaves_the_folder_is_refused(inner: Path, name: str) -> None:
    check_refused(make_zip(inner / "a.zip", ("good", b"1"), (name, b"2")), r"not unpacked: the member .*(plain|'\.\.')")
    check_refused(make_tar(inner / "a.tar", (info("good"), b"1"), (info(name), b"2")), r"not unpacked: the member")


@pytest.mark.parametrize("type_", [tarfile.SYMTYPE, tarfile.LNKTYPE])
@pytest.mark.parametrize("link", ["../../evil", "/etc/passwd", "d/../../evil"])
def test_a_link_that_leaves_the_folder_is_refused(inner: Path, type_: bytes, link: str) -> None:
    check_refused(
        make_tar(inner / "a.tar", (info("l", type_, link), b"")), r"member 'l' is a link to .*outside the folder"
    )


def test_a_zip_link_that_leaves_the_folder_is_refused(inner: Path) -> None:
    check_refused(make_zip(inner / "a.zip", (zip_link("d/l"), b"../../evil")), r"member 'd/l' is a link to")


def test_a_chain_of_links_leads_nowhere(inner: Path) -> None:
    # Taken letter by letter each link stays inside; followed one through the other they would not.
    chain = ((info("d/up", tarfile.SYMTYPE, ".."), b""), (info("out", tarfile.SYMTYPE, "d/up/../x"), b""))
    check_refused(make_tar(inner / "a.tar", (info("x"), b"1"), *chain), "is a link to")
    through = ((info("d", tarfile.SYMTYPE, "."), b""), (info("d/x"), b"2"))
    check_refused(make_tar(inner / "b.tar", *through), "member 'd/x' lies within 'd', which is not a folder")


@pytest.mark.parametrize("type_", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_are_refused(inner: Path, type_: bytes) -> None:
    check_refused(make_tar(inner / "a.tar", (info("dev", type_), b"")), "member 'dev' is a device or a pipe")


def test_a_device_in_a_zip_is_refused(inner: Path) -> None:
    check_refused(make_zip(inner / "a.zip", (zip_link("dev", stat.S_IFCHR), b"")), "member 'dev' is a device or a pipe")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_occurs_twice_is_refused(inner: Path) -> None:
    check_refused(make_zip(inner / "a.zip", ("a", b"1"), ("a", b"2")), "member 'a' occurs twice")
    check_refused(make_tar(inner / "a.tar", (info("a"), b"1"), (info("./a"), b"2")), "member './a' occurs twice")


def test_more_than_the_allowed_bytes_are_refused(inner: Path) -> None:
    limits = Limits(total=100)
    check_refused(
        make_tar(inner / "a.tar", (info("a"), b"x" * 60), (info("b"), b"x" * 60)), "member 'b' unpacks to", limits
    )
    unpack(make_tar(inner / "c.tar", (info("a"), b"x" * 60)), inner / "c", limits)


def test_a_bomb_is_refused_by_its_ratio(inner: Path) -> None:
    check_refused(make_zip(inner / "a.zip", ("zeros", bytes(5 << 20))), "member 'zeros' unpacks to more than")
    check_refused(make_tar(inner / "a.tar.gz", (info("zeros"), bytes(5 << 20))), "member 'zeros' unpacks to more than")


def test_links_count_towards_the_allowed_bytes(inner: Path) -> None:
    links = [(info(f"l{number}", tarfile.SYMTYPE, "a"), b"") for number in range(3)]
    check_refused(
        make_tar(inner / "a.tar", (info("a"), b"x" * 60), *links), "member 'l0' unpacks to", Limits(total=100)
    )


def test_too_many_members_are_refused(inner: Path) -> None:
    members = [(f"{number}", b"") for number in range(11)]
    check_refused(make_zip(inner / "a.zip", *members), "exceeds the limit of 10 members", Limits(members=10))


def test_a_damaged_archive_leaves_no_files(inner: Path) -> None:
    whole = make_zip(inner / "whole.zip", ("a", bytes(range(256)) * 99)).read_bytes()
    for name, content in (("a.zip", whole[:200]), ("b.tar.gz", b"\x1f\x8bno"), ("c.zip", b""), ("d.tar", b"x" * 9999)):
        (inner / name).write_bytes(content)
        check_refused(inner / name, f"{name}: not a complete zip or tar archive")
    damaged = bytearray(whole)
    damaged[60] ^= 255
    (inner / "e.zip").write_bytes(damaged)
    check_refused(inner / "e.zip", r"e\.zip: not a complete zip")
    with pytest.raises(UserError, match="no such file"):
        unpack(inner / "none.zip", inner / "into")


def test_an_existing_folder_is_never_written_into(inner: Path) -> None:
    archive = make_zip(inner / "a.zip", ("a", b"1"))
    unpack(archive, inner / "into")
    with pytest.raises(UserError, match=r"already exists: unpack a\.zip into a new folder"):
        unpack(archive, inner / "into")


def test_a_real_archive_of_curriculum_is_unpacked(shared_data: Path, tmp_path: Path) -> None:
    archive = shared_data / "curriculum" / "verbnet.zip"
    if not archive.is_file():
        pytest.skip(f"{archive} does not exist")
    unpack(archive, tmp_path / "verbnet")
    assert sorted(path.name for path in tmp_path.rglob("*.jsonl")) == ["train.jsonl", "val.jsonl"]
    assert not list(tmp_path.rglob("__MACOSX"))
