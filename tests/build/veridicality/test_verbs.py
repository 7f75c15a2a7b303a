"""The verbs of C²Gen's Table 3: which they are, how they are inflected, and in which frame they embed a clause."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from trivium.build.veridicality.verbs import INFINITIVE_VERBS, SIGNATURES, THAT_VERBS, Verb, third_person

# Table 3 and the third persons, typed in by hand.
TABLE_3 = {
    "positive": "manage begin serve start dare use get come",
    "neutral": "hope wish expect try plan want intend appear",
    "negative": "forget fail refuse decline remain",
}
THIRD_PERSONS = (
    "manages begins serves starts dares uses gets comes "
    "hopes wishes expects tries plans wants intends appears "
    "forgets fails refuses declines remains"
).split()
BY_LEMMA = {verb.lemma: verb for verb in INFINITIVE_VERBS}


def filled(lemma: str, plural: bool) -> str:
    verb = BY_LEMMA[lemma]
    x, mid = ("Two girls", "two girls") if plural else ("A girl", "a girl")
    return verb.frame.format(x=x, mid=mid, verb=verb.inflected(plural), s="whistle a tune")


def test_verbs_are_exactly_those_of_table_3_in_its_order() -> None:
    by_signature: dict[str, list[str]] = {}
    for verb in INFINITIVE_VERBS:
        by_signature.setdefault(verb.signature, []).append(verb.lemma)
    assert by_signature == {signature: lemmas.split() for signature, lemmas in TABLE_3.items()}


def test_there_are_8_positive_8_neutral_and_5_negative_verbs() -> None:
    assert Counter(verb.signature for verb in INFINITIVE_VERBS) == {"positive": 8, "neutral": 8, "negative": 5}
    assert len(BY_LEMMA) == len(INFINITIVE_VERBS) == 21


def test_signature_decides_the_label_of_the_veridical_inference() -> None:
    assert {verb.label for verb in INFINITIVE_VERBS} == {"entailment", "neutral", "contradiction"}
    assert {verb.label for verb in THAT_VERBS} == {"entailed", "not-entailed"}
    assert {verb.signature for verb in (*INFINITIVE_VERBS, *THAT_VERBS)} == set(SIGNATURES)
    assert {lemma: BY_LEMMA[lemma].label for lemma in ("manage", "try", "refuse")} == {
        "manage": "entailment", "try": "neutral", "refuse": "contradiction",
    }  # fmt: skip


@pytest.mark.parametrize(("lemma", "form"), [*zip(" ".join(TABLE_3.values()).split(), THIRD_PERSONS, strict=True)])
def test_a_singular_subject_takes_the_third_person_and_a_plural_subject_the_lemma(lemma: str, form: str) -> None:
    assert third_person(lemma) == form
    assert BY_LEMMA[lemma].inflected(plural=False) == form
    assert BY_LEMMA[lemma].inflected(plural=True) == lemma


@pytest.mark.parametrize(
    ("lemma", "form"), [("carry", "carries"), ("go", "goes"), ("fix", "fixes"), ("play", "plays"), ("pass", "passes")]
)
def test_third_person_follows_english_spelling(lemma: str, form: str) -> None:
    assert third_person(lemma) == form


@pytest.mark.parametrize(
    ("lemma", "singular", "plural"),
    [
        ("use", "A girl uses the chance to whistle a tune", "Two girls use the chance to whistle a tune"),
        ("serve", "A cue serves to make a girl whistle a tune", "A cue serves to make two girls whistle a tune"),
        ("remain", "It remains for a girl to whistle a tune", "It remains for two girls to whistle a tune"),
    ],
)
def test_verbs_that_do_not_fit_the_bare_frame_have_their_own_frame(lemma: str, singular: str, plural: str) -> None:
    assert filled(lemma, plural=False) == singular
    assert filled(lemma, plural=True) == plural


@pytest.mark.parametrize("lemma", sorted(set(BY_LEMMA) - {"use", "serve", "remain"}))
def test_all_other_verbs_use_the_bare_frame(lemma: str) -> None:
    form = THIRD_PERSONS[list(BY_LEMMA).index(lemma)]
    assert filled(lemma, plural=False) == f"A girl {form} to whistle a tune"
    assert filled(lemma, plural=True) == f"Two girls {lemma} to whistle a tune"


@pytest.mark.parametrize("verb", INFINITIVE_VERBS, ids=lambda verb: verb.lemma)
def test_a_frame_names_its_subject_once_and_ends_in_the_clause(verb: Verb) -> None:
    fields = re.findall(r"{(\w+)}", verb.frame)
    assert len([field for field in fields if field in ("x", "mid")]) == 1
    assert verb.frame.startswith("{x}") == ("x" in fields)
    assert fields.count("s") == 1
    assert verb.frame.endswith(" {s}")


@pytest.mark.parametrize("plural", [False, True])
def test_each_verb_gives_a_different_sentence(plural: bool) -> None:
    assert len({filled(lemma, plural) for lemma in BY_LEMMA}) == 21
