"""Examples to inspect, with the gold and predicted labels behind a reported figure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ErrorExample:
    """An example with its gold and predicted labels. The hypothesis may be empty."""

    premise: str
    hypothesis: str
    answers: tuple[tuple[str, str, str], ...]
    """One (question, gold label, predicted label) triple for each label that the model predicted."""
    derivation: str = ""
    """How the label was derived from the parts of the example; empty if it was not."""


@dataclass(frozen=True)
class ErrorGroup:
    """A sample of the ``total`` examples with the same type of error."""

    name: str
    total: int
    examples: tuple[ErrorExample, ...]


@dataclass(frozen=True)
class ErrorExamples:
    """Groups of examples under one heading."""

    title: str
    caption: str
    groups: tuple[ErrorGroup, ...]
