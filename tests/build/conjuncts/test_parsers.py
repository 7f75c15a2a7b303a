"""Each back end finds the conjuncts of plain sentences, gives back their words, and survives any text."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from trivium.build.conjuncts.accuracy import accuracy
from trivium.build.conjuncts.gold import gold_sentences
from trivium.build.conjuncts.parsers import Parser, find_parsers, make_parser
from trivium.build.conjuncts.readings import MOST, readings
from trivium.build.conjuncts.sentence import CONJUNCTIONS, Sentence
from trivium.errors import UserError

SPACY = make_parser("spacy").is_available()
NO_SPACY = "spaCy and an English model are not installed"
BACK_ENDS = ["light", pytest.param("spacy", marks=pytest.mark.skipif(not SPACY, reason=NO_SPACY))]

TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            "and or but nor both either neither the a cat cats Ann runs ran eating to of in not , . ( ) \" “ ” 's n't "
            "don't 3 1890 red quickly 🙂 é \u200d \x00".split()
        ),
        max_size=25,
    ).map(" ".join),
)


def shown(sentence: Sentence) -> list[str]:
    return [
        "".join(f"{sentence.of(other)}; " for other in one.others)
        + f"{sentence.of(one.left)} | {sentence.words[one.conjunction].text} | {sentence.of(one.right)}"
        for one in sentence.coordinations
    ]


def check(sentence: Sentence, text: str) -> None:
    assert sentence.text == text
    assert all(text[word.start : word.end] == word.text != "" for word in sentence.words)
    assert all(one.end <= two.start for one, two in zip(sentence.words, sentence.words[1:], strict=False))
    size = len(sentence.words)
    for one in sentence.coordinations:
        for found in readings(sentence, one):
            assert 0 <= found.left.first < found.left.end <= found.conjunction
            assert found.conjunction < found.right.first < found.right.end <= size
            assert sentence.words[found.conjunction].text.lower() in CONJUNCTIONS
            assert all(0 <= other.first < other.end <= found.conjunction for other in found.others)
            assert found.opener is None or 0 <= found.opener < found.conjunction
    assert [one.conjunction for one in sentence.coordinations] == sorted(
        {c.conjunction for c in sentence.coordinations}
    )
    assert all(0 <= name.span.first < name.span.end <= size for name in sentence.names)


@pytest.mark.parametrize("back_end", BACK_ENDS)
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The cat and the dog are asleep.", ["The cat | and | the dog"]),
        ("She bought a big and heavy table.", ["big | and | heavy"]),
        ("He sings in London and in Paris.", ["in London | and | in Paris"]),
        ("The baker sang and the butcher danced.", ["The baker sang | and | the butcher danced"]),
        ("It was built in 1889 or 1890.", ["1889 | or | 1890"]),
        ("The teacher opened the window and called the children.", ["opened the window | and | called the children"]),
        ("Go.", []),
        ("The dog, the cat and the bird are asleep.", ["The dog; the cat | and | the bird"]),
        ("My mother, father and two sisters live in Leeds.", ["My mother; father | and | two sisters"]),
        ("The cook, the waiter, the porter and the guard were late.",
         ["The cook; the waiter; the porter | and | the guard"]),
        ("Last year, my brother, a painter and poet, moved away.", ["painter | and | poet"]),
        ("In total, the storm and the flood killed nine people.", ["the storm | and | the flood"]),
        ("During the war, the bridge and the tower were destroyed.", ["the bridge | and | the tower"]),
        ("It is open in May and June.", ["May | and | June"]),
        ("When it rained in spring, the cat and the dog were wet.", ["the cat | and | the dog"]),
        ("He did not call because the phone and the radio were broken.", ["the phone | and | the radio"]),
        ("In Rome, Paris and Bonn, he sang.", ["Rome; Paris | and | Bonn"]),
        ("People with dogs, cats and birds live longer.", ["dogs; cats | and | birds"]),
    ],
)  # fmt: skip
def test_plain_sentences_have_their_conjuncts(back_end: str, text: str, found: list[str]) -> None:
    (sentence,) = make_parser(back_end).read([text])
    assert shown(sentence) == found


@pytest.mark.parametrize(
    ("text", "verb"), [("Anna and Peter live in Berlin.", "live"), ("The dog and the cat sleep here.", "sleep")]
)
def test_a_sentence_has_a_verb_though_its_word_may_be_another(text: str, verb: str) -> None:
    (sentence,) = make_parser("light").read([text])
    assert [word.text for word in sentence.words if word.tag == "VERB"] == [verb]


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_an_opener_and_names_are_found(back_end: str) -> None:
    (sentence,) = make_parser(back_end).read(["Yesterday both Maria Smith and John Miller visited Berlin."])
    (found,) = sentence.coordinations
    assert (found.opener, shown(sentence)) == (1, ["Maria Smith | and | John Miller"])
    assert {"Maria Smith", "John Miller", "Berlin"} <= {sentence.of(name.span) for name in sentence.names}


@pytest.mark.parametrize("back_end", BACK_ENDS)
@pytest.mark.parametrize(
    "text",
    [
        "", " ", "and", "and and and", "Hund und Katze", "犬と猫 and 鳥", "🙂 and 🙃", "a\x00b and \x07c", "\n\t and\n",
        "and.", "x, and", "“and”", "a" * 5000 + " and b", "(a and b", "either or",
        "\ud800 and \udfff", "a and b " * 13_000,
    ],
)  # fmt: skip
def test_odd_texts_never_crash(back_end: str, text: str) -> None:
    (sentence,) = make_parser(back_end).read([text])
    check(sentence, text)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
@example('0/AND"TO')  # a phrase that nothing ends
def test_any_text_is_read_lightly_and_the_same_way_again(text: str) -> None:
    (first,), (again,) = (tuple(make_parser("light").read([text])) for _ in range(2))
    check(first, text)
    assert first == again


@pytest.mark.skipif(not SPACY, reason=NO_SPACY)
@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, max_size=4))
def test_any_text_is_read_by_spacy_and_the_same_way_again(texts: list[str]) -> None:
    read = list(make_parser("spacy").read(texts))
    for sentence, text in zip(read, texts, strict=True):
        check(sentence, text)
    assert read == list(make_parser("spacy").read(texts))


@pytest.mark.parametrize("back_end", BACK_ENDS)
@pytest.mark.parametrize("words", ["the old man and the dog saw a cat , ", "tea and "])
def test_ten_thousand_words_take_no_more_than_their_share(back_end: str, words: str) -> None:
    text = words * (10_000 // len(words.split()))
    started = time.process_time()
    (sentence,) = make_parser(back_end).read([text])
    assert time.process_time() - started < 30
    check(sentence, text)


def test_reading_is_lazy() -> None:
    def texts() -> object:
        yield "Ann and Bob sang."
        raise AssertionError("read too far")

    assert shown(next(make_parser("light").read(texts()))) == ["Ann | and | Bob"]  # type: ignore[arg-type]


def test_a_coordination_has_other_readings_behind_the_first() -> None:
    (sentence,) = make_parser("light").read(["The old men and women of the town sang."])
    (found,) = sentence.coordinations
    made = readings(sentence, found)
    assert made[0] == found
    assert len(made) == len(set(made)) <= MOST
    assert len(readings(sentence, found, most=1)) == 1


def test_a_back_end_that_is_missing_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from trivium.build.conjuncts.parsers import benepar, spacy

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    spacy._language.cache_clear()
    benepar._language.cache_clear()
    for name, said in (("spacy", r"trivium-nli\[parse\]"), ("benepar", "pip install benepar")):
        made: Parser = find_parsers()[name]()
        assert not made.is_available()
        with pytest.raises(UserError, match=said):
            list(made.read(["Ann and Bob"]))
    assert make_parser().name == "light"


def test_an_unknown_back_end_is_refused_with_a_hint() -> None:
    with pytest.raises(UserError, match="did you mean 'spacy'"):
        make_parser("spcy")


@pytest.mark.parametrize(
    ("back_end", "two_part", "all_of_them"),
    [("light", 50, 50), pytest.param("spacy", 67, 66, marks=pytest.mark.skipif(not SPACY, reason=NO_SPACY))],
)
def test_both_conjuncts_of_gold_trees_are_found_exactly(
    shared_data: Path, back_end: str, two_part: float, all_of_them: float
) -> None:
    gold = list(gold_sentences(shared_data / "ud_ewt" / "en_ewt-ud-dev.conllu.gz"))
    scores = accuracy(make_parser(back_end), gold)
    assert scores.two_part.gold > 550
    assert scores.two_part.recall >= two_part
    assert scores.all.recall >= all_of_them
    assert scores.two_part.precision >= two_part - 5
