"""Simple clauses ("Two men are playing a guitar") and their embedding under a verb ("Two men try to play a guitar")."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import Any

from trivium.build.veridicality.verbs import Verb
from trivium.language.animacy import ANIMATE, GROUPS, PRONOUNS
from trivium.language.inflection import inflect, lemmatize

_CLAUSE = re.compile(
    r"(?P<subject>[A-Z][\w' -]*?) (?P<be>is|are) (?P<adverb>(?:\w+ly )?)(?P<verb>\w+ing)(?P<rest>(?: .*)?)"
)
# Words and signs of negations and of sentences with several clauses.
_NOT_PLAIN = re.compile(
    r"\b(?:not|no|nobody|none|never|neither|either|hardly|barely|scarcely|rarely|supposedly|almost|nearly|there|"
    r"who|which|that|because|while|as|when|but|if|where|until|than|so|then|is|are|was|were|has|have|stands|\w+n't)\b"
    r"|[,;.:?!()\"]| - |\b(?:and|or) (?:(?:a|an|the) )?(?:\w+ly )?\w+ing\b",
    re.IGNORECASE,
)
_NOT_SUBJECT = re.compile(r"\bor\b|^few\b", re.IGNORECASE)
_PREPOSITIONS = frozenset(
    "of in on with at near by from for under behind beside above over toward towards to into onto between around "
    "against inside outside across along without next through below beneath past off dressed".split()
)
_DETERMINERS = frozenset(
    "a an the this these some any all both each every another one two three four five six several many most few "
    "his her its their".split()
)
_PLURAL_STARTS = frozenset("two three four five six several many most some both these".split())
_SINGULAR_STARTS = frozenset("a an one this another each every".split())
_SECOND_SUBJECTS = frozenset("it he she they we can could will would may might must should does do did".split())
# Participles that are adjectives when nothing follows: "A dog is missing" does not say whom it misses.
_ADJECTIVES = frozenset("missing boring charming amusing interesting willing loving".split())
_NATIONALITIES = frozenset(
    "African American Asian British Chinese European French German Indian Japanese Mexican".split()
)
_COLOURS = frozenset("black white brown red orange tan yellow blue green grey gray pink purple".split())


@dataclass(frozen=True)
class Clause:
    """Subject, adverb, verb and the rest of a present-progressive clause."""

    subject: str
    plural: bool
    adverb: str
    lemma: str
    rest: str

    @cached_property
    def infinitive(self) -> str:
        """The clause as an infinitive without its subject: ``play a guitar``."""
        return f"{self.adverb}{self.lemma}{self.rest}"

    @cached_property
    def inner_subject(self) -> str:
        """The subject as it is written inside a sentence: ``two men``."""
        return lower_first(self.subject)

    def under(self, verb: Verb) -> str:
        """Return the sentence that embeds the clause under ``verb``: ``Two men try to play a guitar``."""
        sentence: str = verb.patterns[self.plural] % _values_of(verb.fields)(self)
        return sentence


@cache
def _values_of(fields: tuple[str, ...]) -> Callable[[Clause], Any]:
    """Return a function that returns what a clause puts into the fields of a verb's frame."""
    return attrgetter(*({"x": "subject", "mid": "inner_subject", "s": "infinitive"}[name] for name in fields))


@lru_cache(maxsize=1 << 12)  # a premise of many pairs is parsed once
def parse_clause(sentence: str) -> Clause | None:
    """Parse a sentence that is a simple clause; return None for any other sentence.

    A simple clause has an animate subject and one verb in the present progressive, active and affirmative. Only such a
    clause keeps its meaning under verbs like *hope* and *refuse*.
    """
    match = _CLAUSE.fullmatch(sentence.strip().rstrip(".").rstrip())
    if match is None or _NOT_SUBJECT.search(match["subject"]):
        return None
    if any(_NOT_PLAIN.search(match[part]) for part in ("subject", "adverb", "rest")):
        return None
    if match["verb"] in _ADJECTIVES and not match["rest"]:
        return None
    plural = match["be"] == "are"
    lemma = lemma_of_participle(match["verb"])
    if lemma is None or not _is_subject(match["subject"], plural) or _has_second_verb(match["rest"], plural):
        return None
    return Clause(match["subject"], plural, match["adverb"], lemma, match["rest"])


@cache
def lemma_of_participle(participle: str) -> str | None:
    """Return the lemma of an -ing form (``playing`` → ``play``), or None for a word that is not a known verb."""
    word = participle.lower()
    if word == "being":
        return None
    lemmas = [str(lemma) for lemma in lemmatize(word, upos="VERB", lemmatize_oov=False)]
    return next((lemma for lemma in lemmas if word in inflect(lemma, tag="VBG")), None)


def lower_first(text: str) -> str:
    """Return the text with its first letter in lower case, unless it starts with the name of a nationality."""
    return text if text.split(" ", 1)[0] in _NATIONALITIES else text[:1].lower() + text[1:]


