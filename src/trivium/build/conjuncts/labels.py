"""The label of a pair with conjunctions, by named rules: Boolean ones, and heuristics for where these fail.

A rule looks at the edit that leads from the premise to the hypothesis. The first that holds decides; the last of each
operation always holds. What the paper has no rule for (which *or* is which) follows how its experts label.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from trivium.build.conjuncts.lexicon import (
    ALL,
    BOUNDS,
    CHOICE,
    DISTRIBUTING,
    NAMING,
    NONE,
    OPPOSITES,
    ORIGINS,
    PAST,
    PREFIXES,
    TRIGGERS,
    UNITS,
    lemmas_of,
)
from trivium.build.conjuncts.numbers import is_number
from trivium.build.conjuncts.reading import Edit, Operation, is_denial, read_edit
from trivium.build.conjuncts.sentence import CONJUNCTIONS
from trivium.language.inflection import inflect

ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"


class Labelled(NamedTuple):
    """A label, the rule that gave it, and whether that rule is Boolean."""

    label: str
    rule: str
    boolean: bool


@dataclass(frozen=True)
class Rule:
    """A rule: its name, the operation and the conjunction it is about, the label it gives, and when it holds.

    It is Boolean if it follows from the truth tables of the conjunction and of *not*. Replacing a conjunct leaves the
    conjunction as it is, so that its rules are too (section 4.1 of the paper has it under Boolean *and*). What makes
    a pair non-Boolean is a conjunction that joins a name, a group or two words for one thing, or that bounds or excepts
    something. A rule with no conjunction is about every one.
    """

    name: str
    operation: Operation
    word: str
    label: str
    holds: Callable[[Edit], bool]
    boolean: bool = False

    @cached_property
    def labelled(self) -> Labelled:
        """What the rule gives."""
        return Labelled(self.label, self.name, self.boolean)


def label_pair(premise: str, hypothesis: str) -> Labelled | None:
    """The label of a pair by the first rule that holds; None if nothing but form was changed."""
    edit = read_edit(premise, hypothesis)
    return None if edit is None else label_edit(edit)


def label_edit(edit: Edit) -> Labelled:
    """The label of an edit by the first rule that holds."""
    return next(rule.labelled for rule in _RULES_OF[edit.operation, edit.word] if rule.holds(edit))


def only_denial(edit: Edit) -> bool:
    """Only a word that denies was taken out or put in."""
    changed = [word for word in (*edit.removed, *edit.inserted) if word[0].isalnum()]
    return bool(changed) and all(map(is_denial, changed))


def nor_to_not(edit: Edit) -> bool:
    """*Neither A nor B* against *not A*."""
    return sum(map(is_denial, edit.whole.lower)) != sum(map(is_denial, edit.other))


def of_exception(edit: Edit) -> bool:
    """*All but one*, *everyone but Tom*, *every boy but Tom*; *nobody but Tom* without Tom."""
    return _is_all(edit) or _is_none(edit)


def nothing_but(edit: Edit) -> bool:
    """*Nobody but Tom*, *nothing but trouble* against Tom and trouble alone."""
    return _is_none(edit) and edit.first < (edit.conjunction or 0)


def of_bound(edit: Edit) -> bool:
    """*Two or more*, *grade 4 or higher*; not *or more precisely*."""
    if edit.beside(1) not in BOUNDS or edit.beside(-1) == ",":
        return False
    return is_number(edit.beside(-1)) or not edit.beside(2).endswith("ly")


def in_name(edit: Edit) -> bool:
    """The conjunction stands inside a name or a title: between capitalized common words, or in quotation marks."""
    before, behind = edit.around
    if not (before[:1].isupper() and behind[:1].isupper()):
        return False
    return edit.is_quoted or (_is_common(before) and _is_common(behind))


def together(edit: Edit) -> bool:
    """Things are taken together: in total, combined, a group of."""
    return edit.has(TRIGGERS)


def of_units(edit: Edit) -> bool:
    """*9 minutes and 9 seconds*: two parts of one amount."""
    counted = is_number(edit.beside(-2)) and is_number(edit.beside(1))
    return counted and _is_unit(edit.beside(-1)) and _is_unit(edit.beside(2))


def denied(edit: Edit) -> bool:
    """The conjunction stands behind a word that denies: not (A or B) is not A and not B."""
    return any(map(is_denial, edit.before))


def between_numbers(edit: Edit) -> bool:
    """*In 1889 or 1890*: one of the two."""
    return all(map(is_number, edit.around))


def exclusive(edit: Edit) -> bool:
    """*Either A or B*, *whether A or B*."""
    return edit.has({"either", "whether"})


def of_origin(edit: Edit) -> bool:
    """*The word comes from Latin or Greek*: from one of the two."""
    before = edit.before
    if edit.around[0] in (",", "("):
        return False
    starts = (place for place, word in enumerate(before) if word in ORIGINS and "from" in before[place + 1 : place + 3])
    return any("," not in before[place:] for place in starts)


def of_all(edit: Edit) -> bool:
    """*All speak A or B*: some may speak A, and others B; not *all may choose A or B*, nor *all As or Bs sing*."""
    before = edit.before
    for place, word in enumerate(before):
        between = before[place + 1 :]
        if word not in DISTRIBUTING or before[place - 1 : place] in (("the",), ("at",)) or "," in between:
            continue  # "the most", "at all"
        if CHOICE.isdisjoint(between) and (between[:2] in _OF_THEM or _has_verb(between)):
            return True
    return False


def other_name(edit: Edit) -> bool:
    """Another name of the same: behind a comma or a bracket, or where something is called something."""
    return edit.around[0] in (",", "(") or edit.has(NAMING)


def in_the_past(edit: Edit) -> bool:
    """A sentence about what happened, where one of the two was the case."""
    lower = edit.whole.lower
    return edit.has(PAST) or any(map(_is_past, lower)) or any(_is_irregular_past(lower, i) for i in range(len(lower)))


def of_numbers(edit: Edit) -> bool:
    """A number became another."""
    return all(any(map(is_number, side)) for side in (edit.removed, edit.inserted))


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
    Rule("denial", "remove", "", CONTRADICTION, only_denial, boolean=True),
    Rule("neither/nor to not", "remove", "nor", ENTAILMENT, nor_to_not, boolean=True),
    Rule("neither/nor undone", "remove", "nor", CONTRADICTION, always, boolean=True),
    Rule("nothing but", "remove", "but", ENTAILMENT, nothing_but),
    Rule("exception", "remove", "but", CONTRADICTION, of_exception),
    Rule("bound", "remove", "or", NEUTRAL, of_bound),
    Rule("part of a name", "remove", "", NEUTRAL, in_name),
    Rule("sum of units", "remove", "and", CONTRADICTION, of_units),
    Rule("taken together", "remove", "and", CONTRADICTION, together),
    Rule("and", "remove", "and", ENTAILMENT, always, boolean=True),
    Rule("but", "remove", "but", ENTAILMENT, always, boolean=True),
    Rule("or denied", "remove", "or", ENTAILMENT, denied, boolean=True),
    Rule("or of numbers", "remove", "or", NEUTRAL, between_numbers, boolean=True),
    Rule("either/or", "remove", "or", NEUTRAL, exclusive, boolean=True),
    Rule("or of origin", "remove", "or", NEUTRAL, of_origin, boolean=True),
    Rule("other name", "remove", "or", ENTAILMENT, other_name),
    Rule("or of all", "remove", "or", NEUTRAL, of_all, boolean=True),
    Rule("or in the past", "remove", "or", NEUTRAL, in_the_past, boolean=True),
    Rule("or in general", "remove", "or", ENTAILMENT, always),
    Rule("other", "remove", "", ENTAILMENT, always),
    Rule("denial", "add", "", CONTRADICTION, only_denial, boolean=True),
    Rule("not to neither/nor", "add", "nor", NEUTRAL, nor_to_not, boolean=True),
    Rule("made neither/nor", "add", "nor", CONTRADICTION, always, boolean=True),
    Rule("nothing but", "add", "but", NEUTRAL, nothing_but),
    Rule("exception", "add", "but", CONTRADICTION, of_exception),
    Rule("bound", "add", "or", ENTAILMENT, of_bound),
    Rule("part of a name", "add", "", NEUTRAL, in_name),
    Rule("sum of units", "add", "and", CONTRADICTION, of_units),
    Rule("taken together", "add", "and", CONTRADICTION, together),
    Rule("and", "add", "and", NEUTRAL, always, boolean=True),
    Rule("but", "add", "but", NEUTRAL, always, boolean=True),
    Rule("or denied", "add", "or", NEUTRAL, denied, boolean=True),
    Rule("or of numbers", "add", "or", ENTAILMENT, between_numbers, boolean=True),
    Rule("either/or", "add", "or", ENTAILMENT, exclusive),
    Rule("or of origin", "add", "or", ENTAILMENT, of_origin, boolean=True),
    Rule("other name", "add", "or", NEUTRAL, other_name),
    Rule("or of all", "add", "or", ENTAILMENT, of_all, boolean=True),
    Rule("or in the past", "add", "or", ENTAILMENT, in_the_past, boolean=True),
    Rule("or in general", "add", "or", NEUTRAL, always),
    Rule("other", "add", "", NEUTRAL, always),
    Rule("neither/nor", "replace", "nor", NEUTRAL, always, boolean=True),
    Rule("number by or", "replace", "or", NEUTRAL, of_numbers, boolean=True),
    Rule("number", "replace", "", CONTRADICTION, of_numbers, boolean=True),
    Rule("opposite", "replace", "", CONTRADICTION, of_opposites, boolean=True),
    Rule("name by or", "replace", "or", NEUTRAL, of_names, boolean=True),
    Rule("name", "replace", "", CONTRADICTION, of_names, boolean=True),
    Rule("but", "replace", "but", CONTRADICTION, always, boolean=True),
    Rule("another word", "replace", "", NEUTRAL, always, boolean=True),
)
"""All rules in the order in which they are tried."""

ONE_THING = Labelled(NEUTRAL, "one thing", boolean=False)
"""Where *and* is inside a fixed phrase or a name, which only a parsed sentence shows: *track and field*."""

_DETERMINERS = frozenset("the this that these those my your his her its our their".split())
_SUBJECTS = frozenset("i you he she it we they there".split())
_BE_OR_HAVE = frozenset("is are am be been being has have having 's 're 've get gets".split())
_OF_THEM = tuple(("of", word) for word in ("them", "whom", "which", "these", "those"))
_RELATIVES = frozenset("who which that whose whom".split())
_PRONOUNS = tuple((word,) for word in ("i", "you", "he", "she", "it", "we", "they", "who"))
_AUXILIARIES = frozenset("is are was were has have had do does did".split())
_RULES_OF = {
    (operation, word): [rule for rule in RULES if rule.operation == operation and rule.word in ("", word)]
    for operation in ("remove", "add", "replace")
    for word in ("", *CONJUNCTIONS)
}


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


def _is_irregular_past(words: tuple[str, ...], place: int) -> bool:
    """Whether a word is an irregular past: wrote, and made if it is no participle; rose only behind a pronoun."""
    word = words[place]
    if word in PAST or word.endswith("ed") or not _is_form(word, "VBD"):
        return False
    near = words[max(0, place - 2) : place]
    helped = not _BE_OR_HAVE.isdisjoint(near) or words[place + 1 : place + 2] == ("by",)
    if helped and _is_form(word, "VBN"):
        return False
    return set(lemmas_of(word)) <= {"VERB", "AUX"} or near[-1:] in _PRONOUNS


@lru_cache(maxsize=20_000)
def _is_form(word: str, tag: str) -> bool:
    """Whether a word is a form of a verb, and not its lemma."""
    return any(lemma != word and word in inflect(lemma, tag, False) for lemma in lemmas_of(word).get("VERB", ()))


def _has_verb(words: tuple[str, ...]) -> bool:
    """Whether something is said in these words of what they begin with: a verb that is no participle and no noun."""
    for place, word in enumerate(words[:-1]):
        if word in _RELATIVES:
            return False
        kinds = set(lemmas_of(word))
        is_verb = word in _AUXILIARIES or (bool(kinds) and kinds <= {"VERB", "AUX"})
        if not is_verb and "VERB" in kinds and place:
            is_verb = words[place - 1].endswith("s") and "NOUN" in lemmas_of(words[place - 1])
        if is_verb and not word.endswith(("ed", "ing")):
            return True
    return False


@lru_cache(maxsize=20_000)
def _is_unit(word: str) -> bool:
    return word in UNITS or not UNITS.isdisjoint(lemmas_of(word).get("NOUN", ()))


def _are_opposite(first: str, second: str) -> bool:
    if frozenset({first, second}) in OPPOSITES:
        return True
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    return len(shorter) > 2 and any(longer == prefix + shorter for prefix in PREFIXES)


def _is_common(word: str) -> bool:
    """Whether a word is no name by itself: Peace, and not Peter."""
    return not lemmas_of(word.lower()).keys().isdisjoint({"NOUN", "ADJ", "ADV"})
