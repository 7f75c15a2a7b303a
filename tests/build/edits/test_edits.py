"""The category of an edit is that of its main change; an edit that fits no category has none."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivium.build.edits.edits import NLI_EDITS, SENTIMENT_EDITS, nli_edit, sentiment_edit
from trivium.data.example import Example
from trivium.data.sources import load_source

OTHER = "Two nuns sail on a lake."
WORDS = st.sampled_from(
    'a the not no two dog man person red runs sits quickly on in great awful 4 / 10 . , " B'.split()
)
TEXTS = st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=60)


def of_premise(original: str, revised: str) -> str | None:
    pairs = (Example.make("e", text, OTHER, "neutral") for text in (original, revised))
    return nli_edit(*pairs)


def of_hypothesis(original: str, revised: str) -> str | None:
    pairs = (Example.make("e", OTHER, text, "neutral") for text in (original, revised))
    return nli_edit(*pairs)


def of_review(original: str, revised: str) -> str | None:
    reviews = (Example.make("e", text, None, "positive", task="sentiment") for text in (original, revised))
    return sentiment_edit(*reviews)


NLI_CASES = [
    ("Insert/remove phrases", "A baker sleeps.", "A baker sleeps under the kitchen table."),
    ("Insert/remove phrases", "A baker sleeps because he worked all night.", "A baker sleeps."),
    ("Insert/remove phrases", "The nuns sing.", "The nuns sing loudly."),
    ("Substitute entities", "A baker is holding a violin.", "A baker is holding a lantern."),
    ("Substitute entities", "A fisherman waits near the harbor.", "A fisherman waits near the cathedral."),
    ("Substitute entities", "She repairs a clock.", "A monk repairs a clock."),
    ("Substitute evidence", "The twins are painting a fence.", "The twins are drinking lemonade."),
    ("Substitute evidence", "The cook naps on the roof.", "The cook naps behind a barn."),
    ("Substitute evidence", "The cook is outdoors.", "The cook is in a bank."),
    ("Substitute evidence", "The lamp is on the table.", "The lamp is under the table."),
    ("Modify entity details", "A green kite is in the air.", "A purple kite is in the air."),
    ("Modify entity details", "A farmer laughs.", "A wealthy farmer laughs."),
    ("Modify entity details", "A farmer sits on a garden bench.", "A farmer sits on a bench."),
    ("Modify entity details", "A clown wearing a hat bows.", "A clown wearing a scarf bows."),
    ("Modify entity details", "The soup is hot.", "The soup is cold."),
    ("Change action", "The tailor is whistling.", "The tailor is yawning."),
    ("Change action", "A goat jumps over a log.", "A goat trips over a log."),
    ("Change action", "Nuns are near a canoe.", "Nuns are painting a canoe."),
    ("Numerical changes", "Two goats eat grass.", "Seven goats eat grass."),
    ("Numerical changes", "A goat eats grass.", "Some goats eat grass."),
    ("Numerical changes", "Goats eat grass.", "A group of goats eat grass."),
    ("Numerical changes", "The sign says 40 miles.", "The sign says 90 miles."),
    ("Negation", "The tailor is awake.", "The tailor is not awake."),
    ("Negation", "The nuns danced.", "The nuns didn't dance."),
    ("Negation", "A goat is in the yard.", "No goat is in the yard."),
    ("Negation", "Nobody is in the yard.", "A goat is in the yard."),
    ("Using abstractions", "A woman feeds hens.", "A person feeds hens."),
    ("Using abstractions", "An animal barks at the moon.", "A dog barks at the moon."),
    ("Using abstractions", "The girl plays a cello.", "The girl plays an instrument."),
]  # fmt: skip


@pytest.mark.parametrize(("category", "original", "revised"), NLI_CASES)
def test_an_edit_has_the_same_category_in_premise_and_hypothesis(category: str, original: str, revised: str) -> None:
    assert of_premise(original, revised) == of_hypothesis(original, revised) == category


def test_replacing_a_predicate_with_its_object_is_evidence_not_action_and_entity() -> None:
    assert of_premise("A monk paints on a wall at noon.", "A monk rows on a river at noon.") == "Substitute evidence"


def test_the_category_of_most_spans_wins() -> None:
    original = "A red kite and a red boat lie near an old barn with a ladder."
    assert (
        of_premise(original, "A blue kite and a green boat lie near an old barn with a rope.")
        == "Modify entity details"
    )


def test_ties_are_broken_by_the_number_of_changed_words() -> None:
    revised = "A wealthy farmer laughs with his two cousins from Peru behind the mill."
    assert of_premise("A farmer laughs behind the mill.", revised) == "Insert/remove phrases"


@pytest.mark.parametrize(
    ("original", "revised"),
    [
        ("A goat eats.", "A goat eats."),
        ("A goat eats.", "a GOAT , eats !"),
        ("A goat eats.", "The goat is eating"),
        ("A goat eats.", "Sailors repaired their engine yesterday."),
        ("A goat eats.", ""),
        ("A tall monk near two barns sings today of a king.", "A thin monk near six barns yells today of a war."),
    ],
)
def test_an_edit_that_fits_no_category_has_none(original: str, revised: str) -> None:
    assert of_premise(original, revised) is None
    assert of_hypothesis(original, revised) is None


def test_an_edit_of_both_sentences_has_no_category() -> None:
    original = Example.make("e", "A goat eats.", "A goat is hungry.", "neutral")
    assert nli_edit(original, Example.make("f", "A goat sleeps.", "A horse is hungry.", "neutral")) is None
    assert nli_edit(original, Example.make("f", "A goat sleeps.", "a goat is hungry", "neutral")) == "Change action"


PLAIN = "We watched it on a Sunday with my aunt and then we all went home to talk about it for an hour. "
REVIEW_CASES = [
    ("Modifiers", "The plot is clever and the songs are lovely.", "The plot is clumsy and the songs are dreadful."),
    ("Modifiers", "It has a plot and some songs.", "It has a brilliant plot and some catchy songs."),
    ("Modifiers", "It was acted beautifully.", "It was acted terribly."),
    ("Inserting phrases", "The end came.", "The end came far too late and put everyone in the hall to sleep."),
    ("Negation", "I would see it again and I liked the end.", "I would not see it again and I didn't like the end."),
    ("Negation", "It has no heart and never moved me.", "It has heart and moved me."),
    ("Negation", "It keeps its promise.", "It fails to keep its promise."),
    ("Qualifiers", "The jokes work.", "The jokes sometimes work."),
    ("Qualifiers", "The hero is brave.", "The hero is kind of brave."),
    ("Qualifiers", "This was a triumph.", "This could have been a triumph."),
    ("Ratings", "I give it 9 out of 10.", "I give it 2 out of 10."),
    ("Ratings", "My verdict: 8/10.", "My verdict: 3/10."),
    ("Ratings", "Five stars from me.", "One star from me."),
    ("Ratings", "Grade: A", "Grade: F"),
    ("Sarcasm", "It is a triumph.", "It is a triumph, yeah right."),
    ("Sarcasm", "The jokes are fresh.", 'The "jokes" are fresh.'),
]  # fmt: skip


@pytest.mark.parametrize(("category", "original", "revised"), REVIEW_CASES)
def test_the_category_of_an_edited_review(category: str, original: str, revised: str) -> None:
    assert of_review(PLAIN + original, PLAIN + revised) == category


def test_a_negation_among_many_replaced_adjectives_is_not_the_main_edit() -> None:
    revised = "A dull plot, an ugly set, a silly hero and a noisy score. I do not recommend it."
    assert (
        of_review("A smart plot, a pretty set, a noble hero and a quiet score. I recommend it.", revised) == "Modifiers"
    )


@pytest.mark.parametrize(
    "revised",
    [
        "the songs , the plot and THE END",
        "Nothing here was kept of what somebody had written before me.",
        "The toys, the shop and the street",  # nouns for nouns: no category of the paper
        "",
    ],
)
def test_an_edited_review_that_fits_no_category_has_none(revised: str) -> None:
    assert of_review("The songs, the plot and the end!", revised) is None


@given(TEXTS, TEXTS)
def test_the_result_is_a_category_or_none_and_deterministic(original: str, revised: str) -> None:
    assert of_premise(original, revised) in (*NLI_EDITS, None)
    assert of_review(original, revised) in (*SENTIMENT_EDITS, None)
    assert of_hypothesis(original, revised) == of_premise(original, revised)
    assert of_review(original, revised) == of_review(original, revised)


@given(TEXTS)
def test_equal_texts_have_no_category(text: str) -> None:
    assert of_premise(text, text) is None
    assert of_review(text, text) is None


@pytest.mark.parametrize("word", ["so ", "red dog ", "not ", "🦆 ", "x" * 10_000 + " "])
def test_a_text_of_ten_thousand_words_is_handled(word: str) -> None:
    long = word * 10_000 if len(word) < 100 else word
    for judge in (of_premise, of_review):
        judge(long, "great " + long + "awful")
        judge(long, "great awful")
        judge(long, f"1 {long} 2 {long} 3")


def categories_of(name: str, step: int = 1) -> list[tuple[str, str | None]]:
    split = load_source(name)
    judge = nli_edit if name == "cad-snli" else sentiment_edit
    known = {example.id: example for example in split}
    revisions = [(str(example.fact("original")), example) for example in split if example.fact("original")][::step]
    return [(example.id, judge(known[original], example)) for original, example in revisions]


@pytest.mark.usefixtures("real_data")
@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        (
            "cad-snli",
            {
                "Insert/remove phrases": (1200, 2500), "Substitute entities": (1200, 2500),
                "Substitute evidence": (2000, 3500), "Modify entity details": (700, 1500),
                "Change action": (300, 800), "Numerical changes": (40, 200), "Negation": (80, 300),
                "Using abstractions": (100, 400), None: (37, 1000),
            },
        ),
        (
            "cad-imdb",
            {
                "Modifiers": (1400, 2200), "Inserting phrases": (1, 100), "Negation": (100, 500),
                "Qualifiers": (0, 50), "Ratings": (0, 50), "Sarcasm": (0, 50), None: (50, 600),
            },
        ),
    ],
)  # fmt: skip
def test_most_revisions_of_kaushik_et_al_have_a_category_and_no_category_dominates(
    name: str, bounds: dict[str | None, tuple[int, int]]
) -> None:
    revisions = categories_of(name)
    assert revisions[::10] == categories_of(name, 10)
    counts = Counter(category for _, category in revisions)
    assert set(counts) <= set(bounds)
    assert not {name: counts[name] for name, (low, high) in bounds.items() if not low <= counts[name] <= high}
