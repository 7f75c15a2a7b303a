"""A denial is grammatical and says the opposite; facts that no rule covers have none."""

from __future__ import annotations

import pytest

from trivium.build.denial import deny, pairs_from_fact

CASES = [
    ("I have a dog.", "I do not have a dog."),
    ("i have two dogs and a cat", "i do not have two dogs and a cat"),
    ("I'm a nurse.", "I am not a nurse."),
    ("i've superpowers.", "i do not have superpowers."),
    ("I have been to the coast.", "I have not been to the coast."),
    ("my family has raised horses", "my family has not raised horses"),
    ("My favorite color is blue.", "My favorite color is not blue."),
    ("She works at night.", "She does not work at night."),
    ("I met a singer.", "I did not meet a singer."),
    ("I can swim.", "I can not swim."),
    ("I do like cooking.", "I do not like cooking."),
    ("I do yoga.", "I do not do yoga."),
    ("I recently got a boat.", "I did not recently get a boat."),
    ("I read twenty books a year.", "I do not read twenty books a year."),
    ("We own some land.", "We do not own any land."),
    ("I sing.", "I do not sing."),
    ("I've got a boat.", "I have not got a boat."),
    ("I have read it.", "I have not read it."),
]


@pytest.mark.parametrize(("fact", "denial"), CASES)
def test_the_first_verb_is_negated(fact: str, denial: str) -> None:
    assert deny(fact) == denial


@pytest.mark.parametrize(
    "fact",
    [
        "I do not like rain.",
        "I never sleep.",
        "I only eat fish.",
        "I sometimes sing.",
        "Welding is my trade.",
        "my brother who is tall swims",
        "i m from here",
        "",
        "I",
        "I am.",
        "I may go.",
        "I 've a dog",
        "My dog",
    ],
)
def test_facts_that_no_rule_covers_have_no_denial(fact: str) -> None:
    assert deny(fact) is None


def test_a_fact_gives_pairs_with_itself_its_denial_and_other_facts() -> None:
    pairs = pairs_from_fact("I have a dog.", ["I have a dog.", "I sing."], "f")
    assert [(e.premise, e.hypothesis, e.label) for e in pairs] == [
        ("I have a dog.", "I have a dog.", "entailment"),
        ("I have a dog.", "I sing.", "neutral"),
        ("I have a dog.", "I do not have a dog.", "contradiction"),
        ("I do not have a dog.", "I have a dog.", "contradiction"),
        ("I do not have a dog.", "I do not have a dog.", "entailment"),
    ]
    assert len({e.id for e in pairs}) == 5
    assert {e.label for e in pairs_from_fact("Welding is my trade.", [], "f")} == {"entailment"}
