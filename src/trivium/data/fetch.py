"""Download files: interrupted downloads are resumed, and only a file with the right sha256 gets its final name."""

from __future__ import annotations

import errno
import http.client
import re
import socket
import ssl
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from trivium.data.check import sha256_of
from trivium.errors import UserError

_CHUNK = 1 << 16
_BUSY = (408, 425, 429)
_NO_NETWORK = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)

ProgressCallback = Callable[[int, int | None], None]
"""A callback for progress: the bytes received so far, and the total if it is known."""


@dataclass(frozen=True)
class RetryPolicy:
    """How often to try, and how long to wait, in seconds.

    ``wait`` is the pause before the second attempt; it doubles before each further one, up to ``max_wait``. ``timeout``
    is how long to wait for an answer.
    """

    attempts: int = 5
    wait: float = 0.5
    max_wait: float = 20.0
    timeout: float = 30.0


@dataclass(frozen=True)
class _Job:
    address: str
    part: Path
    size: int | None
    progress: ProgressCallback
    retry: RetryPolicy


class _TransientError(Exception):
    """An error that may not recur at the next attempt. ``wait`` is the pause that the server asks for, if any."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


def download(
    address: str,
    target: Path,
    sha256: str,
    *,
    size: int | None = None,
    progress: ProgressCallback = lambda received, total: None,
    retry: RetryPolicy | None = None,
) -> None:
    """Download ``address`` to ``target``, which is created only if the file has this ``sha256``.

    The bytes are collected in ``target.part``, which a later call resumes. It is deleted if the sha256 is wrong.
    """
    if urlsplit(address).scheme not in ("http", "https"):
        raise UserError(f"{address}: only http and https addresses are supported")
    part = target.with_name(f"{target.name}.part")
    job = _Job(address, part, size, progress, retry or RetryPolicy())
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        resumed = part.exists()
        actual = _receive_with_retries(job)
        if actual != sha256 and resumed:
            # The part may be of another version of the file: start again.
            part.unlink()
            actual = _receive_with_retries(job)
        if actual != sha256:
            part.unlink()
            raise UserError(f"{address}: the downloaded file has the sha256 {actual}, not {sha256}; it was deleted")
        part.replace(target)
    except OSError as error:
        raise UserError(f"{error.filename or target}: cannot be written ({error.strerror or error})") from None


def _receive_with_retries(job: _Job) -> str:
    """Download the complete file to ``job.part`` and return its sha256."""
    retry = job.retry
    for attempt in range(1, retry.attempts + 1):
        try:
            _receive(job)
            return sha256_of(job.part)
        except _TransientError as error:
            if attempt == retry.attempts:
                hint = "; run the command again to resume the download" if _length(job.part) else ""
                raise UserError(f"{job.address}: {error} ({attempt} attempts){hint}") from None
            wait = retry.wait * 2 ** (attempt - 1) if error.wait is None else error.wait
            time.sleep(min(wait, retry.max_wait))
    raise AssertionError("unreachable: attempts is at least one")


def _receive(job: _Job) -> None:
    """Send one request for the missing bytes and append them to ``job.part``."""
    received = _length(job.part)
    if job.size is not None and received >= job.size:
        return
    headers = {"User-Agent": "trivium", **({"Range": f"bytes={received}-"} if received else {})}
    try:
        response = _opener().open(urllib.request.Request(job.address, headers=headers), timeout=job.retry.timeout)
    except HTTPError as error:
        with error:
            if error.code == 416 and received:
                _check_complete(job, received, error.headers)
                return
            raise _http_failure(job, error) from None
    except (OSError, http.client.HTTPException) as error:
        raise _failure(job, error) from None
    with response:
        start = _start(response, received)
        if start is None:
            job.part.unlink()
            raise _TransientError("the server sent another range than the requested one", wait=0)
        _copy(job, response, start)


def _copy(job: _Job, response: http.client.HTTPResponse, start: int) -> None:
    length = response.headers.get("Content-Length", "")
    total = start + int(length) if length.isdigit() else job.size
    received = start
    with job.part.open("ab" if start else "wb") as part:
        while chunk := _read(job, response):
            part.write(chunk)
            received += len(chunk)
            job.progress(received, total)
            if job.size is not None and received > job.size:
                return  # the sha256 will be wrong; without this, a server could fill the disk
    if total is not None and received < total:
        raise _TransientError(f"the connection ended after {received} of {total} bytes")


def _read(job: _Job, response: http.client.HTTPResponse) -> bytes:
    try:
        return response.read1(_CHUNK)  # read() would lose the bytes received before a timeout
    except (OSError, http.client.HTTPException) as error:
        raise _failure(job, error) from None


def _start(response: http.client.HTTPResponse, requested: int) -> int | None:
    """Return the position of the response's first byte in the file, or None if the server sent another range."""
    if response.status != 206:
        return 0
    content_range = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return requested if content_range and int(content_range[1]) == requested else None


def _check_complete(job: _Job, received: int, headers: Message) -> None:
    """Accept the part if it is as long as the file on the server (status 416), else delete it."""
    if headers.get("Content-Range") != f"bytes */{received}":
        job.part.unlink()
        raise _TransientError("the file on the server is shorter than the part downloaded earlier", wait=0)


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _opener() -> urllib.request.OpenerDirector:
    """Return an opener for http and https only: the default one would follow a redirection to ftp."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPRedirectHandler,
        urllib.request.HTTPErrorProcessor,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.UnknownHandler,
    ):
        opener.add_handler(handler())
    return opener


def _http_failure(job: _Job, error: HTTPError) -> Exception:
    status = " ".join(f"{error.code} {error.reason}".split())
    if error.code in _BUSY or error.code >= 500:
        seconds = error.headers.get("Retry-After", "")
        return _TransientError(f"the server answers {status}", float(seconds) if seconds.isdigit() else None)
    if error.code in (404, 410):
        return UserError(f"{job.address}: no such file ({status})")
    return UserError(f"{job.address}: the server refuses the request ({status})")


def _failure(job: _Job, error: Exception) -> Exception:
    """Return the error to raise for a network error: a UserError if it is permanent, else a transient error."""
    reason = error.reason if isinstance(error, URLError) else error
    host = urlsplit(job.address).hostname
    if isinstance(reason, str):  # a message of urllib, such as "unknown url type"
        return UserError(f"{job.address}: cannot be downloaded ({reason})")
    if isinstance(reason, socket.gaierror):
        return UserError(f"{job.address}: the host {host} cannot be found; check the network connection")
    if isinstance(reason, ssl.SSLCertVerificationError):
        return UserError(f"{job.address}: the certificate of {host} is not valid ({reason.verify_message})")
    if isinstance(reason, OSError) and reason.errno in _NO_NETWORK:
        return UserError(f"{job.address}: {host} cannot be reached ({reason.strerror}); check the network connection")
    if isinstance(reason, TimeoutError):
        return _TransientError(f"{host} does not answer within {job.retry.timeout:g} s")
    if isinstance(reason, http.client.IncompleteRead):
        return _TransientError("the connection ended too early")
    if isinstance(reason, ConnectionRefusedError):
        return _TransientError(f"{host} refuses the connection")
    return _TransientError(f"the connection to {host} failed ({reason or type(reason).__name__})")
