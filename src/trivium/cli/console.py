"""What is said on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from trivium.engine.plan import Plan, work_of
from trivium.engine.steps import Step, TrainStep

out = Console(highlight=False, emoji=False)
err = Console(stderr=True, highlight=False, emoji=False)


class StoppedError(Exception):
    """The user stopped something with Ctrl-C; says what became of it."""


def complain(line: str) -> None:
    """Say what is wrong on standard error."""
    err.print(Text("error: ", style="bold red").append(line, style="not bold default"), soft_wrap=True)


def duration(seconds: float) -> str:
    """A time as a person says it: ``40 s``, ``12 min``, ``2 h 05 min``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


def counted(number: int, name: str) -> str:
    """So many things: ``1 step``, ``1,200 steps``."""
    return f"{number:,} {name}{'' if number == 1 else 's'}"


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Within: a bar that is moved by calling what this gives with how many of how many are done.

    Where there is no terminal, a line for each tenth.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task, told = bar.add_task(what, total=None), 0

        def moved(done: int, of: int) -> None:
            nonlocal told
            bar.update(task, completed=done, total=of)
            if not err.is_terminal and 10 * done // max(of, 1) > told:
                told = 10 * done // max(of, 1)
                err.print(f"{what}: {done} of {of}", markup=False)

        yield moved


def name_of(step: Step) -> str:
    """A step in a few words."""
    if isinstance(step, TrainStep):
        if not step.parent and not step.size:
            return "take the model as it is"
        return f"train stage {step.stage} ({step.strategy.name})" if step.parent else "train stage 1"
    if not step.training.parent and not step.training.size:
        return "ask the model"
    return f"predict after {name_of(step.training).removeprefix('train ')}"


class Board:
    """Shows a run: a bar with the time that is left, and a line for each finished step where there is no terminal."""

    def __init__(self, plan: Plan) -> None:
        self._steps = len(plan.todo)
        self._total = sum(map(work_of, plan.todo))
        self._ended = 0
        self._part: dict[str, float] = {}
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[eta]}"),
            console=err,
            transient=True,
            disable=not err.is_terminal,
        )
        self._bar: TaskID = self._progress.add_task("steps", total=self._steps, eta="")

    @contextmanager
    def shown(self) -> Iterator[Board]:
        """Within: the board is on the screen."""
        with self._progress:
            yield self

    def started(self, step: Step) -> None:
        """A step has begun."""
        self._progress.update(self._bar, description=name_of(step))

    def moved(self, step: Step, done: int, of: int) -> None:
        """A step has come this far."""
        self._part[step.key] = work_of(step) * done / max(1, of)
        self._progress.update(self._bar, description=f"{name_of(step)} {done}/{of}", eta=self._eta())

    def finished(self, step: Step, seconds: float) -> None:
        """A step is done."""
        self._part[step.key] = work_of(step)
        self._ended += 1
        self._progress.update(self._bar, advance=1, eta=self._eta())
        if not err.is_terminal:
            err.print(f"[{self._ended}/{self._steps}] {name_of(step)}: {seconds:.1f} s{self._eta(', ')}", markup=False)

    def _eta(self, before: str = "") -> str:
        elapsed = self._progress.tasks[0].elapsed
        share = sum(self._part.values()) / self._total if self._total else 1.0
        if not elapsed or share < 0.02:
            return ""
        return f"{before}about {duration(elapsed * (1 - share) / share)} left" if share < 1 else ""
