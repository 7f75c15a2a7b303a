"""Syllogisms: conclusions from *all*, *no*, *some* and *only*, decided by trying all small models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.contrast import pick_match
from trivium.build.phenomena.truth_tables import Statement, atoms, label_of, redundant, relation_of
from trivium.build.phenomena.words import PEOPLE, indefinite, pick, pick_some, sentence, sentences, shuffled

if TYPE_CHECKING:
    import numpy as np

_TERMS, _PEOPLE = 3, 2
_TYPES = range(1 << _TERMS)
"""The types of people: bit t of a type says whether people of this type are what the t-th term says."""
_MODELS = atoms(len(_TYPES) + _PEOPLE * _TERMS)
"""Models: which types there are, and what two named people are.

Statements about terms depend on the types that occur, not on the number of people of a type, so these are all models.
"""
_OCCURS = _MODELS.columns[: len(_TYPES)]
_IS = [_MODELS.columns[len(_TYPES) + who * _TERMS :][:_TERMS] for who in range(_PEOPLE)]
"""Truth tables of what each named person is, by term."""


def _types_of_people_occur() -> int:
    """Return the truth table of there being the types of the named people."""
    return _MODELS.all_of(
        _MODELS.implies(
            _MODELS.all_of(table if kind >> t & 1 else _MODELS.negated(table) for t, table in enumerate(terms)),
            _OCCURS[kind],
        )
        for terms in _IS
        for kind in _TYPES
    )


_BACKGROUND = Statement.plain("", _types_of_people_occur())


@cache
def _occurs(subject: int, *others: tuple[int, bool]) -> int:
    """Return the truth table of there being an instance of a term that is, or is not, one of other terms."""
    literals = ((subject, True), *others)
    return _MODELS.any_of(_OCCURS[t] for t in _TYPES if all(bool(t >> term & 1) == holds for term, holds in literals))


def _quantified(subject: int, predicate: int) -> tuple[Statement, ...]:
    """Return the four statements about two terms. Their texts are codes: ``all 0 1``.

    In the stronger reading, *all* and *no* imply that both terms have instances, and *some* implies *not all*.
    """
    both, differing = _occurs(subject, (predicate, True)), _occurs(subject, (predicate, False))
    exist = _occurs(subject) & _occurs(predicate)
    every, no = _MODELS.negated(differing), _MODELS.negated(both)
    return (
        Statement(f"all {subject} {predicate}", every, every & exist),
        Statement(f"no {subject} {predicate}", no, no & exist),
        Statement(f"some {subject} {predicate}", both, both & differing),
        Statement(f"not-all {subject} {predicate}", differing, both & differing),
    )


def _facts(who: int, term: int) -> tuple[Statement, ...]:
    """Return the statements that a named person is, and is not, what a term says."""
    table = _IS[who][term]
    return Statement.plain(f"is {who} {term}", table), Statement.plain(f"is-not {who} {term}", _MODELS.negated(table))


_Premises = tuple[Statement, ...]


@cache
def _table_of_labels(about_people: bool) -> tuple[list[_Premises], list[Statement], dict[tuple[int, int], str | None]]:
    """Return all premises, all hypotheses, and the label of each pair by their indices.

    The label is None if one premise alone decides the hypothesis, or if it depends on the reading.
    """
    between = [[*_quantified(a, b), *_quantified(b, a)] for a, b in ((0, 1), (1, 2), (0, 2))]
    facts: list[tuple[Statement, ...]] = [()]
    hypotheses = between[2]
    if about_people:
        facts, hypotheses = [*product(_facts(0, 0), _facts(1, 2))], [*_facts(0, 2), *_facts(1, 0)]
    premises = [(*rules, *known) for rules in product(*between[:2]) for known in facts if not redundant(rules)]
    labels: dict[tuple[int, int], str | None] = {}
    for row, premise in enumerate(premises):
        for column, hypothesis in enumerate(hypotheses):
            alone = [relation_of(each.table & _BACKGROUND.table, hypothesis.table) for each in premise]
            decided = any(relation != "neutral" for relation in alone)
            labels[row, column] = None if decided else label_of((_BACKGROUND, *premise), hypothesis)
    return premises, hypotheses, labels


_Pair = tuple[_Premises, Statement]


@cache
def _squares(about_people: bool, not_entailed: str) -> list[tuple[_Pair, _Pair]]:
    """Return two entailed pairs, of which each premise has the label ``not_entailed`` with the other's hypothesis."""
    premises, hypotheses, labels = _table_of_labels(about_people)
    entailed = [cell for cell, label in labels.items() if label == "entailment"]
    return [
        ((premises[a], hypotheses[b]), (premises[c], hypotheses[d]))
        for (a, b), (c, d) in combinations(entailed, 2)
        if labels[a, d] == labels[c, b] == not_entailed
    ]


_ROLES: tuple[str, ...] = tuple(
    "baker, gardener, chess player, dancer, beekeeper, singer, teacher, farmer, painter, cyclist, vegetarian, sailor, "
    "lawyer, engineer, poet, tailor, cat owner, early riser, carpenter, juggler, swimmer, nurse, tenant, newcomer, "
    "left-hander, coffee drinker, tea drinker, barber, student, climber, fiddler, potter, plumber, jogger, night owl, "
    "shopkeeper, stamp collector, bookbinder, choir member, dog lover, archer, clarinettist".split(", ")
)


_FORMS = {
    "all": ("all {s}s are {p}s", "every {s} is {a_p}", "only {p}s are {s}s", "anyone who is {a_s} is {a_p}",
            "there is no {s} who is not {a_p}"),
    "no": ("no {s} is {a_p}", "nobody is both {a_s} and {a_p}", "there is no {s} who is {a_p}", "no {s}s are {p}s"),
    "some": ("some {s}s are {p}s", "at least one {s} is {a_p}", "there is {a_s} who is {a_p}",
             "somebody is both {a_s} and {a_p}"),
    "not-all": ("some {s}s are not {p}s", "not every {s} is {a_p}", "at least one {s} is not {a_p}",
                "there is {a_s} who is not {a_p}", "not all {s}s are {p}s"),
}  # fmt: skip


def _text(rng: np.random.Generator, code: str, roles: Sequence[str], people: Sequence[str]) -> str:
    """Express a statement in one of several ways."""
    form, subject, predicate = code.split()
    p = roles[int(predicate)]
    if form in ("is", "is-not"):
        return f"{people[int(subject)]} {form.replace('-', ' ')} {indefinite(p)}"
    s = roles[int(subject)]
    return pick(rng, _FORMS[form]).format(s=s, p=p, a_s=indefinite(s), a_p=indefinite(p))


@maker("logi")
def syllogism(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose premises relate three terms to each other, and perhaps two people to the terms.

    ``No baker is a poet. Some sailors are bakers.`` entails ``Not every sailor is a poet.``.
    """
    # Contradictions are easier to recognize than conclusions that merely do not follow.
    squares = _squares(bool(rng.random() < 0.35), "neutral" if rng.random() < 0.75 else "contradiction")
    premises, hypothesis = pick_match(label, rng, *pick(rng, squares))
    roles, people = pick_some(rng, _ROLES, _TERMS), pick_some(rng, PEOPLE, _PEOPLE)
    texts = [_text(rng, premise.text, roles, people) for premise in shuffled(rng, premises)]
    return Pair(sentences(texts), sentence(_text(rng, hypothesis.text, roles, people)))
