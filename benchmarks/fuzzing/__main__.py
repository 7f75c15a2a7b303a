"""Print the table, or one row of it; see the package for the usage."""

from __future__ import annotations

import argparse
import resource
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import benchmarks.fuzzing
from benchmarks.fuzzing.check import Outcome, check, content_of, raise_hang, run_reader
from benchmarks.fuzzing.readers import reader_of, readers

MEMORY = 8 << 30  # bytes of address space of a process


def print_table(inputs: int) -> None:
    """Print the rows of all readers. Two readers run at a time."""
    print(f"| reader | inputs | accepted | refused | faults | slowest (ms) |\n{'|---' * 6}|", flush=True)
    found = []

    def run_apart(name: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "benchmarks.fuzzing", "--reader", name, "--inputs", str(inputs)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    pool = ThreadPoolExecutor(2)
    for name, done in zip(readers(), pool.map(run_apart, readers()), strict=True):
        if done.returncode:
            print(f"| {name} | | | | ended by {done.returncode} | |", flush=True)
            found.append(f"{name}: {done.stderr.strip().splitlines()[-1:]}")
            continue
        row, *faults = done.stdout.strip().splitlines()
        print(row, flush=True)
        found += faults
    print("\n" + "\n".join(f"- {fault}" for fault in found) if found else "\nNo faults.", flush=True)


def print_row(name: str, inputs: int) -> None:
    """Print the row of a reader, and its faults."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    outcome = run_reader(name, inputs)
    print(outcome.row())
    for fault, count in outcome.faults.most_common():
        print(f"{name}: {fault}: {count} (first: input {outcome.first[fault]})")


def show_input(name: str, number: int) -> None:
    """Print the beginning of an input and what becomes of it."""
    signal.signal(signal.SIGPROF, raise_hang)
    print(content_of(reader_of(name), number)[:2000])
    outcome = Outcome(name)
    check(reader_of(name), number, outcome, raising=True)
    print(outcome)


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser(
        description=benchmarks.fuzzing.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reader", choices=list(readers()), metavar="NAME", help="only this one")
    parser.add_argument("--inputs", type=int, default=10_000, help="for each reader")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="only this input of the reader")
    options = parser.parse_args()
    if options.reader is None:
        print_table(options.inputs)
    elif options.only is None:
        print_row(options.reader, options.inputs)
    else:
        show_input(options.reader, options.only)


if __name__ == "__main__":
    main()
