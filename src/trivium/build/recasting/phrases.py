"""Analyse phrases with a dictionary and rules: find subjects and verbs, and recognize sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from trivium.language.inflection import all_lemmas, inflect

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
# Nouns that are also verbs in the dictionary; after "the old" or "a young" they are almost never verbs.
_SELDOM_VERBS = frozenset(
    "man people house water team boat book school player state master mother father doctor host park train bus army "
    "second group party field hand face bank train plant fish garden king head storm fire board company captain crew "
    "weather baby air staff ship police power market question parent land chair table light author service system "
    "children season price age bird dog cat horse can coach engineer scientist family place part care".split()
)
_CLAUSE_STARTS = frozenset("when while because if although though whenever".split())  # begin another clause
_FUNCTION = PREPOSITIONS | DETERMINERS | PRONOUNS | _OBJECTS | _LINKS | RELATIVES | SUBORDINATORS | _ADVERBS
_MAX_WORDS = 200  # only the first words of a text are examined
_CONTRACTION = re.compile(r"\b\w+(?:'s|’s|'re|’re|'m|’m|'ll|’ll|n't|n’t|'d|’d|'ve|’ve)$", re.IGNORECASE)


def bare(word: str) -> str:
    """Return a word in lower case without the punctuation around it."""
    return word.lower().replace("’", "'").strip('"“”()[],.;:!?')


def joined(*parts: str) -> str:
    """Join the non-empty parts of a sentence with single spaces."""
    return " ".join(" ".join(parts).split())


def capitalized(text: str) -> str:
    """Return the text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def mid_sentence(text: str) -> str:
    """Return the text as it is written inside a sentence: "The captain" becomes "the captain", names do not change."""
    first, _, rest = text.partition(" ")
    plain = first.lower()
    if plain not in _FUNCTION or plain == "i" or (len(first) > 1 and first.isupper()):
        return text
    return f"{plain} {rest}" if rest else plain


@lru_cache(maxsize=20_000)
def classes(word: str) -> frozenset[str]:
    """Return the word classes of a bare word in the dictionary: NOUN, VERB, ADJ, ADV."""
    return frozenset(all_lemmas(word))


@lru_cache(maxsize=20_000)
def is_form(word: str, *tags: str) -> bool:
    """Return whether a bare word is a verb in one of these forms: VB, VBD, VBZ, VBN, VBG."""
    lemmas = all_lemmas(word, upos="VERB").get("VERB", ())
    return any(word in ((lemma,) if tag == "VB" else inflect(lemma, tag)) for lemma in lemmas for tag in tags)


def inflected(verb: str, helper: str) -> str:
    """Return the form of a verb that replaces it and its auxiliary: "did grab" is "grabbed", "does grab" is "grabs"."""
    tag = {"did": "VBD", "does": "VBZ"}.get(bare(helper))
    forms = inflect(bare(verb), tag) if tag else ()
    return str(forms[0]) if forms else verb


def begins_noun_phrase(words: Sequence[str]) -> bool:
    """Return whether the words begin with a noun phrase."""
    if not words:
        return False
    first = bare(words[0])
    if first in DETERMINERS | PRONOUNS or words[0][0].isupper() or words[0][0].isdigit():
        return True
    if first in _FUNCTION or is_form(first, "VBN", "VBG"):
        return False
    word_classes = classes(first)
    return "NOUN" in word_classes and not word_classes & {"ADJ", "ADV"}


def verb_index(words: Sequence[str], *tags: str) -> int | None:
    """Return the index of the verb that follows the subject and has one of these forms, or None.

    Many words are both nouns and verbs, so each word is scored by its neighbours, and the first with the best score
    wins.
    """
    if words and bare(words[0]) in PRONOUNS:
        index = next((i for i, word in enumerate(words) if i and bare(word) not in _ADVERBS | {"not"}), None)
        return index if index is not None and is_form(bare(words[index]), *tags) else None
    scores = {index: _verb_score(words, index, tags) for index in range(1, len(words))}
    best = max(scores.values(), default=0)
    return next((index for index, score in scores.items() if score == best), None) if best > 0 else None


def _verb_score(words: Sequence[str], index: int, tags: tuple[str, ...]) -> int:
    """Return how likely the word at ``index`` is the verb; 0 if it cannot be."""
    word, before = bare(words[index]), bare(words[index - 1])
    after = bare(words[index + 1]) if index + 1 < len(words) else ""
    if words[index][0].isupper() or not is_form(word, *tags) or not _ends_noun_phrase(words, index):
        return 0
    score = 2
    score += 3 * (not classes(word) & {"NOUN", "ADJ"})
    score += not after or after in _FUNCTION or after.endswith("ly")
    score += words[index - 1][0].isupper() or "NOUN" in classes(before)
    score -= 2 * (word in _SELDOM_VERBS)
    noun_next = not after or after in _FUNCTION | _SELDOM_VERBS or not is_form(after, *tags)
    score -= 2 * (not noun_next and "NOUN" in classes(word))
    # "the team that won the cup": a verb after a relative pronoun belongs to the relative clause.
    score -= 3 * any(bare(earlier) in RELATIVES for earlier in words[1:index])
    return max(score, 1)


