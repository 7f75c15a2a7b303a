"""The label of a pair with conjunctions, by named rules: Boolean ones, and heuristics for where these fail.

A rule looks at the edit that leads from the premise to the hypothesis. The first that holds decides; the last of each
operation always holds. What the paper has no rule for (which *or* is which) follows how its experts label.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from trivium.build.conjuncts.lexicon import ALL, BOUNDS, NAMING, NONE, OPPOSITES, PREFIXES, TRIGGERS, lemmas_of
from trivium.build.conjuncts.numbers import is_number
from trivium.build.conjuncts.reading import Edit, Operation, is_denial, read_edit

ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"


class Labelled(NamedTuple):
    """A label, the rule that gave it, and whether that rule is Boolean."""

    label: str
    rule: str
    boolean: bool


@dataclass(frozen=True)
class Rule:
    """A rule: its name, the operation it is about, the label it gives, and when it holds.

    It is Boolean if it follows from the truth tables of the conjunction and of *not*. Replacing a conjunct leaves the
    conjunction as it is, so that its rules are too (section 4.1 of the paper has it under Boolean *and*). What makes
    a pair non-Boolean is a conjunction that joins a name, a group or two words for one thing, or that bounds or excepts
    something.
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
    """The conjunction is *nor*."""
    return edit.word == "nor"


def nor_to_not(edit: Edit) -> bool:
    """*Neither A nor B* against *not A*."""
    return of_nor(edit) and edit.denials[0] != edit.denials[1]


def of_exception(edit: Edit) -> bool:
    """*All but one*, *everyone but Tom*, *every boy but Tom*; *nobody but Tom* without Tom."""
    return edit.word == "but" and (_is_all(edit) or _is_none(edit))


def nothing_but(edit: Edit) -> bool:
    """*Nobody but Tom*, *nothing but trouble* against Tom and trouble alone."""
    return edit.word == "but" and _is_none(edit) and edit.first < (edit.conjunction or 0)


def of_bound(edit: Edit) -> bool:
    """*Two or more*, *grade 4 or higher*; not *or more precisely*."""
    if not of_or(edit) or edit.beside(1) not in BOUNDS or edit.beside(-1) == ",":
        return False
    return is_number(edit.beside(-1)) or not edit.beside(2).endswith("ly")


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
    return of_or(edit) and any(word in ("was", "were", "had", "did") or _is_past(word) for word in edit.lower)


def of_numbers(edit: Edit) -> bool:
    """A number became another."""
    return all(any(is_number(word) for word in side) for side in (edit.removed, edit.inserted))


def of_opposites(edit: Edit) -> bool:
    """A word became its opposite."""
    return any(_are_opposite(old.lower(), new.lower()) for old in edit.removed for new in edit.inserted)


def of_names(edit: Edit) -> bool:
    """A name became another."""
    return all(any(word[0].isupper() for word in side) for side in (edit.removed, edit.inserted))


def name_by_or(edit: Edit) -> bool:
    """*Or*, and a name became another."""
    return of_or(edit) and of_names(edit)


def number_by_or(edit: Edit) -> bool:
    """*Or*, and a number became another."""
    return of_or(edit) and of_numbers(edit)


def always(edit: Edit) -> bool:
    """Where no other rule holds."""
    return True


RULES: tuple[Rule, ...] = (
    Rule("denial", "remove", CONTRADICTION, only_denial, boolean=True),
    Rule("neither/nor to not", "remove", ENTAILMENT, nor_to_not, boolean=True),
    Rule("neither/nor undone", "remove", CONTRADICTION, of_nor, boolean=True),
    Rule("nothing but", "remove", ENTAILMENT, nothing_but),
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
    Rule("nothing but", "add", NEUTRAL, nothing_but),
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
    Rule("neither/nor", "replace", NEUTRAL, of_nor, boolean=True),
    Rule("number by or", "replace", NEUTRAL, number_by_or, boolean=True),
    Rule("number", "replace", CONTRADICTION, of_numbers, boolean=True),
    Rule("opposite", "replace", CONTRADICTION, of_opposites, boolean=True),
    Rule("name by or", "replace", NEUTRAL, name_by_or, boolean=True),
    Rule("name", "replace", CONTRADICTION, of_names, boolean=True),
    Rule("but", "replace", CONTRADICTION, of_but, boolean=True),
    Rule("another word", "replace", NEUTRAL, always, boolean=True),
)
"""All rules in the order in which they are tried."""
_DETERMINERS = frozenset("the this that these those my your his her its our their".split())
_SUBJECTS = frozenset("i you he she it we they there".split())
_BY_OPERATION = {name: [rule for rule in RULES if rule.operation == name] for name in ("remove", "add", "replace")}


def _is_all(edit: Edit) -> bool:
    """Whether *but* takes something away from all: no verb and no clause follows."""
    behind = edit.around[1]
    if edit.beside(-2) == "every":
        return behind[:1].isupper() or is_number(behind) or edit.beside(1) in _DETERMINERS
    return edit.beside(-1) in ALL and not _opens_clause(edit.beside(1))


def _is_none(edit: Edit) -> bool:
    none = edit.beside(-1) in NONE or (edit.beside(-2), edit.beside(-1)) == ("no", "one")
    return none and not _opens_clause(edit.beside(1))


def _opens_clause(word: str) -> bool:
    return word in _SUBJECTS or (bool(lemmas := lemmas_of(word)) and set(lemmas) <= {"VERB", "AUX"})


@lru_cache(maxsize=20_000)
def _is_past(word: str) -> bool:
    """Whether a word is a regular past form: wanted, and not red or need."""
    return word.endswith("ed") and any(lemma != word for lemma in lemmas_of(word).get("VERB", ()))


def _are_opposite(first: str, second: str) -> bool:
    if frozenset({first, second}) in OPPOSITES:
        return True
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    return len(shorter) > 2 and any(longer == prefix + shorter for prefix in PREFIXES)


def _is_common(word: str) -> bool:
    """Whether a word is no name by itself: Peace, and not Peter."""
    return not lemmas_of(word.lower()).keys().isdisjoint({"NOUN", "ADJ", "ADV"})
