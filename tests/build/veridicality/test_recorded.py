"""Compositions of a file become natural pairs whose sentences are those of the file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trivium.build.veridicality.composition import NINE_RULES, compose
from trivium.build.veridicality.recorded import recorded_pairs
from trivium.build.veridicality.verbs import INFINITIVE_VERBS, Verb
from trivium.data.example import Example
from trivium.errors import UserError


def recorded(verb: Verb, natural: Example, subject: str = "A boy", infinitive: str = "fold a map") -> Example:
    """A composition in the bare frame, which Trivium does not use for three of the verbs."""
    sentence = f"{subject} {verb.inflected(plural=subject.startswith('Two'))} to {infinitive}"
    label = NINE_RULES[verb.label, str(natural.label)]
    veridical = Example(f"{verb.lemma}/v", sentence, natural.premise, verb.label, "veridical")
    return Example(verb.lemma, sentence, natural.hypothesis, label, "composed", (), (veridical, natural))


NATURAL = Example("pair-1", "A boy folds a map", "A boy folds a sheet", "entailment", "natural")
WHOLE = [recorded(verb, NATURAL) for verb in INFINITIVE_VERBS]


def test_a_composition_has_the_sentences_and_labels_of_the_file() -> None:
    (pair,) = recorded_pairs(WHOLE)
    for verb, original in zip(INFINITIVE_VERBS, WHOLE, strict=True):
        composed = compose(verb, pair)
        assert (composed.premise, composed.hypothesis, composed.label) == (
            original.premise, original.hypothesis, original.label,
        )  # fmt: skip
        assert composed.parts[1].facts == (("relation", "substitution"),)
    assert compose(INFINITIVE_VERBS[5], pair).premise == "A boy uses to fold a map"


def test_the_clause_is_read_from_the_sentence() -> None:
    natural = Example("pair-2", "Two boys fold maps", "Two boys fold sheets", "neutral", "natural")
    (pair,) = recorded_pairs(recorded(verb, natural, "Two boys", "fold maps") for verb in INFINITIVE_VERBS)
    assert (pair.clause.subject, pair.clause.plural, pair.clause.infinitive) == ("Two boys", True, "fold maps")


def test_a_pair_without_all_verbs_is_left_out() -> None:
    other = replace(NATURAL, id="pair-2", hypothesis="A boy folds a chart")
    assert [pair.example.id for pair in recorded_pairs([*WHOLE, recorded(INFINITIVE_VERBS[0], other)])] == ["pair-1"]
    with pytest.raises(UserError, match=r"all 21 verbs \(the most is 20\)"):
        recorded_pairs(WHOLE[1:])


def test_a_sentence_without_a_verb_of_table_3_or_with_another_label_is_an_error() -> None:
    with pytest.raises(UserError, match="'A boy folds a map' has no 'VERB to'"):
        recorded_pairs([replace(WHOLE[0], premise="A boy folds a map")])
    with pytest.raises(UserError, match="the label is neutral, but entailment follows"):
        recorded_pairs([replace(WHOLE[0], label="neutral")])