def _is_subject(subject: str, plural: bool) -> bool:
    """Return whether a noun phrase is animate and agrees in number with the verb."""
    phrases = _conjuncts(subject.lower().split())
    numbers = [_numbers(phrase) for phrase in phrases]
    if not all(numbers) or any(not _is_animate(_head(phrase)) for phrase in phrases):
        return False
    return plural if len(phrases) > 1 else plural in numbers[0]


def _conjuncts(words: list[str]) -> list[list[str]]:
    """Split a subject at *and* into noun phrases.

    An *and* between colours is not split, nor one after a preposition or participle, unless an animate noun follows.
    """
    phrases: list[list[str]] = [[]]
    for index, word in enumerate(words):
        if word != "and" or _joins_modifiers(phrases[-1], words[index + 1 :]):
            phrases[-1].append(word)
        else:
            phrases.append([])
    return phrases


def _joins_modifiers(before: list[str], after: list[str]) -> bool:
    if not before or not after:
        return False
    if before[-1] in _COLOURS and after[0] in _COLOURS:
        return True
    return _head(before) != before[-1] and not _is_animate(_head(after))


def _head(words: list[str]) -> str:
    """Return the head noun of a noun phrase: the word before its first preposition or participle."""
    end = next((index for index in range(1, len(words)) if _ends_phrase(words, index)), len(words))
    if words[end:] and _is_group(words, end):
        return _head(words[end + 1 :])
    return words[end - 1] if words else ""


def _ends_phrase(words: list[str], index: int) -> bool:
    word, before = words[index], words[index - 1]
    if word in _PREPOSITIONS or (word == "and" and before not in _COLOURS):
        return True
    if before in _DETERMINERS:
        return False
    following = words[index + 1] if index + 1 < len(words) else ""
    return lemma_of_participle(word) is not None or (following in _PREPOSITIONS and _is_verb_form(word, "VBN"))


def _is_group(words: list[str], index: int) -> bool:
    """Return whether an *of* at ``index`` follows a group or *one*: *a pair of climbers*, *one of the boys*."""
    return words[index] == "of" and (words[index - 1] in GROUPS or words[:index] == ["one"])


@cache
def _is_animate(head: str) -> bool:
    return head in PRONOUNS or not ANIMATE.isdisjoint((head, *lemmatize(head, upos="NOUN")))


def _numbers(words: list[str]) -> AbstractSet[bool]:
    """Return the possible numbers of a noun phrase (True: plural): both for groups, none if its words disagree."""
    if not words:
        return set()
    if words[:2] == ["one", "of"]:
        return {False}
    end = next((index for index in range(1, len(words)) if _ends_phrase(words, index)), len(words))
    if words[end - 1] in GROUPS:
        return {False, True}
    head = _head(words)
    if words[0] in _PLURAL_STARTS or words[:2] == ["a", "few"]:
        return {True} & _noun_numbers(head)
    return {False} & _noun_numbers(head) if words[0] in _SINGULAR_STARTS else _noun_numbers(head)


@cache
def _noun_numbers(noun: str) -> frozenset[bool]:
    """Return the possible numbers of a noun form, True for plural."""
    if noun in PRONOUNS:
        return frozenset({noun == "people"})
    lemmas = lemmatize(noun, upos="NOUN")
    plurals = {tag == "NNS" for tag in ("NN", "NNS") for lemma in lemmas if noun in inflect(lemma, tag=tag)}
    return frozenset(plurals)


def _has_second_verb(rest: str, plural: bool) -> bool:
    """Return whether the rest of a clause has another finite verb: *feeding a goat and hums*, *and a girl hums*.

    Nouns that can be verbs (*cats and dogs*) count as verbs: losing a pair is better than building an incorrect one.
    """
    words = rest.lower().split()
    for index in (index for index, word in enumerate(words) if word in ("and", "or")):
        after = [word for word in words[index + 1 :] if not word.endswith("ly")]
        if after and index and {words[index - 1], after[0]} <= _COLOURS:
            continue
        if not after or after[0] in _SECOND_SUBJECTS or _is_verb_form(after[0], "VBD"):
            return True
        if not plural and _is_verb_form(after[0], "VBZ"):
            return True
        if len(after) > 1 and plural and after[1] in _DETERMINERS | _PREPOSITIONS and _is_verb_form(after[0], "VBP"):
            return True
        if any(
            _is_verb_form(verb, "VBZ") or (_is_animate(noun) and _is_verb_form(verb, "VBP"))
            for noun, verb in pairwise(after)
        ):
            return True
    return False


@cache
def _is_verb_form(word: str, tag: str) -> bool:
    if word in _PREPOSITIONS or word in _DETERMINERS:
        return False
    return any(word in inflect(lemma, tag=tag) for lemma in lemmatize(word, upos="VERB", lemmatize_oov=False))
