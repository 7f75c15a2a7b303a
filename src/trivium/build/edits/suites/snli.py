"""SNLI, with categories by the edit that changes a label (CFL, section 3.2)."""

from __future__ import annotations

from trivium.build.edits.edits import NLI_EDITS, nli_edit
from trivium.build.edits.suites import Suite, sample, suite, without
from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.sources import find_sources, load_source
from trivium.data.sources.cad import ORIGINAL


@suite("snli")
class SnliSuite:
    """Base: SNLI. Categories: counterfactual revisions of its pairs, by category of edit."""

    about = "counterfactual edits of SNLI pairs in categories of edits; base: SNLI"

    def is_available(self) -> bool:
        """Return whether SNLI and its edited pairs are available."""
        return all(find_sources()[name]().is_available() for name in ("snli", "cad-snli"))

    def load(self, limit: int, test: int, seed: int) -> Suite:
        """Load the suite. The base includes the original pairs of revisions, except those of the test set."""
        snli, edited = load_source("snli"), load_source("cad-snli")
        known = [e for e in (*snli, *edited) if e.fact("part") != "test" and e.fact("version") in (None, ORIGINAL)]
        tested = sample([e for e in snli if e.fact("part") == "test"], test, seed, "snli", "test")
        categories = edits_of(edited.examples)
        revised = [e for e in edited if e.fact("version") != ORIGINAL]
        base = sample(without(known, [*tested, *revised]), limit, seed, "snli")
        return Suite("snli", "SNLI", "nli", NLI3, base, {"SNLI": tested}, categories, sets=3, errors_only=True)


def edits_of(examples: tuple[Example, ...]) -> dict[str, tuple[Example, ...]]:
    """Return the revisions of each category; those without a category are left out."""
    originals = {example.id: example for example in examples if example.fact("version") == ORIGINAL}
    edits = {e: nli_edit(originals[str(e.fact("original"))], e) for e in examples if e.id not in originals}
    return {name: tuple(e for e, edit in edits.items() if edit == name) for name in NLI_EDITS}
