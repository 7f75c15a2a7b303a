"""Inter-annotator agreement: Cohen's kappa and percentage agreement, with bootstrap intervals."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from trivium.measure.bootstrap import Bootstrap, Interval, interval
from trivium.measure.metrics import Floats
from trivium.measure.table import SCORE, Cell, Row, Table
from trivium.seeds import stream

_UNDEFINED = float("nan")


class BuiltPair(Protocol):
    """A generated pair: its type of inference and the label that it was built with."""

    @property
    def inference(self) -> str:
        """The type of inference."""

    @property
    def label(self) -> str:
        """The label."""


def kappa(first: Sequence[str], second: Sequence[str], resamples: int = 1000, seed: int = 0) -> Interval:
    """Return Cohen's kappa of two annotators' answers to the same pairs, with a bootstrap interval over the pairs.

    Kappa is undefined (NaN) if both annotators give the same single answer to every pair; such resamples are ignored.
    """
    names = sorted({*first, *second})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns about an undefined kappa; the caller sees NaN
        value = float(cohen_kappa_score(first, second, labels=names))
        counts = confusion_matrix(first, second, labels=names).ravel()
    # Resampling pairs is the same as drawing the cells of the confusion matrix from a multinomial distribution.
    rng = stream(seed, "bootstrap", "kappa", len(first))
    drawn = rng.multinomial(len(first), counts / counts.sum(), size=resamples)
    values = _kappas(drawn.reshape(resamples, len(names), len(names)))
    defined = values[~np.isnan(values)]
    if np.isnan(value) or not len(defined):
        return Interval(value, _UNDEFINED, _UNDEFINED)
    return interval(np.concatenate([[value], defined]))


def _kappas(confusion: NDArray[np.int64]) -> Floats:
    """Return (p_o − p_e) / (1 − p_e) of each confusion matrix; NaN where the expected agreement p_e is 1."""
    total = confusion.sum(axis=(1, 2))
    observed = np.trace(confusion, axis1=1, axis2=2) / total
    expected = (confusion.sum(axis=1) * confusion.sum(axis=2)).sum(axis=1) / total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(expected == 1, np.nan, (observed - expected) / (1 - expected)))


def agreement(first: Sequence[str], second: Sequence[str]) -> Interval:
    """Return the percentage of pairs with the same answer, with a bootstrap interval over the pairs."""
    same = np.asarray(first) == np.asarray(second)
    return interval(100 * Bootstrap().mean(same, f"agreement {len(same)}"))


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
