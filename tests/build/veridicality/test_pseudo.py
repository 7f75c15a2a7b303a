"""Pseudo-words: each word of the lexicon has its own and is replaced in all its forms."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lemminflect import getAllLemmas

from trivium.build.veridicality.composition import compose
from trivium.build.veridicality.natural import NaturalPair, choose_natural
from trivium.build.veridicality.pseudo import NEGATIONS, Lexicon, WordPair, decides, make_lexicon, relation_pairs
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.data.example import Example
from trivium.data.sources import find_sources
from trivium.data.sources.builtin import Builtin

CASES = [
    ("A man is slicing an apple", "A person is slicing an apple", WordPair("man", "person")),
    ("Two men are slicing an apple", "Two people are slicing an apple", WordPair("man", "people")),
    ("A man is slicing an apple", "A man is cutting an apple", WordPair("slice", "cut")),
    ("A big dog is running", "A small dog is running", WordPair("big", "small")),
    ("A dog is running slowly", "A dog is running quickly", WordPair("slowly", "quickly")),
    ("A dog is running", "A cat is not running", None),
    ("A dog is jumping on a box", "A dog is jumping off a box", None),
    ("Someone is running", "Nobody is running", None),
    ("A big dog is running", "A dog is running", None),
    ("A dog is running", "The dog is running", None),
    ("A dog is running", "Dogs are running", None),
    ("A dog is running", "A dog is asleep", None),
]


def pair(premise: str, hypothesis: str, label: str = "neutral", id: str = "p") -> Example:
    return Example.make(id, premise, hypothesis, label, task="natural")


@cache
def pairs() -> tuple[NaturalPair, ...]:
    return tuple(choose_natural(Builtin(pairs=900).load().examples))


@cache
def lexicon(seed: int = 0) -> Lexicon:
    return make_lexicon([pair.example for pair in pairs()], np.random.default_rng(seed))


@pytest.mark.parametrize(("premise", "hypothesis", "related"), CASES)
def test_related_words_are_the_only_difference(premise: str, hypothesis: str, related: WordPair | None) -> None:
    assert list(relation_pairs([pair(premise, hypothesis)])) == ([related] if related else [])


def test_relation_pairs_are_counted() -> None:
    twice = [pair("A man is running", "A person is running", id=str(i)) for i in range(2)]
    assert relation_pairs([*twice, pair("A dog is running", "A cat is running")]) == {
        WordPair("man", "person"): 2,
        WordPair("dog", "cat"): 1,
    }


def test_every_form_of_a_word_becomes_the_same_form_of_its_pseudo_word() -> None:
    words = make_lexicon([pair("A man is slicing it", "A boy is slicing it"), pair("A boy is cutting a big box",
                         "A boy is slicing a big box"), pair("A big box is falling", "A small box is falling")],
                         np.random.default_rng(0))  # fmt: skip
    man, boy, cut, big = (words.words[word] for word in ("man", "boy", "cut", "big"))
    manage = words.words["manage"]
    assert words.rewrite("Men managed to cut a bigger box, managing a boy's") == (
        f"{man.capitalize()}s {manage}ed to {cut} a {big}er box, {manage}ing a {boy}'s"
    )
    assert words.rewrite("The boys manage, the boy manages") == f"The {boy}s {manage}, the {boy} {manage}s"


def test_only_whole_words_are_replaced() -> None:
    words = Lexicon({"man": "blick"}, {"man": "blick", "men": "blicks"})
    assert words.rewrite("A man, a mandarin and a woman: man") == "A blick, a mandarin and a woman: blick"


def test_an_article_is_adapted_to_the_pseudo_word() -> None:
    words = Lexicon({"animal": "blick"}, {"animal": "blick"})
    assert words.rewrite("An animal is eating an apple near an animal") == "A blick is eating an apple near a blick"
    assert words.rewrite("For an hour an animal isn't eating") == "For an hour a blick isn't eating"


def test_pseudo_words_are_unique_and_not_english() -> None:
    built = lexicon()
    known = {word for p in pairs() for text in (p.example.premise, p.example.hypothesis) for word in
             re.findall("[a-z]+", str(text).lower())}  # fmt: skip
    pseudo = list(built.words.values())
    assert len(set(pseudo)) == len(pseudo) >= 100
    for form in {*pseudo, *built.forms.values()}:
        assert form not in known
        assert not getAllLemmas(form)
        assert re.fullmatch(r"[bdfgklmnprstvz]{1,2}[aeiou]{1,2}[a-z]+", form), "it can be pronounced"
    bases = {form: {word for word in pseudo if form.startswith(word)} for form in built.forms.values()}
    assert all(bases.values())


def test_two_words_never_share_a_form() -> None:
    built = lexicon()
    owner: dict[str, str] = {}
    for word, pseudo in built.words.items():
        for ending in ("", "s", "ed", "ing", "er", "est"):
            assert owner.setdefault(pseudo + ending, word) == word


@given(index=st.integers(0, 10**6), verb=st.sampled_from(INFINITIVE_VERBS))
@settings(max_examples=150, deadline=None)
def test_all_words_of_the_lexicon_are_replaced_in_a_composition_and_labels_are_kept(index: int, verb: str) -> None:
    example = compose(verb, pairs()[index % len(pairs())])  # type: ignore[arg-type]
    replaced = lexicon().apply(example)
    for before, after in zip(example.rows(), replaced.rows(), strict=True):
        assert (before.label, before.task, before.id, before.facts) == (after.label, after.task, after.id, after.facts)
        for text in (after.premise, str(after.hypothesis)):
            assert lexicon().remaining_words(text) == []
            assert not set(re.findall("[a-z]+", text.lower())) & set(lexicon().forms)
        assert len(before.premise.split()) == len(after.premise.split())
    assert lexicon().remaining_words(example.premise), "the original contains at least the verb"
    assert replaced.premise == replaced.parts[0].premise
    assert replaced.parts[0].hypothesis == replaced.parts[1].premise


@pytest.mark.parametrize("verb", INFINITIVE_VERBS, ids=lambda verb: verb.lemma)
def test_every_verb_is_replaced_in_the_form_used_in_compositions(verb) -> None:
    example = compose(verb, pairs()[0])
    written = {word for word in re.findall("[a-z]+", example.premise.lower()) if word.startswith(verb.lemma[:-1])}
    assert written & set(lexicon().forms)
    assert not written & set(re.findall("[a-z]+", lexicon().apply(example).premise.lower()))


def test_the_same_seed_gives_the_same_pseudo_words_and_another_seed_gives_others() -> None:
    again = make_lexicon([pair.example for pair in pairs()], np.random.default_rng(0))
    assert again == lexicon()
    assert lexicon(1).words != lexicon().words


def test_words_of_negation_are_replaced_on_request_and_then_decide_contradictions() -> None:
    denials = [
        pair("A man is singing", "A man isn't singing"),
        pair("A girl is riding a horse", "There is no girl riding a horse"),
        pair("Somebody is sleeping", "Nobody is sleeping"),
    ]
    plain, negated = (make_lexicon(denials, np.random.default_rng(0), others) for others in ((), NEGATIONS))
    assert [decides(plain, denial) for denial in denials] == [False] * 3
    assert [decides(negated, denial) for denial in denials] == [True] * 3
    assert not decides(negated, pair("A man is singing", "A man is singing loudly"))
    assert plain.rewrite("A man isn't singing") == "A man isn't singing"
    assert negated.rewrite("A man isn't singing") == f"A man is {negated.words['not']} singing"
    assert negated.rewrite("Nobody sleeps") == f"{negated.words['nobody'].capitalize()} sleeps"
    assert all(negated.words[word] == negated.forms[word] for word in NEGATIONS)


@pytest.mark.usefixtures("real_data")
def test_sick_has_as_many_relation_pairs_as_the_paper() -> None:
    examples = [pair.example for pair in choose_natural(find_sources()["sick"]().load().examples)]
    counts = relation_pairs(examples)
    assert len(counts) >= 400
    assert sum(counts.values()) >= 600
    words = make_lexicon(examples, np.random.default_rng(0))
    for example in examples:
        assert not words.remaining_words(words.rewrite(example.premise) + " " + words.rewrite(str(example.hypothesis)))
