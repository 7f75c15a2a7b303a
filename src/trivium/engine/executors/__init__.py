"""Executors run the steps of a plan somewhere: in this process, in worker processes, or on a Ray cluster.

An executor is one file with a class that :func:`executor` registers. ``NAME`` or ``NAME://ADDRESS`` selects it. Imports
no torch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from trivium.engine.steps import Step
from trivium.registry import Registry, import_modules


@dataclass(frozen=True)
class ExecutorConfig:
    """What an executor is started with.

    ``address`` is the text after ``NAME://``. ``workers`` is how many steps may run at once, ``threads`` how many each
    may use; a training in several processes counts as so many steps. ``store`` is the path or address of the store,
    ``plugins`` are files that every worker loads. ``processor`` is the kind of processor that steps may run on; empty
    for any. ``in_shell`` says how messages name options.
    """

    address: str
    workers: int
    threads: int
    store: str
    store_id: str = ""
    plugins: tuple[Path, ...] = ()
    processor: str = ""
    in_shell: bool = False


@dataclass(frozen=True)
class Report:
    """What an executor reports about a step: its progress, that it finished, or why it did not.

    ``mistake`` is the message of a :class:`UserError`, ``crash`` the traceback of any other exception. ``lost`` says
    how the worker ended; the step may be tried again. ``unreadable`` is the key of a step whose result the step needs
    and could not read.
    """

    key: str
    done: int = 0
    total: int = 0
    seconds: float | None = None
    mistake: str | None = None
    crash: str | None = None
    lost: str | None = None
    unreadable: str | None = None

    @property
    def is_final(self) -> bool:
        """Whether the step no longer runs."""
        return any(value is not None for value in (self.seconds, self.mistake, self.crash, self.lost, self.unreadable))


class Executor(Protocol):
    """Runs steps whose inputs are in the store."""

    def accepts(self, step: Step) -> bool:
        """Return whether a step can start now. With no step running, raise a UserError if it never can."""

    def submit(self, step: Step) -> None:
        """Start a step."""

    def reports(self) -> Sequence[Report]:
        """Wait until something is to be told about submitted steps, and return it."""


StartExecutor = Callable[[ExecutorConfig], AbstractContextManager[Executor]]
"""Starts an executor; when the block ends, however it ends, its workers are gone."""

EXECUTORS: Registry[StartExecutor] = Registry("executor")
executor = EXECUTORS.register


def find_executors() -> Registry[StartExecutor]:
    """Return the registry after importing every executor that ships with Trivium."""
    import_modules(__name__)
    return EXECUTORS


def split_address(text: str) -> tuple[str, str]:
    """Return the name and the address of ``NAME`` or ``NAME://ADDRESS``; raise if there is no such executor.

    >>> split_address("local")
    ('local', '')
    """
    name, _, address = text.partition("://")
    find_executors()[name]
    return name, address
