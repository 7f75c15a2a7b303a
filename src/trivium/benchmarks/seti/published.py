"""The figures of the SETI paper (Fu and Frank, 2023). They are data to compare with, never filled in for ours.

The accuracies of its Figures 1 and 2 are drawn, not printed: only what the text says of them is here.
"""

from __future__ import annotations

from typing import NamedTuple


class Sizes(NamedTuple):
    """A line of Table 5: what is trained of each kind, what is held out of it, and how much is tested."""

    train: int
    dev: int
    test: int


# Table 5, compositional generalization; train and dev are the sums of both kinds.
TABLE_5 = {
    "task1-trivial": Sizes(1680 + 1686, 420 + 422, 63240),
    "task1-nontrivial": Sizes(600 + 603, 150 + 151, 22620),
    "task2-trivial": Sizes(25296, 6324, 31620),
    "task2-nontrivial": Sizes(25296, 6324, 31620),
    "task3-trivial": Sizes(480 + 480, 120 + 120, 9000),
    "task3-nontrivial-ver": Sizes(9048 + 9048, 2262 + 2262, 11310),
    "task3-nontrivial-nat": Sizes(600 + 603, 150 + 151, 11310),
}
LEXICAL_PAIRS, STRUCTURAL_PAIRS = 754, 300
"""Pairs of each label, which the paper does not print: the only numbers that give all of Table 5.

15 · (2 · 754 + 2 · 300) = 31,620, 30 · 2,108 = 63,240, 30 · 754 = 22,620, 15 · 600 = 9,000, 15 · 754 = 11,310.
"""
MISSING_RULES = {"task1-nontrivial": 4, "task2-nontrivial": 2, "task3-nontrivial-nat": 1}
"""How many composition rules a test needs that training does not show: as many shots lift the task (section 5.2)."""
PAPERS_MODELS = ("bert-large-uncased", "roberta-large", "albert-large-v2", "gpt2-large", "bart-large", "t5-large")
"""The six models of appendix C, by their names on the hub."""
