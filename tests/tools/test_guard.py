"""A guard is divided by the seed, without corrections, duplicates and examples with two labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.tools.correcting import PAIRS, corrected, write
from tests.tools.in_process import InProcessRunner

from trivium.data.example import key_of
from trivium.data.labels import NLI2, NLI3, SENTIMENT
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.report.correction_text import describe_inputs
from trivium.tools.correction_data import (
    choose_guard,
)


def test_the_description_counts_what_is_left_out_of_a_guard(
    runner: InProcessRunner, model: Path, few: Path, tmp_path: Path
) -> None:
    other = "neutral" if PAIRS[0].label != "neutral" else "entailment"
    lines = [
        *PAIRS[:40],
        replace(PAIRS[0], id="x", label=other),
        replace(PAIRS[1], id="y"),
        Split.read(few).examples[0],
    ]
    result = corrected(runner, model, few, write(tmp_path / "guard.jsonl", lines), "pn")
    assert describe_inputs(result)[2].endswith("Left out: 1 also a correction, 1 with two labels, 1 repeated.")


def test_the_guard_is_divided_by_the_seed_and_corrections_are_taken_out_of_it(guard: Path, tmp_path: Path) -> None:
    whole = choose_guard(guard, NLI3, [], 0)
    assert (len(whole.remembered), len(whole.measured), whole.also_corrections) == (20, 40, 0)
    same_pair = [replace(PAIRS[3], premise=f"  {PAIRS[3].premise.upper()} ", id="x")]
    reduced = choose_guard(guard, NLI3, same_pair, 0)
    assert reduced.also_corrections == 1
    assert {*whole.measured} - {*reduced.measured} | {*whole.remembered} - {*reduced.remembered} == {
        example for example in (*whole.measured, *whole.remembered) if key_of(example) == key_of(PAIRS[3])
    }
    assert choose_guard(guard, NLI3, [], 1) != whole
    assert {example.label for example in choose_guard(guard, NLI2, [], 0).measured} == set(NLI2.names)
    with pytest.raises(UserError, match="contains 9 different examples, but a guard must have at least 30"):
        choose_guard(write(tmp_path / "small.jsonl", PAIRS[:9]), NLI3, [], 0)


def test_examples_with_two_labels_are_left_out_of_a_guard(tmp_path: Path) -> None:
    other = {"entailment": "neutral", "neutral": "contradiction", "contradiction": "entailment"}
    clashing = [replace(e, id=f"x{index}", label=other[str(e.label)]) for index, e in enumerate(PAIRS[:2])]
    lines = [*PAIRS[:40], *clashing, replace(PAIRS[3], id="y", premise=PAIRS[3].premise.upper())]
    chosen = choose_guard(write(tmp_path / "guard.jsonl", lines), NLI3, [], 0)
    assert (chosen.contradicting, chosen.repeated) == (2, 1)
    kept = {key_of(example) for example in (*chosen.remembered, *chosen.measured)}
    assert kept == {key_of(example) for example in PAIRS[2:40]}
    with pytest.raises(UserError, match=r"29 different examples \(2 with two labels are left out\)"):
        choose_guard(write(tmp_path / "small.jsonl", [*PAIRS[:31], *clashing]), NLI3, [], 0)


def test_without_public_data_the_guard_is_the_grammar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TRIVIUM_DATA", raising=False)
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path))
    chosen = choose_guard(None, NLI3, [], 0)
    assert chosen.name == "the built-in grammar"
    assert (len(chosen.remembered), len(chosen.measured)) == (200, 800)
    with pytest.raises(UserError, match="guard="):
        choose_guard(None, SENTIMENT, [], 0)
