"""The default pairs of the built-in source, recorded: generating them takes longer than reporting a finished run.

After a change of the grammar, record them anew::

    python -m trivium.data.sources.builtin.generate
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

PAIRS, SEED = 3000, 0
"""The number of the recorded pairs, and their seed."""
FILE = Path(__file__).with_name("pairs.tsv.gz")

Fields = tuple[str, str, str, str, str, str, bool]
"""The fields of a ``Pair``, whose module takes long to import."""


def recorded_pairs() -> Iterator[Fields]:
    """Yield the fields of the recorded pairs."""
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        for line in lines:
            premise, hypothesis, label, relation, slot, words, complement = line.rstrip("\n").split("\t")
            yield premise, hypothesis, label, relation, slot, words, complement == "yes"


def generated_pairs(seed: int) -> Iterator[Fields]:
    """Yield the fields of new pairs forever."""
    import numpy as np

    from trivium.data.sources.builtin.generate import generate_pairs

    yield from generate_pairs(np.random.default_rng([seed, *b"builtin"]))
