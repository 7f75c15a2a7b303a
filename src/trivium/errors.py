"""Errors that are shown to the user as plain messages, without a traceback."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

_LINE_BREAK = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


class TriviumError(Exception):
    """Base class of all exceptions that Trivium raises."""


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
        lines = (f"{problem.where}: {problem.what}" for problem in self.problems)
        super().__init__("\n".join(shown(line, 2000) for line in lines))


def shown(text: str, most: int = 200) -> str:
    """Return a text in one line, for a message: line breaks are escaped, and a long text is cut.

    Example:
        >>> shown("a" * 500, most=10)
        'aaaaaaaaaa…'
    """
    cut = text if len(text) <= most else f"{text[:most]}…"
    return _LINE_BREAK.sub(lambda match: ascii(match[0])[1:-1], cut)


def shown_value(value: object) -> str:
    """Return the representation of a value in one line, for a message; its type if it cannot be represented."""
    try:
        return shown(repr(value))
    except (ValueError, RecursionError):  # a number with thousands of digits, deeply nested lists
        return type(value).__name__


def describe(error: BaseException) -> str:
    """Return the type and the message of an exception in one line, even if the exception cannot be printed.

    Example:
        >>> describe(ValueError("wrong\\n  value"))
        'ValueError: wrong value'
    """
    name = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except BaseException as failure:
        if isinstance(failure, KeyboardInterrupt):
            raise
        text = "(its message cannot be printed)"
    return f"{name}: {text}" if text else name


_in_shell = False


def is_in_shell() -> bool:
    """Return whether messages name parameters as options of the command line."""
    return _in_shell


@contextmanager
def in_shell(active: bool = True) -> Iterator[None]:
    """Name parameters as options of the command line in messages that are written within the block."""
    global _in_shell
    before, _in_shell = _in_shell, active
    try:
        yield
    finally:
        _in_shell = before


def option(name: str, value: object = None, *, shell: str | None = None) -> str:
    """Return a parameter, optionally with its value, as the user writes it.

    ``shell`` is the name of the command-line option, if it differs.

    Example:
        >>> option("keep_models", "all")
        "keep_models='all'"
        >>> with in_shell():
        ...     option("keep_models", "all")
        '--keep-models all'
    """
    if _in_shell:
        word = f"--{shell or name.replace('_', '-')}"
        return word if value is None else f"{word} {value}"
    if value is None:
        return f"{name}="
    return f"{name}={[str(value)] if name == 'set' else str(value)!r}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the hint that ends an error about an unknown name: the closest known name, or all known names."""
    names = sorted(known)
    matches = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if matches:
        return f"did you mean {matches[0]!r}?"
    return f"available: {shown(', '.join(names), 1000)}" if names else "none available"


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UserError:
    """Return the error for an unknown name: ``unknown strategy 'er-rse': did you mean 'er-res'?``."""
    return UserError(f"unknown {kind} {name!r}: {did_you_mean(name, known)}")
