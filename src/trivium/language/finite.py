"""Verb groups, and infinitives made finite: *did not manage to play* and *to play* give *played*."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, Literal

from trivium.language.animacy import ANIMATE
from trivium.language.inflection import all_lemmas, inflect, lemmatize
from trivium.language.signatures import WORDS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Tense = Literal["present", "past", "modal", "perfect", "progressive", "gerund"]
_BE: Final = frozenset("am is are was were be been being 's 're 'm isn't aren't wasn't weren't".split())
_HAVE: Final = frozenset("have has had 've haven't hasn't hadn't".split())
_DO: Final = frozenset("do does did don't doesn't didn't".split())
_PAST: Final = frozenset("was were did had wasn't weren't didn't hadn't".split())
_SINGULAR: Final = frozenset("is was has does isn't wasn't hasn't doesn't 's".split())
_IRREGULAR_BE: Final = {
    ("present", False): "is", ("present", True): "are", ("past", False): "was", ("past", True): "were",
}  # fmt: skip


@cache
def word_lists() -> dict[str, frozenset[str]]:
    """Return the closed-class words of ``words/grammar.toml``, by the name of their list."""
    lists = tomllib.loads((WORDS / "grammar.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in lists.items()}


@dataclass(frozen=True)
class Group:
    """A verb with its auxiliaries and adverbs: *has never been told*. ``end`` is the index of the verb.

    ``plural`` is None if the form does not tell. ``auxiliary`` is the first auxiliary, or an empty text.
    """

    start: int
    end: int
    tense: Tense
    plural: bool | None
    negated: bool
    passive: bool
    auxiliary: str = ""

    @property
    def past(self) -> bool:
        """Whether the group is in the past tense."""
        return self.tense == "past" or self.auxiliary in _PAST


@dataclass(frozen=True)
class Words:
    """The words of a sentence, as written and in lower case without punctuation."""

    sentence: str
    written: tuple[str, ...]
    lower: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.lower)

    def __getattr__(self, name: str) -> frozenset[str]:
        lists = word_lists()
        if name not in lists:
            raise AttributeError(name)
        return lists[name]

    def text(self, start: int, end: int | None = None) -> str:
        """Return the words of a span as written."""
        return " ".join(self.written[start:end])

    def skip_adverbs(self, index: int) -> int:
        """Return the index of the last word at or before ``index`` that is neither an adverb nor a negation."""
        while index > 0 and self.is_adverb(index):
            index -= 1
        return index

    def is_adverb(self, index: int) -> bool:
        """Return whether a word is an adverb or a negation."""
        word = self.lower[index]
        if word in self.adverbs or word in self.negations:
            return True
        if word in self.adjectives_to:  # likely
            return False
        return word.endswith("ly") and len(word) > 3 and not _forms(word, "VB")

    def is_finite(self, index: int) -> bool:
        """Return whether a word is an auxiliary or a finite verb that cannot be a noun: *is*, *owns*, *went*."""
        word = self.lower[index]
        if word in self.auxiliaries:
            return True
        return bool(_forms(word, "VBZ", "VBD")) and "NOUN" not in _parts(word) and "ADJ" not in _parts(word)

    def is_modifier(self, index: int) -> bool:
        """Return whether a participle modifies the noun after it: *chopped vegetables*."""
        after = self.lower[index + 1] if index + 1 < len(self) else ""
        return (
            _forms(self.lower[index], "VBN") and self.lower[index] not in self.auxiliaries and "NOUN" in _parts(after)
        )

    def is_boundary(self, index: int) -> bool:
        """Return whether a clause ends before or after a word: it has a comma, or joins clauses."""
        return self.written[index][-1:] in ",;:" or self.lower[index] in ("that", "to", "and", "but", "because", "if")

    def in_relative(self, verb: int) -> bool:
        """Return whether a verb at this index is the verb of a relative clause."""
        start = next((i for i in range(verb - 1, -1, -1) if self._opens_relative(i)), None)
        if start is None:
            return False
        return not any(self.is_finite(i) or self._is_plain_verb(i) for i in range(start + 1, verb))

    def _opens_relative(self, index: int) -> bool:
        if self.lower[index] in self.relatives:
            return index > 0
        after = index + 1 < len(self) and self.is_finite(index + 1)
        return self.lower[index] == "that" and index > 0 and after

    def _is_plain_verb(self, index: int) -> bool:
        """Return whether a noun or adjective in form is more likely a verb, since no phrase is open before it."""
        word, before = self.lower[index], self.lower[index - 1]
        return bool(_forms(word, "VBZ", "VBD")) and (before in self.relatives or before == "that")

    def base_verb(self, index: int) -> int | None:
        """Return the index of the infinitive after a *to*, behind adverbs, or None if there is none."""
        while index < len(self) and self.is_adverb(index):
            index += 1
        if index >= len(self):
            return None
        word = self.lower[index]
        if word in self.determiners or word in self.pronouns:
            return None
        if all_lemmas(word):
            return index if _forms(word, "VB") else None
        return index if word.isalpha() and self.written[index].islower() else None

    def caused_verb(self, index: int) -> int | None:
        """Return the index of the verb in *make x VERB*: the first bare infinitive after a noun phrase."""
        candidates = []
        for verb in range(index + 2, len(self)):
            word, before = self.lower[verb], self.lower[verb - 1]
            after = self.lower[verb + 1] if verb + 1 < len(self) else ""
            if before in self.determiners or before in self.prepositions or before == "and" or not _forms(word, "VB"):
                continue
            animate = not ANIMATE.isdisjoint((before, *lemmatize(before, upos="NOUN"))) or before in self.pronouns
            if (word in ANIMATE and not animate) or word in self.prepositions | self.adverbs or word == "to":
                continue
            follows = after in self.determiners | self.prepositions | self.pronouns | self.particles or after == "to"
            certain = 3 * animate + 2 * ("NOUN" not in _parts(word))
            certain += not after or follows or self.is_adverb(verb + 1)
            candidates.append((-certain, verb))
        return min(candidates)[1] if candidates else None

    def starts_phrase(self, index: int) -> bool:
        """Return whether a noun phrase may start at ``index``."""
        if index >= len(self):
            return False
        word = self.lower[index]
        if word in self.determiners or word in self.pronouns or self.written[index][:1].isupper():
            return True
        return word not in self.prepositions and "NOUN" in _parts(word)

    def has_control_noun(self, index: int) -> bool:
        """Return whether a phrase such as *the chance* starts at ``index``."""
        phrase = self.lower[index : index + 2]
        return len(phrase) == 2 and phrase[0] in self.determiners and phrase[1] in self.control_nouns

    def may_be_unknown_verb(self, index: int, group: Group) -> bool:
        """Return whether a word that no dictionary has stands where a verb can: after a subject, in a verb's form."""
        word = self.lower[index]
        if all_lemmas(word) or not word.isalpha() or not self.written[index].islower() or not group.start:
            return False
        before = self.lower[group.start - 1]
        parts = _parts(before)
        if before == "it":
            return True
        if before in self.determiners or before in self.prepositions or ("ADJ" in parts and "NOUN" not in parts):
            return False
        return bool(group.auxiliary) or word.endswith(("s", "ed", "ing")) or _is_plural(self, 0, group.start)

    def may_be_verb(self, index: int, group: Group) -> bool:
        """Return whether a word that can be a noun stands where a verb can: not after a determiner."""
        if index == 0:
            return False
        before = self.lower[group.start - 1] if group.start else ""
        return not (before in self.determiners and before not in ("that", "one", "some", "all") and not group.auxiliary)


