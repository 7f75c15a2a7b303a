"""A suite that needs no data: Trivium's own grammar, and phenomena that it does not know."""

from __future__ import annotations

from dataclasses import replace

from trivium.build.edits.suites import Suite, drawn, suite
from trivium.build.phenomena import make_parts
from trivium.data.labels import NLI3
from trivium.data.phenomena import PHENOMENA
from trivium.data.sources import load_source

_PHENOMENA = ("negat", "quant", "bool", "comp")
_EACH, _TEST = 240, 600
_TASK = "nli"


@suite("builtin")
class BuiltinSuite:
    """Base: pairs of the built-in grammar. Categories: logical phenomena made by Trivium's makers."""

    about = "four logical phenomena made by Trivium's grammars, after its built-in pairs: always there"

    def is_there(self) -> bool:
        """It is."""
        return True

    def load(self, limit: int, test: int, seed: int) -> Suite:
        """The suite."""
        pairs = [replace(pair, task=_TASK, parts=()) for pair in load_source("builtin")]
        tested = drawn(pairs, min(test or _TEST, _TEST), seed, "builtin", "test")
        base = drawn([pair for pair in pairs if pair not in set(tested)], limit, seed, "builtin")
        found = {PHENOMENA[name].title: make_parts(name, _EACH, 0, seed)[0].examples for name in _PHENOMENA}
        return Suite("builtin", "Built-in", _TASK, NLI3, base, {"built-in": tested}, found, sets=3)
