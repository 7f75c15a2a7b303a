"""Print output, errors and progress in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

out = Console(highlight=False, emoji=False)
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


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes the numbers of done and of all items, and updates a progress bar.

    Without a terminal, a line is printed after each tenth of the items.
    """
    from trivium.engine.progress import progress_bar

    with progress_bar(err) as bar:
        task, printed_tenths = bar.add_task(what, total=None, left=""), 0

        def update(done: int, total: int) -> None:
            nonlocal printed_tenths
            bar.update(task, completed=done, total=total)
            tenths = 10 * done // max(total, 1)
            if not err.is_terminal and tenths > printed_tenths:
                printed_tenths = tenths
                err.print(f"{what}: {done} of {total}", markup=False)

        yield update
