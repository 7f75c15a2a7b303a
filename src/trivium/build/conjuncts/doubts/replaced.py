"""What makes the label of a replacement doubtful: both words may be right, or neither."""

from __future__ import annotations

from typing import Final

from trivium.build.conjuncts.agreement import is_plural
from trivium.build.conjuncts.doubts.context import (
    NEAR,
    NEGATIVE,
    is_denied,
    is_singular,
    subject_verb,
    words_before,
)
from trivium.build.conjuncts.lexicon import BOUNDS, COLOURS, KIN, NAMING, OPPOSITES
from trivium.build.conjuncts.numbers import is_number
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.reading import Edit, is_denial
from trivium.build.conjuncts.tokens import POSSESSIVES

_OWNERS: Final = frozenset({*POSSESSIVES, "'s", "’s", "'", "’"})
_HEDGES: Final = frozenset(
    "than over about around approximately least most almost nearly roughly circa between from minimum maximum up under "
    "below above within top".split()
)
_CALLED: Final = NAMING | {"referred"}
_MADE: Final = frozenset(
    "write direct produce compose design build found create publish record release develop paint invent discover edit "
    "draw make murder kill adopt raise own beat defeat".split()
)
_LISTING: Final = frozenset({"include", "example", "such"})
_PLACED: Final = frozenset("born located situated based".split())


def in_title(pair: Pair, edit: Edit) -> bool:
    """A word in quotation marks: another title denies nothing."""
    if pair.change is None:
        return False
    start = pair.sentence.words[pair.change.span.first].start
    before = pair.sentence.text[:start]
    return before.count('"') % 2 == 1 or before.count("“") > before.count("”")


def other_name(pair: Pair, edit: Edit) -> bool:
    """The name that became another is none of those that *or* stands between."""
    if pair.change is None:
        return False
    (first, end), (left, right) = pair.change.span, (pair.coordination.left, pair.coordination.right)
    return end != left.end if pair.side == "left" else first > right.first + 1


def renames(pair: Pair, edit: Edit) -> bool:
    """ "Army Command, or AOK", "the guild or 'Hanse'": this is no second thing, and another name is wrong."""
    if pair.coordination.others:
        return False
    verb = subject_verb(pair)
    if verb is not None and is_singular(verb) and not pair.coordination.start:
        return True  # "Oakham or the Oak Farm is a town"
    return edit.has(_CALLED) or edit.around[0] in {",", "("} or not edit.around[1][:1].isalnum()


def by_or(pair: Pair, edit: Edit) -> bool:
    """An opposite beside *or*, which leaves the other conjunct open."""
    return pair.conjunction == "or"


def is_rough(pair: Pair, edit: Edit) -> bool:
    """More than 20, about 20, up to 20: 21 does not deny it. 1931-1941 is a part of 1930-1941."""
    if pair.change is None:
        return False
    first, end = pair.change.span
    near = [*words_before(pair, first, NEAR), *words_before(pair, pair.coordination.start, NEAR)]
    if any(word.lower in _HEDGES for word in near) or (near[:1] and near[0].lower == "to"):
        return True
    behind = [word.lower for word in pair.sentence.words[end : end + 2]]
    return behind[:1] in (["-"], ["–"], ["to"], ["until"], ["+"], ["plus"]) or not BOUNDS.isdisjoint(behind[1:])


def denies_number(pair: Pair, edit: Edit) -> bool:
    """ "Did not run in 2014": nothing is said of 2015."""
    return pair.change is not None and is_denied(pair, pair.change.span.first)


def loose_opposite(pair: Pair, edit: Edit) -> bool:
    """A verb or noun with *un* or *dis*, which mostly means something else, a word under a denial, or an example."""
    if pair.change is None:
        return False
    old, new = pair.change.old.lower(), pair.change.new.lower()
    word, first = pair.sentence.words[pair.change.span.first], pair.change.span.first
    if (old in new or new in old) and [one.lower for one in pair.sentence.words[first + 1 : first + 2]] == ["to"]:
        return True  # "due to": there is no undue to
    if word.tag != "ADJ" and frozenset({old, new}) not in OPPOSITES and (old in new or new in old):
        return True
    if old in KIN and any(_is_owner(pair, place) for place in (first, pair.coordination.start)):
        return True  # who has a brother may have a sister too
    behind = {one.lower for one in pair.sentence.words[first : first + 7]}
    if {old, new} == {"lost", "won"} and "to" in behind:
        return True
    if any(one.lemma.lower() in _LISTING for one in pair.sentence.words[:first]):
        return True
    return any(is_denial(one.text) or one.lower in NEGATIVE for one in words_before(pair, first, NEAR + 1))


def _is_owner(pair: Pair, place: int) -> bool:
    """Whether a word before a place says whose it is."""
    return place > 0 and pair.sentence.words[place - 1].lower in _OWNERS


def other_number(pair: Pair, edit: Edit) -> bool:
    """The number that became another is none of those that *or* stands between."""
    return not all(is_number(word) for word in edit.around)


def other_colour(pair: Pair) -> bool:
    """A colour for another: what is red may be green too, or not."""
    change = pair.change
    return change is not None and change.why == "co-hyponym" and {change.old.lower(), change.new.lower()} <= COLOURS


def word_by_but(pair: Pair) -> bool:
    """A co-hyponym beside *but*: neutral or contradiction, as it comes."""
    return pair.change is not None and pair.change.why == "co-hyponym" and pair.conjunction == "but"


def name_may_be_too(pair: Pair) -> bool:
    """Another name, where both may be true: he met Ada and Tom."""
    change = pair.change
    if change is None or change.why not in {"name", "calendar"}:
        return False
    if change.old.endswith("s") != change.new.endswith("s"):
        return True
    if pair.conjunction not in {"and", "but"}:
        return False  # beside *or* it is neutral all the same
    words = pair.sentence.words
    if words[change.span.end - 1].tag == "ADJ":
        return is_plural(words[change.span.end]) if change.span.end < len(words) else False  # "Dutch sailors died"
    if change.old.endswith("s"):
        return True
    if any(word.lower in {"has", "have"} for word in words):
        return True
    near = words[max(0, change.span.first - 3) : change.span.first]
    last, known = near[-1].lower if near else "", {"by": _MADE, "in": _PLACED}
    return known.get(last, frozenset()).isdisjoint({form for word in near for form in (word.lower, word.lemma.lower())})
