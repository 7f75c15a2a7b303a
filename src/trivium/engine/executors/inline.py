"""Run steps in this process, one after the other: slower, but easy to debug, and nothing has to start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from trivium.engine.executors import ExecutorConfig, Report, executor
from trivium.engine.steps import Step
from trivium.engine.worker import Worker


@executor("inline")
@contextmanager
def start_inline(config: ExecutorConfig) -> Iterator[InlineExecutor]:
    """Steps run in this process, one after the other: for debugging."""
    import torch

    threads = torch.get_num_threads()
    try:
        yield InlineExecutor(Worker.start(config))
    finally:
        torch.set_num_threads(threads)


class InlineExecutor:
    """Runs a step as soon as it is submitted."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._reports: list[Report] = []

    def accepts(self, step: Step) -> bool:
        """Return whether everything about the last step was told."""
        return not self._reports

    def submit(self, step: Step) -> None:
        """Run a step now."""

        def progress(done: int, total: int) -> None:
            self._reports.append(Report(step.key, done, total))

        self._reports.append(self._worker.run(step, progress))

    def reports(self) -> Sequence[Report]:
        """Return what the last step reported."""
        reports, self._reports = self._reports, []
        return reports
