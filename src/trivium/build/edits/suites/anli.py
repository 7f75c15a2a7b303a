"""ANLI R3 by the reasoning that its examples need (CFL, section 3.1)."""

from __future__ import annotations

from dataclasses import replace

from trivium.build.edits.suites import Suite, apart, drawn, suite, without
from trivium.data.labels import NLI3
from trivium.data.reasoning import CATEGORIES, is_annotated, load_reasoning
from trivium.data.sources import find_sources, load_source

_ROUND, _TEST = "R3", 1000


@suite("anli")
class AnliSuite:
    """Base: MultiNLI and the first two rounds of ANLI. Categories: annotated examples of the third round."""

    about = "ANLI R3 in six categories of reasoning, after MultiNLI and ANLI R1 and R2"

    def is_there(self) -> bool:
        """Whether ANLI, its annotations and MultiNLI are on this machine."""
        known = find_sources()
        return is_annotated(_ROUND) and known["anli"]().is_there() and known["mnli"]().is_there()

    def load(self, limit: int, test: int, seed: int) -> Suite:
        """The suite; of MultiNLI's dev part a thousand pairs at most are kept for testing, with their premises.

        MultiNLI has three pairs of each premise.
        """
        mnli, anli = load_source("mnli"), load_source("anli")
        dev = [example for example in mnli if example.fact("part") == "dev"]
        tested = drawn(dev, min(test or _TEST, _TEST), seed, "mnli", "test")
        needs = load_reasoning(_ROUND)
        dev = [e for e in anli if e.fact("round") == _ROUND and e.fact("part") == "dev"]
        base = drawn(apart(without(mnli, tested), tested), limit, seed, "mnli")
        base += drawn(apart([e for e in anli if e.fact("round") != _ROUND], dev), limit, seed, "anli")
        found = {
            name: tuple(replace(e, parts=()) for e in dev if name in needs.get(str(e.fact("uid")), ()))
            for name in CATEGORIES
        }
        return Suite("anli", "ANLI R3", "nli", NLI3, base, {"MNLI-m": tested}, found, sets=5)
