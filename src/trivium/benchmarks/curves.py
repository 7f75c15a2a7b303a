"""Learning curves: the loss of every training of an experiment, averaged over folds and seeds."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trivium.benchmarks.experiment import Experiment
from trivium.engine.store import Store
from trivium.measure.chart import Curves, Dot

_BINS = 40
_MAX_SERIES = 7
_AVERAGED = ("fold", "seed", "number", "stage", "test", "words", "size")


def learning_curves(experiment: Experiment[Any, Any], store: Store) -> Curves | None:
    """Return the mean loss along each stage, one line for each setting and strategy; None if no loss is stored."""
    losses: dict[tuple[int, str], dict[str, NDArray[np.float32]]] = {}
    own: list[str] = []
    for fields, step in experiment.predictions():
        values = store.losses(step.training.key)
        if values is not None and np.isfinite(values).all():
            key = (step.training.stage, _series(fields))
            losses.setdefault(key, {})[step.training.key] = values
            if step.training.strategy.plugin:  # a strategy of the user is always shown
                own.append(key[1])
    shown_series = list(dict.fromkeys([*own, *(series for _, series in losses)]))[:_MAX_SERIES]
    dots = [
        Dot(f"Stage {stage}", series, *point)
        for (stage, series), trainings in sorted(losses.items())
        if series in shown_series
        for point in _mean_curve(list(trainings.values()))
    ]
    if not dots:
        return None
    more = len({series for _, series in losses}) - len(shown_series)
    caption = "Training loss, averaged over folds and seeds" + (f"; {more} more lines are not shown." if more else ".")
    return Curves("learning-curves", "Learning curves", caption, "optimizer step", "loss", tuple(dots))


def _series(fields: Mapping[str, Any]) -> str:
    return ", ".join(str(value) for name, value in fields.items() if name not in _AVERAGED and value not in ("", None))


def _mean_curve(trainings: list[NDArray[np.float32]]) -> list[tuple[float, float]]:
    """Return the mean loss in up to 40 parts of the training, at the last step of each part."""
    length = min(len(values) for values in trainings)
    ends = np.unique(np.linspace(0, length, min(_BINS, length) + 1).round().astype(int))
    mean = np.mean([values[:length] for values in trainings], axis=0)
    return [(float(end), float(mean[start:end].mean())) for start, end in pairwise(ends)]
