"""Entities with their types and values, and different spellings of the same entity."""

from __future__ import annotations

import pytest

from trivium.build.recasting.entities import find_entities, overlap, same_entity, value_of


def test_entities_and_their_types() -> None:
    text = (
        "Dr. Ada Blum earned $2.5 million, or 12% more, on March 5, 1903. In May 1920 she moved to Bergen with two of "
        "the Herons. At 5:30 pm J. P. Roth kicked a 38-yard ball for the University of Lund, and they won 24-17. "
        "Water may be first in the 1990s, no one knows."
    )
    assert {(entity.text, entity.type) for entity in find_entities(text)} == {
        ("Ada Blum", "person"), ("$2.5 million", "money"), ("12%", "percentage"), ("March 5, 1903", "date"),
        ("May 1920", "month of a year"), ("Bergen", "place"), ("two", "number"), ("Herons", "group"),
        ("5:30 pm", "time"), ("J. P. Roth", "person"), ("38", "number"), ("University of Lund", "organization"),
        ("24-17", "score"), ("first", "ordinal"), ("1990s", "decade"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("twenty-five", "25"),
        ("1,000", "one thousand"),
        ("the  Herons", "herons"),
        ("6%", "6 percent"),
        ("$5", "5 dollars"),
    ],
)
def test_different_spellings_are_the_same(first: str, second: str) -> None:
    assert same_entity(first, second)
    assert overlap(first, second)


def test_numbers_have_values_in_digits_and_words() -> None:
    values = [value_of(text) for text in ("twenty-five", "3,000", "2.5 million", "two hundred", "a dozen", "Ada", "")]
    assert values == [25, 3000, 2_500_000, 200, None, None, None]
