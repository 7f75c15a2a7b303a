"""Examples to read: what stands behind a figure, so that a reader can look for himself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One example as a model saw it: its text or two, and what was asked, right and said, as rows of a table."""

    premise: str
    hypothesis: str
    answers: tuple[tuple[str, str, str], ...]
    """Name of the question, the right label, the model's label."""


@dataclass(frozen=True)
class ErrorGroup:
    """Some cases of one kind, out of how many."""

    name: str
    total: int
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class ErrorExamples:
    """Cases by kind under a heading."""

    title: str
    caption: str
    groups: tuple[ErrorGroup, ...]
