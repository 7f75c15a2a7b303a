"""A runner of steps for tests that starts no worker processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from trivium.engine.runner import StepRunner


class InProcessRunner(StepRunner):
    """Runs steps in this process, because a worker takes seconds to start. Calls ``after_run`` after each run."""

    def __init__(self, store: Path, after_run: Callable[[], object] = lambda: None) -> None:
        super().__init__(store, "inline", progress=False)
        self._after_run = after_run

    def run_steps(self, *arguments: Any, **options: Any) -> Mapping[str, str]:
        """Run what is not done yet, then call ``after_run``."""
        failures = super().run_steps(*arguments, **options)
        self._after_run()
        return failures
