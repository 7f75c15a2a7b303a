"""Serve timed rounds of one side of a comparison: a line of JSON for each round that is asked for.

Uses the standard library alone, because sides run in environments of their own.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

Prepare = Callable[[int], Callable[[], Any]]
"""Takes the number of a round and returns the function to time, whose result is compared with that of the peer."""
_PACKAGES = ("torch", "transformers", "avalanche-lib", "scikit-learn", "numpy")


def serve(set_up: Callable[[dict[str, Any]], Prepare]) -> None:
    """Read the work from the file that the last argument names, and run a round for each number on standard input."""
    with open(sys.argv[-1], encoding="utf-8") as file:  # noqa: PTH123 - no imports that the other side would not have
        work = json.load(file)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print does not disturb the answers
    prepare = set_up(work)
    _answer(answers, {"versions": _versions()})
    for line in sys.stdin:
        run = prepare(int(line))
        wall, cpu = time.perf_counter(), time.process_time()
        result = run()
        seconds = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
        _answer(answers, seconds | {"result": result})


def _answer(file: Any, value: object) -> None:
    file.write(json.dumps(value) + "\n")
    file.flush()


def _versions() -> dict[str, str]:
    versions = {}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions
