"""Whether this machine's processor computes in a precision. Imports no torch."""

from __future__ import annotations

from pathlib import Path

from trivium.errors import UserError, option
from trivium.learn.config import TrainConfig

_CPUINFO = Path("/proc/cpuinfo")
_BF16 = ("amx_bf16", "avx512_bf16", "bf16")  # the last is that of ARM


def has_bf16() -> bool:
    """Return whether the processor has instructions for bfloat16; True if unknown."""
    try:
        lines = _CPUINFO.read_text().splitlines()
    except OSError:
        return True
    flags = {flag for line in lines if line.startswith(("flags", "Features")) for flag in line.split()}
    return not flags or not flags.isdisjoint(_BF16)


def check_precision(train: TrainConfig) -> None:
    """Raise a UserError if a training needs bfloat16 and the processor would emulate it, many times slower."""
    if train.precision == "bf16" and train.device == "cpu" and not has_bf16():
        raise UserError(
            "train.precision is 'bf16', but this processor has no instructions for bfloat16: "
            f"{option('set', 'train.precision=fp32')}"
        )
