"""The nine rules of C²Gen's Table 2 against truth tables, and the structure of composed examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.build.veridicality.clauses import Clause
from trivium.build.veridicality.composition import NINE_RULES, TYPES, compose, type_of
from trivium.build.veridicality.natural import NaturalPair, choose_natural
from trivium.build.veridicality.verbs import INFINITIVE_VERBS, Verb, third_person
from trivium.data.example import Example

E, N, C = "entailment", "neutral", "contradiction"
Sentence = Callable[[bool, bool, bool], bool]

# S is the first of three independent facts. A verb says S, its contrary, or something else; S' is S, its contrary, or
# something else again.
VERB_SAYS: dict[str, Sentence] = {E: lambda s, _, __: s, N: lambda _, t, __: t, C: lambda s, _, __: not s}
NATURAL_SAYS: dict[str, Sentence] = {E: lambda s, _, __: s, N: lambda _, __, u: u, C: lambda s, _, __: not s}


def truth_label(premise: Sentence, hypothesis: Sentence) -> str:
    """Return entailment if the hypothesis is true in all worlds of the premise, contradiction if in none."""
    worlds = [world for world in product([True, False], repeat=3) if premise(*world)]
    if all(hypothesis(*world) for world in worlds):
        return E
    return N if any(hypothesis(*world) for world in worlds) else C


def natural_pair(label: str) -> NaturalPair:
    hypothesis = {E: "Two nurses are making a bed", N: "Two nurses are folding sheets", C: "Nobody is folding a sheet"}
    example = Example.make(
        f"pair-{label[0]}", "Two nurses are folding a sheet", hypothesis[label], label, relation="given"
    )
    (pair,) = choose_natural([example])
    return pair


@pytest.mark.parametrize(("veridical", "natural"), list(product((E, N, C), repeat=2)))
def test_each_rule_agrees_with_truth_tables(veridical: str, natural: str) -> None:
    assert NINE_RULES[veridical, natural] == truth_label(VERB_SAYS[veridical], NATURAL_SAYS[natural])


@pytest.mark.parametrize(("veridical", "natural"), list(product((E, N, C), repeat=2)))
def test_a_positive_verb_keeps_the_label_a_neutral_verb_hides_it_and_a_negative_verb_inverts_it(
    veridical: str, natural: str
) -> None:
    expected = {E: natural, N: N, C: {E: C, N: N, C: E}[natural]}[veridical]
    assert NINE_RULES[veridical, natural] == expected


def test_there_are_nine_rules_and_they_are_read_only() -> None:
    assert set(NINE_RULES) == set(product((E, N, C), repeat=2))
    with pytest.raises(TypeError):
        NINE_RULES[E, E] = N  # type: ignore[index]


def test_types_have_the_numbers_and_codes_of_table_4() -> None:
    codes = "ee_e en_n ec_c ne_n nn_n nc_n ce_c cn_n cc_e".split()
    assert [(t.number, t.code) for t in TYPES] == list(enumerate(codes, 1))


def test_the_numbers_of_examples_per_target_label() -> None:
    verbs = {E: 8, N: 8, C: 5}
    pairs = {E: 747, N: 693, C: 690}
    counts = dict.fromkeys((E, N, C), 0)
    for t in TYPES:
        counts[t.label] += verbs[t.veridical] * pairs[t.natural]
    assert counts == {E: 9426, N: 26049, C: 9255}


VERBS = st.sampled_from(INFINITIVE_VERBS)
LABELS = st.sampled_from([E, N, C])


@given(verb=VERBS, label=LABELS)
@settings(max_examples=60, deadline=None)
def test_the_parts_share_the_embedded_sentence(verb: Verb, label: str) -> None:
    pair = natural_pair(label)
    composed = compose(verb, pair)
    veridical, natural = composed.parts
    assert (composed.task, veridical.task, natural.task) == ("composed", "veridical", "natural")
    assert natural == pair.example
    assert veridical.premise == composed.premise == pair.clause.under(verb)
    assert veridical.hypothesis == natural.premise == "Two nurses are folding a sheet"
    assert composed.hypothesis == natural.hypothesis
    assert (veridical.label, natural.label) == (verb.label, label)
    assert composed.label == truth_label(VERB_SAYS[verb.label], NATURAL_SAYS[label])


@given(verb=VERBS, label=LABELS)
@settings(max_examples=60, deadline=None)
def test_the_type_is_derived_from_the_parts(verb: Verb, label: str) -> None:
    composed = compose(verb, natural_pair(label))
    type_ = type_of(composed)
    assert (type_.veridical, type_.natural, type_.label) == (verb.label, label, composed.label)
    assert composed.fact("type") == str(type_.number)
    assert composed.fact("verb") == composed.parts[0].fact("verb") == verb.lemma
    assert composed.parts[0].fact("signature") == verb.signature


def test_every_composition_has_a_unique_id_and_premise() -> None:
    pairs = [natural_pair(label) for label in (E, N, C)]
    composed = [compose(verb, pair) for verb in INFINITIVE_VERBS for pair in pairs]
    assert len({row.id for example in composed for row in (example, example.parts[0])}) == 2 * 21 * 3
    assert len({(example.premise, example.hypothesis) for example in composed}) == 21 * 3


@pytest.mark.parametrize("missing", ["label", "hypothesis"])
def test_an_incomplete_pair_cannot_be_composed(missing: str) -> None:
    pair = natural_pair(E)
    with pytest.raises(ValueError, match="pair-e: only a labelled pair"):
        compose(INFINITIVE_VERBS[0], replace(pair, example=replace(pair.example, **{missing: None})))


@pytest.mark.parametrize("premise", ["Two nurses are folding a sheet", "A 100% sure {x} boy is eating %s and {s}"])
@pytest.mark.parametrize("label", [E, N, C])
def test_every_field_of_a_composition_is_what_its_frame_and_rule_say(premise: str, label: str) -> None:
    subject, be, rest = premise.partition(" are " if " are " in premise else " is ")
    lemma, object_ = ("fold", " a sheet") if "folding" in rest else ("eat", " %s and {s}")
    clause = Clause(subject, be == " are ", "", lemma, object_)
    natural = Example("p", premise, "Nobody is here", label, "natural", (("relation", "given"),))
    for verb in (*INFINITIVE_VERBS, Verb("try", "neutral", "100% of {mid} {verb} to {s}")):
        form = verb.lemma if clause.plural else third_person(verb.lemma)
        inner = subject[0].lower() + subject[1:]
        text = verb.frame.format(x=subject, mid=inner, verb=form, s=f"{lemma}{object_}")
        number = next(t.number for t in TYPES if (t.veridical, t.natural) == (verb.label, label))
        name = f"p+{verb.lemma}"
        veridical = Example.make(
            f"{name}/v", text, premise, verb.label, task="veridical", verb=verb.lemma, signature=verb.signature
        )
        assert compose(verb, NaturalPair(natural, clause)) == Example.make(
            name,
            text,
            "Nobody is here",
            NINE_RULES[verb.label, label],
            task="composed",
            parts=(veridical, natural),
            type=str(number),
            verb=verb.lemma,
        )
