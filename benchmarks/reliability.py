"""Attack runs and stores, and compare what they store with an undisturbed run: ``make reliability``.

Usage::

    python benchmarks/reliability.py                    # every attack, as a Markdown table
    python benchmarks/reliability.py --kills 50 kill    # one attack
    python benchmarks/reliability.py --seed 7 flip

Attacks that need a small or read-only file system mount one, and are skipped where that is not allowed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

SMALL = [
    "c2gen",
    "--preset",
    "smoke",
    "--set",
    'run.strategies=["finetune", "er-res"]',
    "--set",
    'run.orders=["ver-nat"]',
]
ENVIRONMENT = os.environ | {
    "HF_HUB_OFFLINE": "1",
    "COLUMNS": "200",
    "TERM": "dumb",
    "TRIVIUM_CHECKPOINT_SECONDS": "0.2",
}


class Row(NamedTuple):
    """What was done, how often it went well, and an example of what was printed."""

    attack: str
    well: int
    of: int
    note: str = ""


class Attacker:
    """Runs Trivium and disturbs it. ``reference`` are the hashes of an undisturbed run."""

    def __init__(self, folder: Path, seed: int, kills: int) -> None:
        self.folder, self.kills = folder, kills
        self.rng = random.Random(seed)
        self.done = folder / "done"
        result = self.run(self.done, "--keep-models", "all")
        assert result.returncode == 0, result.stderr
        self.reference = predictions(self.done)
        print(f"{len(self.reference)} predictions to compare", file=sys.stderr)

    def command(self, store: Path, *options: str) -> list[str]:
        """Return the command of a run."""
        return [sys.executable, "-m", "trivium", "run", *SMALL, "--store", str(store), *options]

    def run(
        self, store: Path, *options: str, limit: Callable[[], None] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run to the end."""
        command = self.command(store, *options)
        return subprocess.run(
            command, env=ENVIRONMENT, capture_output=True, text=True, timeout=900, check=False, preexec_fn=limit
        )

    def copy(self) -> Path:
        """Return a copy of the undisturbed store."""
        target = self.folder / f"copy-{self.rng.getrandbits(40):x}"
        return Path(shutil.copytree(self.done, target))

    def is_whole(self, store: Path) -> bool:
        """Return whether a store has the predictions of the undisturbed run, to the byte."""
        return predictions(store) == self.reference

    def kill(self) -> Row:
        """SIGKILL the driver or a worker at random moments, and start again until the run is through."""
        well = total = 0
        victims = {"driver": 0, "worker": 0}
        while total < self.kills:
            store = self.folder / f"kill-{total}"
            planned = min(5, self.kills - total)
            for _ in range(planned):
                victims[self._kill_once(store)] += 1
            total += planned
            result = self.run(store)
            whole = result.returncode == 0 and self.is_whole(store)
            well += planned if whole else 0
            print(f"{total} kills: {'equal' if whole else 'DIFFERENT ' + result.stderr[-300:]}", file=sys.stderr)
            shutil.rmtree(store)
        note = ", ".join(f"{number} of a {name}" for name, number in victims.items())
        return Row("SIGKILL at a random moment, then the run goes on", well, total, note)

    def _kill_once(self, store: Path) -> str:
        running = subprocess.Popen(
            self.command(store), env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        victim = self.rng.choice(("driver", "worker"))
        while victim == "worker" and running.poll() is None and not workers_of(running.pid):
            time.sleep(0.1)
        time.sleep(self.rng.uniform(1.0, 14.0) if victim == "driver" else self.rng.uniform(0.0, 6.0))
        workers = workers_of(running.pid) if victim == "worker" else []
        if workers:
            os.kill(self.rng.choice(workers), signal.SIGKILL)
            time.sleep(self.rng.uniform(0.5, 4.0))
        elif victim == "worker":
            victim = "driver"  # the run ended before its worker could be killed
        running.kill()
        running.wait()
        return victim

    def flip(self) -> Iterator[Row]:
        """Flip a byte, truncate and remove, in every kind of file of a store; then run again."""
        kinds = {
            "logits": "steps/*/logits.safetensors",
            "weights": "steps/*/weights.safetensors",
            "memory": "steps/*/memory.json",
            "step.json": "steps/*/step.json",
            "split": "splits/*.jsonl",
            "cost": "costs/*.json",
            "losses": "losses/*.npy",
            "run record": "runs/*.json",
        }
        damages: dict[str, Callable[[Path], None]] = {
            "flipped byte": self._flip,
            "truncated": lambda file: os.truncate(file, file.stat().st_size // 2),
            "empty": lambda file: os.truncate(file, 0),
            "removed": Path.unlink,
        }
        for name, pattern in kinds.items():
            for damage, apply in damages.items():
                store = self.copy()
                apply(self.rng.choice(sorted(store.glob(pattern))))
                if name == "weights":  # weights are read only if something is trained or predicted from them
                    for file in store.glob("steps/*/logits.safetensors"):
                        shutil.rmtree(file.parent)
                result = self.run(store, "--keep-models", "all")
                whole = result.returncode == 0 and self.is_whole(store) and "Traceback" not in result.stderr
                yield Row(f"{name}: {damage}", int(whole), 1, last_line(result.stderr))
                shutil.rmtree(store)

    def _flip(self, file: Path) -> None:
        content = bytearray(file.read_bytes())
        content[self.rng.randrange(len(content))] ^= 1 << self.rng.randrange(8)
        file.write_bytes(bytes(content))

    def swap(self) -> Row:
        """Swap the logits of two predictions, and two whole steps."""
        well = 0
        for whole_step in (False, True):
            store = self.copy()
            first, second = self.rng.sample(sorted(store.glob("steps/*/logits.safetensors")), 2)
            if whole_step:
                first, second = first.parent, second.parent
            other = first.with_name("other")
            first.rename(other)
            second.rename(first)
            other.rename(second)
            result = self.run(store, "--keep-models", "all")
            well += result.returncode == 0 and self.is_whole(store)
            shutil.rmtree(store)
        return Row("two predictions swapped", well, 2)

    def disk(self) -> Row:
        """Fill the disk of the store; then give it more, and run again."""
        well, note = 0, ""
        for size in ("300k", "2m", "5m", "8m", "12m"):
            with mounted(self.folder / "disk", size) as store:
                full = self.run(store / "store")
                clear = full.returncode == 2 and "Traceback" not in full.stderr
                note = last_line(full.stderr)
                subprocess.run(["mount", "-o", "remount,size=2g", str(store)], check=True)
                again = self.run(store / "store")
                well += clear and again.returncode == 0 and self.is_whole(store / "store")
        return Row("the disk is full; then it is not", well, 5, note)

    def read_only(self) -> Row:
        """Run into a store that cannot be written."""
        with mounted(self.folder / "read-only", "20m") as store:
            subprocess.run(["mount", "-o", "remount,ro", str(store)], check=True)
            result = self.run(store / "store")
        return Row("a read-only store", int(is_clear(result)), 1, last_line(result.stderr))

    def two(self) -> Row:
        """Start two runs into one store."""
        store = self.folder / "two"
        first = subprocess.Popen(
            self.command(store), env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while not (store / "lock").exists() and first.poll() is None:
            time.sleep(0.1)
        time.sleep(1)
        second = self.run(store)
        first.wait()
        well = is_clear(second) and first.returncode == 0 and self.is_whole(store)
        return Row("two drivers and one store", int(well), 1, last_line(second.stderr))

    def version(self) -> Row:
        """Use a store of another version."""
        store = self.copy()
        (store / "store.json").write_text('{"format": 99}')
        newer = self.run(store)
        old = self.copy()
        for file in old.glob("steps/*/step.json"):
            content = json.loads(file.read_text())
            file.write_text(json.dumps({k: v for k, v in content.items() if k not in ("files", "checksum", "key")}))
        older = self.run(old)
        well = int(is_clear(newer)) + int(older.returncode == 0 and self.is_whole(old))
        return Row("a store of another version: a newer one is refused, one without checksums read", well, 2,
                   last_line(newer.stderr))  # fmt: skip

    def memory(self) -> Row:
        """Run with too little memory."""
        well, note, sizes = 0, "", (700, 1000, 1500, 2000, 3000, 4000)
        for megabytes in sizes:
            store = self.folder / f"memory-{megabytes}"
            result = self.run(store, limit=partial(_limit_memory, megabytes * 1_000_000))
            fine = result.returncode == 0 and self.is_whole(store)
            clear = result.returncode in (1, 2) and "Traceback" not in result.stderr
            well += fine or clear
            note = note if fine else last_line(result.stderr)
            if not (fine or clear):
                print(megabytes, result.returncode, result.stderr[-600:], file=sys.stderr)
            shutil.rmtree(store, ignore_errors=True)
        return Row(f"an address space of {sizes[0]} to {sizes[-1]} MB", well, len(sizes), note)


def _limit_memory(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def predictions(store: Path) -> dict[str, str]:
    """Return the hash of every stored prediction."""
    files = sorted((store / "steps").glob("*/logits.safetensors"))
    return {file.parent.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def is_clear(result: subprocess.CompletedProcess[str]) -> bool:
    """Return whether a run ended with a message for people."""
    return result.returncode == 2 and "Traceback" not in result.stderr


def children(pid: int) -> list[int]:
    """Return the processes that a process started."""
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in file.read_text().split()] if file.exists() else []


def workers_of(pid: int) -> list[int]:
    """Return the workers of a run: a server that the run started forks them."""
    return [worker for child in children(pid) for worker in children(child)]


def last_line(text: str) -> str:
    """Return the last line that says what is wrong."""
    lines = [line for line in text.splitlines() if line.startswith(("error", "warning"))]
    return lines[-1].replace("|", "\\|")[:160] if lines else ""


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """Yield a file system of a size."""
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def main() -> None:
    """Print the table."""
    names = ("kill", "flip", "swap", "disk", "read_only", "two", "version", "memory")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"which attacks to run: {', '.join(names)}")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if unknown := set(arguments.attacks) - set(names):
        parser.error(f"no attack is called {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as folder:
        attacker = Attacker(Path(folder), arguments.seed, arguments.kills)
        print("| attack | went well | printed |\n|---|---|---|")
        for name in arguments.attacks or names:
            try:
                result = getattr(attacker, name)()
                for row in [result] if isinstance(result, Row) else result:
                    print(f"| {row.attack} | {row.well} of {row.of} | {row.note} |", flush=True)
            except subprocess.CalledProcessError:
                print(f"| {name} | skipped: no file system may be mounted here | |", flush=True)


if __name__ == "__main__":
    main()
