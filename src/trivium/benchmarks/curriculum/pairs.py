"""Pairs of NLI data sets, for models that are trained before they meet a phenomenon."""

from __future__ import annotations

from dataclasses import replace

from trivium.data.example import Example
from trivium.data.sources import load_source
from trivium.models.classifiers import HEAD
from trivium.seeds import stream


def source_pairs(name: str, limit: int, seed: int) -> list[Example]:
    """Pairs of a source that are not of its test part, at most ``limit`` (0: all), drawn at random."""
    pairs = [
        replace(example, task=HEAD, parts=())
        for example in load_source(name)
        if example.label and example.hypothesis is not None and (example.fact("part") or "").lower() != "test"
    ]
    order = stream(seed, "data", "base", name).permutation(len(pairs))[: limit or len(pairs)]
    return [pairs[place] for place in order]
