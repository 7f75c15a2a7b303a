"""What is said to a person when something they gave cannot be used."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NamedTuple


class TriviumError(Exception):
    """The base of all exceptions that Trivium raises on purpose."""


class UserError(TriviumError):
    """A mistake of the user: one line that says what is wrong, where, and what to do.

    The command line prints the line and ends with exit code 2; no traceback is shown.
    """


class Problem(NamedTuple):
    """One mistake in a configuration: the file or option that it is in, and what is wrong."""

    where: str
    what: str


class ConfigError(UserError):
    """All the mistakes of a configuration at once, one on each line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{problem.where}: {problem.what}" for problem in self.problems))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error about an unknown name: its nearest neighbour, or all the names there are."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there is {', '.join(names)}" if names else "there is none"


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UserError:
    """An error for a name that is not registered: ``unknown strategy 'er-rse': did you mean 'er-res'?``."""
    return UserError(f"unknown {kind} {name!r}: {did_you_mean(name, known)}")