@lru_cache(maxsize=4096)
def words_of(sentence: str) -> Words:
    """Return the words of a sentence, without its full stop."""
    written = tuple(sentence.strip().rstrip(".!?").split())
    return Words(sentence, written, tuple(word.lower().strip(',;:"“”()’‘') for word in written))


def read_group(words: Words, verb: int) -> Group | None:
    """Return the verb group that ends with the verb at ``verb``, or None if no verb can stand there."""
    lists = word_lists()
    start = verb
    while start > 0 and (words.is_adverb(start - 1) or words.lower[start - 1] in lists["auxiliaries"]):
        start -= 1
    while start < verb and words.is_adverb(start) and words.lower[start] not in lists["negations"]:
        start += 1
    before = words.lower[start:verb]
    negated = any(word in lists["negations"] or word.endswith("n't") for word in before)
    auxiliaries = [word for word in before if word in lists["auxiliaries"]]
    word = words.lower[verb]
    if not auxiliaries:
        return _plain_group(words, start, verb, word, negated)
    first, last = auxiliaries[0], auxiliaries[-1]
    gerund = word.endswith("ing")
    passive = last in _BE and not gerund
    plural = None if first in lists["modals"] or first in ("did", "had", "didn't", "hadn't") else first not in _SINGULAR
    tense: Tense = "present"
    if first in lists["modals"]:
        tense = "modal"
    elif first in _HAVE or (first == "'s" and _forms(word, "VBN") and not passive and not gerund):
        tense = "perfect"
    elif first in _BE and gerund:
        tense = "progressive"
    elif first in _PAST:
        tense = "past"
    return Group(start, verb, tense, plural, negated, passive, first)


def _plain_group(words: Words, start: int, verb: int, word: str, negated: bool) -> Group | None:
    """Return the group of a verb without auxiliaries. A form that is past and present (*put*) is taken for past."""
    tense: Tense | None = None
    plural: bool | None = None
    if _forms(word, "VBD"):
        tense = "past"
    elif _forms(word, "VBZ"):
        tense, plural = "present", False
    elif _forms(word, "VBG"):
        tense = "gerund"
    elif _forms(word, "VB", "VBP"):
        tense, plural = "present", True
    elif not all_lemmas(word) and word.isalpha():  # a word that no dictionary has
        if word.endswith("ed") and not word.endswith("eed"):
            tense = "past"
        else:
            tense, plural = "present", not word.endswith("s")
    return None if tense is None else Group(start, verb, tense, plural, negated, passive=False)


