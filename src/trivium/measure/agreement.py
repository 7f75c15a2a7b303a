"""Inter-annotator agreement: Cohen's kappa and percentage agreement, with 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from sklearn.metrics import confusion_matrix

from trivium.measure.metrics import Floats
from trivium.measure.statistics.intervals import Interval, counts_interval, share_interval
from trivium.measure.table import SCORE, Cell, Row, Table

_UNDEFINED = float("nan")


class BuiltPair(Protocol):
    """A generated pair: its type of inference and the label that it was built with."""

    @property
    def inference(self) -> str:
        """The type of inference."""

    @property
    def label(self) -> str:
        """The label."""


def kappa(first: Sequence[str], second: Sequence[str]) -> Interval:
    """Return Cohen's kappa of two annotators' answers to the same pairs, with its 95 % interval.

    Kappa is undefined (NaN) if both annotators give the same single answer to every pair.
    """
    names = sorted({*first, *second})
    counts = confusion_matrix(first, second, labels=names).astype(np.float64).ravel()
    if np.isnan(_kappa(counts)):
        return Interval(_UNDEFINED, _UNDEFINED, _UNDEFINED)
    return counts_interval(_kappa, counts, -1.0, 1.0)


def _kappa(counts: Floats) -> float:
    """Return (p_o − p_e) / (1 − p_e) of a flattened confusion matrix; NaN if the expected agreement p_e is 1."""
    number = math.isqrt(len(counts))
    confusion = counts.reshape(number, number)
    total = confusion.sum()
    observed = np.trace(confusion) / total
    expected = float((confusion.sum(axis=0) * confusion.sum(axis=1)).sum() / total**2)
    return _UNDEFINED if expected == 1 else float((observed - expected) / (1 - expected))


def agreement(first: Sequence[str], second: Sequence[str]) -> Interval:
    """Return the percentage of pairs with the same answer, with Wilson's interval."""
    return 100 * share_interval(np.asarray(first) == np.asarray(second))


def agreement_tables(key: Mapping[str, BuiltPair], answers: Mapping[str, tuple[str, str]]) -> list[Table]:
    """Return two tables by type of inference: kappa, and the agreement of annotators and built labels.

    ``key`` has the pair with each id, ``answers`` the labels that annotators A and B gave it.
    """
    by_inference: dict[str, list[str]] = {}
    for id, item in key.items():
        by_inference.setdefault(item.inference, []).append(id)
    kappas, agreements = [], []
    for inference, ids in sorted(by_inference.items()):
        name = f"{inference} ({len(ids)} pairs)"
        first, second = ([answers[id][annotator] for id in ids] for annotator in (0, 1))
        built = [key[id].label for id in ids]
        kappas.append(Row(name, (Cell(kappa(first, second)),)))
        comparisons = ((first, second), (first, built), (second, built))
        agreements.append(Row(name, tuple(Cell(agreement(left, right)) for left, right in comparisons)))
    columns = ("A and B", "A and built", "B and built")
    return [
        Table("Agreement", "Cohen's kappa of two annotators", ("kappa",), tuple(kappas), SCORE),
        Table("Consistency", "pairs with the same answer", columns, tuple(agreements)),
    ]
