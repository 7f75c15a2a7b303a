"""The checkpoints of a training step in a store: written every two minutes, removed when the step finishes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from trivium.engine.store import Store
from trivium.errors import UserError

SECONDS_VARIABLE = "TRIVIUM_CHECKPOINT_SECONDS"
_SECONDS = 120.0
_ENVIRONMENT = "environment.json"


class StepCheckpoints:
    """The checkpoints of one training step.

    ``environment`` has the package versions and the processor. A checkpoint from another environment is ignored, since
    the result would differ: training starts over.
    """

    def __init__(self, store: Store, key: str, environment: Mapping[str, str]) -> None:
        self._store, self._key, self._environment = store, key, dict(environment)
        self._seconds = _interval()
        self._written = time.monotonic()

    def load(self) -> Path | None:
        """Return the folder of the last checkpoint, or None if this process cannot continue from one."""
        folder = self._store.checkpoint(self._key)
        if folder is None or json.loads((folder / _ENVIRONMENT).read_text(encoding="utf-8")) != self._environment:
            return None
        return folder

    def is_due(self) -> bool:
        """Return whether it is time for another checkpoint."""
        return time.monotonic() - self._written >= self._seconds

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """Yield a new folder to write a checkpoint into; it replaces the last one when the block succeeds."""
        with self._store.writing_checkpoint(self._key) as folder:
            yield folder
            (folder / _ENVIRONMENT).write_text(json.dumps(self._environment), encoding="utf-8")
        self._written = time.monotonic()


def _interval() -> float:
    text = os.environ.get(SECONDS_VARIABLE, "")
    try:
        seconds = float(text) if text else _SECONDS
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:
        raise UserError(f"{SECONDS_VARIABLE} is {text!r}: must be a number of seconds, 0 or more")
    return seconds
