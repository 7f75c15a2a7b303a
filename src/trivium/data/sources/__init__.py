"""Sources of examples, found by name. Each file of this package registers one or more sources."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol

from trivium.data.split import Split
from trivium.errors import UserError, describe, did_you_mean
from trivium.registry import Registry, import_modules


class Source(Protocol):
    """The interface of a source's class, which is instantiated without arguments."""

    @property
    def about(self) -> str:
        """A one-line description of the examples."""

    def is_available(self) -> bool:
        """Return whether the files of the source are on this machine."""

    def load(self) -> Split:
        """Return all examples of the source, in a fixed order."""


SOURCES: Registry[Callable[[], Source]] = Registry("source")
source = SOURCES.register


@cache
def find_sources() -> Registry[Callable[[], Source]]:
    """Import all sources that ship with Trivium and return the registry: ``find_sources()["sick"]().load()``."""
    import_modules(__name__)
    return SOURCES


def choose_source(name: str, default: str) -> str:
    """Return the name of the source to use: ``auto`` stands for ``default`` if available, else for ``builtin``."""
    if name != "auto":
        return name
    return default if find_sources()[default]().is_available() else "builtin"


def load_source(name: str) -> Split:
    """Return the examples of a source. Raise a UserError if it cannot be loaded or has an unknown label."""
    cls = find_sources()[name]
    try:
        split = cls().load()
    except (UserError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a source of a plugin can raise anything, also SystemExit
        raise UserError(f"source {name!r} cannot be loaded: {describe(error)}") from error
    if not isinstance(split, Split):
        raise UserError(f"source {name!r}: load() must return a Split, not {type(split).__name__}")
    for example in split:
        if example.label is not None and example.label not in split.labels.names:
            raise UserError(
                f"source {name!r}: example {example.id!r} has the unknown label {example.label!r}: "
                f"{did_you_mean(example.label.lower(), split.labels.names)}"
            )
    return split
