"""Interrupted downloads are resumed, and only a file with the right sha256 gets its final name."""

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

from trivium.data.fetch import RetryPolicy, download
from trivium.errors import UserError

CONTENT = random.Random(7).randbytes(300_000)
SHA = hashlib.sha256(CONTENT).hexdigest()
QUICK = RetryPolicy(attempts=4, wait=0.01, timeout=2.0)


class Site:
    """A local server that gives its answers in turn, then honours Range. It records the requested ranges."""

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
    requested = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
    start = int(requested[1]) if requested else 0
    if not requested:
        send(handler, 200, content)
    elif start >= len(content):
        send(handler, 416, b"", Content_Range=f"bytes */{len(content)}")
    else:
        content_range = f"bytes {start}-{len(content) - 1}/{len(content)}"
        send(handler, 206, content[start:], Content_Range=content_range)


def ignore_range(handler: BaseHTTPRequestHandler, content: bytes) -> None:
    send(handler, 200, content)


def status(code: int, **headers: str) -> Answer:
    return lambda handler, content: send(handler, code, b"an error page", **headers)


def truncated(after: int) -> Answer:
    return lambda handler, content: send(handler, 200, content[:after], Content_Length=str(len(content)))


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("no_proxy", "*")
    site = Site()
    thread = threading.Thread(target=site.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield site
    site.server.shutdown()
    site.server.server_close()
    thread.join()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "new" / "file.txt"


def get(site: Site, target: Path, size: int | None = None) -> None:
    download(site.address, target, SHA, size=size, retry=QUICK)


def part(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def write_part(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part(target).write_bytes(content)


def check_error(site: Site, target: Path, message: str, size: int | None = None) -> None:
    with pytest.raises(UserError, match=message) as raised:
        get(site, target, size)
    assert "\n" not in str(raised.value)
    assert not target.exists()


def test_a_file_is_downloaded_byte_for_byte_and_progress_is_reported(site: Site, target: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    download(site.address, target, SHA, progress=lambda received, total: seen.append((received, total)), retry=QUICK)
    assert target.read_bytes() == CONTENT
    assert [path.name for path in target.parent.iterdir()] == ["file.txt"]
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert seen == sorted(seen)


def test_a_broken_connection_is_resumed_with_range(site: Site, target: Path) -> None:
    site.answers = [truncated(100_000)]
    get(site, target)
    assert target.read_bytes() == CONTENT
    assert site.ranges == [None, "bytes=100000-"]


def test_a_part_of_an_earlier_download_is_resumed(site: Site, target: Path) -> None:
    write_part(target, CONTENT[:123_456])
    get(site, target, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert site.ranges == ["bytes=123456-"]


def test_the_download_starts_over_if_the_server_ignores_range(site: Site, target: Path) -> None:
    write_part(target, CONTENT[:1000])
    site.answers = [ignore_range]
    get(site, target)
    assert target.read_bytes() == CONTENT


def test_the_download_starts_over_if_the_server_sends_another_range(site: Site, target: Path) -> None:
    write_part(target, CONTENT[:1000])
    site.answers = [lambda handler, content: send(handler, 206, content[5:], Content_Range="bytes 5-9/10")]
    get(site, target)
    assert target.read_bytes() == CONTENT
    assert site.ranges == ["bytes=1000-", None]


def test_a_complete_part_is_not_downloaded_again(site: Site, target: Path) -> None:
    write_part(target, CONTENT)
    get(site, target)
    assert site.ranges == [f"bytes={len(CONTENT)}-"]
    write_part(target, CONTENT)
    get(site, target, len(CONTENT))
    assert len(site.ranges) == 1
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("size", [None, len(CONTENT)])
def test_the_download_starts_over_if_the_part_is_longer_than_the_file(
    site: Site, target: Path, size: int | None
) -> None:
    write_part(target, CONTENT + b"more")
    get(site, target, size)
    assert target.read_bytes() == CONTENT


def test_the_download_starts_over_if_the_part_is_of_another_version(site: Site, target: Path) -> None:
    write_part(target, bytes(5000))
    get(site, target)
    assert target.read_bytes() == CONTENT
    assert site.ranges == ["bytes=5000-", None]


def test_a_file_with_a_wrong_sha256_is_deleted(site: Site, target: Path) -> None:
    site.content = CONTENT[:-1] + b"?"
    check_error(site, target, rf"sha256 .*, not {SHA}; it was deleted", len(CONTENT))
    assert list(target.parent.iterdir()) == []


def test_a_truncated_file_with_a_matching_length_is_not_accepted(site: Site, target: Path) -> None:
    site.content = CONTENT[:-1]
    check_error(site, target, "not " + SHA)
    assert list(target.parent.iterdir()) == []


def test_an_endless_response_is_cut_off(site: Site, target: Path) -> None:
    def endless(handler: BaseHTTPRequestHandler, content: bytes) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(bytes(65536))
        except OSError:
            pass

    site.answers = [endless]
    check_error(site, target, "not " + SHA, 1000)
    assert list(target.parent.iterdir()) == []


def test_the_part_is_kept_after_the_last_attempt_fails(site: Site, target: Path) -> None:
    site.answers = [truncated(10_000)] * 4
    check_error(site, target, r"ended after 10000 of 300000 bytes \(4 attempts\); run the command again to resume")
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
    check_error(site, target, r"the server answers 500 Internal Server Error \(4 attempts\)")
    assert len(site.ranges) == 4


@pytest.mark.parametrize(("code", "message"), [(404, "no such file"), (403, "the server refuses the request")])
def test_a_permanent_http_error_is_not_retried(site: Site, target: Path, code: int, message: str) -> None:
    site.answers = [status(code)]
    check_error(site, target, rf"http://127.*/file: {message} \({code} ")
    assert len(site.ranges) == 1


def test_a_server_that_does_not_answer_is_a_timeout(site: Site, target: Path) -> None:
    awake = threading.Event()

    def silent(handler: BaseHTTPRequestHandler, content: bytes) -> None:
        awake.wait(5)

    site.answers = [silent, silent]
    try:
        with pytest.raises(UserError, match=r"127\.0\.0\.1 does not answer within 0\.1 s \(2 attempts\)"):
            download(site.address, target, SHA, retry=RetryPolicy(attempts=2, wait=0.01, timeout=0.1))
    finally:
        awake.set()


def test_a_redirection_is_followed_but_only_to_http(site: Site, target: Path) -> None:
    site.answers = [status(302, Location=site.address)]
    get(site, target)
    assert target.read_bytes() == CONTENT
    target.unlink()
    for address in ("ftp://127.0.0.1/x", "file:///etc/passwd"):
        site.answers = [status(302, Location=address)]
        check_error(site, target, "ftp|not allowed")


def test_a_redirection_loop_is_an_error_of_one_line(site: Site, target: Path) -> None:
    site.answers = [status(302, Location=site.address)] * 20
    check_error(site, target, "infinite loop")


def test_a_refused_connection_is_an_error_of_one_line(site: Site, target: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as closed:
        address = f"http://127.0.0.1:{closed.server_address[1]}/file"
    with pytest.raises(UserError, match=r"127\.0\.0\.1 refuses the connection \(4 attempts\)$"):
        download(address, target, SHA, retry=QUICK)


def test_an_unknown_host_is_an_error_of_one_line(site: Site, target: Path) -> None:
    with pytest.raises(
        UserError, match=r"the host no-such-host\.invalid cannot be found; check the network connection"
    ):
        download("http://no-such-host.invalid/file", target, SHA, retry=QUICK)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://127.0.0.1/x", "/etc/passwd"])
def test_only_http_addresses_are_supported(target: Path, address: str) -> None:
    with pytest.raises(UserError, match="only http and https"):
        download(address, target, SHA)


def test_the_error_names_a_folder_that_cannot_be_created(site: Site, tmp_path: Path) -> None:
    (tmp_path / "new").write_text("a file where a folder should be")
    check_error(site, tmp_path / "new" / "file.txt", r"new: cannot be written \(")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_an_error_that_names_the_file(site: Site, target: Path) -> None:
    target.parent.mkdir()
    part(target).symlink_to("/dev/full")
    check_error(site, target, r"file\.txt.*: cannot be written \(No space left on device\)")


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
    imports = "from pathlib import Path; from trivium.data.fetch import download"
    script = f"{imports}; download({site.address!r}, Path({str(target)!r}), 'x')"
    paths = os.pathsep.join(path for path in sys.path if path)
    child = subprocess.Popen([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": paths})
    deadline = time.monotonic() + 20
    while not (part(target).exists() and part(target).stat().st_size > half // 2) and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    killed.set()
    received = part(target).stat().st_size
    assert 0 < received <= half
    assert not target.exists()
    get(site, target, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert site.ranges == [None, f"bytes={received}-"]
