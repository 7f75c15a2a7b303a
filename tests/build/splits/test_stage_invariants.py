"""Each invariant of a fold is broken on purpose: the violation is detected and reported with its example."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from trivium.build.splits.stage_invariants import check_fold, require_fold_invariants
from trivium.build.splits.stages import FoldSplits, NaturalPool, Sizes, build_fold, divide_natural, fold_of
from trivium.build.veridicality.clauses import parse_clause
from trivium.build.veridicality.composition import TYPES, compose, type_of
from trivium.build.veridicality.natural import NaturalPair, choose_natural
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.data.example import Example
from trivium.data.sources.builtin import Builtin
from trivium.data.split import Split
from trivium.errors import UserError

SIZES = Sizes(entailment=30, neutral=30, contradiction=30, held_out=5, per_type=16, natural_stage_verbs=2)
STAGES = {"ver": "veridical", "nat": "natural"}
STATEMENTS = (
    "a composed test example has the tested type",
    "no tested composition type is trained",
    "the veridical stage trains only its own types",
    "the natural stage trains only its own types",
    "the veridical primitive of a composed test example is trained",
    "the natural primitive of a composed test example is trained",
    "the natural pair of a primitive test example is unseen in either direction",
    "the clause of a primitive test example is embedded in no training example",
    "no example is trained twice",
    "a composed label follows from its primitives",
    "the premise of the natural primitive is what the verb embeds",
)


@cache
def pool() -> NaturalPool:
    return divide_natural(choose_natural(Builtin(pairs=450).load().examples), SIZES, np.random.default_rng(0))


@cache
def intact(number: int = 1) -> FoldSplits:
    return build_fold(pool(), fold_of(number), SIZES, np.random.default_rng(number))


def with_first(part: str, example: Example, splits: FoldSplits | None = None) -> FoldSplits:
    """Return the splits with the first example of a part replaced."""
    splits = splits or intact()
    examples = getattr(splits, part).examples
    return replace(splits, **{part: Split(part, (example, *examples[1:]))})


def broken(splits: FoldSplits) -> dict[str, tuple[Example, ...]]:
    return {invariant.statement: invariant.violations for invariant in check_fold(splits) if not invariant.holds}


def assert_rejected(splits: FoldSplits, statement: str, offender: Example) -> None:
    """Assert that only this example violates the invariant, and that the error shows it with its sentences."""
    assert statement in STATEMENTS
    assert broken(splits)[statement] == (offender,)
    with pytest.raises(UserError) as error:
        require_fold_invariants(splits)
    line = next(line for line in str(error.value).splitlines() if repr(statement) in line)
    assert line.startswith(f"fold {splits.fold.test.number}: ")
    assert f"{offender.id} ({offender.premise!r} / {offender.hypothesis!r})" in line


def held_out(position: int = 0) -> NaturalPair:
    """Return the natural pair of an example in the primitive test."""
    example = intact().primitive.examples[position].parts[1]
    clause = parse_clause(example.premise)
    assert clause is not None
    return NaturalPair(example, clause)


def trained_on(pair: NaturalPair) -> FoldSplits:
    """Return splits whose veridical stage contains this pair, under a verb that gives one of the stage's types."""
    verbs = {verb.label: verb for verb in INFINITIVE_VERBS}
    for type_ in intact().fold.ver:
        if type_.natural == pair.example.label:
            return with_first("ver", compose(verbs[type_.veridical], pair))
    raise AssertionError(f"the veridical stage trains no {pair.example.label} pairs")


def position_of(label: str) -> int:
    return next(i for i, example in enumerate(intact().primitive) if example.parts[1].label == label)


@pytest.mark.parametrize("number", range(1, 10))
def test_all_invariants_hold_for_an_intact_fold(number: int) -> None:
    splits = intact(number)
    invariants = require_fold_invariants(splits)
    assert tuple(invariant.statement for invariant in invariants) == STATEMENTS
    assert all(invariant.holds and invariant.violations == () for invariant in invariants)


