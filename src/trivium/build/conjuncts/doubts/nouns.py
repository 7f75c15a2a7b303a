"""What makes a removal doubtful as a noun phrase or a list would be cut wrongly."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Final

from trivium.build.conjuncts.agreement import NOMINAL, VERBAL, head_of, is_plural
from trivium.build.conjuncts.doubts.kinds import ARE, BOUNDARIES, COUNTS, PHRASE, TIMES, kind_of
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.sentence import Sentence, Span, Word
from trivium.build.conjuncts.shape import own_starts
from trivium.build.conjuncts.tokens import POSSESSIVES

_ORDINAL: Final = re.compile(
    r"\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|former|latter", re.I
)
_FRONTED: Final = frozenset({"SCONJ", "ADP", "ADV", "VERB", "PART"})
_APART: Final = frozenset({",", "(", ":", "–", "—", "-"})
_FRACTION: Final = re.compile(r"(?:(?:a|one|two|three)[ -])?(?:half|thirds?|quarters?)\b|\d+ ?/ ?\d", re.I)
_ONE: Final = frozenset({"one", "1"})


def headless(pair: Pair) -> bool:
    """ "a football and basketball player" without its player; "most or all of it" without *of it*."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    tags = [words[place].tag for place in range(*right)]
    if right.end - right.first < 2:
        return False
    if [words[place].tag for place in range(*left)] == ["DET", "NOUN"] and set(tags) == {"NOUN"}:
        return not is_plural(words[left.first + 1])  # "the fire and rescue service"
    text = pair.sentence.of(left)
    if "-" in text and " " not in text and tags[0] == "ADJ" and tags[-1] == "NOUN":
        return True  # "low-income and uninsured people"
    if left.end - left.first > 1:
        return False
    compound = words[left.first].tag == "NOUN" and not is_plural(words[left.first]) and set(tags) <= {"NOUN", "ADJ"}
    before = words[left.first - 1].lower if left.first else ""
    if before in {"a", "an"} and words[left.first].tag in {"ADJ", "NOUN"} and tags[0] in {"ADJ", "VERB", "ADV"}:
        return tags[-1] in {"NOUN", "PROPN"}  # "a plain but useful tool" without its tool
    counted = words[left.first].lower in COUNTS and "of" in (words[place].text for place in range(*right))
    return compound or counted


def is_one_number(pair: Pair) -> bool:
    """ "Two and a half hours", "three and one quarter", "an hour and a half": nothing lasts a half hours."""
    last, right = pair.sentence.words[pair.coordination.left.end - 1], pair.sentence.of(pair.coordination.right)
    return right.lower() == "a half" or (last.tag == "NUM" and _FRACTION.match(right) is not None)


def loses_article(pair: Pair) -> bool:
    """ "The specimen or holotype" without *the*, "my friend and colleague Sarah" without *my*."""
    words, found = pair.sentence.words, pair.coordination
    first, other = words[found.left.first], words[found.right.first]
    if pair.side == "right" or not _is_determiner(first) or _is_determiner(other):
        return False
    head = words[head_of(pair.sentence, found.right)]
    shared = own_starts(pair.sentence, found)[0] > found.left.first
    noun = other if head.tag == "PROPN" else head
    return not shared and noun.tag == "NOUN" and not is_plural(noun)


def _is_determiner(word: Word) -> bool:
    return word.tag == "DET" or word.lower in POSSESSIVES


