"""Print output, errors and progress in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.text import Text

from trivium.printing import safe_console

out = safe_console()
err = safe_console(stderr=True)
_LONGEST = 2000  # characters of an error


class StoppedError(Exception):
    """The user stopped a command with Ctrl-C; the message says how to continue."""


def complain(line: str) -> None:
    """Print an error on standard error. The middle of a very long one is left out."""
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST - 500]} … {line[-500:]}"
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
