"""Named random streams derived from one seed. Every random choice uses such a stream; there is no global state."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line shows its help without numpy
    import numpy as np


def stream_seed(seed: int, *names: str | int) -> int:
    """Return the 63-bit seed of the stream with these names (``data``, ``init``, ``train``, ``memory``, …)."""
    text = "/".join(str(name) for name in (seed, *names))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def stream(seed: int, *names: str | int) -> np.random.Generator:
    """Return a new random generator for the stream with these names."""
    import numpy as np

    return np.random.default_rng(stream_seed(seed, *names))
