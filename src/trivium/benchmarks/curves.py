"""Learning curves: the loss of every training of an experiment, averaged over folds and seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
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


def learning_curves(experiment: Experiment[Any, Any], store: Store) -> Iterator[Curves]:
    """Yield the mean loss along each stage, and the accuracy on held-out examples, where they are stored.

    There is one line for each setting and strategy.
    """
    loss = Curves("learning-curves", "Learning curves", "Training loss", "optimizer step", "loss", ())
    held_out = Curves("held-out-curves", "Accuracy on held-out training examples", "Accuracy", "epoch", "accuracy", ())
    for empty, read in ((loss, store.losses), (held_out, store.held_out)):
        if curves := _filled(empty, read, experiment):
            yield curves


def _filled(
    empty: Curves, read: Callable[[str], NDArray[np.float32] | None], experiment: Experiment[Any, Any]
) -> Curves | None:
    losses: dict[tuple[int, str], dict[str, NDArray[np.float32]]] = {}
    own: list[str] = []
    for fields, step in experiment.predictions():
        values = read(step.training.key)
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
    caption = f"{empty.caption}, averaged over folds and seeds"
    return replace(empty, caption=caption + (f"; {more} more lines are not shown." if more else "."), dots=tuple(dots))


def _series(fields: Mapping[str, Any]) -> str:
    return ", ".join(str(value) for name, value in fields.items() if name not in _AVERAGED and value not in ("", None))


def _mean_curve(trainings: list[NDArray[np.float32]]) -> list[tuple[float, float]]:
    """Return the mean loss in up to 40 parts of the training, at the last step of each part."""
    length = min(len(values) for values in trainings)
    ends = np.unique(np.linspace(0, length, min(_BINS, length) + 1).round().astype(int))
    mean = np.mean([values[:length] for values in trainings], axis=0)
    return [(float(end), float(mean[start:end].mean())) for start, end in pairwise(ends)]
