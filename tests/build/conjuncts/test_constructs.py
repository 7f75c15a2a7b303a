"""The constructs that conjunctions join (ConjNLI, Table 4)."""

from __future__ import annotations

import pytest

from trivium.build.conjuncts.constructs import Construct, count_constructs
from trivium.build.conjuncts.parsers import make_parser


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The board had three members or fewer.", ["NP + Adj"]),
        ("Ada and Tom were there but did not sing.", ["NP + NP", "VP + VP"]),
        ("The path leads in or around the wood.", ["Prep + Prep"]),
        ("It is a white powder, but old samples can appear grey.", ["Clause + Clause"]),
        ("The guards were tired and in some cases ill.", ["Adj + PP"]),
    ],
)
def test_constructs_are_those_of_the_papers_table(text: str, names: list[str]) -> None:
    assert [construct.name for construct in count_constructs([text], make_parser("light"))] == names


def test_a_repeated_sentence_counts_once_and_the_shortest_one_is_shown() -> None:
    long, short = "Ada and Tom were there in the evening.", "Eva and Joe sang."
    found = count_constructs([long, long, short], make_parser("light"))
    assert found == [Construct("NP + NP", 2, short)]
    assert count_constructs([], make_parser("light")) == []
