"""Runs commands of the program in processes that are forked from one which has torch loaded: importing takes seconds.

As a program (``python forked.py``) it is that process: it reads one command a line and answers with its exit code.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class ForkServer:
    """The server, as its client sees it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        command = [sys.executable, "-P", __file__]
        self._process = subprocess.Popen(
            command, env=dict(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(
        self, arguments: list[str], environment: Mapping[str, str], timeout: int
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, like ``subprocess.run``."""
        with tempfile.TemporaryDirectory() as folder:
            request = {
                "arguments": arguments,
                "environment": dict(environment),
                "cwd": str(Path.cwd()),
                "folder": folder,
                "timeout": timeout,
            }
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            code = int(self._process.stdout.readline())
            out, err = (Path(folder, name).read_text(encoding="utf-8") for name in ("out", "err"))
        if code == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(arguments, timeout, out, err)
        return subprocess.CompletedProcess(arguments, code, out, err)

    def close(self) -> None:
        """End the server."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()


def _serve() -> None:
    import trivium.engine.preload  # noqa: F401

    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(request)
        print(_wait(child, request["timeout"]), flush=True)


def _run(request: dict[str, Any]) -> None:
    """Become the program: own streams, environment and folder; then end."""
    os.setsid()
    folder = Path(request["folder"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["cwd"])
    sys.argv = ["trivium", *request["arguments"]]
    code: Any = 1
    try:
        from trivium.__main__ import main

        main()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code if isinstance(code, int) else 1)


def _wait(child: int, timeout: float) -> int:
    """Return the exit code of a process, negative for a signal; kill it and its processes if it takes too long."""
    descriptor = os.pidfd_open(child)
    begin = time.monotonic()
    ready = select.select([descriptor], [], [], timeout)[0]
    if not ready:
        os.killpg(child, signal.SIGKILL)
    os.close(descriptor)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if time.monotonic() - begin < timeout else -signal.SIGALRM


if __name__ == "__main__":
    _serve()
