"""Compute values for many rows in batches of similar length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.learn.training import Progress
from trivium.models.encoders import longest_input
from trivium.models.tokens import Row, RowMaker

if TYPE_CHECKING:
    from trivium.learn.learner import Learner

_BATCH = 64
_WINDOW = 50_000  # rows tokenized together: few enough for memory, enough for batches of similar length


def compute_in_windows(
    examples: Sequence[Example], maker: RowMaker, compute: Callable[[list[Row]], Tensor], progress: Progress
) -> np.ndarray:
    """Return what ``compute`` returns for the row of every example."""
    windows = [np.zeros((0, 0), dtype=np.float32)] if not examples else []
    for start in range(0, len(examples), _WINDOW):

        def report(done: int, start: int = start) -> None:
            progress(start + done, len(examples))

        windows.append(_compute_in_batches(maker.rows(examples[start : start + _WINDOW]), compute, report))
        if len(examples) > _WINDOW:
            maker.forget()
    return np.concatenate(windows)


@contextmanager
def reading(learner: Learner, max_length: int | None) -> Iterator[None]:
    """Let a learner read this many tokens of an example within the block, or as many as usual."""
    rows = learner.rows
    if max_length is None:
        yield
        return
    limit = longest_input(learner.network.reader)
    if limit is not None and max_length > limit:
        raise UserError(f"a test is to be read with {max_length} tokens, but the model reads at most {limit}: lower it")
    learner.rows = rows.with_length(max_length)
    try:
        yield
    finally:
        learner.rows = rows


def _compute_in_batches(
    rows: Sequence[Row], compute: Callable[[list[Row]], Tensor], report: Callable[[int], None]
) -> np.ndarray:
    """Return what ``compute`` returns for every row, without gradients.

    A batch has different inputs of similar length, with all the rows that have them. ``report`` is called with the
    number of finished rows.
    """
    of_input: dict[object, list[int]] = {}
    for index, row in enumerate(rows):
        of_input.setdefault(row.input, []).append(index)
    inputs = sorted(of_input.values(), key=lambda indices: len(rows[indices[0]].ids))
    batches = []
    order: list[int] = []
    for start in range(0, len(inputs), _BATCH):
        batch = [index for indices in inputs[start : start + _BATCH] for index in indices]
        with torch.no_grad():
            batches.append(compute([rows[index] for index in batch]))
        order += batch
        report(len(order))
    by_length = torch.cat(batches).numpy()
    values = np.empty_like(by_length)
    values[order] = by_length
    return values
