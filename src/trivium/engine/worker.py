"""A worker: it loads plugins, runs steps, and reports how they ended. Imports torch late."""

from __future__ import annotations

import errno
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from trivium.engine.executors import ExecutorConfig, Report
from trivium.engine.steps import Step
from trivium.engine.store import Store, UnreadableStepError
from trivium.errors import UserError, describe, in_shell
from trivium.learn.strategy import strategy_files
from trivium.plugins import load_plugins


@dataclass
class Worker:
    """Runs steps into a store. ``number`` distinguishes the workers of a machine, which use different GPUs."""

    config: ExecutorConfig
    store: Store
    number: int = 0

    @classmethod
    def start(cls, config: ExecutorConfig, number: int = 0) -> Worker:
        """Load the plugins and open the store; raise a UserError if this machine does not see the same store."""
        load_plugins(config.plugins)
        store = Store(config.store)
        if config.store_id and store.open_existing().id != config.store_id:
            raise UserError(
                f"a worker finds another store at {config.store}: use a folder that all machines share, or a bucket"
            )
        return cls(config, store, number)

    def run(self, step: Step, progress: Callable[[int, int], None]) -> Report:
        """Run a step, and report that it finished or why it failed."""
        with in_shell(self.config.in_shell):
            return self._run(step, progress)

    def _run(self, step: Step, progress: Callable[[int, int], None]) -> Report:
        try:
            from trivium.engine.execute import check_processor, execute, use_device

            check_processor(self.config.processor)
            use_device(step, self.number)
            return Report(step.key, seconds=execute(step, self.store, progress))
        except UnreadableStepError as error:
            return Report(step.key, unreadable=error.key)
        except UserError as error:
            return Report(step.key, mistake=str(error))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a strategy of a plugin can raise anything, even SystemExit
            mistake = _explain(error)
            return Report(step.key, mistake=mistake, crash=None if mistake else _traceback(error, step))


class Reporter:
    """Sends the progress of a step, at most once in so many seconds."""

    def __init__(self, key: str, send: Callable[[Report], object], seconds: float = 0.5) -> None:
        self._key, self._send, self._seconds = key, send, seconds
        self._next = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Send that so much of the step is done, unless something was sent a moment ago."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._seconds
            self._send(Report(self._key, done, total))


def _traceback(error: BaseException, step: Step) -> str:
    """Return the traceback of a bug, from the first frame in the file of a user's strategy if there is one."""
    files = set(map(str, strategy_files([step.training.strategy.name])))
    frames = first = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename not in files:
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames or first))


def _explain(error: BaseException) -> str | None:
    """Return a message for an error of the machine, such as a full disk; None for a bug."""
    text = describe(error)
    is_memory = isinstance(error, MemoryError) or "can't allocate memory" in text or "out of memory" in text
    if is_memory or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return "not enough memory for a step: use fewer workers, or a smaller train.batch_size"
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO):
        return f"a step could not be written or read: {error}: free some space, or choose another store"
    if type(error).__name__ == "SafetensorError" and "I/O error" in text:
        return f"a step could not be written: {error}: free some space, or choose another store"
    return None
