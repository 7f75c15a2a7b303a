"""What a model is trained on shares nothing with the guard of a later correction."""

from __future__ import annotations

import pytest

from trivium.data.example import Example, key_of
from trivium.data.labels import NLI3
from trivium.data.split import Split
from trivium.tools.correction_data import choose_guard
from trivium.tools.training import gather_pairs, without_test_part


def pair(id: str, premise: str, part: str) -> Example:
    return Example.make(id, premise, "Something happens.", "neutral", part=part)


def test_the_test_part_and_its_copies_are_left_out() -> None:
    pairs = [pair("a", "A dog runs.", "dev"), pair("b", "A cat sits.", "test"), pair("c", "a cat  sits.", "dev")]
    assert [example.id for example in without_test_part(Split("s", tuple(pairs), NLI3))] == ["a"]
    only_tests = Split("s", (pairs[1],), NLI3)
    assert without_test_part(only_tests) == only_tests


@pytest.mark.usefixtures("real_data")
def test_a_base_trained_on_snli_and_the_default_guard_share_nothing() -> None:
    trained = gather_pairs("data", ["snli"], None, seed=0)
    assert {example.fact("part") for example in trained} == {"train", "dev"}
    guard = choose_guard(None, NLI3, [], seed=0)
    assert guard.name == "snli, test part"
    pairs = [*guard.remembered, *guard.measured]
    assert len(pairs) > 900
    assert not {key_of(example) for example in pairs} & {key_of(example) for example in trained}
    assert not {example.premise.lower() for example in pairs} & {example.premise.lower() for example in trained}
