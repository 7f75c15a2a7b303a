"""The figures of the CURRICULUM paper (Chen and Gao, 2022), read from ``published.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from trivium.benchmarks.published import load_published
from trivium.data.curriculum_runs import Measured, has_author_runs, read_author_runs

_PUBLISHED = load_published(Path(__file__).parent)


class Shares(NamedTuple):
    """Percentages of phenomena for which a statement of section 5 is true; ``published.toml`` lists the statements."""

    zero_shot_above_0: float
    zero_shot_above_half: float
    recovered: float
    not_improved: float
    learned: float
    no_gain: float
    biased: float
    general: float
    not_general: float
    only_simple_to_hard: float


PAPERS_MODEL: str = _PUBLISHED["model"]

INFORMATION: dict[str, float] = _PUBLISHED["information"]
"""V-information in bits by phenomenon (Table 2)."""

SIZES: dict[str, tuple[int | None, int | None]] = {
    phenomenon: (sizes.get("train"), sizes.get("dev")) for phenomenon, sizes in _PUBLISHED["sizes"].items()
}
"""The number of training and dev examples by phenomenon, where legible (Table 5)."""

SHARES = Shares(**_PUBLISHED["shares"])

TRANSFER_KG_REL: dict[tuple[str, str], float] = {
    (trained, tested): accuracy
    for trained, row in _PUBLISHED["transfer_kg_rel"].items()
    for tested, accuracy in row.items()
}
"""Accuracy on relational knowledge in percent, by the half that is trained on and the half that is tested (5.4)."""


@cache
def author_runs() -> Mapping[str, Mapping[str, Measured]]:
    """Return the zero-shot figures in the authors' repository by model and phenomenon; empty if not available."""
    return read_author_runs() if has_author_runs() else {}
