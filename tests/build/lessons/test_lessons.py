"""Kinds of mistakes are recognized, and the pairs that teach them are correct, balanced and new."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from operator import eq, ge, gt, le

import pytest
from benchmarks.mistakes import PUBLIC, kinds, unseen, written
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.build.lessons import Draft, Kind, find_kind, generate, generator, generators, groups, recognize
from trivium.build.lessons.clauses import second_mention
from trivium.build.lessons.generation import GENERATORS
from trivium.build.lessons.kinds import ADDED, cue_sets
from trivium.build.lessons.nearest import nearest_phenomena
from trivium.build.phenomena import generate_parts, load_makers
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI2, SENTIMENT
from trivium.errors import UserError

KINDS = kinds()


def corrections(kind: str) -> list[Example]:
    """Return twelve corrections of a kind."""
    return written(kind)[:12]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", [0, 12])
def test_the_kind_of_twelve_corrections_is_recognized(kind: str, start: int) -> None:
    best = recognize(written(kind)[start : start + 12])[0]
    assert best.name == kind
    assert best.confidence > 0.3
    assert best.cues


def test_the_kind_of_six_corrections_is_recognized_in_39_of_40_cases() -> None:
    parts = [(kind, written(kind)[start : start + 6]) for kind in KINDS for start in range(0, 30, 6)]
    assert sum(recognize(part)[0].name == kind for kind, part in parts) >= 39


def test_pairs_without_a_cue_get_the_nearest_phenomenon() -> None:
    assert recognize([]) == []
    _, pairs = generate_parts("syn-alt", 40, 12, seed=5)
    nearest = recognize(list(pairs))[0]
    assert (nearest.name, nearest.phenomenon) == ("syn-alt", "syn-alt")


def test_the_nearest_phenomenon_of_generated_pairs_is_their_own() -> None:
    parts = {name: generate_parts(name, 40, 12, seed=5)[1] for name in load_makers()}
    right = [name for name, pairs in parts.items() if nearest_phenomena(list(pairs))[0][0] == name]
    assert len(right) >= 0.8 * len(parts), sorted(set(parts) - set(right))


def test_typical_confusions_raise_the_confidence() -> None:
    pairs = [Example.make("1", "The mayor never won.", "The mayor won reportedly.", "neutral")]
    plain, confused = (recognize(pairs, answers) for answers in (None, ["entailment"]))
    assert {kind.name for kind in plain[:2]} == {"hedges", "negation"}
    assert confused[0].name == "hedges"
    assert confused[0].confidence > next(kind.confidence for kind in plain if kind.name == "hedges")


def test_a_kind_has_a_sentence_for_users_and_an_unknown_name_a_suggestion() -> None:
    assert find_kind("hedges").sentence.startswith("These mistakes are about statements that are reported")
    assert find_kind("puns").phenomenon == "puns"
    with pytest.raises(UserError, match="did you mean 'negation'"):
        find_kind("negatoin")


def test_a_number_is_a_number_cue_and_not_a_comparative() -> None:
    assert cue_sets()["comparatives"].find("More than ten people are taller than Ada.") == ("taller", "than")
    assert cue_sets()["numbers"].find("More than ten people came.") == ("more than ten",)


def test_corrections_of_one_cue_or_template_are_grouped() -> None:
    pairs = [
        Example.make("1", "The mayor allegedly won.", "The mayor won.", "neutral"),
        Example.make("2", "The old bank allegedly closed its doors.", "The bank closed.", "neutral"),
        Example.make("3", "The nurse may have left.", "The nurse left.", "neutral"),
        Example.make("4", "The pilot possibly slept.", "The pilot slept.", "neutral"),
    ]
    names = groups(pairs)
    assert names[0] == names[1]
    assert len(set(names)) == 3
    assert groups([]) == []


@settings(max_examples=8, deadline=None)
@given(kind=st.sampled_from(KINDS), number=st.integers(1, 90), seed=st.integers(0, 1000))
def test_pairs_are_new_distinct_and_balanced_for_each_cue(kind: str, number: int, seed: int) -> None:
    known = corrections(kind)
    pairs = generate(known, kind, number=number, seed=seed)
    assert pairs == generate(known, find_kind(kind), number=number, seed=seed)
    assert len(pairs) == number
    keys = {key_of(pair) for pair in pairs}
    assert len(keys) == len(pairs)
    assert keys.isdisjoint({key_of(pair) for pair in known})
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in pairs:
        counts[str(pair.fact("cue"))][str(pair.label)] += 1
    for cue, labels in counts.items():
        shares = [labels[name] for name in ("entailment", "neutral", "contradiction")]
        assert max(shares) - min(shares) <= 1, cue


@pytest.mark.parametrize("kind", KINDS)
def test_no_unseen_pair_of_the_benchmark_is_generated(kind: str, request: pytest.FixtureRequest) -> None:
    if kind in PUBLIC:
        request.getfixturevalue("real_data")
    tested = unseen(kind)
    assert len(tested) >= 100
    assert set(Counter(pair.label for pair in tested).values()) <= set(range(40, 61))
    known = {key_of(pair) for pair in tested}
    premises = {premise for premise, _ in known}
    for pair in generate(corrections(kind), kind, number=500, seed=1):
        assert key_of(pair) not in known
        assert key_of(pair)[0] not in premises


def test_a_known_pair_is_recast_by_denying_its_hypothesis() -> None:
    known = [
        Example.make("1", "A man in a red hat is playing the guitar.", "A man is playing music.", "entailment"),
        Example.make("2", "A boy is eating lunch.", "The boy is sleeping on a bench.", "contradiction"),
        Example.make("3", "Two dogs are running on grass.", "The dogs are chasing a red ball.", "neutral"),
        Example.make("4", "A woman is not singing.", "The woman is playing the piano.", "neutral"),
        Example.make("5", "A girl is painting a fence.", "A man is watching the news.", "contradiction"),
    ]
    pairs = generate([], "negation", number=300, seed=0, known=known)
    recast = {(pair.premise, pair.label): str(pair.hypothesis) for pair in pairs if pair.fact("generator") == "recasts"}
    assert set(recast) == {
        (known[0].premise, "contradiction"),
        (known[0].premise, "entailment"),
        (known[1].premise, "contradiction"),
        (known[1].premise, "entailment"),
        (known[2].premise, "neutral"),
    }
    assert recast[known[0].premise, "entailment"] == "A man is playing music."
    assert recast[known[1].premise, "entailment"] in (
        "The boy is not sleeping on a bench.",
        "The boy isn't sleeping on a bench.",
    )


def test_a_part_of_a_group_is_mentioned_again_as_it_is() -> None:
    assert second_mention("four of the hikers") == "four of the hikers"
    assert second_mention("four hikers in the snow") == "the hikers"


def test_another_seed_gives_other_pairs() -> None:
    first, second = (generate(corrections("hedges"), "hedges", number=60, seed=seed) for seed in (0, 1))
    assert len({key_of(pair) for pair in first} & {key_of(pair) for pair in second}) < 10


def test_no_label_can_be_told_from_the_hypothesis_form() -> None:
    pairs = generate(corrections("hedges"), "hedges", number=300, seed=0)
    plain = [pair for pair in pairs if str(pair.fact("template")).endswith("> affirmed")]
    assert min(Counter(pair.label for pair in plain).values()) > len(plain) / 6


def test_what_is_only_alleged_or_possible_is_neither_true_nor_false() -> None:
    pairs = generate(corrections("hedges"), "hedges", number=600, seed=3)
    templates = [f"hedged {cue} > {form}" for cue in ("allegedly", "may") for form in ("affirmed", "denied")]
    found = [pair for pair in pairs if pair.fact("template") in templates]
    assert found
    assert {pair.label for pair in found} == {"neutral"}


def test_an_embedded_event_has_the_sign_of_its_verb() -> None:
    pairs = [pair for seed in range(3) for pair in generate([], "veridical verbs", number=600, seed=seed)]
    labels: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        match = re.fullmatch(r"(.+) (managed|failed|hoped|did not manage) to (.+)\.", pair.premise)
        if match and pair.hypothesis == f"{match[1]} did not {match[3]}.":
            labels[match[2]].add(str(pair.label))
    expected = {"managed": "contradiction", "failed": "entailment", "hoped": "neutral", "did not manage": "entailment"}
    assert labels == {verb: {label} for verb, label in expected.items() if verb in labels}
    assert len(labels) >= 3


def test_numbers_are_compared_as_numbers() -> None:
    """Compare the labels of bounds with a brute-force reading of the two texts."""
    bound = re.compile(r"(.*\b(?<!no ))(at least|at most|more than|over|exactly) (\d+)( .*)")
    compare = {"at least": ge, "at most": le, "more than": gt, "over": gt, "exactly": eq}
    checked = 0
    for pair in generate([], "numbers", number=900, seed=0):
        sides = bound.fullmatch(pair.premise), bound.fullmatch(str(pair.hypothesis))
        if sides[0] and sides[1] and (sides[0][1], sides[0][4]) == (sides[1][1], sides[1][4]):
            possible = [n for n in range(200) if compare[sides[0][2]](n, int(sides[0][3]))]
            true = [compare[sides[1][2]](n, int(sides[1][3])) for n in possible]
            assert pair.label == ("entailment" if all(true) else "neutral" if any(true) else "contradiction"), pair
            checked += 1
    assert checked > 30


def test_two_way_models_get_two_way_labels() -> None:
    pairs = generate(corrections("negation"), "negation", number=40, seed=0, labels=NLI2)
    assert Counter(pair.label for pair in pairs) == {"entailed": 20, "not-entailed": 20}


def test_the_words_of_a_text_are_used() -> None:
    text = ["The ferry reached the harbour.", "The baker sold the last loaf."]
    pairs = generate(corrections("hedges"), "hedges", number=200, seed=0, text=text)
    assert any("reached the harbour" in pair.premise for pair in pairs)
    assert any("sold the last loaf" in str(pair.hypothesis) for pair in pairs)


def test_wrong_arguments_are_explained() -> None:
    with pytest.raises(UserError, match="number is 0"):
        generate(corrections("hedges"), "hedges", number=0, seed=0)
    with pytest.raises(UserError, match="not supported"):
        generate(corrections("hedges"), "hedges", number=5, seed=0, labels=SENTIMENT)
    with pytest.raises(UserError, match="unknown kind of mistakes"):
        generate(corrections("hedges"), "hedge trimming", number=5, seed=0)


def test_a_generator_is_registered_with_one_decorator() -> None:
    assert {"hedges", "templates", "contrasts", "grammars"} <= set(generators())

    @generator("toy", kinds=("toys",), about="toys")
    def toys(request, rng):  # type: ignore[no-untyped-def]
        for number in range(30):
            for label in ("entailment", "neutral", "contradiction"):
                yield Draft(f"Toy {number} squeaks, {label}.", "Toys squeak.", label, "squeak")

    try:
        assert find_kind("toys") == Kind("toys", about="toys")
        pairs = generate([], "toys", number=9, seed=0)
        assert Counter(pair.label for pair in pairs) == dict.fromkeys(("entailment", "neutral", "contradiction"), 3)
        assert {pair.fact("generator") for pair in pairs} == {"toy"}
    finally:
        del GENERATORS._components["toy"], ADDED["toys"]


def test_the_same_word_is_replaced_on_both_sides_of_a_template() -> None:
    pairs = generate(corrections("hedges"), "hedges", number=600, seed=0)
    lifted = [pair for pair in pairs if pair.fact("generator") == "templates"]
    assert lifted
    for pair in lifted:
        assert pair.label == "neutral" or "possible" in str(pair.hypothesis) or "who" in pair.premise
