"""Sentences with a negation, a quantifier or several conjunctions have their turn, though they are rare."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.build.conjuncts.building import build_pairs
from trivium.build.conjuncts.parsers import make_parser
from trivium.build.conjuncts.variety import Variety, in_turns, variety_of

VARIETIES = st.builds(Variety, st.booleans(), st.booleans(), st.booleans())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat and the dog sleep", Variety(False, False, False)),
        ("The cat and the dog don't sleep", Variety(True, False, False)),
        ("Neither the cat nor the dog sleeps", Variety(True, False, False)),
        ("Every cat and dog sleeps", Variety(False, True, False)),
        ("The cat and the dog sleep but dream", Variety(False, False, True)),
        ("No cat or dog sleeps and Nobody cares", Variety(True, True, True)),
    ],
)
def test_what_a_sentence_has(text: str, expected: Variety) -> None:
    assert variety_of(text.split()) == expected


@given(st.lists(VARIETIES))
def test_turns_are_taken_as_long_as_there_are(varieties: list[Variety]) -> None:
    found = list(enumerate(varieties))
    ordered = in_turns(found, lambda one: one[1])
    assert sorted(ordered) == found

    def turn(variety: Variety) -> int:
        return next((place for place, has in enumerate(variety) if has), len(variety))

    whole = Counter(turn(one) for one in varieties)
    so_far: Counter[int] = Counter()
    last = dict.fromkeys(range(4), -1)
    for number, variety in ordered:
        mine = turn(variety)
        so_far[mine] += 1
        assert last[mine] < number  # within a kind the order stays
        last[mine] = number
        for other in range(4):  # no kind is two ahead of one that is not used up
            assert so_far[mine] - so_far[other] <= 1 or so_far[other] == whole[other]


def test_rare_sentences_are_built_from_as_often_as_frequent_ones() -> None:
    things = "apples plums coins pens hats books flowers chairs cups spoons".split()
    pairs = [(one, other) for one in things for other in things if one != other]
    plain = [f"The baker sold {one} and bought {other}." for one, other in pairs]
    several = [f"The cook sold {one} and bought {other}, but the boys slept." for one, other in pairs[:20]]
    counted = [f"The clerk sold {one} and bought some {other}." for one, other in pairs[:20]]
    built = build_pairs([*plain, *several, *counted], 60, parser=make_parser("light"), most=1)
    of_and = [one for one in built.split if one.fact("conjunction") == "and"]
    numbers = Counter((one.fact("quantifier"), one.fact("multiple")) for one in of_and)
    assert len(of_and) == 20
    assert min(numbers["yes", "no"], numbers["no", "yes"], numbers["no", "no"]) >= 5
