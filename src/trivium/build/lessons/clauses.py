"""Plain clauses: read from a text or drawn from ``words/clauses.toml``, and written in other tenses and polarities."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from trivium.build.lessons.kinds import cue_sets
from trivium.build.phenomena.words import pick
from trivium.language.finite import Group, read_group, word_lists, words_of
from trivium.language.inflection import inflect, lemmatize
from trivium.language.signatures import WORDS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    import numpy as np

Time = Literal["past", "present", "progressive", "past progressive"]
SUBJECT: Final = "{s}"
"""The placeholder of the subject in a form, which is *a man* in a premise and *the man* in a hypothesis."""

_MIN_WORDS, _MAX_WORDS = 4, 24
# Signs of a sentence with several clauses, a question, a negation, or a statement that is not of a fact.
_NOT_PLAIN = re.compile(
    r"\b(?:neither|nor|hardly|barely|scarcely|rarely|seldom|almost|nearly|only|there|who|which|that|because|while|when|but|"
    r"if|where|whether|until|than|so|though|although|unless|since|what|how|why|let|would|should|will|can|must|shall|"
    r"seem\w*|appear\w*|claim\w*|either|or|everyone|everybody|everything|all|every|each|most|few|to|i|you|we|me|my|your|"
    r"our)\b|[;:?!()\"“”]| [-–] ",
    re.IGNORECASE,
)
_CUED = ("negation", "hedges", "comparatives", "veridical verbs", "conditionals")
_PARTICIPLES = ("VBN", "VBD")
_MODIFIERS = re.compile(
    r"^(?:an?|one|some|another|several|many|two|three|four|five|six|seven|eight|nine|ten) (?!of\b)", re.IGNORECASE
)
_TAILS = re.compile(r" (?:in|with|wearing|of|at|on|from|near|who|by|under|behind|holding|dressed|carrying)\b.*")
_ADJECTIVES = re.compile(r"(?:young|old|elderly|tall|little|small|bearded|smiling|blond|big) ")


@dataclass(frozen=True)
class Clause:
    """A clause in the active voice: ``the mayor``, ``open``, ``the library``, in the past.

    ``again`` is the subject when it is mentioned for the second time: *the man* for *a man in a blue coat*.
    """

    subject: str
    again: str
    plural: bool
    lemma: str
    rest: str
    time: Time

    def with_subject(self, other: Clause) -> Clause:
        """Return the clause with the subject of another clause of the same time."""
        return Clause(other.subject, other.again, other.plural, self.lemma, self.rest, self.time)

    @property
    def finite(self) -> str:
        """The predicate: ``opened the library``."""
        return _joined(self._auxiliary, self._verb, self.rest)

    @property
    def affirmed(self) -> str:
        """The clause as it is: ``{s} opened the library``."""
        return f"{SUBJECT} {self.finite}"

    @property
    def negated(self) -> str:
        """The negative clause: ``{s} did not open the library``."""
        return f"{SUBJECT} {self.denied('not')}"

    def denied(self, negation: str) -> str:
        """Return the negative predicate with *not*, *n't* or *never*: ``did not open the library``."""
        if negation == "never" and not self._auxiliary:
            return _joined("never", self._verb, self.rest)
        helper = self._auxiliary or ("did" if self.time == "past" else "do" if self.plural else "does")
        helper += "n't" if negation == "n't" else f" {negation}"
        return _joined(helper, self._verb if self._auxiliary else self.lemma, self.rest)

    def with_adverb(self, adverb: str) -> str:
        """Return the predicate with an adverb: ``allegedly opened the library``, ``is allegedly opening it``."""
        return _joined(self._auxiliary, adverb, self._verb, self.rest)

    def with_modal(self, modal: str) -> str:
        """Return the predicate with a modal: ``may have opened the library``, ``may be opening it``."""
        return f"{modal} {self.infinitive}"

    @property
    def infinitive(self) -> str:
        """The infinitive with its time: ``have opened the library``, ``be opening it``, ``open it``."""
        if self.time == "past":
            return _joined("have", _form(self.lemma, "VBN"), self.rest)
        if self.time == "present":
            return self.bare
        return _joined("be" if self.time == "progressive" else "have been", _form(self.lemma, "VBG"), self.rest)

    @property
    def bare(self) -> str:
        """The bare infinitive: ``open the library``."""
        return _joined(self.lemma, self.rest)

    @property
    def gerund(self) -> str:
        """The gerund: ``opening the library``."""
        return _joined(_form(self.lemma, "VBG"), self.rest)

    @property
    def perfect(self) -> str:
        """The past perfect: ``had opened the library``."""
        return _joined("had", _form(self.lemma, "VBN"), self.rest)

    def be(self) -> str:
        """Return the form of *be* in the present that agrees with the subject."""
        return "are" if self.plural else "is"

    @property
    def _auxiliary(self) -> str:
        if self.lemma == "be" or "progressive" in self.time:
            past = self.time in ("past", "past progressive")
            return ("were" if self.plural else "was") if past else self.be()
        return ""

    @property
    def _verb(self) -> str:
        if "progressive" in self.time:
            return _form(self.lemma, "VBG")
        if self.lemma == "be":
            return ""
        if self.time == "past":
            return _form(self.lemma, "VBD")
        return self.lemma if self.plural else _form(self.lemma, "VBZ")


