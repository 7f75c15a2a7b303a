"""Words that take the place of others: antonyms, co-hyponyms, next numbers, other names."""

from __future__ import annotations

import importlib.util

import pytest
from tests.build.conjuncts.marking import marked

from trivium.build.conjuncts.numbers import is_number, next_number
from trivium.build.conjuncts.pairs import pairs
from trivium.build.conjuncts.replacement import WordReplacer, collect_names
from trivium.build.conjuncts.wordnet import wordnet
from trivium.errors import UserError

NUMBERS = [
    ("three", "four"),
    ("Three", "Four"),
    ("twenty-nine", "thirty"),
    ("ninety-nine", "one hundred"),
    ("1889", "1890"),
    ("1,200", "1,201"),
    ("9,999", "10,000"),
    ("999", "1000"),
    ("2nd", "3rd"),
    ("10th", "11th"),
    ("20th", "21st"),
    ("112th", "113th"),
    ("7.5", "7.6"),
    ("7.99", "8.00"),
    ("0.09", "0.10"),
    ("007", "008"),
    ("1990s", "2000s"),
    ("10pm", "11pm"),
    ("fifth", "sixth"),
]


@pytest.mark.parametrize(("old", "new"), NUMBERS)
def test_the_next_number_is_written_like_the_old_one(old: str, new: str) -> None:
    assert next_number(old) == new


@pytest.mark.parametrize("text", ["one", "1", "house", "", "12:30", "1.2.3", "12pm", "9" * 40, "x1", "٣", "²"])
def test_what_is_no_number_has_no_next(text: str) -> None:
    assert next_number(text) is None


@pytest.mark.parametrize("text", [old for old, _ in NUMBERS] + ["thirteen", "forty", "ninety-nine", "5%", "12km"])
def test_whatever_has_a_next_number_is_read_as_one(text: str) -> None:
    new = next_number(text)
    assert new is not None
    assert is_number(text)
    assert all(is_number(word) for word in new.split())


def _replaced(text: str, why: str, **names: str) -> list[str]:
    sentence = marked(text, **names)
    pool = collect_names([marked("He met/VERB Eve Holm in Bonn.", PERSON="Eve Holm", PLACE="Bonn")])
    found = pairs(sentence, WordReplacer(pool, seed=3))
    return [pair.hypothesis for pair in found if pair.change is not None and pair.change.why == why]


def test_antonyms_take_the_form_of_the_old_word() -> None:
    assert _replaced("He [won/VERB] and [slept/VERB].", "antonym")[0] == "He lost and slept."
    assert _replaced("It is [an old/ADJ car] or [a bus].", "antonym") == ["It is a new car or a bus."]
    assert _replaced("The [sons] and [cups] are here.", "antonym") == ["The daughters and cups are here."]


def test_no_co_hyponym_is_rude() -> None:
    assert not {"whore", "pimp", "madman"} & set(wordnet().siblings("wife", "NOUN"))


def test_co_hyponyms_are_other_kinds_of_the_same_kind() -> None:
    found = _replaced("He plays/VERB [the guitar/NOUN] or [sings/VERB].", "co-hyponym")
    kind = found[0].removeprefix("He plays the ").removesuffix(" or sings.")
    assert kind in wordnet().siblings("guitar", "NOUN")
    assert "yellow" in wordnet().siblings("red", "ADJ")


def test_a_word_that_the_dictionary_has_with_its_neighbour_is_not_replaced_alone() -> None:
    assert _replaced("[A high/ADJ school/NOUN] and [a dog] are here.", "antonym") == []
    assert _replaced("[A high/ADJ tree/NOUN] and [a dog] are here.", "antonym") == ["A low tree and a dog are here."]


def test_a_part_of_a_hyphened_word_is_not_replaced() -> None:
    assert _replaced("He plays/VERB [the guitar/NOUN] or [sings/VERB].", "co-hyponym")
    assert not _replaced("He plays/VERB [the half/NOUN-guitar/NOUN] or [sings/VERB].", "co-hyponym")


