"""Where examples come from: one file for each source, found here by name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Protocol

from trivium.data.split import Split
from trivium.errors import UserError, did_you_mean
from trivium.registry import Registry


class Source(Protocol):
    """What a source is: one line about it, and its examples. Made by calling its class with no arguments."""

    @property
    def about(self) -> str:
        """One line on what the examples are."""

    def is_there(self) -> bool:
        """Whether its files are on this machine."""

    def load(self) -> Split:
        """All the examples of the source, in a fixed order."""


SOURCES: Registry[Callable[[], Source]] = Registry("source")
source = SOURCES.register


def find_sources() -> Registry[Callable[[], Source]]:
    """The registry with every source that ships with Trivium in it: ``find_sources()["sick"]().load()``."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return SOURCES


def choose_source(name: str, usual: str) -> str:
    """The source of a name; ``auto`` is the usual one if it is on this machine, else the built-in grammar."""
    if name != "auto":
        return name
    return usual if find_sources()[usual]().is_there() else "builtin"


def load_source(name: str) -> Split:
    """The examples of a source; an error of a user's own source is told in one line."""
    made = find_sources()[name]()
    try:
        split = made.load()
    except UserError:
        raise
    except Exception as error:
        raise UserError(f"the source {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    for example in split:
        if example.label is not None and example.label not in split.labels.names:
            raise UserError(
                f"the source {name!r}: example {example.id!r} has the label {example.label!r}: "
                f"{did_you_mean(example.label.lower(), split.labels.names)}"
            )
    return split
