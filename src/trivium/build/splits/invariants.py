"""Splits are proved, not trusted: a promise is checked example by example, and what breaks it is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from trivium.data.example import Example
from trivium.errors import UserError


@dataclass(frozen=True)
class Finding:
    """One promise: what it says, how many examples were checked, and those that break it."""

    promise: str
    checked: int
    offending: tuple[Example, ...]

    @property
    def holds(self) -> bool:
        """Whether no example breaks the promise."""
        return not self.offending


def finding(promise: str, examples: Iterable[Example], keeps: Callable[[Example], bool]) -> Finding:
    """What becomes of a promise that each of the examples must keep."""
    checked = list(examples)
    return Finding(promise, len(checked), tuple(example for example in checked if not keeps(example)))


def proved(name: str, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, if all promises hold; else an error that names the first offending examples of each."""
    lines = [
        f"{name} leaks: {found.promise!r} is broken by {len(found.offending)} of {found.checked} examples, such as "
        f"{_names(found.offending)}"
        for found in findings
        if not found.holds
    ]
    if lines:
        raise UserError("\n".join(lines))
    return list(findings)


def _names(examples: Sequence[Example]) -> str:
    shown = [f"{example.id} ({example.premise!r} / {example.hypothesis!r})" for example in examples[:3]]
    return ", ".join(shown) + (" …" if len(examples) > len(shown) else "")
