"""Print output, errors and progress in the terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, ConsoleDimensions
from rich.text import Text

_PIPE_WIDTH = 120


class _Output(Console):
    """A console that is wide enough for tables with intervals where there is no terminal."""

    @property  # type: ignore[misc]
    def size(self) -> ConsoleDimensions:
        """The width and height of the terminal."""
        size = super().size
        return size if self.is_terminal or "COLUMNS" in os.environ else ConsoleDimensions(_PIPE_WIDTH, size.height)


out = _Output(highlight=False, emoji=False)
err = Console(stderr=True, highlight=False, emoji=False)


class StoppedError(Exception):
    """The user stopped a command with Ctrl-C; the message says what became of it."""


def complain(line: str) -> None:
    """Print an error on standard error."""
    err.print(Text("error: ", style="bold red").append(line, style="not bold default"), soft_wrap=True)


def say(line: str) -> None:
    """Print a line of plain text."""
    out.print(line, markup=False, soft_wrap=True)


def caveats(lines: Sequence[str]) -> None:
    """Print limitations to report with the results."""
    if lines:
        out.print("Limitations:", style="bold")
    for line in lines:
        out.print(f"- {line}", markup=False)


@contextmanager
def resumable() -> Iterator[None]:
    """Turn Ctrl-C within the block into a message that says how to continue."""
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedError("finished steps are kept; run the same command again to continue") from None
