"""How far two people agree: Cohen's kappa and plain agreement, with bootstrap intervals."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from trivium.build.verification import Item
from trivium.measure.bootstrap import Bootstrap, Interval, interval
from trivium.measure.metrics import Floats
from trivium.measure.table import SCORE, Cell, Row, Table
from trivium.seeds import stream

_UNDEFINED = float("nan")


def kappa(first: Sequence[str], second: Sequence[str], resamples: int = 1000, seed: int = 0) -> Interval:
    """Cohen's kappa of two people's answers to the same pairs, with a bootstrap interval over the pairs.

    Two people who give one and the same answer to everything may agree by chance alone: kappa is then undefined, as it
    is on resamples in which they do.
    """
    names = sorted({*first, *second})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an undefined kappa is told by its value
        value = float(cohen_kappa_score(first, second, labels=names))
        counts = confusion_matrix(first, second, labels=names).ravel()
    # To draw pairs anew is to draw the cells of the confusion matrix that they fall into.
    rng = stream(seed, "bootstrap", "kappa", len(first))
    drawn = rng.multinomial(len(first), counts / counts.sum(), size=resamples)
    values = _kappas(drawn.reshape(resamples, len(names), len(names)))
    defined = values[~np.isnan(values)]
    if np.isnan(value) or not len(defined):
        return Interval(value, _UNDEFINED, _UNDEFINED)
    return interval(np.concatenate([[value], defined]))


def _kappas(confusion: NDArray[np.int64]) -> Floats:
    """(p_o − p_e) / (1 − p_e) of each confusion matrix; undefined where chance alone explains everything."""
    total = confusion.sum(axis=(1, 2))
    observed = np.trace(confusion, axis1=1, axis2=2) / total
    expected = (confusion.sum(axis=1) * confusion.sum(axis=2)).sum(axis=1) / total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(expected == 1, np.nan, (observed - expected) / (1 - expected)))


def agreement(first: Sequence[str], second: Sequence[str]) -> Interval:
    """The percentage of pairs with the same answer, with a bootstrap interval over the pairs."""
    same = np.asarray(first) == np.asarray(second)
    return interval(100 * Bootstrap().mean(same, f"agreement {len(same)}"))


def agreement_tables(key: Mapping[str, Item], answers: Mapping[str, tuple[str, str]]) -> list[Table]:
    """Kappa, and the agreement of two people with each other and with what was built, by kind of inference."""
    kinds: dict[str, list[str]] = {}
    for id, item in key.items():
        kinds.setdefault(item.inference, []).append(id)
    kappas, shares = [], []
    for kind, ids in sorted(kinds.items()):
        first, second = ([answers[id][person] for id in ids] for person in (0, 1))
        built = [key[id].label for id in ids]
        kappas.append(Row(f"{kind} ({len(ids)} pairs)", (Cell(kappa(first, second)),)))
        pairs = ((first, second), (first, built), (second, built))
        shares.append(Row(f"{kind} ({len(ids)} pairs)", tuple(Cell(agreement(one, other)) for one, other in pairs)))
    return [
        Table("Agreement", "Cohen's kappa of two people", ("kappa",), tuple(kappas), SCORE),
        Table("Consistency", "pairs with the same answer", ("A and B", "A and built", "B and built"), tuple(shares)),
    ]
