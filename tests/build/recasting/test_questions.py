"""Statements built from questions and answers, and the distinction of sentences and phrases."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.build.recasting.entities import find_entities
from trivium.build.recasting.phrases import is_sentence
from trivium.build.recasting.questions import JOINED, RULE, statement, statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The man wanted to dance with him.", True),
        ("He was late", True),
        ("It's raining", True),
        ("In the summer, he swims", True),
        ("Some poets keep diaries.", True),
        ("Maria went home", True),
        ("3 May 2010", False),
        ("to get his attention", False),
        ("because he was late", False),
        ("a house built in 1903", False),
        ("the man who was late", False),
        ("staying home", False),
        ("Pour it into a jar", False),
        ("Is it late?", False),
        ("", False),
    ],
)
def test_a_sentence_is_told_from_a_phrase(text: str, expected: bool) -> None:
    assert is_sentence(text) is expected


STATEMENTS = [
    ("Is the car red?", "yes", "The car is red"),
    ("Is the car red?", "no", "The car is not red"),
    ("Is the big dog a poodle?", "yes", "The big dog is a poodle"),
    ("Was the film good?", "no", "The film was not good"),
    ("When did Ann pay?", "3 May 2010", "Ann paid on 3 May 2010"),
    ("Who sang the last song?", "the old man", "The old man sang the last song"),
    ("Who did the committee choose as chair?", "Lena Voss", "The committee chose Lena Voss as chair"),
    ("Who is Ada Blum?", "The owner of the bakery", "Ada Blum is the owner of the bakery"),
    ("Whose bicycle was stolen?", "Maria", "Maria's bicycle was stolen"),
    ("What did the boy eat for breakfast?", "Porridge", "The boy ate Porridge for breakfast"),
    ("What did she want to buy in the shop?", "a lamp", "She wanted to buy a lamp in the shop"),
    ("What is the capital of the province?", "Norwell", "The capital of the province is Norwell"),
    ("What happened after the dam broke?", "The valley was flooded.", "The valley was flooded after the dam broke"),
    ("What color is the front door?", "green", "The front door is green"),
    ("What did the man do?", "ran away", "The man ran away"),
    ("Which team won the final?", "the Herons", "The Herons won the final"),
    ("Which event happened first, the flood or the fire?", "the flood", "The flood happened first"),
    ("In which year did the factory burn down?", "1911", "The factory burned down in 1911"),
    ("By how many points did the Herons win?", "7", "The Herons won by 7 points"),
    ("How many goals did Reed score in the first half?", "3", "Reed scored 3 goals in the first half"),
    ("How many goals were scored?", "1", "1 goal was scored"),
    ("How many years did the siege last?", "3 years", "The siege lasted 3 years"),
    ("How many touchdowns were there in the game?", "five", "There were five touchdowns in the game"),
    ("How much money did the school raise?", "$350", "The school raised $350"),
    ("How much milk does the calf drink?", "six litres", "The calf drinks six litres of milk"),
    ("How long did it take to build the wall?", "Two months", "It took two months to build the wall"),
    ("How old was Lena when she left home?", "17 years", "Lena was 17 years old when she left home"),
    ("How did the crew put out the fire?", "pouring sand", "The crew put out the fire by pouring sand"),
    ("When did the mill close?", "1987", "The mill closed in 1987"),
    ("When was the treaty signed?", "March 5, 1903", "The treaty was signed on March 5, 1903"),
    ("Where did the family move after the war?", "Canada", "The family moved to Canada after the war"),
    ("Where did the couple meet?", "the beach", "The couple met at the beach"),
    ("Why did the man grab his arm?", "to get his attention", "The man grabbed his arm to get his attention"),
    ("Why did Lena leave early?", "She was tired.", "Lena left early because she was tired"),
    ("Why was the match cancelled?", "heavy rain", "The match was cancelled because of heavy rain"),
    ("Why can't penguins fly?", "Their wings are small.", "Penguins can't fly because their wings are small"),
    ("What was stolen?", "two rings", "Two rings were stolen"),
    ("What's the weather like on the coast?", "windy", "The weather is windy on the coast"),
    ("What does Mira's father do?", "He is a baker.", "Mira's father is a baker"),
    ("Where does the story take place?", "a village", "The story takes place in a village"),
    ("Who does the shopkeeper trust most?", "her sister", "The shopkeeper trusts her sister most"),
    ("Did the Herons win the cup?", "No", "The Herons did not win the cup"),
    ("Is the lake deep?", "yes", "The lake is deep"),
    ("In the second quarter, who scored?", "Reed", "In the second quarter, Reed scored"),
]


@pytest.mark.parametrize(("question", "answer", "expected"), STATEMENTS)
def test_a_question_and_its_answer_make_one_statement(question: str, answer: str, expected: str) -> None:
    assert statement(question, answer) == (expected, RULE)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Name the winners.", "Ada"),
        ("How did the king die?", "a fever"),
        ("Why?", "rain"),
        ("Who?", "Ada"),
        ("?", "Ada"),
    ],
)
def test_if_no_rule_applies_the_answer_is_appended_to_the_question(question: str, answer: str) -> None:
    assert statement(question, answer) == (f"{question} {answer}", JOINED)


def test_if_no_rule_applies_to_one_answer_all_are_joined() -> None:
    both = statements("Who sang?", ["Ada", "Tom sang. He was good."])
    assert [each.rule for each in both] == [JOINED, JOINED]
    assert both[0].text == "Who sang? Ada"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_question_and_answer_give_a_statement(question: str, answer: str) -> None:
    result = statement(question, answer)
    assert result == statement(question, answer)
    assert result.rule in (RULE, JOINED)
    assert "\n" not in result.text
    find_entities(question + answer)
    is_sentence(answer)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "who what which how many much long did was is the of to in Ada man because when 3 ? , 's".split()
        ),
        max_size=12,
    ),
    st.sampled_from(["Ada", "3 goals", "the man", "in 1990", "He was late.", "because"]),
)
def test_any_question_words_give_a_statement(words: list[str], answer: str) -> None:
    assert statement(" ".join(words), answer).text
