"""The commands ``trivium data list``, ``get`` and ``check``, with a local mirror of a small manifest."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from trivium.cli import data
from trivium.data.example import Example
from trivium.data.manifest import manifest, read_manifest
from trivium.data.split import Split
from trivium.errors import UserError

COMMIT = "0123456789" * 4
ONE, TWO = b"one\n" * 1000, b"two\n"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve the files of a small manifest, which replaces the one in the package, and yield the address."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.delenv("TRIVIUM_DATA", raising=False)
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path / "cache"))
    files = ""
    for name, content in (("one.txt", ONE), ("two.txt", TWO)):
        served = tmp_path / "site" / "someone" / "data" / COMMIT / "in it" / name
        served.parent.mkdir(parents=True, exist_ok=True)
        served.write_bytes(content)
        files += f'[[sources.toy.origins.files]]\npath = "toy/{name}"\noriginal = "in it/{name}"\n'
        files += f'sha256 = "{hashlib.sha256(content).hexdigest()}"\nsize = {len(content)}\n'
    files += f'held = {{ kind = "sample", path = "toy/sampled/two.txt", sha256 = "{"0" * 64}", how = "less" }}\n'
    path = tmp_path / "manifest.toml"
    path.write_text(
        'address = "http://127.0.0.1:9"\n[sources.toy]\ntitle = "A toy"\ncitation = "Someone (2020): Toys"\n'
        'licence = "not stated"\n[[sources.toy.origins]]\nrepository = "someone/data"\n'
        f'commit = "{COMMIT}"\nlicence = "nothing stated there"\n{files}'
    )
    monkeypatch.setattr("trivium.data.manifest.manifest", lambda: read_manifest(path))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "site")))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def output_of(*arguments: str) -> str:
    result = CliRunner().invoke(data.data_app, arguments, env={"COLUMNS": "120"})
    assert result.exit_code == 0, result.exception
    return result.output


def error_of(*arguments: str) -> str:
    result = CliRunner().invoke(data.data_app, arguments)
    assert isinstance(result.exception, UserError), result.exception
    return str(result.exception)


def test_get_shows_licence_and_citation_first_and_then_downloads(mirror: str, tmp_path: Path) -> None:
    output = output_of("get", "toy", "--mirror", mirror)
    assert output.startswith("A toy\nSomeone (2020): Toys.\nLicence: not stated\n")
    assert "someone/data: nothing stated there" in output
    assert output.index("Licence") < output.index("toy/one.txt  4.0 kB")
    assert (tmp_path / "cache" / "toy" / "one.txt").read_bytes() == ONE
    assert (tmp_path / "cache" / "toy" / "two.txt").read_bytes() == TWO


def test_get_tells_that_a_sample_is_not_public(mirror: str) -> None:
    assert "the sample toy/sampled/two.txt is not public" in output_of("get", "toy", "--mirror", mirror)


def test_get_skips_files_on_this_machine(mirror: str, tmp_path: Path) -> None:
    output_of("get", "toy", "--mirror", mirror)
    (tmp_path / "cache" / "toy" / "two.txt").unlink()
    assert "1 of 2 files are already on this machine." in output_of("get", "toy", "--mirror", mirror)
    assert "2 of 2 files are already on this machine." in output_of("get", "toy", "--mirror", "http://127.0.0.1:9")


def test_get_writes_to_another_folder_and_explains_how_to_use_it(
    mirror: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = output_of("get", "toy", "--to", str(tmp_path / "mine"), "--mirror", mirror)
    assert f"export TRIVIUM_DATA={tmp_path / 'mine'}" in output
    monkeypatch.setenv("TRIVIUM_DATA", str(tmp_path / "mine"))
    assert "2 complete" in output_of("check", "toy")


def test_get_does_not_overwrite_a_changed_file(mirror: str, tmp_path: Path) -> None:
    output_of("get", "toy", "--mirror", mirror)
    mine = tmp_path / "cache" / "toy" / "one.txt"
    mine.write_bytes(b"mine")
    assert str(mine) in error_of("get", "toy", "--mirror", mirror)
    assert mine.read_bytes() == b"mine"


def test_get_reports_a_missing_remote_file_in_one_line(mirror: str, tmp_path: Path) -> None:
    (tmp_path / "site" / "someone" / "data" / COMMIT / "in it" / "two.txt").unlink()
    message = error_of("get", "toy", "--mirror", mirror)
    assert "two.txt: no such file (404" in message
    assert "\n" not in message
    assert [path.name for path in (tmp_path / "cache" / "toy").iterdir()] == ["one.txt"]


def test_get_suggests_the_closest_source(mirror: str) -> None:
    assert error_of("get", "tyo") == "unknown data source 'tyo': did you mean 'toy'?"


def test_list_shows_licence_and_location(mirror: str, tmp_path: Path) -> None:
    before = output_of("list")
    assert "not on this machine" in before
    assert "licence: not stated" in before
    output_of("get", "toy", "--mirror", mirror)
    (tmp_path / "cache" / "toy" / "two.txt").unlink()
    assert "1 of 2 in the cache" in output_of("list")
    assert str(tmp_path / "cache") in output_of("list")


def test_check_reports_each_damaged_file(mirror: str, tmp_path: Path) -> None:
    output_of("get", "toy", "--mirror", mirror)
    for name in ("one.txt", "two.txt"):
        (tmp_path / "cache" / "toy" / name).write_bytes(b"damaged")
    message = error_of("check", "toy")
    assert [line.split(":")[0] for line in message.splitlines()] == [
        str(tmp_path / "cache" / "toy" / name) for name in ("one.txt", "two.txt")
    ]
    assert error_of("check", str(tmp_path / "cache")) == message


def test_check_of_a_missing_source_explains_how_to_get_it(mirror: str) -> None:
    assert "trivium data get toy" in error_of("check", "toy")
    assert "did you mean 'toy'" in error_of("check", "tyo")


def test_check_summarizes_a_split(tmp_path: Path) -> None:
    pair = Example.make("1", "p", "h", "neutral")
    for name in ("few.jsonl", "few.parquet"):
        split = Split("few", (pair, pair, Example.make("2", "q", "h", None)))
        split.write(tmp_path / name)
        output = output_of("check", str(tmp_path / name))
        assert "few: 3 examples (entailment 0, neutral 2, contradiction 0, without label 1)" in output
        assert "repeated pairs: 1; pairs with several labels: 0" in output
        assert "ids used more than once: 1 (1)" in output
        assert split.identity in output
    assert "no such file" in error_of("check", str(tmp_path / "none.jsonl"))


def test_check_summarizes_every_split_of_a_folder(tmp_path: Path) -> None:
    for name in ("fold-1/ver.jsonl", "fold-2/nat.parquet"):
        Split("few", (Example.make("1", "p", "h", "neutral"),)).write(tmp_path / "built" / name)
    output = output_of("check", str(tmp_path / "built"))
    assert [line.split(":")[0] for line in output.splitlines() if "examples" in line] == [
        str(Path("fold-1/ver.jsonl")),
        str(Path("fold-2/nat.parquet")),
    ]


def test_check_rejects_a_folder_without_known_files(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    assert error_of("check", str(tmp_path)).startswith(f"{tmp_path}: no files of ")


def test_a_real_source_is_downloaded_and_checked(
    shared_data: Path, tmp_path: Path, mirror: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("TRIVIUM_DATA", str(tmp_path))
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path / "cache"))
    (entry,) = manifest().at(mirror).entries("help")
    original = tmp_path / "site" / entry.address.removeprefix(mirror).lstrip("/")
    original.parent.mkdir(parents=True)
    original.write_bytes((shared_data / "help" / "leskexppmb_or.tsv").read_bytes())
    assert "help/leskexppmb_or.tsv  80.4 kB" in output_of("get", "help", "--mirror", mirror)
    assert output_of("check", "help") == "help, 1 file: 1 complete\n"
