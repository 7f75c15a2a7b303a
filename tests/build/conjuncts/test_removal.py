"""What a sentence reads like without one of its conjuncts."""

from __future__ import annotations

import pytest
from tests.build.conjuncts.marking import marked

from trivium.build.conjuncts.pairs import pairs


def _without(text: str, side: str, denial: str = "") -> list[str]:
    found = (pair for pair in pairs(marked(text)) if pair.operation == "remove")
    return [pair.hypothesis for pair in found if pair.side == side and pair.denial == denial]


AGREEMENT = [
    ("[The cat] and [the dog] are here.", "The dog is here.", "The cat is here."),
    ("[The cat] and [the dogs] were here.", "The dogs were here.", "The cat was here."),
    ("[The cats] and [the dog] have gone/VERB.", "The dog has gone.", "The cats have gone."),
    ("[A farmer] and [his son] sing/VERB.", "His son sings.", "A farmer sings."),
    ("[Ada] and [Tom] teach/VERB at a school.", "Tom teaches at a school.", "Ada teaches at a school."),
    ("[Ada] and [Tom] played/VERB.", "Tom played.", "Ada played."),
    ("[Ada] and [Tom] don't swim/VERB.", "Tom doesn't swim.", "Ada doesn't swim."),
    ("[Ada] and [I] are tired.", "I am tired.", "Ada is tired."),
    ("[You] and [the boy] were late.", "The boy was late.", "You were late."),
    ("Today, [the cat] and [the dog] are here.", "Today, the dog is here.", "Today, the cat is here."),
    (
        "He says/VERB that [the cat] and [the dog] are here.",
        "He says that the dog is here.",
        "He says that the cat is here.",
    ),
    ("There are [a cat] and [a dog] in the house.", "There is a dog in the house.", "There is a cat in the house."),
    ("[The cat] or [the dogs] are here.", "The dogs are here.", "The cat is here."),
    ("[The dogs] or [the cat] is here.", "The cat is here.", "The dogs are here."),
    ("[The Pact/PROPN] or [the Noble Terms/PROPN] is old.", "The Noble Terms is old.", "The Pact is old."),
    (
        "He saw/VERB [the cat] and [the dog] when they were here.",
        "He saw the dog when they were here.",
        "He saw the cat when they were here.",
    ),
    (
        "[The cat] and [the dog] near the houses are black.",
        "The dog near the houses is black.",
        "The cat near the houses is black.",
    ),
    (
        "[The cat] and [the dog] [are old] and [have tails].",
        "The dog is old and has tails.",
        "The cat is old and has tails.",
    ),
    (
        "[Ada] and [Tom] were the defending/VERB champions.",
        "Tom was the defending champion.",
        "Ada was the defending champion.",
    ),
    ("[Ada] and [Tom] are members of the club.", "Tom is a member of the club.", "Ada is a member of the club."),
    ("[Ada] and [Tom] are artists.", "Tom is an artist.", "Ada is an artist."),
    ("[Ada] and [Tom] were both chosen/VERB.", "Tom was chosen.", "Ada was chosen."),
    ("[Ada] and [Tom] both left/VERB.", "Tom left.", "Ada left."),
    ("The [east/ADJ] and [west/ADJ] wing/NOUN are old.", "The west wing is old.", "The east wing is old."),
    (
        "The [old/ADJ] and [new/ADJ] wing/NOUN both/DET have towers.",
        "The new wing has towers.",
        "The old wing has towers.",
    ),
    ("The [upper/ADJ] and [lower/ADJ] deck/NOUN each/DET run/VERB.", "The lower deck runs.", "The upper deck runs."),
    (
        "The [morning] and [evening] mail/NOUN sell/VERB well.",
        "The evening mail sells well.",
        "The morning mail sells well.",
    ),
    ("The [old/ADJ] and [new/ADJ] wings/NOUN are tall.", "The new wings are tall.", "The old wings are tall."),
    ("The [old/ADJ] and [wise/ADJ] man/NOUN is here.", "The wise man is here.", "The old man is here."),
    (
        "Jobs/NOUN in primary/ADJ, [second/ADJ] and [third/ADJ] care/NOUN are rare.",
        "Jobs in primary, third care are rare.",
        "Jobs in primary, second care are rare.",
    ),
    ("But its [sense] and [sound/NOUN] were lost/VERB.", "But its sound was lost.", "But its sense was lost."),
    (
        "The [old/ADJ] and [new/ADJ] wing/NOUN of/ADP the house/NOUN have towers.",
        "The new wing of the house has towers.",
        "The old wing of the house has towers.",
    ),
    (
        "The [best/ADJ] and [cheapest/ADJ] way/NOUN to/PART travel/VERB is by train.",
        "The cheapest way to travel is by train.",
        "The best way to travel is by train.",
    ),
    (
        "The [first/ADJ] and [last/ADJ] thing/NOUN I/PRON do/VERB is pray/VERB.",
        "The last thing I do is pray.",
        "The first thing I do is pray.",
    ),
    ("The [old/ADJ] and [young/ADJ] people/NOUN are here.", "The young people are here.", "The old people are here."),
    ("The [old/ADJ] and [rare/ADJ] fish/NOUN are big.", "The rare fish are big.", "The old fish are big."),
    (
        "Ann/PROPN and her/PRON [tall/ADJ] and [kind/ADJ] brother/NOUN live/VERB here.",
        "Ann and her kind brother live here.",
        "Ann and her tall brother live here.",
    ),
    (
        "The king/NOUN and his/PRON [wife/NOUN] and [son/NOUN] were killed/VERB.",
        "The king and his son were killed.",
        "The king and his wife were killed.",
    ),
    ("[The teacher] and [her students/NOUN] were late.", "Her students were late.", "The teacher was late."),
    (
        "Mr. Smith/PROPN's [wife/NOUN] and [daughter/NOUN] aren't happy.",
        "Mr. Smith's daughter isn't happy.",
        "Mr. Smith's wife isn't happy.",
    ),
    ("And [the cat] and [the dog] are here.", "And the dog is here.", "And the cat is here."),
    (
        "He has/VERB a car/NOUN and [the cat] and [the dog] are here.",
        "He has a car and the dog is here.",
        "He has a car and the cat is here.",
    ),
    ("The [young/ADJ] but [shy/ADJ] team/NOUN are late.", "The shy team are late.", "The young team are late."),
    (
        "[In/ADP] and [around/ADP] town/NOUN people/NOUN are happy.",
        "Around town people are happy.",
        "In town people are happy.",
    ),
    (
        "He saw/VERB the [old/ADJ] and [new/ADJ] wing/NOUN when they were here.",
        "He saw the new wing when they were here.",
        "He saw the old wing when they were here.",
    ),
    ("There is/VERB [a cat] and [two dogs] here.", "There are two dogs here.", "There is a cat here."),
    ("There is only [a cat] and [two dogs] here.", "There are only two dogs here.", "There is only a cat here."),
    (
        "Not/PART only [the cook] but also [the boys] were saved/VERB.",
        "The boys were saved.",
        "The cook was saved.",
    ),
    ("[The dogs] and [the cats] look/VERB alike/ADV.", "The cats look alike.", "The dogs look alike."),
    ("[Ada] and [Tom] put/VERB together a plan.", "Tom put together a plan.", "Ada put together a plan."),
    ("The [brass] and [string] section/NOUN is good.", "The string section is good.", "The brass section is good."),
]
OPENED = [
    ("Both [the cat] and [the dog] are here.", "The dog is here.", "The cat is here."),
    ("It is both [old] and [new].", "It is new.", "It is old."),
    ("He eats/VERB either [an apple] or [a pear].", "He eats a pear.", "He eats an apple."),
    ("Either [the cat] or [the dog] is here.", "The dog is here.", "The cat is here."),
    ("It is not only [a bird/NOUN] but also [a poem/NOUN].", "It is a poem.", "It is a bird."),
    ("It is not [a bird/NOUN] but [a poem/NOUN].", "It is a poem.", "It is not a bird."),
    ("It is not [a bird/NOUN], but rather/ADV [a poem/NOUN].", "It is a poem.", "It is not a bird."),
    ("He lives/VERB [in Rome] and also [in Bonn].", "He lives in Bonn.", "He lives in Rome."),
    ("It isn't [red/ADJ] but [blue/ADJ].", "It is blue.", "It isn't red."),
]
LISTS = [
    ("He met/VERB [Ada], [Tom] and [Eve].", "He met Ada and Eve.", "He met Ada and Tom."),
    ("He met/VERB [Ada], [Tom], and [Eve].", "He met Ada and Eve.", "He met Ada and Tom."),
    ("He met/VERB [Ada], [Tom], [Bob] or [Eve].", "He met Ada, Tom or Eve.", "He met Ada, Tom or Bob."),
    ("He met/VERB [Ada], [Tom], [Bob], and [Eve].", "He met Ada, Tom, and Eve.", "He met Ada, Tom, and Bob."),
    ("[Ada], [Tom] and [Eve] are here.", "Ada and Eve are here.", "Ada and Tom are here."),
    ("It is a [cold], [wet] and [dark] day.", "It is a cold and dark day.", "It is a cold and wet day."),
]
COMMAS = [
    ("[He ran/VERB], but [she walked/VERB].", "She walked.", "He ran."),
    ("He [won/VERB in May], and [lost/VERB in June].", "He lost in June.", "He won in May."),
    ("[The rocks], or [stones], are heavy.", "The stones are heavy.", "The rocks are heavy."),
    (
        "In 1999, he [sang/VERB] and [danced/VERB], which/PRON was good.",
        "In 1999, he danced, which was good.",
        "In 1999, he sang, which was good.",
    ),
    ("It was [slow] – but [good].", "It was good.", "It was slow."),
    ("[In Rome], and [in Bonn], he was happy.", "In Bonn, he was happy.", "In Rome, he was happy."),
    ("[He came/VERB]; but [she left/VERB].", "She left.", "He came."),
]
MARKS = [
    ('The film "[Day] and [Night]" is old.', 'The film "Night" is old.', 'The film "Day" is old.'),
    ("The town ([big] or [small]) is old.", "The town (small) is old.", "The town (big) is old."),
    ("[The town] (and [village]) is old.", "The village is old.", "The town is old."),
    ('He read/VERB "[Day]" and "[Night]".', 'He read "Night".', 'He read "Day".'),
    ("[The cat's] or [the dog's] bowl is here.", "The dog's bowl is here.", "The cat's bowl is here."),
    ("Is it [red/ADJ] or [blue/ADJ]?", "Is it blue?", "Is it red?"),
    ("It is [red/ADJ] and [blue/ADJ]", "It is blue", "It is red"),
    ("He [works/VERB at Elm Inc.] but [lives/VERB here].", "He lives here.", "He works at Elm Inc."),
    ("It  is [red/ADJ] and [blue/ADJ]  now .", "It  is blue  now .", "It  is red  now ."),
]
SHARED = [
    (
        "They were [knocked/VERB out/ADP] or [sent/VERB to/ADP bed/NOUN].",
        "They were sent to bed.",
        "They were knocked out.",
    ),
    ("It is [a town] and [harbour].", "It is a harbour.", "It is a town."),
    ("It is [a pear] or [apple].", "It is an apple.", "It is a pear."),
    ("It is [an hour] or [minute/NOUN].", "It is a minute.", "It is an hour."),
    ("He is a [doctor] and [artist].", "He is an artist.", "He is a doctor."),
    ("It is [an old/ADJ house/NOUN] or [university/NOUN].", "It is a university.", "It is an old house."),
    ("They live/VERB [in] or [near Rome].", "They live near Rome.", "They live in Rome."),
    ("She [wrote/VERB] or [edited/VERB the book].", "She edited the book.", "She wrote the book."),
    ("It [may] or [may not grow/VERB here].", "It may not grow here.", "It may grow here."),
    ("He was at [Hope] and [Grace College].", "He was at Grace College.", "He was at Hope College."),
    ("It has/VERB [one] or [two] doors.", "It has two doors.", "It has one door."),
    ("He ran/VERB between [1990] and [1995].", "He ran in 1995.", "He ran in 1990."),
    ("It ran/VERB between [May 4] and [May 9].", "It ran on May 9.", "It ran on May 4."),
    ("[No cat] or [dog] is here.", "No dog is here.", "No cat is here."),
]


