"""The figures of the C²Gen paper (Fu and Frank, 2024), in percent with their standard deviations.

They are data to compare with, never filled in for ours.
"""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """A published figure and its standard deviation over three seeds."""

    value: float
    spread: float | None = None


class StrategyRow(NamedTuple):
    """A line of Table 6: both primitives, both together, how much of the first was forgotten, and composition."""

    v: Figure
    n: Figure
    both: Figure
    forget: Figure
    ci: Figure


# Table 4: how many compositions of each type, by its number.
TABLE_4 = {1: 5976, 2: 5544, 3: 5520, 4: 5976, 5: 5544, 6: 5520, 7: 3735, 8: 3465, 9: 3450}

# Table 5, by (setting, stage): V, N, V+N, CI.
TABLE_5: dict[tuple[str, int], tuple[Figure | None, ...]] = {
    ("cgen", 1): (Figure(99.96, 0.12), Figure(94.36, 0.57), Figure(94.36, 0.41), Figure(46.67, 0.26)),
    ("ver-nat", 1): (Figure(100.00, 0.00), None, None, None),
    ("ver-nat", 2): (Figure(80.72, 0.39), Figure(94.25, 0.76), Figure(76.31, 0.59), Figure(39.40, 0.43)),
    ("nat-ver", 1): (None, Figure(93.94, 0.65), None, None),
    ("nat-ver", 2): (Figure(99.58, 0.14), Figure(71.15, 0.72), Figure(70.73, 0.49), Figure(37.36, 0.57)),
}

# Table 6, by (order, strategy): V, N, V+N, Forget of the first primitive, CI. The Forget of ver-nat without a strategy
# is printed as 19.18; by the paper's own formula and Table 5 it is 19.28.
TABLE_6: dict[tuple[str, str], StrategyRow] = {
    ("ver-nat", "finetune"): StrategyRow(
        Figure(80.72, 0.39), Figure(94.25, 0.76), Figure(76.31, 0.59), Figure(19.18, 0.39), Figure(39.40, 0.43),
    ),
    ("ver-nat", "er-res"): StrategyRow(
        Figure(99.89, 0.01), Figure(94.14, 0.56), Figure(94.04, 0.53), Figure(0.11, 0.01), Figure(44.89, 0.68),
    ),
    ("ver-nat", "er-buff"): StrategyRow(
        Figure(99.78, 0.01), Figure(94.25, 0.34), Figure(93.91, 0.28), Figure(0.15, 0.01), Figure(44.34, 0.56),
    ),
    ("ver-nat", "er-mir"): StrategyRow(
        Figure(99.92, 0.00), Figure(94.87, 0.29), Figure(94.04, 0.19), Figure(0.08, 0.00), Figure(44.73, 0.72),
    ),
    ("ver-nat", "agem"): StrategyRow(
        Figure(99.86, 0.02), Figure(94.91, 0.87), Figure(93.78, 0.75), Figure(0.14, 0.03), Figure(42.10, 0.91),
    ),
    ("ver-nat", "kd"): StrategyRow(
        Figure(99.80, 0.03), Figure(94.56, 0.63), Figure(90.13, 0.44), Figure(0.20, 0.03), Figure(42.37, 0.77),
    ),
    ("nat-ver", "finetune"): StrategyRow(
        Figure(99.58, 0.14), Figure(71.15, 0.72), Figure(70.73, 0.49), Figure(24.26, 0.48), Figure(37.36, 0.57),
    ),
    ("nat-ver", "er-res"): StrategyRow(
        Figure(100.00, 0.00), Figure(87.43, 0.67), Figure(87.43, 0.67), Figure(7.64, 0.53), Figure(42.34, 0.71),
    ),
    ("nat-ver", "er-buff"): StrategyRow(
        Figure(100.00, 0.00), Figure(87.38, 0.59), Figure(87.38, 0.59), Figure(6.91, 0.42), Figure(41.68, 0.42),
    ),
    ("nat-ver", "er-mir"): StrategyRow(
        Figure(100.00, 0.00), Figure(87.55, 0.71), Figure(87.55, 0.71), Figure(6.71, 0.69), Figure(42.01, 0.66),
    ),
    ("nat-ver", "agem"): StrategyRow(
        Figure(99.61, 0.03), Figure(81.70, 1.12), Figure(81.35, 0.94), Figure(13.25, 0.86), Figure(41.60, 0.81),
    ),
    ("nat-ver", "kd"): StrategyRow(
        Figure(97.86, 0.04), Figure(82.69, 0.99), Figure(81.90, 0.87), Figure(11.57, 0.68), Figure(41.78, 0.74),
    ),
}  # fmt: skip

