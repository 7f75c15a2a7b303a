"""SETI's seven settings: what is trained and tested, in which numbers; violated invariants are detected."""

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
    composed_inference,
    relation_of,
    shots_of,
    text_key,
    veridical_inference,
)
from trivium.build.splits.systematicity_invariants import require_setting_invariants
from trivium.build.veridicality.composition import BOOLEAN_RULES, composed_label, embed, rule_of
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
    labels = {(verb.label, label): composed_label([verb], label) for verb in THAT_VERBS for label in (YES, NO)}
    assert labels == {(YES, YES): YES, (YES, NO): NO, (NO, YES): NO, (NO, NO): NO}
    assert [rule_of(*rule) for rule in BOOLEAN_RULES] == [1, 2, 3, 4]


def test_a_chain_of_verbs_is_veridical_if_all_are() -> None:
    chain = [VERBS["hope"], VERBS["realize"]]
    assert embed(chain, "A boy is jumping") == "Someone hopes that someone realizes that a boy is jumping"
    example = composed_inference(chain, natural("A boy is jumping", "A kid is jumping"))
    assert (example.label, example.fact("rule"), example.fact("depth"), example.fact("verb")) == (
        NO,
        "3",
        "2",
        "hope+realize",
    )
    assert (
        composed_inference([VERBS["see"], VERBS["know"]], natural("A boy is jumping", "A kid is jumping")).label == YES
    )


@given(st.lists(st.sampled_from(THAT_VERBS), min_size=1, max_size=6), st.sampled_from([YES, NO]))
def test_the_label_of_a_chain_is_the_conjunction_of_its_links(verbs: list, label: str) -> None:
    assert composed_label(verbs, label) == (YES if label == YES and all(verb.label == YES for verb in verbs) else NO)
    assert embed(verbs, "A dog is here").count("omeone") == len(verbs)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "relation", "words"),
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
    premise: str, hypothesis: str, relation: str | None, words: str
) -> None:
    assert relation_of(natural(premise, hypothesis)) == (relation, words)


def test_pairs_are_balanced_by_label_and_unique() -> None:
    for relation in (LEXICAL, STRUCTURAL):
        assert len(inferences().of(relation, label=YES)) == len(inferences().of(relation, label=NO)) > 20
    every = inferences().of()
    assert len({(pair.premise, pair.hypothesis) for pair in every}) == len(every)


def test_pairs_with_both_labels_and_changes_of_voice_with_other_words_are_left_out() -> None:
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
    chosen = choose_inferences([Example.make(*pair) for pair in pairs], ALL, np.random.default_rng(0))
    assert {pair.id for pair in chosen.of(LEXICAL)} == {"c", "d", "e", "f"}
    assert {pair.id for pair in chosen.of(STRUCTURAL)} == {"g", "h", "j", "k"}


def test_the_halves_share_their_rules_and_no_sentence() -> None:
    trained, tested = inferences().halves
    rules = [{(pair.fact("words"), pair.label) for pair in half} for half in (trained, tested)]
    assert rules[1] <= rules[0]
    sentences = [{text for pair in half for text in text_key(pair)} for half in (trained, tested)]
    assert sentences[0].isdisjoint(sentences[1])
    for half in (trained, tested):
        counts = Counter(pair.label for pair in half)
        assert counts[YES] == counts[NO] > 5


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_invariants_hold_and_both_configurations_have_the_same_examples(setting: Setting) -> None:
    splits = built(setting)
    invariants = require_setting_invariants(setting, splits)
    assert len(invariants) == 2 + len(setting.shared) + len(setting.new) + 3 + setting.shots
    compositional, mixed = splits["compositional"], splits["in-distribution"]
    assert [len(part) for part in compositional] == [len(part) for part in mixed]
    assert {example.id for example in (*compositional.train, *compositional.dev, *compositional.test)} == {
        example.id for example in (*mixed.train, *mixed.dev, *mixed.test)
    }


def test_the_sizes_have_the_same_ratios_as_in_the_paper() -> None:
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


