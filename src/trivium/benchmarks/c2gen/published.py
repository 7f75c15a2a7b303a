"""The figures of the C²Gen paper (Fu and Frank, 2024), read from ``published.toml``, in percent."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from trivium.benchmarks.published import Figure, load_published, parse_row

_PUBLISHED = load_published(Path(__file__).parent)


class StrategyRow(NamedTuple):
    """A row of Table 6: V, N, V+N, the forgetting of the primitive learned first, and CI."""

    v: Figure
    n: Figure
    both: Figure
    forget: Figure
    ci: Figure


def _by_stage(table: Mapping[str, Mapping[str, str]]) -> dict[tuple[str, int], tuple[Figure | None, ...]]:
    return {(setting, int(stage)): parse_row(row) for setting, rows in table.items() for stage, row in rows.items()}


def _complete(row: str) -> tuple[Figure, ...]:
    return tuple(figure for figure in parse_row(row) if figure is not None)


TABLE_4: dict[int, int] = {int(number): count for number, count in _PUBLISHED["table_4"].items()}
"""The number of compositions of each type, by the number of the type."""

TABLE_5 = _by_stage(_PUBLISHED["table_5"])
"""V, N, V+N and CI by (setting, stage)."""

TABLE_6 = {
    (order, strategy): StrategyRow(*_complete(row))
    for order, rows in _PUBLISHED["table_6"].items()
    for strategy, row in rows.items()
}
"""The strategies by (order, strategy)."""

TABLE_7 = {
    (setting, strategy): _complete(row)
    for setting, rows in _PUBLISHED["table_7"].items()
    for strategy, row in rows.items()
}
"""P(✓)CI(✓), P(✓)CI(✗), P(✗)CI(✓) and P(✗)CI(✗) by (setting, strategy), in the order ver → nat."""

TABLE_8 = {int(number): Figure(value) for number, value in _PUBLISHED["table_8"].items()}
"""CI of CGen by the number of the tested type."""

TABLE_9 = {
    ("" if suffix == "S2" else suffix, column): figure
    for suffix, row in _PUBLISHED["table_9"].items()
    for column, figure in zip(("cgen", "easy-hard", "hard-easy"), _complete(row), strict=True)
}
"""CI with a third stage by (suffix of the setting's name, column); without a suffix, CI after S2."""

TABLE_11 = {
    (words, setting, stage): row
    for words, table in _PUBLISHED["table_11"].items()
    for (setting, stage), row in _by_stage(table).items()
}
"""V, N, V+N and CI by (words, setting, stage). The paper calls natural words original."""

TABLE_12 = _by_stage(_PUBLISHED["table_12"])
"""V, N, V+N and CI of Llama-2-7b with LoRA by (setting, stage)."""

LEARNING_RATE_GAPS: dict[str, dict[str, float]] = _PUBLISHED["learning_rate_gaps"]
"""The gap between CGen and C²Gen by task and learning rate (section 5.4)."""
