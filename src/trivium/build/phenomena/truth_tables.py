"""Truth tables as integers: bit b of a table says whether the formula is true under the b-th assignment to the atoms.

Python's ``&``, ``|`` and ``^`` are then the logical connectives, and entailment is a single comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import and_, or_


@dataclass(frozen=True)
class Atoms:
    """The truth tables of independent atoms (``columns``) and of a tautology (``full``)."""

    columns: tuple[int, ...]
    full: int

    def negated(self, table: int) -> int:
        """Return the table of the negation."""
        return self.full ^ table

    def all_of(self, tables: Iterable[int]) -> int:
        """Return the table of the conjunction of any number of formulas."""
        return reduce(and_, tables, self.full)

    def any_of(self, tables: Iterable[int]) -> int:
        """Return the table of the disjunction of any number of formulas."""
        return reduce(or_, tables, 0)

    def none_of(self, tables: Iterable[int]) -> int:
        """Return the table of a formula that is true if none of the formulas is."""
        return self.negated(self.any_of(tables))

    def implies(self, antecedent: int, consequent: int) -> int:
        """Return the table of the material conditional."""
        return self.negated(antecedent) | consequent


@cache
def atoms(count: int) -> Atoms:
    """Return the tables of ``count`` independent atoms."""
    full = (1 << (1 << count)) - 1
    widths = (1 << atom for atom in range(count))
    # Blocks of zeros and ones alternate; dividing by 2^width + 1 leaves every second block.
    return Atoms(tuple(full // ((1 << width) + 1) << width for width in widths), full)


@dataclass(frozen=True)
class Statement:
    """A clause without capital and full stop, its truth table, and the table of its stronger reading.

    ``strong`` differs from ``table`` where people often read an implicature into a clause: *not every* as *some, but
    not every*, *unless* as *if and only if not*. Pairs whose label depends on the reading are not generated.
    """

    text: str
    table: int
    strong: int

    @classmethod
    def plain(cls, text: str, table: int) -> Statement:
        """Return a statement with a single reading."""
        return cls(text, table, table)


def relation_of(premise: int, hypothesis: int) -> str | None:
    """Return the label of a premise and a hypothesis; None if the premise cannot be true."""
    if not premise:
        return None
    if not premise & ~hypothesis:
        return "entailment"
    return "neutral" if premise & hypothesis else "contradiction"


def label_of(premises: Sequence[Statement], hypothesis: Statement) -> str | None:
    """Return the label of a hypothesis, given all premises.

    Return None if the premises cannot all be true, or if the label depends on the reading.
    """
    weak = relation_of(reduce(and_, (premise.table for premise in premises)), hypothesis.table)
    strong = relation_of(reduce(and_, (premise.strong for premise in premises)), hypothesis.table)
    return weak if weak == strong else None


def redundant(premises: Sequence[Statement]) -> bool:
    """Return whether one of the premises follows from another."""
    return any(left is not right and not left.table & ~right.table for left in premises for right in premises)