def test_a_month_or_a_weekday_gives_way_to_the_next() -> None:
    assert _replaced("It opens/VERB on [Friday] and [Sunday].", "calendar") == [
        "It opens on Saturday and Sunday.",
        "It opens on Friday and Monday.",
    ]
    assert _replaced("It was on [30 March] or [2 June].", "calendar") == ["It was on 30 March or 2 July."]
    assert _replaced("It was on [the 31st of May] or [2 June].", "calendar") == ["It was on the 31st of May or 2 July."]


def test_other_kinds_are_no_other_words_for_the_same_and_no_times() -> None:
    assert "jail" not in wordnet().siblings("prison", "NOUN")
    assert "lad" not in wordnet().siblings("boy", "NOUN")
    assert wordnet().siblings("hour", "NOUN") == ()
    assert "coffee" in wordnet().siblings("tea", "NOUN")


def test_an_opposite_is_that_of_the_sense() -> None:
    assert _replaced("[An old/ADJ man] and [a dog] sleep/VERB.", "antonym") == ["A young man and a dog sleep."]
    assert _replaced("He is [old/ADJ] and [asleep/ADJ].", "antonym") == ["He is old and awake."]
    assert _replaced("[A new/ADJ nurse] and [a cook] came/VERB.", "antonym") == []
    assert _replaced("It is [12 km/NOUN long/ADJ] and [dry/ADJ].", "antonym") == ["It is 12 km long and wet."]
    assert _replaced("It has [more/ADJ than six cups] and [jars].", "antonym") == []
    assert _replaced("It has [more/ADJ cups] and [jars].", "antonym") == []


def test_rare_and_rude_words_do_not_come() -> None:
    for noun in ("person", "man", "dog", "woman", "fool", "child"):
        for word in wordnet().siblings(noun, "NOUN"):
            assert wordnet().frequency(word, "NOUN") >= 3
    assert wordnet().antonyms("be", "VERB") == ()


def test_names_are_replaced_by_names_of_their_kind() -> None:
    assert _replaced("[Ada Berg] and [Tom] sing/VERB.", "name", PERSON="Ada Berg") == ["Eve Holm and Tom sing."]
    assert _replaced("He is in [Rome] or [Genoa].", "name", PLACE="Rome") == ["He is in Bonn or Genoa."]
    assert _replaced("[Bonn] and [Genoa] are old.", "name", PLACE="Bonn") == []


def test_a_number_is_not_replaced_by_one_that_is_there() -> None:
    assert _replaced("He has [43] or [44] cats.", "number") == ["He has 43 or 45 cats."]
    assert _replaced("It was [May 31] or [June 2].", "number") == ["It was May 31 or June 3."]


def test_a_not_that_another_word_needs_stays() -> None:
    assert _replaced("It [was sold/VERB] but [was not paid/VERB until May].", "negation") == []


def test_a_noun_before_a_noun_has_no_opposite() -> None:
    assert _replaced("[A back/NOUN problem/NOUN] and [a dog] are here.", "antonym") == []


def test_a_county_does_not_become_an_outside() -> None:
    assert "outside" not in wordnet().siblings("county", "NOUN")


def test_a_nation_does_not_become_a_faith() -> None:
    names = collect_names(
        [marked(f"{name}/ADJ men sing/VERB.", GROUP=name) for name in ("Dutch", "Catholic", "Danish", "Sikh")]
    )
    made = {key[3]: texts for key, texts in names.items()}
    assert made == {False: ("Danish", "Dutch"), True: ("Catholic", "Sikh")}


def test_a_not_may_go() -> None:
    assert _replaced("He [ran/VERB] but [was not elected/VERB].", "negation") == ["He ran but was elected."]
    assert _replaced("He [ran/VERB] but [did not win/VERB].", "negation") == []


def test_what_is_chosen_hangs_on_the_seed_and_the_text_alone() -> None:
    sentence = marked("He has [a guitar/NOUN] or [a dog/NOUN].")
    once, again = ([p.hypothesis for p in pairs(sentence, WordReplacer(seed=5))] for _ in range(2))
    assert once == again


def test_without_the_dictionary_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    wordnet.cache_clear()
    with pytest.raises(UserError, match=r"trivium-nli\[words\]"):
        wordnet()
    wordnet.cache_clear()
