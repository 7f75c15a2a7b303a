"""Which natural pairs are chosen: the relation of a hypothesis to its premise, and ambiguous pairs."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.build.veridicality.clauses import parse_clause
from trivium.build.veridicality.natural import choose_natural, pair_key, premise_key, relation_of, unsoundness
from trivium.data.example import Example
from trivium.data.sources import find_sources
from trivium.data.sources.builtin import Builtin

PREMISE = "A boy is peeling a large orange"


def pair(premise: str = PREMISE, hypothesis: str | None = "A boy is peeling a large fruit", label: str | None = "e",
         id: str = "p", **facts: str) -> Example:  # fmt: skip
    names = {"e": "entailment", "n": "neutral", "c": "contradiction", None: None}
    return Example.make(id, premise, hypothesis, names[label], task="nli", **facts)


@pytest.mark.parametrize(
    ("hypothesis", "relation"),
    [
        ("A boy is not peeling a large orange", "negation"),
        ("The boy isn't peeling a large orange", "negation"),
        ("There is no boy peeling a large orange", "negation"),
        ("Nobody is peeling a large orange", "negation"),
        ("A boy is never peeling a large fruit", "negation"),
        ("A large orange is being peeled by a boy", "passive"),
        ("The large orange is being peeled by the boy with a knife", None),
        ("A large orange is not being peeled by a boy", None),
        ("A boy is peeling a large fruit", "substitution"),
        ("A kid is peeling a large fruit", "substitution"),
        ("A boy is peeling a fruit of large size", "substitution"),
        ("A boy is peeling an orange", "deletion"),
        ("A boy is slowly peeling a large orange", "insertion"),
        ("A boy in blue is peeling a large ripe orange", "insertion"),
        ("A tall boy is peeling an orange", "substitution"),
        ("The boy is peeling the large orange", None),
        (PREMISE, None),
        ("Two cats are asleep", None),
        ("A girl is peeling a small apple", None),
        ("A boy in a very blue woollen coat is peeling a large orange", None),
        ("", None),
        ("the a is", None),
    ],
)
def test_the_relation_of_a_hypothesis_to_its_premise(hypothesis: str, relation: str | None) -> None:
    assert relation_of(PREMISE, hypothesis) == relation


def test_half_of_the_words_must_be_kept() -> None:
    assert relation_of("red dog runs loudly", "red dog sleeps indoors") == "substitution"
    assert relation_of("red dog runs loudly outside", "red dog sleeps indoors alone") is None
    assert relation_of("A boy is peeling an orange", "An orange is being peeled by a boy") is None


def test_three_changed_spans_are_too_many() -> None:
    premise = "The tall cook is slowly frying six green peppers near the old stove"
    assert relation_of(premise, "The thin cook is slowly frying six red peppers near the old stove") == "substitution"
    assert relation_of(premise, "The thin cook is slowly frying six red peppers near the new stove") is None


def test_a_change_of_more_than_three_words_is_too_long() -> None:
    premise = "The cook is frying six green peppers near the old black iron stove"
    assert relation_of(premise, "The cook is frying six green peppers near the stove") == "deletion"
    assert relation_of(premise, "The cook is frying six green peppers") is None


WORDS = st.lists(st.sampled_from("red blue dog cat runs sits park tree loudly two".split()), min_size=1, max_size=9,
                 unique=True)  # fmt: skip


@given(words=WORDS, articles=st.lists(st.sampled_from(["a", "the", "is", "an", "some"]), max_size=4))
@settings(max_examples=100, deadline=None)
def test_sentences_that_differ_only_in_function_words_have_no_relation(words: list[str], articles: list[str]) -> None:
    assert relation_of(" ".join(words), " ".join([*articles, *words])) is None


@given(words=WORDS, index=st.integers(0, 9))
@settings(max_examples=100, deadline=None)
def test_a_new_word_is_an_insertion_and_in_reverse_a_deletion(words: list[str], index: int) -> None:
    longer = [*words[:index], "suddenly", *words[index:]]
    assert relation_of(" ".join(words), " ".join(longer)) == "insertion"
    assert relation_of(" ".join(longer), " ".join(words)) == "deletion"


@given(words=WORDS, index=st.integers(0, 8))
@settings(max_examples=100, deadline=None)
def test_a_replaced_word_is_a_substitution_if_half_of_the_words_are_kept(words: list[str], index: int) -> None:
    index %= len(words)
    other = [*words[:index], "suddenly", *words[index + 1 :]]
    expected = None if len(words) == 1 else "substitution"
    assert relation_of(" ".join(words), " ".join(other)) == expected


@given(words=WORDS, index=st.integers(0, 9))
@settings(max_examples=50, deadline=None)
def test_an_inserted_not_is_a_negation_at_any_position(words: list[str], index: int) -> None:
    assert relation_of(" ".join(words), " ".join([*words[:index], "not", *words[index:]])) == "negation"


@pytest.mark.parametrize(
    "example",
    [
        pair(label=None),
        pair(hypothesis=None),
        pair("A lorry is passing a farm", "A lorry is passing a barn"),
        pair("A boy is not peeling an orange", "A boy is not peeling a fruit"),
        pair(hypothesis="Two cats are asleep"),
        pair(hypothesis="The boy is peeling the large orange"),
    ],
    ids=["no label", "no hypothesis", "inanimate premise", "negated premise", "no relation", "same sentence"],
)
def test_pairs_that_cannot_be_composed_are_left_out(example: Example) -> None:
    assert choose_natural([example]) == []


def test_a_chosen_pair_gets_a_clause_and_a_relation_and_is_otherwise_unchanged() -> None:
    (chosen,) = choose_natural([pair(domain="kitchen")])
    assert chosen.clause == parse_clause(PREMISE)
    assert chosen.example == Example.make(
        "p", PREMISE, "A boy is peeling a large fruit", "entailment",
        task="natural", domain="kitchen", relation="substitution",
    )  # fmt: skip


def test_a_relation_given_by_the_source_is_kept() -> None:
    (chosen,) = choose_natural([pair(hypothesis="Two cats are asleep", relation="hyponymy")])
    assert chosen.example.fact("relation") == "hyponymy"


def test_a_pair_whose_label_was_corrected_is_left_out() -> None:
    kept = pair(id="kept", corrected="entailment", label_ab="entailment")
    changed = pair("A girl is peeling a large orange", "A girl is peeling a large fruit", id="changed",
                   corrected="neutral", label_ab="entailment")  # fmt: skip
    assert [chosen.example.id for chosen in choose_natural([kept, changed])] == ["kept"]


@pytest.mark.parametrize(
    ("label", "label_ab", "kept"),
    [
        ("e", "entailment", True),
        ("n", "entailment", True),
        ("n", "neutral", True),
        ("c", "contradiction", True),
        ("c", "neutral", False),
        ("n", "contradiction", False),
        ("e", "contradiction", False),
    ],
)
def test_a_contradiction_must_be_symmetric(label: str, label_ab: str, kept: bool) -> None:
    example = pair(label=label, label_ab=label_ab, corrected=label_ab)
    assert bool(choose_natural([example])) == kept


def test_only_the_first_of_a_pair_and_its_reverse_is_kept() -> None:
    forward = pair(id="there")
    back = pair("A boy is peeling a large fruit", PREMISE, "n", id="back")
    assert [chosen.example.id for chosen in choose_natural([forward, back])] == ["there"]
    assert [chosen.example.id for chosen in choose_natural([back, forward])] == ["back"]


def test_a_pair_with_other_articles_is_the_same_pair() -> None:
    again = pair("The boy is peeling the large orange", "A boy is peeling some large fruit", id="again")
    assert [chosen.example.id for chosen in choose_natural([pair(), again])] == ["p"]


def test_a_pair_that_occurs_with_two_labels_is_left_out() -> None:
    other = pair("The boy is peeling a large orange", label="n", id="other")
    third = pair(id="third")
    assert choose_natural([pair(), other]) == []
    assert choose_natural([pair(), other, third]) == []


def test_different_labels_in_the_two_directions_are_allowed() -> None:
    back = pair("A boy is peeling a large fruit", PREMISE, "n", id="back")
    assert len(choose_natural([pair(), back])) == 1


def test_pair_key_ignores_only_direction_articles_and_case() -> None:
    key = pair_key(pair())
    assert pair_key(pair("A boy is peeling a large fruit", PREMISE)) == key
    assert pair_key(pair("THE boy is peeling some large orange.", "boy peeling large fruit")) == key
    assert pair_key(pair("Two boys are peeling a large orange")) != key
    assert pair_key(pair(hypothesis="A boy is not peeling a large fruit")) != key


@cache
def some_examples() -> tuple[Example, ...]:
    return Builtin(pairs=240).load().examples


@given(order=st.permutations(range(240)), size=st.integers(0, 240))
@settings(max_examples=10, deadline=None)
def test_choosing_keeps_the_order_removes_duplicates_and_is_idempotent(order: list[int], size: int) -> None:
    given_ = [some_examples()[i] for i in order[:size]]
    chosen = choose_natural(given_)
    ids = [example.id for example in given_]
    positions = [ids.index(selected.example.id) for selected in chosen]
    assert positions == sorted(positions)
    assert len({pair_key(selected.example) for selected in chosen}) == len(chosen)
    assert choose_natural(selected.example for selected in chosen) == chosen


@pytest.mark.usefixtures("real_data")
def test_sick_has_enough_pairs_for_the_paper() -> None:
    source = {example.id: example for example in find_sources()["sick"]().load()}
    chosen = choose_natural(source.values())
    labels = Counter(selected.example.label for selected in chosen)
    assert len(chosen) >= 1800
    assert labels["entailment"] >= 747 + 100
    assert labels["neutral"] >= 693 + 100
    assert labels["contradiction"] >= 690 + 100
    assert len({pair_key(selected.example) for selected in chosen}) == len(chosen)
    for selected in chosen:
        origin = source[selected.example.id]
        assert (origin.premise, origin.hypothesis, origin.label) == (
            selected.example.premise, selected.example.hypothesis, selected.example.label,
        )  # fmt: skip
        assert origin.fact("corrected") == origin.fact("label_ab")
        assert selected.example.fact("relation") in {"negation", "passive", "substitution", "deletion", "insertion"}


@pytest.mark.parametrize(
    ("hypothesis", "rank"),
    [
        ("A boy is not peeling a large orange", 0),
        ("There is no boy peeling the large orange", 0),
        ("The boy isn't peeling a large orange", 0),
        ("A boy is not peeling a large fruit", 1),
        ("Nobody is peeling a big orange", 1),
        ("A boy is not peeling an orange", 2),
        ("There is no boy peeling", 2),
        ("A boy is eating a large orange", 3),
        ("A boy with no knife is peeling a large orange", 3),
    ],
)
def test_unsoundness_of_contradictions(hypothesis: str, rank: int) -> None:
    assert unsoundness(pair(hypothesis=hypothesis, label="c")) == rank
    assert unsoundness(pair(hypothesis=hypothesis, label="n")) == 0


def test_premise_key_ignores_articles() -> None:
    assert premise_key(pair("The boy is running")) == premise_key(pair("A boy is running"))
    assert premise_key(pair("A boy is running")) != premise_key(pair("A boy is not running"))
