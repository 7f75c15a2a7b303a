"""The two sides of a comparison as processes that take turns."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

REPOSITORY = Path(__file__).parents[2]
BENCHMARKS = REPOSITORY / "benchmarks"
_PR_SET_CHILD_SUBREAPER = 36  # of prctl


class SideError(Exception):
    """A side stopped; the message is the end of what it printed."""


class Side(Protocol):
    """One side of a comparison."""

    versions: dict[str, str]

    def start(self) -> None:
        """Prepare everything that is not timed."""

    def run(self, number: int) -> dict[str, Any]:
        """Run a round and return ``wall`` and ``cpu``, in seconds, and the ``result``."""

    def stop(self) -> None:
        """End the process."""


def environment(source: Path) -> dict[str, str]:
    """Return the environment of a process that imports Trivium from ``source``, with one thread."""
    path = os.pathsep.join((str(source), str(BENCHMARKS / "peers")))
    fixed = {"PYTHONPATH": path, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}
    return {**os.environ, **fixed}


class Server:
    """A script that serves rounds (see ``benchmarks/peers/serving.py``)."""

    def __init__(self, command: Sequence[object], work: Path, source: Path = REPOSITORY / "src") -> None:
        self.command = [*map(str, command), str(work)]
        self.source, self.log = source, work.with_suffix(f".{abs(hash(tuple(self.command))) % 9999}.log")
        self.versions: dict[str, str] = {}

    def start(self) -> None:
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log.open("w"),
            text=True,
            env=environment(self.source),
        )
        self.versions = self._read()["versions"]

    def run(self, number: int) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{number}\n")
        self._process.stdin.flush()
        return self._read()

    def stop(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.kill()
        self._process.wait()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            lines = self.log.read_text().strip().splitlines() or ["no output"]
            raise SideError(f"{Path(self.command[1]).name}: {lines[-1]}")
        answer: dict[str, Any] = json.loads(line)
        return answer


class Command:
    """A command of the shell, started anew in every round. ``before`` runs untimed before each."""

    def __init__(
        self,
        arguments: Sequence[object],
        source: Path = REPOSITORY / "src",
        before: Callable[[], object] = lambda: None,
    ) -> None:
        self.arguments = [sys.executable, "-m", "trivium", *map(str, arguments)]
        self.source, self.before = source, before
        self.versions: dict[str, str] = {}

    def start(self) -> None:
        _adopt()

    def run(self, number: int) -> dict[str, Any]:
        self.before()
        used, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        self._once()
        wall = time.perf_counter() - started
        _reap()
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        return {"wall": wall, "cpu": cpu, "result": wall / cpu}

    def stop(self) -> None:
        """Do nothing: no process is left."""

    def _once(self) -> None:
        env = environment(self.source)
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # byte code is written in the round that is not counted
        done = subprocess.run(self.arguments, env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SideError(f"{' '.join(self.arguments[2:])}: {(done.stderr or done.stdout).strip()[-300:]}")


def _adopt() -> None:
    """Become the parent of workers that outlive the command, so that their processor time is counted (on Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _reap() -> None:
    """Wait a few seconds for workers that outlived the command."""
    until = time.perf_counter() + 5
    while time.perf_counter() < until:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            time.sleep(0.05)


@dataclass(frozen=True)
class Measured:
    """What the sides took in each round, and their results."""

    seconds: tuple[list[float], ...]
    results: tuple[list[Any], ...]
    versions: dict[str, str]


class Turns:
    """Sides that are started together and run alternately, so that a change of the machine's speed hits all."""

    def __init__(self, *sides: Side) -> None:
        self.sides = sides

    def __enter__(self) -> Turns:
        self._started: list[Side] = []
        try:
            for side in self.sides:
                side.start()
                self._started.append(side)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, error: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for side in self._started:
            side.stop()

    def measure(self, rounds: int, clock: str, uncounted: int = 1) -> Measured:
        """Run ``uncounted`` rounds and then ``rounds`` rounds; every other round starts with another side."""
        answers: list[list[dict[str, Any]]] = [[] for _ in self.sides]
        for number in range(uncounted + rounds):
            order = list(enumerate(self.sides))
            for index, side in order if number % 2 else reversed(order):
                answers[index].append(side.run(number))
        seconds = tuple([answer[clock] for answer in each[uncounted:]] for each in answers)
        versions = {name: version for side in self.sides for name, version in side.versions.items()}
        return Measured(seconds, tuple([answer["result"] for answer in each] for each in answers), versions)