def test_every_example_is_checked() -> None:
    splits = intact()
    checked = {invariant.statement: invariant.checked for invariant in check_fold(splits)}
    train, tests = 2 * 4 * 16, len(splits.composed) + len(splits.primitive)
    assert len(splits.primitive) == 15
    assert [checked[statement] for statement in STATEMENTS] == [
        *[len(splits.composed)] * 2, train // 2, train // 2, *[len(splits.composed)] * 2, 15, 15,
        train, train + tests, train + tests,
    ]  # fmt: skip


@pytest.mark.parametrize("stage", ["ver", "nat"])
def test_the_tested_type_in_training_is_detected(stage: str) -> None:
    leaked = intact().composed.examples[3]
    splits = with_first(stage, leaked)
    assert_rejected(splits, f"the {STAGES[stage]} stage trains only its own types", leaked)
    assert broken(splits)["no tested composition type is trained"] == intact().composed.examples


def test_another_type_in_the_composed_test_is_detected() -> None:
    stray = intact().ver.examples[0]
    splits = with_first("composed", stray)
    assert_rejected(splits, "a composed test example has the tested type", stray)
    assert_rejected(splits, "no tested composition type is trained", stray)


def test_a_type_of_the_other_stage_is_detected() -> None:
    stray = intact().nat.examples[0]
    assert_rejected(with_first("ver", stray), "the veridical stage trains only its own types", stray)


def test_a_verb_that_is_never_trained_is_detected() -> None:
    fold = intact().fold
    untrained = next(verb for verb in INFINITIVE_VERBS if verb.label == fold.test.veridical)
    ver = tuple(example for example in intact().ver if example.fact("verb") != untrained.lemma)
    nat = tuple(example for example in intact().nat if example.fact("verb") != untrained.lemma)
    splits = replace(intact(), ver=Split("ver", ver), nat=Split("nat", nat))
    offending = broken(splits)["the veridical primitive of a composed test example is trained"]
    assert offending == tuple(example for example in intact().composed if example.fact("verb") == untrained.lemma)
    assert offending
    with pytest.raises(UserError, match=rf"\+{untrained.lemma} "):
        require_fold_invariants(splits)


def test_a_composed_test_of_a_pair_that_is_never_trained_is_detected() -> None:
    fold = intact().fold
    verb = next(verb for verb in INFINITIVE_VERBS if verb.label == fold.test.veridical)
    unseen = compose(verb, held_out(position_of(fold.test.natural)))
    assert_rejected(
        with_first("composed", unseen), "the natural primitive of a composed test example is trained", unseen
    )  # fmt: skip


def rewritten(pair: NaturalPair, change: Callable[[str], str], *, reversed_: bool) -> NaturalPair:
    premise, hypothesis = change(pair.example.premise), change(str(pair.example.hypothesis))
    if reversed_:
        premise, hypothesis = hypothesis, premise
    example = replace(pair.example, id="rewritten", premise=premise, hypothesis=hypothesis)
    return replace(pair, example=example)


def other_articles(text: str) -> str:
    words = {"A": "The", "An": "The", "The": "A", "a": "the", "an": "the", "the": "some", "some": "the"}
    return " ".join(words.get(word, word) for word in text.split())


@pytest.mark.parametrize("reversed_", [False, True], ids=["same direction", "other direction"])
@pytest.mark.parametrize("change", [str, other_articles], ids=["same articles", "other articles"])
@pytest.mark.parametrize("label", ["neutral", "contradiction"])
def test_a_held_out_pair_in_training_is_detected_in_either_direction_and_with_other_articles(
    change: Callable[[str], str], reversed_: bool, label: str
) -> None:
    position = position_of(label)
    offender = intact().primitive.examples[position]
    splits = trained_on(rewritten(held_out(position), change, reversed_=reversed_))
    assert_rejected(splits, "the natural pair of a primitive test example is unseen in either direction", offender)
    clause = "the clause of a primitive test example is embedded in no training example"
    assert (offender in broken(splits).get(clause, ())) == (not reversed_)


