"""The annotations of ANLI: their counts, and codes that stand for no category."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from trivium.data.reasoning import CATEGORIES, load_reasoning, read_reasoning
from trivium.data.sources import load_source
from trivium.errors import UserError


@pytest.mark.usefixtures("real_data")
def test_counts_of_the_third_round_are_those_of_the_released_file() -> None:
    found = load_reasoning("R3")
    counts = Counter(name for names in found.values() for name in names)
    assert [counts[name] for name in CATEGORIES] == [243, 601, 329, 307, 766, 193]
    dev = {e.fact("uid") for e in load_source("anli") if e.fact("round") == "R3" and e.fact("part") == "dev"}
    assert set(found) <= dev
    assert len(found) == 1198


def test_an_example_has_each_of_its_categories_once_in_the_usual_order(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(
        'uid,A1Code\n1,"Tricky-Pragmatic, Basic-Lexical, Basic-Negation"\n2,EventCoref\n3,"Quality-Error"\n'
    )
    assert read_reasoning(file) == {"1": ("Basic", "Tricky"), "2": (), "3": ("Imperfections",)}


def test_an_unknown_category_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("uid,A1Code\n1,Numericle-Cardinal\n")
    with pytest.raises(UserError, match=r"a.csv:2: unknown category in the code 'Numericle-Cardinal': .*Numerical"):
        read_reasoning(file)
