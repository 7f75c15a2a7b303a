"""The figures of the ConjNLI paper (Saha et al., 2020) that its text has. They are data to compare with, never ours.

Tables 6 to 9 are not among what we can read of the paper: where a figure is not in the text, none is given.
"""

from __future__ import annotations

PAPERS_MODEL = "roberta-base"
MEAN = 64.48
"""The mean accuracy of RoBERTa on ConjNLI dev, trained on MNLI with ten seeds (5.5)."""

TOTAL, INDEPENDENT, COVARIANCE = 0.59, 0.49, 0.22
"""Total and independent standard deviation and inter-data covariance of it, in points (5.5).

The three do not add up: 0.59² − 0.49² is 0.11, of which the root is 0.33.
"""

BOOLEAN = {"base": (68.0, 58.0), "iaft": (72.0, 61.0), "pa": (69.0, 58.0)}
"""Accuracy on Boolean and on non-Boolean pairs (5.7), by method."""

NON_BOOLEAN_SHARE = 34.0
"""The share of non-Boolean pairs in dev, by a reader, in percent (5.7)."""

FRAGMENT = {"base": 41.5, "iaft-fragment": 99.8}
"""Accuracy on the Boolean fragment of the MNLI base, and after IAFT with that fragment's training pairs (5.2)."""

FLIPS_CHANGED = 0.0
"""How many predictions change when *and* becomes *either … or*: none of 100 (5.1)."""

AMOUNT_GAIN = 4.0
"""What the first 12,000 of 15,000 adversarial pairs gain on dev (5.4)."""

AMOUNT_SHARE = 0.8
"""12,000 of 15,000."""
