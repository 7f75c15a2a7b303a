"""The difference of two texts is found word by word, loses nothing, and takes no longer than it should."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.language.difference import _WORD, Change, Difference, difference, words

TEXTS = st.lists(st.sampled_from("a the dog cat runs Runs red not . , 4 / 10 é".split()), max_size=30).map(" ".join)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It's a well-made film: 4/10.", "It's a well-made film : 4 / 10 ."),
        ("7.5 out of 10!!", "7.5 out of 10 ! !"),
        ("He didn’t -- really.", "He didn’t - - really ."),
        ("snake_case", "snake _ case"),
        ("", ""),
        (" \t ", ""),
    ],
)
def test_words_numbers_and_signs_are_kept_apart(text: str, found: str) -> None:
    assert " ".join(words(text)) == found


def changed(original: str, revised: str) -> list[tuple[str, str]]:
    return [(" ".join(one.removed), " ".join(one.inserted)) for one in difference(original, revised).changes]


@given(st.text())
def test_no_word_goes_over_a_space(text: str) -> None:
    assert words(text) == tuple(_WORD.findall(text))


def test_each_place_has_what_was_removed_and_inserted() -> None:
    assert changed("A tall nun sails a boat.", "A nun sails two boats today.") == [
        ("tall", ""), ("a boat", "two boats today"),
    ]  # fmt: skip


def test_case_is_no_change() -> None:
    assert changed("The Nun sails.", "the nun SAILS.") == []


def test_a_change_knows_its_neighbours_and_its_place() -> None:
    (found,) = difference(
        "On Monday the old baker sells warm bread here", "On Monday the baker sells warm bread here"
    ).changes
    assert found == Change(("old",), (), ("On", "Monday", "the"), ("baker", "sells", "warm", "bread"), 3, 3)
    assert (found.removed_end, found.inserted_end) == (4, 3)


def test_changes_that_belong_together_become_one() -> None:
    found = difference("Monks row on a lake at dawn", "Monks dance on a stage at dawn")
    assert len(found.changes) == 2
    assert found.between(*found.changes) == ("on", "a")
    (one,) = found.joined(lambda first, second: len(found.between(first, second)) <= 2).changes
    assert (one.removed, one.inserted) == (("row", "on", "a", "lake"), ("dance", "on", "a", "stage"))
    assert found.joined(lambda first, second: False) == found


def revise(found: Difference) -> tuple[str, ...]:
    """The original with all changes made."""
    made, at = [], 0
    for change in found.changes:
        assert found.original[change.removed_at : change.removed_end] == change.removed
        made += [*found.original[at : change.removed_at], *change.inserted]
        at = change.removed_end
    return (*made, *found.original[at:])


@given(TEXTS, TEXTS)
def test_the_changes_lead_from_the_original_to_the_revision(original: str, revised: str) -> None:
    found = difference(original, revised)
    assert [word.lower() for word in revise(found)] == [word.lower() for word in words(revised)]


@given(st.text(), st.text())
def test_any_text_can_be_compared(original: str, revised: str) -> None:
    assert difference(original, original).changes == ()
    found = difference(original, revised)
    assert len(revise(found)) == len(found.revised)


@pytest.mark.parametrize(
    ("original", "revised"),
    [
        ("so " * 10_000, "very " + "so " * 10_000 + "very"),
        ("so very " * 5_000, "very so " * 5_000 + "so"),
        (" ".join(str(n) for n in range(10_000)), " ".join(str(n) for n in reversed(range(10_000)))),
        (" ".join(str(n % 700) for n in range(10_000)), " ".join(str(n % 701) for n in range(10_000))),
    ],
)
def test_long_texts_take_no_time_to_speak_of(original: str, revised: str) -> None:
    before = time.perf_counter()
    assert difference(original, revised).changes
    assert time.perf_counter() - before < 20  # seconds; all pairs of words would take minutes
