"""Texts are split into words as taggers do it, and any text can be split."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.language.tokens import split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("He sang, and (she) danced.", "He sang , and ( she ) danced ."),
        ("It isn't Tom's; they'll go!", "It is n't Tom 's ; they 'll go !"),
        ('Mr. J. B. Fox said "no".', 'Mr. J. B. Fox said " no " .'),
        ("a well-known and/or new 20-year plan", "a well - known and / or new 20-year plan"),
        ("the 1889–90 season of the U.S.'s team", "the 1889–90 season of the U.S. 's team"),
        ("at 10pm for $5.00, 3.5% off", "at 10 pm for $ 5.00 , 3.5 % off"),
        ("wait... e.g., cannot", "wait ... e.g. , can not"),
        ("'s", "'s"),
        ("", ""),
        ("👍 n't ''", "👍 n't ' '"),
    ],
)
def test_punctuation_and_clitics_are_words_of_their_own(text: str, words: str) -> None:
    assert split_words(text) == tuple(words.split())


@settings(deadline=None)
@given(st.text())
def test_only_spaces_are_lost(text: str) -> None:
    words = split_words(text)
    assert "".join(words) == "".join(text.split())
    assert all(words)


@pytest.mark.parametrize("text", ["(" * 10_000, "!" * 10_000, "word " * 10_000, "a-" * 5_000, "'s" * 5_000])
def test_long_texts_are_split_quickly(text: str) -> None:
    start = time.process_time()
    split_words(text)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "text", ["." * 120_000, "(" * 120_000, "a." * 30_000 + "." * 60_000, "a." * 30_000 + "," * 60_000, "'s" * 60_000]
)
def test_the_time_grows_linearly_with_the_text(text: str) -> None:
    begin = time.perf_counter()
    words = split_words(text)
    assert time.perf_counter() - begin < 5  # in quadratic time it would be half a minute
    assert "".join(words) == text
