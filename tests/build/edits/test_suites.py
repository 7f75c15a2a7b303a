"""Suites never test what their base is trained on, and have the sizes of their data."""

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
    loaded = load_suite("builtin", 100, 50, 0)
    assert (len(loaded.base), len(loaded.tests["built-in"])) == (100, 50)
    assert all(len(examples) == 240 for examples in loaded.categories.values())
    assert {example.task for example in (*loaded.base, *loaded.candidates())} == {loaded.task}
    assert loaded == load_suite("builtin", 100, 50, 0)
    assert loaded.base != load_suite("builtin", 100, 50, 1).base


@pytest.mark.usefixtures("real_data")
@pytest.mark.parametrize(("name", "labels"), [("anli", NLI3), ("snli", NLI3), ("imdb", SENTIMENT)])
def test_no_test_example_is_in_the_base(name: str, labels) -> None:
    assert find_suites()[name]().is_available()
    loaded = load_suite(name, 500, 100, 0)
    assert loaded.labels == labels
    tested = {key_of(e) for examples in (*loaded.tests.values(), loaded.candidates()) for e in examples}
    assert not tested & {key_of(e) for e in loaded.base}
    assert all(e.label in labels.names and e.task == loaded.task for e in (*loaded.base, *loaded.candidates()))
    assert all(len(examples) == 100 for examples in loaded.tests.values())
    if name == "anli":
        assert [len(examples) for examples in loaded.categories.values()] == [243, 601, 329, 307, 766, 193]
        assert not {e.fact("round") for e in loaded.base} & {"R3"}


def test_a_suite_whose_base_contains_a_test_example_is_rejected() -> None:
    example = Example.make("x", "a", "b", "neutral")

    @suite("leaky")
    class Leaky:
        about = "a suite whose base is tested"

        def is_available(self) -> bool:
            return True

        def load(self, limit: int, test: int, seed: int) -> Suite:
            return Suite("leaky", "Leaky", "nli", NLI3, (example,), {"t": (example,)}, {}, sets=1)

    try:
        with pytest.raises(UserError, match="suite 'leaky': the base training set contains x, which is also tested"):
            load_suite("leaky", 0, 0, 0)
    finally:
        find_suites()._components.pop("leaky")
