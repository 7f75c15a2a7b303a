"""The label rules on sentences written for them, and on the expert labels of ConjNLI."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.build.conjuncts.labels import RULES, label_pair
from trivium.build.conjuncts.reading import read_edit
from trivium.data.locate import are_there, find_file

E, N, C = "entailment", "neutral", "contradiction"
DEV = "conjnli/conj_dev.tsv"

CASES = [
    ("The cook and the waiter left early.", "The cook left early.", E, "and"),
    ("The cook left early.", "The cook and the waiter left early.", N, "and"),
    ("The cook and the waiters were late.", "The cook was late.", E, "and"),
    ("She swims, but she does not dive.", "She swims.", E, "but"),
    ("She swims.", "She swims, but she does not dive.", N, "but"),
    ("She sings but never dances.", "She sings.", E, "but"),
    ("He did not eat or drink.", "He did not eat.", E, "or denied"),
    ("He did not eat.", "He did not eat or drink.", N, "or denied"),
    ("The house was built in 1889 or 1890.", "The house was built in 1889.", N, "or of numbers"),
    ("The house was built in 1889.", "The house was built in 1889 or 1890.", E, "or of numbers"),
    ("You may have either tea or coffee.", "You may have tea.", N, "either/or"),
    ("The plant is known as cowslip or paigle.", "The plant is known as cowslip.", E, "other name"),
    ("A skiff, or small boat, lies there.", "A skiff lies there.", E, "other name"),
    ("The thief escaped by car or by train.", "The thief escaped by car.", N, "or in the past"),
    ("The thief escaped by car.", "The thief escaped by car or by train.", E, "or in the past"),
    ("The bird lives near rivers or lakes.", "The bird lives near rivers.", E, "or in general"),
    ("The bird lives near rivers.", "The bird lives near rivers or lakes.", N, "or in general"),
    ("It needs two or more players.", "It needs two players.", N, "bound"),
    ("The drink is neither hot nor sweet.", "The drink is not hot.", E, "neither/nor to not"),
    ("The drink is neither hot nor sweet.", "The drink is hot.", C, "neither/nor undone"),
    ("The drink is hot.", "The drink is neither hot nor sweet.", C, "made neither/nor"),
    ("All but one of the boats sank.", "One of the boats sank.", C, "exception"),
    ("They watched Bread and Roses twice.", "They watched Bread twice.", N, "part of a name"),
    ("In total, the storm and the flood cost a million.", "In total, the storm cost a million.", C, "taken together"),
    ("She ran and did not win.", "She ran and did win.", C, "denial"),
    ("The tower is tall and has 49 floors.", "The tower is tall and has 50 floors.", C, "number"),
    ("The rent is low and the room is big.", "The rent is high and the room is big.", C, "opposite"),
    ("The team is structured and small.", "The team is unstructured and small.", C, "opposite"),
    ("It was written by Ada Quill and Tom Reed.", "It was written by Eva Marsh and Tom Reed.", C, "name"),
    ("They sell apples and pears.", "They sell plums and pears.", N, "another word"),
    ("It is mostly dry, but the north is wet.", "It is mostly cloudy, but the north is wet.", C, "but"),
]


@pytest.mark.parametrize(("premise", "hypothesis", "label", "rule"), CASES)
def test_each_rule_gives_its_label(premise: str, hypothesis: str, label: str, rule: str) -> None:
    found = label_pair(premise, hypothesis)
    assert found is not None
    assert (found.label, found.rule) == (label, rule)


def test_the_same_sentence_in_other_spacing_has_no_label() -> None:
    assert (
        label_pair("It costs 1,200 at Eva's well-known shop.", "It costs 1, 200 at Eva 's well - known shop .") is None
    )


def test_the_last_rule_of_each_operation_always_holds() -> None:
    last = {rule.operation: rule for rule in RULES}
    edit = read_edit("a b", "a c")
    assert edit is not None
    assert all(rule.holds(edit) for rule in last.values())


def test_no_rule_stands_behind_another_of_its_name() -> None:
    names = [(rule.operation, rule.name) for rule in RULES]
    assert len(set(names)) == len(names)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_have_a_label_or_none(premise: str, hypothesis: str) -> None:
    found = label_pair(premise, hypothesis)
    assert found is None or found.label in (E, N, C)


@pytest.mark.skipif(not are_there(DEV), reason=f"{DEV} is not there")
def test_rules_agree_with_the_experts_more_often_than_the_papers() -> None:
    """The paper's heuristics were right on 70 of 100 of its adversarial pairs; 72.4 % were measured here."""
    lines = find_file(DEV).read_text(encoding="utf-8-sig").splitlines()
    rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    found = [label_pair(premise, hypothesis) for premise, hypothesis, _ in rows]
    right = [one is not None and one.label == row[2] for one, row in zip(found, rows, strict=True)]
    assert len(right) == 623
    assert sum(right) / len(right) >= 0.7