def _ends_noun_phrase(words: Sequence[str], index: int) -> bool:
    """Return whether the word before ``index`` can be the last word of a subject."""
    before = bare(words[index - 1])
    if before in (PREPOSITIONS | DETERMINERS | _LINKS | RELATIVES) - {"one", "two", "this", "all"}:
        return before in ("this", "these", "those", "some", "all", "both", "many", "few") and index == 1
    if before.endswith(("'s", "s'")):
        return False
    return not (classes(before) and classes(before) <= {"ADJ", "ADV"}) or before in _ADVERBS or before.endswith("ly")


class Clause(NamedTuple):
    """A clause in the order of a statement: subject, verb phrase, base form of the verb (``plain``), and the rest."""

    subject: str
    verb: str
    plain: str
    rest: tuple[str, ...]


def clause_of(words: Sequence[str]) -> Clause | None:
    """Return the statement that a question contains: "did the man grab his arm" is "the man", "grabbed", "his arm".

    The first word must be an auxiliary. Return None if no verb is found; after a form of *be* none is required ("is
    the station", "was he tired").
    """
    if len(words) < 2 or bare(words[0]) not in AUXILIARIES:
        return None
    helper = bare(words[0])
    end = next((i for i, word in enumerate(words) if i > 1 and bare(word) in _CLAUSE_STARTS), len(words))
    after, tail = list(words[1:end]), words[end:]
    if bare(after[0]) == "not":
        return None
    if helper in BE:
        subject_end = predicate_index(after)
        return Clause(joined(*after[:subject_end]), helper, "be", (*after[subject_end:], *tail))
    verb_at = verb_index(after, "VBN") if helper in HAVE else verb_index(after, "VB")
    if verb_at is None:
        return None
    start = verb_at
    while start > 1 and bare(after[start - 1]) in _ADVERBS | {"not"}:
        start -= 1
    middle, verb, rest = after[start:verb_at], after[verb_at], (*after[verb_at + 1 :], *tail)
    negated = helper.endswith("n't") or "not" in map(bare, middle)
    if helper in DO and not negated:
        return Clause(joined(*after[:start]), joined(*middle, inflected(verb, helper)), bare(verb), rest)
    return Clause(joined(*after[:start]), joined(helper, *middle, verb), bare(verb), rest)


def predicate_index(words: Sequence[str]) -> int:
    """Return the index of the predicate in the words after a form of *be*, or their number if there is none."""
    if bare(words[0]) in PRONOUNS:
        return 1
    if [bare(word) for word in words[:3:2]] == ["the", "time"]:  # "was the last time it rained"
        return len(words)
    index = verb_index(words, "VBN", "VBG")
    if index is not None:
        while index > 1 and bare(words[index - 1]).endswith("ly"):
            index -= 1
        return index
    for index in range(1, len(words)):
        word = bare(words[index])
        word_classes = classes(word)
        adjective = "ADJ" in word_classes and "NOUN" not in word_classes
        predicate = (adjective and word not in PREPOSITIONS | DETERMINERS | _LINKS) or word in PREPOSITIONS - {"of"}
        if predicate and _ends_noun_phrase(words, index):
            return index
    return len(words)


def is_sentence(text: str) -> bool:
    """Return whether a text is a sentence: it begins with a subject and has a finite verb.

    "The man was late" is one; "to be late", "a man dressed in red" and "because he was late" are not. A verb form that
    could also be a noun or a participle ("walks", "dressed") is accepted after a pronoun, or if the text begins with a
    capital letter or ends like a sentence.
    """
    if text.rstrip().endswith("?"):
        return False
    ended = text.rstrip().endswith((".", "!"))
    words = text.split()[:_MAX_WORDS]
    while words and bare(words[0]) in PREPOSITIONS | SUBORDINATORS:
        comma = next((index for index, word in enumerate(words) if word.endswith(",")), None)
        if comma is None or bare(words[0]) in ("because", "to"):
            return False
        words = words[comma + 1 :]
    return any(_is_finite(words, index, ended) for index in range(1, len(words)))


def _is_finite(words: Sequence[str], index: int, ended: bool) -> bool:
    """Return whether the word at ``index`` is a finite verb; ``ended`` is whether the text ends like a sentence."""
    word, before = bare(words[index]), bare(words[index - 1])
    if words[index].startswith("May"):  # the month: "on 3 May 2010"
        return False
    if before in RELATIVES - {"that"} | {"to"} or (before == "that" and index > 1):
        return False
    if index == 1 and before.endswith("ing") and "VERB" in classes(before) and word not in AUXILIARIES:
        return False
    if word in AUXILIARIES and word not in ("can", "will", "might", "must") and not is_form(before, "VB"):
        return True
    if before in PRONOUNS and (word in AUXILIARIES or is_form(word, "VB", "VBD", "VBZ")):
        return True
    if index == 1 and _CONTRACTION.search(words[0]) and before.partition("'")[0] in PRONOUNS | {"that"}:
        return True
    if before in DETERMINERS or not _ends_noun_phrase(words, index) or words[index][0].isupper():
        return word in ("can", "will", "might", "must") and before not in DETERMINERS
    if is_form(word, "VBD") and not is_form(word, "VBN") and "NOUN" not in classes(word):
        return True
    finite = word in AUXILIARIES or is_form(word, "VBD", "VBZ") or (is_plural(before) and is_form(word, "VB"))
    return (ended or words[0][0].isupper()) and finite


def is_plural(word: str) -> bool:
    """Return whether a bare word is the plural of a noun in the dictionary."""
    nouns = all_lemmas(word, upos="NOUN").get("NOUN", ())
    return word in ("people", "police") or (bool(nouns) and word not in nouns)