def test_task_2_swaps_the_types_of_inference_between_training_and_test() -> None:
    splits = built(BY_NAME["task2-trivial"])["compositional"]
    types = [{(e.fact("verb_label"), e.fact("relation")) for e in part} for part in (splits.train, splits.test)]
    assert types == [{(YES, LEXICAL), (NO, STRUCTURAL)}, {(YES, STRUCTURAL), (NO, LEXICAL)}]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_primitives_are_balanced_and_spread_over_the_verbs(seed: int) -> None:
    splits = built(BY_NAME["task1-trivial"], seed=seed)["compositional"]
    trained = [*splits.train, *splits.dev]
    counts = Counter(example.fact("kind") for example in trained)
    assert counts["natural"] - 30 < counts["veridical"] <= counts["natural"]
    assert len(set(Counter(e.fact("verb") for e in trained if e.fact("kind") == "veridical").values())) == 1


@pytest.mark.parametrize("name", ["task1-nontrivial", "task2-nontrivial", "task3-nontrivial-nat"])
def test_as_many_shots_as_missing_rules_cover_each_rule_once(name: str) -> None:
    splits = built(BY_NAME[name])["compositional"]
    rules = sorted({str(example.fact("rule")) for example in splits.test})
    drawn = [shots_of(splits.few.examples, 128, np.random.default_rng(seed)) for seed in (0, 1)]
    assert [len(shots) for shots in drawn] == [128, 128]
    assert drawn[0] != drawn[1]
    for shots in drawn:
        assert sorted(str(example.fact("rule")) for example in shots[: len(rules)]) == rules


def leaky(splits: dict[str, SettingSplits], **parts: Split) -> dict[str, SettingSplits]:
    return splits | {"compositional": splits["compositional"]._replace(**parts)}


def test_a_trained_test_example_is_detected_and_reported() -> None:
    splits = built(BY_NAME["task2-trivial"])
    part = splits["compositional"]
    guilty = part.test.examples[7]
    reworded = replace(guilty, id="other", hypothesis=str(guilty.hypothesis).replace("A ", "The "))
    for leaked in (guilty, reworded):
        with pytest.raises(UserError) as error:
            require_setting_invariants(
                BY_NAME["task2-trivial"], leaky(splits, train=Split("train", (*part.train, leaked), NLI2))
            )
        assert "Task 2, trivial: " in str(error.value)
        assert "'no test example is trained (compositional)' is broken by 1 of" in str(error.value)
        assert guilty.id in str(error.value)


BOY = natural("A boy is jumping over", "A kid is jumping over")
GUILTY = {
    "composition rule": ("task2-nontrivial", composed_inference([VERBS["hope"]], BOY)),
    "type of verb with type of pair": ("task2-trivial", composed_inference([VERBS["hope"]], BOY)),
}


@pytest.mark.parametrize("facet", GUILTY)
def test_a_trained_property_that_should_be_new_is_detected(facet: str) -> None:
    name, guilty = GUILTY[facet]
    splits = built(BY_NAME[name])
    part = splits["compositional"]
    with pytest.raises(UserError, match=f"'no {facet} of a test example is trained' is broken by"):
        require_setting_invariants(BY_NAME[name], leaky(splits, train=Split("train", (*part.train, guilty), NLI2)))


def test_a_test_sentence_in_the_training_of_task_1_is_detected() -> None:
    splits = built(BY_NAME["task1-nontrivial"])
    part = splits["compositional"]
    source = natural(str(part.test.examples[0].fact("embedded")), "Something else is here")
    guilty = veridical_inference([VERBS["see"]], source)
    with pytest.raises(UserError, match="'no sentence of a test example is trained' is broken"):
        require_setting_invariants(
            BY_NAME["task1-nontrivial"], leaky(splits, dev=Split("dev", (*part.dev, guilty), NLI2))
        )