def read_clause(sentence: str) -> Clause | None:
    """Return the clause of a plain sentence, or None for any other sentence.

    A plain sentence is one affirmative clause in the active voice and in the past or present, without *that*, *who*,
    modal verbs or hedges. When in doubt, it is not plain.

    >>> read_clause("Two boys were painting the old fence.").negated
    '{s} were not painting the old fence'
    """
    text = " ".join(sentence.split()).rstrip(".").rstrip()
    if not _MIN_WORDS <= len(text.split()) <= _MAX_WORDS or not text[:1].isupper() or "." in text:
        return None
    if _NOT_PLAIN.search(text) or any(cue_sets()[kind].find(text) for kind in _CUED):
        return None
    words = words_of(text)
    groups = [(index, group) for index in range(1, len(words)) if (group := _finite_group(text, index)) is not None]
    if not groups or "and" in words.lower[: groups[0][1].start]:
        return None
    verb, group = groups[0]
    if any(other.start > verb for _, other in groups[1:]):
        return None
    return _clause(text, verb, group)


def _finite_group(text: str, index: int) -> Group | None:
    """Return the finite verb group that ends at ``index``, if the verb can be nothing else."""
    words, lists = words_of(text), word_lists()
    word = words.lower[index]
    is_be = word in ("is", "are", "was", "were")
    if is_be:
        after = words.lower[index + 1] if index + 1 < len(words) else ""
        if after.endswith("ing") or _is_form(after, *_PARTICIPLES):
            return None
        past = word in ("was", "were")
        return Group(index, index, "past" if past else "present", word in ("are", "were"), False, False)
    group = read_group(words, index)
    if group is None or group.negated or group.passive or not words.may_be_verb(index, group):
        return None
    if group.auxiliary in ("is", "are", "was", "were"):
        return group if word.endswith("ing") else None
    if group.auxiliary or not words.is_finite(index) or word in lists["auxiliaries"] - {"has", "had"}:
        return None
    return group


def _clause(text: str, verb: int, group: Group) -> Clause | None:
    words = words_of(text)
    subject, rest, word = words.text(0, group.start), words.text(verb + 1), words.lower[verb]
    if not subject or subject.endswith(",") or "," in subject or group.end - group.start > 1:
        return None
    lemma = "be" if word in ("is", "are", "was", "were") else next(iter(lemmatize(word, upos="VERB")), None)
    if lemma is None or (lemma == "be" and not rest) or (lemma == "have" and not rest):
        return None
    time: Time = "past" if group.past else "present"
    if group.tense == "progressive":
        time = "past progressive" if group.past else "progressive"
    if lemma == "have" and _is_form(words.lower[verb + 1], *_PARTICIPLES):
        return None
    plural = bool(group.plural) if group.plural is not None else subject.split()[-1].endswith("s")
    subject = _inside(subject)
    return Clause(subject, second_mention(subject), plural, lemma, rest, time)


def second_mention(subject: str) -> str:
    """Return a subject as it is mentioned again: *the man* for *a tall man in a blue coat*."""
    if not _MODIFIERS.match(subject):
        return subject
    if re.match(r"^(?:some|several|many|two|three|four|five|six|seven|eight|nine|ten) ", subject, re.IGNORECASE):
        return "the " + _TAILS.sub("", _MODIFIERS.sub("", subject))
    return "the " + _ADJECTIVES.sub("", _TAILS.sub("", _MODIFIERS.sub("", subject)))


def _inside(subject: str) -> str:
    """Return a subject with its first letter in lower case if the word is not a name."""
    first = subject.split()[0].lower()
    lists = word_lists()
    common = first in lists["determiners"] or first in lists["pronouns"] or lemmatize(first, "NOUN", False)
    return subject[:1].lower() + subject[1:] if common else subject


@cache
def word_bank() -> Mapping[str, Mapping[str, tuple[tuple[str, ...], ...]]]:
    """Return the words of ``words/clauses.toml``: entries by table and list, each split into its fields."""
    tables = tomllib.loads((WORDS / "clauses.toml").read_text(encoding="utf-8"))
    return {table: {name: _entries(text) for name, text in lists.items()} for table, lists in tables.items()}


def _entries(text: str) -> tuple[tuple[str, ...], ...]:
    if "|" in text:
        return tuple(tuple(field.strip() for field in line.split("|")) for line in text.strip().splitlines())
    return tuple((" ".join(entry.split()),) for entry in text.replace(",\n", ", ").split(", ") if entry.strip())


