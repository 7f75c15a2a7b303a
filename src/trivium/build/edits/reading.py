"""Tag the words of each changed span of an edit with their parts of speech."""

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
from trivium.language.inflection import all_lemmas

CONTENT = frozenset({"number", "negation", "adverb", "adjective", "verb", "noun", "pronoun"})
"""Parts of speech of content words."""

_WORD_LISTS = (
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
# The first list that contains a word counts.
_LISTED_POS = {word: part for part, words in reversed(_WORD_LISTS) for word in words}
_KNOWN_NOUNS = ANIMATE | CLOTHES
_POS_NAMES = (("NOUN", "noun"), ("VERB", "verb"), ("ADJ", "adjective"), ("ADV", "adverb"))
_MAX_LETTERS = 40  # longer words are not looked up


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case with its lemma and its part of speech in its sentence."""

    text: str
    lemma: str
    pos: str


@dataclass(frozen=True, slots=True)
class ChangedSpan:
    """A changed span. ``removed`` and ``inserted`` are all of its words, ``lost`` and ``gained`` the content words.

    A word that both sides contain in some form is neither lost nor gained. ``number_changed`` is whether such a word is
    a noun that is singular on one side and plural on the other. ``before`` and ``after`` are the neighbouring words.
    """

    removed: tuple[Word, ...]
    inserted: tuple[Word, ...]
    lost: tuple[Word, ...]
    gained: tuple[Word, ...]
    number_changed: bool
    before: Word | None
    after: Word | None

    @property
    def size(self) -> int:
        """The number of changed content words."""
        return len(self.lost) + len(self.gained) + self.number_changed

    @property
    def changed(self) -> tuple[Word, ...]:
        """The content words that were lost or gained."""
        return self.lost + self.gained


@lru_cache(maxsize=50_000)
def _lemmas(word: str) -> dict[str, str]:
    """Return the lemma of a lower-case word for each of its possible parts of speech."""
    if not word.isascii() or len(word) > _MAX_LETTERS or not word[:1].isalpha():
        return {}
    lemmas = all_lemmas(word)
    return {name: lemmas[code][0] for code, name in _POS_NAMES if code in lemmas}


def read_words(texts: Sequence[str]) -> tuple[Word, ...]:
    """Return the words of a sentence with their parts of speech, determined from left to right."""
    words: list[Word] = []
    lower = [text.lower().replace("’", "'") for text in texts]
    for index, text in enumerate(lower):
        after = lower[index + 1] if index + 1 < len(lower) else ""
        part = _part_of_speech(text, words[-1] if words else None, after)
        lemmas = _lemmas(text.removesuffix("'s"))
        words.append(Word(text, lemmas.get(part) or next(iter(lemmas.values()), text), part))
    return tuple(words)


def read_spans(difference: Difference) -> tuple[ChangedSpan, ...]:
    """Return the changes of a difference as spans of words with their parts of speech."""
    original, revised = read_words(difference.original), read_words(difference.revised)
    return tuple(_span(change, original, revised) for change in difference.changes)


def _span(change: Change, original: tuple[Word, ...], revised: tuple[Word, ...]) -> ChangedSpan:
    removed = original[change.removed_at : change.removed_end]
    inserted = revised[change.inserted_at : change.inserted_end]
    lost, gained = _only_in(removed, inserted), _only_in(inserted, removed)
    before = revised[change.inserted_at - 1] if change.inserted_at else None
    after = revised[change.inserted_end] if change.inserted_end < len(revised) else None
    return ChangedSpan(removed, inserted, lost, gained, _is_number_changed(removed, inserted), before, after)


def _only_in(words: tuple[Word, ...], others: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the content words that the other side contains in no form."""
    unmatched = Counter(word.lemma for word in others if word.pos in CONTENT)
    result = []
    for word in words:
        if word.pos in CONTENT and not unmatched[word.lemma]:
            result.append(word)
        elif word.pos in CONTENT:
            unmatched[word.lemma] -= 1
    return tuple(result)


def _is_number_changed(removed: tuple[Word, ...], inserted: tuple[Word, ...]) -> bool:
    """Return whether a noun is singular on one side and plural on the other."""
    forms = {word.lemma: word.text.removesuffix("'s") for word in removed if word.pos == "noun"}
    return any(
        word.pos == "noun" and forms.get(word.lemma, word.text) != word.text.removesuffix("'s") for word in inserted
    )


def _part_of_speech(text: str, before: Word | None, after: str) -> str:
    """Return the part of speech of a word from word lists, else from its form and its neighbours."""
    if text.endswith("n't"):
        return "negation"
    if text[:1].isdigit():
        return "number"
    if not text[:1].isalnum():
        return "mark"
    if text in ("have", "has", "had") and _is_participle(after):
        return "auxiliary"
    if text in GROUPS:
        return "number" if after == "of" else "noun"
    if text == "one" and before is not None and before.pos == "negation":
        return "determiner"
    if text in _LISTED_POS:
        return _LISTED_POS[text]
    if "-" in text and not _lemmas(text):
        return "noun" if "noun" in _lemmas(text.rpartition("-")[2]) and not _may_be_noun(after) else "adjective"
    if text.endswith("ly") and ("adverb" in _lemmas(text) or not _lemmas(text)):
        return "adverb"
    return _open_class(text.removesuffix("'s"), before, after)


def _open_class(text: str, before: Word | None, after: str) -> str:
    """Return the part of speech of a word that is in no list: noun, verb, adjective or adverb."""
    possible = _lemmas(text)
    if not possible:
        return "verb" if text.endswith("ing") and (before is None or before.pos in ("noun", "auxiliary")) else "noun"
    if len(possible) == 1:
        only = next(iter(possible))
        return "adjective" if only == "verb" and _is_modifier(text, before, after) else only
    previous_pos = before.pos if before else ""
    possessed = before is not None and before.text.endswith("'s")
    in_noun_phrase = possessed or previous_pos in ("determiner", "adjective", "number", "preposition")
    if "noun" in possible and (
        possessed or _is_known_noun(text, before) or (previous_pos == "noun" and "adjective" in possible)
    ):
        return "noun"
    if "adjective" in possible and (_may_be_noun(after) or not in_noun_phrase or previous_pos == "adjective"):
        return "verb" if "verb" in possible and _is_predicate(text, before, after) else "adjective"
    if "verb" in possible and _is_modifier(text, before, after):
        return "adjective"
    if "verb" in possible and (_is_predicate(text, before, after) or "noun" not in possible):
        return "verb"
    return "noun" if "noun" in possible else next(iter(possible))


def _is_known_noun(text: str, before: Word | None) -> bool:
    """Return whether a word is a noun for a person, an animal or clothing, where no verb is required."""
    noun = _lemmas(text)["noun"] in _KNOWN_NOUNS and not text.endswith(("ing", "ed"))
    return noun and (before is None or (before.pos not in ("auxiliary", "pronoun") and before.text != "to"))


def _is_predicate(text: str, before: Word | None, after: str) -> bool:
    """Return whether a word that can be a verb is a verb here, judging by its form and the word before it."""
    previous_pos = before.pos if before else ""
    if before is not None and (before.text == "to" or previous_pos in ("pronoun", "negation")):
        return _lemmas(text).get("verb") == text or previous_pos == "pronoun"
    if text.endswith(("ing", "ed")):
        return not _is_modifier(text, before, after) and previous_pos not in ("determiner", "adjective")
    if before is None or previous_pos == "auxiliary":
        return before is not None and before.text not in BE and _lemmas(text).get("verb") == text
    if previous_pos == "noun":
        plural = before.text != before.lemma or before.text in ("people", "men", "women", "children")
        third_person = text != _lemmas(text).get("verb")
        return third_person != plural
    return previous_pos == "adverb" and before.text in PLACE_ADVERBS


def _is_modifier(text: str, before: Word | None, after: str) -> bool:
    """Return whether a participle modifies the noun after it: *a barking dog*, but not *a man walking dogs*."""
    if not text.endswith(("ing", "ed", "en")) or before is None:
        return False
    in_noun_phrase = before.pos in ("determiner", "adjective", "number") or before.lemma in ("wear", "have")
    return in_noun_phrase and _may_be_noun(after)


def _is_participle(text: str) -> bool:
    return text == "been" or (text.endswith(("ed", "en", "n't", "ne")) and "verb" in _lemmas(text))


def _may_be_noun(text: str) -> bool:
    closed = text in PREPOSITIONS or text in DETERMINERS or text in LINKS or text in AUXILIARIES or text in POSSESSIVES
    return not closed and (text in NOUNS or "noun" in _lemmas(text) or text in ADJECTIVES)


def main_category(spans: Sequence[tuple[str | None, int]], order: Sequence[str]) -> str | None:
    """Return the category of most spans; ties are broken by the number of changed words, then by ``order``.

    ``spans`` has the category and the number of changed words of each span. Spans without a category form a
    category of their own. Return None if that category wins, or if there are three or more categories and the best has
    only one span and less than half of the changed words.
    """
    if not spans:
        return None
    count = Counter(category for category, _ in spans)
    size = {category: sum(words for other, words in spans if other == category) for category in count}
    ranked = [*order, None]
    best = min(count, key=lambda category: (-count[category], -size[category], ranked.index(category)))
    unclear = len(count) > 2 and count[best] == 1 and 2 * size[best] < sum(size.values())
    return None if unclear else best