@pytest.mark.parametrize(
    ("text", "without_left", "without_right"), [*AGREEMENT, *OPENED, *LISTS, *COMMAS, *MARKS, *SHARED]
)
def test_a_sentence_without_a_conjunct_is_grammatical(text: str, without_left: str, without_right: str) -> None:
    assert without_left in _without(text, "left")
    assert without_right in _without(text, "right")


NEITHER = [
    ("It is neither [French/ADJ] nor [English/ADJ].", "It is not English.", "It is not French."),
    ("Neither [Ada] nor [Tom] came/VERB.", "Tom did not come.", "Ada did not come."),
    ("Neither [the cat] nor [the dog] is here.", "The dog is not here.", "The cat is not here."),
    ("Neither [Ada] nor [Tom] had ever won/VERB.", "Tom had not ever won.", "Ada had not ever won."),
    ("Neither [Ada] nor [Tom] can swim/VERB.", "Tom cannot swim.", "Ada cannot swim."),
    ("It contains/VERB neither [milk] nor [sugar].", "It does not contain sugar.", "It does not contain milk."),
    ("They contain/VERB neither [milk] nor [sugar].", "They do not contain sugar.", "They do not contain milk."),
    ("He has seen/VERB neither [Ada] nor [Tom].", "He has not seen Tom.", "He has not seen Ada."),
    ("She neither [confirmed/VERB it] nor [denied/VERB it].", "She did not deny it.", "She did not confirm it."),
    ("He neither [smokes/VERB] nor [drinks/VERB].", "He does not drink.", "He does not smoke."),
    ("It was neither [written/VERB] nor [sung/VERB].", "It was not sung.", "It was not written."),
    ("He can neither [read/VERB] nor [write/VERB].", "He cannot write.", "He cannot read."),
    ("He left/VERB with neither [hat] nor [coat].", "He did not leave with coat.", "He did not leave with hat."),
]


