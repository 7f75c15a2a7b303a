"""Pseudo-words, to test whether a model relies on memorized words (C²Gen, section 8.1).

The verbs that decide veridical inference and the related words that decide natural inference are replaced in all their
forms, each by its own pronounceable pseudo-word. So are words of negation, on request. Labels do not change.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Final

import numpy as np

from trivium.build.veridicality.natural import content_words
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.data.example import Example
from trivium.language.inflection import all_inflections, all_lemmas, inflect

# Function words are never lexically related.
_FUNCTION_WORDS = frozenset(
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
_OFFENSIVE = ("fag", "fuck", "kunt", "nig", "spik")  # the dictionary lacks them
_WORD = re.compile(r"[A-Za-z]+")
_CONTRACTION = re.compile(r"\b(is|are|was|were|do|does|did|has|have)n't\b", re.IGNORECASE)
NEGATIONS: Final = ("not", "no", "nobody", "none", "never", "somebody", "someone")
"""Words that decide most contradictions: those of negation, and what *nobody* denies."""
_DENYING = frozenset(NEGATIONS[:5])


@dataclass(frozen=True, order=True)
class WordPair:
    """The lemmas of two related words that decide a natural pair."""

    first: str
    second: str


@dataclass(frozen=True)
class Lexicon:
    """The pseudo-word of each word: ``words`` by lemma, ``forms`` by inflected form."""

    words: Mapping[str, str]
    forms: Mapping[str, str]

    def rewrite(self, text: str) -> str:
        """Replace every form of every word of the lexicon in a text, adapting articles and capitals."""
        if "not" in self.forms:
            text = _CONTRACTION.sub(r"\1 not", text)
        words = _WORD.findall(text)
        replaced = [self._replace(word) for word in words]
        for index, following in enumerate(words[1:]):
            if replaced[index] in ("an", "An") and following.lower() in self.forms:
                replaced[index] = replaced[index][0]  # pseudo-words begin with a consonant
        return "".join(_interleave(_WORD.split(text), replaced))

    def apply(self, example: Example) -> Example:
        """Return the example with the words of the lexicon replaced in it and in its parts."""
        return replace(
            example,
            premise=self.rewrite(example.premise),
            hypothesis=None if example.hypothesis is None else self.rewrite(example.hypothesis),
            parts=tuple(map(self.apply, example.parts)),
        )

    def remaining_words(self, text: str) -> list[str]:
        """Return the words of the lexicon that still occur in a text, also in possessives and hyphenated words."""
        return [word for word in re.split(r"\W+|_", text.lower()) if word in self.forms]

    def _replace(self, word: str) -> str:
        pseudo = self.forms.get(word.lower())
        if pseudo is None:
            return word
        return pseudo.capitalize() if word[0].isupper() else pseudo


def relation_pairs(examples: Iterable[Example]) -> Counter[WordPair]:
    """Count the examples that each pair of related words decides (see :func:`related_words`)."""
    return Counter(related for related in map(related_words, examples) if related is not None)


def related_words(example: Example) -> WordPair | None:
    """Return the related words that are the only difference between premise and hypothesis, or None."""
    return _replaced_words(content_words(example.premise), content_words(example.hypothesis or ""))


def is_decided(example: Example) -> bool:
    """Return whether related words decide the label, or it is contradiction (in SICK, most of these are denials)."""
    return example.label == "contradiction" or related_words(example) is not None


def decides(lexicon: Lexicon, example: Example) -> bool:
    """Return whether replaced words decide a natural pair: related words, or a negation that one sentence has."""
    if related_words(example) is not None:
        return True
    denied = [
        {word for word in _WORD.findall(_CONTRACTION.sub(r"\1 not", text.lower())) if word in _DENYING}
        for text in (example.premise, example.hypothesis or "")
    ]
    return denied[0] != denied[1] and denied[0] | denied[1] <= lexicon.forms.keys()


def make_lexicon(examples: Iterable[Example], rng: np.random.Generator, others: Sequence[str] = ()) -> Lexicon:
    """Create a pseudo-word for each of the 21 verbs, for each word of a relation pair, and for ``others``.

    No form of a pseudo-word is an English word, a word of the examples, or a form of another pseudo-word.
    """
    examples = list(examples)
    texts = [text for example in examples for row in example.rows() for text in (row.premise, row.hypothesis or "")]
    used = {word.lower() for text in texts for word in _WORD.findall(text)}
    lemmas = dict.fromkeys(verb.lemma for verb in INFINITIVE_VERBS)
    lemmas |= dict.fromkeys(word for pair in sorted(relation_pairs(examples)) for word in (pair.first, pair.second))
    lemmas |= dict.fromkeys(others)
    candidates = _pseudo_words(rng)
    words: dict[str, str] = {}
    for lemma in lemmas:
        words[lemma] = next(word for word in candidates if used.isdisjoint(_all_forms(word)) and not _is_english(word))
        used |= _all_forms(words[lemma])
    return Lexicon(words, _forms(words))


def _replaced_words(old: list[str], new: list[str]) -> WordPair | None:
    codes = [c for c in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes() if c[0] != "equal"]
    if len(codes) != 1 or codes[0][0] != "replace" or (codes[0][2] - codes[0][1], codes[0][4] - codes[0][3]) != (1, 1):
        return None
    first, second = old[codes[0][1]], new[codes[0][3]]
    if first in _FUNCTION_WORDS or second in _FUNCTION_WORDS:
        return None
    parts_of_speech = [part for part in _lemmas(first) if part in _lemmas(second)]
    if not parts_of_speech:
        return None
    lemmas = _lemmas(first)[parts_of_speech[0]], _lemmas(second)[parts_of_speech[0]]
    return None if lemmas[0] == lemmas[1] or set(lemmas) & _FUNCTION_WORDS else WordPair(*lemmas)


@cache
def _lemmas(word: str) -> dict[str, str]:
    """Return the lemma of a word for each part of speech; -ing forms are verbs first, other words nouns first."""
    lemmas = {part: lemmas[0] for part, lemmas in all_lemmas(word).items()}
    order = ("VERB", "NOUN", "ADJ", "ADV") if word.endswith("ing") else ("NOUN", "VERB", "ADJ", "ADV")
    return {part: lemmas[part] for part in order if part in lemmas}


def _pseudo_words(rng: np.random.Generator) -> Iterator[str]:
    """Yield pronounceable words of one or two syllables in random order: *blick*, *dorpant*."""
    short = ["".join(parts) for parts in product(_ONSETS, _VOWELS, _CODAS)]
    for index in rng.permutation(len(short)):
        yield short[index]
    while True:
        first, second = rng.integers(len(short), size=2)
        yield short[first] + short[second]


def _is_english(word: str) -> bool:
    return word.startswith(_OFFENSIVE) or any(all_lemmas(form) for form in _all_forms(word))


def _all_forms(word: str) -> set[str]:
    return {word, *(word + ending for ending in _ENDINGS.values())}


def _forms(words: Mapping[str, str]) -> dict[str, str]:
    """Map each form of each word to the same form of its pseudo-word. An ambiguous form has its first tag."""
    forms: dict[str, str] = dict(words)
    verbs = {verb.lemma for verb in INFINITIVE_VERBS}
    for lemma, pseudo in words.items():
        inflections = all_inflections(lemma)
        if lemma in verbs:  # the dictionary has no "dares"
            inflections = {**{tag: inflect(lemma, tag) for tag in _ENDINGS if tag.startswith("V")}, **inflections}
        for tag, inflected in inflections.items():
            for form in inflected:
                forms.setdefault(form.lower(), pseudo + _ENDINGS.get(tag, ""))
    return forms


def _interleave(gaps: list[str], words: list[str]) -> Iterator[str]:
    for gap, word in zip(gaps, [*words, ""], strict=True):
        yield gap
        yield word