# Table 7, by (setting, strategy), all ver → nat: P(✓)CI(✓), P(✓)CI(✗), P(✗)CI(✓), P(✗)CI(✗).
TABLE_7: dict[tuple[str, str], tuple[Figure, ...]] = {
    ("cgen", "finetune"): (Figure(46.05), Figure(52.41), Figure(0.62), Figure(0.92)),
    ("ver-nat", "finetune"): (Figure(37.98), Figure(46.71), Figure(1.42), Figure(13.89)),
    ("ver-nat", "er-res"): (Figure(44.33), Figure(54.38), Figure(0.56), Figure(0.73)),
}

# Table 8: CI in CGen by the number of the tested type. The averages follow from these.
TABLE_8 = {
    1: Figure(19.50), 2: Figure(73.86), 3: Figure(13.91),
    4: Figure(100.0), 5: Figure(100.0), 6: Figure(57.21),
    7: Figure(13.99), 8: Figure(26.50), 9: Figure(15.03),
}  # fmt: skip

# Table 9, by (end of the setting's name, column): CI after S2, with S3_cfo, with S3^{P|cfo}; all ver → nat with ER-Res.
# The heading of hard → easy contradicts the text, whose order (f_vc, f_ve, f_vn) is meant.
TABLE_9 = {
    ("", "cgen"): Figure(46.67), ("", "easy-hard"): Figure(44.89), ("", "hard-easy"): Figure(44.89),
    ("+cfo", "cgen"): Figure(48.64), ("+cfo", "easy-hard"): Figure(48.22), ("+cfo", "hard-easy"): Figure(46.06),
    ("+p|cfo", "cgen"): Figure(47.19), ("+p|cfo", "easy-hard"): Figure(45.45), ("+p|cfo", "hard-easy"): Figure(44.63),
}  # fmt: skip

# Table 11, by (words, setting, stage): V, N, V+N, CI. "natural" is the paper's "original".
TABLE_11: dict[tuple[str, str, int], tuple[Figure | None, ...]] = {
    ("natural", "cgen", 1): (Figure(100.00), Figure(92.92), Figure(92.92), Figure(46.15)),
    ("natural", "ver-nat", 1): (Figure(100.00), None, None, None),
    ("natural", "ver-nat", 2): (Figure(81.29), Figure(92.48), Figure(78.83), Figure(37.98)),
    ("natural", "nat-ver", 1): (None, Figure(93.15), None, None),
    ("natural", "nat-ver", 2): (Figure(99.87), Figure(73.91), Figure(72.42), Figure(34.64)),
    ("pseudo", "cgen", 1): (Figure(91.76), Figure(83.55), Figure(81.37), Figure(39.34)),
    ("pseudo", "ver-nat", 1): (Figure(90.14), None, None, None),
    ("pseudo", "ver-nat", 2): (Figure(76.29), Figure(81.57), Figure(73.82), Figure(36.62)),
    ("pseudo", "nat-ver", 1): (None, Figure(82.19), None, None),
    ("pseudo", "nat-ver", 2): (Figure(89.72), Figure(59.42), Figure(56.72), Figure(33.91)),
}

# Table 12 (Llama-2-7b with LoRA), by (setting, stage): V, N, V+N, CI.
TABLE_12: dict[tuple[str, int], tuple[Figure | None, ...]] = {
    ("cgen", 1): (Figure(100.00), Figure(95.17), Figure(95.17), Figure(49.51)),
    ("ver-nat", 1): (Figure(100.00), None, None, None),
    ("ver-nat", 2): (Figure(82.89), Figure(95.08), Figure(79.63), Figure(44.39)),
    ("nat-ver", 1): (None, Figure(95.14), None, None),
    ("nat-ver", 2): (Figure(99.43), Figure(75.24), Figure(74.82), Figure(42.63)),
}

# Section 5.4: the gap between CGen and C²Gen by learning rate.
LEARNING_RATE_GAPS = {
    "Task_P (V+N)": {"1e-5": 18.11, "2e-5": 19.05, "3e-5": 19.88},
    "Task_CI": {"1e-5": 7.44, "2e-5": 8.39, "3e-5": 9.26},
}
