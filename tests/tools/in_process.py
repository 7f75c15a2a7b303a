"""A runner of steps for tests that starts no worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from trivium.engine.execute import execute
from trivium.engine.plan import make_plan
from trivium.engine.runner import StepRunner
from trivium.engine.steps import PredictStep, TrainStep
from trivium.errors import UserError


class InProcessRunner(StepRunner):
    """Runs steps in this process, because a worker takes seconds to start. Calls ``after_run`` after each run."""

    def __init__(self, store: Path, after_run: Callable[[], object] = lambda: None) -> None:
        super().__init__(store, progress=False)
        self._after_run = after_run

    def run_steps(
        self,
        runs: Iterable[Sequence[PredictStep]],
        description: str,
        *,
        models: Sequence[TrainStep] = (),
        continue_on_error: bool = False,
        **options: Any,
    ) -> Mapping[str, str]:
        """Run what is not done yet, and return the message of each failed step by its key."""
        failures: dict[str, str] = {}
        for step in make_plan(runs, self.store, models).todo:
            if step.training.key in failures:
                continue
            try:
                execute(step, self.store)
            except UserError as error:
                if not continue_on_error:
                    raise
                failures[step.key] = str(error)
        self._after_run()
        return failures
