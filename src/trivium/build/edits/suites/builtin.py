"""A suite that needs no external data: the built-in grammar as base, and logical phenomena that it does not cover."""

from __future__ import annotations

from dataclasses import replace

from trivium.build.edits.suites import Suite, sample, suite
from trivium.build.phenomena import generate_parts
from trivium.data.labels import NLI3
from trivium.data.phenomena import PHENOMENA
from trivium.data.sources import load_source

_PHENOMENA = ("negat", "quant", "bool", "comp")
_EACH, _TEST = 240, 600
_TASK = "nli"


@suite("builtin")
class BuiltinSuite:
    """Base: pairs of the built-in grammar. Categories: generated examples of logical phenomena."""

    about = "four generated logical phenomena; base: built-in pairs; always available"

    def is_available(self) -> bool:
        """Return True: the data is generated."""
        return True

    def load(self, limit: int, test: int, seed: int) -> Suite:
        """Load the suite."""
        pairs = [replace(pair, task=_TASK, parts=()) for pair in load_source("builtin")]
        tested = sample(pairs, min(test or _TEST, _TEST), seed, "builtin", "test")
        base = sample([pair for pair in pairs if pair not in set(tested)], limit, seed, "builtin")
        categories = {PHENOMENA[name].title: generate_parts(name, _EACH, 0, seed)[0].examples for name in _PHENOMENA}
        return Suite("builtin", "Built-in", _TASK, NLI3, base, {"built-in": tested}, categories, sets=3)
