"""Conditionals with if, only if and unless: modus ponens, modus tollens, and the corresponding fallacies."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trivium.build.phenomena import Pair, maker
from trivium.build.phenomena.relations import pick_relation
from trivium.build.phenomena.truth_tables import Statement, atoms, label_of
from trivium.build.phenomena.words import PEOPLE, pick, sentence, sentences, shuffled

if TYPE_CHECKING:
    import numpy as np

_ATOMS = atoms(4)


class _Clause(NamedTuple):
    """A clause, its negation, and its truth table."""

    text: str
    negation: str
    table: int

    def literal(self, holds: bool) -> Statement:
        """Return the clause, or its negation if ``holds`` is false."""
        return Statement.plain(*((self.text, self.table) if holds else (self.negation, _ATOMS.negated(self.table))))


_SITUATIONS: tuple[tuple[str, str], ...] = tuple(
    (f"{subject} is {state}", f"{subject} is not {state}")
    for subject, states in {
        "the museum": "open, crowded, free of charge",
        "the bakery": "open, closed for repairs",
        "the bridge": "open to traffic, under repair",
        "the library": "open, quiet",
        "the harbour": "frozen, busy",
        "the kitchen": "clean, locked",
        "the front door": "locked, painted green",
        "the lift": "broken, full",
        "the train from the coast": "late, full",
        "the last bus": "late, empty",
        "the road over the pass": "blocked, icy",
        "the garden gate": "open, locked",
        "the projector": "broken, switched on",
        "the printer": "out of paper, switched on",
        "the alarm": "on, broken",
        "the swimming pool": "heated, open",
        "the sky": "clear, cloudy",
        "the river": "frozen, muddy",
        "the soup": "ready, salty",
        "the office": "empty, locked",
        "the theatre": "sold out, closed",
        "the tower": "lit up, closed to visitors",
        "the market": "open, crowded",
        "the ferry": "late, full",
    }.items()
    for state in states.split(", ")
)
_STATES: tuple[str, ...] = tuple(
    "at home, in the office, on holiday, ill, busy, asleep, at work, in a hurry, on duty, abroad, in good spirits, "
    "alone, on the train, in the garden, angry, tired, hungry, at the station".split(", ")
)


def _clause(rng: np.random.Generator, table: int) -> _Clause:
    form = rng.random()
    if form < 0.3:
        return _Clause(*pick(rng, _SITUATIONS), table)
    person = pick(rng, PEOPLE)
    if form < 0.6:
        state = pick(rng, _STATES)
        return _Clause(f"{person} is {state}", f"{person} is not {state}", table)
    relation = pick_relation(rng)
    item = pick(rng, relation.items)
    return _Clause(f"{person} {relation.singular} {item}", f"{person} {relation.negated} {item}", table)


def _clauses(rng: np.random.Generator) -> list[_Clause]:
    """Draw a clause for each atom. The clauses have different subjects, so that they are independent."""
    clauses: dict[str, _Clause] = {}
    for table in _ATOMS.columns:
        clause = _clause(rng, table)
        while _subject(clause) in clauses:
            clause = _clause(rng, table)
        clauses[_subject(clause)] = clause
    return list(clauses.values())


def _subject(clause: _Clause) -> str:
    words = clause.text.split()
    return " ".join(words[:3]) if words[0] == "the" else words[0]


def _link(rng: np.random.Generator, antecedent: _Clause, consequent: _Clause) -> Statement:
    """Draw a conditional between two clauses, each of which may be negated."""
    signs = rng.random(2) < 0.6
    first, then = antecedent.literal(bool(signs[0])), consequent.literal(bool(signs[1]))
    table = _ATOMS.implies(first.table, then.table)
    # "Unless" with a negation is hard to read, so it is only used with affirmative clauses.
    form = rng.random() if signs[0] else 0.85 * rng.random()
    if form < 0.3:
        return Statement.plain(f"if {first.text}, then {then.text}", table)
    if form < 0.5:
        return Statement.plain(f"if {first.text}, {then.text}", table)
    if form < 0.7:
        return Statement.plain(f"{then.text} if {first.text}", table)
    if form < 0.85:
        return Statement.plain(f"{first.text} only if {then.text}", table)
    table = first.table | then.table
    return Statement(f"{then.text} unless {first.text}", table, first.table ^ then.table)


def _premises(rng: np.random.Generator, clauses: list[_Clause], shape: float, with_distractor: bool) -> list[Statement]:
    """Draw conditionals to or from the first clause, a fact about their other end, and perhaps a distractor."""
    goal, middle, start, distractor = clauses
    signs = rng.random(2)
    if shape < 0.4:
        premises = [_link(rng, middle, goal), middle.literal(bool(signs[0] < 0.55))]
    elif shape < 0.7:
        premises = [_link(rng, goal, middle), middle.literal(bool(signs[0] < 0.55))]
    else:
        premises = [_link(rng, start, middle), _link(rng, middle, goal), start.literal(bool(signs[0] < 0.55))]
    if with_distractor:
        premises.append(distractor.literal(bool(signs[1] < 0.55)))
    return premises


@maker("cond")
def conditional(label: str, rng: np.random.Generator) -> Pair:
    """Draw a pair whose premises contain one or two conditionals.

    ``If the lift is broken, Anna is angry. The lift is broken.`` entails ``Anna is angry.``.
    """
    clauses = _clauses(rng)
    hypothesis = clauses[0].literal(bool(rng.random() < 0.5))
    shape, with_distractor = rng.random(), bool(rng.random() < 0.5)
    while True:
        premises = _premises(rng, clauses, shape, with_distractor)
        if label_of(premises, hypothesis) == label:
            return Pair(sentences(shuffled(rng, [premise.text for premise in premises])), sentence(hypothesis.text))
