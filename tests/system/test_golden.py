"""Every benchmark's ``smoke`` preset has the recorded step keys and the recorded predictions.

The record was made before the code around the engine was rearranged, so that rearranging changes no result. Hashes of
predictions are compared where the processor and the versions are those of the record; elsewhere the mean size of the
logits is, which rounding hardly moves. A change that is meant to alter results records them anew::

    python -m tests.system.test_golden
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

Trivium = Callable[..., "subprocess.CompletedProcess[str]"]

RECORD = Path(__file__).parent / "golden" / "smoke.json"
GOLDEN = json.loads(RECORD.read_text(encoding="utf-8"))
BENCHMARKS = ("c2gen", "cfl", "conjnli", "curriculum", "seti")


def predictions(store: Path) -> dict[str, tuple[str, float]]:
    """The hash of every stored prediction, and the mean size of its values."""
    found = {}
    for file in sorted(store.glob("steps/*/*.safetensors")):
        if file.stem in ("logits", "vectors"):
            size = np.mean([np.abs(values).mean() for values in load_file(file).values() if values.size])
            found[file.parent.name] = (hashlib.sha256(file.read_bytes()).hexdigest()[:16], round(float(size), 4))
    return found


def environment(store: Path) -> dict[str, str]:
    """The versions and the processor of the steps in a store, Python's own version aside."""
    made = json.loads(next(store.glob("steps/*/step.json")).read_text(encoding="utf-8"))["environment"]
    return {name: value for name, value in made.items() if name != "python"}


def trained(store: Path) -> list[str]:
    """The keys of the steps that predicted nothing."""
    return sorted({file.stem for file in (store / "costs").glob("*.json")} - set(predictions(store)))


def test_the_record_has_every_benchmark() -> None:
    assert sorted(GOLDEN["benchmarks"]) == sorted(BENCHMARKS)


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_a_smoke_run_has_the_recorded_steps_and_predictions(trivium: Trivium, tmp_path: Path, benchmark: str) -> None:
    done = trivium("run", benchmark, "--preset", "smoke", "--store", tmp_path)
    assert done.returncode == 0, done.stderr
    golden, found = GOLDEN["benchmarks"][benchmark], predictions(tmp_path)
    assert sorted(found) == sorted(golden["predicted"]), "the keys of predictions changed"
    assert trained(tmp_path) == golden["trained"], "the keys of other steps changed"
    for key, (_, size) in found.items():
        assert size == pytest.approx(golden["predicted"][key][1], abs=0.05)
    if environment(tmp_path) == GOLDEN["environment"]:
        assert {key: digest for key, (digest, _) in found.items()} == {
            key: digest for key, (digest, _) in golden["predicted"].items()
        }


def record() -> None:
    """Run every smoke preset and write the record."""
    benchmarks: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for benchmark in BENCHMARKS:
            store = Path(folder) / benchmark
            command = [sys.executable, "-m", "trivium", "run", benchmark, "--preset", "smoke", "--store", str(store)]
            subprocess.run(command, check=True)
            benchmarks[benchmark] = {"trained": trained(store), "predicted": predictions(store)}
            made = environment(store)
    plain = json.dumps({"environment": made, "benchmarks": benchmarks}, indent=1, sort_keys=True)
    RECORD.write_text(plain + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
