"""Keep the learner of the latest step in memory, for the next step of this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from trivium.engine.steps import TrainStep
from trivium.engine.store import Store
from trivium.learn.learner import Learner

_BYTES = 1 << 29  # of the weights of a larger model, which is not kept: memory is scarce, and training takes long


@dataclass(frozen=True)
class _Kept:
    """A learner, what it was built from, the key of the step whose weights it has, and the modes of its modules."""

    source: tuple[Any, ...]
    store: Store
    learner: Learner
    weights: str | None
    modes: tuple[bool, ...]

    @classmethod
    def build(cls, source: tuple[Any, ...], store: Store, learner: Learner) -> _Kept:
        return cls(source, store, learner, None, tuple(module.training for module in learner.network.modules()))


class KeptLearner:
    """Lends learners to steps: the one that the latest step used if it fits, else a new one.

    A learner that loads the weights of a finished step is the same as a new one that loads them. So is one that still
    has those weights, because it trained them or predicted with them.
    """

    def __init__(self) -> None:
        self._kept: _Kept | None = None

    @contextmanager
    def lend(
        self, step: TrainStep, start: TrainStep | None, store: Store, build: Callable[[TrainStep, Store], Learner]
    ) -> Iterator[Learner]:
        """Yield the learner of a step, with the weights of the finished step ``start``, or new if there is none.

        Within the block the learner may be trained to be the one of ``step``. It is dropped if the block fails.
        """
        source = (step.model, step.fingerprint, step.heads, step.train, step.seed, step.root.split)
        kept, self._kept = self._kept, None
        if kept is None or start is None or kept.source != source or kept.store is not store:
            kept = None  # so that there are never two in memory
            kept = _Kept.build(source, store, build(step, store))
        learner = kept.learner
        if start is not None and kept.weights != start.key:
            learner.load(store.path(start.key) / "weights.safetensors")
        learner.reset(kept.modes)
        yield learner
        learner.network.zero_grad()
        if step.processes == 1 and _size(learner) <= _BYTES:
            self._kept = replace(kept, weights=step.key)


def _size(learner: Learner) -> int:
    return sum(parameter.numel() * parameter.element_size() for parameter in learner.network.parameters())
