"""Show the progress of a run: a bar with the time left, or a line for each step.

The bar needs a terminal, or a notebook with ipywidgets.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from trivium.engine.plan import Plan, PlanSummary, duration, work_of
from trivium.engine.run import Watcher
from trivium.engine.steps import Step, TrainStep
from trivium.printing import printable, safe_console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as RichProgress


class Progress(Protocol):
    """A progress display of a session."""

    def planned(self, summary: PlanSummary) -> None:
        """Show a plan that is about to run."""

    def noted(self, text: str) -> None:
        """Show a message, such as how data were read."""

    def warned(self, text: str) -> None:
        """Show a warning about a problem that does not stop the run."""

    def watching(self, plan: Plan, labels: Mapping[str, str]) -> Iterator[Watcher]:
        """Yield a watcher of the plan, and clean up afterwards; ``labels`` name the steps by key."""


class SilentProgress:
    """Show nothing."""

    def planned(self, summary: PlanSummary) -> None:
        """Show nothing."""

    def noted(self, text: str) -> None:
        """Show nothing."""

    def warned(self, text: str) -> None:
        """Show nothing."""

    def watching(self, plan: Plan, labels: Mapping[str, str]) -> Iterator[Watcher]:
        """Yield a watcher that shows nothing."""
        yield _Silent()


class ConsoleProgress:
    """Show a progress bar on standard error; ``announce`` is called with each line about a plan."""

    def __init__(self, announce: Callable[[str], None] | None = None) -> None:
        self._announce = announce

    def planned(self, summary: PlanSummary) -> None:
        """Announce the plan."""
        for line in summary.lines():
            self.noted(line)

    def noted(self, text: str) -> None:
        """Announce the text."""
        if self._announce is not None:
            self._announce(text)

    def warned(self, text: str) -> None:
        """Show a warning on standard error."""
        print(f"warning: {printable(text)}", file=sys.stderr)

    def watching(self, plan: Plan, labels: Mapping[str, str]) -> Iterator[Watcher]:
        """Show the bar while the plan runs."""
        bar = _Bar(plan, labels)
        with bar.shown():
            yield bar


def step_name(step: Step, labels: Mapping[str, str] | None = None) -> str:
    """Describe a step in a few words, such as ``train fold 1, seed 0, ver-nat, er-res, stage 2``."""
    if isinstance(step, TrainStep) and step.is_load:
        return f"load {step.model.name}"
    if label := (labels or {}).get(step.key):
        return f"{step.kind} {label}"
    if isinstance(step, TrainStep):
        return f"train stage {step.stage} ({step.strategy.name})" if step.stage > 1 else "train stage 1"
    if step.training.is_load:
        return f"{step.kind} with {step.training.model.name}"
    return f"{step.kind} after {step_name(step.training).removeprefix('train ')}"


class _Silent:
    def started(self, step: Step) -> None:
        """Show nothing."""

    def moved(self, step: Step, done: int, total: int) -> None:
        """Show nothing."""

    def finished(self, step: Step, seconds: float) -> None:
        """Show nothing."""


class _Bar:
    """A bar with the time left; where there is no terminal, a line for each finished step."""

    def __init__(self, plan: Plan, labels: Mapping[str, str]) -> None:
        self._labels = labels
        self._steps = len(plan.todo)
        self._total = sum(map(work_of, plan.todo))
        self._done = 0
        self._work: dict[str, float] = {}
        self._console = error_console()
        self._progress = progress_bar(self._console)
        self._bar = self._progress.add_task("starting workers", total=self._steps, left="")

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the bar within the block."""
        with self._progress:
            yield

    def started(self, step: Step) -> None:
        """Show which step has started."""
        self._progress.update(self._bar, description=step_name(step, self._labels))

    def moved(self, step: Step, done: int, total: int) -> None:
        """Show the progress of a step."""
        self._work[step.key] = work_of(step) * done / max(1, total)
        text = f"{step_name(step, self._labels)} {done}/{total}"
        self._progress.update(self._bar, description=text, left=self._left())

    def finished(self, step: Step, seconds: float) -> None:
        """Count a finished step."""
        self._work[step.key] = work_of(step)
        self._done += 1
        self._progress.update(self._bar, advance=1, left=self._left())
        if not _is_live(self._console):
            name = step_name(step, self._labels)
            line = f"[{self._done}/{self._steps}] {name}: {seconds:.1f} s{self._left(', ')}"
            self._console.print(line, markup=False, soft_wrap=True)

    def _left(self, prefix: str = "") -> str:
        elapsed = self._progress.tasks[0].elapsed
        share = sum(self._work.values()) / self._total if self._total else 1.0
        if not elapsed or share < 0.02 or share >= 1:
            return ""
        return f"{prefix}about {duration(elapsed * (1 - share) / share)} left"


def error_console() -> Console:
    """Return a console on standard error."""
    console = safe_console(stderr=True)
    if console.is_jupyter and find_spec("ipywidgets") is None:  # rich needs it to draw a bar in a notebook
        return safe_console(stderr=True, force_jupyter=False, force_terminal=False)
    return console


def progress_bar(console: Console) -> RichProgress:
    """Return a bar with a description, a count, the time elapsed, and the time left as the field ``left``."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    left = TextColumn("{task.fields[left]}")
    return Progress(*columns, left, console=console, transient=True, disable=not _is_live(console))


def _is_live(console: Console) -> bool:
    return console.is_terminal or console.is_jupyter