def plural_for_two(pair: Pair) -> bool:
    """ "The first and second chapters": neither is the first chapters. "In verses 20 and 21": 20 is no verses."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if left.first and {words[left.end - 1].tag, words[right.first].tag} == {"NUM"} and is_plural(words[left.first - 1]):
        return True
    before = words[max(0, left.first - 2) : left.first]
    named = all(words[head_of(pair.sentence, part)].tag == "PROPN" for part in (left, right))
    if named and len(before) == 2 and is_plural(before[0]) and before[1].lower == "of":
        return True  # "the boards of A and B"
    if pair.side == "left" and words[right.first].lower in _ONE and is_plural(words[head_of(pair.sentence, right)]):
        return True  # "two old and one new schools"
    start = right.first + (words[right.first].tag == "DET")
    if start >= len(words) or not all(_ORDINAL.fullmatch(words[i].text) for i in (left.end - 1, start)):
        return False
    later = takewhile(lambda word: word.tag in {"ADJ", "NOUN", "NUM", "PROPN"}, words[start + 1 :])
    behind = words[start + 1 : start + 2]
    return any(map(is_plural, later)) or any(word.tag == "VERB" and word.text.endswith("s") for word in behind)


def several_are_one(pair: Pair) -> bool:
    """ "Its sequels are A and B": they are not A."""
    first = pair.coordination.first
    before = pair.sentence.words[first - 1].lower if first else ""
    if pair.conjunction != "and" or before not in ARE or pair.coordination.others:
        return False
    kept = pair.coordination.left if pair.side == "right" else pair.coordination.right
    head = pair.sentence.words[head_of(pair.sentence, kept)]
    return head.tag in {"NOUN", "PROPN"} and not is_plural(head)


def _phrase_before(sentence: Sentence, end: int) -> Span:
    """The noun phrase that ends here; empty if there is none, or one of time or place: "Last year", "In Rome"."""
    words, first = sentence.words, end
    if not end or words[end - 1].tag not in NOMINAL or words[end - 1].lower in TIMES:
        return Span(end, end)
    while first and (words[first - 1].tag in PHRASE or words[first - 1].tag == "ADP"):
        first -= 1
    opens = not first or words[first - 1].tag in BOUNDARIES
    return Span(end, end) if opens and words[first].tag == "ADP" else Span(first, end)


def names_several(pair: Pair) -> bool:
    """ "The two brothers, Karl and Otto": one of them is not the two."""
    sentence, found, words = pair.sentence, pair.coordination, pair.sentence.words
    if found.others:
        several = len(found.others) == 1 and is_plural(words[head_of(sentence, found.others[0])])
        return several and all(words[head_of(sentence, part)].tag == "PROPN" for part in (found.left, found.right))
    mark, end = found.left.first - 1, found.right.end
    if mark < 1 or words[mark].text not in _APART or kind_of(sentence, found.left) != "noun":
        return False
    before = range(*_phrase_before(sentence, mark))
    closed = end >= len(words) or words[end].tag == "PUNCT"
    return closed and any(is_plural(words[place]) or words[place].tag == "NUM" for place in before)


def cuts_list(pair: Pair) -> bool:
    """ "The dog, the cat and the bird sleep" with no list found: *the dog* is one of three, or named twice.

    "He likes tea, milk and beer" without beer would be "he likes tea, milk".

    Where a list was found, a comma between it and its verb tells that it is none.
    """
    words, found = pair.sentence.words, pair.coordination
    comma, end = found.left.first - 1, found.right.end
    if found.others:
        start, behind = found.others[0].first, words[end : end + 2]
        opens = not start or words[start - 1].tag in BOUNDARIES
        return opens and len(behind) > 1 and behind[0].text == "," and behind[1].tag in VERBAL
    if comma < 1 or words[comma].text != "," or kind_of(pair.sentence, found.left) != "noun":
        return False
    first, last = _phrase_before(pair.sentence, comma)
    subject = end < len(words) and words[end].tag in VERBAL
    apposed = pair.side == "right" and words[found.left.first].tag == "DET"  # "his aunt, a cook and poet"
    if first == last or (apposed and not subject):
        return False
    fronted = words[first - 1].tag in VERBAL and words[0].tag in _FRONTED  # "When he left the house, Ann and Tom"
    return not first or not fronted


def uneven_list(pair: Pair) -> bool:
    """ "by A, by B or C": the conjuncts before these are of another kind, or no comma stands behind them."""
    if pair.coordination.others and pair.coordination.others[-1].end >= pair.coordination.left.first:
        return True
    kinds = {kind_of(pair.sentence, span) for span in pair.coordination.others}
    return bool(kinds) and kinds != {kind_of(pair.sentence, pair.coordination.right)}


def list_with_but(pair: Pair) -> bool:
    """ "A, B, but also C": no list without B."""
    return pair.conjunction == "but" and bool(pair.coordination.others)


def between(pair: Pair) -> bool:
    """ "a choice between the red or blue ones": between one thing there is nothing."""
    first = pair.coordination.first
    places = (place for place in range(max(0, first - 4), first) if place != pair.coordination.opener)
    return any(pair.sentence.words[place].lower in {"between", "among", "both"} for place in places)


def shared_is_unclear(pair: Pair) -> bool:
    """ "old men and women": who is old? "A jar of tea or milk": is it a milk?"""
    starts, words = own_starts(pair.sentence, pair.coordination), pair.sentence.words
    left = pair.coordination.left
    inside = any(words[place].tag == "ADP" for place in range(*left))  # "a jar of tea or milk"
    return pair.side == "left" and (len(starts) > 1 or (starts[0] > left.first and inside))
