"""Pairs of NLI data sets, for training models before they are tested on phenomena."""

from __future__ import annotations

from dataclasses import replace

from trivium.benchmarks.steps import NLI_HEAD
from trivium.data.example import Example
from trivium.data.sources import load_source
from trivium.seeds import stream


def source_pairs(name: str, limit: int, seed: int) -> list[Example]:
    """Return at most ``limit`` random pairs of a source (0: all), without its test part."""
    pairs = [
        replace(example, task=NLI_HEAD, parts=())
        for example in load_source(name)
        if example.label and example.hypothesis is not None and (example.fact("part") or "").lower() != "test"
    ]
    order = stream(seed, "data", "base", name).permutation(len(pairs))[: limit or len(pairs)]
    return [pairs[index] for index in order]
