"""Putting a sentence together again after words were deleted or changed.

What was not touched stays as it stood, letter by letter. Only where words were taken out are spaces, commas, capitals
and *a* or *an* seen to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from trivium.build.conjuncts.sentence import Sentence, Span

_PAUSES: Final = frozenset({",", ";", ":", "-", "–", "—", "--"})
_CLOSING: Final = frozenset({",", ";", ":", ".", "!", "?", "…", ")", "]", "}"})
_SIGNS: Final = _PAUSES | _CLOSING
_ENDS: Final = frozenset(".!?…")
_OPENING: Final = frozenset("([{“‘«")
_ARTICLES: Final = frozenset({"a", "an", "A", "An", "AN"})
_NO_NOUN: Final = frozenset({"AUX", "CCONJ", "SCONJ", "ADP", "PART"})  # what stands behind no article
_PAIRS: Final = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))
# Letters are no guide here: "an hour", "a unit", "a one", "a European".
_SILENT: Final = ("hour", "honest", "honor", "honour", "heir")
_CONSONANT: Final = re.compile(r"(?:uni(?!n|m)|us[aeiu]|ut[ei]|eu|ew|one\b|once\b|ubi|uk)", re.IGNORECASE)
_SPELT_WITH_VOWEL: Final = frozenset("AEFHILMNORSX")  # an MP, an FBI agent
_NUMBER_WITH_VOWEL: Final = re.compile(r"(?:8|1[18](?:\D|$|,\d|\d{3}(?!\d)))")


class Draft:
    """A sentence under repair: a text for each word, empty where the word is deleted.

    Outside of the words from ``first`` up to ``end`` nothing was changed.
    """

    __slots__ = ("end", "first", "lower", "sentence", "texts")

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.texts = [word.text for word in sentence.words]
        self.lower = [word.lower for word in sentence.words]
        self.first, self.end = len(self.texts), 0

    def delete(self, span: Span) -> None:
        """Take out the words of a span."""
        first, end = max(span.first, 0), min(span.end, len(self.texts))
        if first < end:
            self.texts[first:end] = [""] * (end - first)
            self._touch(first, end)

    def change(self, place: int, text: str) -> None:
        """Put a text, of one word or several, in the place of a word."""
        self.texts[place] = text
        self._touch(place, place + 1)

    def _touch(self, first: int, end: int) -> None:
        if first < self.first:
            self.first = first
        if end > self.end:
            self.end = end

    def kept(self, place: int) -> bool:
        """Whether there is such a place, and its word still stands."""
        return 0 <= place < len(self.texts) and bool(self.texts[place])

    def next_kept(self, place: int) -> int | None:
        """The first place behind this one whose word still stands."""
        return next((later for later in range(place + 1, len(self.texts)) if self.texts[later]), None)

    def text(self) -> str:
        """The sentence as it now reads; empty if no word is left."""
        self._keep_the_end()
        first, end = self._affected()
        places = self._without_stray_pauses(first, end)
        for place, following in pairwise(places):
            if self.texts[place] in _ARTICLES:
                self._choose_article(place, following)
        text, words = self.sentence.text, self.sentence.words
        parts = [text[: words[first].start], *(self.texts[place] for place in places[:1])]
        for before, place in pairwise(places):
            gap = text[words[before].end : words[place].start] if place == before + 1 else self._gap(before, place)
            parts += (gap, self.texts[place])
        parts.append(text[words[end - 1].end :])
        found = "".join(parts)
        if not any(map(str.isalnum, found)):
            return ""
        return self._ended(self._capitalised(found, chain(places, range(end, len(words)))))

    def _affected(self) -> tuple[int, int]:
        """The words that a change may touch: those that were changed, and on both sides up to one that is no sign."""
        count = len(self.texts)
        if self.first >= self.end:
            return 0, count
        first, end = max(self.first - 1, 0), min(self.end + 1, count)
        while first and self.texts[first] in _PAUSES:
            first -= 1
        while end < count and self.texts[end - 1] in _SIGNS:
            end += 1
        return first, end

    def _keep_the_end(self) -> None:
        """A conjunct that reaches to the end of the sentence does not take the full stop with it."""
        last = self.sentence.words[-1].text
        if last in _ENDS:
            self.texts[-1] = last

    def _without_stray_pauses(self, first: int, end: int) -> list[int]:
        """The places of these that are left, without commas and dashes that a deletion left with nothing to part."""
        places: list[int] = []
        for place in range(first, end):
            text = self.texts[place]
            if not text:
                continue
            while places and places[-1] != place - 1 and self.texts[places[-1]] in _PAUSES and text in _CLOSING:
                places.pop()
            before = places[-1] if places else -1
            if before != place - 1 and text in _PAUSES and (not places or self._opens(before)):
                continue
            places.append(place)
        while places and places[-1] != len(self.texts) - 1 and self.texts[places[-1]] in _PAUSES:
            places.pop()
        return places

    def _opens(self, place: int) -> bool:
        """Whether the word is a bracket or quote that belongs to what comes next."""
        words, text = self.sentence.words, self.sentence.text
        mark = words[place].text
        if mark in _OPENING:
            return True
        if any(character.isalnum() for character in mark) or place + 1 == len(words):
            return False
        free = place == 0 or text[words[place].start - 1].isspace()
        return free and words[place].end == words[place + 1].start

    def _gap(self, before: int, place: int) -> str:
        """What stands between two words of which those between them are gone."""
        words, text = self.sentence.words, self.sentence.text
        gap = text[words[place - 1].end : words[place].start]
        if self._opens(before) and words[before].end == words[before + 1].start:
            return ""
        if gap:
            return gap
        new = self.texts[place]
        return " " if new[0].isalnum() and not new.startswith(("n't", "n’t")) else ""

    def _choose_article(self, place: int, following: int) -> None:
        article, words = self.texts[place], self.sentence.words
        if words[place].tag != "DET" or words[following].tag in _NO_NOUN:
            return  # "A and B are old": a name
        if following == place + 1 and self.texts[following] == words[following].text:
            return
        wanted = article_for(self.texts[following])
        self.texts[place] = wanted.capitalize() if article[0].isupper() else wanted

    def _capitalised(self, text: str, places: Iterable[int]) -> str:
        """The text with a capital first letter, if the sentence had one and begins with another word now."""
        old = _first_letter(self.sentence.text)
        if old is None or not self.sentence.text[old].isupper() or text.startswith(self.sentence.text[: old + 1]):
            return text
        start = next(place for place in places if _first_letter(self.texts[place]) is not None)
        word = self.sentence.words[start]
        if word.start <= old and self.texts[start] == word.text:
            return text
        first = _first_letter(text) or 0
        return text[:first] + text[first].upper() + text[first + 1 :]

    def _ended(self, text: str) -> str:
        """The text with the full stop of an abbreviation that ended the sentence and is gone."""
        end = self.sentence.text[-1:]
        if text.endswith("..") and not text.endswith("..."):
            return text[:-1]  # of an abbreviation that ends the sentence now
        return text + end if end in _ENDS and end and text[-1:] not in _ENDS else text


def article_for(word: str) -> str:
    """*a* or *an*, whichever goes before the word."""
    plain = word.lstrip("\"'“‘(")
    if not plain:
        return "a"
    if plain[0].isdigit():
        return "an" if _NUMBER_WITH_VOWEL.match(plain) else "a"
    if len(plain) > 1 and plain[:2].isupper() and len(plain) <= 4:
        return "an" if plain[0] in _SPELT_WITH_VOWEL else "a"
    if plain.lower().startswith(_SILENT):
        return "an"
    return "an" if plain[0].lower() in "aeiou" and not _CONSONANT.match(plain) else "a"


@lru_cache(maxsize=1000)  # of one sentence it is asked for each of its pairs
def balanced(text: str) -> bool:
    """Whether brackets and quotes come in pairs."""
    return text.count('"') % 2 == 0 and all(text.count(left) == text.count(right) for left, right in _PAIRS)


def _first_letter(text: str) -> int | None:
    return next((place for place, character in enumerate(text) if character.isalnum()), None)
