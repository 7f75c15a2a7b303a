"""Train a classifier from labelled pairs: an encoder with a new classification head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker
from trivium.build.veridicality.natural import pair_key
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI3
from trivium.data.sources import find_sources, load_source
from trivium.data.split import Split
from trivium.data.tables import Data, as_split, name_of, read_pairs
from trivium.engine.execute import trained_classifier
from trivium.engine.runner import StepRunner
from trivium.errors import UserError, did_you_mean, option
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.measure.metrics import correct
from trivium.measure.statistics.intervals import Interval, share_interval
from trivium.models.classifiers import HEAD, Classifier
from trivium.models.composer import HEAD as DEFAULT_COMPOSER
from trivium.seeds import stream

TRAINING = TrainConfig(learning_rate=1e-4, batch_size=16, epochs=2, warmup=0.1, frozen="embeddings", threads=2)
"""How a classifier is trained by default."""


class Trained(NamedTuple):
    """The number of pairs a classifier was trained on, that of held-out pairs, and the accuracy on these, in %."""

    pairs: int
    held_out: int
    accuracy: Interval


def gather_pairs(parameter: str, sets: Sequence[Data], limit: int | None, seed: int) -> list[Example]:
    """Return the labelled pairs of sources, files and other sets, a random sample of ``limit`` of each at most.

    The test part of a source is left out, as are copies of its pairs: the default guard of a correction is taken from
    it. ``parameter`` is the name of the parameter in error messages.
    """
    gathered: list[Example] = []
    names = [name_of(data, "rows") for data in sets]
    for name, data in zip(names, sets, strict=True):
        known = find_sources()
        if not isinstance(data, str | Path):
            split = as_split(data, name)
        elif name in known:
            split = without_test_part(load_source(name))
        elif Path(name).suffix in (".jsonl", ".parquet"):
            split = Split.read(Path(name))
        elif Path(name).suffix in (".csv", ".tsv"):
            split = read_pairs(name, require_labels=True)
        else:
            raise UserError(
                f"{option(parameter, name)}: neither a source nor a .jsonl, .parquet, .csv or .tsv file: "
                f"{did_you_mean(name, known)}"
            )
        if split.labels != NLI3:
            raise UserError(
                f"{option(parameter, name)}: its labels are {', '.join(split.labels.names)}, but must be "
                f"{', '.join(NLI3.names)}"
            )
        pairs = [replace(e, task=HEAD, parts=()) for e in split if e.label is not None and e.hypothesis is not None]
        if limit is not None and len(pairs) > limit:
            pairs = [pairs[index] for index in sorted(stream(seed, "data", name).permutation(len(pairs))[:limit])]
        gathered += pairs
    if len(gathered) < 2:
        raise UserError(f"{option(parameter, ' '.join(names))}: needs at least 2 labelled pairs, found {len(gathered)}")
    return gathered


def without_test_part(split: Split) -> Split:
    """Return a split without its test part, and without other pairs that have the text of a test pair.

    A split with no other part is returned as it is.
    """
    is_test = [(example.fact("part") or "").lower() == "test" for example in split]
    tested = {key_of(example) for example, is_tested in zip(split, is_test, strict=True) if is_tested}
    kept = tuple(example for example in split if key_of(example) not in tested)
    return Split(split.name, kept, split.labels) if kept else split


def train_classifier(
    model: str,
    pairs: Sequence[Example],
    train: TrainConfig,
    seed: int,
    share: float,
    runner: StepRunner,
    composer: str = DEFAULT_COMPOSER,
) -> tuple[Classifier, Trained]:
    """Train an encoder with a new head, and measure its accuracy on about a ``share`` of the pairs, held out."""
    held_out, taught = split_pairs(pairs, share, stream(seed, "data", "held out"))
    resolved = resolve_model(ModelConfig(name=model, head="new", composer=composer), runner.store)
    maker = StepMaker(resolved.model, resolved.fingerprint, (HEAD,), runner.store)
    training = maker.train(Split("train", tuple(taught)), train, seed)
    step = maker.predict(training, Split("held out", tuple(held_out)))
    labels = dict.fromkeys((training.key, step.key), f"{model} on {len(taught):,} pairs")
    runner.run_steps([[step]], f"Training {model} on {len(taught):,} pairs", labels=labels, models=(training,))
    gold = np.array([NLI3.index(str(example.label)) for example in held_out])
    is_correct = correct(runner.store.logits(step.key)[HEAD], gold)
    trained = Trained(len(taught), len(held_out), 100 * share_interval(is_correct))
    return trained_classifier(training, runner.store), trained


def split_pairs(
    pairs: Sequence[Example], share: float, rng: np.random.Generator
) -> tuple[list[Example], list[Example]]:
    """Return a random share of the pairs, held out, and the others.

    A pair and its reverse, articles ignored, are never separated, because the label of one gives away the other's.
    """
    keys = [pair_key(pair) for pair in pairs]
    groups = list(dict.fromkeys(keys))
    number = min(len(groups) - 1, max(1, round(share * len(groups))))
    if number < 1:
        raise UserError("all pairs are the same pair or its reverse, so none can be held out: add different pairs")
    chosen = {groups[index] for index in rng.permutation(len(groups))[:number]}
    return (
        [pair for pair, key in zip(pairs, keys, strict=True) if key in chosen],
        [pair for pair, key in zip(pairs, keys, strict=True) if key not in chosen],
    )
