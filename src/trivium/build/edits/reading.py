"""Reading an edit: the part of speech of each word that was changed, place by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from trivium.build.edits.lexicon import (
    ADJECTIVES,
    AUXILIARIES,
    BE,
    CLOTHES,
    DETERMINERS,
    GROUPS,
    LINKS,
    NEGATIONS,
    NOUNS,
    NUMBERS,
    PLACE_ADVERBS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
)
from trivium.language.animacy import ANIMATE
from trivium.language.difference import Change, Difference
from trivium.language.inflection import getAllLemmas

CONTENT = frozenset({"number", "negation", "adverb", "adjective", "verb", "noun", "pronoun"})
"""Parts of speech that say something by themselves."""

_CLOSED = (
    ("negation", NEGATIONS),
    ("number", NUMBERS),
    ("determiner", DETERMINERS | POSSESSIVES),
    ("pronoun", PRONOUNS),
    ("adverb", PLACE_ADVERBS),
    ("auxiliary", AUXILIARIES),
    ("preposition", PREPOSITIONS),
    ("link", LINKS),
    ("adjective", ADJECTIVES),
    ("noun", NOUNS),
)
_PART_OF = {word: part for part, words in reversed(_CLOSED) for word in words}  # the first list that has it
_KNOWN = ANIMATE | CLOTHES
_NAMES = (("NOUN", "noun"), ("VERB", "verb"), ("ADJ", "adjective"), ("ADV", "adverb"))
_LONGEST = 40  # letters of a word that is looked up


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it stands, in lower case, with its lemma and its part of speech in its sentence."""

    text: str
    lemma: str
    part: str


@dataclass(frozen=True, slots=True)
class Place:
    """One changed place. ``removed`` and ``inserted`` are all words there, ``lost`` and ``gained`` those with content.

    A word of which both sides have a form is neither lost nor gained; ``counted`` says whether it is a noun that
    stands for one on one side and for many on the other. ``before`` and ``behind`` are the words around the place.
    """

    removed: tuple[Word, ...]
    inserted: tuple[Word, ...]
    lost: tuple[Word, ...]
    gained: tuple[Word, ...]
    counted: bool
    before: Word | None
    behind: Word | None

    @property
    def size(self) -> int:
        """How many words with content were changed here."""
        return len(self.lost) + len(self.gained) + self.counted

    @property
    def changed(self) -> tuple[Word, ...]:
        """The words with content that were lost or gained here."""
        return self.lost + self.gained


@lru_cache(maxsize=50_000)
def _lemmas(word: str) -> dict[str, str]:
    """The lemma of a word in lower case for each part of speech that it may be."""
    if not word.isascii() or len(word) > _LONGEST or not word[:1].isalpha():
        return {}
    found = getAllLemmas(word)
    return {name: found[code][0] for code, name in _NAMES if code in found}


def read_words(texts: Sequence[str]) -> tuple[Word, ...]:
    """The words of a sentence with their parts of speech, read from left to right."""
    found: list[Word] = []
    lower = [text.lower().replace("’", "'") for text in texts]
    for number, text in enumerate(lower):
        behind = lower[number + 1] if number + 1 < len(lower) else ""
        part = _part(text, found[-1] if found else None, behind)
        lemmas = _lemmas(text.removesuffix("'s"))
        found.append(Word(text, lemmas.get(part) or next(iter(lemmas.values()), text), part))
    return tuple(found)


def read_places(found: Difference) -> tuple[Place, ...]:
    """The changes of a difference as places that rules can judge."""
    before, after = read_words(found.original), read_words(found.revised)
    return tuple(_place(change, before, after) for change in found.changes)


def _place(change: Change, original: tuple[Word, ...], revised: tuple[Word, ...]) -> Place:
    removed = original[change.removed_at : change.removed_end]
    inserted = revised[change.inserted_at : change.inserted_end]
    lost, gained = _own(removed, inserted), _own(inserted, removed)
    before = revised[change.inserted_at - 1] if change.inserted_at else None
    behind = revised[change.inserted_end] if change.inserted_end < len(revised) else None
    return Place(removed, inserted, lost, gained, _is_counted(removed, inserted), before, behind)


