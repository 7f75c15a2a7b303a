"""Select natural pairs: the premise is a simple clause, and the relation is lexical or structural.

C²Gen takes SICK pairs whose inference "is based on specific semantic relations including synonymy, hyponymy,
active-passive diathesis" (section 5.1), but does not publish them; the rules here are Trivium's.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from trivium.build.veridicality.clauses import Clause, parse_clause
from trivium.data.example import Example

_NEGATION = re.compile(r"\b(?:not|no|nobody|none|never|without|isn't|aren't)\b", re.IGNORECASE)
# A negation of the whole sentence, not only of a part ("a man with no hat").
_DENIAL = re.compile(
    r"^(?:no|nobody|none|neither)\b|^there (?:is|are) (?:no|not|nobody)\b|\b(?:is|are) not\b|n't\b", re.I
)
_PASSIVE = re.compile(r"\b(?:is|are) being \w+\b", re.IGNORECASE)
_FUNCTION_WORDS = frozenset(["a", "an", "the", "is", "are", "there", "some"])
_MAX_CHANGED_WORDS = 3
_MAX_CHANGED_SPANS = 2
_MIN_SHARED = 0.5
CONTRARY: Final = 3
"""How unsound rule ⑨ is for a contradiction whose hypothesis denies nothing."""


@dataclass(frozen=True)
class NaturalPair:
    """A natural pair that can be composed: the example, with the fact ``relation``, and the parsed premise."""

    example: Example
    clause: Clause


def choose_natural(examples: Iterable[Example]) -> list[NaturalPair]:
    """Return the pairs that can be composed, in order and without duplicates.

    Left out are pairs whose premise is not a simple clause, whose relation is neither lexical nor structural, whose
    label was changed by later annotators, or which occur with two labels.
    """
    chosen: dict[tuple[str, ...], NaturalPair] = {}
    ambiguous: set[tuple[str, ...]] = set()
    for example in examples:
        if example.hypothesis is None or example.label is None or not confirmed(example):
            continue
        clause = parse_clause(example.premise)
        relation = example.fact("relation") or relation_of(example.premise, example.hypothesis)
        if clause is None or relation is None:
            continue
        key = pair_key(example)
        known = chosen.get(key)
        if known is None:
            facts = tuple(sorted({**dict(example.facts), "relation": relation}.items()))
            pair = replace(example, task="natural", facts=facts)
            chosen[key] = NaturalPair(pair, clause)
        elif known.example.label != example.label and _directed(known.example) == _directed(example):
            ambiguous.add(key)
    return [pair for key, pair in chosen.items() if key not in ambiguous]


def pair_key(example: Example) -> tuple[str, ...]:
    """Return a key that identifies a pair of sentences regardless of articles and direction."""
    return tuple(sorted(" ".join(content_words(text)) for text in (example.premise, example.hypothesis or "")))


def premise_key(example: Example) -> str:
    """Return a key that identifies a premise regardless of articles."""
    return " ".join(content_words(example.premise))


def unsoundness(example: Example) -> int:
    """Return how unsound rule ⑨ is for a pair, from 0 (sound) to 3 (unsound).

    By rule ⑨, a negative verb with a contradiction entails the hypothesis: whoever refuses to open a door does not open
    it. This holds if the hypothesis denies the premise (0), and approximately if it denies something similar (1). It
    does not hold if the hypothesis denies a more general statement (2: who refuses to fry fish may still fry
    something), nor for a contrary (3: who refuses to open a door need not close it). Other labels always give 0.
    """
    if example.label != "contradiction":
        return 0
    hypothesis = example.hypothesis or ""
    if not _DENIAL.search(hypothesis):
        return CONTRARY
    old, new = content_words(example.premise), _without_negation(hypothesis)
    if old == new:
        return 0
    codes = {code[0] for code in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes()}
    return 2 if codes <= {"equal", "delete"} else 1


def relation_of(premise: str, hypothesis: str) -> str | None:
    """Return how a hypothesis differs from its premise: negation, passive, substitution, deletion, insertion, or None.

    The two must share at least half of their words, and differ in at most two spans of at most three words each.
    """
    old, new = content_words(premise), content_words(hypothesis)
    if old == new or not old or not new:
        return None
    negated = bool(_NEGATION.search(hypothesis))
    if negated:
        new = _without_negation(hypothesis)
    passive = bool(_PASSIVE.search(hypothesis))
    if passive:
        return None if negated or _shared(old, new) < _MIN_SHARED else "passive"
    changes = [
        code for code in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes() if code[0] != "equal"
    ]
    if not changes:
        return "negation" if negated else None
    if _shared(old, new) < _MIN_SHARED or len(changes) > _MAX_CHANGED_SPANS:
        return None
    if any(max(i2 - i1, j2 - j1) > _MAX_CHANGED_WORDS for _, i1, i2, j1, j2 in changes):
        return None
    if negated:
        return "negation"
    operations = {code[0] for code in changes}
    if operations == {"delete"}:
        return "deletion"
    return "insertion" if operations == {"insert"} else "substitution"


def _without_negation(text: str) -> list[str]:
    return [word for word in content_words(text) if not _NEGATION.fullmatch(word)]


def _directed(example: Example) -> list[list[str]]:
    return [content_words(example.premise), content_words(example.hypothesis or "")]


def confirmed(example: Example) -> bool:
    """Return whether later annotators kept the label, and the labels of the two directions are consistent.

    Contradiction is symmetric: where SICK labels a pair neutral in one direction and a contradiction in the other, its
    annotators had different situations in mind.
    """
    corrected, first = example.fact("corrected"), example.fact("label_ab")
    if corrected is None or first is None:
        return True
    return corrected == first and (example.label == "contradiction") == (first == "contradiction")


def content_words(text: str) -> list[str]:
    """Return the words of a sentence in lower case, without articles and other function words."""
    return [word for word in re.findall(r"[\w'-]+", text.lower()) if word not in _FUNCTION_WORDS]


def _shared(old: list[str], new: list[str]) -> float:
    matcher = difflib.SequenceMatcher(a=sorted(old), b=sorted(new), autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / max(len(old), len(new))
