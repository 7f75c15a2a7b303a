"""A download goes on where it broke off, and only a file with the right sha256 ever has the final name."""

from __future__ import annotations

import hashlib
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from trivium.data.fetch import Patience, fetch
from trivium.errors import UserError

CONTENT = random.Random(7).randbytes(300_000)
SHA = hashlib.sha256(CONTENT).hexdigest()
QUICK = Patience(attempts=4, wait=0.01, answer=2.0)


class Site:
    """A server on loopback that gives its answers in turn, then honours Range; it notes what was asked for."""

    def __init__(self) -> None:
        self.content = CONTENT
        self.answers: list[Answer] = []
        self.ranges: list[str | None] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.ranges.append(self.headers.get("Range"))
                answer = site.answers.pop(0) if site.answers else honour_range
                answer(self, site.content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/file"


Answer = Callable[[BaseHTTPRequestHandler, bytes], None]


def send(handler: BaseHTTPRequestHandler, code: int, body: bytes, **headers: str) -> None:
    handler.send_response(code)
    for name, value in {"Content_Length": str(len(body)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def honour_range(handler: BaseHTTPRequestHandler, content: bytes) -> None:
    asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
    start = int(asked[1]) if asked else 0
    if not asked:
        send(handler, 200, content)
    elif start >= len(content):
        send(handler, 416, b"", Content_Range=f"bytes */{len(content)}")
    else:
        whole = f"bytes {start}-{len(content) - 1}/{len(content)}"
        send(handler, 206, content[start:], Content_Range=whole)


def ignore_range(handler: BaseHTTPRequestHandler, content: bytes) -> None:
    send(handler, 200, content)


def status(code: int, **headers: str) -> Answer:
    return lambda handler, content: send(handler, code, b"an error page", **headers)


def broken_off(after: int) -> Answer:
    return lambda handler, content: send(handler, 200, content[:after], Content_Length=str(len(content)))


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("no_proxy", "*")
    made = Site()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "new" / "file.txt"


def get(site: Site, target: Path, size: int | None = None) -> None:
    fetch(site.address, target, SHA, size=size, patience=QUICK)


def part(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def kept(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part(target).write_bytes(content)


def refused(site: Site, target: Path, message: str, size: int | None = None) -> None:
    with pytest.raises(UserError, match=message) as raised:
        get(site, target, size)
    assert "\n" not in str(raised.value)
    assert not target.exists()


def test_a_file_arrives_byte_for_byte_and_progress_is_told(site: Site, target: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    fetch(site.address, target, SHA, watch=lambda received, total: seen.append((received, total)), patience=QUICK)
    assert target.read_bytes() == CONTENT
    assert [path.name for path in target.parent.iterdir()] == ["file.txt"]
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert seen == sorted(seen)


def test_a_broken_connection_is_resumed_with_range(site: Site, target: Path) -> None:
    site.answers = [broken_off(100_000)]
    get(site, target)
    assert target.read_bytes() == CONTENT
    assert site.ranges == [None, "bytes=100000-"]


def test_a_kept_part_is_resumed(site: Site, target: Path) -> None:
    kept(target, CONTENT[:123_456])
    get(site, target, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert site.ranges == ["bytes=123456-"]


def test_a_server_that_ignores_range_starts_over(site: Site, target: Path) -> None:
    kept(target, CONTENT[:1000])
    site.answers = [ignore_range]
    get(site, target)
    assert target.read_bytes() == CONTENT


def test_a_server_that_sends_another_range_starts_over(site: Site, target: Path) -> None:
    kept(target, CONTENT[:1000])
    site.answers = [lambda handler, content: send(handler, 206, content[5:], Content_Range="bytes 5-9/10")]
    get(site, target)
    assert target.read_bytes() == CONTENT
    assert site.ranges == ["bytes=1000-", None]


def test_a_whole_part_needs_no_more_bytes(site: Site, target: Path) -> None:
    kept(target, CONTENT)
    get(site, target)
    assert site.ranges == [f"bytes={len(CONTENT)}-"]
    kept(target, CONTENT)
    get(site, target, len(CONTENT))
    assert len(site.ranges) == 1
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("size", [None, len(CONTENT)])
def test_a_part_longer_than_the_file_starts_over(site: Site, target: Path, size: int | None) -> None:
    kept(target, CONTENT + b"more")
    get(site, target, size)
    assert target.read_bytes() == CONTENT


def test_a_part_of_another_version_starts_over(site: Site, target: Path) -> None:
    kept(target, bytes(5000))
    get(site, target)
    assert target.read_bytes() == CONTENT
    assert site.ranges == ["bytes=5000-", None]


def test_a_wrong_checksum_leaves_nothing(site: Site, target: Path) -> None:
    site.content = CONTENT[:-1] + b"?"
    refused(site, target, rf"sha256 .*, not {SHA}; it was deleted", len(CONTENT))
    assert list(target.parent.iterdir()) == []


def test_a_truncated_file_with_a_matching_length_is_not_accepted(site: Site, target: Path) -> None:
    site.content = CONTENT[:-1]
    refused(site, target, "not " + SHA)
    assert list(target.parent.iterdir()) == []


def test_a_server_that_sends_without_end_is_cut_off(site: Site, target: Path) -> None:
    def endless(handler: BaseHTTPRequestHandler, content: bytes) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(bytes(65536))
        except OSError:
            pass

    site.answers = [endless]
    refused(site, target, "not " + SHA, 1000)
    assert list(target.parent.iterdir()) == []


def test_a_file_that_breaks_off_each_time_is_given_up_and_kept(site: Site, target: Path) -> None:
    site.answers = [broken_off(10_000)] * 4
    refused(site, target, r"ended after 10000 of 300000 bytes \(4 attempts\); what came is kept")
    assert part(target).read_bytes() == CONTENT[:10_000]
    get(site, target)
    assert target.read_bytes() == CONTENT


def test_two_failures_are_retried(site: Site, target: Path) -> None:
    site.answers = [status(503), status(429, Retry_After="0")]
    get(site, target)
    assert target.read_bytes() == CONTENT
    assert len(site.ranges) == 3


def test_failures_are_retried_a_bounded_number_of_times(site: Site, target: Path) -> None:
    site.answers = [status(500)] * 9
    refused(site, target, r"the server answers 500 Internal Server Error \(4 attempts\)")
    assert len(site.ranges) == 4


@pytest.mark.parametrize(("code", "message"), [(404, "there is no such file"), (403, "the server refuses it")])
def test_a_refusal_is_not_retried(site: Site, target: Path, code: int, message: str) -> None:
    site.answers = [status(code)]
    refused(site, target, rf"http://127.*/file: {message} \({code} ")
    assert len(site.ranges) == 1


def test_a_silent_server_is_not_waited_for_without_end(site: Site, target: Path) -> None:
    awake = threading.Event()

    def silent(handler: BaseHTTPRequestHandler, content: bytes) -> None:
        awake.wait(5)

    site.answers = [silent, silent]
    try:
        with pytest.raises(UserError, match=r"127\.0\.0\.1 does not answer within 0\.1 s \(2 attempts\)"):
            fetch(site.address, target, SHA, patience=Patience(attempts=2, wait=0.01, answer=0.1))
    finally:
        awake.set()


def test_a_redirection_is_followed_but_only_to_http(site: Site, target: Path) -> None:
    site.answers = [status(302, Location=site.address)]
    get(site, target)
    assert target.read_bytes() == CONTENT
    target.unlink()
    for elsewhere in ("ftp://127.0.0.1/x", "file:///etc/passwd"):
        site.answers = [status(302, Location=elsewhere)]
        refused(site, target, "ftp|not allowed")


def test_a_redirection_in_a_circle_is_one_line(site: Site, target: Path) -> None:
    site.answers = [status(302, Location=site.address)] * 20
    refused(site, target, "infinite loop")


def test_nobody_there_is_one_line(site: Site, target: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as closed:
        address = f"http://127.0.0.1:{closed.server_address[1]}/file"
    with pytest.raises(UserError, match=r"127\.0\.0\.1 refuses the connection \(4 attempts\)$"):
        fetch(address, target, SHA, patience=QUICK)


def test_no_such_host_is_one_line(site: Site, target: Path) -> None:
    with pytest.raises(UserError, match=r"the host no-such-host\.invalid cannot be found; is there a network"):
        fetch("http://no-such-host.invalid/file", target, SHA, patience=QUICK)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://127.0.0.1/x", "/etc/passwd"])
def test_only_http_is_fetched(target: Path, address: str) -> None:
    with pytest.raises(UserError, match="only http and https"):
        fetch(address, target, SHA)


def test_a_folder_that_cannot_be_made_is_named(site: Site, tmp_path: Path) -> None:
    (tmp_path / "new").write_text("a file where a folder should be")
    refused(site, tmp_path / "new" / "file.txt", r"new: cannot be written \(")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named(site: Site, target: Path) -> None:
    target.parent.mkdir()
    part(target).symlink_to("/dev/full")
    refused(site, target, r"file\.txt.*: cannot be written \(No space left on device\)")


def test_a_killed_download_is_resumed_to_the_same_bytes(site: Site, target: Path) -> None:
    half, killed = 150_000, threading.Event()

    def stall(handler: BaseHTTPRequestHandler, content: bytes) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[:half])
        handler.wfile.flush()
        killed.wait(20)

    site.answers = [stall]
    imports = "from pathlib import Path; from trivium.data.fetch import fetch"
    script = f"{imports}; fetch({site.address!r}, Path({str(target)!r}), 'x')"
    paths = os.pathsep.join(path for path in sys.path if path)
    child = subprocess.Popen([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": paths})
    deadline = time.monotonic() + 20
    while not (part(target).exists() and part(target).stat().st_size > half // 2) and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    killed.set()
    have = part(target).stat().st_size
    assert 0 < have <= half
    assert not target.exists()
    get(site, target, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert site.ranges == [None, f"bytes={have}-"]
