"""Pairs whose label is not trusted: each is left out, and counted under the name of its doubt."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from tests.build.conjuncts.marking import marked

from trivium.build.conjuncts.building import candidates
from trivium.build.conjuncts.judging import judged_pairs
from trivium.build.conjuncts.pairs import Change
from trivium.build.conjuncts.sentence import Sentence, Span

E, N, C = "entailment", "neutral", "contradiction"

CROSSED = "respectively matches other conjuncts"
DENIED_AND = "and stands under a denial, only or if"
DENIED_OR = "whether or is denied is not clear"
SINGLE = "or may be about one event or duty"
ONE = "the conjuncts may be one thing"
TOGETHER = "what is said may hold of both together alone"
DENIED_BY_VERB = "or stands under a word that denies"
CHOICE = "or may leave the choice"
CONDITION = "or stands in a condition"
APART = "whether things are taken together is not clear"
PAST = "whether or is about what happened is not clear"
COMMAND = "a command is not true or false"

DOUBTFUL = [
    ("[Oslo] and [Bern] are the capitals of [Norway] and [Peru], respectively.", CROSSED),
    ("She did not say/VERB that he travels/VERB by [car] or [train].", DENIED_OR),
    ("He does not know/VERB if they sell/VERB [tea] or [milk].", DENIED_OR),
    ("He did not eat/VERB [the meat] and [the fish].", DENIED_AND),
    ("Only [the cook] and [the waiter] came/VERB.", DENIED_AND),
    ("He eats/VERB only rice/NOUN, [the meat] and [the fish].", DENIED_AND),
    ("He refused/VERB [the meat] and [the fish].", DENIED_AND),
    ("Nobody/PRON but [the cook] and [the waiter] came/VERB.", DENIED_AND),
    ("Every boy but [the first] and [the last] came/VERB.", DENIED_AND),
    ("The number of [boys] and [girls] grew/VERB.", TOGETHER),
    ("If you mix/VERB [the milk] and [the tea] it cools/VERB.", DENIED_AND),
    ("You must pay/VERB [the fine] or [the rent].", SINGLE),
    ("[A cat] or [a dog] is in the garden.", SINGLE),
    ("He is eating/VERB [the meat] or [the fish].", SINGLE),
    ("[The hope] and [aim] is a drink.", ONE),
    ("[The cook] and [the waiter] met/VERB in May.", TOGETHER),
    ("[The cook] and [the waiter] are similar/ADJ.", TOGETHER),
    ("He has a [red/ADJ] and [white/ADJ] flag.", TOGETHER),
    ("[Hot/ADJ] or [cold/ADJ] milk is either sour/ADJ or fresh/ADJ.", "either may belong to another or"),
    ("Few/ADJ [cooks] or [waiters] knew/VERB the story.", DENIED_BY_VERB),
    ("Few/ADJ [cooks] and [waiters] knew/VERB the story.", DENIED_AND),
    ("He wants/VERB to sell/VERB [tea] or [milk].", SINGLE),
    ("[The cook] and [the waiter] kissed/VERB.", TOGETHER),
    ("[The cook], [the maid] and [the waiter] formed/VERB a band.", TOGETHER),
    ("Bring/VERB [the milk] and [the tea].", COMMAND),
    ("You may not [sing/VERB] or [dance/VERB in the hall].", DENIED_OR),
    ("It failed/VERB to sell/VERB in [Rome] or [Oslo].", DENIED_BY_VERB),
    ("It failed/VERB to sell/VERB in either [Rome] or [Oslo].", DENIED_BY_VERB),
    ("He asked/VERB whether to buy/VERB [tea] or [milk].", "whether asks for one of the two"),
    ("It could use/VERB either [tea] or [milk].", CHOICE),
    ("He allowed/VERB them [the meat] or [the fish].", CHOICE),
    ("It rang/VERB when he stepped/VERB on [the mat] or [the stairs].", CONDITION),
    ("[Foxdale/PROPN] or [Owlham/PROPN] was a farm.", PAST),
    ("The old/ADJ [mine/NOUN] or [Foxdale/PROPN] was a farm.", PAST),
    ("It sold/VERB 300/NUM copies/NOUN in [Greece] and [Peru].", TOGETHER),
    ("It was built/VERB in two/NUM stages/NOUN in [1913] and [1921].", TOGETHER),
    ("Half of the [boys/NOUN] and [girls/NOUN] came/VERB.", TOGETHER),
    ("The hall seats/VERB 300/NUM [men/NOUN] and [women/NOUN].", TOGETHER),
    ("It is false/ADJ that [Ann] and [Tom] came/VERB.", DENIED_AND),
    ("Her father/NOUN is [a doctor/NOUN] or [a lawyer/NOUN].", SINGLE),
    ("The key/NOUN is in [the box/NOUN] or [the drawer/NOUN].", SINGLE),
    ("It is a fuel for [engines/NOUN] and [lamps/NOUN], cheap/ADJ or in combination/NOUN.", APART),
    ("[Ann] and [Tom] are the only/ADJ guests/NOUN.", TOGETHER),
    ("It is his [first/ADJ] and [only/ADJ] song.", DENIED_AND),
    ("[Foxdale/PROPN] or [Owlham/PROPN] (from 1850 to 1900), was a farm.", PAST),
    ("They are known/ADJ to eat/VERB [fish] or [frogs].", "whether or renames something is not clear"),
    ("It was made/VERB in collaboration/NOUN by [Ann] and [Tom].", TOGETHER),
    ("It comes/VERB [with/ADP] or [without/ADP] milk.", SINGLE),
    ("He was in the guild/NOUN ([Hansa/PROPN] or [Hanse/PROPN]).", PAST),
    ("They eat/VERB [all/PRON] or [some/PRON] of it.", SINGLE),
    ("[Ice Cold] or [Red Hot] is a film.", "whether the conjuncts are one name is not clear"),
    ("He was in [the guild/NOUN] or ['Hanse/PROPN'] in June.", PAST),
    ("It was hot/ADJ, and [the numbers] or [extents] are a secret.", PAST),
    ("The tour covers/VERB [Greece] and [Peru], a total/NOUN of 50 shows/NOUN.", APART),
    ("It was hot/ADJ, and [the number] or [extent] remains/VERB a secret.", PAST),
    ("It was said/VERB that [Foxdale] or [Owlham] is a city.", PAST),
    ("They had/VERB 85 [tropical/ADJ] or [subtropical/ADJ] storms/NOUN.", PAST),
    ("Children aged/VERB [12] or [older/ADJ] pay/VERB.", "what is bounded would go"),
]
TRUSTED = [
    ("[Oslo] and [Bern] are the capitals of [Norway] and [Peru], respectively.", "Oslo is the capital of Norway.", E),
    ("It often/ADV grows/VERB most often/ADV in [rivers] or [lakes].", "It often grows most often in rivers.", E),
    (
        "[Ann] and [Tom] were the champions, but Ann left/VERB, and only Tom played/VERB.",
        "Tom was the champion, but Ann left, and only Tom played.",
        E,
    ),
    ("He does not eat/VERB [the meat] or [the fish].", "He does not eat the meat.", E),
    (
        "In total, [the rain/NOUN] and [the storm/NOUN] killed/VERB 30 people.",
        "In total, the rain killed 30 people.",
        C,
    ),
    ("It is a mixture/NOUN of [milk/NOUN] and [tea/NOUN].", "It is a mixture of milk.", C),
    ("He [did not come/VERB] and [stayed/VERB at home].", "He did not come.", E),
    ("He slept/VERB, but [the cook] and [the waiter] came/VERB.", "He slept, but the cook came.", E),
    ("He [sold/VERB the car] and [bought/VERB a boat].", "He sold the car.", E),
    ("Every [boy] and [girl] sings/VERB.", "Every girl sings.", E),
    ("There is [a cat] and [a dog] in the garden.", "There is a cat in the garden.", E),
    ("[Both/DET the cook] and [the waiter] came/VERB.", "The cook came.", E),
    ("He speaks/VERB to both [the cook] and [the waiter].", "He speaks to the cook.", E),
    ("The bird lives/VERB near [rivers] or [lakes].", "The bird lives near rivers.", E),
    ("Neither [the cook] nor [the waiter] came/VERB.", "The cook did not come.", E),
    ("Neither [the cook] nor [the waiter] came/VERB.", "The cook came.", C),
    ("He can neither [swim/VERB] nor [ride/VERB].", "He cannot swim.", E),
    ("I have neither [the time] nor [the money].", "I do not have the time.", E),
    ("He went/VERB to [the lake] or [the river].", "He went to the lake.", N),
    ("Most of them are [red/ADJ] or [green/ADJ].", "Most of them are red.", N),
]


def _built(text: str, **names: str) -> tuple[dict[str, str], Counter[str]]:
    dropped: Counter[str] = Counter()
    found = candidates([marked(text, **names)], 0, Counter(), dropped)
    return {one.pair.hypothesis: one.labelled.label for one in found if one.pair.operation == "remove"}, dropped


@pytest.mark.parametrize(("text", "reason"), DOUBTFUL)
def test_a_removal_with_a_doubtful_label_is_left_out(text: str, reason: str) -> None:
    assert _built(text)[1][reason] > 0


@pytest.mark.parametrize(("text", "hypothesis", "label"), TRUSTED)
def test_a_removal_with_a_certain_label_is_built(text: str, hypothesis: str, label: str) -> None:
    found, dropped = _built(text)
    assert found.get(hypothesis) == label, dropped


@pytest.mark.parametrize(
    ("text", "names", "label", "rule"),
    [
        ("He won/VERB medals in [track/NOUN] and [field/NOUN].", {}, N, "one thing"),
        ("[Gin/NOUN] and [tonic/NOUN] is a drink.", {}, N, "one thing"),
        ("He lives/VERB in [Jam/PROPN] and [Mir/PROPN].", {"PLACE": "Jam and Mir"}, N, "one thing"),
        ("It lasted/VERB [9/NUM minutes/NOUN] and [9/NUM seconds/NOUN].", {}, C, "sum of units"),
        ("It lasted/VERB [two hours] and [ten minutes].", {}, C, "sum of units"),
    ],
)
def test_non_boolean_and_is_kept_with_its_label(text: str, names: dict[str, str], label: str, rule: str) -> None:
    changed = [judged for judged in judged_pairs(marked(text, **names)) if judged.pair.operation != "replace"]
    assert changed
    assert {(judged.labelled.label, judged.labelled.rule) for judged in changed if judged.labelled} == {(label, rule)}
    assert not any(judged.labelled.boolean for judged in changed if judged.labelled)


def test_a_persons_name_of_both_conjuncts_is_doubted() -> None:
    sentence = "They read/VERB [Romulus/PROPN] and [Remus/PROPN] twice."
    assert _built(sentence)[1][ONE] == 0
    assert _built(sentence, OTHER="Romulus and Remus")[1][ONE] > 0


def _doubt(text: str, old: str, new: str, why: str) -> str | None:
    """The doubt of the first pair in which a word was replaced."""

    def replaced(sentence: Sentence, conjunct: Span) -> list[Change]:
        places = [place for place in range(*conjunct) if sentence.words[place].text == old]
        return [Change(Span(place, place + 1), old, new, why) for place in places]

    made = judged_pairs(marked(text), lambda sentence: partial(replaced, sentence))
    return next(judged.doubt for judged in made if judged.pair.operation == "replace") or None


LOOSE = "the opposite may not be one here"
ROUGH = "the number is said to be rough"
BOTH = "both names may be right"


@pytest.mark.parametrize(
    ("text", "old", "new", "why", "reason"),
    [
        ("He has [two hens] and [six cows].", "six", "seven", "number", None),
        ("He has at least/ADV [five hens] and [six cows].", "six", "seven", "number", ROUGH),
        ("It holds/VERB a maximum of [five hens] and [six cows].", "five", "six", "number", ROUGH),
        ("It takes/VERB between [five] and [six] days.", "six", "seven", "number", ROUGH),
        ("It runs/VERB from [five hens] and [six cows].", "six", "seven", "number", ROUGH),
        ("He [ran/VERB], but [did not swim/VERB in 2014].", "2014", "2015", "number", "a number under a denial"),
        ("He has [five hens] and [cows].", "five", "some", "number", "a number is not read as one"),
        ("[Dogs] and [cats] sleep/VERB.", "Dogs", "Foxes", "co-hyponym", None),
        ("He likes/VERB [Ale] and [tea].", "Ale", "Rum", "co-hyponym", "a word is read as a name"),
        ("It was written/VERB by [Ada] and [Tom].", "Ada", "Eve", "name", None),
        ("It was seen/VERB by [Ada] and [Tom].", "Ada", "Eve", "name", BOTH),
        ("It is [a town], or [Ale].", "Ale", "Bun", "name", "or may give another name of the same"),
        ("It is [a town] or ['Ale'].", "Ale", "Bun", "name", "or may give another name of the same"),
        ("[Foxdale] or [Owlham] is a town.", "Foxdale", "Ashby", "name", "or may give another name of the same"),
        ("It [was due/ADJ to start] and [was late/ADJ].", "due", "undue", "antonym", LOOSE),
        (
            "It is known/VERB as [Foxdale] or [Owlham].",
            "Owlham",
            "Ashby",
            "name",
            "or may give another name of the same",
        ),
        ("He met/VERB [Ada], [Eve], or [Tom].", "Tom", "Ron", "name", None),
        ("It was his only/ADJ top [10] and [20] song.", "10", "11", "number", ROUGH),
        ("He met/VERB [Ada] and [Tom].", "Ada", "Eve", "name", BOTH),
        ("He met/VERB [Ada] or [Tom].", "Ada", "Eve", "name", None),
        ("He met/VERB [Ada in Oslo] or [Tom].", "Ada", "Eve", "name", "the name is none of those beside or"),
        ("It opens/VERB in [May] and [July].", "May", "June", "calendar", BOTH),
        ("He was [born/VERB in May] and [died/VERB in July].", "May", "June", "calendar", None),
        ("It is [old/ADJ] or [wet/ADJ].", "old", "new", "antonym", "an opposite beside or"),
        ("It is [old/ADJ] and [wet/ADJ].", "old", "new", "antonym", None),
        ("[Ada sings/VERB] and [her brother plays/VERB].", "brother", "sister", "antonym", LOOSE),
        ("Her [cousin/NOUN] and [brother/NOUN] sing/VERB.", "brother", "sister", "antonym", LOOSE),
        ("It is [red/ADJ] and [round/ADJ].", "red", "green", "co-hyponym", "a thing may have both colours"),
        ("They include/VERB [new/ADJ cars] and [boats].", "new", "old", "antonym", LOOSE),
        ("It is rarely/ADV [open/ADJ] and [full/ADJ].", "open", "closed", "antonym", LOOSE),
    ],
)
def test_a_replacement_with_a_doubtful_label_is_left_out(
    text: str, old: str, new: str, why: str, reason: str | None
) -> None:
    assert _doubt(text, old, new, why) == reason
