"""The figures of the SETI paper (Fu and Frank, 2023), read from ``published.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from trivium.benchmarks.published import load_published

_PUBLISHED = load_published(Path(__file__).parent)


class Sizes(NamedTuple):
    """A row of Table 5: the number of training, dev and test examples."""

    train: int
    dev: int
    test: int


TABLE_5 = {
    setting: Sizes(sum(sizes["train"]), sum(sizes["dev"]), sizes["test"])
    for setting, sizes in _PUBLISHED["table_5"].items()
}
"""Sizes for compositional generalization, by setting."""

TABLE_5_BY_KIND: dict[str, dict[str, tuple[int, int]]] = {
    setting: {
        kind: (sizes["train"][index], sizes["dev"][index]) for index, kind in enumerate(_PUBLISHED["kinds"][setting])
    }
    for setting, sizes in _PUBLISHED["table_5"].items()
}
"""Training and dev examples for compositional generalization, by setting and kind of inference."""

LEXICAL_PAIRS: int = _PUBLISHED["natural_pairs"]["lexical"]
STRUCTURAL_PAIRS: int = _PUBLISHED["natural_pairs"]["structural"]
"""Natural pairs of each label; inferred from Table 5, since the paper does not print them."""

MISSING_RULES: dict[str, int] = _PUBLISHED["missing_rules"]
"""The number of composition rules in the test of a setting that its training data lacks."""

PAPERS_MODELS: tuple[str, ...] = tuple(_PUBLISHED["models"])
"""The paper's six models, by their names on the hub."""
