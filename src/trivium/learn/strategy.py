"""What a strategy is: a frozen configuration and three methods. Plain fine-tuning is what they do by default."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from trivium.data.example import Example
from trivium.learn.memory import Memory
from trivium.registry import Registry

if TYPE_CHECKING:
    from trivium.learn.learner import Learner

STRATEGIES: Registry[type[Strategy]] = Registry("strategy")
strategy = STRATEGIES.register


@dataclass(frozen=True)
class Strategy:
    """What is done differently from plain fine-tuning, from the second stage on.

    The first stage is trained plainly and shared by all strategies. ``begin_stage`` turns the memory into whatever
    ``step`` needs; ``step`` leaves a gradient in the learner's parameters and returns the loss on the batch;
    ``end_stage`` decides what is remembered of a stage when it is over. ``cost`` is the time of a step as a multiple
    of a plain one, for estimates.
    """

    cost: ClassVar[float] = 1.0

    def begin_stage(self, learner: Learner, memory: Memory) -> Any:
        """Before the first batch of a stage: what :meth:`step` will be given."""
        return memory

    def step(self, learner: Learner, batch: Sequence[Example], state: Any) -> float:
        """One batch: leave a gradient behind."""
        return learner.backward(learner.loss(batch))

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """After the last batch of a stage: the memory for the next one."""
        return memory


def find_strategies() -> Registry[type[Strategy]]:
    """The registry with every strategy that ships with Trivium in it."""
    package = importlib.import_module("trivium.learn.strategies")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return STRATEGIES
