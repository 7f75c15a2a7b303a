"""Train a tagger of semantic roles on predicates, and predict their tags; predicates are stored as examples."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from trivium.data.example import Example
from trivium.errors import UserError, option
from trivium.learn.checkpoint import Checkpoints
from trivium.learn.config import TrainConfig
from trivium.learn.training import Loop, Progress, no_progress, select_device
from trivium.learn.weights import load_weights
from trivium.models.tagger import Tagger, TaggingQuery, new_tagger
from trivium.seeds import stream, stream_seed

ROLES = "roles"
"""The task of an example that stands for a predicate."""


class TaggedQuery(NamedTuple):
    """A predicate of a sentence, and its gold tags."""

    query: TaggingQuery
    gold: tuple[str, ...]


def as_example(tagged: TaggedQuery, number: int) -> Example:
    """Return a predicate as an example, to store it."""
    words, predicate = tagged.query
    facts = (("predicate", str(predicate)), ("tags", json.dumps(tagged.gold)), ("words", json.dumps(words)))
    return Example(str(number), " ".join(words), words[predicate], None, ROLES, facts)


def from_example(example: Example) -> TaggedQuery:
    """Return the predicate of an example that :func:`as_example` returned."""
    facts = dict(example.facts)
    query = TaggingQuery(tuple(json.loads(facts["words"])), int(facts["predicate"]))
    return TaggedQuery(query, tuple(json.loads(facts["tags"])))


def open_tagger(
    name: str, tags: Sequence[str], seed: int, commit: str | None, device: str, weights: Path | None = None
) -> Tagger:
    """Return a tagger on a device: a new one, or a trained one if ``weights`` is given."""
    tagger = new_tagger(name, tags, seed, commit)
    if weights is not None:
        load_weights(tagger.model, weights)
    tagger.model.to(select_device(device))
    return tagger


def fit_tagger(
    tagger: Tagger,
    queries: Sequence[TaggedQuery],
    train: TrainConfig,
    seed: int,
    progress: Progress = no_progress,
    checkpoints: Checkpoints | None = None,
) -> NDArray[np.float32]:
    """Train a tagger in place, and return the loss of each optimizer step."""

    def step(batch: list[TaggedQuery], rate: float) -> float:
        loss = tagger.loss([tagged.query for tagged in batch], [tagged.gold for tagged in batch])
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    if train.frozen_layers:
        raise UserError(f"train.frozen is {train.frozen!r}, which a role tagger does not support: use 'embeddings'")
    if train.frozen == "embeddings":
        tagger.model.get_input_embeddings().requires_grad_(False)
    with torch.random.fork_rng():
        torch.manual_seed(stream_seed(seed, "train", 1, "dropout"))
        tagger.model.train()
        loop = Loop(tagger.model, train, f"lower {option('learning_rate')}")
        return loop.run(queries, stream(seed, "train", 1), step, progress, checkpoints)
