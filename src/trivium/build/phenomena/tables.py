"""Truth tables as integers: bit b of a formula's number says whether it holds in the b-th assignment to the atoms.

With them ``&``, ``|`` and ``^`` of Python are the connectives, and whether a hypothesis follows is one comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import and_, or_


@dataclass(frozen=True)
class Atoms:
    """The tables of so many atoms, and of what is true in every assignment."""

    columns: tuple[int, ...]
    full: int

    def negated(self, table: int) -> int:
        """Not."""
        return self.full ^ table

    def all_of(self, tables: Iterable[int]) -> int:
        """And, over any number of formulas."""
        return reduce(and_, tables, self.full)

    def any_of(self, tables: Iterable[int]) -> int:
        """Or, over any number of formulas."""
        return reduce(or_, tables, 0)

    def none_of(self, tables: Iterable[int]) -> int:
        """Neither, over any number of formulas."""
        return self.negated(self.any_of(tables))

    def implies(self, antecedent: int, consequent: int) -> int:
        """If, then."""
        return self.negated(antecedent) | consequent


@cache
def atoms(count: int) -> Atoms:
    """The tables of ``count`` atoms that do not depend on each other."""
    size = 1 << count
    columns = tuple(sum(1 << b for b in range(size) if b >> atom & 1) for atom in range(count))
    return Atoms(columns, (1 << size) - 1)


@dataclass(frozen=True)
class Statement:
    """A clause without capital and full stop, its table, and the table of what it is often taken to say besides.

    ``strong`` differs from ``table`` where ordinary readers hear more than logic says: *not every* as *some, but not
    every*, *unless* as *if and only if not*. Pairs whose label depends on the reading are not made.
    """

    text: str
    table: int
    strong: int

    @classmethod
    def plain(cls, text: str, table: int) -> Statement:
        """A statement that has one reading only."""
        return cls(text, table, table)


def relation_of(premise: int, hypothesis: int) -> str | None:
    """The label of two tables; none if the premise cannot be true."""
    if not premise:
        return None
    if not premise & ~hypothesis:
        return "entailment"
    return "neutral" if premise & hypothesis else "contradiction"


def label_of(premises: Sequence[Statement], hypothesis: Statement) -> str | None:
    """The label of the premises together; none if they cannot be true, or if the label depends on the reading."""
    weak = relation_of(reduce(and_, (one.table for one in premises)), hypothesis.table)
    strong = relation_of(reduce(and_, (one.strong for one in premises)), hypothesis.table)
    return weak if weak == strong else None


def redundant(premises: Sequence[Statement]) -> bool:
    """Whether one of the premises follows from another."""
    return any(one is not other and not one.table & ~other.table for one in premises for other in premises)
