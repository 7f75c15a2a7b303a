"""Downloading a file: resumed where it broke off, checked by sha256, and there only when it is whole."""

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

Watch = Callable[[int, int | None], None]
"""Is told how many bytes there are, and of how many if that is known."""


@dataclass(frozen=True)
class Patience:
    """How often to try, how long to wait before the second time (it doubles), and for an answer, in seconds."""

    attempts: int = 5
    wait: float = 0.5
    longest_wait: float = 20.0
    answer: float = 30.0


@dataclass(frozen=True)
class _Job:
    address: str
    part: Path
    size: int | None
    watch: Watch
    patience: Patience


class _TransientError(Exception):
    """Something that may be better at the next attempt; the server may have said when."""

    def __init__(self, what: str, wait: float | None = None) -> None:
        super().__init__(what)
        self.wait = wait


def fetch(
    address: str,
    target: Path,
    sha256: str,
    *,
    size: int | None = None,
    watch: Watch = lambda received, total: None,
    patience: Patience | None = None,
) -> None:
    """Download ``address`` to ``target``; only a file with this ``sha256`` ever has that name.

    The bytes gather in ``target.part``, from which a later call goes on. A wrong sha256 deletes them.
    """
    if urlsplit(address).scheme not in ("http", "https"):
        raise UserError(f"{address}: only http and https addresses are fetched")
    part = target.with_name(f"{target.name}.part")
    job = _Job(address, part, size, watch, patience or Patience())
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        went_on = part.exists()
        actual = _receive_patiently(job)
        if actual != sha256 and went_on:
            # What was there may be of another version of the file: once more, from the start.
            part.unlink()
            actual = _receive_patiently(job)
        if actual != sha256:
            part.unlink()
            raise UserError(f"{address}: what came has the sha256 {actual}, not {sha256}; it was deleted")
        part.replace(target)
    except OSError as error:
        raise UserError(f"{error.filename or target}: cannot be written ({error.strerror or error})") from None


def _receive_patiently(job: _Job) -> str:
    """Gather the whole file in ``job.part``, in as many attempts as there is patience for; the sha256 of it."""
    patience = job.patience
    for attempt in range(1, patience.attempts + 1):
        try:
            _receive(job)
            return sha256_of(job.part)
        except _TransientError as trouble:
            if attempt == patience.attempts:
                kept = "; what came is kept, run it again to go on" if _length(job.part) else ""
                raise UserError(f"{job.address}: {trouble} ({attempt} attempts){kept}") from None
            wait = patience.wait * 2 ** (attempt - 1) if trouble.wait is None else trouble.wait
            time.sleep(min(wait, patience.longest_wait))
    raise AssertionError("unreachable: attempts is at least one")


def _receive(job: _Job) -> None:
    """One request for what is missing."""
    have = _length(job.part)
    if job.size is not None and have >= job.size:
        return
    headers = {"User-Agent": "trivium", **({"Range": f"bytes={have}-"} if have else {})}
    try:
        response = _opener().open(urllib.request.Request(job.address, headers=headers), timeout=job.patience.answer)
    except HTTPError as error:
        with error:
            if error.code == 416 and have:
                _settle_unsatisfiable(job, have, error.headers)
                return
            raise _http_failure(job, error) from None
    except (OSError, http.client.HTTPException) as error:
        raise _failure(job, error) from None
    with response:
        start = _start(response, have)
        if start is None:
            job.part.unlink()
            raise _TransientError("the server sends another range than was asked for", wait=0)
        _copy(job, response, start)


def _copy(job: _Job, response: http.client.HTTPResponse, start: int) -> None:
    length = response.headers.get("Content-Length", "")
    total = start + int(length) if length.isdigit() else job.size
    received = start
    with job.part.open("ab" if start else "wb") as part:
        while chunk := _read(job, response):
            part.write(chunk)
            received += len(chunk)
            job.watch(received, total)
            if job.size is not None and received > job.size:
                return  # the checksum will say so; no server can fill the disk
    if total is not None and received < total:
        raise _TransientError(f"the connection ended after {received} of {total} bytes")


def _read(job: _Job, response: http.client.HTTPResponse) -> bytes:
    try:
        return response.read1(_CHUNK)  # read() would lose what came before a timeout
    except (OSError, http.client.HTTPException) as error:
        raise _failure(job, error) from None


def _start(response: http.client.HTTPResponse, have: int) -> int | None:
    """The position in the file of the first byte of an answer; None if it is not one that was asked for."""
    if response.status != 206:
        return 0
    named = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return have if named and int(named[1]) == have else None


def _settle_unsatisfiable(job: _Job, have: int, headers: Message) -> None:
    """There is nothing after the bytes that we have: they are the whole file, or of another one."""
    if headers.get("Content-Range") != f"bytes */{have}":
        job.part.unlink()
        raise _TransientError("the file there is shorter than the part that was kept", wait=0)


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _opener() -> urllib.request.OpenerDirector:
    """Opens http and https only: the usual opener would follow a redirection to ftp."""
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
    answer = " ".join(f"{error.code} {error.reason}".split())
    if error.code in _BUSY or error.code >= 500:
        later = error.headers.get("Retry-After", "")
        return _TransientError(f"the server answers {answer}", float(later) if later.isdigit() else None)
    if error.code in (404, 410):
        return UserError(f"{job.address}: there is no such file ({answer})")
    return UserError(f"{job.address}: the server refuses it ({answer})")


def _failure(job: _Job, error: Exception) -> Exception:
    """What to say of an error of the network: a mistake that stays, or one that may pass."""
    reason = error.reason if isinstance(error, URLError) else error
    host = urlsplit(job.address).hostname
    if isinstance(reason, str):  # urllib's own words, such as an unknown kind of address
        return UserError(f"{job.address}: cannot be fetched ({reason})")
    if isinstance(reason, socket.gaierror):
        return UserError(f"{job.address}: the host {host} cannot be found; is there a network?")
    if isinstance(reason, ssl.SSLCertVerificationError):
        return UserError(f"{job.address}: the certificate of {host} is not valid ({reason.verify_message})")
    if isinstance(reason, OSError) and reason.errno in _NO_NETWORK:
        return UserError(f"{job.address}: {host} cannot be reached ({reason.strerror}); is there a network?")
    if isinstance(reason, TimeoutError):
        return _TransientError(f"{host} does not answer within {job.patience.answer:g} s")
    if isinstance(reason, http.client.IncompleteRead):
        return _TransientError("the connection ended too early")
    if isinstance(reason, ConnectionRefusedError):
        return _TransientError(f"{host} refuses the connection")
    return _TransientError(f"the connection to {host} failed ({reason or type(reason).__name__})")
