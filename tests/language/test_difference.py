"""The difference between two texts is word by word, complete, and fast to compute."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.language.difference import _WORD, Change, Difference, difference, words

TEXTS = st.lists(st.sampled_from("a the dog cat runs Runs red not . , 4 / 10 é".split()), max_size=30).map(" ".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's a well-made film: 4/10.", "It's a well-made film : 4 / 10 ."),
        ("7.5 out of 10!!", "7.5 out of 10 ! !"),
        ("He didn’t -- really.", "He didn’t - - really ."),
        ("snake_case", "snake _ case"),
        ("", ""),
        (" \t ", ""),
    ],
)
def test_words_numbers_and_punctuation_marks_are_split(text: str, expected: str) -> None:
    assert " ".join(words(text)) == expected


def changed(original: str, revised: str) -> list[tuple[str, str]]:
    return [(" ".join(change.removed), " ".join(change.inserted)) for change in difference(original, revised).changes]


@given(st.text())
def test_no_word_contains_a_space(text: str) -> None:
    assert words(text) == tuple(_WORD.findall(text))


def test_each_change_has_the_removed_and_inserted_words() -> None:
    assert changed("A tall nun sails a boat.", "A nun sails two boats today.") == [
        ("tall", ""), ("a boat", "two boats today"),
    ]  # fmt: skip


def test_case_is_ignored() -> None:
    assert changed("The Nun sails.", "the nun SAILS.") == []


def test_a_change_has_its_context_and_its_indices() -> None:
    (change,) = difference(
        "On Monday the old baker sells warm bread here", "On Monday the baker sells warm bread here"
    ).changes
    assert change == Change(("old",), (), ("On", "Monday", "the"), ("baker", "sells", "warm", "bread"), 3, 3)
    assert (change.removed_end, change.inserted_end) == (4, 3)


def test_changes_that_belong_together_are_merged() -> None:
    diff = difference("Monks row on a lake at dawn", "Monks dance on a stage at dawn")
    assert len(diff.changes) == 2
    assert diff.between(*diff.changes) == ("on", "a")
    (merged,) = diff.joined(lambda first, second: len(diff.between(first, second)) <= 2).changes
    assert (merged.removed, merged.inserted) == (("row", "on", "a", "lake"), ("dance", "on", "a", "stage"))
    assert diff.joined(lambda first, second: False) == diff


def revise(diff: Difference) -> tuple[str, ...]:
    """Return the original with all changes applied."""
    revised, index = [], 0
    for change in diff.changes:
        assert diff.original[change.removed_at : change.removed_end] == change.removed
        revised += [*diff.original[index : change.removed_at], *change.inserted]
        index = change.removed_end
    return (*revised, *diff.original[index:])


@given(TEXTS, TEXTS)
def test_the_changes_lead_from_the_original_to_the_revision(original: str, revised: str) -> None:
    diff = difference(original, revised)
    assert [word.lower() for word in revise(diff)] == [word.lower() for word in words(revised)]


@given(st.text(), st.text())
def test_any_text_can_be_compared(original: str, revised: str) -> None:
    assert difference(original, original).changes == ()
    diff = difference(original, revised)
    assert len(revise(diff)) == len(diff.revised)


@pytest.mark.parametrize(
    ("original", "revised"),
    [
        ("so " * 10_000, "very " + "so " * 10_000 + "very"),
        ("so very " * 5_000, "very so " * 5_000 + "so"),
        (" ".join(str(n) for n in range(10_000)), " ".join(str(n) for n in reversed(range(10_000)))),
        (" ".join(str(n % 700) for n in range(10_000)), " ".join(str(n % 701) for n in range(10_000))),
    ],
)
def test_long_texts_are_compared_quickly(original: str, revised: str) -> None:
    before = time.perf_counter()
    assert difference(original, revised).changes
    assert time.perf_counter() - before < 20  # seconds; aligning all pairs of words would take minutes
