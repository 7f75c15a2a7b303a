"""The label of a pair with conjunctions, by named rules: Boolean ones, and heuristics for where these fail.

A rule looks at the edit that leads from the premise to the hypothesis. The first that holds decides; the last of each
operation always holds. What the paper has no rule for (which *or* is which) follows how its experts label.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from trivium.build.conjuncts.lexicon import BOUNDS, NAMING, OPPOSITES, PREFIXES, TRIGGERS, is_number
from trivium.build.conjuncts.reading import Edit, Operation, is_denial, read_edit
from trivium.data.inflection import getAllLemmas

ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"


class Labelled(NamedTuple):
    """A label, the rule that gave it, and whether that rule is Boolean."""

    label: str
    rule: str
    boolean: bool


@dataclass(frozen=True)
class Rule:
    """A rule: its name, the operation it is about, the label it gives, and when it holds.

    It is Boolean if it follows from the truth tables of the conjunction and of *not*.
    """

    name: str
    operation: Operation
    label: str
    holds: Callable[[Edit], bool]
    boolean: bool = False


def label_pair(premise: str, hypothesis: str) -> Labelled | None:
    """The label of a pair by the first rule that holds; None if nothing but form was changed."""
    edit = read_edit(premise, hypothesis)
    return None if edit is None else label_edit(edit)


def label_edit(edit: Edit) -> Labelled:
    """The label of an edit by the first rule that holds."""
    rule = next(rule for rule in _BY_OPERATION[edit.operation] if rule.holds(edit))
    return Labelled(rule.label, rule.name, rule.boolean)


def only_denial(edit: Edit) -> bool:
    """Only a word that denies was taken out or put in."""
    changed = [word for word in (*edit.removed, *edit.inserted) if word[0].isalnum()]
    return bool(changed) and all(is_denial(word) for word in changed)


def of_nor(edit: Edit) -> bool:
    """The conjunction is *nor*, or *neither* opens it."""
    return edit.word == "nor" or edit.has("neither")


def nor_to_not(edit: Edit) -> bool:
    """*Neither A nor B* against *not A*."""
    return of_nor(edit) and edit.denials[0] != edit.denials[1]


def of_exception(edit: Edit) -> bool:
    """*All but one*, *none but one*."""
    return edit.word == "but" and edit.around[0].lower() in ("all", "none")


def of_bound(edit: Edit) -> bool:
    """*Two or more*, *grade 4 or higher*."""
    return edit.word == "or" and edit.around[1].lower() in BOUNDS


def in_name(edit: Edit) -> bool:
    """The conjunction stands inside a name or a title: between capitalized common words, or in quotation marks."""
    before, behind = edit.around
    if not (before[:1].isupper() and behind[:1].isupper()):
        return False
    return edit.is_quoted or (_is_common(before) and _is_common(behind))


def together(edit: Edit) -> bool:
    """*And* where things are taken together: in total, combined, a group of."""
    return edit.word == "and" and edit.has(*TRIGGERS)


def of_and(edit: Edit) -> bool:
    """The conjunction is *and*."""
    return edit.word == "and"


def of_but(edit: Edit) -> bool:
    """The conjunction is *but*."""
    return edit.word == "but"


def of_or(edit: Edit) -> bool:
    """The conjunction is *or*."""
    return edit.word == "or"


def denied_or(edit: Edit) -> bool:
    """*Or* behind a word that denies: not (A or B) is not A and not B."""
    return of_or(edit) and any(is_denial(word) for word in edit.whole[: edit.conjunction])


def or_of_numbers(edit: Edit) -> bool:
    """*In 1889 or 1890*: one of the two."""
    return of_or(edit) and all(is_number(word) for word in edit.around)


def exclusive_or(edit: Edit) -> bool:
    """*Either A or B*, *whether A or B*."""
    return of_or(edit) and edit.has("either", "whether")


def other_name(edit: Edit) -> bool:
    """*Or* before another name of the same: behind a comma or a bracket, or where something is called something."""
    return of_or(edit) and (edit.around[0] in (",", "(") or edit.has(*NAMING))


def or_in_the_past(edit: Edit) -> bool:
    """*Or* in a sentence about what happened, where one of the two was the case."""
    return of_or(edit) and any(word in ("was", "were", "had", "did") or word.endswith("ed") for word in edit.lower)


def of_numbers(edit: Edit) -> bool:
    """A number became another."""
    return all(any(is_number(word) for word in side) for side in (edit.removed, edit.inserted))


def of_opposites(edit: Edit) -> bool:
    """A word became its opposite."""
    return any(_are_opposite(old.lower(), new.lower()) for old in edit.removed for new in edit.inserted)


def of_names(edit: Edit) -> bool:
    """A name became another."""
    return all(any(word[0].isupper() for word in side) for side in (edit.removed, edit.inserted))


def always(edit: Edit) -> bool:
    """Where no other rule holds."""
    return True


RULES: tuple[Rule, ...] = (
    Rule("denial", "remove", CONTRADICTION, only_denial, boolean=True),
    Rule("neither/nor to not", "remove", ENTAILMENT, nor_to_not, boolean=True),
    Rule("neither/nor undone", "remove", CONTRADICTION, of_nor, boolean=True),
    Rule("exception", "remove", CONTRADICTION, of_exception),
    Rule("bound", "remove", NEUTRAL, of_bound),
    Rule("part of a name", "remove", NEUTRAL, in_name),
    Rule("taken together", "remove", CONTRADICTION, together),
    Rule("and", "remove", ENTAILMENT, of_and, boolean=True),
    Rule("but", "remove", ENTAILMENT, of_but, boolean=True),
    Rule("or denied", "remove", ENTAILMENT, denied_or, boolean=True),
    Rule("or of numbers", "remove", NEUTRAL, or_of_numbers, boolean=True),
    Rule("either/or", "remove", NEUTRAL, exclusive_or, boolean=True),
    Rule("other name", "remove", ENTAILMENT, other_name),
    Rule("or in the past", "remove", NEUTRAL, or_in_the_past, boolean=True),
    Rule("or in general", "remove", ENTAILMENT, of_or),
    Rule("other", "remove", ENTAILMENT, always),
    Rule("denial", "add", CONTRADICTION, only_denial, boolean=True),
    Rule("not to neither/nor", "add", NEUTRAL, nor_to_not, boolean=True),
    Rule("made neither/nor", "add", CONTRADICTION, of_nor, boolean=True),
    Rule("exception", "add", CONTRADICTION, of_exception),
    Rule("bound", "add", NEUTRAL, of_bound),
    Rule("part of a name", "add", NEUTRAL, in_name),
    Rule("taken together", "add", CONTRADICTION, together),
    Rule("and", "add", NEUTRAL, of_and, boolean=True),
    Rule("but", "add", NEUTRAL, of_but, boolean=True),
    Rule("or denied", "add", NEUTRAL, denied_or, boolean=True),
    Rule("or of numbers", "add", ENTAILMENT, or_of_numbers, boolean=True),
    Rule("either/or", "add", ENTAILMENT, exclusive_or),
    Rule("other name", "add", NEUTRAL, other_name),
    Rule("or in the past", "add", ENTAILMENT, or_in_the_past, boolean=True),
    Rule("or in general", "add", NEUTRAL, of_or),
    Rule("other", "add", NEUTRAL, always),
    Rule("neither/nor", "replace", NEUTRAL, of_nor),
    Rule("number by or", "replace", NEUTRAL, lambda edit: of_or(edit) and of_numbers(edit)),
    Rule("number", "replace", CONTRADICTION, of_numbers),
    Rule("opposite", "replace", CONTRADICTION, of_opposites),
    Rule("name", "replace", CONTRADICTION, of_names),
    Rule("but", "replace", CONTRADICTION, of_but),
    Rule("another word", "replace", NEUTRAL, always),
)
"""All rules in the order in which they are tried."""
_BY_OPERATION = {name: [rule for rule in RULES if rule.operation == name] for name in ("remove", "add", "replace")}


def _are_opposite(first: str, second: str) -> bool:
    if frozenset({first, second}) in OPPOSITES:
        return True
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    return len(shorter) > 2 and any(longer == prefix + shorter for prefix in PREFIXES)


@lru_cache(maxsize=20_000)
def _is_common(word: str) -> bool:
    """Whether a word is no name by itself: Peace, and not Peter."""
    lemmas = getAllLemmas(word.lower()) if word.isascii() and len(word) < 40 else {}
    return bool(lemmas) and "PROPN" not in lemmas