@pytest.mark.parametrize(("text", "without_left", "without_right"), NEITHER)
def test_what_is_left_of_neither_is_denied(text: str, without_left: str, without_right: str) -> None:
    assert _without(text, "left", "kept") == [without_left]
    assert _without(text, "right", "kept") == [without_right]


def test_without_its_denial_neither_leaves_a_plain_sentence() -> None:
    assert _without("It is neither [French/ADJ] nor [English/ADJ].", "right", "lost") == ["It is French."]
    assert _without("Neither [Ada] nor [Tom] had ever won/VERB.", "left", "lost") == ["Tom had won."]
    assert _without("There is neither [any tea] nor [any milk].", "right", "lost") == ["There is tea."]


NOTHING = [
    "The war between [Rome] and [Carthage] was long.",  # nothing is between one city
    "[Ada] and [Tom] love/VERB each other.",
    "[Ada] and [Tom] are two artists.",
    "[The dog] and [the cat] have/VERB a bed each.",
    "[Ada] and [Tom] are husband/NOUN and wife/NOUN.",
    "[Ada] and [Tom] wrote/VERB the song together.",
    "[Ada] and [Tom] live/VERB together in Rome.",
    "[The dog] and [the cat] look/VERB alike/ADV.",
    "[Cooks] and [waiters] alike/ADV came/VERB.",
    "It was good for [cooks] and [waiters] alike/ADV.",
    "[The man] and [the woman] who live/VERB here are old.",
]