def _own(words: tuple[Word, ...], others: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words with content of which the other side has no form."""
    left = Counter(word.lemma for word in others if word.part in CONTENT)
    found = []
    for word in words:
        if word.part in CONTENT and not left[word.lemma]:
            found.append(word)
        elif word.part in CONTENT:
            left[word.lemma] -= 1
    return tuple(found)


def _is_counted(removed: tuple[Word, ...], inserted: tuple[Word, ...]) -> bool:
    """Whether a noun stands for one on one side and for many on the other."""
    forms = {word.lemma: word.text.removesuffix("'s") for word in removed if word.part == "noun"}
    return any(
        word.part == "noun" and forms.get(word.lemma, word.text) != word.text.removesuffix("'s") for word in inserted
    )


def _part(text: str, before: Word | None, behind: str) -> str:
    """The part of speech of a word, by lists first, then by its forms and its neighbours."""
    if text.endswith("n't"):
        return "negation"
    if text[:1].isdigit():
        return "number"
    if not text[:1].isalnum():
        return "mark"
    if text in ("have", "has", "had") and _is_participle(behind):
        return "auxiliary"
    if text in GROUPS:
        return "number" if behind == "of" else "noun"
    if text == "one" and before is not None and before.part == "negation":
        return "determiner"
    if text in _PART_OF:
        return _PART_OF[text]
    if "-" in text and not _lemmas(text):
        return "noun" if "noun" in _lemmas(text.rpartition("-")[2]) and not _may_be_noun(behind) else "adjective"
    if text.endswith("ly") and ("adverb" in _lemmas(text) or not _lemmas(text)):
        return "adverb"
    return _open_part(text.removesuffix("'s"), before, behind)


def _open_part(text: str, before: Word | None, behind: str) -> str:
    """Noun, verb, adjective or adverb, for a word that stands in no list."""
    may_be = _lemmas(text)
    if not may_be:
        return "verb" if text.endswith("ing") and (before is None or before.part in ("noun", "auxiliary")) else "noun"
    if len(may_be) == 1:
        only = next(iter(may_be))
        return "adjective" if only == "verb" and _is_modifier(text, before, behind) else only
    last = before.part if before else ""
    owned = before is not None and before.text.endswith("'s")
    named = owned or last in ("determiner", "adjective", "number", "preposition")
    if "noun" in may_be and (owned or _is_known_noun(text, before) or (last == "noun" and "adjective" in may_be)):
        return "noun"
    if "adjective" in may_be and (_may_be_noun(behind) or not named or last == "adjective"):
        return "verb" if "verb" in may_be and _is_predicate(text, before, behind) else "adjective"
    if "verb" in may_be and _is_modifier(text, before, behind):
        return "adjective"
    if "verb" in may_be and (_is_predicate(text, before, behind) or "noun" not in may_be):
        return "verb"
    return "noun" if "noun" in may_be else next(iter(may_be))


def _is_known_noun(text: str, before: Word | None) -> bool:
    """Whether a word names somebody or something to wear, where no verb must come."""
    noun = _lemmas(text)["noun"] in _KNOWN and not text.endswith(("ing", "ed"))
    return noun and (before is None or (before.part not in ("auxiliary", "pronoun") and before.text != "to"))


def _is_predicate(text: str, before: Word | None, behind: str) -> bool:
    """Whether a word that may be a verb is one: by what comes before it, and its form."""
    last = before.part if before else ""
    if before is not None and (before.text == "to" or last in ("pronoun", "negation")):
        return _lemmas(text).get("verb") == text or last == "pronoun"
    if text.endswith(("ing", "ed")):
        return not _is_modifier(text, before, behind) and last not in ("determiner", "adjective")
    if before is None or last == "auxiliary":
        return before is not None and before.text not in BE and _lemmas(text).get("verb") == text
    if last == "noun":
        plural = before.text != before.lemma or before.text in ("people", "men", "women", "children")
        third = text != _lemmas(text).get("verb")
        return third != plural
    return last == "adverb" and before.text in PLACE_ADVERBS


def _is_modifier(text: str, before: Word | None, behind: str) -> bool:
    """Whether a participle stands before a noun as an adjective does: a barking dog, but not a man walking dogs."""
    if not text.endswith(("ing", "ed", "en")) or before is None:
        return False
    named = before.part in ("determiner", "adjective", "number") or before.lemma in ("wear", "have")
    return named and _may_be_noun(behind)


def _is_participle(text: str) -> bool:
    return text == "been" or (text.endswith(("ed", "en", "n't", "ne")) and "verb" in _lemmas(text))


def _may_be_noun(text: str) -> bool:
    closed = text in PREPOSITIONS or text in DETERMINERS or text in LINKS or text in AUXILIARIES or text in POSSESSIVES
    return not closed and (text in NOUNS or "noun" in _lemmas(text) or text in ADJECTIVES)


def main_kind(kinds: Sequence[tuple[str | None, int]], order: Sequence[str]) -> str | None:
    """The kind of most places, then of most changed words, then the first in the order.

    ``kinds`` has the kind of each place and how many words were changed there. Places that fit no kind count as a kind
    of their own. None where that one wins, or where of three kinds or more none has a second place or half the words.
    """
    if not kinds:
        return None
    count = Counter(kind for kind, _ in kinds)
    size = {kind: sum(words for other, words in kinds if other == kind) for kind in count}
    ranked = [*order, None]
    best = min(count, key=lambda kind: (-count[kind], -size[kind], ranked.index(kind)))
    lone = len(count) > 2 and count[best] == 1 and 2 * size[best] < sum(size.values())
    return None if lone else best
