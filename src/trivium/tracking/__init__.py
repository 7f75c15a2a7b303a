"""Experiment trackers, which receive the settings, losses, metrics and report of a run; one file for each tracker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from trivium.errors import UserError, describe, option
from trivium.registry import Registry, import_modules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Tracker(Protocol):
    """An experiment tracker, created with the ARGUMENT of ``--track NAME:ARGUMENT``.

    ``start`` is called first and ``finish`` last, even if the run fails; the other methods are called in between, any
    number of times.
    """

    def start(self, name: str, settings: Mapping[str, Any]) -> None:
        """Begin a run called ``name``. ``settings`` may be nested."""

    def losses(self, label: str, losses: NDArray[np.float32]) -> None:
        """Record the loss of each optimizer step of the training named ``label``."""

    def metrics(self, values: Mapping[str, float]) -> None:
        """Record final metrics by name."""

    def report(self, path: Path) -> None:
        """Attach the finished report file."""

    def finish(self) -> None:
        """Write out everything and close the run."""


TRACKERS: Registry[Callable[[str], Tracker]] = Registry("tracker")
tracker = TRACKERS.register


def find_trackers() -> Registry[Callable[[str], Tracker]]:
    """Return the registry after importing every tracker that ships with Trivium."""
    import_modules(__name__)
    return TRACKERS


def open_tracker(text: str) -> Tracker:
    """Return the tracker for ``NAME:ARGUMENT``: ``tensorboard:DIR``, ``mlflow:URI``, or one that a plugin registered.

    Raise a UserError if the name is unknown, the argument is missing, or a package is not installed.
    """
    name, _, argument = text.partition(":")
    cls = find_trackers()[name]
    if not argument:
        raise UserError(f"{option('track', text)}: missing argument: write NAME:ARGUMENT, for example tensorboard:runs")
    try:
        return cls(argument)
    except UserError:
        raise
    except ImportError as error:
        shipped = cls.__module__.startswith(f"{__name__}.")
        package = f"'trivium-nli[{name}]'" if shipped else error.name
        raise UserError(
            f"{option('track', text)}: the package {error.name!r} is not installed: pip install {package}"
        ) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a tracker of a plugin can raise anything, also SystemExit
        raise UserError(f"{option('track', text)}: cannot be opened: {describe(error)}") from error
