"""Film reviews by the edits that change their sentiment (CFL, section 3.3)."""

from __future__ import annotations

from trivium.build.edits.edits import SENTIMENT_EDITS, sentiment_edit
from trivium.build.edits.suites import Suite, drawn, suite, without
from trivium.data.labels import SENTIMENT
from trivium.data.sources import find_sources, load_source
from trivium.data.sources.cad import ORIGINAL, SENTIMENT_TASK


@suite("imdb")
class ImdbSuite:
    """Base: reviews of IMDB that were edited, before they were. Categories: the edited ones, by what was edited."""

    about = "IMDB's counterfactual edits in categories of edits, after 1,952 of the unedited reviews"

    def is_there(self) -> bool:
        """Whether the reviews are on this machine."""
        return find_sources()["cad-imdb"]().is_there()

    def load(self, limit: int, test: int, seed: int) -> Suite:
        """The suite; unedited reviews of the test part are the base test."""
        reviews = load_source("cad-imdb")
        originals = {example.id: example for example in reviews if example.fact("version") == ORIGINAL}
        tested = drawn([e for e in originals.values() if e.fact("part") == "test"], test, seed, "imdb", "test")
        revised = [example for example in reviews if example.id not in originals]
        known = [example for example in originals.values() if example.fact("part") != "test"]
        base = drawn(without(known, [*tested, *revised]), limit, seed, "imdb")
        kinds = {e: sentiment_edit(originals[str(e.fact("original"))], e) for e in revised}
        found = {name: tuple(e for e, kind in kinds.items() if kind == name) for name in SENTIMENT_EDITS}
        return Suite("imdb", "IMDB", SENTIMENT_TASK, SENTIMENT, base, {"IMDB": tested}, found, sets=3, errors_only=True)
