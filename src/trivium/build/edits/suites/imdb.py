"""Film reviews, with categories by the edit that changes their sentiment (CFL, section 3.3)."""

from __future__ import annotations

from trivium.build.edits.edits import SENTIMENT_EDITS, sentiment_edit
from trivium.build.edits.suites import Suite, sample, suite, without
from trivium.data.labels import SENTIMENT
from trivium.data.sources import find_sources, load_source
from trivium.data.sources.cad import ORIGINAL, SENTIMENT_TASK


@suite("imdb")
class ImdbSuite:
    """Base: the original versions of edited IMDB reviews. Categories: the edited versions, by category of edit."""

    about = "counterfactual edits of IMDB reviews in categories of edits; base: 1,952 unedited reviews"

    def is_available(self) -> bool:
        """Return whether the reviews are available."""
        return find_sources()["cad-imdb"]().is_available()

    def load(self, limit: int, test: int, seed: int) -> Suite:
        """Load the suite. The unedited reviews of the test set are the base test."""
        reviews = load_source("cad-imdb")
        originals = {example.id: example for example in reviews if example.fact("version") == ORIGINAL}
        tested = sample([e for e in originals.values() if e.fact("part") == "test"], test, seed, "imdb", "test")
        revised = [example for example in reviews if example.id not in originals]
        known = [example for example in originals.values() if example.fact("part") != "test"]
        base = sample(without(known, [*tested, *revised]), limit, seed, "imdb")
        edits = {e: sentiment_edit(originals[str(e.fact("original"))], e) for e in revised}
        categories = {name: tuple(e for e, edit in edits.items() if edit == name) for name in SENTIMENT_EDITS}
        return Suite(
            "imdb", "IMDB", SENTIMENT_TASK, SENTIMENT, base, {"IMDB": tested}, categories, sets=3, errors_only=True
        )
