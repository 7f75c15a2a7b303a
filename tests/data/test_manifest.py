"""The manifest lists every public file; files are found on this machine and checked."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

import pytest

from trivium.data.check import State, check_file, check_source, report_split, still_needed
from trivium.data.example import Example
from trivium.data.locate import cache_folder, data_folders, find_file, open_text, read_text
from trivium.data.manifest import DerivedFile, PublicFile, manifest, read_manifest
from trivium.data.split import Split
from trivium.errors import ConfigError, UserError

ALL = {
    "sick", "verb_veridicality", "transitivity", "dnc_megaveridicality", "conjnli", "cad", "anli", "snli", "mnli",
    "semantic_fragments", "help", "ud_ewt", "persona", "pvi_reference", "curriculum", "curriculum_runs",
}  # fmt: skip


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def a_file(content: bytes = b"original", **other: object) -> PublicFile:
    return PublicFile.model_validate({"path": "a/b.txt", "original": "b.txt", "sha256": sha(content), **other})


def write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_every_source_of_the_papers_is_listed() -> None:
    assert set(manifest().sources) == ALL
    assert sum(len(source.files) for source in manifest().sources.values()) == 123


def test_every_source_has_a_citation_and_a_licence() -> None:
    for name, source in manifest().sources.items():
        assert re.search(r"\(\d{4}\): ", source.citation), name
        assert source.licence, name


def test_an_address_names_repository_commit_and_path() -> None:
    assert manifest().entry("sick/semeval2014/SICK_trial.txt").address == (
        "https://raw.githubusercontent.com/brmson/dataset-sts/e1d3375f5b3bc24f21aa4e46f96eb379e9fc1081"
        "/data/sts/sick2014/SICK_trial.txt"
    )


def test_the_base_address_can_be_changed() -> None:
    moved = manifest().at("http://127.0.0.1:1/m/")
    assert moved.entry("help/leskexppmb_or.tsv").address.startswith("http://127.0.0.1:1/m/verypluming/HELP/3ee5c298")
    with pytest.raises(UserError, match="not an http or https address"):
        manifest().at("file:///etc")


def test_the_errors_for_an_unknown_source_and_file_suggest_a_name() -> None:
    with pytest.raises(UserError, match="did you mean 'sick'"):
        manifest().source("sik")
    with pytest.raises(UserError, match=r"did you mean 'sick/SICK.txt'"):
        find_file("sick/SICK.tx")


def test_all_mistakes_of_a_manifest_are_reported_at_once(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(
        'address = "ftp://x"\n[sources.a]\ntitle = "t"\ncitation = ""\nlicence = "l"\n[[sources.a.origins]]\n'
        'repository = "r"\ncommit = "123"\nlicence = "l"\n[[sources.a.origins.files]]\n'
        'path = "../../etc/passwd"\noriginal = "o"\nsha256 = "zz"\nwhat = 1\n'
    )
    with pytest.raises(ConfigError) as raised:
        read_manifest(path)
    message = str(raised.value)
    for field in ("address", "citation", "repository", "commit", "files.0.path", "sha256", "files.0.what"):
        assert field in message
    assert all(line.startswith(str(path)) for line in message.splitlines())


@pytest.mark.parametrize("path", ["/etc/passwd", "a/../../b", "C:/x", "a\\b", "", "a//b", "./a"])
def test_a_path_that_leaves_the_data_folder_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="relative path"):
        a_file(path=path)


def test_two_files_with_the_same_path_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    file = f'[[sources.a.origins.files]]\npath = "p"\noriginal = "o"\nsha256 = "{sha(b"")}"\n'
    path.write_text(
        'address = "https://x"\n[sources.a]\ntitle = "t"\ncitation = "c"\nlicence = "l"\n[[sources.a.origins]]\n'
        f'repository = "r/r"\ncommit = "{"0" * 40}"\nlicence = "l"\n{file}{file}'
    )
    with pytest.raises(ConfigError, match="listed more than once: p"):
        read_manifest(path)


def test_data_are_searched_in_trivium_data_then_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, cache = tmp_path / "own", tmp_path / "cache"
    own.mkdir()
    monkeypatch.setenv("TRIVIUM_DATA", str(own))
    monkeypatch.setenv("TRIVIUM_CACHE", str(cache))
    assert data_folders() == (own, cache)
    in_cache = write(cache / "sick" / "SICK.txt", b"x")
    assert find_file("sick/SICK.txt") == in_cache
    packed = write(own / "sick" / "SICK.txt.gz", b"x")
    assert find_file("sick/SICK.txt") == packed
    plain = write(own / "sick" / "SICK.txt", b"x")
    assert find_file("sick/SICK.txt") == plain


def test_a_complete_download_is_preferred_to_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(tmp_path))
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path / "cache"))
    sample = write(tmp_path / "curriculum" / "subsampled" / "control.zip", b"x")
    assert find_file("curriculum/control.zip") == sample
    whole = write(tmp_path / "cache" / "curriculum" / "control.zip", b"x")
    assert find_file("curriculum/control.zip") == whole


def test_the_cache_is_in_the_cache_folder_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRIVIUM_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/trivium/data")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert cache_folder() == Path("/home/someone/.cache/trivium/data")


def test_the_error_for_a_missing_file_says_where_it_was_searched_and_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRIVIUM_DATA", raising=False)
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path))
    with pytest.raises(UserError) as raised:
        find_file("sick/SICK.txt")
    message = str(raised.value)
    assert message.startswith(f"sick/SICK.txt is not in {tmp_path}: run `trivium data get sick`")
    assert "\n" not in message


def test_a_trivium_data_that_does_not_exist_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIVIUM_DATA", str(tmp_path / "typo"))
    with pytest.raises(UserError, match=r"TRIVIUM_DATA is .*typo: no such folder"):
        find_file("sick/SICK.txt")


def test_text_is_read_plain_or_gzipped_without_its_byte_order_mark(tmp_path: Path) -> None:
    content = "\ufeffé\r\n“x”\u2028y\n".encode()
    plain = write(tmp_path / "a.txt", content)
    packed = write(tmp_path / "a.txt.gz", gzip.compress(content))
    assert read_text(plain) == read_text(packed) == "é\r\n“x”\u2028y\n"
    assert list(open_text(packed)) == ["é\r\n", "“x”\u2028y\n"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"one\ntw\xe9\n", r"a\.txt:2: not UTF-8 \(byte 0xe9\)"),
        ("a.txt.gz", gzip.compress(b"x" * 999, mtime=0)[:-9], r"a\.txt\.gz: not a complete gzip file"),
        ("a.txt.gz", b"no gzip at all", r"a\.txt\.gz: not a complete gzip file"),
    ],
)
def test_the_error_for_a_text_that_cannot_be_read_names_the_file(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        read_text(write(tmp_path / name, content))


def test_a_file_is_complete_plain_or_gzipped(tmp_path: Path) -> None:
    file = a_file()
    assert check_file(file, (tmp_path,)).state is State.MISSING
    write(tmp_path / "a/b.txt.gz", gzip.compress(b"original", compresslevel=1))
    assert check_file(file, (tmp_path,)).state is State.COMPLETE
    write(tmp_path / "a/b.txt", b"original")
    assert check_file(file, (tmp_path,)).state is State.COMPLETE


@pytest.mark.parametrize(
    ("name", "content"), [("b.txt", b"other"), ("b.txt.gz", gzip.compress(b"o", mtime=0)), ("b.txt.gz", b"")]
)
def test_a_changed_file_is_damaged(tmp_path: Path, name: str, content: bytes) -> None:
    path = write(tmp_path / "a" / name, content)
    checked = check_file(a_file(), (tmp_path,))
    assert checked.state is State.DAMAGED
    assert str(path) in checked.problem


def test_a_sample_is_found_but_does_not_count_as_complete(tmp_path: Path) -> None:
    held = DerivedFile(kind="sample", path="a/sampled/b.txt", sha256=sha(b"orig"), how="the first half")
    file = a_file(held=held)
    write(tmp_path / "a/sampled/b.txt", b"orig")
    assert check_file(file, (tmp_path,)).state is State.SAMPLE
    write(tmp_path / "a/sampled/b.txt", b"changed")
    assert check_file(file, (tmp_path,)).state is State.DAMAGED
    write(tmp_path / "a/b.txt", b"original")
    assert check_file(file, (tmp_path,)).state is State.COMPLETE


def test_a_repacked_file_is_complete(tmp_path: Path) -> None:
    file = a_file(held=DerivedFile(kind="repacked", path="a/b.txt", sha256=sha(b"repacked"), how="repacked"))
    write(tmp_path / "a/b.txt", b"repacked")
    assert check_file(file, (tmp_path,)).state is State.COMPLETE


def test_a_changed_file_is_never_overwritten(tmp_path: Path) -> None:
    assert len(still_needed(manifest(), "help", (tmp_path,))) == 1
    path = write(tmp_path / "help" / "leskexppmb_or.tsv", b"mine")
    with pytest.raises(UserError, match=f"{path}.*move it away"):
        still_needed(manifest(), "help", (tmp_path,))


def test_the_report_of_a_split_counts_repetitions() -> None:
    example = Example.make("1", "p", "h", "entailment")
    split = Split("s", (example, example, Example.make("2", "p", "h", "neutral"), Example.make("3", "q", None, None)))
    report = report_split(split)
    assert (report.examples, report.unlabelled, report.repeated_ids) == (4, 1, ("1",))
    assert (report.repeated_pairs, report.contradicting_pairs) == (2, 1)
    assert report.labels == {"entailment": 2, "neutral": 1, "contradiction": 0}


def test_the_shared_data_have_the_sha256_of_the_manifest(shared_data: Path) -> None:
    checks = [check for name in manifest().sources for check in check_source(manifest(), name, (shared_data,))]
    assert [check.problem for check in checks if check.state is State.DAMAGED] == []
    available = [check.file for check in checks if check.state is not State.MISSING]
    if not available:
        pytest.skip(f"none of the manifest's files is in {shared_data}")
    for file in available:
        packed = shared_data / f"{file.path}.gz"
        if file.gz_sha256 and packed.is_file():
            assert sha(packed.read_bytes()) == file.gz_sha256, file.path
        if file.size and (shared_data / file.path).is_file():
            assert (shared_data / file.path).stat().st_size == file.size, file.path
