"""Plain clauses ("Two men are playing a guitar") and embedding them under a verb ("Two men try to play a guitar")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from lemminflect import getInflection, getLemma

from trivium.build.animate import ANIMATE, GROUPS, PRONOUNS
from trivium.build.verbs import Verb

_CLAUSE = re.compile(
    r"(?P<subject>[A-Z][\w' -]*?) (?P<be>is|are) (?P<adverb>(?:\w+ly )?)(?P<verb>\w+ing)(?P<rest>(?: .*)?)"
)
# What makes a sentence more than one plain clause, or not affirmative.
_NOT_PLAIN = re.compile(
    r"\b(?:not|no|nobody|none|never|there|who|which|that|because|while|as|when|but|if|where|until|than|"
    r"is|are|was|were|has|have|isn't|aren't|stands)\b"
    r"|,|;|\b(?:and|or) (?:(?:a|an|the) )?(?:\w+ly )?\w+ing\b",
    re.IGNORECASE,
)
_PREPOSITIONS = frozenset("of in on with at near by from for under behind beside dressed".split())
_DETERMINERS = frozenset(
    "a an the this these some any all both each every another one two three four five six several many most few "
    "his her its their".split()
)
_PLURAL_STARTS = frozenset("two three four five six several many most some few both these".split())
_SINGULAR_STARTS = frozenset("a an one this another each every".split())
_COLOURS = frozenset("black white brown red orange tan yellow blue green grey gray pink purple".split())


@dataclass(frozen=True)
class Clause:
    """Subject, adverb, verb and the rest of a present-progressive clause."""

    subject: str
    plural: bool
    adverb: str
    lemma: str
    rest: str

    @property
    def infinitive(self) -> str:
        """The clause without its subject: ``play a guitar``."""
        return f"{self.adverb}{self.lemma}{self.rest}"

    def under(self, verb: Verb) -> str:
        """The sentence that embeds the clause under ``verb``: ``Two men try to play a guitar``."""
        return verb.frame.format(
            x=self.subject, mid=lower_first(self.subject), verb=verb.inflected(self.plural), s=self.infinitive
        )


def parse_clause(sentence: str) -> Clause | None:
    """The plain clause that a sentence is, or None.

    Plain is: an animate subject, one verb in the present progressive, active and affirmative. Only such a clause
    keeps its sense under verbs like *hope* and *refuse*.
    """
    match = _CLAUSE.fullmatch(sentence.strip().rstrip(".").rstrip())
    if match is None or _NOT_PLAIN.search(match["subject"]) or _NOT_PLAIN.search(match["rest"]):
        return None
    plural = match["be"] == "are"
    lemma = lemma_of_participle(match["verb"])
    if lemma is None or not _is_subject(match["subject"], plural) or _second_verb(match["rest"], plural):
        return None
    return Clause(match["subject"], plural, match["adverb"], lemma, match["rest"])


@cache
def lemma_of_participle(participle: str) -> str | None:
    """The verb of an -ing form, or None where none is known: ``playing``, ``play``."""
    word = participle.lower()
    if word == "being":
        return None
    lemmas = [str(lemma) for lemma in getLemma(word, upos="VERB", lemmatize_oov=False)]
    return next((lemma for lemma in lemmas if word in getInflection(lemma, tag="VBG")), None)


def lower_first(text: str) -> str:
    """The text with a small first letter, as it stands inside a sentence."""
    return text[:1].lower() + text[1:]


def _is_subject(subject: str, plural: bool) -> bool:
    """Whether a noun phrase names beings, and as many as the verb says."""
    phrases = _conjuncts(subject.lower().split())
    if any(not _animate(_head(phrase)) for phrase in phrases):
        return False
    return plural if len(phrases) > 1 else _agrees(phrases[0], plural)


def _conjuncts(words: list[str]) -> list[list[str]]:
    """The noun phrases that *and* joins.

    An *and* between two colours joins adjectives; one after a preposition joins what the preposition governs, unless
    a being follows it.
    """
    phrases: list[list[str]] = [[]]
    for index, word in enumerate(words):
        if word != "and" or _joins_less(phrases[-1], words[index + 1 :]):
            phrases[-1].append(word)
        else:
            phrases.append([])
    return phrases


def _joins_less(before: list[str], after: list[str]) -> bool:
    if not before or not after:
        return False
    if before[-1] in _COLOURS and after[0] in _COLOURS:
        return True
    return not _PREPOSITIONS.isdisjoint(before) and not _animate(_head(after))


def _head(words: list[str]) -> str:
    """The head noun of a noun phrase: the word before its first preposition or participle."""
    for index, word in enumerate(words):
        if word in _PREPOSITIONS and index:
            if word == "of" and words[index - 1] in GROUPS:
                return _head(words[index + 1 :])
            return words[index - 1]
        if index and words[index - 1] not in _DETERMINERS and lemma_of_participle(word):
            return words[index - 1]
        if index and word == "and" and words[index - 1] not in _COLOURS:
            return words[index - 1]
    return words[-1] if words else ""


@cache
def _animate(head: str) -> bool:
    return head in PRONOUNS or not ANIMATE.isdisjoint((head, *getLemma(head, upos="NOUN")))


def _agrees(words: list[str], plural: bool) -> bool:
    """Whether one noun phrase goes with *are* (plural) or with *is*; groups go with both."""
    if words[0] == "one":
        return not plural
    if any(group in GROUPS and of == "of" for group, of in pairwise(words)):
        return True
    if words[0] in _PLURAL_STARTS or words[:2] == ["a", "few"]:
        return plural and _can_be(_head(words), "NNS")
    if words[0] in _SINGULAR_STARTS:
        return not plural
    return _can_be(_head(words), "NNS" if plural else "NN")


@cache
def _can_be(noun: str, tag: str) -> bool:
    if noun in PRONOUNS or noun in GROUPS:
        return (noun == "people") == (tag == "NNS") or noun in GROUPS
    return any(noun in getInflection(lemma, tag=tag) for lemma in getLemma(noun, upos="NOUN"))


def _second_verb(rest: str, plural: bool) -> bool:
    """Whether a verb other than the first is finite: *feeding a goat and hums*, *reading and a girl hums*.

    Nouns that can be verbs (*cats and dogs*) are taken for verbs: a pair too few is better than a wrong one.
    """
    words = rest.lower().split()
    for index in (index for index, word in enumerate(words) if word in ("and", "or")):
        after = [word for word in words[index + 1 :] if not word.endswith("ly")]
        if after and not plural and _finite(after[0], "VBZ"):
            return True
        if len(after) > 1 and plural and after[1] in _DETERMINERS | _PREPOSITIONS and _finite(after[0], "VBP"):
            return True
        if any(_animate(noun) and (_finite(verb, "VBZ") or _finite(verb, "VBP")) for noun, verb in pairwise(after)):
            return True
    return False


@cache
def _finite(word: str, tag: str) -> bool:
    if word in _PREPOSITIONS:
        return False
    return any(word in getInflection(lemma, tag=tag) for lemma in getLemma(word, upos="VERB", lemmatize_oov=False))
