"""The page with the results: command, versions, processor and table."""

# ruff: noqa: E501 - the page has lines of its own length

from __future__ import annotations

import datetime
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks.speed.rows import Row
from benchmarks.speed.work import Sizes

from trivium.engine.machine import processor


@dataclass(frozen=True)
class Line:
    """A measured row: seconds per unit of each side in each round."""

    row: Row
    seconds: tuple[list[float], ...] = ()
    note: str = ""
    error: str = ""
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the other side; the median of the ratios of each round. None without another."""
        if len(self.seconds) < 2:
            return None
        return median(theirs / ours for ours, theirs in zip(*self.seconds, strict=True))

    @property
    def reached(self) -> bool:
        """Whether the goals are reached."""
        if self.error:
            return False
        fast_enough = not self.row.limit or median(self.seconds[0]) <= self.row.limit
        return fast_enough and (not self.row.goal or (self.ratio or 0.0) >= self.row.goal)

    def summary(self) -> str:
        """Return the line in words."""
        ratio = "" if self.ratio is None else f", ratio {self.ratio:.2f}"
        return (
            f"{' and '.join(map(spread, self.seconds))} per {self.row.unit}{ratio} {self.note or self.error}".rstrip()
        )

    def cells(self) -> list[str]:
        """Return the cells of the table."""
        row, limit = self.row, f"{duration(self.row.limit)}" if self.row.limit else ""
        goal = ", ".join(filter(None, (f"{row.goal:g}×" if row.goal else "", limit)))
        if not self.seconds:
            return [row.about, row.against, "failed", self.error, "", goal, "**no**", ""]
        sides = [spread(side) for side in self.seconds] + [""] * (2 - len(self.seconds))
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}×"
        return [
            row.about,
            row.against,
            *sides,
            ratio,
            goal,
            "yes" if self.reached else "**no**",
            self.note or self.error,
        ]


def duration(seconds: float) -> str:
    """Return a duration with two or three digits: ``12.3 ms``."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1 or unit == "µs":
            return f"{seconds * factor:.3g} {unit}"
    raise AssertionError


def spread(seconds: Sequence[float]) -> str:
    """Return the median, and the smallest and largest value."""
    return f"{duration(median(seconds))} ({duration(min(seconds))} to {duration(max(seconds))})"


_HEADER = (
    "| work | against | Trivium | other | ratio | goal | reached | same numbers |\n|---|---|---|---|---|---|---|---|"
)


def render(lines: Sequence[Line], sizes: Sizes, encoder: str, arguments: Sequence[str], baseline: str | None) -> str:
    """Return the page as Markdown."""
    versions = {name: version for line in lines for name, version in line.versions.items()}
    table = "\n".join(f"| {' | '.join(line.cells())} |" for line in lines)
    named = ", ".join(f"{name} {version}" for name, version in versions.items())
    return f"""# Speed

Measured on {datetime.date.today():%d %B %Y} by

```
python -m benchmarks.speed {" ".join(arguments)}
```

Processor: {processor()}. Python {platform.python_version()}, {named}.
Encoder: `{encoder}`, one thread on each side, no dropout. {f"The earlier commit is `{baseline}`." if baseline else ""}

Both sides of a row are processes that take turns: a round that is not counted, then {sizes.rounds} rounds (runs with two
workers: two rounds). A cell has the median of a unit of work (a step, a pair, …) and its smallest and largest value: processor
time, except for runs with two workers, whose time is that on the wall. The ratio is the median of the rounds' ratios.

{_HEADER}
{table}
"""
