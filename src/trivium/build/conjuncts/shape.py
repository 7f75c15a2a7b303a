"""The shape of a coordination: its spans made whole, its opener found, and what its conjuncts share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lemminflect import getAllLemmas

from trivium.build.conjuncts.agreement import VERBAL, head_of, is_form, is_plural
from trivium.build.conjuncts.sentence import OPENERS, Coordination, Sentence, Span, Word

_LINKS: Final = frozenset({"-", "–", "/"})
_SHARED: Final = frozenset(
    "a an the his her its their our my your this that these those some any no each every".split()
)
_FOR_ONE: Final = frozenset({"a", "an", "each", "every", "this", "that"})
_BEFORE: Final = frozenset({"PROPN", "PART", "ADJ", "DET", "ADP"})
_REACH: Final = 4  # an opener stands at most so many words before its conjunct


def shaped(sentence: Sentence, coordination: Coordination) -> Coordination | None:
    """The coordination with whole spans and its opener, or None if conjuncts are empty or out of order.

    A conjunct neither begins nor ends with a comma or a conjunction, and a word with hyphens is not cut in two.
    """
    count, conjunction = len(sentence.words), coordination.conjunction
    spans = (*coordination.others, coordination.left, coordination.right)
    if not 0 <= conjunction < count or any(not 0 <= span.first < span.end <= count for span in spans):
        return None
    spans = tuple(_whole(sentence, span) for span in spans)
    ends = [end for span in spans[:-1] for end in span] + [conjunction, conjunction + 1, *spans[-1]]
    if ends != sorted(ends) or any(span.first >= span.end for span in spans):
        return None
    found = Coordination(conjunction, spans[-2], spans[-1], coordination.opener, spans[:-2])
    return Coordination(conjunction, spans[-2], spans[-1], _opener(sentence, found), spans[:-2])


def _whole(sentence: Sentence, span: Span) -> Span:
    words, (first, end) = sentence.words, span
    while first < end and _is_edge(sentence, first):
        first += 1
    while first < end and _is_edge(sentence, end - 1):
        end -= 1
    while end + 1 < len(words) and words[end].text in _LINKS and words[end - 1].end == words[end].start:
        if words[end].end != words[end + 1].start:
            break
        end += 2
    return Span(first, end)


def _is_edge(sentence: Sentence, place: int) -> bool:
    return sentence.words[place].text in {",", ";"} or sentence.words[place].tag == "CCONJ"


def _opener(sentence: Sentence, coordination: Coordination) -> int | None:
    """The place of *both*, *either* or *neither*, also where a back end took it for a part of the first conjunct."""
    conjunction = sentence.words[coordination.conjunction].text.lower()
    first = (*coordination.others, coordination.left)[0].first
    if coordination.opener is not None and 0 <= coordination.opener < coordination.left.end:
        return coordination.opener
    taken = {other.opener for other in sentence.coordinations}
    for place in range(coordination.left.end - 1, max(first - _REACH, 0) - 1, -1):
        word = sentence.words[place].text.lower()
        if OPENERS.get(word) == conjunction and place not in taken and _may_open(sentence, coordination, place):
            return place
    return None


def _may_open(sentence: Sentence, coordination: Coordination, place: int) -> bool:
    first, end = (*coordination.others, coordination.left)[0].first, coordination.left.end
    if sentence.words[place].text.lower() == "both":
        if any(sentence.words[i].tag in VERBAL for i in range(place, end)):
            return False  # "both teams played and won"
    elif place == end - 1:
        return False
    return place >= first or all(sentence.words[i].tag in _BEFORE for i in range(place + 1, first))


def own_start(sentence: Sentence, coordination: Coordination) -> int:
    """Where the left conjunct's own words begin, behind a determiner that the right one shares: "a pen or pencil"."""
    left, right, words = coordination.left, coordination.right, sentence.words
    if coordination.others or words[right.first].tag not in {"NOUN", "ADJ"} or left.end - left.first == 1:
        return left.first
    tags = {words[place].tag for span in (left, right) for place in range(*span)}
    head = words[head_of(sentence, right)]
    if tags & VERBAL or head.tag != "NOUN" or words[head_of(sentence, left)].tag not in {"NOUN", "PROPN"}:
        return left.first
    place = left.first + (left.first == coordination.opener)
    lower = words[place].text.lower()
    if lower in _SHARED:
        return left.first if lower in _FOR_ONE and is_plural(head) else place + 1
    owners = (i for i in range(left.first, left.end - 1) if words[i].text in {"'s", "’s"} and words[i].tag == "PART")
    owner = next(owners, None)
    return left.first if owner is None else owner + 1


def own_end(sentence: Sentence, coordination: Coordination) -> int:
    """Where the right conjunct's own words end, before what the left one shares: "in or around [the lake]".

    Shared is what a lone verb, preposition, auxiliary or adjective at the left has not got, and the common noun that
    two names end with: "Hope and Grace [College]".
    """
    left, right, words = coordination.left, coordination.right, sentence.words
    last, first = words[left.end - 1], words[right.first]
    if last.tag == "ADP" and first.tag != "ADP" and left.end - left.first > 1:  # "fond of or hostile to [dogs]"
        place = next((i for i in range(right.first, right.end) if words[i].tag == "ADP"), right.end)
        return min(place + 1, right.end)
    if left.end - left.first > 1 or last.tag != first.tag or right.end - right.first == 1:
        return right.end
    following = words[right.first + 1]
    if last.tag == "AUX":
        return next(_own_auxiliaries(sentence, right), right.end)
    if last.tag == "VERB":
        shared = following.tag in {"DET", "NOUN", "PROPN", "ADJ", "NUM", "PRON"}
        return right.first + 1 if shared and _forms(last) & _forms(first) else right.end
    if last.tag == "ADP" or (last.tag == "ADJ" and following.tag == "NOUN"):
        return right.first + 1
    if last.tag == "PROPN" and right.end - right.first == 2 and not _is_name(following.text):
        return right.end - 1
    return right.end


def _own_auxiliaries(sentence: Sentence, right: Span) -> Iterator[int]:
    """Where behind "may or may not" the shared words begin."""
    for place in range(right.first, right.end):
        if sentence.words[place].tag not in {"AUX", "PART", "ADV"}:
            yield place
            return


def _forms(verb: Word) -> set[str]:
    """The forms that a verb may be in: two that share an object have one in common."""
    text, lemma = verb.text.lower(), verb.lemma.lower()
    return {"VB"} if text == lemma else {tag for tag in ("VBZ", "VBG", "VBD", "VBN") if is_form(text, lemma, tag)}


def _is_name(text: str) -> bool:
    """Whether a capitalised word is no common noun: *Williams*, but not *College* or *Islands*."""
    return not text[:1].isupper() or "NOUN" not in getAllLemmas(text.lower())
