"""Splits are proved, not trusted: a promise is checked example by example, and what breaks it is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from trivium.data.example import Example
from trivium.errors import UserError


@dataclass(frozen=True)
class Invariant:
    """One promise: what it says, how many examples were checked, and those that break it."""

    statement: str
    checked: int
    violations: tuple[Example, ...]

    @property
    def holds(self) -> bool:
        """Whether no example breaks the promise."""
        return not self.violations


def check_invariant(promise: str, examples: Iterable[Example], keeps: Callable[[Example], bool]) -> Invariant:
    """What becomes of a promise that each of the examples must keep."""
    checked = list(examples)
    return Invariant(promise, len(checked), tuple(example for example in checked if not keeps(example)))


def require(name: str, findings: Sequence[Invariant]) -> list[Invariant]:
    """The findings, if all promises hold; else an error that names the first offending examples of each."""
    lines = [
        f"{name} leaks: {found.statement!r} is broken by {len(found.violations)} of {found.checked} examples, such as "
        f"{_names(found.violations)}"
        for found in findings
        if not found.holds
    ]
    if lines:
        raise UserError("\n".join(lines))
    return list(findings)


def _names(examples: Sequence[Example]) -> str:
    shown = [f"{example.id} ({example.premise!r} / {example.hypothesis!r})" for example in examples[:3]]
    return ", ".join(shown) + (" …" if len(examples) > len(shown) else "")
