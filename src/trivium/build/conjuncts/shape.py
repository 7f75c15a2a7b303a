"""The shape of a coordination: its spans made whole, its opener found, and what its conjuncts share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from trivium.build.conjuncts.agreement import VERBAL, head_of, is_form, is_plural
from trivium.build.conjuncts.lexicon import ALL, NONE
from trivium.build.conjuncts.sentence import OPENERS, Coordination, Sentence, Span, Word
from trivium.language.inflection import all_lemmas

_LINKS: Final = frozenset({"-", "–", "/"})
_SHARED: Final = frozenset(
    "a an the his her its their our my your this that these those some any no each every".split()
)
_FOR_ONE: Final = frozenset({"a", "an", "each", "every", "this", "that"})
_BEFORE: Final = frozenset({"PROPN", "PART", "ADJ", "DET", "ADP"})
_PARTICLES: Final = frozenset("out up off down away back".split())
_REACH: Final = 4  # an opener stands at most so many words before its conjunct


def shaped(sentence: Sentence, coordination: Coordination) -> Coordination | None:
    """The coordination with whole spans and its opener, or None if conjuncts are empty or out of order.

    A conjunct neither begins nor ends with a comma or a conjunction, and a word with hyphens is not cut in two. Of
    "whether or not" *not* is the right conjunct.
    """
    count, conjunction = len(sentence.words), coordination.conjunction
    spans = (*coordination.others, coordination.left, coordination.right)
    if not 0 <= conjunction < count or any(not 0 <= span.first < span.end <= count for span in spans):
        return None
    if sentence.words[conjunction - 1].lower == "whether" and 0 < conjunction < count - 1:
        return Coordination(conjunction, Span(conjunction - 1, conjunction), Span(conjunction + 1, conjunction + 2))
    left, right = _whole(sentence, coordination.left), _whole(sentence, coordination.right)
    left, right = _after_all(sentence, conjunction, left), _whole_name(sentence, left, right)
    others = tuple(span for span in (_whole(sentence, span) for span in coordination.others) if span.end <= left.first)
    ends = [end for span in (*others, left) for end in span] + [conjunction, conjunction + 1, *right]
    if ends != sorted(ends) or left.first >= left.end or right.first >= right.end:
        return None
    opener = _opener(sentence, replace(coordination, left=left, right=right, others=others))
    return Coordination(conjunction, _opened(sentence, left, right, opener), right, opener, others)


def _whole(sentence: Sentence, span: Span) -> Span:
    words, (first, end) = sentence.words, span
    while first < end and _is_edge(sentence, first):
        first += 1
    while first < end and _is_edge(sentence, end - 1):
        end -= 1
    while 1 < first < end and words[first - 1].text in _LINKS and words[first - 1].end == words[first].start:
        if words[first - 2].end != words[first - 1].start:
            break
        first -= 2
    while end + 1 < len(words) and words[end].text in _LINKS and words[end - 1].end == words[end].start:
        if words[end].end != words[end + 1].start:
            break
        end += 2
    return Span(first, end)


def _after_all(sentence: Sentence, conjunction: int, left: Span) -> Span:
    """Of "finds nothing but trouble" the left conjunct is *nothing* alone."""
    last = sentence.words[conjunction - 1].lower if conjunction else ""
    alone = sentence.words[conjunction].lower == "but" and (last in ALL or last in NONE) and left.end == conjunction
    return Span(conjunction - 1, conjunction) if alone else left


def _whole_name(sentence: Sentence, left: Span, right: Span) -> Span:
    """Of "Oak Road or Elm Hill Road" no part of the second name is left behind."""
    words, end = sentence.words, right.end
    if left.end - left.first < 2 or words[left.end - 1].tag != "PROPN" or words[right.end - 1].tag != "PROPN":
        return right
    while end < len(words) and words[end].tag in {"PROPN", "NUM"}:
        end += 1
    return Span(right.first, end)


def _opened(sentence: Sentence, left: Span, right: Span, opener: int | None) -> Span:
    """The left conjunct begins behind its opener, unless both begin alike: "is either here or is there"."""
    words = sentence.words
    if opener is None or not (opener >= left.first or opener + 1 < left.first) or opener + 1 >= left.end:
        return left
    kind, behind = words[right.first].tag, words[opener + 1].tag
    if opener < left.first:
        return Span(opener + 1, left.end) if kind == behind else left
    alike = opener > left.first and kind == words[left.first].tag and kind != behind
    return left if alike else Span(opener + 1, left.end)


def _is_edge(sentence: Sentence, place: int) -> bool:
    return sentence.words[place].text in {",", ";"} or sentence.words[place].tag == "CCONJ"


def _opener(sentence: Sentence, coordination: Coordination) -> int | None:
    """The place of *both*, *either* or *neither*, also where a back end took it for a part of the first conjunct."""
    conjunction = sentence.words[coordination.conjunction].lower
    first = coordination.first
    if coordination.opener is not None and 0 <= coordination.opener < coordination.left.end:
        return coordination.opener
    taken = {other.opener for other in sentence.coordinations}
    for place in range(coordination.left.end - 1, max(first - _REACH, 0) - 1, -1):
        word = sentence.words[place].lower
        if OPENERS.get(word) == conjunction and place not in taken and _may_open(sentence, coordination, place):
            return place
    return None


def _may_open(sentence: Sentence, coordination: Coordination, place: int) -> bool:
    first, end = coordination.first, coordination.left.end
    if sentence.words[place].lower == "both":
        if any(sentence.words[i].tag in VERBAL for i in range(place, end)):
            return False  # "both teams played and won"
    elif place == end - 1:
        return False
    return place >= first or all(sentence.words[i].tag in _BEFORE for i in range(place + 1, first))


def own_starts(sentence: Sentence, coordination: Coordination) -> list[int]:
    """Where the left conjunct's own words may begin, behind what the right one shares.

    A determiner is shared if the right one has none ("a pen or pencil"). Adjectives may be: "small boats or ships".
    """
    left, right, words = coordination.left, coordination.right, sentence.words
    if coordination.others or words[right.first].tag not in {"NOUN", "ADJ"} or left.end - left.first == 1:
        return [left.first]
    tags = {words[place].tag for span in (left, right) for place in range(*span)}
    head = head_of(sentence, left)
    if tags & VERBAL or words[head_of(sentence, right)].tag != "NOUN" or words[head].tag not in {"NOUN", "PROPN"}:
        return [left.first]
    start = _behind_determiner(sentence, coordination)
    place = start
    while place < head and words[place].tag in {"ADJ", "NUM"}:
        place += 1
    free = start == left.first and start and words[start - 1].tag not in {"DET", "PRON"} and words[start].tag != "NUM"
    shared = place not in {start, head + 1} and words[right.first].tag == "NOUN" and not free
    return [start, place] if shared else [start]


def _behind_determiner(sentence: Sentence, coordination: Coordination) -> int:
    left, words = coordination.left, sentence.words
    lower = words[left.first].lower
    if lower in _SHARED:
        many = is_plural(words[head_of(sentence, coordination.right)])
        return left.first if lower in _FOR_ONE and many else left.first + 1
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
    phrase = last.tag == "ADP" and last.lower not in _PARTICLES and left.end - left.first > 1
    if phrase and first.tag != "ADP":  # "fond of or hostile to [dogs]", and not "knocked out or sent to bed"
        place = next((i for i in range(right.first, right.end) if words[i].tag == "ADP"), right.end)
        return min(place + 1, right.end)
    if left.end - left.first > 1 or right.end - right.first == 1:
        return right.end
    if last.tag != first.tag and not {last.tag, first.tag} <= {"DET", "PRON", "NUM"}:
        return right.end
    following = words[right.first + 1]
    if last.tag == "AUX":
        return next(_own_auxiliaries(sentence, right), right.end)
    if last.tag == "VERB":
        shared = following.tag in {"DET", "NOUN", "PROPN", "ADJ", "NUM", "PRON"}
        return right.first + 1 if shared and _forms(last) & _forms(first) else right.end
    if last.tag == "ADP" or (last.tag == "ADJ" and following.tag == "NOUN"):
        return right.first + 1
    if last.tag in {"DET", "PRON", "NUM"} and following.lower == "of":
        return right.first + 1
    shared_name = last.tag == "PROPN" and _is_one_name(sentence, left, right)
    return right.first + 1 if shared_name else right.end


def _own_auxiliaries(sentence: Sentence, right: Span) -> Iterator[int]:
    """Where behind "may or may not" the shared words begin."""
    for place in range(right.first, right.end):
        if sentence.words[place].tag not in {"AUX", "PART", "ADV"}:
            yield place
            return


def _forms(verb: Word) -> set[str]:
    """The forms that a verb may be in: two that share an object have one in common."""
    text, lemma = verb.lower, verb.lemma.lower()
    return {"VB"} if text == lemma else {tag for tag in ("VBZ", "VBG", "VBD", "VBN") if is_form(text, lemma, tag)}


def _is_one_name(sentence: Sentence, left: Span, right: Span) -> bool:
    """Whether two names share what comes behind them: *College* and *Islands* are common nouns, *Williams* is none."""
    if any(name.span.first <= left.first and right.end <= name.span.end for name in sentence.names):
        return True
    kinds = [{name.kind for name in sentence.names if name.span == span} for span in (left, right)]
    if kinds[0] & kinds[1]:
        return False
    shared = (sentence.words[place].text for place in range(right.first + 1, right.end))
    return all(text[:1].isupper() and {"NOUN", "ADJ"} & set(all_lemmas(text.lower())) for text in shared)
