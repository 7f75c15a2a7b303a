"""What kind of words stand where, as far as a dictionary and plain rules can tell: subjects, verbs, whole sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from trivium.language.inflection import getAllLemmas, getInflection

DO = frozenset("do does did don't doesn't didn't".split())
BE = frozenset("is are was were am isn't aren't wasn't weren't".split())
HAVE = frozenset("have has had haven't hasn't hadn't".split())
MODALS = frozenset(
    "can could will would shall should may might must can't couldn't won't wouldn't shouldn't cannot".split()
)
AUXILIARIES = DO | BE | HAVE | MODALS
PREPOSITIONS = frozenset(
    "in on at by for from with to of into onto about after before during since until till under over between through "
    "against near behind beside across around along among without within toward towards upon off out up down inside "
    "outside as than like via per because due throughout despite above below beyond past".split()
)
SUBORDINATORS = frozenset("because when while if after before since until although though as whenever once so".split())
DETERMINERS = frozenset(
    "a an the this that these those my your his her its our their some any all both each every another no several many "
    "most few one two three four five six seven eight nine ten".split()
)
PRONOUNS = frozenset(
    "i you he she it we they there everyone everybody someone somebody anyone anybody nobody something nothing "
    "everything".split()
)
RELATIVES = frozenset("who whom whose which that where".split())
_OBJECTS = frozenset("me him us them himself herself itself themselves myself yourself ourselves".split())
_LINKS = frozenset("and or but not".split())
_ADVERBS = frozenset(
    "not first last next most best more less again away back home here there today yesterday tomorrow now then once "
    "twice together early late later earlier often always usually never ever still also just alone abroad only too so "
    "very".split()
)
# The dictionary knows these as verbs too; after "the old" or "a young" they hardly ever are.
_SELDOM_VERBS = frozenset(
    "man people house water team boat book school player state master mother father doctor host park train bus army "
    "second group party field hand face bank train plant fish garden king head storm fire board company captain crew "
    "weather baby air staff ship police power market question parent land chair table light author service system "
    "children season price age bird dog cat horse can coach engineer scientist family place part care".split()
)
_CUTS = frozenset("when while because if although though whenever".split())  # another clause begins
_FUNCTION = PREPOSITIONS | DETERMINERS | PRONOUNS | _OBJECTS | _LINKS | RELATIVES | SUBORDINATORS | _ADVERBS
_READ = 200  # so many words are looked at to tell whether there is a sentence
_SHORT_BE = re.compile(r"\b\w+(?:'s|’s|'re|’re|'m|’m|'ll|’ll|n't|n’t|'d|’d|'ve|’ve)$", re.IGNORECASE)


def bare(word: str) -> str:
    """A word in small letters, without the punctuation around it."""
    return word.lower().replace("’", "'").strip('"“”()[],.;:!?')


def joined(*parts: str) -> str:
    """Parts of a sentence with one space between them; empty ones leave no trace."""
    return " ".join(" ".join(parts).split())


def capitalised(text: str) -> str:
    """The text with its first letter as at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def inside(text: str) -> str:
    """The text as it stands within a sentence: "The captain" becomes "the captain", a name stays what it is."""
    first, _, rest = text.partition(" ")
    plain = first.lower()
    if plain not in _FUNCTION or plain == "i" or (len(first) > 1 and first.isupper()):
        return text
    return f"{plain} {rest}" if rest else plain


@lru_cache(maxsize=20_000)
def classes(word: str) -> frozenset[str]:
    """The classes that the dictionary knows a plain word in: NOUN, VERB, ADJ, ADV."""
    return frozenset(getAllLemmas(word))


@lru_cache(maxsize=20_000)
def is_form(word: str, *tags: str) -> bool:
    """Whether a plain word is a verb in one of these forms: VB, VBD, VBZ, VBN, VBG."""
    lemmas = getAllLemmas(word, upos="VERB").get("VERB", ())
    return any(word in ((lemma,) if tag == "VB" else getInflection(lemma, tag)) for lemma in lemmas for tag in tags)