@pytest.mark.parametrize("text", NOTHING)
def test_what_needs_both_conjuncts_is_left_alone(text: str) -> None:
    assert list(pairs(marked(text))) == []


def test_respectively_takes_a_conjunct_of_each() -> None:
    text = "[Ada] and [Tom] were [first/ADJ] and [third/ADJ], respectively."
    found = {pair.hypothesis: pair.crossed for pair in pairs(marked(text)) if pair.operation == "remove"}
    assert found == {
        "Tom was third.": False,
        "Ada was first.": False,
        "Tom was first.": True,
        "Ada was third.": True,
    }


def test_a_name_of_one_letter_is_no_article() -> None:
    for tag in ("NOUN", "DET"):
        text = f"[A/{tag}] and [B] are [old/ADJ] and [new/ADJ], respectively."
        found = [pair.hypothesis for pair in pairs(marked(text)) if pair.operation == "remove"]
        assert any(text.startswith("A ") for text in found)
        assert not any(text.startswith("An ") for text in found)


def test_of_whether_or_not_only_the_not_can_go() -> None:
    text = "It is unclear/ADJ [whether] or [not] he came/VERB."
    assert _without(text, "right") == ["It is unclear whether he came."]
    assert _without(text, "left") == []


def test_adjectives_of_the_first_may_belong_to_both() -> None:
    assert _without("They have/VERB [an old/ADJ car] or [bus].", "left") == [
        "They have a bus.",
        "They have an old bus.",
    ]


def test_a_lone_nor_keeps_only_what_stays_denied() -> None:
    assert (
        _without(
            "He did not [come/VERB], nor [did she].",
            "left",
        )
        == []
    )
    assert _without("It is not [red/ADJ] nor [blue/ADJ].", "left") == ["It is not blue."]