@pytest.mark.parametrize(
    ("name", "kept", "statement"),
    [
        ("task1-trivial", lambda e: e.fact("verb") != "hope", "the verb of a test example is in the training or"),
        ("task3-trivial", lambda e: e.fact("kind") != "natural", "the pair of a test example is in the training or"),
        ("task3-trivial", lambda e: e.fact("rule") != "2", "the composition rule of a test example is in the tr"),
        (
            "task1-nontrivial",
            lambda e: e.fact("kind") != "natural",
            "the lexical rule of a test example is in the",
        ),
    ],
)
def test_an_untrained_property_that_should_be_trained_is_detected(
    name: str, kept: Callable[[Example], bool], statement: str
) -> None:
    splits = built(BY_NAME[name])
    part = splits["compositional"]
    fewer = {side: Split(side, tuple(filter(kept, getattr(part, side))), NLI2) for side in ("train", "dev")}
    with pytest.raises(UserError, match=statement):
        require_setting_invariants(BY_NAME[name], leaky(splits, **fewer))


@pytest.mark.parametrize(
    ("change", "statement"),
    [
        ({"label": YES}, "a label follows from the verbs and the natural pair"),
        ({"facts": (("kind", "natural"), ("pair", "x"), ("verb", "hope"))}, "a test example is a composition"),
    ],
)
def test_an_incorrect_label_or_kind_is_detected(change: dict, statement: str) -> None:
    setting = BY_NAME["task3-nontrivial-nat"]
    splits = built(setting)
    test = splits["compositional"].test
    wrong = replace(test.examples[0], **change)
    with pytest.raises(UserError, match=statement):
        require_setting_invariants(setting, leaky(splits, test=Split("test", (wrong, *test.examples[1:]), NLI2)))


def test_tested_shots_and_unequal_sizes_are_detected() -> None:
    setting = BY_NAME["task3-nontrivial-nat"]
    splits = built(setting)
    part = splits["compositional"]
    with pytest.raises(UserError, match="no sentence of a shot is tested"):
        require_setting_invariants(setting, leaky(splits, few=Split("few", part.test.examples[:1], NLI2)))
    with pytest.raises(UserError, match="both configurations have the same sizes"):
        require_setting_invariants(setting, leaky(splits, test=Split("test", part.test.examples[:-1], NLI2)))


def test_size_limits_are_respected() -> None:
    sizes = SystematicSizes(structural=9, lexical=30, test=50, train=90)
    chosen = choose_inferences(Builtin(pairs=3000).load().examples, sizes, np.random.default_rng(0))
    assert (len(chosen.of(LEXICAL)), len(chosen.of(STRUCTURAL))) == (60, 18)
    parts = build_setting(BY_NAME["task2-trivial"], chosen, sizes, np.random.default_rng(0))["compositional"]
    assert (len(parts.train), len(parts.test), len(parts.few)) == (90, 50, 0)
    assert len({example.fact("pair") for example in parts.train}) == 78
    nothing = replace(inferences(), halves=((), ()))
    with pytest.raises(UserError, match="too few pairs for a test set"):
        build_setting(BY_NAME["task1-nontrivial"], nothing, ALL, np.random.default_rng(0))
    with pytest.raises(UserError, match="1 structural pairs of each label, but 9999 are required: use another source"):
        choose_inferences(
            Builtin(pairs=300).load().examples, SystematicSizes(structural=9999), np.random.default_rng(0)
        )
    with pytest.raises(UserError, match=r"but 9999 are required: lower data\.structural, or set it to 0 to use all"):
        choose_inferences(
            Builtin(pairs=3000).load().examples, SystematicSizes(structural=9999), np.random.default_rng(0)
        )


@pytest.mark.usefixtures("real_data")
def test_all_settings_are_built_from_sick_and_checked_within_a_minute() -> None:
    began = time.process_time()
    chosen = choose_inferences(load_source("sick").examples, SystematicSizes(), np.random.default_rng(0))
    assert len(chosen.of(LEXICAL, label=YES)) >= 600
    for setting in SETTINGS:
        require_setting_invariants(setting, build_setting(setting, chosen, SystematicSizes(), np.random.default_rng(1)))
    assert time.process_time() - began < 60