def finite_clause(
    words: Words, subject: tuple[int, int], group: Group, base: int, progressive: bool | None
) -> str | None:
    """Return the infinitive at ``base`` as a clause with the subject of this span, in the tense of the verb group."""
    start, end = subject
    own = start == 0 and end == group.start
    subject_text = words.text(start, end)
    plural = group.plural if own and group.plural is not None else _is_plural(words, start, end)
    if not own:
        subject_text = _nominative(subject_text, words)
    adverbs = words.text(_after_to(words, base), base)
    verb = _finite_verb(words, group, base, plural, own, progressive, subject_text)
    if verb is None:
        return None
    if not own and start > group.start and not subject_text:
        return None
    finite, rest = verb
    parts = (subject_text, *(_with_adverbs(finite, adverbs)), words.text(rest))
    return " ".join(part for part in parts if part)


def _with_adverbs(finite: str, adverbs: str) -> tuple[str, ...]:
    """Return a finite verb with its adverbs, which follow its auxiliary: *is slowly eating*."""
    first, _, others = finite.partition(" ")
    if not adverbs:
        return (finite,)
    return (first, adverbs, others) if others else (adverbs, finite)


def _after_to(words: Words, base: int) -> int:
    index = base
    while words.is_adverb(index - 1) and words.lower[index - 1] != "to":
        index -= 1
    return index


def _finite_verb(
    words: Words, group: Group, base: int, plural: bool, own: bool, progressive: bool | None, subject: str
) -> tuple[str, int] | None:
    """Return the finite form of the infinitive at ``base``, and the index of the word after it."""
    lemma, rest = words.written[base].lower(), base + 1
    if lemma == "have" and rest < len(words) and _forms(words.lower[rest], "VBN") and words.lower[rest] != "to":
        have = "had" if group.past else "have" if plural else "has"  # to have seen
        return f"{have} {words.written[rest]}", rest + 1
    if group.tense == "gerund":
        return (_form(lemma, "VBG"), rest) if own else None
    if group.tense == "modal":
        return f"{group.auxiliary.replace('cannot', 'can')} {lemma}", rest
    if group.tense == "perfect":
        have = "had" if group.past else "have" if plural else "has"
        return f"{have} {_form(lemma, 'VBN')}", rest
    tense = "past" if group.past else "present"
    stative = lemma in words.stative
    if progressive is None:
        progressive = tense == "present" and subject.lower().split(" ")[0] in words.indefinites
    if group.tense == "progressive" and own:
        progressive = True
    if progressive and not stative:
        return f"{_be(tense, plural, subject)} {_form(lemma, 'VBG')}", rest
    if lemma == "be":
        return _be(tense, plural, subject), rest
    if tense == "past":
        return _form(lemma, "VBD"), rest
    return (lemma if plural or subject.lower() == "i" else _form(lemma, "VBZ")), rest


def _be(tense: str, plural: bool, subject: str) -> str:
    if subject.lower() == "i":
        return "am" if tense == "present" else "was"
    return _IRREGULAR_BE[tense, plural]


def _is_plural(words: Words, start: int, end: int) -> bool:
    """Return whether a noun phrase is plural, by its first word, its conjunctions and its head."""
    phrase = list(words.lower[start:end])
    if not phrase:
        return False
    if phrase[0] in words.plural_subjects or phrase[-1] in words.plural_subjects or "them" in phrase[:1]:
        return True
    if phrase[:2] == ["a", "few"]:
        return True
    if any(first == "and" and second in words.determiners for first, second in pairwise(phrase)):
        return True
    if phrase[0] in ("a", "an", "one", "this", "each", "every", "another", "someone", "it", "he", "she", "i"):
        return False
    if phrase[0] in ("two", "three", "four", "five", "six", "several", "many", "most", "few", "both", "some", "all"):
        return True
    head_end = next((i for i, word in enumerate(phrase) if i and word in words.prepositions), len(phrase))
    head = phrase[head_end - 1]
    lemmas = lemmatize(head, upos="NOUN", lemmatize_oov=False)
    if not all_lemmas(head) and head.endswith("s"):
        return True
    return any(head in inflect(lemma, "NNS") and head != lemma for lemma in lemmas) or "and" in phrase


def _nominative(subject: str, words: Words) -> str:
    forms = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
    return forms.get(subject.lower(), subject)


@cache
def _form(lemma: str, tag: str) -> str:
    if not all_lemmas(lemma):  # pseudo-words are inflected without changes of spelling
        return lemma + {"VBG": "ing", "VBZ": "s", "VBD": "ed", "VBN": "ed"}[tag]
    forms: Sequence[str] = inflect(lemma, tag)
    return forms[0] if forms else lemma


@cache
def _parts(word: str) -> frozenset[str]:
    return frozenset(all_lemmas(word))


@cache
def _forms(word: str, *tags: str) -> bool:
    """Return whether a word is a form of a known verb with one of these tags."""
    lemmas = lemmatize(word, upos="VERB", lemmatize_oov=False) if word.isalpha() else ()
    return any(word in inflect(lemma, tag) for lemma in lemmas for tag in tags)
