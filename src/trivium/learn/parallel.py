"""Data-parallel training: processes that run the same training, share the work of each loss, and average gradients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import torch
from torch import Tensor

from trivium.errors import UserError
from trivium.learn.answers import cross_entropy
from trivium.learn.checks import unanswerable

if TYPE_CHECKING:
    from trivium.data.example import Example
    from trivium.learn.learner import Learner

T = TypeVar("T")
_BUCKET = 1 << 22  # values that are averaged in one call: neither many calls nor large copies


@dataclass
class Group:
    """The processes that train one model together; ``rank`` is the index of this process, by default the only one."""

    rank: int = 0
    size: int = 1
    is_averaging: bool = False

    def share(self, items: Sequence[T]) -> Sequence[T]:
        """Return the items that this process computes."""
        return items[self.rank :: self.size]

    def mean(self, tensor: Tensor) -> Tensor:
        """Return the mean of a tensor over the processes, which is the same in all of them."""
        from accelerate.utils import reduce

        mean: Tensor = reduce(tensor, "mean")
        return mean

    def joined(self, loss: Tensor) -> Tensor:
        """Return a loss whose value is the mean over the processes, and whose gradient is that of this process."""
        joined: Tensor = _Joined.apply(loss, self)  # type: ignore[no-untyped-call]
        return joined

    @contextmanager
    def averaging(self) -> Iterator[None]:
        """Allow the gradients of :meth:`joined` losses within the block; the caller must average them."""
        self.is_averaging = True
        try:
            yield
        finally:
            self.is_averaging = False

    def average(self, parameters: Sequence[Tensor], gradients: Sequence[Tensor | None]) -> list[Tensor | None]:
        """Return the mean of each parameter's gradient over the processes; None if no process has one."""
        means = list(gradients)
        if self.size == 1 or not means:
            return means
        device = parameters[0].device
        used = self.mean(torch.tensor([float(gradient is not None) for gradient in gradients], device=device))
        for bucket in _buckets(parameters, [index for index, share in enumerate(used.tolist()) if share]):
            flat = [_or_zero(gradients[index], parameters[index]).reshape(-1) for index in bucket]
            mean = torch.split(self.mean(torch.cat(flat)), [len(values) for values in flat])
            for index, values in zip(bucket, mean, strict=True):
                means[index] = values.view_as(parameters[index])
        return means

    @contextmanager
    def own_randomness(self, device: torch.device) -> Iterator[None]:
        """Draw different random numbers in each process within the block, and leave the same state in all."""
        seed = int(torch.randint(2**62, ()))
        with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
            torch.manual_seed(seed + self.rank)
            yield


def shared_loss(learner: Learner, examples: Sequence[Example]) -> Tensor:
    """Return the learner's loss on a batch, to which each process contributes its own examples.

    The sum over a head's rows is divided by the number of its rows in the whole batch, and multiplied by the number of
    processes. The mean over the processes is then the loss of the whole batch, and so is its gradient.
    """
    group = learner.group
    rows = Counter(row.task for example in examples for row in example.rows() if learner.network.has_head(row.task))
    if examples and not rows:
        raise unanswerable(examples, learner.tasks)
    share = [e for e in group.share(examples) if any(learner.network.has_head(row.task) for row in e.rows())]
    loss = torch.zeros((), device=learner.device, requires_grad=True)  # a process may have no rows at all
    with group.own_randomness(learner.device):
        for answer in learner.answers(share) if share else ():
            losses = cross_entropy(answer, learner.labels, "none")
            loss = loss + losses.sum() * (group.size / rows[answer.head])
    return group.joined(loss)


class _Joined(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, loss: Tensor, group: Group) -> Tensor:
        ctx.group = group
        return group.mean(loss.detach())

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        if not ctx.group.is_averaging:
            raise UserError(
                "with train.processes above 1, a strategy must compute the gradient of learner.loss(...) with "
                "learner.backward(loss) or learner.gradients(loss)"
            )
        return gradients[0], None


def _buckets(parameters: Sequence[Tensor], indices: Sequence[int]) -> Iterator[list[int]]:
    """Yield the indices of successive parameters of one type: up to ``_BUCKET`` values, or one larger parameter."""
    bucket: list[int] = []
    for index in indices:
        if bucket and (
            parameters[index].dtype != parameters[bucket[0]].dtype
            or sum(parameters[i].numel() for i in (*bucket, index)) > _BUCKET
        ):
            yield bucket
            bucket = []
        bucket.append(index)
    if bucket:
        yield bucket


def _or_zero(gradient: Tensor | None, parameter: Tensor) -> Tensor:
    return torch.zeros_like(parameter) if gradient is None else gradient
