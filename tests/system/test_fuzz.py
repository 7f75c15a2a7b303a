"""Two hundred generated inputs for each reader, and some command lines: each is accepted or refused with one line."""

from __future__ import annotations

import pytest
from benchmarks.fuzzing.check import SECONDS, run_reader

READERS = (
    "JSON Lines",
    "JSON Lines, gzipped",
    "CSV",
    "TSV",
    "Parquet",
    "split, JSON Lines",
    "split, Parquet",
    "preset",
    "--set",
    "manifest",
    "CoNLL-U",
    "roles",
    "dialogues",
    "lesson",
    "sentences",
    "sheet and key",
    "recast: choices",
    "recast: swap",
    "archive, zip",
    "archive, tar.gz",
    "archive, tar",
    "ANLI",
    "ANLI, reasoning",
    "SNLI",
    "MultiNLI, training",
    "MultiNLI, dev",
    "SICK",
    "CAD, pairs",
    "CAD, reviews",
    "ConjNLI",
    "fragments",
    "CURRICULUM",
    "persona.json",
    "history of corrections",
)


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_accepts_or_refuses_any_input(reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRIVIUM_DATA", raising=False)
    outcome = run_reader(reader, 200)
    assert not outcome.faults, outcome
    assert outcome.accepted
    assert outcome.refused
    assert outcome.slowest < SECONDS


def test_the_command_line_accepts_or_refuses_any_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run_reader("command line", 100)
    assert not outcome.faults, outcome
