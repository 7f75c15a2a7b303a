"""What makes the sentences of a pair doubtful: it is not built, as its hypothesis may be no English."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trivium.build.conjuncts.agreement import VERBAL
from trivium.build.conjuncts.doubts import nouns, verbs
from trivium.build.conjuncts.doubts.kinds import ARE, COUNTS, PHRASE, STOPS, kind_of
from trivium.build.conjuncts.lexicon import COMPARED
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.sentence import OPENERS, Word
from trivium.build.conjuncts.shape import own_end, own_starts

_OPEN: Final = frozenset({"DET", "ADP", "AUX", "SCONJ"})  # what waits for something behind it
_MAY: Final = frozenset({("AUX", "ADP"), ("AUX", "AUX"), ("ADP", "ADP"), ("SCONJ", "ADP"), ("SCONJ", "AUX")})
_THINGS: Final = frozenset({"NOUN", "PROPN", "PRON"})
_FRESH: Final = frozenset({"PROPN", "DET", "NUM", "ADJ"})  # what begins a new phrase behind a noun
_MORE_THAN: Final = frozenset((word, "than") for word in COMPARED)
_MANY: Final = frozenset({"most", "many", "few", "several"})
_BEFORE_DETERMINERS: Final = frozenset("all both either neither half such many what".split())
_RESTATING: Final = frozenset("simply more rather sometimes even perhaps merely just also at not possibly".split())


def doubt_of_coordination(pair: Pair) -> str | None:
    """Why no conjunct of the coordination is removed or added, whichever of the two; None if one may be."""
    return next((reason for reason, holds in _OF_COORDINATIONS if holds(pair)), None)


def doubt_of_cut(pair: Pair) -> str | None:
    """Why the conjunct of a pair is not removed or added, if its coordination is trusted; None if it is."""
    return next((reason for reason, holds in _OF_CUTS if holds(pair)), None)


def _unlike(pair: Pair) -> bool:
    """The conjuncts are of two kinds."""
    left, right = (kind_of(pair.sentence, span) for span in (pair.coordination.left, pair.coordination.right))
    return left != right


def _clash(pair: Pair) -> bool:
    """Behind the cut stands what cannot follow what is before it."""
    words, found = pair.sentence.words, pair.coordination
    if pair.side == "right":
        before, behind = found.left.end - 1, own_end(pair.sentence, found)
    else:
        before, behind = own_starts(pair.sentence, found)[0] - 1, found.right.first
    if before < 0 or behind >= len(words):
        return False
    tags = words[before].tag, words[behind].tag
    if (
        tags == ("NUM", "NUM")
        or _is_doubled(words[before], words[behind])
        or (words[before].lower in ARE and tags[1] == "PUNCT")
    ):
        return True
    if pair.side == "right" and tags[0] in {"NOUN", "PROPN", "NUM"} and tags[1] in _FRESH:
        return True
    if pair.side == "left" and words[found.left.first].tag == "DET" and tags[1] == "PROPN" and tags[0] in _THINGS:
        return True  # "gave Bob [a pen] and [Eve] a book"
    if tags[0] in {"DET", "ADP"} and tags[1] == "VERB" and not words[behind].text.endswith(("ing", "ed", "en")):
        return True
    return tags[0] in _OPEN and tags[1] in STOPS and tags not in _MAY


def _is_doubled(before: Word, behind: Word) -> bool:
    """A word twice, or two determiners or two comparisons in a row: "most some dogs", "more less than 25"."""
    first, second = before.lower, behind.lower
    if first == second:
        return True
    if second in COMPARED:
        return first in COMPARED or first == "than"
    if second in _MANY:
        return first in COUNTS or before.tag == "DET"
    many = first in _MANY or (before.tag == "DET" and first not in _BEFORE_DETERMINERS)
    return many and behind.tag == "DET"


def _unlike_words(pair: Pair) -> bool:
    """An adjective beside a noun or a number, with no noun behind: "the fine or go to prison" was read wrongly."""
    words, (left, right) = pair.sentence.words, (pair.coordination.left, pair.coordination.right)
    if left.end - left.first > 1 or not left.first:
        return False
    if words[left.first].tag == "ADJ" and words[left.first - 1].tag == "VERB" and words[right.first].tag == "DET":
        return True  # "left early, but the guests stayed"
    if right.end - right.first > 1:
        return False
    tags = {words[left.first].tag, words[right.first].tag}
    word = words[right.first].lower
    named = any(words[span.first].text[0].isupper() for span in (left, right)) or word in COMPARED  # "one or more"
    followed = right.end < len(words) and words[right.end].tag in PHRASE
    unlike = "ADJ" in tags and not tags.isdisjoint({"NOUN", "NUM"})
    return unlike and not named and not followed and words[left.first - 1].tag in {"DET", "ADP"}


def _gapped(pair: Pair) -> bool:
    """ "A in B and C in D": what follows C begins as what A has, or as what B stands behind; "twice or more than A"."""
    words, found = pair.sentence.words, pair.coordination
    end = own_end(pair.sentence, found)
    opening = tuple(word.lower for word in words[found.right.first : found.right.first + 2])
    if pair.side == "right" and words[found.left.end - 1].tag == "NOUN" and opening in _MORE_THAN:
        return True
    if end >= len(words) or words[end].tag not in {"ADP", "SCONJ"}:
        return False
    same, before = words[end].lower, found.first - 1
    before -= before > 0 and words[before].tag == "DET"  # "oaks on the [left] and [elms] on the right"
    if before > 0 and words[before].lower == same and words[before - 1].tag not in VERBAL:
        return True
    return pair.side == "right" and any(words[place].lower == same for place in range(*found.left))


def _loose_opener(pair: Pair) -> bool:
    """ "would either throw it from A or from B": *either* would be left behind."""
    words, found = pair.sentence.words, pair.coordination
    first = found.first
    if found.opener is not None:
        return found.opener + 1 < first
    return any(OPENERS.get(words[place].lower) == pair.conjunction for place in range(found.conjunction))


def _restated(pair: Pair) -> bool:
    """ "A, or more precisely B" without A."""
    first = pair.sentence.words[pair.coordination.right.first].lower
    return pair.side == "left" and first in _RESTATING


_Check = Callable[[Pair], bool]
_OF_COORDINATIONS: Final[tuple[tuple[str, _Check], ...]] = (
    ("the conjuncts are of two kinds", _unlike),
    ("an adjective stands beside a noun or a number", _unlike_words),
    ("a noun would lose its head", nouns.headless),
    ("the conjuncts are one number", nouns.is_one_number),
    ("both, either or neither would be left behind", _loose_opener),
    ("a list of two kinds", nouns.uneven_list),
    ("the verbs do not agree", verbs.other_form),
    ("something would be between one thing", nouns.between),
    ("an apposition names all of several things", nouns.names_several),
    ("a clause would have no verb", verbs.verbless),
    ("a phrase would reach too far", verbs.reaches_far),
    ("but not limited to", verbs.limited),
    ("but stands behind a list", nouns.list_with_but),
)
_OF_CUTS: Final[tuple[tuple[str, _Check], ...]] = (
    ("what is before and behind the cut does not fit", _clash),
    ("a phrase would be left behind", _gapped),
    ("a time may be that of one conjunct alone", verbs.bound_in_time),
    ("a participle would lose its verb", verbs.loose_participle),
    ("a noun would lose its article", nouns.loses_article),
    ("no verb would be left", verbs.without_verb),
    ("several things would be one", nouns.several_are_one),
    ("a noun is plural for two", nouns.plural_for_two),
    ("a list or an apposition would be cut", nouns.cuts_list),
    ("a clause would stand alone", verbs.stands_alone),
    ("what the conjuncts share is not clear", nouns.shared_is_unclear),
    ("the right conjunct only restates the left one", _restated),
)
