"""Where a coordination stands: what is before it, its verb, and whether it is denied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trivium.build.conjuncts.agreement import is_form, verb_of
from trivium.build.conjuncts.lexicon import CLAUSES
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.reading import is_denial
from trivium.build.conjuncts.sentence import Word

BE: Final = frozenset("is are am be been being".split())
"""Forms of *be* that are not past."""

_COMPLEMENTS: Final = frozenset({"that", "if", "whether", "unless"})  # what they open is denied with their verb
_BREAKS: Final = (CLAUSES - _COMPLEMENTS) | {";"}
NEAR: Final = 3
FAR: Final = 10
"""So many words away is near, and far."""

REACH: Final = 8
"""So many words a denial reaches."""

NEGATIVE: Final = frozenset(
    "only neither deny doubt refuse fail forget lack avoid prevent hardly rarely seldom barely if unless except "
    "unlikely impossible improbable false untrue".split()
)
"""Words, as lemmas, under which what holds of one thing need not hold of two."""


def words_before(pair: Pair, place: int, most: int) -> list[Word]:
    """At most so many words before a place, the nearest first."""
    return list(reversed(pair.sentence.words[max(0, place - most) : place]))


def subject_verb(pair: Pair) -> Word | None:
    """The verb behind a coordination that is its subject."""
    place = verb_of(pair.sentence, pair.coordination)
    return None if place is None or place < pair.coordination.conjunction else pair.sentence.words[place]


def is_past(pair: Pair, place: int) -> bool:
    """Whether a verb tells what happened: no participle behind *be*."""
    word = pair.sentence.words[place]
    lower, lemma = word.lower, word.lemma.lower()
    if word.tag != "VERB" or lower == lemma or not is_form(lower, lemma, "VBD"):
        return False
    helper = next((one for one in words_before(pair, place, NEAR) if one.tag not in {"ADV", "PART"}), None)
    return helper is None or helper.lower not in BE


def is_singular(verb: Word) -> bool:
    """Whether a verb has the form for one."""
    lower, lemma = verb.lower, verb.lemma.lower()
    return lower in {"is", "was", "has"} or (lower != lemma and is_form(lower, lemma, "VBZ"))


def _is_few(near: Sequence[Word], place: int) -> bool:
    """Whether one of the words before a place, the nearest first, is *few* or *little*, and not of *a few*."""
    word, before = near[place], near[place + 1 : place + 2]
    return word.lower in {"few", "little"} and word.tag != "PROPN" and [one.lower for one in before] != ["a"]


def is_denied(pair: Pair, place: int) -> bool:
    """Whether a word that denies, or *only*, stands near before a place, in its clause."""
    near = words_before(pair, place, REACH)
    if len(near) > 1 and near[0].lower == "but" and near[1].tag in {"NOUN", "PRON", "PROPN"}:
        return True
    listed = False
    for place, word in enumerate(near):
        lower = word.lower
        if lower == "only":
            return True
        negative = is_denial(lower) or lower in NEGATIVE or word.lemma.lower() in NEGATIVE
        if not listed and (negative or _is_few(near, place)):
            return True
        listed = listed or lower == ","  # "only A, B and C", of which A may not be found
        if lower in _BREAKS or (listed and word.tag in {"VERB", "AUX"}):
            return False
    return False