def entries(table: str, name: str) -> tuple[str, ...]:
    """Return a list of ``words/clauses.toml`` whose entries have one field."""
    return tuple(entry[0] for entry in word_bank()[table][name])


def draw_clauses(rng: np.random.Generator, count: int, pool: Sequence[Clause] = ()) -> tuple[Clause, ...]:
    """Return ``count`` clauses about one subject, with different verbs, of which neither implies another.

    The first one is from the pool with a probability of one half, if the pool has any. A clause in the progressive, as
    in captions of pictures, is followed by circumstances in the same time.
    """
    name = pick(rng, ("person", "person", "organization", "caption"))
    first = pick(rng, pool) if pool and rng.random() < 0.5 else _drawn(rng, name)
    captioned = "progressive" in first.time
    clauses = [first]
    while len(clauses) < count:
        act = pick(rng, entries("acts", "circumstance" if captioned else "person" if name == "caption" else name))
        clause = act_clause(first.subject, act, first.time).with_subject(first)
        if all(clause.lemma != other.lemma and _objects(clause).isdisjoint(_objects(other)) for other in clauses):
            clauses.append(clause)
    return tuple(clauses)


def _drawn(rng: np.random.Generator, name: str) -> Clause:
    time: Time = "progressive" if name == "caption" else "past"
    return act_clause(pick(rng, entries("subjects", name)), pick(rng, entries("acts", name)), time)


def combined(rng: np.random.Generator, clause: str, predicate: str, other: Clause, negation: str = "") -> str:
    """Return a clause together with another one about the same subject, which may be denied, in any order.

    ``predicate`` is the predicate of the clause, or empty if its subject is not that of the other clause.
    """
    second = other.denied(negation) if negation else other.finite
    link = "but" if negation else "and"
    again = other.again[:1].upper() + other.again[1:]
    repeated = clause.replace(SUBJECT, other.again)
    forms = [
        f"{SUBJECT} {second}. {repeated[:1].upper()}{repeated[1:]}",
        f"{clause}. {again} {second}",
        f"{SUBJECT} {second}, {link} {repeated}",
    ]
    if predicate:
        who = "which" if other.subject in entries("subjects", "organization") else "who"
        forms += [
            f"{SUBJECT} {second}, {link} {predicate}",
            f"{SUBJECT}, {who} {predicate}, {second}",
            f"{SUBJECT}, {who} {second}, {predicate}",
        ]
    return pick(rng, forms)


def _objects(clause: Clause) -> set[str]:
    return {word for word in re.findall(r"[a-z]+", clause.rest.lower()) if len(word) > 4}


def act_clause(subject: str, act: str, time: Time = "past") -> Clause:
    """Return the clause of a subject and an act of the word bank, such as *open the new library*."""
    lemma, _, rest = act.partition(" ")
    return Clause(subject, second_mention(subject), subject == "the police", lemma, rest, time)


def read_clauses(texts: Iterable[str]) -> tuple[Clause, ...]:
    """Return the clauses of the plain sentences of texts, each once."""
    parts = (part for text in texts for part in re.split(r"(?<=[.!?])\s+", text))
    return tuple(dict.fromkeys(clause for part in parts if (clause := read_clause(part)) is not None))


def written(form: str, subject: str) -> str:
    """Return a form with a subject, as a sentence."""
    text = form.replace(SUBJECT, subject)
    return f"{text[0].upper()}{text[1:]}."


@cache
def _form(lemma: str, tag: str) -> str:
    forms = inflect(lemma, tag)
    return _PREFERRED.get((lemma, tag)) or (forms[0] if forms else lemma)


_PREFERRED = {
    ("learn", "VBD"): "learned", ("learn", "VBN"): "learned", ("bid", "VBD"): "bid", ("hang", "VBD"): "hung",
    ("hang", "VBN"): "hung", ("ring", "VBD"): "rang", ("ring", "VBN"): "rung", ("lie", "VBD"): "lied",
    ("lie", "VBN"): "lied", ("lie", "VBG"): "lying", ("prove", "VBN"): "proved", ("wake", "VBD"): "woke",
    ("leave", "VBD"): "left", ("leave", "VBN"): "left", ("cancel", "VBD"): "cancelled", ("cancel", "VBN"): "cancelled",
    ("cancel", "VBG"): "cancelling", ("travel", "VBD"): "travelled", ("travel", "VBN"): "travelled",
    ("travel", "VBG"): "travelling", ("quarrel", "VBD"): "quarrelled", ("quarrel", "VBN"): "quarrelled",
    ("quarrel", "VBG"): "quarrelling", ("bet", "VBD"): "bet", ("sew", "VBN"): "sewn", ("mow", "VBN"): "mown",
}  # fmt: skip


@cache
def _is_form(word: str, *tags: str) -> bool:
    lemmas = lemmatize(word, upos="VERB", lemmatize_oov=False) if word.isalpha() else ()
    return any(word in inflect(lemma, tag) for lemma in lemmas for tag in tags)


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
