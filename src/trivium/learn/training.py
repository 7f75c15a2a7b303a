"""The training loop: batches, optimizer steps and the learning rate."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from trivium.data.example import Example
from trivium.errors import UserError, option
from trivium.learn.config import TrainConfig
from trivium.learn.strategy import Strategy

if TYPE_CHECKING:
    from trivium.learn.learner import Learner

Progress = Callable[[int, int], None]
"""Called with the number of finished steps and the number of all steps."""


def no_progress(done: int, total: int) -> None:
    """Show nothing."""


def run_steps(
    learner: Learner,
    examples: Sequence[Example],
    strategy: Strategy,
    state: Any,
    order: np.random.Generator,
    progress: Progress,
) -> NDArray[np.float32]:
    """Train the learner's network on the batches of a stage, and return the loss of each step.

    ``state`` is what the strategy's ``begin_stage`` returned; ``order`` shuffles the examples in every epoch.
    """
    config = learner.train_config
    total = config.epochs * -(-len(examples) // config.batch_size)
    parameters = [parameter for parameter in learner.network.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=config.learning_rate, weight_decay=0.0, fused=True)
    losses: list[float] = []
    for number, batch in enumerate(_batches(examples, config, order)):
        learner.learning_rate = config.learning_rate * warmup_factor(number, total, config.warmup)
        for group in optimizer.param_groups:
            group["lr"] = learner.learning_rate
        optimizer.zero_grad(set_to_none=True)
        loss = strategy.step(learner, batch, state)
        if all(parameter.grad is None for parameter in parameters):
            raise UserError(
                f"the strategy {type(strategy).__name__} left no gradient: its step must end with "
                "learner.backward(loss)"
            )
        losses.append(_number(loss, strategy))
        norm = torch.nn.utils.clip_grad_norm_(parameters, config.clip)
        if not torch.isfinite(norm):
            raise UserError(
                f"training diverged at step {number + 1} of {total} (the norm of the gradient is {float(norm)}): "
                "lower the learning rate (train.learning_rate)"
            )
        optimizer.step()
        progress(number + 1, total)
    return np.array(losses, dtype=np.float32)


def _number(loss: Any, strategy: Strategy) -> float:
    """Return what a step returned as a number; that of a user may return a tensor, or nothing."""
    if loss is None:
        warnings.warn(
            f"{type(strategy).__name__}.step returned nothing, so that the learning curve is empty: "
            "end it with return learner.backward(loss)",
            stacklevel=2,
        )
        return math.nan
    return float(loss.detach() if isinstance(loss, torch.Tensor) else loss)


def _batches(examples: Sequence[Example], config: TrainConfig, order: np.random.Generator) -> Iterator[list[Example]]:
    for _ in range(config.epochs):
        shuffled = order.permutation(len(examples))
        for start in range(0, len(shuffled), config.batch_size):
            yield [examples[index] for index in shuffled[start : start + config.batch_size]]


def warmup_factor(step: int, total: int, share: float) -> float:
    """Return the factor of the learning rate at a step: it rises linearly over the first ``share`` of all steps."""
    return min(1.0, (step + 1) / max(1.0, share * total))


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
    """Let torch use a number of threads within the block; the number is part of a training's result."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
