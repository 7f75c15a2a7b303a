"""Check the invariants of splits on every example, and report the examples that violate them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from trivium.data.example import Example
from trivium.errors import UserError


@dataclass(frozen=True)
class Invariant:
    """The result of checking an invariant: its statement, the number of examples checked, and those that violate it."""

    statement: str
    checked: int
    violations: tuple[Example, ...]

    @property
    def holds(self) -> bool:
        """Whether no example violates the invariant."""
        return not self.violations


def check_invariant(statement: str, examples: Iterable[Example], holds: Callable[[Example], bool]) -> Invariant:
    """Check that a condition holds for each of the examples."""
    checked = list(examples)
    return Invariant(statement, len(checked), tuple(example for example in checked if not holds(example)))


def require(name: str, invariants: Sequence[Invariant]) -> list[Invariant]:
    """Return the invariants if all of them hold.

    Otherwise, raise a :class:`UserError` with the broken invariants and the first few examples that violate each.
    """
    lines = [
        f"{name}: {invariant.statement!r} is broken by {len(invariant.violations)} of {invariant.checked} "
        f"examples, such as {_names(invariant.violations)}"
        for invariant in invariants
        if not invariant.holds
    ]
    if lines:
        raise UserError("\n".join(lines))
    return list(invariants)


def _names(examples: Sequence[Example]) -> str:
    shown = [f"{example.id} ({example.premise!r} / {example.hypothesis!r})" for example in examples[:3]]
    return ", ".join(shown) + (" …" if len(examples) > len(shown) else "")