def inflected(verb: str, helper: str) -> str:
    """The form of a plain verb that does without its helper: "did grab" is "grabbed", "does grab" is "grabs"."""
    tag = {"did": "VBD", "does": "VBZ"}.get(bare(helper))
    forms = getInflection(bare(verb), tag) if tag else ()
    return str(forms[0]) if forms else verb


def begins_noun_phrase(words: Sequence[str]) -> bool:
    """Whether somebody or something is named first, and not what is done."""
    if not words:
        return False
    first = bare(words[0])
    if first in DETERMINERS | PRONOUNS or words[0][0].isupper() or words[0][0].isdigit():
        return True
    known = classes(first)
    return (
        first not in _FUNCTION and "NOUN" in known and not known & {"ADJ", "ADV"} and not is_form(first, "VBN", "VBG")
    )


def verb_place(words: Sequence[str], *tags: str) -> int | None:
    """Where the verb in one of these forms stands, behind a subject of at least one word; None if there is none.

    Many words are nouns as well as verbs, so each place is scored by its neighbours, and the first of the best wins.
    """
    if words and bare(words[0]) in PRONOUNS:
        place = next((i for i, word in enumerate(words) if i and bare(word) not in _ADVERBS | {"not"}), None)
        return place if place is not None and is_form(bare(words[place]), *tags) else None
    scores = {place: _score(words, place, tags) for place in range(1, len(words))}
    best = max(scores.values(), default=0)
    return next((place for place, score in scores.items() if score == best), None) if best > 0 else None


def _score(words: Sequence[str], place: int, tags: tuple[str, ...]) -> int:
    word, before = bare(words[place]), bare(words[place - 1])
    after = bare(words[place + 1]) if place + 1 < len(words) else ""
    if words[place][0].isupper() or not is_form(word, *tags) or not _ends_noun_phrase(words, place):
        return 0
    score = 2
    score += 3 * (not classes(word) & {"NOUN", "ADJ"})
    score += not after or after in _FUNCTION or after.endswith("ly")
    score += words[place - 1][0].isupper() or "NOUN" in classes(before)
    score -= 2 * (word in _SELDOM_VERBS)
    noun_next = not after or after in _FUNCTION | _SELDOM_VERBS or not is_form(after, *tags)
    score -= 2 * (not noun_next and "NOUN" in classes(word))
    # "the team that won the cup": what comes after the relative pronoun says which team.
    score -= 3 * any(bare(earlier) in RELATIVES for earlier in words[1:place])
    return max(score, 1)


def _ends_noun_phrase(words: Sequence[str], place: int) -> bool:
    """Whether the word before ``place`` can be the last one of a subject."""
    before = bare(words[place - 1])
    if before in (PREPOSITIONS | DETERMINERS | _LINKS | RELATIVES) - {"one", "two", "this", "all"}:
        return before in ("this", "these", "those", "some", "all", "both", "many", "few") and place == 1
    if before.endswith(("'s", "s'")):
        return False
    return not (classes(before) and classes(before) <= {"ADJ", "ADV"}) or before in _ADVERBS or before.endswith("ly")


class Clause(NamedTuple):
    """A clause with its subject first: what it was asked with, the verb in its form, its plain form, and the rest."""

    subject: str
    verb: str
    plain: str
    rest: tuple[str, ...]


