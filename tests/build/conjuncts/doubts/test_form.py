"""Removals that may be no English are left out, each under the name of its doubt; sound ones are not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.build.conjuncts.marking import marked

from trivium.build.conjuncts.doubts import doubt_of_coordination, doubt_of_cut
from trivium.build.conjuncts.pairs import Pair, pairs
from trivium.build.conjuncts.parsers import make_parser
from trivium.build.conjuncts.sentence import Sentence, Span
from trivium.build.conjuncts.texts import read_texts

SPACY = make_parser("spacy").is_available()
BACK_ENDS = ["light", pytest.param("spacy", marks=pytest.mark.skipif(not SPACY, reason="spaCy is not installed"))]


def doubt_of_form(pair: Pair) -> str | None:
    return doubt_of_coordination(pair) or doubt_of_cut(pair)


def trusted(sentence: Sentence) -> list[str]:
    """What is built of a sentence without a conjunct, and not doubted."""
    made = (pair for pair in pairs(sentence) if pair.operation == "remove")
    return [pair.hypothesis for pair in made if doubt_of_form(pair) is None]


def doubts(text: str, side: str) -> set[str | None]:
    made = (pair for pair in pairs(marked(text)) if pair.operation == "remove" and pair.side == side)
    return {doubt_of_form(pair) for pair in made}


LEFT, RIGHT = ("left",), ("right",)
BOTH = LEFT + RIGHT
MISFIT = "what is before and behind the cut does not fit"
BESIDE = "an adjective stands beside a noun or a number"
CUT = "a list or an apposition would be cut"
BOUND = "a time may be that of one conjunct alone"
ALONE = "a clause would stand alone"
UNCLEAR = "what the conjuncts share is not clear"
GAPPED = "a phrase would be left behind"
FAR = "a phrase would reach too far"
SEVERAL = "an apposition names all of several things"


@pytest.mark.parametrize(
    ("text", "sides", "reason"),
    [
        ("It took/VERB [two/NUM] and [a half/NOUN] hours.", BOTH, "the conjuncts are one number"),
        ("He has/VERB [six/NUM] and [one quarter/NOUN] acres.", BOTH, "the conjuncts are one number"),
        ("He has/VERB [six/NUM] and [three/NUM quarters/NOUN] acres.", BOTH, "the conjuncts are one number"),
        ("He has/VERB [6/NUM] and [1/NUM / 2/NUM] acres.", BOTH, "the conjuncts are one number"),
        ("He has/VERB [six/NUM] and [one-half/NUM] acres.", BOTH, "the conjuncts are one number"),
        ("It took/VERB [an hour/NOUN] and [a half/NOUN].", BOTH, "the conjuncts are one number"),
        ("She gave/VERB Bob/PROPN [a pen/NOUN] and [Eve/PROPN] a book.", LEFT, MISFIT),
        ("It is a [plain/ADJ] but [useful/ADJ tool/NOUN].", RIGHT, "a noun would lose its head"),
        ("The dog, [the cat/NOUN] and [the bird/NOUN] are here.", BOTH, CUT),
        ("The aunt of Eve, [my mother/NOUN] and [Tom] left/VERB.", BOTH, CUT),
        ("The two brothers/NOUN, [Karl] and [Otto], left/VERB.", BOTH, SEVERAL),
        ("He had/VERB two brothers/NOUN, [Karl] and [Otto].", BOTH, SEVERAL),
        ("He had/VERB sons/NOUN ([Karl] and [Otto]).", BOTH, SEVERAL),
        ("[The boys/NOUN], [Karl] and [Otto], left/VERB.", BOTH, SEVERAL),
        ("The [first/ADJ] and [second/ADJ] doors/NOUN are red.", BOTH, "a noun is plural for two"),
        ("It was built in [the 19th/ADJ] and [20th/ADJ centuries].", BOTH, "a noun is plural for two"),
        ("He won/VERB 12 cups/NOUN in [1990] and [14 cups/NOUN] in 1991.", BOTH, "a phrase would be left behind"),
        ("He beat [Ann in March] and [Tom] in May.", RIGHT, "a phrase would be left behind"),
        ("[My friend] and [colleague/NOUN Sarah] left/VERB.", LEFT, "a noun would lose its article"),
        ("You pay/VERB the [fine/ADJ] or [go/NOUN] to prison.", BOTH, BESIDE),
        ("It rose/VERB by [5] or [fell/ADJ] by 3.", BOTH, BESIDE),
        ("Most/ADV [cats/NOUN] and [some dogs/NOUN] ran/VERB.", LEFT, MISFIT),
        ("It has more/ADV [than/ADP 20] or [less/ADV than/ADP 25].", LEFT, MISFIT),
        ("All the/DET [dogs/NOUN] and [most/ADJ cats/NOUN] ran/VERB.", LEFT, MISFIT),
        ("Some/DET [men/NOUN] and [most/ADJ women/NOUN] ran/VERB.", LEFT, MISFIT),
        ("He left/VERB [early/ADJ], but [the guests/NOUN] and the cook stayed/VERB.", BOTH, BESIDE),
        ("The [fourth/ADJ] and [fifth/ADJ] floors/VERB are red.", BOTH, "a noun is plural for two"),
        ("[The cook], [a big/ADJ man] and [a poet], left/VERB.", BOTH, CUT),
        ("The Old/PROPN [Block/PROPN] or [Old/PROPN Rock/PROPN] is here.", LEFT, MISFIT),
        ("In 1970/NUM, he [met/VERB Ann], but [later/ADV left/VERB].", LEFT, BOUND),
        ("It turned/VERB into the moth/NOUN, [the fly/NOUN] and [the bee/NOUN].", LEFT, CUT),
        ("He plays/VERB driver/NOUN, [keeper/NOUN] or [shooter/NOUN].", BOTH, CUT),
        ("It is told/VERB in verses/NOUN [20/NUM] and [21/NUM].", BOTH, "a noun is plural for two"),
        ("Each of them [has/VERB a car/NOUN], but [are/VERB poor/ADJ].", BOTH, "the verbs do not agree"),
        ("Until May he [ran/VERB], but [now/ADV swims/VERB].", LEFT, BOUND),
        ("[He left/VERB because the phone/NOUN] and [the radio were old].", BOTH, "a clause would have no verb"),
        ("It has [two old/ADJ] and [one new/ADJ schools/NOUN].", LEFT, "a noun is plural for two"),
        ("He came/VERB to [the accident/NOUN] and [emergency/NOUN ward/NOUN].", RIGHT, "a noun would lose its head"),
        ("Books sold/VERB [in Rome are old if they are on paper] or [in a shop].", BOTH, FAR),
        ("[They left/VERB a town where it rained/VERB] and [where/SCONJ they froze/VERB].", LEFT, ALONE),
        ("It is free/ADJ for [low-income/ADJ] and [old/ADJ people/NOUN].", RIGHT, "a noun would lose its head"),
        ("It grew/VERB to [1.5 times/NOUN] or [more/ADJ than its size].", RIGHT, "a phrase would be left behind"),
        ("He was on the boards/NOUN of [the ABC/PROPN] and [XYZ/PROPN].", BOTH, "a noun is plural for two"),
        ("It [is cut/VERB in May] and [dried/VERB in June].", LEFT, "a participle would lose its verb"),
        ("It first/ADV [aired/VERB in May] and [ended/VERB in June].", LEFT, BOUND),
        ("He wants/VERB [a jar/NOUN of tea/NOUN] or [milk/NOUN].", LEFT, UNCLEAR),
        ("[A man/NOUN went/VERB to a town] and [where/ADV he slept/VERB].", LEFT, ALONE),
        ("He sees/VERB oaks/NOUN on the [left/NOUN] and [elms/NOUN] on the right.", BOTH, GAPPED),
        ("They [include/VERB], but [are not limited/VERB to], hens.", BOTH, "but not limited to"),
    ],
)  # fmt: skip
def test_what_is_no_english_is_doubted(text: str, sides: tuple[str, ...], reason: str) -> None:
    assert all(doubts(text, side) == {reason} for side in sides)


@pytest.mark.parametrize(
    "text",
    [
        "In total, [the cat/NOUN] and [the dog/NOUN] are here.",
        "Last year/NOUN, [the cat/NOUN] and [the dog/NOUN] were here.",
        "After/ADP the games/NOUN, [the cat/NOUN] and [the dog/NOUN], which/PRON were old, left/VERB.",
        "[The cats], [the dogs] and [the birds], which/PRON were old, left/VERB.",
        "He met/VERB [boys/NOUN], [girls/NOUN] and [dogs/NOUN].",
        "The [first/ADJ] and [second/ADJ] door/NOUN are red.",
        "She lived/VERB in [Rome] and [Bonn] in May.",
        "He saw/VERB the [poor/ADJ] and [rich/ADJ] in town.",
        "She is [tall/ADJ] and [a good/ADJ player/NOUN].",
        "He was a [French/ADJ] and [music/NOUN] teacher/NOUN.",
        "He liked/VERB either [the cats/NOUN] or [the dogs/NOUN].",
        "All/DET [the cats/NOUN] and [the dogs/NOUN] ran/VERB.",
        "[He left/VERB because the phone/NOUN rang/VERB] and [she left/VERB because it was old].",
        "[The mayor/NOUN] and [Ada] left/VERB.",
        "It has [two old/ADJ schools/NOUN] and [one new/ADJ school/NOUN].",
        "He met/VERB [the king/NOUN] and [the music/NOUN teacher/NOUN].",
        "[He left/VERB when it rained/VERB] and [when/SCONJ it froze/VERB he stayed/VERB].",
        "He was on the board/NOUN of [the ABC/PROPN] and [the XYZ/PROPN].",
        "He [was born/VERB in Rome] and [died/VERB in Bonn].",
        "[In Rome it is warm/ADJ], but [in Bonn it is cold/ADJ].",
        "He met/VERB [the king/NOUN] and [a few/ADJ friends/NOUN].",
        "Tom [is old/ADJ] and [wanted/VERB a dog/NOUN].",
        "He slept/VERB [in a house that was old] or [in a tent].",
    ],
)
def test_what_is_sound_is_not_doubted(text: str) -> None:
    assert doubts(text, "left") == doubts(text, "right") == {None}


def test_what_stands_right_before_a_conjunct_is_none_of_its_list() -> None:
    read = marked("They play/VERB jazz/NOUN [old/ADJ songs/NOUN] or [new/ADJ songs/NOUN].")
    (found,) = read.coordinations
    wrong = replace(read, coordinations=(replace(found, others=(Span(2, 3),)),))
    made = [doubt_of_form(pair) for pair in pairs(wrong) if pair.operation == "remove"]
    assert set(made) == {"a list of two kinds"}


@pytest.mark.usefixtures("real_data")
def test_what_is_doubted_of_a_coordination_does_not_hang_on_the_side_that_is_cut() -> None:
    asked = 0
    for sentence in make_parser("light").read(read_texts("conjnli")):
        found: dict[int, set[str | None]] = {}
        for pair in pairs(sentence):
            found.setdefault(pair.coordination.conjunction, set()).add(doubt_of_coordination(pair))
        assert all(len(doubts) == 1 for doubts in found.values()), sentence.text
        asked += len(found)
    assert asked > 500


def test_a_bound_may_go_though_it_is_no_number() -> None:
    assert doubts("They came/VERB in groups/NOUN of [three] or [more/ADJ].", "right") == {None}


@pytest.mark.parametrize("back_end", BACK_ENDS)
@pytest.mark.parametrize(
    "text",
    [
        "The first and second chapters are short.",
        "He scored 12 goals in 1990 and 14 goals in 1991.",
        "The two brothers, Karl and Otto, married in spring.",
        "He has two brothers, Karl and Otto.",
    ],
)
def test_nothing_is_built_of_what_cannot_be_cut(back_end: str, text: str) -> None:
    (sentence,) = make_parser(back_end).read([text])
    assert sentence.coordinations
    assert trusted(sentence) == []


@pytest.mark.parametrize("back_end", BACK_ENDS)
@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("My friend and colleague Sarah moved.", "My friend moved. My colleague Sarah moved."),
        ("You must pay the fine or go to prison.", "You must go to prison. You must pay the fine."),
        ("Most cats and some dogs fear water.", "Some dogs fear water. Most cats fear water."),
        ("The price rose by 5 or fell by 3 percent.", "The price fell by 3 percent. The price rose by 5."),
        ("It weighs more than 20 or less than 25 kg.", "It weighs more than 20."),
        ("A and B are C and D respectively.", "B is D. B is C. A is D. A is C."),
    ],
)  # fmt: skip
def test_only_good_sentences_are_built(back_end: str, text: str, good: str) -> None:
    (sentence,) = make_parser(back_end).read([text])
    assert sentence.coordinations
    assert set(trusted(sentence)) <= {f"{one}." for one in good.removesuffix(".").split(". ")}
