"""The nine folds, and the composition of their stages and tests for many sizes."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from trivium.build.splits.stage_invariants import require_fold_invariants
from trivium.build.splits.stages import (
    FoldSplits,
    NaturalPool,
    Sizes,
    build_fold,
    divide_natural,
    fold_of,
)
from trivium.build.veridicality.clauses import parse_clause
from trivium.build.veridicality.composition import TYPES, compose, type_of
from trivium.build.veridicality.natural import NaturalPair, choose_natural, pair_key, premise_key, unsoundness
from trivium.build.veridicality.pseudo import WordPair, related_words
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.data.example import Example
from trivium.data.sources import find_sources
from trivium.data.sources.builtin import Builtin
from trivium.data.split import Split
from trivium.errors import UserError

LABELS = ("entailment", "neutral", "contradiction")
VERBS = {"entailment": 8, "neutral": 8, "contradiction": 5}
PARTS = ("ver", "nat", "composed", "primitive")
# The table of papers/README.md: test, veridical stage, natural stage.
FOLDS = {
    1: ((2, 5, 3, 9), (4, 6, 7, 8)),
    2: ((3, 6, 1, 7), (5, 4, 8, 9)),
    3: ((1, 4, 2, 8), (6, 5, 9, 7)),
    4: ((5, 8, 6, 3), (7, 9, 1, 2)),
    5: ((6, 9, 4, 1), (8, 7, 2, 3)),
    6: ((4, 7, 5, 2), (9, 8, 3, 1)),
    7: ((8, 2, 9, 6), (1, 3, 4, 5)),
    8: ((9, 3, 7, 4), (2, 1, 5, 6)),
    9: ((7, 1, 8, 5), (3, 2, 6, 4)),
}
NUMBERS = st.integers(1, 9)


@cache
def pairs() -> tuple[NaturalPair, ...]:
    return tuple(choose_natural(Builtin(pairs=3600).load().examples))


def sizes(**values: int) -> Sizes:
    small = {
        "entailment": 60, "neutral": 60, "contradiction": 60, "held_out": 10,
        "per_type": 40, "natural_stage_verbs": 2,
    }  # fmt: skip
    return Sizes(**{**small, **values})


def built(number: int, chosen: Sizes, seed: int = 0) -> tuple[NaturalPool, FoldSplits]:
    pool = divide_natural(pairs(), chosen, np.random.default_rng([seed, 1]))
    return pool, build_fold(pool, fold_of(number), chosen, np.random.default_rng([seed, 2, number]))


@st.composite
def possible_sizes(draw: st.DrawFn) -> Sizes:
    """Sizes with all verbs of a type in the veridical stage and enough pairs for every stage."""
    per_type = draw(st.integers(8, 90))
    verbs = draw(st.integers(1, 9))
    few = max(math.ceil(per_type / 5), math.ceil(per_type / min(verbs, 5)))
    pair_counts = st.integers(few, few + 60)
    return Sizes(
        entailment=draw(pair_counts), neutral=draw(pair_counts), contradiction=draw(pair_counts),
        held_out=draw(st.integers(1, 25)), per_type=per_type, natural_stage_verbs=verbs,
        test_composed=draw(st.integers(0, 60)), test_primitive=draw(st.integers(0, 60)),
    )  # fmt: skip


def naturals(examples: Split | list[Example]) -> list[str]:
    return [example.parts[1].id for example in examples]


@pytest.mark.parametrize("number", FOLDS)
def test_folds_are_those_of_the_table(number: int) -> None:
    fold = fold_of(number)
    ver, nat = FOLDS[number]
    assert fold.test.number == number
    assert tuple(type_.number for type_ in fold.ver) == ver
    assert sorted(type_.number for type_ in fold.nat) == sorted(nat)


@pytest.mark.parametrize("number", FOLDS)
def test_a_fold_divides_the_nine_types_and_trains_both_primitives_of_its_test(number: int) -> None:
    fold = fold_of(number)
    assert sorted([fold.test, *fold.ver, *fold.nat]) == list(TYPES)
    assert fold.test.veridical in {type_.veridical for type_ in fold.ver}
    assert fold.test.veridical not in {type_.veridical for type_ in fold.nat}
    assert fold.test.natural in {type_.natural for type_ in fold.nat}
    assert fold.test.natural not in {type_.natural for type_ in fold.ver}


@pytest.mark.parametrize("number", FOLDS)
def test_the_veridical_stage_knows_all_verb_labels_and_the_natural_stage_all_pair_labels(number: int) -> None:
    fold = fold_of(number)
    assert {type_.veridical for type_ in fold.ver} == set(LABELS)
    assert {type_.natural for type_ in fold.nat} == set(LABELS)


@pytest.mark.parametrize("number", [0, 10, -1])
def test_a_fold_number_outside_1_to_9_is_rejected(number: int) -> None:
    with pytest.raises(UserError, match=f"fold {number} does not exist: must be between 1 and 9"):
        fold_of(number)


def test_the_papers_sizes_give_table_4_with_the_builtin_source() -> None:
    pool = divide_natural(pairs(), Sizes(held_out=100), np.random.default_rng(0))
    composed = [
        compose(verb, pair)
        for type_ in TYPES
        for verb in INFINITIVE_VERBS
        if verb.label == type_.veridical
        for pair in pool.composing[type_.natural]
    ]
    counts = Counter(type_of(example).code for example in composed)
    assert counts == {
        "ee_e": 5976, "en_n": 5544, "ec_c": 5520, "ne_n": 5976, "nn_n": 5544, "nc_n": 5520,
        "ce_c": 3735, "cn_n": 3465, "cc_e": 3450,
    }  # fmt: skip
    assert len({example.id for example in composed}) == 44_730


def test_the_builtin_source_has_enough_pairs_for_the_papers_sizes() -> None:
    chosen = choose_natural(find_sources()["builtin"]().load().examples)
    divide_natural(chosen, Sizes(held_out=100), np.random.default_rng(0))


def test_the_papers_stages_have_3200_compositions_of_800_a_type() -> None:
    pool, splits = built(1, Sizes(held_out=100))
    assert (len(splits.ver), len(splits.nat)) == (3200, 3200)
    assert Counter(type_of(e).number for e in splits.ver) == dict.fromkeys((2, 5, 3, 9), 800)
    assert Counter(type_of(e).number for e in splits.nat) == dict.fromkeys((4, 6, 7, 8), 800)
    assert len(set(naturals(splits.ver))) == 100 + 160
    assert len(set(naturals(splits.nat))) == 2130
    assert len(splits.composed) == 5976
    assert len(splits.primitive) == 300
    require_fold_invariants(splits)
    assert sum(map(len, pool.composing.values())) == 2130


@given(chosen=possible_sizes(), seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_divided_pairs_have_the_requested_sizes_and_do_not_overlap(chosen: Sizes, seed: int) -> None:
    pool = divide_natural(pairs(), chosen, np.random.default_rng(seed))
    seen: list[str] = []
    for label in LABELS:
        assert len(pool.composing[label]) == getattr(chosen, label)
        assert len(pool.held_out[label]) == chosen.held_out
        both = [*pool.composing[label], *pool.held_out[label]]
        assert {pair.example.label for pair in both} == {label}
        seen += [pair.example.id for pair in both]
    assert len(seen) == len(set(seen))


@given(number=NUMBERS, chosen=possible_sizes(), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_all_invariants_hold_for_a_fold_of_any_size(number: int, chosen: Sizes, seed: int) -> None:
    _, splits = built(number, chosen, seed)
    assert all(invariant.holds for invariant in require_fold_invariants(splits))
    for stage, numbers in ((splits.ver, FOLDS[number][0]), (splits.nat, FOLDS[number][1])):
        assert Counter(type_of(example).number for example in stage) == dict.fromkeys(numbers, chosen.per_type)
        assert len({example.id for example in stage}) == len(stage)
        assert len({(example.premise, example.hypothesis) for example in stage}) == len(stage)


@given(number=NUMBERS, chosen=possible_sizes())
@settings(max_examples=25, deadline=None)
def test_in_the_veridical_stage_few_pairs_meet_all_verbs(number: int, chosen: Sizes) -> None:
    _, splits = built(number, chosen)
    by_type: dict[int, list[Example]] = {}
    for example in splits.ver:
        by_type.setdefault(type_of(example).number, []).append(example)
    by_natural: dict[str, set[str]] = {}
    for type_, examples in by_type.items():
        signature = TYPES[type_ - 1].veridical
        assert {example.fact("verb") for example in examples} == {
            verb.lemma for verb in INFINITIVE_VERBS if verb.label == signature
        }
        assert len(set(naturals(examples))) == math.ceil(chosen.per_type / VERBS[signature])
        by_natural.setdefault(TYPES[type_ - 1].natural, set()).update(naturals(examples))
    for natural, ids in by_natural.items():
        verbs = [VERBS[TYPES[type_ - 1].veridical] for type_ in by_type if TYPES[type_ - 1].natural == natural]
        assert len(ids) == math.ceil(chosen.per_type / min(verbs)), "types with one natural label share their pairs"


@given(number=NUMBERS, chosen=possible_sizes())
@settings(max_examples=25, deadline=None)
def test_in_the_natural_stage_few_verbs_meet_many_pairs(number: int, chosen: Sizes) -> None:
    pool, splits = built(number, chosen)
    verbs: dict[str, set[str | None]] = {}
    ids: dict[str, set[str]] = {}
    occurrences: Counter[str] = Counter()
    for example in splits.nat:
        type_ = type_of(example)
        verbs.setdefault(type_.veridical, set()).add(example.fact("verb"))
        ids.setdefault(type_.natural, set()).update(naturals([example]))
        occurrences[type_.natural] += 1
    for signature, lemmas in verbs.items():
        assert len(lemmas) <= min(chosen.natural_stage_verbs, VERBS[signature])
    for natural, used in ids.items():
        expected = min(occurrences[natural], len(pool.composing[natural]))
        assert len(used) == expected, "every pair is used before any is repeated"


@given(number=NUMBERS, chosen=possible_sizes())
@settings(max_examples=25, deadline=None)
def test_the_composed_test_is_all_verbs_over_pairs_of_the_natural_stage_or_a_sample_of_it(
    number: int, chosen: Sizes
) -> None:
    _, splits = built(number, chosen)
    fold = fold_of(number)
    trained = {example.parts[1].id for example in splits.nat if type_of(example).natural == fold.test.natural}
    everything = len(trained) * VERBS[fold.test.veridical]
    assert len(splits.composed) == (min(chosen.test_composed, everything) if chosen.test_composed else everything)
    assert {type_of(example) for example in splits.composed} == {fold.test}
    assert set(naturals(splits.composed)) <= trained
    assert len({example.id for example in splits.composed}) == len(splits.composed)


@given(number=NUMBERS, chosen=possible_sizes())
@settings(max_examples=25, deadline=None)
def test_the_primitive_test_uses_held_out_pairs_once_and_cycles_through_signatures(number: int, chosen: Sizes) -> None:
    pool, splits = built(number, chosen)
    held_out = {pair.example.id for pairs in pool.held_out.values() for pair in pairs}
    tested = naturals(splits.primitive)
    assert set(tested) <= held_out
    assert len(set(tested)) == len(tested)
    if chosen.test_primitive == 0:
        assert set(tested) == held_out
        for label in LABELS:
            counts = Counter(e.parts[0].label for e in splits.primitive if e.parts[1].label == label)
            assert max(counts[name] for name in LABELS) - min(counts[name] for name in LABELS) <= 1
    else:
        assert len(tested) == min(chosen.test_primitive, len(held_out))
    trained = {pair_key(example.parts[1]) for example in [*splits.ver, *splits.nat]}
    assert not trained & {pair_key(example.parts[1]) for example in splits.primitive}


def test_the_same_seed_gives_the_same_bytes_and_another_seed_gives_others(tmp_path: Path) -> None:
    for number in FOLDS:
        for folder, seed in (("one", 7), ("again", 7), ("other", 8)):
            _, splits = built(number, sizes(test_composed=20), seed)
            for part in PARTS:
                for ending in ("jsonl", "parquet"):
                    getattr(splits, part).write(tmp_path / folder / f"{number}-{part}.{ending}")
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert len(files) == 9 * 4 * 2
    for name in files:
        one, again, other = ((tmp_path / folder / name).read_bytes() for folder in ("one", "again", "other"))
        assert one == again, name
        assert one != other, name


def test_each_fold_has_its_own_random_choices() -> None:
    first, second = (built(number, sizes())[1] for number in (1, 2))
    assert naturals(first.primitive) == naturals(second.primitive)
    assert [e.fact("verb") for e in first.primitive] != [e.fact("verb") for e in second.primitive]


@pytest.mark.parametrize("label", LABELS)
def test_requesting_more_pairs_than_available_names_the_settings_to_lower(label: str) -> None:
    available = sum(pair.example.label == label for pair in pairs())
    too_many = sizes(**{label: available})
    with pytest.raises(
        UserError, match=rf"has {available} usable pairs .* {label}, but {available} .* data\.{label} or"
    ) as error:
        divide_natural(pairs(), too_many, np.random.default_rng(0))
    assert "data.held_out" in str(error.value)
    divide_natural(pairs(), sizes(**{label: available - 20}), np.random.default_rng(0))


def labelled(premise: str, labels: str, hypothesis: str = "") -> list[NaturalPair]:
    """Pairs of one premise with these labels."""
    clause = parse_clause(premise)
    assert clause is not None
    names = {label[0]: label for label in LABELS}
    return [
        NaturalPair(
            Example.make(f"{premise} {i}", premise, hypothesis or f"{premise} {i}", names[letter], task="natural"),
            clause,
        )
        for i, letter in enumerate(labels)
    ]


NOUNS = ("man", "woman", "boy", "girl", "nurse", "cook", "dog", "cat", "pig", "duck", "horse", "monkey")


@given(
    groups=st.lists(st.tuples(st.sampled_from(["A", "The"]), st.text("enc", min_size=1, max_size=5)),
                    min_size=9, max_size=2 * len(NOUNS)),
    number=st.integers(1, 3),
    seed=st.integers(0, 2**32),
)  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_no_premise_is_both_composed_and_held_out_however_pairs_share_premises(
    groups: list[tuple[str, str]], number: int, seed: int
) -> None:
    available = [
        pair
        for index, (article, labels) in enumerate(groups)
        for pair in labelled(f"{article} {NOUNS[index % len(NOUNS)]} is running", labels)
    ]
    chosen = Sizes(entailment=1, neutral=1, contradiction=1, held_out=number)
    try:
        pool = divide_natural(available, chosen, np.random.default_rng(seed))
    except UserError:
        event("rejected")
        return
    composed, tested = (
        {premise_key(pair.example) for pairs in part.values() for pair in pairs}
        for part in (pool.composing, pool.held_out)
    )
    assert not composed & tested
    assert [len(pool.held_out[label]) for label in LABELS] == [number] * 3


def test_a_source_with_enough_distinct_premises_is_never_rejected() -> None:
    available = [pair for noun in NOUNS for pair in labelled(f"A {noun} is running", "enc")]
    for seed in range(20):
        divide_natural(
            available, sizes(entailment=9, neutral=9, contradiction=9, held_out=3), np.random.default_rng(seed)
        )


def test_denials_are_composed_first_and_contraries_only_if_necessary() -> None:
    available = [pair for noun in NOUNS for pair in labelled(f"A {noun} is running", "en")]
    for noun in NOUNS[:6]:
        available += labelled(f"A {noun} is singing", "c", f"A {noun} is not singing")
        available += labelled(f"A {noun} is resting", "c", f"A {noun} is working")
    for seed in range(10):
        few = sizes(entailment=9, neutral=9, contradiction=4, held_out=2)
        pool = divide_natural(available, few, np.random.default_rng(seed))
        every = [*pool.composing["contradiction"], *pool.held_out["contradiction"]]
        assert all("not singing" in str(pair.example.hypothesis) for pair in every)
        many = sizes(entailment=9, neutral=9, contradiction=8, held_out=2)
        pool = divide_natural(available, many, np.random.default_rng(seed))
        ranks = [unsoundness(pair.example) for pair in pool.composing["contradiction"]]
        tested = [unsoundness(pair.example) for pair in pool.held_out["contradiction"]]
        assert ranks.count(0) == 6 - tested.count(0), "no denial is left over"


def test_too_few_premises_and_too_few_pairs_have_different_messages() -> None:
    available = [pair for noun in NOUNS[:3] for pair in labelled(f"A {noun} is running", "eennccc")]
    with pytest.raises(UserError, match=r"of the 6 usable pairs with the label entailment, 4 have a premise that is"):
        divide_natural(available, sizes(entailment=5, neutral=1, contradiction=1, held_out=1), np.random.default_rng(0))


def test_premises_that_fit_are_held_out_before_those_with_a_surplus() -> None:
    available = [pair for noun in NOUNS for pair in labelled(f"A {noun} is running", "enc")]
    crowded = labelled("A crowd is running", "eeeeeeeeee")
    for seed in range(20):
        pool = divide_natural([*available, *crowded], sizes(entailment=7, neutral=7, contradiction=7, held_out=5),
                              np.random.default_rng(seed))  # fmt: skip
        assert "A crowd is running" not in {pair.example.premise for pair in pool.held_out["entailment"]}


@pytest.mark.parametrize("values", [{"per_type": 700}, {"per_type": 61, "natural_stage_verbs": 1}])
@pytest.mark.parametrize("number", [1, 5, 9])
def test_more_compositions_than_possible_are_rejected_with_the_setting_to_change(
    values: dict[str, int], number: int
) -> None:
    with pytest.raises(UserError, match=r"lower data\.per_type or raise data\.natural_stage_verbs"):
        built(number, sizes(**values))


def test_as_many_compositions_as_possible_are_built() -> None:
    _, splits = built(1, sizes(per_type=60, natural_stage_verbs=1))
    require_fold_invariants(splits)
    assert len(splits.nat) == 240


def test_too_few_compositions_for_all_verbs_are_rejected_with_the_setting_to_change() -> None:
    with pytest.raises(UserError, match=r"data\.per_type"):
        require_fold_invariants(built(1, sizes(per_type=4))[1])


@pytest.mark.parametrize(("contradictions", "ranks"), [("denials", {0}), ("contraries", {3}), ("any", {0, 3})])
def test_contradictions_are_denials_first_any_or_contraries(contradictions: str, ranks: set[int]) -> None:
    chosen = Sizes(entailment=1, neutral=1, contradiction=6, held_out=1, contradictions=contradictions)
    available = [
        pair for noun in NOUNS[:8] for pair in labelled(f"A {noun} is running", "c", f"A {noun} is not running")
    ]
    for noun in NOUNS[:8]:
        available += labelled(f"A {noun} is jumping", "c", f"A {noun} is sleeping")
        available += labelled(f"A {noun} is barking", "e", "An animal is barking")
        available += labelled(f"A {noun} is eating", "n", f"A {noun} is eating a bone")
    pool = divide_natural(available, chosen, np.random.default_rng(0))
    assert {unsoundness(pair.example) for pair in pool.composing["contradiction"]} == ranks


def test_decided_pairs_differ_in_related_words_and_relations_that_occur_once_are_not_held_out() -> None:
    chosen = Sizes(pairs="decided", entailment=5, neutral=1, contradiction=1, held_out=2)
    available = [pair for noun in NOUNS for pair in labelled(f"A {noun} is running", "c", f"A {noun} is not running")]
    for index in range(4):
        available += labelled(f"A man is pushing a {NOUNS[index]}", "e", f"A person is pushing a {NOUNS[index]}")
        available += labelled(f"A man is selling a {NOUNS[index]}", "n", f"A woman is selling a {NOUNS[index]}")
        available += labelled(f"A man is chasing a {NOUNS[index]}", "e", "A man is chasing an animal")
        available += labelled(f"A man is feeding a {NOUNS[index]}", "e", "Someone is feeding")
    for seed in range(10):
        pool = divide_natural(available, chosen, np.random.default_rng(seed))
        assert {str(related_words(pair.example)) for pair in pool.held_out["entailment"]} == {
            str(WordPair("man", "person"))
        }
        assert all(related_words(pair.example) for label in LABELS[:2] for pair in pool.composing[label])
