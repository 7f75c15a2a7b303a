"""Pseudo-words: is it only memory? (C²Gen, section 8.1)

The verbs that decide veridical inference and the related words that decide natural inference are replaced by
pronounceable non-words, each by its own, in all their forms; labels stay.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np

from trivium.build.veridicality.natural import content_words
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.data.example import Example
from trivium.language.inflection import getAllInflections, getAllLemmas, getInflection

# Words that hold a sentence together and name nothing: no pair of them is a lexical relation.
_CLOSED = frozenset(
    """
    a an the some any no not nobody none never each every all both few several many most much more less other another
    one two three four five six seven eight nine ten first second once twice
    i you he she it we they me him her us them my your his its our their himself herself itself themselves
    someone somebody something everyone everybody everything anyone anybody anything who which that this these those
    is are was were be been being am has have had do does did can could will would may might must should
    in on at by with of from for to into onto off out over under above below behind beside near between through across
    around along against inside outside without within during before after up down upon about as than like
    and or but nor so if while when where because then there here very too just only also together apart away back
    """.split()
)
_ONSETS = "b d f g k l m n p r s t v z bl br dr fl fr gl gr kl kr pl pr sk sl sm sn sp st tr".split()
_VOWELS = "a e i o u ee oo".split()
_CODAS = "b ck d g k lk lp lt m mp n nd nk nt p rb rd rk rm rn rp rt sk sp st t ft".split()
_ENDINGS = {"NNS": "s", "VBZ": "s", "VBG": "ing", "VBD": "ed", "VBN": "ed", "JJR": "er", "RBR": "er",
            "JJS": "est", "RBS": "est"}  # fmt: skip
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, order=True)
class WordPair:
    """Two words by whose relation a natural pair is decided, as they stand in a dictionary."""

    first: str
    second: str


@dataclass(frozen=True)
class Lexicon:
    """Which non-word stands for which word, in a dictionary's form and in every other."""

    words: Mapping[str, str]
    forms: Mapping[str, str]

    def rewrite(self, text: str) -> str:
        """The text with every word of the lexicon replaced, in whichever form; articles and capitals are mended."""
        words = _WORD.findall(text)
        written = [self._rewritten(word) for word in words]
        for place, following in enumerate(words[1:]):
            if written[place] in ("an", "An") and following.lower() in self.forms:
                written[place] = written[place][0]  # non-words begin with a consonant
        return "".join(_woven(_WORD.split(text), written))

    def applied(self, example: Example) -> Example:
        """The example and its parts with their words replaced; everything else stays."""
        return replace(
            example,
            premise=self.rewrite(example.premise),
            hypothesis=None if example.hypothesis is None else self.rewrite(example.hypothesis),
            parts=tuple(map(self.applied, example.parts)),
        )

    def left_in(self, text: str) -> list[str]:
        """The words of the lexicon that a text still holds, possessives and hyphens aside."""
        return [word for word in re.split(r"\W+|_", text.lower()) if word in self.forms]

    def _rewritten(self, word: str) -> str:
        found = self.forms.get(word.lower())
        if found is None:
            return word
        return found.capitalize() if word[0].isupper() else found


def relation_pairs(examples: Iterable[Example]) -> Counter[WordPair]:
    """The related words that alone tell a hypothesis from its premise, and how many examples each pair decides."""
    return Counter(related for related in map(related_words, examples) if related is not None)


def related_words(example: Example) -> WordPair | None:
    """The two related words that alone tell the hypothesis of an example from its premise, if it is so."""
    return _one_word_apart(content_words(example.premise), content_words(example.hypothesis or ""))


def is_decided(example: Example) -> bool:
    """Whether related words or a contradiction make the label; most contradictions of SICK are denials."""
    return example.label == "contradiction" or related_words(example) is not None


def make_lexicon(examples: Iterable[Example], rng: np.random.Generator) -> Lexicon:
    """A non-word for each of the 21 verbs and for each word of a relation pair.

    No form of a non-word is an English word, a word of the examples, or a form of another non-word.
    """
    given = list(examples)
    texts = [text for example in given for row in example.rows() for text in (row.premise, row.hypothesis or "")]
    taken = {word.lower() for text in texts for word in _WORD.findall(text)}
    lemmas = dict.fromkeys(verb.lemma for verb in INFINITIVE_VERBS)
    lemmas |= dict.fromkeys(word for pair in sorted(relation_pairs(given)) for word in (pair.first, pair.second))
    made = _non_words(rng)
    words: dict[str, str] = {}
    for lemma in lemmas:
        words[lemma] = next(word for word in made if taken.isdisjoint(_all_forms(word)) and not _is_english(word))
        taken |= _all_forms(words[lemma])
    return Lexicon(words, _forms(words))


def _one_word_apart(old: list[str], new: list[str]) -> WordPair | None:
    codes = [c for c in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes() if c[0] != "equal"]
    if len(codes) != 1 or codes[0][0] != "replace" or (codes[0][2] - codes[0][1], codes[0][4] - codes[0][3]) != (1, 1):
        return None
    first, second = old[codes[0][1]], new[codes[0][3]]
    if first in _CLOSED or second in _CLOSED:
        return None
    kinds = [kind for kind in _lemmas(first) if kind in _lemmas(second)]
    if not kinds:
        return None
    one, other = _lemmas(first)[kinds[0]], _lemmas(second)[kinds[0]]
    return None if one == other or {one, other} & _CLOSED else WordPair(one, other)


@cache
def _lemmas(word: str) -> dict[str, str]:
    """The dictionary form of a word for each part of speech; that of a participle is its verb."""
    found = {kind: lemmas[0] for kind, lemmas in getAllLemmas(word).items()}
    order = ("VERB", "NOUN", "ADJ", "ADV") if word.endswith("ing") else ("NOUN", "VERB", "ADJ", "ADV")
    return {kind: found[kind] for kind in order if kind in found}


def _non_words(rng: np.random.Generator) -> Iterator[str]:
    """Pronounceable words of one or two syllables in random order: *blick*, *dorpant*."""
    short = ["".join(parts) for parts in product(_ONSETS, _VOWELS, _CODAS)]
    for place in rng.permutation(len(short)):
        yield short[place]
    while True:
        first, second = rng.integers(len(short), size=2)
        yield short[first] + short[second]


def _is_english(word: str) -> bool:
    return any(getAllLemmas(form) for form in _all_forms(word))


def _all_forms(word: str) -> set[str]:
    return {word, *(word + ending for ending in _ENDINGS.values())}


def _forms(words: Mapping[str, str]) -> dict[str, str]:
    """Each form of each word with the same form of its non-word; a form of several kinds is taken for the simplest."""
    forms: dict[str, str] = dict(words)
    verbs = {verb.lemma for verb in INFINITIVE_VERBS}
    for lemma, made in words.items():
        known = getAllInflections(lemma)
        if lemma in verbs:  # the dictionary has no "dares"
            known = {**{tag: getInflection(lemma, tag) for tag in _ENDINGS if tag.startswith("V")}, **known}
        for tag, found in known.items():
            for form in found:
                forms.setdefault(form.lower(), made + _ENDINGS.get(tag, ""))
    return forms


def _woven(between: list[str], words: list[str]) -> Iterator[str]:
    for gap, word in zip(between, [*words, ""], strict=True):
        yield gap
        yield word
