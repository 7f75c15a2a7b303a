"""Words with their places and a guess at their parts of speech, without any model: lists, a dictionary, neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from trivium.build.conjuncts.edges import is_mark
from trivium.build.conjuncts.sentence import CONJUNCTIONS, Word
from trivium.build.edits.reading import read_words
from trivium.build.recasting.phrases import is_form
from trivium.language.inflection import all_lemmas

_SHORT: Final = r"n['’]t\b|['’](?:s|re|m|ve|ll|d)\b"
_TOKEN: Final = re.compile(
    r"https?://\S*[\w/]|[\w.+-]+@[\w-]+\.[\w.-]+\w"  # addresses
    r"|(?:[A-Za-z]\.){2,}|(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|vs|Inc|Corp|Ltd|Co|etc|No)\.(?=\s)"  # U.S., Mr.
    r"|\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s|am|pm)?\b|[$€£#]"  # numbers
    rf"|{_SHORT}"
    r"|[^\W_]+?(?=n['’]t\b)|[^\W_]+(?:['’](?!s\b|re\b|m\b|ve\b|ll\b|d\b)[^\W_]+)*"
    r"|\.{2,}|-{2,}|([^\w\s])\1*|\S",
    re.IGNORECASE,
)
_PARTS: Final = {
    "negation": "PART",
    "number": "NUM",
    "determiner": "DET",
    "pronoun": "PRON",
    "adverb": "ADV",
    "auxiliary": "AUX",
    "preposition": "ADP",
    "link": "SCONJ",
    "adjective": "ADJ",
    "noun": "NOUN",
    "verb": "VERB",
    "mark": "PUNCT",
}
_LISTS: Final = (
    ("CCONJ", frozenset(CONJUNCTIONS) | {"&", "yet", "plus"}),
    ("DET", frozenset("a an the this these those every each some any no another both either neither all".split())),
    ("PRON", frozenset("my your his her its our their whose mine yours i you he she it we they me him us them this "
                       "who whom which what someone somebody anyone anybody something anything nothing nobody none "
                       "everything everyone everybody himself herself itself themselves myself yourself ourselves "
                       "there".split())),
    ("AUX", frozenset("am is are was were be been being isn aren wasn weren ai 'm 're 've 'll 'd ’m ’re ’ve ’ll ’d can "
                      "could will would shall should may might must ca wo do does did has have had".split())),
    ("SCONJ", frozenset("because if when while although though unless whether whereas since until that as".split())),
    ("ADV", frozenset("then also not never very too so just only still already again always often please ever now "
                      "here even however therefore thus instead later maybe perhaps almost quite rather soon "
                      "together well really how why where probably eventually finally more most less least once "
                      "back away".split())),
    ("PART", frozenset("not n't n’t to".split())),
    ("NUM", frozenset("one two three four five six seven eight nine ten eleven twelve hundred thousand "
                      "million".split())),
    ("ADJ", frozenset("many several few other own same such first second third last next new old".split())),
)  # fmt: skip
_CLOSED: Final = {word: tag for tag, words in reversed(_LISTS) for word in words}
POSSESSIVES: Final = frozenset("my your his her its our their whose".split())
"""Pronouns that stand before a noun as an article does."""

_MODALS: Final = frozenset("can could will would shall should may might must ca wo 'll ’ll to do does did".split())
_TENSED_AUX: Final = frozenset(
    "am is are was were 'm 're ’m ’re do does did has have had 've ’ve can could will would shall should may "
    "might must ca wo 'll 'd ’ll ’d".split()
)
_SUBJECTS: Final = frozenset("i you he she we they it who".split())
_SELDOM_VERBS: Final = frozenset("thanks regards guys troops tickets people".split())
_HELPERS: Final = frozenset("be is are was were am been being has have had 've 's ’ve ’s 're ’re 'm ’m".split())


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words of a sentence, their universal tags, and the Penn tags of its verbs (others may have any)."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    fine_tags: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)


def cut(text: str) -> list[tuple[int, int]]:
    """Where the words of a text begin and end."""
    return [found.span() for found in _TOKEN.finditer(text)]


def read_tokens(texts: Sequence[str]) -> Tokens:
    """The words of a sentence with their guessed tags."""
    parts = [word.pos for word in read_words(texts)]
    lower = [text.lower() for text in texts]
    tags: list[str] = []
    for place in range(len(texts)):
        before = tags[-1] if tags else ""
        tags.append(_tag(texts, lower, place, parts[place], before))
    if not {"VERB", "AUX"} & set(tags):
        _find_verb(lower, tags)
    fine = tuple(
        _fine(lower, tags, place) if tag in ("VERB", "AUX") else ("NNS" if tag == "NOUN" and _is_plural(text) else tag)
        for place, (text, tag) in enumerate(zip(lower, tags, strict=True))
    )
    return Tokens(tuple(texts), tuple(tags), fine)


def words_of(text: str) -> tuple[tuple[Word, ...], Tokens]:
    """The words of a text as the rules see them, and with their tags."""
    spans = cut(text)
    tokens = read_tokens([text[start:end] for start, end in spans])
    words = tuple(
        Word(text[start:end], start, end, tag, lemma(text[start:end], tag))
        for (start, end), tag in zip(spans, tokens.tags, strict=True)
    )
    return words, tokens


@lru_cache(maxsize=50_000)
def lemma(text: str, tag: str) -> str:
    """The plain form of a word; the word itself where the dictionary knows none."""
    if tag not in ("NOUN", "VERB", "AUX", "ADJ", "ADV") or not text.isascii() or not text.isalpha():
        return text if tag == "PROPN" else text.lower()
    found = all_lemmas(text.lower()[:40], upos=tag)
    return str(next(iter(found.values()))[0]) if found else text.lower()


def _tag(texts: Sequence[str], lower: Sequence[str], place: int, part: str, before: str) -> str:
    text = texts[place]
    behind = lower[place + 1] if place + 1 < len(lower) else ""
    if is_mark(text):
        return "PUNCT"
    if text[0].isdigit():
        return "NUM"
    if not any(letter.isalnum() for letter in text):
        return "SYM" if text not in ("'s", "’s") else "PART"
    if lower[place] in ("'s", "’s"):
        return "AUX" if before == "PRON" else "PART"
    if lower[place] == "to":
        return "PART" if is_form(behind, "VB") else "ADP"
    if _is_name(texts, place, part) or (text == "A" and (behind in CONJUNCTIONS or behind in _TENSED_AUX)):
        return "PROPN"
    if lower[place] == "that" and part != "link":
        return "SCONJ" if before in ("VERB", "NOUN", "ADJ") else "PRON"
    if lower[place] in _CLOSED:
        return _CLOSED[lower[place]]
    if part in ("noun", "adjective") and _must_be_verb(lower, place, before):
        return "VERB"
    return "NOUN" if lower[place] in _SELDOM_VERBS else _PARTS[part]


def _find_verb(lower: Sequence[str], tags: list[str]) -> None:
    """Of a sentence with no verb, the first word that may be one and stands behind a noun: "the cats sleep"."""
    for place in range(1, len(tags)):
        behind_noun = tags[place - 1] in ("NOUN", "PROPN") and tags[place] in ("NOUN", "ADJ")
        if behind_noun and lower[place] not in _SELDOM_VERBS and is_form(lower[place], "VB", "VBD", "VBZ"):
            tags[place] = "VERB"
            return


def _must_be_verb(lower: Sequence[str], place: int, before: str) -> bool:
    """Whether a word that may be a verb stands where only a verb can: "to go", "we hope", "give me"."""
    text, last = lower[place], lower[place - 1] if place else ""
    if before in ("PART", "ADV") and last != "to" and place > 1:
        last = lower[place - 2]
    if last in _MODALS or last in ("please", "let"):
        return is_form(text, "VB")
    if last in _SUBJECTS:
        return is_form(text, "VB", "VBD", "VBZ")
    behind = lower[place + 1] if place + 1 < len(lower) else ""
    begins = before in ("", "PUNCT", "CCONJ", "ADV")
    takes = _CLOSED.get(behind) in ("DET", "PRON") and behind not in _SUBJECTS - {"you", "it"}
    return begins and takes and is_form(text, "VB", "VBD", "VBZ")


def _is_name(texts: Sequence[str], place: int, part: str) -> bool:
    """Whether a word is written like a name: with a capital within a sentence, or unknown at its beginning."""
    text = texts[place]
    starts = place == 0 or texts[place - 1] in (".", "!", "?", '"', "“", ":")
    if text == "May" and not starts:
        return True
    if not text[0].isupper() or text == "I" or text.lower() in _CLOSED:
        return False
    return not starts or (part not in ("preposition", "link") and not _is_known(text.lower()))


@lru_cache(maxsize=50_000)
def _is_known(text: str) -> bool:
    return bool(text.isascii() and len(text) <= 40 and all_lemmas(text))


@lru_cache(maxsize=50_000)
def _is_plural(text: str) -> bool:
    return text.endswith("s") and not text.endswith(("ss", "us", "is"))


def _fine(lower: Sequence[str], tags: Sequence[str], place: int) -> str:
    """The form of a verb by its shape and by the verb before it."""
    text = lower[place]
    if tags[place] == "AUX":
        return {"be": "VB", "been": "VBN", "being": "VBG"}.get(
            text, "VBZ" if text in _TENSED_AUX or "s" in text else "VB"
        )
    helper = next((lower[at] for at in range(place - 1, max(-1, place - 5), -1) if tags[at] not in ("ADV", "PART")
                   or lower[at] == "to"), "")  # fmt: skip
    if text.endswith("ing"):
        return "VBG"
    if helper in _MODALS:
        return "VB"
    if is_form(text, "VBN") and (helper in _HELPERS or not is_form(text, "VBD")):
        return "VBN"
    if is_form(text, "VBN") and _is_participle(lower, tags, place):
        return "VBN"
    return next((form for form in ("VBD", "VBZ") if is_form(text, form)), "VBP")


def _is_participle(lower: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Whether a form like *based* says more about a noun: behind it, before a preposition, in a clause with a verb."""
    behind = tags[place + 1] if place + 1 < len(tags) else ""
    if behind != "ADP" or not place or tags[place - 1] not in ("NOUN", "PROPN"):
        return False
    for at in range(place - 2, max(-1, place - 12), -1):
        if tags[at] in ("CCONJ", "SCONJ", "PUNCT") or lower[at] in ("who", "which", "that"):
            return False
        if tags[at] in ("VERB", "AUX"):
            return True
    return False
