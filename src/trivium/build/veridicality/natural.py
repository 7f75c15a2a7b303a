"""Choosing natural pairs: a plain clause as premise, and a relation that is lexical or structural.

C²Gen takes SICK pairs whose inference "is based on specific semantic relations including synonymy, hyponymy,
active-passive diathesis" (section 5.1) and does not publish which; the rules here are Trivium's.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from trivium.build.veridicality.clauses import Clause, parse_clause
from trivium.data.example import Example

_NEGATION = re.compile(r"\b(?:not|no|nobody|none|never|without|isn't|aren't)\b", re.IGNORECASE)
# A negation of the whole sentence, and not of something in it ("a man with no hat").
_DENIAL = re.compile(
    r"^(?:no|nobody|none|neither)\b|^there (?:is|are) (?:no|not|nobody)\b|\b(?:is|are) not\b|n't\b", re.I
)
_PASSIVE = re.compile(r"\b(?:is|are) being \w+\b", re.IGNORECASE)
_LIGHT = frozenset(["a", "an", "the", "is", "are", "there", "some"])
_MAX_CHANGED_WORDS = 3
_MAX_CHANGED_PLACES = 2
_MIN_SHARED = 0.5


@dataclass(frozen=True)
class NaturalPair:
    """A natural pair that can be composed: the example, with its relation in its facts, and its premise's clause."""

    example: Example
    clause: Clause


def choose_natural(examples: Iterable[Example]) -> list[NaturalPair]:
    """The examples that can be composed, in order, each pair of sentences once.

    Left out are premises that are no plain clause, relations that are neither lexical nor structural, pairs whose
    label was changed by later annotators, and pairs of sentences that occur with two labels.
    """
    chosen: dict[tuple[str, ...], NaturalPair] = {}
    doubtful: set[tuple[str, ...]] = set()
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
            doubtful.add(key)
    return [pair for key, pair in chosen.items() if key not in doubtful]


def pair_key(example: Example) -> tuple[str, ...]:
    """What two pairs must share to be one inference: their sentences without articles, in either direction."""
    return tuple(sorted(" ".join(content_words(text)) for text in (example.premise, example.hypothesis or "")))


def premise_key(example: Example) -> str:
    """What the premises of two pairs must share to be one clause: their words without articles."""
    return " ".join(content_words(example.premise))


def unsoundness(example: Example) -> int:
    """How far a pair is from one that a negative verb turns around, from 0 (it does) to 3 (it does not).

    By rule ⑨ a negative verb over a contradiction entails its hypothesis: whoever refuses to open a door does not open
    it. That is so if the hypothesis denies the premise (0), and roughly so if it denies something like it (1). It is
    not so if it denies less than the premise says (2: who refuses to fry fish may fry), nor for a contrary (3: who
    refuses to open a door need not close it). Pairs with other labels are all 0.
    """
    if example.label != "contradiction":
        return 0
    hypothesis = example.hypothesis or ""
    if not _DENIAL.search(hypothesis):
        return 3
    old, new = content_words(example.premise), _without_negation(hypothesis)
    if old == new:
        return 0
    codes = {code[0] for code in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes()}
    return 2 if codes <= {"equal", "delete"} else 1


def relation_of(premise: str, hypothesis: str) -> str | None:
    """How a hypothesis comes from its premise: negation, passive, substitution, deletion, insertion, or None.

    The two must share at least half of their words, and differ in at most two places of at most three words each.
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
    if _shared(old, new) < _MIN_SHARED or len(changes) > _MAX_CHANGED_PLACES:
        return None
    if any(max(i2 - i1, j2 - j1) > _MAX_CHANGED_WORDS for _, i1, i2, j1, j2 in changes):
        return None
    if negated:
        return "negation"
    kinds = {code[0] for code in changes}
    return (
        {"delete": "deletion", "insert": "insertion"}.get(kinds.pop(), "substitution")
        if len(kinds) == 1
        else "substitution"
    )


def _without_negation(text: str) -> list[str]:
    return [word for word in content_words(text) if not _NEGATION.fullmatch(word)]


def _directed(example: Example) -> list[list[str]]:
    return [content_words(example.premise), content_words(example.hypothesis or "")]


def confirmed(example: Example) -> bool:
    """Whether later annotators kept the label, and the two directions of the pair do not contradict each other.

    A contradiction goes both ways: where SICK calls a pair neutral in one direction and a contradiction in the other,
    its annotators thought of different scenes.
    """
    corrected, first = example.fact("corrected"), example.fact("label_ab")
    if corrected is None or first is None:
        return True
    return corrected == first and (example.label == "contradiction") == (first == "contradiction")


def content_words(text: str) -> list[str]:
    """The words of a sentence in small letters, without articles and the like."""
    return [word for word in re.findall(r"[\w'-]+", text.lower()) if word not in _LIGHT]


def _shared(old: list[str], new: list[str]) -> float:
    matcher = difflib.SequenceMatcher(a=sorted(old), b=sorted(new), autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / max(len(old), len(new))
