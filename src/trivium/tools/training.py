"""Training a classifier from examples, so that there is one to work with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from trivium.build.veridicality.natural import pair_key
from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.sources import find_sources, load_source
from trivium.data.split import Split
from trivium.errors import UserError, did_you_mean
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategy import Strategy
from trivium.measure.bootstrap import Bootstrap, Interval, interval
from trivium.measure.metrics import correct
from trivium.models.classifiers import HEAD, Classifier
from trivium.seeds import stream


class Trained(NamedTuple):
    """How many pairs a classifier was trained on, and how often it is right (in %) on those that were held out."""

    pairs: int
    held_out: int
    accuracy: Interval


def gather_pairs(option: str, names: Sequence[str], limit: int | None, seed: int) -> list[Example]:
    """The labelled pairs of sources and files that an option names, at most ``limit`` of each, drawn at random."""
    found: list[Example] = []
    for name in names:
        known = find_sources()
        if name in known:
            split = load_source(name)
        elif Path(name).suffix in (".jsonl", ".parquet"):
            split = Split.read(Path(name))
        else:
            raise UserError(
                f"{option} {name}: neither a source nor a .jsonl or .parquet file: {did_you_mean(name, known)}"
            )
        if split.labels != NLI3:
            raise UserError(
                f"{option} {name}: its labels are {', '.join(split.labels.names)}, and not those of three-way NLI"
            )
        pairs = [replace(e, task=HEAD, parts=()) for e in split if e.label is not None and e.hypothesis is not None]
        if limit is not None and len(pairs) > limit:
            pairs = [pairs[place] for place in sorted(stream(seed, "data", name).permutation(len(pairs))[:limit])]
        found += pairs
    if len(found) < 2:
        raise UserError(f"{option} {' '.join(names)}: there are {len(found)} labelled pairs in it")
    return found


def train_classifier(
    classifier: Classifier,
    pairs: Sequence[Example],
    train: TrainConfig,
    seed: int,
    share: float,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Trained:
    """Train a classifier on all pairs but about a ``share``, by which it is measured."""
    torch.set_num_threads(train.threads)
    held_out, taught = held_apart(pairs, share, stream(seed, "data", "held out"))
    learner = Learner.of_classifier(classifier, train, seed)
    learner.train(taught, Strategy(), Memory(), 1, progress)
    gold = np.array([classifier.labels.index(str(example.label)) for example in held_out])
    right = correct(learner.logits(held_out)[HEAD], gold)
    return Trained(len(taught), len(held_out), interval(100 * Bootstrap().mean(right, "held out")))


def held_apart(pairs: Sequence[Example], share: float, rng: np.random.Generator) -> tuple[list[Example], list[Example]]:
    """A random share of the pairs, and the others.

    A pair and its reverse, articles aside, are on the same side: one tells the label of the other.
    """
    keys = [pair_key(pair) for pair in pairs]
    groups = list(dict.fromkeys(keys))
    number = min(len(groups) - 1, max(1, round(share * len(groups))))
    if number < 1:
        raise UserError("all pairs are one pair or its reverse: nothing can be held out")
    chosen = {groups[place] for place in rng.permutation(len(groups))[:number]}
    return (
        [pair for pair, key in zip(pairs, keys, strict=True) if key in chosen],
        [pair for pair, key in zip(pairs, keys, strict=True) if key not in chosen],
    )
