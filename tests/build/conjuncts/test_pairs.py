"""Pairs: what holds for every sentence, and how a pair tells where it came from."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.build.conjuncts.marking import marked

from trivium.build.conjuncts.pairs import Change, pairs
from trivium.build.conjuncts.sentence import Coordination, Sentence, Span, Word
from trivium.build.conjuncts.surface import article_for, balanced

_NOUNS = ["the cat", "a dog", "Ada", "old houses", "his uncle", "three birds", "an hour", "I", 'the "Blue Book"']
_VERBS = ["are here", "were both late", "have a car", "sing/VERB", "came/VERB", "do not sleep/VERB", "can swim/VERB"]
_JOINS = [
    "{} and {}",
    "{}, or {}",
    "both {} and {}",
    "either {} or {}",
    "neither {} nor {}",
    "{} – but {}",
    "{} (or {})",
]
_FRAMES = [
    "{} {}.",
    "In May, {} {}!",
    "He says/VERB that {} {}",
    '"Now {} {}", he said/VERB.',
    "{} {} ( see/VERB it ) .",
]


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """Sentences of a small grammar: two or three coordinated nouns or adjectives, in several frames."""
    nouns = [f"[{draw(st.sampled_from(_NOUNS))}]" for _ in range(2)]
    subject = draw(st.sampled_from(_JOINS)).format(*nouns)
    if draw(st.booleans()):
        subject = f"[{draw(st.sampled_from(_NOUNS))}], " + subject if subject.startswith("[") else subject
    verb = draw(st.sampled_from([*_VERBS, "are [old/ADJ] and [grey/ADJ]", "saw/VERB [me] or [the sea]"]))
    text = draw(st.sampled_from(_FRAMES)).format(subject, verb)
    return marked(re.sub(r"^(\W*)(\w)", lambda found: found[1] + found[2].upper(), text))


def _shout(sentence: Sentence) -> Callable[[Span], list[Change]]:
    def changes_in(conjunct: Span) -> list[Change]:
        place = next((i for i in reversed(range(*conjunct)) if sentence.words[i].text.isalnum()), conjunct.first)
        return [Change(Span(place, place + 1), sentence.words[place].text, "apple", "antonym")]

    return changes_in


@given(sentences())
@settings(max_examples=300, deadline=None)
def test_every_hypothesis_is_well_formed(sentence: Sentence) -> None:
    found = list(pairs(sentence, _shout))
    assert len({(pair.premise, pair.hypothesis) for pair in found}) == len(found)
    for pair in found:
        text = pair.premise if pair.operation == "add" else pair.hypothesis
        assert pair.premise != pair.hypothesis
        assert "  " not in text
        assert not re.search(r"\w [,.!?;:)]", text.replace("it ) .", ""))
        assert not re.search(r"[,;:–] ?[,;:.!?)]|\( |^\W*,", text.replace('", he', "").replace("( see", ""))
        first = next(character for character in text if character.isalnum())
        assert first.isupper() or first.isdigit()
        assert balanced(text)
        assert text[-1] == sentence.text[-1] or sentence.text[-1].isalpha()


@given(st.text(max_size=60), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_any_words_and_any_spans_are_survived(text: str, rng: random.Random) -> None:
    tags = ["NOUN", "VERB", "AUX", "DET", "CCONJ", "PUNCT", "ADV", "ADP", "PROPN", "NUM", "ADJ", "PRON", "X"]
    found = re.finditer(r"\w+|[^\w\s]", text)
    words = tuple(Word(m.group(), m.start(), m.end(), rng.choice(tags), m.group().lower()) for m in found)

    def span() -> Span:
        return Span(rng.randint(-1, len(words) + 1), rng.randint(-1, len(words) + 1))

    def coordination() -> Coordination:
        opener = rng.choice([None, rng.randint(-1, len(words))])
        others = tuple(span() for _ in range(rng.randint(0, 2)))
        return Coordination(rng.randint(0, len(words)), span(), span(), opener, others)

    sentence = Sentence(text, words, tuple(coordination() for _ in range(6)))
    for pair in pairs(sentence, _shout):
        assert pair.hypothesis != pair.premise


def test_an_addition_is_a_removal_turned_round() -> None:
    found = list(pairs(marked("[The cat] and [the dog] are here.")))
    assert [(pair.operation, pair.side) for pair in found] == [
        ("remove", "left"),
        ("add", "left"),
        ("remove", "right"),
        ("add", "right"),
    ]
    assert (found[1].premise, found[1].hypothesis) == ("The dog is here.", "The cat and the dog are here.")
    assert {pair.conjunction for pair in found} == {"and"}


def test_a_replacement_keeps_what_was_replaced() -> None:
    found = [pair for pair in pairs(marked("He has [a pear] or [a plum]."), _shout) if pair.operation == "replace"]
    assert [pair.hypothesis for pair in found] == ["He has an apple or a plum.", "He has a pear or an apple."]
    assert [(pair.change.old, pair.change.new) for pair in found if pair.change] == [
        ("pear", "apple"),
        ("plum", "apple"),
    ]


def test_articles_go_by_sound() -> None:
    words = "apple hour unit European one MP UN 8 11 18 80 100 1 university umbrella uninteresting honest".split()
    expected = "an an a a a an a an an an an a a a an an an".split()
    assert [article_for(word) for word in words] == expected
