"""The reader of embedded clauses finds S, its verb and its polarity."""

from __future__ import annotations

from itertools import pairwise

import pytest

from trivium.build.veridicality.clauses import parse_clause
from trivium.build.veridicality.composition import embed
from trivium.build.veridicality.verbs import INFINITIVE_VERBS, THAT_VERBS
from trivium.language.embedding import decompose


@pytest.mark.parametrize("sentence", ["A man is playing a guitar", "Two dogs are slowly running in the snow"])
@pytest.mark.parametrize("verb", INFINITIVE_VERBS, ids=lambda verb: verb.lemma)
def test_every_frame_of_c2gen_is_undone(sentence: str, verb: object) -> None:
    clause = parse_clause(sentence)
    assert clause is not None
    (layer,) = decompose(clause.under(verb), "A man is not playing")  # type: ignore[arg-type]
    assert (layer.clause, layer.negated) == (sentence, False)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_chains_of_verbs_are_undone_layer_by_layer(depth: int) -> None:
    for start in range(0, len(THAT_VERBS) - depth, 3):
        verbs = THAT_VERBS[start : start + depth]
        layers = decompose(embed(verbs, "A man is eating"), "A person is eating")
        assert [layer.verb for layer in layers] == [verb.lemma for verb in verbs]
        assert layers[-1].clause == "A man is eating"
        assert all(outer.clause == inner.sentence for outer, inner in pairwise(layers))


@pytest.mark.parametrize(
    ("sentence", "verb", "negated", "sign", "clause"),
    [
        ("Nike declined to be a sponsor.", "decline", False, "-", "Nike was a sponsor"),
        ("A man does not manage to slowly play a flute", "manage", True, "-", "A man is slowly playing a flute"),
        ("someone did n't know that a thing happened .", "know", True, "+", "A thing happened"),
        ("A woman was not told that the train had left.", "tell", True, "+", "The train had left"),
        ("The crew was ordered to leave.", "order", False, "o", "The crew left"),
        ("Someone asked a boy to leave.", "ask", False, "o", "A boy left"),
        ("She had promised to pay.", "promise", False, "o", "She had paid"),
        ("The man who wanted to leave knows that a dog barked.", "know", False, "+", "A dog barked"),
        ("The man that is tall tries to leave.", "try", False, "o", "The man that is tall leaves"),
        ("A man blicks to play a flute", "blick", False, None, "A man is playing a flute"),
        ("A man blicks the chance to sing", "blick", False, None, "A man is singing"),
        ("It blicks for a man to sing", "blick", False, None, "A man is singing"),
        ("The company is likely to fail.", "likely", False, None, "The company fails"),
        ("He claims to have seen it.", "claim", False, "o", "He has seen it"),
    ],
)
def test_verb_polarity_and_clause(sentence: str, verb: str, negated: bool, sign: str | None, clause: str) -> None:
    layer = decompose(sentence)[0]
    assert (layer.verb, layer.negated, layer.sign, layer.clause) == (verb, negated, sign, clause)


@pytest.mark.parametrize(
    "sentence",
    ["A man is walking to work", "A woman is giving a book to a child", "The dog that barked is brown", "A man jumps",
     "", "that", "to", "He uses a knife", "The man went to bed early", "She took the firm to court",
     "The nurse drove to work"],
)  # fmt: skip
def test_a_sentence_without_an_embedded_clause_has_no_layers(sentence: str) -> None:
    assert decompose(sentence) == ()


def test_a_place_after_a_verb_of_motion_is_no_verb_unless_it_has_an_object() -> None:
    layers = decompose("The senator wanted to go to bed and the nurse to go to school")
    assert [layer.verb for layer in layers] == ["want"]
    assert decompose("They came to court the voters")[0].clause == "They courted the voters"
    assert decompose("They came to court them")[0].verb == "come"
    assert decompose("The firm moved to market new products")[0].clause == "The firm marketed new products"
    assert decompose("The manager got the men to work harder")[0].clause == "The men worked harder"


def test_a_verb_that_the_hypothesis_shares_is_content() -> None:
    sentence = "A man hopes to try to catch a ball"
    assert [layer.verb for layer in decompose(sentence, "A man is trying to catch a ball")] == ["hope"]
    assert [layer.verb for layer in decompose(sentence, "A man is catching a ball")] == ["hope", "try"]
