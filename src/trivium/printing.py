"""Print texts of unknown origin safely: control characters and directional overrides are shown as escapes.

A text of a data file or a model folder can contain terminal escapes that move the cursor, change the title or the
clipboard of a terminal, or hide what is printed.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_PIPE_WIDTH = 120
# C0 without tab and line feed, delete, C1, bidirectional marks, line separators and lone surrogates.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return a text whose control characters are escaped as in JSON; tabs and line feeds stay.

    Example:
        >>> printable("\x1b[2Jgone")
        '\\u001b[2Jgone'
    """
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def safe_console(**options: Any) -> Console:
    """Return a rich console that prints no control characters except its own.

    Where there is no terminal, it is wide enough for tables with intervals.
    """
    from rich.console import (
        Console,
        ConsoleDimensions,
        ConsoleOptions,
        ConsoleRenderable,
        RenderableType,
        RenderResult,
    )
    from rich.measure import Measurement
    from rich.segment import Segment

    class Safe:
        def __init__(self, content: RenderableType) -> None:
            self.content = content

        def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
            return Measurement.get(console, options, self.content)

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            for segment in console.render(self.content, options):
                yield segment if segment.control else Segment(printable(segment.text), segment.style)

    class Hook:
        def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
            """Wrap everything that is printed."""
            return [Safe(each) for each in renderables]

    class Wide(Console):
        @property  # type: ignore[misc]
        def size(self) -> ConsoleDimensions:
            """The width and height of the terminal."""
            size = super().size
            return size if self.is_terminal or "COLUMNS" in os.environ else ConsoleDimensions(_PIPE_WIDTH, size.height)

        def on_broken_pipe(self) -> None:
            """Print no more, since nobody reads it (``trivium list | head``), and go on with the work."""
            self.quiet = True
            with suppress(OSError, ValueError):  # a stream of a notebook has no descriptor
                os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())

    console = Wide(**{"highlight": False, "emoji": False, "markup": False, **options})
    console.push_render_hook(Hook())  # type: ignore[arg-type]
    return console
