"""How a model learns from corrections: by a strategy that trains it, or by vectors that are looked among."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from trivium.data.example import Example
from trivium.errors import unknown_name
from trivium.learn.config import TrainConfig
from trivium.learn.memory import Memory
from trivium.learn.strategy import make_strategy
from trivium.measure.clusters import Vectors
from trivium.tools.corrected import SUPPORTS, Corrected, Said, Support
from trivium.tools.correction_data import numbers_of

AUTO: Final = "auto"
STRATEGIES = ("finetune", "scl", "mas", "er-res", "agem", "kd")
"""Methods that train, in the order in which they are preferred if they gain as much."""

METHODS = (*STRATEGIES, *SUPPORTS)
CORRECTING = TrainConfig(learning_rate=5e-5, batch_size=8, epochs=10, warmup=0.1, frozen="embeddings", threads=2)
"""How corrections are trained, unless somebody says otherwise."""


def chosen_methods(name: str) -> tuple[str, ...]:
    """All methods, or the one that is named."""
    if name == AUTO:
        return METHODS
    if name not in METHODS:
        raise unknown_name("method", name, (AUTO, *METHODS))
    return (name,)


class Tutor:
    """Teaches corrections by any method, each time from the same model on.

    ``sets`` are what methods may remember: a share of the guard, then each earlier round of corrections.
    """

    def __init__(self, model: Corrected, sets: Sequence[Sequence[Example]], also: Sequence[Example]) -> None:
        self.model = model
        self._sets = [list(one) for one in sets if one]
        self._weights = {name: tensor.detach().clone() for name, tensor in model.learner.network.state_dict().items()}
        self._stage = len(self._sets) + 1
        every = list(dict.fromkeys([*also, *(example for one in self._sets for example in one)]))
        self._places = {example: place for place, example in enumerate(every)}
        self._before = model.answers(every)

    def before(self, examples: Sequence[Example]) -> Said:
        """What the model said about examples before."""
        return np.asarray(self._before.said[self._at(examples)])

    def taught(self, method: str, corrections: Sequence[Example]) -> Corrected:
        """The model after it has been taught corrections by a method; the next call takes it back."""
        learner = self.model.learner
        learner.network.load_state_dict(self._weights)
        if method in SUPPORTS:
            return Corrected(learner, self._support(method, corrections))
        learner.train(corrections, make_strategy(method, {}), self._memory(), self._stage)
        return Corrected(learner)

    def answers(self, taught: Corrected, examples: Sequence[Example]) -> Said:
        """What a taught model says about examples; vectors that teaching left as they were are not made again."""
        if taught.support is None:
            return taught.answers(examples).said
        return taught.support.said(self._vectors(examples), len(taught.labels))

    def _support(self, method: str, corrections: Sequence[Example]) -> Support:
        labels = self.model.labels
        sets = [*self._sets, corrections]
        return Support.of(method, [(self._vectors(one), numbers_of(one, labels)) for one in sets])

    def _memory(self) -> Memory:
        """All that is remembered, as earlier stages."""
        stages = [(example, number) for number, one in enumerate(self._sets, 1) for example in one]
        return Memory(tuple(e for e, _ in stages), tuple(s for _, s in stages), len(self._sets), len(stages))

    def _vectors(self, examples: Sequence[Example]) -> Vectors:
        return np.asarray(self._before.vectors[self._at(examples)])

    def _at(self, examples: Sequence[Example]) -> NDArray[np.intp]:
        return np.array([self._places[example] for example in examples], dtype=np.intp)


def use_threads(train: TrainConfig) -> None:
    """Compute with as many threads as the training says; the result depends on them."""
    torch.set_num_threads(train.threads)
