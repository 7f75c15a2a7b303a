"""The figures of the ConjNLI paper (Saha et al., 2020), read from ``published.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from trivium.benchmarks.published import load_published

_DATA = load_published(Path(__file__).parent)

PAPERS_MODEL: str = _DATA["model"]
PAPERS_BERT: str = _DATA["bert"]


class Scores(NamedTuple):
    """A row of the authors' scoreboard: accuracy on ConjNLI dev, MNLI matched and mismatched, and ConjNLI test."""

    dev: float
    matched: float
    mismatched: float
    test: float


SCOREBOARD = {model: Scores(*map(float, row.split())) for model, row in _DATA["scoreboard"].items()}
"""The authors' scoreboard by method; ``base`` is RoBERTa trained on MNLI, ``bert`` is BERT."""

MEAN: float = _DATA["instability"]["mean"]
"""The mean accuracy of RoBERTa on ConjNLI dev, trained on MNLI with ten seeds (5.5)."""

TOTAL: float = _DATA["instability"]["total"]
"""The total standard deviation of this accuracy over seeds, in points (5.5)."""

INDEPENDENT: float = _DATA["instability"]["independent"]
"""The part of the standard deviation from independent examples, in points (5.5)."""

COVARIANCE: float = _DATA["instability"]["covariance"]
"""The part of the standard deviation from the covariance between examples, in points (5.5)."""

BOOLEAN: dict[str, tuple[float, float]] = {method: tuple(row) for method, row in _DATA["boolean"].items()}
"""Accuracy on Boolean and on non-Boolean pairs (5.7), by method."""

NON_BOOLEAN_SHARE: float = _DATA["non_boolean_share"]
"""The share of non-Boolean pairs in dev, as annotated by an expert, in percent (5.7)."""

FRAGMENT: dict[str, float] = _DATA["fragment"]
"""Accuracy on the Boolean fragment of the MNLI base, and after IAFT with the fragment's training pairs (5.2)."""

FLIPS_CHANGED: float = _DATA["flips_changed"]
"""The share of predictions that change when *and* becomes *either … or*, in percent (5.1)."""

AMOUNT_GAIN: float = _DATA["amount_gain"]
"""The gain on dev from the first 12,000 of 15,000 adversarial pairs, in points (5.4)."""

AMOUNT_SHARE: float = _DATA["amount_share"]
"""The share of these 12,000 pairs in all 15,000, as a fraction."""
