"""Run a reader on inputs, and count what happens."""

from __future__ import annotations

import contextlib
import random
import signal
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.fuzzing.commands import COMMANDS
from benchmarks.fuzzing.inputs import mutated
from benchmarks.fuzzing.readers import Reader, reader_of

SECONDS = 2.0
SEED = 20260


@dataclass
class Outcome:
    """What became of the inputs of a reader."""

    reader: str
    accepted: int = 0
    refused: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    first: dict[str, int] = field(default_factory=dict)

    def row(self) -> str:
        """Return a row of the table."""
        total = self.accepted + self.refused + sum(self.faults.values())
        counts = f"{total:,} | {self.accepted:,} | {self.refused:,} | {sum(self.faults.values()):,}"
        return f"| {self.reader} | {counts} | {1000 * self.slowest:,.0f} |"


class HangError(BaseException):
    """An input takes too long."""


def content_of(reader: Reader, number: int) -> bytes:
    """Return one input of a reader: of every five, two are random structures where there are any."""
    rng = random.Random(f"{SEED} {reader.name} {number}")
    if reader.make is not None and (not reader.samples or number % 5 < 2):
        content = reader.make(rng)
        return mutated((content,), rng) if reader.samples and rng.random() < 0.2 else content
    return mutated(reader.samples, rng)


def check(reader: Reader, number: int, outcome: Outcome, *, raising: bool = False) -> None:
    """Read one input, and count what happens."""
    from trivium.errors import ConfigError, UserError

    with tempfile.TemporaryDirectory(dir=_memory_folder()) as name:
        path = Path(name) / reader.file
        path.parent.mkdir(exist_ok=True)
        reader.prepare(path.parent)
        path.write_bytes(content_of(reader, number))
        begin = time.process_time()  # of the processor, so that other work on the machine does not count
        fault, before = None, (outcome.accepted, outcome.refused)
        try:
            signal.setitimer(signal.ITIMER_PROF, 2 * SECONDS)
            signal.setitimer(signal.ITIMER_REAL, 60)  # for an input that waits and does not compute
            try:
                reader.read(path)
                outcome.accepted += 1
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.setitimer(signal.ITIMER_REAL, 0)
        except UserError as error:
            message = str(error)
            if not message.strip() or (len(message.splitlines()) > 1 and not isinstance(error, ConfigError)):
                fault = "a message that is not one line"
            else:
                outcome.refused += 1
        except BaseException as error:
            if raising or isinstance(error, KeyboardInterrupt):
                raise
            frame = traceback.extract_tb(error.__traceback__)[-1]
            fault = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
        seconds = time.process_time() - begin
        if fault is None and seconds > SECONDS:
            fault = f"slow: {seconds:.1f} s"
            outcome.accepted, outcome.refused = before
        outcome.slowest = max(outcome.slowest, seconds)
        if fault is not None:
            outcome.faults[fault] += 1
            outcome.first.setdefault(fault, number)


def _memory_folder() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def raise_hang(signum: int, frame: object) -> None:
    """Handle the signal of a timer."""
    raise HangError


def run_reader(name: str, inputs: int) -> Outcome:
    """Read some inputs with a reader."""
    before = {number: signal.signal(number, raise_hang) for number in (signal.SIGALRM, signal.SIGPROF)}
    reader = reader_of(name)
    outcome = Outcome(name)
    try:
        for sample in reader.samples or ("\0".join(words).encode() for words in COMMANDS):  # imports do not count
            with contextlib.suppress(Exception), tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / reader.file
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(sample)
                reader.read(path)
        for number in range(inputs):
            check(reader, number, outcome)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return outcome
