"""SNLI by the edits that change its labels (CFL, section 3.2)."""

from __future__ import annotations

from trivium.build.edits.edits import NLI_EDITS, nli_edit
from trivium.build.edits.suites import Suite, drawn, suite, without
from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.sources import find_sources, load_source
from trivium.data.sources.cad import ORIGINAL


@suite("snli")
class SnliSuite:
    """Base: SNLI. Categories: counterfactual edits of its pairs, by what was edited."""

    about = "SNLI's counterfactual edits in categories of edits, after SNLI"

    def is_there(self) -> bool:
        """Whether SNLI and its edits are on this machine."""
        return all(find_sources()[name]().is_there() for name in ("snli", "cad-snli"))

    def load(self, limit: int, test: int, seed: int) -> Suite:
        """The suite; pairs of SNLI that were edited are in the base too, unless they are of its test part."""
        snli, edited = load_source("snli"), load_source("cad-snli")
        known = [e for e in (*snli, *edited) if e.fact("part") != "test" and e.fact("version") in (None, ORIGINAL)]
        tested = drawn([e for e in snli if e.fact("part") == "test"], test, seed, "snli", "test")
        found = edits_of(edited.examples)
        revised = [e for e in edited if e.fact("version") != ORIGINAL]
        base = drawn(without(known, [*tested, *revised]), limit, seed, "snli")
        return Suite("snli", "SNLI", "nli", NLI3, base, {"SNLI": tested}, found, sets=3, errors_only=True)


def edits_of(examples: tuple[Example, ...]) -> dict[str, tuple[Example, ...]]:
    """The revisions of each category; those that fit none are left out."""
    originals = {example.id: example for example in examples if example.fact("version") == ORIGINAL}
    kinds = {e: nli_edit(originals[str(e.fact("original"))], e) for e in examples if e.id not in originals}
    return {name: tuple(e for e, kind in kinds.items() if kind == name) for name in NLI_EDITS}
