"""The annotations of ANLI have their published counts, and codes are mapped to categories."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from trivium.data.reasoning import CATEGORIES, load_reasoning, read_reasoning
from trivium.data.sources import load_source
from trivium.errors import UserError


@pytest.mark.usefixtures("real_data")
def test_counts_of_the_third_round_are_those_of_the_released_file() -> None:
    annotations = load_reasoning("R3")
    counts = Counter(name for names in annotations.values() for name in names)
    assert [counts[name] for name in CATEGORIES] == [243, 601, 329, 307, 766, 193]
    dev = {e.fact("uid") for e in load_source("anli") if e.fact("round") == "R3" and e.fact("part") == "dev"}
    assert set(annotations) <= dev
    assert len(annotations) == 1198


def test_the_categories_of_an_example_are_distinct_and_in_a_fixed_order(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(
        'uid,A1Code\n1,"Tricky-Pragmatic, Basic-Lexical, Basic-Negation"\n2,EventCoref\n3,"Quality-Error"\n'
    )
    assert read_reasoning(file) == {"1": ("Basic", "Tricky"), "2": (), "3": ("Imperfections",)}


def test_the_error_for_an_unknown_category_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("uid,A1Code\n1,Numericle-Cardinal\n")
    with pytest.raises(UserError, match=r"a.csv:2: unknown category in the code 'Numericle-Cardinal': .*Numerical"):
        read_reasoning(file)
