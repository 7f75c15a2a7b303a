"""SETI's seven settings: what is seen, what is unseen, in which numbers; and leaks are caught and named."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.build.splits.systematicity import (
    LEXICAL,
    NO,
    SETTINGS,
    STRUCTURAL,
    YES,
    Inferences,
    Setting,
    SettingSplits,
    SystematicSizes,
    build_setting,
    choose_inferences,
    composed,
    kind_of,
    said,
    shots_of,
    veridical,
)
from trivium.build.splits.systematicity_invariants import prove_setting
from trivium.build.veridicality.composition import BOOLEAN_RULES, embed, rule_of, truth_of
from trivium.build.veridicality.verbs import THAT_VERBS
from trivium.data.example import Example
from trivium.data.labels import NLI2
from trivium.data.sources import load_source
from trivium.data.sources.builtin import Builtin
from trivium.data.split import Split
from trivium.errors import UserError

VERBS = {verb.lemma: verb for verb in THAT_VERBS}
BY_NAME = {setting.name: setting for setting in SETTINGS}
ALL = SystematicSizes(structural=0)


@cache
def inferences(seed: int = 0) -> Inferences:
    return choose_inferences(Builtin(pairs=3000).load().examples, ALL, np.random.default_rng(seed))


def built(setting: Setting, sizes: SystematicSizes = ALL, seed: int = 0) -> dict[str, SettingSplits]:
    return build_setting(setting, inferences(), sizes, np.random.default_rng(seed))


def natural(premise: str, hypothesis: str, label: str = YES) -> Example:
    return Example.make("n", premise, hypothesis, label, kind="natural", relation=LEXICAL, words="boy→kid")


def test_the_verbs_are_those_of_table_6() -> None:
    assert Counter(verb.label for verb in THAT_VERBS) == {YES: 15, NO: 15}
    assert embed([VERBS["realize"]], "A boy is jumping") == "Someone realizes that a boy is jumping"
    assert embed([VERBS["wish"]], "Two boys are jumping") == "Someone wishes that two boys are jumping"
    assert all(re.fullmatch(r"Someone \w+s that a dog is here", embed([verb], "A dog is here")) for verb in THAT_VERBS)


def test_the_four_rules_are_those_of_table_3() -> None:
    found = {(verb.label, label): truth_of([verb], label) for verb in THAT_VERBS for label in (YES, NO)}
    assert found == {(YES, YES): YES, (YES, NO): NO, (NO, YES): NO, (NO, NO): NO}
    assert [rule_of(*rule) for rule in BOOLEAN_RULES] == [1, 2, 3, 4]


def test_a_chain_of_verbs_is_veridical_if_all_are() -> None:
    chain = [VERBS["hope"], VERBS["realize"]]
    assert embed(chain, "A boy is jumping") == "Someone hopes that someone realizes that a boy is jumping"
    made = composed(chain, natural("A boy is jumping", "A kid is jumping"))
    assert (made.label, made.fact("rule"), made.fact("depth"), made.fact("verb")) == (NO, "3", "2", "hope+realize")
    assert composed([VERBS["see"], VERBS["know"]], natural("A boy is jumping", "A kid is jumping")).label == YES


@given(st.lists(st.sampled_from(THAT_VERBS), min_size=1, max_size=6), st.sampled_from([YES, NO]))
def test_the_label_of_a_chain_is_the_conjunction_of_its_links(verbs: list, label: str) -> None:
    assert truth_of(verbs, label) == (YES if label == YES and all(verb.label == YES for verb in verbs) else NO)
    assert embed(verbs, "A dog is here").count("omeone") == len(verbs)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "kind", "words"),
    [
        ("A boy is jumping", "A kid is jumping", LEXICAL, "boy→kid"),
        ("A boy is slicing bread", "Bread is being sliced by a boy", STRUCTURAL, "active→passive"),
        ("Bread is being sliced by a boy", "A boy is slicing bread", STRUCTURAL, "passive→active"),
        ("There is no bread being sliced", "A boy is slicing bread", None, ""),
        ("Bread is being sliced by a boy", "Bread is sliced by a boy", None, ""),
        ("A man is being a good cook", "A man is cooking", None, ""),
        ("A boy is jumping", "A tall boy is jumping", None, ""),
        ("A boy is jumping", "A girl is sleeping", None, ""),
    ],
)
def test_a_pair_is_lexical_or_structural_or_neither(
    premise: str, hypothesis: str, kind: str | None, words: str
) -> None:
    assert kind_of(natural(premise, hypothesis)) == (kind, words)


def test_pairs_are_balanced_by_label_and_each_is_there_once() -> None:
    for kind in (LEXICAL, STRUCTURAL):
        assert len(inferences().of(kind, label=YES)) == len(inferences().of(kind, label=NO)) > 20
    every = inferences().of()
    assert len({(pair.premise, pair.hypothesis) for pair in every}) == len(every)


def test_what_has_both_labels_is_left_out_articles_aside_and_a_change_of_voice_has_no_other_words() -> None:
    pairs = [
        ("a", "A boy is jumping", "A kid is jumping", "entailment"),
        ("b", "The boy is jumping", "The kid is jumping", "neutral"),
        ("c", "A boy is singing", "A kid is singing", "entailment"),
        ("d", "A boy is cooking", "A kid is cooking", "entailment"),
        ("e", "A cat is singing", "A dog is singing", "neutral"),
        ("f", "A cat is cooking", "A dog is cooking", "contradiction"),
        ("g", "A boy is slicing bread", "Bread is being sliced by a boy", "entailment"),
        ("h", "Two boys are mowing grass", "Grass is being mowed by two boys", "entailment"),
        ("i", "A man is mowing grass", "The lawn is being mowed by a man", "entailment"),
        ("j", "A man is mowing grass", "Bread is being sliced by a boy", "neutral"),
        ("k", "A boy is slicing bread", "Bread is being sold by a boy", "neutral"),
    ]
    found = choose_inferences([Example.make(*pair) for pair in pairs], ALL, np.random.default_rng(0))
    assert {pair.id for pair in found.of(LEXICAL)} == {"c", "d", "e", "f"}
    assert {pair.id for pair in found.of(STRUCTURAL)} == {"g", "h", "j", "k"}


def test_the_halves_share_their_rules_and_no_sentence() -> None:
    trained, tested = inferences().halves
    rules = [{(pair.fact("words"), pair.label) for pair in half} for half in (trained, tested)]
    assert rules[1] <= rules[0]
    sentences = [{text for pair in half for text in said(pair)} for half in (trained, tested)]
    assert sentences[0].isdisjoint(sentences[1])
    for half in (trained, tested):
        counts = Counter(pair.label for pair in half)
        assert counts[YES] == counts[NO] > 5


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_is_proved_and_both_configurations_have_the_same_examples(setting: Setting) -> None:
    splits = built(setting)
    promises = [finding.statement for finding in prove_setting(setting, splits)]
    assert len(promises) == 2 + len(setting.shared) + len(setting.new) + 3 + setting.shots
    one, other = splits["compositional"], splits["in-distribution"]
    assert [len(part) for part in one] == [len(part) for part in other]
    assert {example.id for example in (*one.train, *one.dev, *one.test)} == {
        example.id for example in (*other.train, *other.dev, *other.test)
    }


def test_the_sizes_stand_in_the_papers_relations() -> None:
    lexical, structural = len(inferences().of(LEXICAL)), len(inferences().of(STRUCTURAL))
    every = lexical + structural
    parts = {setting.name: built(setting)["compositional"] for setting in SETTINGS}
    trained = {name: len(s.train) + len(s.dev) for name, s in parts.items()}
    tested = {name: len(s.test) for name, s in parts.items()}
    assert tested["task1-trivial"] == 30 * every
    assert 2 * every - 30 < trained["task1-trivial"] <= 2 * every
    assert trained["task2-trivial"] == tested["task2-trivial"] == trained["task2-nontrivial"] == 15 * every
    assert tested["task3-trivial"] == 15 * structural
    assert 2 * structural - 15 < trained["task3-trivial"] <= 2 * structural
    assert tested["task3-nontrivial-ver"] == 15 * lexical // 2
    assert lexical - 15 < trained["task3-nontrivial-nat"] <= lexical
    for name, number in (("task2-nontrivial", 15 * every), ("task3-nontrivial-nat", 15 * lexical // 2)):
        assert tested[name] + len(parts[name].few) <= number  # pairs that share a sentence with a shot are in neither
    halves = inferences().halves
    assert len(parts["task1-nontrivial"].few) == 30 * 2 * min(12, len(halves[1]) // 2 // 3)
    assert len(halves[0]) - 30 < trained["task1-nontrivial"] - len(halves[0]) <= len(halves[0])


@pytest.mark.parametrize(
    ("name", "trained", "tested"),
    [
        ("task1-trivial", {None}, {"1", "2", "3", "4"}),
        ("task1-nontrivial", {None}, {"1", "2", "3", "4"}),
        ("task2-trivial", {"1", "2", "3", "4"}, {"1", "2", "3", "4"}),
        ("task2-nontrivial", {"1", "4"}, {"2", "3"}),
        ("task3-trivial", {None, "1", "2"}, {"1", "2"}),
        ("task3-nontrivial-ver", {None, "1"}, {"3"}),
        ("task3-nontrivial-nat", {None, "1"}, {"2"}),
    ],
)
def test_each_setting_trains_and_tests_the_rules_of_its_equation(name: str, trained: set, tested: set) -> None:
    splits = built(BY_NAME[name])["compositional"]
    assert {example.fact("rule") for example in splits.train} == trained
    assert {example.fact("rule") for example in splits.test} == tested


def test_task_2_switches_the_kinds_of_inference() -> None:
    splits = built(BY_NAME["task2-trivial"])["compositional"]
    kinds = [{(e.fact("verb_label"), e.fact("relation")) for e in part} for part in (splits.train, splits.test)]
    assert kinds == [{(YES, LEXICAL), (NO, STRUCTURAL)}, {(YES, STRUCTURAL), (NO, LEXICAL)}]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_primitives_are_balanced_and_spread_over_the_verbs(seed: int) -> None:
    splits = built(BY_NAME["task1-trivial"], seed=seed)["compositional"]
    every = [*splits.train, *splits.dev]
    kinds = Counter(example.fact("kind") for example in every)
    assert kinds["natural"] - 30 < kinds["veridical"] <= kinds["natural"]
    assert len(set(Counter(e.fact("verb") for e in every if e.fact("kind") == "veridical").values())) == 1


@pytest.mark.parametrize("name", ["task1-nontrivial", "task2-nontrivial", "task3-nontrivial-nat"])
def test_as_many_shots_as_there_are_missing_rules_show_each_once(name: str) -> None:
    splits = built(BY_NAME[name])["compositional"]
    rules = sorted({str(example.fact("rule")) for example in splits.test})
    drawn = [shots_of(splits.few.examples, 128, np.random.default_rng(seed)) for seed in (0, 1)]
    assert [len(shots) for shots in drawn] == [128, 128]
    assert drawn[0] != drawn[1]
    for shots in drawn:
        assert sorted(str(example.fact("rule")) for example in shots[: len(rules)]) == rules


def leaky(splits: dict[str, SettingSplits], **parts: Split) -> dict[str, SettingSplits]:
    return splits | {"compositional": splits["compositional"]._replace(**parts)}


def test_a_trained_test_example_is_caught_and_named() -> None:
    splits = built(BY_NAME["task2-trivial"])
    part = splits["compositional"]
    guilty = part.test.examples[7]
    worded = replace(guilty, id="other", hypothesis=str(guilty.hypothesis).replace("A ", "The "))
    for one in (guilty, worded):
        with pytest.raises(UserError) as error:
            prove_setting(BY_NAME["task2-trivial"], leaky(splits, train=Split("train", (*part.train, one), NLI2)))
        assert "Task 2, trivial leaks: " in str(error.value)
        assert "'no test example is trained (compositional)' is broken by 1 of" in str(error.value)
        assert guilty.id in str(error.value)


BOY = natural("A boy is jumping over", "A kid is jumping over")
GUILTY = {
    "composition rule": ("task2-nontrivial", composed([VERBS["hope"]], BOY)),
    "kind of verb with kind of pair": ("task2-trivial", composed([VERBS["hope"]], BOY)),
}


@pytest.mark.parametrize("facet", GUILTY)
def test_what_should_be_new_and_is_trained_is_caught(facet: str) -> None:
    name, guilty = GUILTY[facet]
    splits = built(BY_NAME[name])
    part = splits["compositional"]
    with pytest.raises(UserError, match=f"'no {facet} of a test example is trained' is broken by"):
        prove_setting(BY_NAME[name], leaky(splits, train=Split("train", (*part.train, guilty), NLI2)))


def test_a_sentence_of_the_test_in_the_training_of_task_1_is_caught() -> None:
    splits = built(BY_NAME["task1-nontrivial"])
    part = splits["compositional"]
    source = natural(str(part.test.examples[0].fact("embedded")), "Something else is here")
    guilty = veridical([VERBS["see"]], source)
    with pytest.raises(UserError, match="'no sentence of a test example is trained' is broken"):
        prove_setting(BY_NAME["task1-nontrivial"], leaky(splits, dev=Split("dev", (*part.dev, guilty), NLI2)))


@pytest.mark.parametrize(
    ("name", "kept", "promise"),
    [
        ("task1-trivial", lambda e: e.fact("verb") != "hope", "the verb of a test example is trained or set apart"),
        ("task3-trivial", lambda e: e.fact("kind") != "natural", "the pair of a test example is trained or set apart"),
        ("task3-trivial", lambda e: e.fact("rule") != "2", "the composition rule of a test example is trained or set"),
        ("task1-nontrivial", lambda e: e.fact("kind") != "natural", "the lexical rule of a test example is trained or"),
    ],
)
def test_what_should_be_trained_and_is_not_is_caught(name: str, kept: Callable[[Example], bool], promise: str) -> None:
    splits = built(BY_NAME[name])
    part = splits["compositional"]
    fewer = {side: Split(side, tuple(filter(kept, getattr(part, side))), NLI2) for side in ("train", "dev")}
    with pytest.raises(UserError, match=promise):
        prove_setting(BY_NAME[name], leaky(splits, **fewer))


@pytest.mark.parametrize(
    ("change", "promise"),
    [
        ({"label": YES}, "a label follows from the verbs and the natural pair"),
        ({"facts": (("kind", "natural"), ("pair", "x"), ("verb", "hope"))}, "a test example is a composition"),
    ],
)
def test_a_wrong_label_or_kind_is_caught(change: dict, promise: str) -> None:
    setting = BY_NAME["task3-nontrivial-nat"]
    splits = built(setting)
    test = splits["compositional"].test
    wrong = replace(test.examples[0], **change)
    with pytest.raises(UserError, match=promise):
        prove_setting(setting, leaky(splits, test=Split("test", (wrong, *test.examples[1:]), NLI2)))


def test_a_shot_that_is_tested_and_unequal_sizes_are_caught() -> None:
    setting = BY_NAME["task3-nontrivial-nat"]
    splits = built(setting)
    part = splits["compositional"]
    with pytest.raises(UserError, match="no sentence of a shot is tested"):
        prove_setting(setting, leaky(splits, few=Split("few", part.test.examples[:1], NLI2)))
    with pytest.raises(UserError, match="both configurations have the same sizes"):
        prove_setting(setting, leaky(splits, test=Split("test", part.test.examples[:-1], NLI2)))


def test_limits_keep_what_they_say() -> None:
    sizes = SystematicSizes(structural=9, lexical=30, test=50, train=90)
    chosen = choose_inferences(Builtin(pairs=3000).load().examples, sizes, np.random.default_rng(0))
    assert (len(chosen.of(LEXICAL)), len(chosen.of(STRUCTURAL))) == (60, 18)
    parts = build_setting(BY_NAME["task2-trivial"], chosen, sizes, np.random.default_rng(0))["compositional"]
    assert (len(parts.train), len(parts.test), len(parts.few)) == (90, 50, 0)
    assert len({example.fact("pair") for example in parts.train}) == 78
    nothing = replace(inferences(), halves=((), ()))
    with pytest.raises(UserError, match="too few pairs to test anything"):
        build_setting(BY_NAME["task1-nontrivial"], nothing, ALL, np.random.default_rng(0))
    with pytest.raises(UserError, match=r"data.structural is 9999: lower it, or 0 for all"):
        choose_inferences(
            Builtin(pairs=300).load().examples, SystematicSizes(structural=9999), np.random.default_rng(0)
        )


@pytest.mark.usefixtures("real_data")
def test_all_settings_are_built_of_sick_and_proved_within_a_minute() -> None:
    began = time.process_time()
    chosen = choose_inferences(load_source("sick").examples, SystematicSizes(), np.random.default_rng(0))
    assert len(chosen.of(LEXICAL, label=YES)) >= 600
    for setting in SETTINGS:
        prove_setting(setting, build_setting(setting, chosen, SystematicSizes(), np.random.default_rng(1)))
    assert time.process_time() - began < 60
