"""Taking one conjunct out of a sentence, with all that belongs to it: the conjunction, its opener, its commas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from trivium.build.conjuncts.agreement import BE, NOMINAL, VERBAL, agree, is_plural, singular
from trivium.build.conjuncts.lexicon import BEFORE_DENIED, MONTHS
from trivium.build.conjuncts.neither import affirm, deny
from trivium.build.conjuncts.sentence import Coordination, Sentence, Span
from trivium.build.conjuncts.shape import own_end, own_starts
from trivium.build.conjuncts.surface import Draft, balanced

SIDES: Final = ("left", "right")
_MONTHS: Final = frozenset(month.lower() for month in MONTHS)
_LINKING: Final = frozenset({"also", "rather"})  # adverbs that point back to what is gone
_MERELY: Final = frozenset({"only", "just", "merely", "simply"})
_MARKS: Final = frozenset("\"'”’)]")
_YEAR_DIGITS: Final = 4


class Removal(NamedTuple):
    """A sentence without a conjunct; of "neither A nor B", whether the denial is kept ("not A") or lost ("A")."""

    text: str
    denial: str = ""


def removals(sentence: Sentence, coordination: Coordination, side: str) -> Iterator[Removal]:
    """The sentence without a conjunct of a shaped coordination: one text, two of "neither A nor B", or none."""
    conjunction = sentence.words[coordination.conjunction].lower
    opener = coordination.opener
    neither = opener is not None and sentence.words[opener].lower == "neither"
    for denial in ("kept", "lost") if neither else ("",):
        if side == "left" and not neither and not _may_lose_left(sentence, coordination, conjunction):
            continue
        starts = own_starts(sentence, coordination) if side == "left" else [coordination.left.first]
        for start in starts:
            text = _without(sentence, coordination, side, denial, start)
            if text:
                yield Removal(text, denial)


def _without(sentence: Sentence, coordination: Coordination, side: str, denial: str, start: int) -> str:
    """The text without one conjunct; where brackets or quotes would lose their partner, the spans are widened."""
    whole = balanced(sentence.text)
    for candidate in _widened(sentence, coordination):
        draft = Draft(sentence)
        if not cut(draft, candidate, side, denial, start):
            return ""
        text = draft.text()
        if text and (balanced(text) or not whole):
            return text
    return ""


def _widened(sentence: Sentence, coordination: Coordination) -> Iterator[Coordination]:
    yield coordination
    left, right = coordination.left, coordination.right
    if right.end < len(sentence.words) and sentence.words[right.end].text in _MARKS:
        yield replace(coordination, right=Span(right.first, right.end + 1))
    if left.first and not coordination.others and sentence.words[left.first - 1].text in "\"'“‘([":
        yield replace(coordination, left=Span(left.first - 1, left.end))


def cut(draft: Draft, coordination: Coordination, side: str, denial: str = "", start: int | None = None) -> bool:
    """Take a conjunct out of a draft and repair what hangs on it; False where no good sentence is left.

    Of a left conjunct only the words from ``start`` on go: what is before them is shared.
    """
    opener, left, right = coordination.opener, coordination.left, coordination.right
    if not _between(draft, coordination) or not _not_only(draft, coordination, side):
        return False
    _cut_connector(draft, coordination, side)
    if opener is not None:
        draft.delete(Span(opener, opener + 1))
    if side == "right":
        draft.delete(Span(right.first, own_end(draft.sentence, coordination)))
        _close_list(draft, coordination)
        kept = (*coordination.others, left)
    else:
        draft.delete(Span(own_starts(draft.sentence, coordination)[0] if start is None else start, left.end))
        _bridge_list(draft, coordination)
        kept = (*coordination.others, right)
    kept = tuple(Span(part.first + (part.first == opener), part.end) for part in kept)
    _close_aside(draft, coordination)
    _count_one(draft, coordination, side)
    if not agree(draft, coordination, kept):
        return False
    if denial == "lost":
        affirm(draft, kept[-1])
    return denial != "kept" or (opener is not None and deny(draft, coordination, opener, kept[-1]))


def _may_lose_left(sentence: Sentence, coordination: Coordination, conjunction: str) -> bool:
    """Whether a sentence is left without A: not of "whether or not", nor where *nor* alone would have to deny B."""
    if conjunction != "nor":
        return sentence.words[coordination.conjunction - 1].lower != "whether"
    place = coordination.left.first - 1
    first = sentence.words[coordination.right.first]
    return place >= 0 and sentence.words[place].lower in BEFORE_DENIED and first.tag != "AUX"


def _between(draft: Draft, coordination: Coordination) -> bool:
    """Nothing is between one thing, but something may be in a year or on a day."""
    place = coordination.start - 1
    if place < 0 or draft.lower[place] != "between" or coordination.others:
        return True
    words = draft.lower[coordination.left.first : coordination.left.end]
    if len(words) == 1 and words[0].isdigit() and len(words[0]) == _YEAR_DIGITS:
        new = "in"
    elif _MONTHS & set(words) and any(word.isdigit() for word in words):
        new = "on"
    else:
        return False
    draft.change(place, new.capitalize() if draft.texts[place][0].isupper() else new)
    return True


def _not_only(draft: Draft, coordination: Coordination, side: str) -> bool:
    """Take *not only* away with the coordination; *not* of "not A but B" goes with A. False before a turned verb."""
    lower, first = draft.lower, coordination.left.first
    if lower[coordination.conjunction] != "but":
        return True
    for place in range(max(first - 2, 0), min(first + 2, len(lower) - 1)):
        if lower[place] in BEFORE_DENIED and lower[place + 1] in _MERELY:
            draft.delete(Span(place, place + 2))
            following = draft.sentence.words[place + 2] if place + 2 < len(lower) else None
            return side == "left" or following is None or following.tag != "AUX"
    place = first if lower[first] == "not" else first - 1
    if side == "right" or place < 0 or lower[place] not in {"not", "n't", "n’t"}:
        return True
    if lower[place] != "not" and lower[place - 1] not in BE:
        return False  # "won't go but stay": the auxiliary would go wrong
    draft.delete(Span(place, place + 1))
    return True


def _cut_connector(draft: Draft, coordination: Coordination, side: str) -> None:
    """Delete what stands between the conjuncts; adverbs such as *then* stay with the right one."""
    words, right = draft.sentence.words, coordination.right
    for place in range(coordination.left.end, right.first):
        if side == "right" or words[place].tag != "ADV" or draft.lower[place] in _LINKING:
            draft.delete(Span(place, place + 1))
    opens = "(" in draft.lower[coordination.left.end : right.first]
    if opens and right.end < len(words) and draft.lower[right.end] == ")":
        draft.delete(Span(right.end, right.end + 1))
    if side == "left" and draft.lower[right.first] in _LINKING and right.end > right.first + 1:
        draft.delete(Span(right.first, right.first + 1))


def _separator(draft: Draft, coordination: Coordination) -> Span:
    """What stands between the left conjunct and the one before it."""
    return Span(coordination.others[-1].end, coordination.left.first)


def _has_serial_comma(draft: Draft, coordination: Coordination) -> bool:
    return draft.lower[coordination.conjunction - 1] in {",", ";"}


def _close_list(draft: Draft, coordination: Coordination) -> None:
    """ "A, B and C" without C is "A and B"; "A, B, C, and D" without D is "A, B, and C"."""
    if not coordination.others:
        return
    span = _separator(draft, coordination)
    if any(draft.lower[place] not in {",", ";"} for place in range(*span)):
        return
    if not (_has_serial_comma(draft, coordination) and len(coordination.others) > 1):
        draft.delete(span)
    conjunction, first = draft.sentence.words[coordination.conjunction].text, coordination.left.first
    draft.change(first, f"{conjunction} {draft.texts[first]}")


def _bridge_list(draft: Draft, coordination: Coordination) -> None:
    """ "A, B and C" without B is "A and C"; "A, B, C, and D" without C is "A, B, and D"."""
    if not coordination.others:
        return
    span, place = _separator(draft, coordination), coordination.conjunction
    if any(draft.lower[i] not in {",", ";"} for i in range(*span)):
        return
    if not (_has_serial_comma(draft, coordination) and len(coordination.others) > 1):
        draft.delete(span)
    draft.change(place, draft.sentence.words[place].text)


def _close_aside(draft: Draft, coordination: Coordination) -> None:
    """ "A, or B, is" loses both of its commas: none parts a subject from its verb."""
    words, end = draft.sentence.words, coordination.right.end
    if coordination.others or not _has_serial_comma(draft, coordination):
        return
    if end + 1 < len(words) and draft.lower[end] == "," and words[end + 1].tag in VERBAL:
        draft.delete(Span(end, end + 1))


def _count_one(draft: Draft, coordination: Coordination, side: str) -> None:
    """ "one or two members" without *two* is "one member"."""
    kept = coordination.left if side == "right" else coordination.right
    words, place = draft.sentence.words, coordination.right.end
    if draft.lower[kept.end - 1] not in {"one", "1"}:
        return
    while place < len(words) and words[place].tag == "ADJ":
        place += 1
    while place + 1 < len(words) and words[place + 1].tag == "NOUN":
        place += 1
    if place < len(words) and words[place].tag in NOMINAL and is_plural(words[place]):
        draft.change(place, singular(words[place]))
