"""Denying what is left of "neither A nor B": "is not A", "A did not come", "did not deny it"."""

from __future__ import annotations

from typing import Final

from trivium.build.conjuncts.agreement import VERBAL, is_form, verb_form, verb_of
from trivium.build.conjuncts.sentence import Coordination, Span
from trivium.build.conjuncts.surface import Draft

_HAVE: Final = frozenset({"have", "has", "had"})
_BE: Final = frozenset("be been being am is are was were".split())


def deny(draft: Draft, coordination: Coordination, opener: int, kept: Span) -> bool:
    """Put a *not* where it belongs, now that *neither* (at ``opener``) is gone; False where no place is found."""
    subject_verb = verb_of(draft.sentence, coordination)
    if subject_verb is not None:
        return _negate(draft, subject_verb)
    before = _skip_adverbs(draft, opener - 1)
    word = draft.sentence.words[before] if before >= 0 else None
    if word is not None and draft.lower[before] in _HAVE and _first_verb(draft, kept) is None:
        return _negate(draft, before)
    if word is not None and (word.tag == "AUX" or draft.lower[before] == "to"):
        if draft.lower[before] == "can":
            draft.change(before, draft.texts[before] + "not")
        else:
            draft.change(opener, "not")
        return True
    first = _first_verb(draft, kept)
    if first is not None:
        return _negate(draft, first)
    if word is None:
        return False
    return _negate(draft, before) if word.tag == "VERB" else _deny_phrase(draft, before)


def affirm(draft: Draft, kept: Span) -> None:
    """Drop words that only a denial allows, once it is gone: *any* before what is kept, and *ever*."""
    if draft.lower[kept.first] == "any":
        draft.delete(Span(kept.first, kept.first + 1))
    for place, word in enumerate(draft.lower):
        if word == "ever" and draft.lower[place - 1 : place] != ["for"]:
            draft.delete(Span(place, place + 1))


def _skip_adverbs(draft: Draft, place: int) -> int:
    while place >= 0 and draft.sentence.words[place].tag == "ADV":
        place -= 1
    return place


def _first_verb(draft: Draft, kept: Span) -> int | None:
    """The verb that a conjunct begins with, but for adverbs."""
    for place in range(kept.first, kept.end):
        tag = draft.sentence.words[place].tag
        if tag in VERBAL:
            return place
        if tag != "ADV":
            return None
    return None


def _deny_phrase(draft: Draft, before: int) -> bool:
    """Behind a preposition the verb before it is denied; *with* alone becomes *without*."""
    words = draft.sentence.words
    if words[before].tag != "ADP":
        return False
    verb = _skip_adverbs(draft, before - 1)
    if verb >= 0 and words[verb].tag in VERBAL:
        return _negate(draft, verb)
    if draft.lower[before] == "with":
        draft.change(before, draft.texts[before] + "out")
        return True
    return False


def _negate(draft: Draft, verb: int) -> bool:
    """Deny a verb: its first auxiliary takes *not*; a verb without one gets *do*."""
    words, first = draft.sentence.words, verb
    place = _skip_adverbs(draft, verb - 1)
    while place >= 0 and words[place].tag == "AUX":
        first, place = place, _skip_adverbs(draft, place - 1)
    if place >= 0 and draft.lower[place] == "to":
        draft.change(place, f"not {draft.texts[place]}")
        return True
    text = draft.texts[first]
    if not text:
        return False
    helps = words[first].tag == "AUX" and not (text.lower() in _HAVE and _is_owning(draft, first))
    if helps or text.lower() in _BE:
        draft.change(first, text + "not" if text.lower() == "can" else text + " not")
        return True
    lemma = "have" if text.lower() in _HAVE else words[first].lemma.lower()
    draft.change(first, _with_do(text.lower(), lemma))
    return True


def _is_owning(draft: Draft, place: int) -> bool:
    """Whether *have* is a verb of its own: no other verb follows, but for adverbs."""
    following = (word.tag for word in draft.sentence.words[place + 1 :] if word.tag not in {"ADV", "PART"})
    return next(following, "") not in VERBAL


def _with_do(text: str, lemma: str) -> str:
    if is_form(text, lemma, "VBD"):
        return f"did not {lemma}"
    if text == lemma:
        return f"do not {lemma}"
    if text == verb_form(lemma, "VBZ"):
        return f"does not {lemma}"
    return f"not {text}"  # a participle: "showing neither"
