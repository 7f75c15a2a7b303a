"""Flips make of "A and B" an "either A or B", and leave alone what they are not sure of."""

from __future__ import annotations

import pytest

from trivium.build.conjuncts.flip import flip, flips
from trivium.data.example import Example
from trivium.data.sources.conjnli import load_part


@pytest.mark.parametrize(
    ("premise", "hypothesis", "flipped"),
    [
        (
            "Anna visited Rome and Oslo in May.",
            "Anna visited Oslo in May.",
            "Anna visited either Rome or Oslo in May.",
        ),
        ("He plays both chess and tennis.", "He plays chess.", "He plays either chess or tennis."),
        (
            "The cat and the dog are in the garden.",
            "The cat is in the garden.",
            "Either the cat or the dog is in the garden.",
        ),
        ("Filandia is a town and municipality.", "Filandia is a municipality.",
         "Filandia is either a town or municipality."),
    ],
)  # fmt: skip
def test_the_conjunction_and_what_agrees_with_it_change(premise: str, hypothesis: str, flipped: str) -> None:
    assert flip(premise, hypothesis) == flipped


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Anna visited Rome or Oslo.", "Anna visited Oslo."),
        ("Anna visited Rome.", "Anna visited Rome and Oslo."),
        ("Anna visited Rome and Oslo.", "Anna visited Rome and Paris."),
        ("Anna and Ben both left early.", "Anna left early."),
        ("Anna visited Rome.", "Anna visited Rome."),
        ("It was built in 1901 and closed in 1950.", "It was built in 1901."),
        ("Anna visited Rome, Paris and Oslo in May.", "Anna visited Rome, Oslo in May."),
        ("It runs from north to south and west.", "It runs from north to west."),
        ("He is one of the best singers and dancers here.", "He is one of the best singers here."),
        ("", ""),
        ("and", ""),
    ],
)
def test_what_is_no_removal_from_an_and_is_left_alone(premise: str, hypothesis: str) -> None:
    assert flip(premise, hypothesis) is None


def test_only_entailment_is_flipped_and_becomes_neutral() -> None:
    texts = "Anna visited Rome and Oslo in May.", "Anna visited Oslo in May."
    found = flips([Example.make(label, *texts, label) for label in ("entailment", "neutral", "contradiction")])
    assert [(one.before.id, one.after.id, one.after.label) for one in found] == [
        ("entailment", "entailment-flipped", "neutral")
    ]
    assert found[0].after.hypothesis == texts[1]


@pytest.mark.usefixtures("real_data")
def test_most_such_pairs_of_conjnli_are_flipped() -> None:
    found = flips(load_part("dev"))
    assert len(found) >= 28
    for one in found:
        assert one.after.premise.lower().split().count("either") == 1
        assert " or " in one.after.premise
