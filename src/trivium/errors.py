"""Errors that are shown to the user as plain messages, without a traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NamedTuple


class TriviumError(Exception):
    """The base of all exceptions that Trivium raises on purpose."""


class UserError(TriviumError):
    """A mistake in the user's input. The message is one line: what is wrong, where, and what to do.

    The command line prints the message without a traceback and exits with code 2.
    """


class Problem(NamedTuple):
    """One mistake in a configuration: the file or option that contains it, and what is wrong."""

    where: str
    what: str


class ConfigError(UserError):
    """All mistakes in a configuration, reported together, one per line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{problem.where}: {problem.what}" for problem in self.problems))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the hint that ends an error about an unknown name: the closest known name, or all known names."""
    names = sorted(known)
    matches = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if matches:
        return f"did you mean {matches[0]!r}?"
    return f"available: {', '.join(names)}" if names else "none available"


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UserError:
    """Return the error for an unknown name: ``unknown strategy 'er-rse': did you mean 'er-res'?``."""
    return UserError(f"unknown {kind} {name!r}: {did_you_mean(name, known)}")
