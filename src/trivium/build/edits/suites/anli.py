"""ANLI R3, with categories by the type of reasoning required (CFL, section 3.1)."""

from __future__ import annotations

from dataclasses import replace

from trivium.build.edits.suites import Suite, sample, suite, without, without_premises_of
from trivium.data.labels import NLI3
from trivium.data.reasoning import CATEGORIES, is_annotated, load_reasoning
from trivium.data.sources import find_sources, load_source

_ROUND, _TEST = "R3", 1000


@suite("anli")
class AnliSuite:
    """Base: MultiNLI and the first two rounds of ANLI. Categories: annotated examples of the third round."""

    about = "ANLI R3 in six categories of reasoning; base: MultiNLI, ANLI R1 and R2"

    def is_available(self) -> bool:
        """Return whether ANLI, its annotations and MultiNLI are available."""
        sources = find_sources()
        return is_annotated(_ROUND) and sources["anli"]().is_available() and sources["mnli"]().is_available()

    def load(self, limit: int, test: int, seed: int) -> Suite:
        """Load the suite. At most a thousand pairs of MultiNLI's dev set are used for testing.

        Their premises are excluded from training, because MultiNLI has three pairs of each premise.
        """
        mnli, anli = load_source("mnli"), load_source("anli")
        mnli_dev = [example for example in mnli if example.fact("part") == "dev"]
        tested = sample(mnli_dev, min(test or _TEST, _TEST), seed, "mnli", "test")
        annotations = load_reasoning(_ROUND)
        anli_dev = [e for e in anli if e.fact("round") == _ROUND and e.fact("part") == "dev"]
        base = sample(without_premises_of(without(mnli, tested), tested), limit, seed, "mnli")
        base += sample(
            without_premises_of([e for e in anli if e.fact("round") != _ROUND], anli_dev), limit, seed, "anli"
        )
        categories = {
            name: tuple(replace(e, parts=()) for e in anli_dev if name in annotations.get(str(e.fact("uid")), ()))
            for name in CATEGORIES
        }
        return Suite("anli", "ANLI R3", "nli", NLI3, base, {"MNLI-m": tested}, categories, sets=5)
