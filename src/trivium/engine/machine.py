"""The processor and the free memory of this machine, and the memory that steps need. Imports no torch."""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path

from trivium.engine.steps import Step, TrainStep
from trivium.errors import UserError

_PROCESS = 600_000_000  # Python with torch and transformers
_EMBEDDED = {"tiny": 20_000_000, "minilm": 91_000_000}
_UNKNOWN = 500_000_000  # a model on a hub
_COPIES = {"train": 6, "predict": 1, "divide": 0}  # weights, gradients, Adam's two moments, and a strategy's copies
_SMALL = 150_000_000  # bytes of a model that predicts a hundred pairs in a second or so
FEW_PAIRS = 2000
"""Below this number of pairs, a small model predicts faster than a worker starts."""
_ACTIVATIONS = 400_000  # bytes that training keeps per token of a base-size model
_CGROUP = Path("/sys/fs/cgroup")
_CPUINFO = Path("/proc/cpuinfo")
_VECTORS = ("amx_bf16", "avx512_bf16", "avx512_vnni", "avx512f", "avx2")


def processor() -> str:
    """Return the model of this machine's processor, and its widest vector instructions.

    Machines of a cloud hide the exact model: only these tell two types of *AMD EPYC* apart, and results differ by them.
    """
    try:
        lines = _CPUINFO.read_text().splitlines()
    except OSError:
        return platform.processor()
    facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    name, flags = facts.get("model name", "unknown"), facts.get("flags", facts.get("Features", "")).split()
    widest = next((flag for flag in _VECTORS if flag in flags), None)
    return name if widest is None else f"{name} ({widest})"


def memory_of(step: Step) -> int:
    """Estimate the bytes that all processes of a step take, on the high side."""
    training = step.training
    tokens = training.train.batch_size * training.model.max_length if isinstance(step, TrainStep) else 0
    return step.processes * (_PROCESS + _COPIES[step.kind] * _weights(training.model.name) + tokens * _ACTIVATIONS)


def is_small(step: Step) -> bool:
    """Return whether a step only loads a small pretrained model or predicts with it."""
    train = step.training.train
    # Several threads would wait by spinning in this process: see executors/local.py.
    is_plain = step.training.is_load and train.device == "cpu" and train.threads == 1
    return is_plain and _weights(step.training.model.name) < _SMALL


def available_memory() -> int | None:
    """Return how many bytes are free on this machine or in its container; None if unknown."""
    values = [_from_meminfo(), _from_cgroup()]
    return min((value for value in values if value is not None), default=None)


def fits_in_memory(step: Step) -> bool:
    """Return whether a step can start now without running out of memory."""
    available = available_memory()
    return available is None or memory_of(step) <= available


def check_memory(step: Step) -> None:
    """Raise a UserError if a step does not fit into memory even though no other step runs."""
    available = available_memory()
    if available is not None and memory_of(step) > available:
        raise UserError(
            f"a step needs about {memory_of(step) / 1e9:.1f} GB of memory, but only {available / 1e9:.1f} GB are free: "
            "close other programs, or lower train.batch_size or model.max_length"
        )


@cache
def _weights(name: str) -> int:
    if name in _EMBEDDED:
        return _EMBEDDED[name]
    files = list(Path(name).glob("*.safetensors")) if Path(name).is_dir() else []
    return sum(file.stat().st_size for file in files) or _UNKNOWN


def _from_meminfo() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return None


def _from_cgroup() -> int | None:
    try:
        limit = int((_CGROUP / "memory.max").read_text())  # "max" if there is no limit
        return limit - int((_CGROUP / "memory.current").read_text())
    except (OSError, ValueError):
        return None
