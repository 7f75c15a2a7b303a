"""The and → either/or flip (ConjNLI, section 5.1): "A and B", which entails A, becomes "either A or B", which does not.

By text rules alone, so that a flip is the same wherever it is made. What the rules are not sure of is not flipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from trivium.build.conjuncts.pairs import pairs
from trivium.build.conjuncts.parsers.light import LightParser
from trivium.build.conjuncts.reading import read_edit
from trivium.build.conjuncts.sentence import Coordination, Sentence
from trivium.data.example import Example

ENTAILMENT, NEUTRAL = "entailment", "neutral"
ENDING = "-flipped"
_WORD = re.compile(r"[^\W_]+")
_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
# With these words the two conjuncts are meant together, and "either" would make no sentence.
_JOINING = frozenset("both between respectively together each".split())
_ARTICLES = frozenset("a an the".split())
# What begins behind these is not all that the conjunction joins: "A, B and C", "from A to B and C", "one of A and B".
_BEFORE_PARTS = frozenset(", and or but nor to of".split())
_CLASSES = {"AUX": "VERB", **dict.fromkeys(("PROPN", "DET", "ADJ", "PRON", "NUM"), "NOUN")}


class Flipped(NamedTuple):
    """A pair that conjoins, and the one that tells apart: the same hypothesis, and a label that changes."""

    before: Example
    after: Example


def flips(examples: Iterable[Example]) -> list[Flipped]:
    """The pairs with entailment by a removed conjunct of *and*, each with its flipped pair, whose label is neutral."""
    found = []
    for example in examples:
        if example.label != ENTAILMENT or example.hypothesis is None:
            continue
        premise = flip(example.premise, example.hypothesis)
        if premise is not None:
            after = replace(example, id=example.id + ENDING, premise=premise, label=NEUTRAL)
            found.append(Flipped(example, after))
    return found


def flip(premise: str, hypothesis: str) -> str | None:
    """The premise with *either … or* for the *and* whose conjunct the hypothesis leaves out; None if that is unsure."""
    edit = read_edit(premise, hypothesis)
    if edit is None or edit.operation != "remove" or edit.word != "and":
        return None
    sentence = next(iter(LightParser().read([premise])))
    found = _coordination(sentence, hypothesis)
    if found is None or found.others or not _are_alike(sentence, found):
        return None  # of a list the hypothesis may keep several members, which "either" excludes
    return _either(sentence, found, _words(hypothesis))


def _coordination(sentence: Sentence, hypothesis: str) -> Coordination | None:
    """The coordination that the hypothesis leaves a part of out: by the same removal, or the only one there is."""
    wanted = _words(hypothesis)
    for pair in pairs(sentence):
        if pair.operation == "remove" and pair.conjunction == "and" and _words(pair.hypothesis) == wanted:
            return None if pair.partner is not None else pair.coordination
    places = [place for place, word in enumerate(sentence.words) if word.lower == "and"]
    there = [found for found in sentence.coordinations if found.conjunction in places]
    return there[0] if len(places) == len(there) == 1 else None


def _are_alike(sentence: Sentence, found: Coordination) -> bool:
    """Whether the conjuncts begin alike: if not, the first one may begin elsewhere (built in 1901 and closed)."""
    left, right = (sentence.words[span.first].tag for span in (found.left, found.right))
    if left == "NUM" != right and found.left.end - found.left.first == 1:
        return False
    return "ADV" in (left, right) or _CLASSES.get(left, left) == _CLASSES.get(right, right)


def _either(sentence: Sentence, found: Coordination, kept: Sequence[str]) -> str | None:
    """*Either* before the first conjunct (in place of *both*), *or* for *and*, and the verb that then agrees."""
    first = _start(sentence, found)
    changes = {found.conjunction: "or"}
    if found.opener is not None:
        changes[found.opener] = _like("either", sentence.words[found.opener].text)
    behind = found.right.end
    verb = sentence.words[behind].lower if behind < len(sentence.words) else ""
    if _SINGULAR.get(verb) in kept:
        changes[behind] = _SINGULAR[verb]
    words = [changes.get(place, word.text) for place, word in enumerate(sentence.words)]
    if first is None or any(word.lower() in _JOINING for word in words):
        return None
    if found.opener is None:
        words[first] = _opened(sentence, first)
    text, end = "", 0
    for word, new in zip(sentence.words, words, strict=True):
        text += sentence.text[end : word.start] + new
        end = word.end
    return text + sentence.text[end:]


def _start(sentence: Sentence, found: Coordination) -> int | None:
    """The place of the first conjunct, with an article that both share; None in the middle of a name or a list."""
    first = found.left.first
    inside = [sentence.words[place].text for place in range(first, found.left.end)]
    if "," in inside:
        return None
    if not first:
        return first
    before, word = sentence.words[first - 1].text, sentence.words[first].text
    if before.lower() in _ARTICLES:
        first, before = first - 1, sentence.words[first - 2].text if first > 1 else ""
    elif first > 1 and before[:1].isupper() and word[:1].isupper():
        return None
    return None if before.lower() in _BEFORE_PARTS else first


def _opened(sentence: Sentence, first: int) -> str:
    """The first word of a conjunct with *either* before it; at the start of a sentence its capital moves."""
    word = sentence.words[first]
    if first:
        return f"either {word.text}"
    keeps = word.tag == "PROPN" or word.text == "I" or word.text[1:] != word.text[1:].lower()
    return f"Either {word.text if keeps else word.text[:1].lower() + word.text[1:]}"


def _like(word: str, old: str) -> str:
    return word.capitalize() if old[:1].isupper() else word


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
