"""The training loop: batches, optimizer steps and the learning rate."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from trivium.data.example import Example
from trivium.errors import UserError, option
from trivium.learn.checkpoint import Checkpoints, TrainingState, is_resumable
from trivium.learn.config import TrainConfig
from trivium.learn.optimizer import AdamW, clip_gradients
from trivium.learn.stopping import EarlyStopping
from trivium.learn.strategy import Strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner

T = TypeVar("T")
Progress = Callable[[int, int], None]
"""Called with the number of finished steps and the total number of steps."""


def no_progress(done: int, total: int) -> None:
    """Show nothing."""


def run_steps(
    learner: Learner,
    examples: Sequence[Example],
    strategy: Strategy,
    state: Any,
    order: np.random.Generator,
    progress: Progress,
    checkpoints: Checkpoints | None = None,
    stopping: EarlyStopping | None = None,
) -> NDArray[np.float32]:
    """Train the learner's network on the batches of a stage, and return the loss of each step.

    ``state`` is what the strategy's ``begin_stage`` returned; ``order`` shuffles the examples in every epoch. With
    ``stopping`` the network ends with the weights of its best epoch.
    """

    def step(batch: list[Example], rate: float) -> float:
        learner.learning_rate = rate
        loss = strategy.step(learner, batch, state)
        if all(parameter.grad is None for parameter in learner.network.parameters()):
            raise UserError(
                f"the strategy {type(strategy).__name__} left no gradient: its step must end with "
                "learner.backward(loss)"
            )
        return _number(loss, strategy)

    loop = Loop(learner.network, learner.train_config, "lower the learning rate (train.learning_rate)")
    if not is_resumable(strategy):
        checkpoints = None
    optimizer = learner.optimizer = learner.optimizer or AdamW(loop.parameters)
    losses = loop.run(examples, order, step, progress, checkpoints, learner.rng, state, stopping, optimizer)
    if learner.train_config.optimizer == "new":
        learner.optimizer = None
    if stopping is not None:
        stopping.restore_best()
    return losses


def _number(loss: Any, strategy: Strategy) -> float:
    """Return the loss of a step as a number; a user's strategy may return a tensor or None."""
    if loss is None:
        warnings.warn(
            f"{type(strategy).__name__}.step returned None, so the learning curve is empty: "
            "end it with return learner.backward(loss)",
            stacklevel=2,
        )
        return math.nan
    return float(loss.detach() if isinstance(loss, torch.Tensor) else loss)


@dataclass(frozen=True)
class Loop:
    """Optimizes a network batch by batch. ``advice`` ends the message about a training that diverged."""

    network: nn.Module
    config: TrainConfig
    advice: str

    @property
    def parameters(self) -> list[Tensor]:
        """The parameters that are trained."""
        return [parameter for parameter in self.network.parameters() if parameter.requires_grad]

    def run(
        self,
        items: Sequence[T],
        order: np.random.Generator,
        step: Callable[[list[T], float], float],
        progress: Progress,
        checkpoints: Checkpoints | None = None,
        rng: np.random.Generator | None = None,
        extra: Any = None,
        stopping: EarlyStopping | None = None,
        optimizer: AdamW | None = None,
    ) -> NDArray[np.float32]:
        """Return the loss of each optimizer step.

        ``step`` leaves the gradient for a batch, given the learning rate, and returns the loss. With ``checkpoints``,
        the training continues from the last one: batches that were done are skipped. ``rng`` and ``extra`` are
        the other state that training changes, as in :class:`TrainingState`. With ``stopping`` the last epochs may be
        left out. ``optimizer`` is one of an earlier stage that goes on, by default a new one.
        """
        config, in_epoch = self.config, -(-len(items) // self.config.batch_size)
        total = config.epochs * in_epoch
        parameters = self.parameters
        optimizer = optimizer or AdamW(parameters)
        state = TrainingState(self.network, optimizer, rng, extra, stopping)
        if checkpoints is not None and (folder := checkpoints.load()) is not None:
            state.restore(folder)
        for number, batch in islice(enumerate(_batches(items, config, order)), len(state.losses), None):
            rate = config.learning_rate * warmup_factor(number, total, config.warmup, config.warmup_steps)
            optimizer.zero_grad()
            loss = step(batch, rate)
            state.losses.append(loss)
            norm = clip_gradients(parameters, config.clip)
            if not math.isfinite(norm):
                raise UserError(
                    f"training diverged at step {number + 1} of {total} (the norm of the gradient is {norm}): "
                    f"{self.advice}"
                )
            optimizer.step(rate)
            if stopping is not None and (number + 1) % in_epoch == 0 and stopping.is_over():
                break
            if checkpoints is not None and number + 1 < total and checkpoints.is_due():
                with checkpoints.writing() as folder:
                    state.save(folder)
            progress(number + 1, total)
        return np.array(state.losses, dtype=np.float32)


def _batches(items: Sequence[T], config: TrainConfig, order: np.random.Generator) -> Iterator[list[T]]:
    for _ in range(config.epochs):
        shuffled = order.permutation(len(items))
        for start in range(0, len(shuffled), config.batch_size):
            yield [items[index] for index in shuffled[start : start + config.batch_size]]


def warmup_factor(step: int, total: int, share: float, steps: int = 0) -> float:
    """Return the factor of the learning rate at a step.

    It rises linearly over the first ``share`` of all steps, or over the first ``steps``.
    """
    return min(1.0, (step + 1) / max(1.0, share * total, steps))


def select_device(name: str) -> torch.device:
    """Return the device to compute on. Raise a UserError if it does not exist."""
    if name == "cuda":
        if not torch.cuda.is_available():
            advice = option("set", "train.device=cpu")
            raise UserError(f"train.device is 'cuda', but torch finds no such device here: {advice}")
        # Without this setting of cuBLAS, the same inputs do not give the same bytes.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.use_deterministic_algorithms(True)
    return torch.device(name)


@contextmanager
def thread_count(threads: int) -> Iterator[None]:
    """Set the number of torch's threads within the block; results of training depend on it."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
