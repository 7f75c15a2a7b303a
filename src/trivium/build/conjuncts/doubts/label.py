"""What makes the label of a pair doubtful: it is not built, as a rule may say more than its two sentences do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trivium.build.conjuncts.doubts import joined, replaced
from trivium.build.conjuncts.labels import Labelled
from trivium.build.conjuncts.pairs import Pair
from trivium.build.conjuncts.reading import Edit

_NOR_RULES: Final = {
    "kept": ("neither/nor to not", "not to neither/nor"),
    "lost": ("neither/nor undone", "made neither/nor"),
}
_NAMES: Final = ("name", "name by or")
_RULES_OF: Final = {
    "antonym": (("opposite",), "an antonym that may be none here"),
    "number": (("number", "number by or", "neither/nor"), "a number is not read as one"),
    "name": ((*_NAMES, "neither/nor"), "a name is not read as one"),
    "calendar": ((*_NAMES, "neither/nor"), "a name is not read as one"),
}
_OF_RULES: Final[tuple[tuple[str, str, Callable[[Pair, Edit], bool]], ...]] = (
    ("and", "and stands under a denial, only or if", joined.under_denial),
    ("and", "the conjuncts may be one thing", joined.is_one_thing),
    ("and", "what is said may hold of both together alone", joined.is_collective),
    ("bound", "what is bounded would go", joined.loses_bounded),
    ("part of a name", "whether the conjuncts are one name is not clear", joined.joins_names),
    ("either/or", "or stands under a word that denies", joined.under_denial),
    ("or of all", "or stands under a word that denies", joined.under_denial),
    ("or of all", "or stands in a condition", joined.in_condition),
    ("or of origin", "or stands under a word that denies", joined.under_denial),
    ("or of origin", "or may leave the choice", joined.leaves_choice),
    ("or of origin", "or stands in a condition", joined.in_condition),
    ("or in the past", "or stands under a word that denies", joined.under_denial),
    ("or in general", "or stands under a word that denies", joined.under_denial),
    ("either/or", "whether asks for one of the two", joined.asks),
    ("either/or", "or may leave the choice", joined.leaves_choice),
    ("or in the past", "or may leave the choice", joined.leaves_choice),
    ("or in the past", "or stands in a condition", joined.in_condition),
    ("or in general", "or stands in a condition", joined.in_condition),
    ("opposite", "a word of a title", replaced.in_title),
    ("number", "a word of a title", replaced.in_title),
    ("or in general", "or may be about one event or duty", joined.is_single),
    ("either/or", "either may belong to another or", joined.other_either),
    ("name by or", "the name is none of those beside or", replaced.other_name),
    ("name by or", "or may give another name of the same", replaced.renames),
    ("opposite", "an opposite beside or", replaced.by_or),
    ("taken together", "whether things are taken together is not clear", joined.taken_apart),
    ("other name", "whether or renames something is not clear", joined.renames_not),
    ("or in the past", "whether or is about what happened is not clear", joined.is_not_past),
    ("or denied", "whether or is denied is not clear", joined.denied_elsewhere),
    ("number by or", "the number is none of those beside or", replaced.other_number),
    ("number", "the number is said to be rough", replaced.is_rough),
    ("number", "a number under a denial", replaced.denies_number),
    ("opposite", "the opposite may not be one here", replaced.loose_opposite),
)
_OF_RULE: Final = {
    name: tuple((reason, holds) for rule, reason, holds in _OF_RULES if rule == name) for name, _, _ in _OF_RULES
}
_OF_PAIRS: Final[tuple[tuple[str, Callable[[Pair], bool]], ...]] = (
    ("respectively matches other conjuncts", joined.is_crossed),
    ("a command is not true or false", joined.is_command),
    ("a word beside but may be neutral or not", replaced.word_by_but),
    ("a thing may have both colours", replaced.other_colour),
    ("both names may be right", replaced.name_may_be_too),
)


def doubt_of_pair(pair: Pair) -> str | None:
    """Why no label of a pair could be trusted, whatever the rules say; None if one may be."""
    return next((reason for reason, holds in _OF_PAIRS if holds(pair)), None)


def doubt_of_label(pair: Pair, edit: Edit, labelled: Labelled) -> str | None:
    """Why a pair was not read as what it is, so that another rule gave it its label; None if it was."""
    why = pair.change.why if pair.change else ""
    if edit.word != pair.conjunction:
        return "another conjunction is nearer to the change"
    if edit.operation != pair.operation and why != "negation":
        return "it reads as another operation"
    if pair.denial and labelled.rule not in _NOR_RULES[pair.denial]:
        return "it reads as another denial"
    rules, reason = _RULES_OF.get(why, ((), ""))
    if rules and labelled.rule not in rules:
        return reason
    if labelled.rule in _NAMES and why not in {"name", "calendar"}:
        return "a word is read as a name"
    return None


def doubt_of_rule(pair: Pair, edit: Edit, labelled: Labelled) -> str | None:
    """Why the rule that gave a pair its label may not hold here; None if it may be trusted."""
    return next((reason for reason, holds in _OF_RULE.get(labelled.rule, ()) if holds(pair, edit)), None)
