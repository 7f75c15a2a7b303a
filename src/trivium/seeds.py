"""Every random choice comes from a named stream that is derived from the seed. There is no global random state."""

from __future__ import annotations

import hashlib

import numpy as np


def stream_seed(seed: int, *names: str | int) -> int:
    """A 63-bit seed for the stream with these names (``data``, ``init``, ``train``, ``memory``, …)."""
    text = "/".join(str(name) for name in (seed, *names))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def stream(seed: int, *names: str | int) -> np.random.Generator:
    """A generator of its own for the stream with these names."""
    return np.random.default_rng(stream_seed(seed, *names))