def clause_of(words: Sequence[str]) -> Clause | None:
    """The statement that a question contains: "did the man grab his arm" is "the man", "grabbed", "his arm".

    The first word is an auxiliary. None where no verb is found; after a form of *be* there need not be one ("is the
    station", "was he tired").
    """
    if len(words) < 2 or bare(words[0]) not in AUXILIARIES:
        return None
    helper, place = (
        bare(words[0]),
        next((i for i, word in enumerate(words) if i > 1 and bare(word) in _CUTS), len(words)),
    )
    after, tail = list(words[1:place]), words[place:]
    if bare(after[0]) == "not":
        return None
    if helper in BE:
        place = predicate_place(after)
        return Clause(joined(*after[:place]), helper, "be", (*after[place:], *tail))
    place_of_verb = verb_place(after, "VBN") if helper in HAVE else verb_place(after, "VB")
    if place_of_verb is None:
        return None
    start = place_of_verb
    while start > 1 and bare(after[start - 1]) in _ADVERBS | {"not"}:
        start -= 1
    middle, verb, rest = after[start:place_of_verb], after[place_of_verb], (*after[place_of_verb + 1 :], *tail)
    denied = helper.endswith("n't") or "not" in map(bare, middle)
    if helper in DO and not denied:
        return Clause(joined(*after[:start]), joined(*middle, inflected(verb, helper)), bare(verb), rest)
    return Clause(joined(*after[:start]), joined(helper, *middle, verb), bare(verb), rest)


def predicate_place(words: Sequence[str]) -> int:
    """How many words behind a form of *be* are its subject; all of them if nothing is said of it."""
    if bare(words[0]) in PRONOUNS:
        return 1
    if [bare(word) for word in words[:3:2]] == ["the", "time"]:  # "was the last time it rained"
        return len(words)
    place = verb_place(words, "VBN", "VBG")
    if place is not None:
        while place > 1 and bare(words[place - 1]).endswith("ly"):
            place -= 1
        return place
    for place in range(1, len(words)):
        word = bare(words[place])
        known = classes(word)
        adjective = "ADJ" in known and "NOUN" not in known and word not in PREPOSITIONS | DETERMINERS | _LINKS
        if (adjective or (word in PREPOSITIONS - {"of"})) and _ends_noun_phrase(words, place):
            return place
    return len(words)


def is_sentence(text: str) -> bool:
    """Whether a text says something by itself: it begins with a subject, and a verb of it has a tense.

    "The man was late" does; "to be late", "a man dressed in red" and "because he was late" do not. A verb form that may
    be a noun or a participle as well ("walks", "dressed") counts where a pronoun stands before it, or where the text
    ends like a sentence.
    """
    if text.rstrip().endswith("?"):
        return False
    ended = text.rstrip().endswith((".", "!"))
    words = text.split()[:_READ]
    while words and bare(words[0]) in PREPOSITIONS | SUBORDINATORS:
        comma = next((place for place, word in enumerate(words) if word.endswith(",")), None)
        if comma is None or bare(words[0]) in ("because", "to"):
            return False
        words = words[comma + 1 :]
    return any(_is_tensed(words, place, ended) for place in range(1, len(words)))


def _is_tensed(words: Sequence[str], place: int, ended: bool) -> bool:
    word, before = bare(words[place]), bare(words[place - 1])
    if words[place].startswith("May"):  # the month: "on 3 May 2010"
        return False
    if before in RELATIVES - {"that"} | {"to"} or (before == "that" and place > 1):
        return False
    if place == 1 and before.endswith("ing") and "VERB" in classes(before) and word not in AUXILIARIES:
        return False
    if word in AUXILIARIES and word not in ("can", "will", "might", "must") and not is_form(before, "VB"):
        return True
    if before in PRONOUNS and (word in AUXILIARIES or is_form(word, "VB", "VBD", "VBZ")):
        return True
    if place == 1 and _SHORT_BE.search(words[0]) and before.partition("'")[0] in PRONOUNS | {"that"}:
        return True
    if before in DETERMINERS or not _ends_noun_phrase(words, place) or words[place][0].isupper():
        return word in ("can", "will", "might", "must") and before not in DETERMINERS
    if is_form(word, "VBD") and not is_form(word, "VBN") and "NOUN" not in classes(word):
        return True
    tensed = word in AUXILIARIES or is_form(word, "VBD", "VBZ") or (is_plural(before) and is_form(word, "VB"))
    return (ended or words[0][0].isupper()) and tensed


def is_plural(word: str) -> bool:
    """Whether the dictionary knows a plain word as the plural of a noun."""
    nouns = getAllLemmas(word, upos="NOUN").get("NOUN", ())
    return word in ("people", "police") or (bool(nouns) and word not in nouns)
