"""Decide which token embeddings a stage trains."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import torch

from trivium.data.example import Example
from trivium.learn.strategy import Strategy, declares
from trivium.models.tokens import RowMaker
from trivium.models.vocabulary import occurring_embeddings

if TYPE_CHECKING:
    from trivium.learn.learner import Learner


def trained_embeddings(
    learner: Learner, strategy: Strategy, rows: RowMaker, stage: Sequence[Example], memory: Sequence[Example]
) -> AbstractContextManager[None]:
    """Train, within the block, only the embeddings of tokens in stage and memory, if no result changes."""
    examples = [*stage, *memory]
    network = learner.network
    is_closed = declares(strategy, "given_examples_only", ["begin_stage", "step"])
    if not examples or not is_closed or network.composition is not None:
        return nullcontext()  # a composer also asks about parts that it finds in compositions
    if getattr(strategy, "anchor", "stage") == "base":
        return nullcontext()  # the base has the embeddings of all tokens
    if learner.train_config.optimizer == "kept":
        return nullcontext()  # the moments of other tokens, from earlier stages, still move their embeddings
    if learner.group.size > 1 or torch.get_num_threads() > 1:
        return nullcontext()  # with several threads, sums over another number of rows round differently
    parts = [row for example in examples for row in example.rows() if network.has_head(row.task)]
    return occurring_embeddings(network.reader, ((*row.ids, row.pad) for row in rows.rows(parts)))
