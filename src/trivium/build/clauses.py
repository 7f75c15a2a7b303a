"""Plain clauses ("Two men are playing a guitar") and embedding them under a verb ("Two men try to play a guitar")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from lemminflect import getInflection, getLemma

from trivium.build.animate import ANIMATE, GROUPS, PRONOUNS
from trivium.build.verbs import Verb

_CLAUSE = re.compile(
    r"(?P<subject>[A-Z][\w' -]*?) (?P<be>is|are) (?P<adverb>(?:\w+ly )?)(?P<verb>\w+ing)(?P<rest>(?: .*)?)"
)
# What makes a sentence more than one plain clause, or not affirmative.
_NOT_PLAIN = re.compile(
    r"\b(?:not|no|nobody|none|never|there|who|which|that|because|while|is|are|was|were|has|have|isn't|aren't|stands)\b"
    r"|,|;|\b(?:and|or) (?:\w+ly )?\w+ing\b",
    re.IGNORECASE,
)
_PREPOSITIONS = frozenset("of in on with at near by from for under behind beside wearing holding dressed".split())
_PLURAL_STARTS = frozenset(
    "two three four five six several many most some few both people men women children kids".split()
)
_SINGULAR_STARTS = frozenset("a an one this another someone somebody everyone".split())


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
    if lemma is None or not _animate(match["subject"]) or not _agrees(match["subject"], plural):
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


def _head(subject: str) -> str:
    """The head noun of a noun phrase: the word before its first preposition or participle."""
    words = subject.lower().split()
    for index, word in enumerate(words):
        if word in _PREPOSITIONS and index:
            if word == "of" and words[index - 1] in GROUPS:
                return _head(" ".join(words[index + 1 :])) if index + 1 < len(words) else ""
            return words[index - 1]
    return words[-1] if words else ""


def _animate(subject: str) -> bool:
    head = _head(subject)
    return head in PRONOUNS or any(lemma in ANIMATE for lemma in (head, *getLemma(head, upos="NOUN")))


def _agrees(subject: str, plural: bool) -> bool:
    words = subject.lower().split()
    if "and" in words or words[0] in _PLURAL_STARTS:
        return plural
    return not (plural and words[0] in _SINGULAR_STARTS and not any(f" {g} of" in subject.lower() for g in GROUPS))