@pytest.mark.parametrize("change", [str, other_articles], ids=["same articles", "other articles"])
@pytest.mark.parametrize("label", ["neutral", "contradiction"])
def test_a_tested_clause_in_training_is_detected_with_any_hypothesis(change: Callable[[str], str], label: str) -> None:
    pair = rewritten(held_out(position_of(label)), change, reversed_=False)
    other = replace(pair, example=replace(pair.example, hypothesis="A cow is swimming"))
    splits = trained_on(other)
    statement = "the clause of a primitive test example is embedded in no training example"
    assert list(broken(splits)) == [statement]
    premise = held_out(position_of(label)).example.premise
    assert broken(splits)[statement] == tuple(e for e in splits.primitive if e.parts[1].premise == premise)


@pytest.mark.parametrize("stage", ["ver", "nat"])
def test_an_example_that_is_trained_twice_is_detected(stage: str) -> None:
    twice = getattr(intact(), stage).examples[5]
    splits = with_first(stage, twice)
    assert broken(splits)["no example is trained twice"] == (twice, twice)
    with pytest.raises(UserError, match="'no example is trained twice' is broken by 2 of 128 examples") as error:
        require_fold_invariants(splits)
    assert twice.id in str(error.value)


def test_an_example_that_is_trained_twice_under_two_names_is_detected() -> None:
    twice = replace(intact().ver.examples[5], id="renamed")
    assert "no example is trained twice" in broken(with_first("ver", twice))


@pytest.mark.parametrize("part", ["ver", "nat", "composed", "primitive"])
def test_an_incorrect_label_is_detected_in_every_part(part: str) -> None:
    right = getattr(intact(), part).examples[0]
    for label in {"entailment", "neutral", "contradiction"} - {right.label}:
        wrong = replace(right, label=label)
        assert_rejected(with_first(part, wrong), "a composed label follows from its primitives", wrong)


def test_a_missing_label_is_detected() -> None:
    wrong = replace(intact().composed.examples[0], label=None)
    assert_rejected(with_first("composed", wrong), "a composed label follows from its primitives", wrong)


@pytest.mark.parametrize("part", ["ver", "nat", "composed", "primitive"])
@pytest.mark.parametrize(
    "where", ["composed premise", "composed hypothesis", "veridical premise", "veridical hypothesis"]
)
def test_a_foreign_sentence_is_detected_in_every_part(part: str, where: str) -> None:
    right = getattr(intact(), part).examples[0]
    veridical, natural = right.parts
    row, field = where.split()
    change = {field: "A stranger is humming"}
    wrong = (
        replace(right, **change) if row == "composed" else replace(right, parts=(replace(veridical, **change), natural))
    )
    assert_rejected(with_first(part, wrong), "the premise of the natural primitive is what the verb embeds", wrong)


def test_the_natural_pair_of_another_example_is_detected() -> None:
    first, second = intact().nat.examples[:2]
    wrong = replace(first, parts=(first.parts[0], second.parts[1]))
    assert_rejected(with_first("nat", wrong), "the premise of the natural primitive is what the verb embeds", wrong)


def test_all_violated_invariants_are_reported_at_once_with_three_examples_each() -> None:
    wrong = {"entailment": "neutral", "neutral": "contradiction", "contradiction": "entailment"}
    composed = tuple(replace(example, label=wrong[str(example.label)]) for example in intact().composed)
    ver = (intact().ver.examples[1], *intact().ver.examples[1:])
    splits = replace(intact(), composed=Split("composed", composed), ver=Split("ver", ver))
    with pytest.raises(UserError) as error:
        require_fold_invariants(splits)
    lines = str(error.value).splitlines()
    assert len(lines) == 2
    assert "'no example is trained twice' is broken by 2 of 128" in lines[0]
    assert f"is broken by {len(composed)} of" in lines[1]
    assert [example.id in lines[1] for example in composed[:4]] == [True, True, True, False]
    assert lines[1].endswith(" …")


def test_the_type_is_read_from_the_parts_and_not_from_the_facts() -> None:
    leaked = intact().composed.examples[0]
    fold = intact().fold
    facts = {**dict(leaked.facts), "type": str(fold.ver[0].number)}
    disguised = replace(leaked, facts=tuple(sorted(facts.items())))
    assert type_of(disguised) == TYPES[fold.test.number - 1]
    assert_rejected(with_first("ver", disguised), "the veridical stage trains only its own types", disguised)
