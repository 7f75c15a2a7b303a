"""The corrections themselves with other content words: the template stays, and so does the label.

A word or predicate is replaced only if both sides have it, and then everywhere, so that no relation between the sides
changes. Cues are never replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trivium.build.conjuncts.wordnet import wordnet
from trivium.build.edits.reading import read_words
from trivium.build.lessons.clauses import Clause, draw_clauses, entries, read_clause
from trivium.build.lessons.generation import Request, generator
from trivium.build.lessons.kinds import cue_sets
from trivium.build.lessons.scenes import Draft
from trivium.build.phenomena.words import MEN, PEOPLE, WOMEN, pick
from trivium.data.example import Example
from trivium.language.difference import words
from trivium.language.inflection import inflect

if TYPE_CHECKING:
    import numpy as np

_ROUNDS = 60  # variants of each correction
_SWAPPED = 0.8  # how often a word that can be replaced is replaced
_PARTICIPLE = "have "
TEMPLATE = "template"
"""The cue of these pairs: labels are balanced over all of them, because a template has one label only."""
Sides = tuple[str, str]


@generator("templates", about="the corrections with other names, nouns and predicates")
def templates(request: Request, rng: np.random.Generator) -> Iterator[Draft]:
    """Yield the corrections with other words, the same ones on both sides."""
    usable = [example for example in request.corrections if example.label and example.hypothesis]
    prepared = [(example, _choices(example)) for example in usable]
    for _ in range(_ROUNDS):
        for example, choices in prepared:
            sides = example.premise, example.hypothesis or ""
            if (clause := read_clause(sides[1])) is not None and rng.random() < _SWAPPED:
                sides = _with_other_predicate(sides, clause, rng)
            for word, others in choices.items():
                if rng.random() < _SWAPPED:
                    other = pick(rng, others)
                    sides = _replaced(sides[0], word, other), _replaced(sides[1], word, other)
            if sides[0] != example.premise:
                yield Draft(*sides, str(example.label), TEMPLATE, example.id, example.id)


def _with_other_predicate(sides: Sides, clause: Clause, rng: np.random.Generator) -> Sides:
    """Return the sides with another predicate, if the premise has that of the hypothesis in some form."""
    premise, hypothesis = sides
    other = next((new for new in draw_clauses(rng, 3) if new.time == clause.time), None)
    if other is None or clause.lemma == "be":
        return sides
    other = other.with_subject(clause)
    pairs = ((clause.finite, other.finite), (_participle(clause), _participle(other)), (clause.gerund, other.gerund),
             (clause.bare, other.bare))  # fmt: skip
    for old, new in pairs:
        if old and len(re.findall(rf"\b{re.escape(old)}\b", premise)) == 1:
            return premise.replace(old, new), hypothesis.replace(clause.finite, other.finite)
    return sides


def _participle(clause: Clause) -> str:
    return clause.infinitive.removeprefix(_PARTICIPLE) if clause.time == "past" else ""


def _choices(example: Example) -> dict[str, tuple[str, ...]]:
    """Return the words that both sides have and that can be replaced, each with what can stand for it."""
    sides = example.premise, example.hypothesis or ""
    first, second = ({word.text: word for word in read_words(words(text))} for text in sides)
    cues = {word for each in cue_sets().values() for text in sides for cue in each.find(text) for word in cue.split()}
    shared = [word for text, word in first.items() if text in second and text not in cues]
    found = {word.text: others for word in shared if word.pos == "noun" and (others := _nouns(word.text, word.lemma))}
    return {**found, **{name: _people(name) for name in PEOPLE if all(_has(side, name) for side in sides)}}


def _has(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


def _nouns(text: str, lemma: str) -> tuple[str, ...]:
    """Return nouns of the same kind, in the same number."""
    siblings = wordnet().siblings(lemma, "NOUN")
    for name in ("person", "organization"):
        listed = [entry.removeprefix("the ") for entry in entries("subjects", name) if re.fullmatch(r"the \w+", entry)]
        if lemma in listed:
            siblings = tuple(other for other in listed if other not in (lemma, "police"))
    forms = (inflect(word, "NN" if text == lemma else "NNS") for word in siblings)
    return tuple(dict.fromkeys(form[0] for form in forms if form))


def _people(name: str) -> tuple[str, ...]:
    return tuple(other for other in (WOMEN if name in WOMEN else MEN) if other != name)


def _replaced(text: str, word: str, other: str) -> str:
    """Return a text with a word replaced everywhere, with its capital letter and a fitting article."""

    def replacement(match: re.Match[str]) -> str:
        article, found = match.group(1) or "", match.group(2)
        if article:
            fitting = "an" if other[0].lower() in "aeio" else "a"
            article = (fitting.capitalize() if article[0].isupper() else fitting) + " "
        return article + (other.capitalize() if found[0].isupper() else other)

    return re.sub(rf"\b(an? )?({re.escape(word)})\b", replacement, text, flags=re.IGNORECASE)
