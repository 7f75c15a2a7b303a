"""The suites: what bases learn is never tested, and sizes are those of the data."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.build.edits.suites import Suite, find_suites, load_suite, suite
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI3, SENTIMENT
from trivium.errors import UserError


def test_the_built_in_suite_needs_no_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TRIVIUM_DATA", raising=False)
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path))
    made = load_suite("builtin", 100, 50, 0)
    assert (len(made.base), len(made.tests["built-in"])) == (100, 50)
    assert all(len(found) == 240 for found in made.categories.values())
    assert {example.task for example in (*made.base, *made.candidates())} == {made.task}
    assert made == load_suite("builtin", 100, 50, 0)
    assert made.base != load_suite("builtin", 100, 50, 1).base


@pytest.mark.usefixtures("real_data")
@pytest.mark.parametrize(("name", "labels"), [("anli", NLI3), ("snli", NLI3), ("imdb", SENTIMENT)])
def test_no_base_knows_what_is_tested(name: str, labels) -> None:
    assert find_suites()[name]().is_there()
    made = load_suite(name, 500, 100, 0)
    assert made.labels == labels
    asked = {key_of(e) for found in (*made.tests.values(), made.candidates()) for e in found}
    assert not asked & {key_of(e) for e in made.base}
    assert all(e.label in labels.names and e.task == made.task for e in (*made.base, *made.candidates()))
    assert all(len(found) == 100 for found in made.tests.values())
    if name == "anli":
        assert [len(found) for found in made.categories.values()] == [243, 601, 329, 307, 766, 193]
        assert not {e.fact("round") for e in made.base} & {"R3"}


def test_a_suite_that_leaks_is_refused() -> None:
    one = Example.make("x", "a", "b", "neutral")

    @suite("leaky")
    class Leaky:
        about = "a suite whose base is tested"

        def is_there(self) -> bool:
            return True

        def load(self, limit: int, test: int, seed: int) -> Suite:
            return Suite("leaky", "Leaky", "nli", NLI3, (one,), {"t": (one,)}, {}, sets=1)

    try:
        with pytest.raises(UserError, match="the suite 'leaky' leaks: its base is trained on x, which is tested"):
            load_suite("leaky", 0, 0, 0)
    finally:
        find_suites()._parts.pop("leaky")
