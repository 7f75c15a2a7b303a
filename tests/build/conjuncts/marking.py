"""Sentences for tests, written with their conjuncts in brackets: ``[The cat] and [the dog] are here.``

A bracket may hold brackets. Parts of speech are guessed from small lists and a dictionary; ``word/TAG`` overrides the
guess. Conjuncts of one coordination stand at one depth, next to each other but for commas and the conjunction.
"""

from __future__ import annotations

import re

from lemminflect import getAllLemmas, getLemma

from trivium.build.conjuncts.sentence import CONJUNCTIONS, OPENERS, Coordination, Name, Sentence, Span, Word

_TAGS = {
    "DET": "the a an this that these those some any no each every both either neither all another many several",
    "AUX": "is are was were be been am has have had can could will would may might must should do does did",
    "ADP": "in on at of with by from for to into near between under over around without about as until behind",
    "PRON": "i you he she it we they who which him her them us his its their our my your me there himself",
    "CCONJ": "and or but nor",
    "SCONJ": "that because whether if when while",
    "NUM": "one two three four five six seven eight nine ten",
    "ADV": "not only also just never ever often then later now quickly respectively here always very together",
    "PART": "n't 's '",
}
_CLOSED = {word: tag for tag, words in _TAGS.items() for word in words.split()}
_TOKEN = re.compile(r"\[|\]|n't|'s|[^\W_]+(?=n't)|[^\W_]+(?:[.,]\d+)*(?:-\w+)*(?:/[A-Z]+)?|[^\w\s]")


def marked(text: str, **names: str) -> Sentence:
    """The sentence of a marked text; names are given by their kinds: ``PERSON="Ada Holm"``."""
    words: list[Word] = []
    plain, open_at, groups = "", [], {}
    last = 0
    for match in _TOKEN.finditer(text):
        plain += text[last : match.start()]
        last = match.end()
        token = match.group()
        if token == "[":
            open_at.append(len(words))
        elif token == "]":
            groups.setdefault(len(open_at), []).append(Span(open_at.pop(), len(words)))
        else:
            word, _, tag = token.partition("/") if len(token) > 1 else (token, "", "")
            plain += word
            words.append(_word(word, tag, len(plain) - len(word), words))
    plain += text[last:]
    found = [found for spans in groups.values() for found in _coordinations(words, spans)]
    named = tuple(_name(plain, words, name, kind) for kind, name in names.items())
    return Sentence(plain, tuple(words), tuple(sorted(found, key=lambda each: each.conjunction)), named)


def _word(text: str, tag: str, start: int, before: list[Word]) -> Word:
    tag = tag or _guess(text, before)
    lemma = {"AUX": "VERB"}.get(tag, tag)
    lemmas = getLemma(text.lower(), upos=lemma) if lemma in {"NOUN", "VERB", "ADJ"} else ()
    return Word(text, start, start + len(text), tag, lemmas[0] if lemmas else text.lower())


def _guess(text: str, before: list[Word]) -> str:
    lower = text.lower()
    if not text[0].isalnum() and lower not in {"'s"}:
        return "PUNCT"
    if lower in _CLOSED:
        return _CLOSED[lower]
    if text[0].isdigit():
        return "NUM"
    if text[0].isupper() and before:
        return "PROPN"
    known = getAllLemmas(lower)
    last = before[-1].tag if before else ""
    if last in {"DET", "ADP", "NUM", "ADJ"} or (last == "PRON" and before[-1].text.lower() in {"his", "its", "their"}):
        return "ADJ" if "ADJ" in known and "NOUN" not in known else "NOUN"
    order = ("VERB", "NOUN", "ADJ", "ADV") if last in {"NOUN", "PROPN", "PRON"} else ("ADJ", "NOUN", "VERB", "ADV")
    return next((tag for tag in order if tag in known), "PROPN")


def _coordinations(words: list[Word], spans: list[Span]) -> list[Coordination]:
    found, parts = [], []
    for span in spans:
        gap = words[parts[-1].end : span.first] if parts else []
        if not gap or len(gap) > 4 or any(word.tag not in {"CCONJ", "PUNCT", "ADV"} for word in gap):
            parts = []
        places = (
            [place for place in range(parts[-1].end, span.first) if parts and words[place].text in CONJUNCTIONS]
            if parts
            else []
        )
        if places:
            first = parts[0].first
            opener = first - 1 if first and words[first - 1].text.lower() in OPENERS else None
            found.append(Coordination(places[0], parts[-1], span, opener, tuple(parts[:-1])))
        parts.append(span)
    return found


def _name(plain: str, words: list[Word], name: str, kind: str) -> Name:
    start = plain.index(name)
    inside = [place for place, word in enumerate(words) if start <= word.start and word.end <= start + len(name)]
    return Name(Span(inside[0], inside[-1] + 1), kind)
