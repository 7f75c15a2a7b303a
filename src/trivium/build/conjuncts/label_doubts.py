"""What makes the label of a pair doubtful: it is not built, as a rule may say more than its two sentences do.

As with :mod:`~trivium.build.conjuncts.doubts`, a pair is left out on suspicion, and counted under a name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trivium.build.conjuncts.doubts import kind_of
from trivium.build.conjuncts.labels import Labelled
from trivium.build.conjuncts.lexicon import NAMING, OPPOSITES, SUMS
from trivium.build.conjuncts.numbers import is_number
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.reading import Edit, is_denial

_HEDGES: Final = frozenset("than over about around approximately least most almost nearly to roughly circa".split())
_PRESENT: Final = frozenset("is are has have can could may might will would should must do does".split())
_REACH: Final = 8  # words from a denial to what it denies
_PLACED: Final = frozenset("born located situated based".split())


def doubt_of_label(pair: Pair, edit: Edit, labelled: Labelled) -> str | None:
    """Why the label of a pair is not trusted; None if it is."""
    reason = next((reason for reason, holds in _OF_REPLACEMENTS if holds(pair)), None)
    if reason is not None:
        return reason
    why = pair.change.why if pair.change else ""
    if edit.word != pair.conjunction:
        return "another conjunction is nearer to the change"
    if edit.operation != pair.operation and why != "negation":
        return "it reads as another operation"
    if why == "antonym" and labelled.rule != "opposite":
        return "an antonym that may be none here"
    return next((reason for rule, reason, holds in _OF_RULES if rule == labelled.rule and holds(pair, edit)), None)


def _is_rough(pair: Pair, edit: Edit) -> bool:
    """More than 20, about 20, up to 20: 21 does not deny it. 1931-1941 is a part of 1930-1941."""
    if pair.change is None:
        return False
    (first, end), words = pair.change.span, pair.sentence.words
    before = {word.text.lower() for word in words[max(0, first - 2) : first]}
    behind = words[end].text.lower() if end < len(words) else ""
    return not _HEDGES.isdisjoint(before) or behind in {"-", "–", "to", "until"}


def _loose_opposite(pair: Pair, edit: Edit) -> bool:
    """A verb or noun with *un* or *dis*, which mostly means something else, or a word under a denial."""
    if pair.change is None:
        return False
    old, new = pair.change.old.lower(), pair.change.new.lower()
    word, first = pair.sentence.words[pair.change.span.first], pair.change.span.first
    if word.tag != "ADJ" and frozenset({old, new}) not in OPPOSITES and (old in new or new in old):
        return True
    behind = {one.text.lower() for one in pair.sentence.words[first : first + 7]}
    if {old, new} == {"lost", "won"} and "to" in behind:
        return True
    return any(is_denial(one.text) for one in pair.sentence.words[max(0, first - 4) : first])


def _renames_not(pair: Pair, edit: Edit) -> bool:
    """A comma before *or* that is one of a list, or stands before a phrase or a clause: it opens no other name."""
    if edit.has(*NAMING):
        return False
    return bool(pair.coordination.others) or kind_of(pair.sentence, pair.coordination.right) != "noun"


def _is_not_past(pair: Pair, edit: Edit) -> bool:
    """A participle beside a verb of the present ("may be used"), or two names of one thing ("the A Cup or B Cup")."""
    if not edit.has("was", "were", "had", "did") and edit.has(*_PRESENT):
        return True
    words, found = pair.sentence.words, pair.coordination
    return words[found.left.end - 1].text == words[found.right.end - 1].text


def _taken_apart(pair: Pair, edit: Edit) -> bool:
    """A word such as *group* alone, or conjuncts that are no things."""
    return not edit.has(*SUMS) or kind_of(pair.sentence, pair.coordination.right) != "noun"


def _denied_elsewhere(pair: Pair, edit: Edit) -> bool:
    """A comma stands between the word that denies and *or*, or many words."""
    before = edit.lower[: edit.conjunction]
    place = max((place for place, word in enumerate(before) if is_denial(word)), default=0)
    return "," in before[place:] or "without" in before[place:] or len(before) - place > _REACH


def _other_number(pair: Pair, edit: Edit) -> bool:
    """The number that became another is none of those that *or* stands between."""
    return not all(is_number(word) for word in edit.around)


def _word_by_but(pair: Pair) -> bool:
    """A co-hyponym beside *but*: neutral or contradiction, as it comes."""
    return pair.change is not None and pair.change.why == "co-hyponym" and pair.conjunction == "but"


def _name_may_be_too(pair: Pair) -> bool:
    """Another name, where both may be true: he met Ada and Tom."""
    change = pair.change
    if change is None or change.why != "name":
        return False
    if pair.conjunction not in {"and", "but"} or change.old.endswith("s") != change.new.endswith("s"):
        return True
    words = pair.sentence.words
    if words[change.span.end - 1].tag == "ADJ":
        return False
    if any(word.text.lower() in {"has", "have"} for word in words):
        return True
    before = [word.text.lower() for word in words[max(0, change.span.first - 3) : change.span.first]]
    return before[-1:] != ["by"] and not (before[-1:] == ["in"] and not _PLACED.isdisjoint(before))


_OF_RULES: Final[tuple[tuple[str, str, Callable[[Pair, Edit], bool]], ...]] = (
    ("taken together", "whether things are taken together is not clear", _taken_apart),
    ("other name", "whether or renames something is not clear", _renames_not),
    ("or in the past", "whether or is about what happened is not clear", _is_not_past),
    ("or denied", "whether or is denied is not clear", _denied_elsewhere),
    ("number by or", "the number is none of those beside or", _other_number),
    ("number", "the number is said to be rough", _is_rough),
    ("opposite", "the opposite may not be one here", _loose_opposite),
)
_OF_REPLACEMENTS: Final[tuple[tuple[str, Callable[[Pair], bool]], ...]] = (
    ("a word beside but may be neutral or not", _word_by_but),
    ("both names may be right", _name_may_be_too),
)
