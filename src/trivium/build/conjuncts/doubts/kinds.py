"""What a conjunct is, by its first words."""

from __future__ import annotations

from typing import Final

from trivium.build.conjuncts.agreement import VERBAL
from trivium.build.conjuncts.sentence import Sentence, Span

RELATIVES: Final = frozenset({"who", "which", "that", "whose", "whom"})
"""Words that open a clause about a noun."""

PHRASE: Final = frozenset({"NOUN", "PROPN", "DET", "NUM", "PRON", "ADJ", "SYM"})
"""What noun phrases are made of."""

STOPS: Final = frozenset({"CCONJ", "PUNCT", "ADP", "AUX"})
"""What no noun phrase has in it."""

BOUNDARIES: Final = STOPS | {"SCONJ"}
"""Behind what a noun phrase begins something: a clause, or a part of one."""

ARE: Final = frozenset({"are", "were"})
"""Forms of *be* for several things."""

TIMES: Final = frozenset("today yesterday tomorrow day night morning evening week month year season time".split())
"""Nouns of times, which may stand in a sentence with no preposition."""

COUNTS: Final = frozenset("most some many all one few none several each half".split())
"""Words that say how many, and may stand alone."""


def kind_of(sentence: Sentence, span: Span) -> str:
    """What a conjunct is, by its first words: a clause, a verb phrase, a prepositional phrase, a noun or an adverb."""
    tags = [sentence.words[place].tag for place in range(*span)]
    first = next((place for place, tag in enumerate(tags) if tag not in {"ADV", "PUNCT", "PART"}), None)
    if first is None:
        return "adverb"
    if tags[first] == "ADP":
        return "preposition"
    if tags[first] in VERBAL:
        return "verb"
    if tags[first] == "SCONJ" or _has_own_verb(sentence, span, tags, first):
        return "clause"
    return "noun"


def _has_own_verb(sentence: Sentence, span: Span, tags: list[str], first: int) -> bool:
    """Whether a verb follows the noun that a conjunct begins with, and not a relative pronoun."""
    for place in range(first, len(tags)):
        if tags[place] == "AUX":
            return True
        word = sentence.words[span.first + place]
        if word.lower in RELATIVES or tags[place] == "SCONJ":
            return False
        if tags[place] == "VERB":
            return not word.text.endswith(("ing", "ed", "en"))
    return False


def first_word(sentence: Sentence, span: Span) -> int:
    """The place of the first word of a span that is no adverb, particle or sign."""
    skipped = {"ADV", "PUNCT", "PART"}
    return next((place for place in range(*span) if sentence.words[place].tag not in skipped), span.first)
