"""A benchmark: a paper's protocol as data, registered under its name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from trivium.benchmarks.experiment import Experiment
from trivium.benchmarks.sweep import Sweep
from trivium.engine.store import Store
from trivium.registry import Registry
from trivium.settings import Settings, read_preset

S = TypeVar("S", bound=Settings)


@dataclass(frozen=True)
class Benchmark(Generic[S]):
    """A paper's protocol: its settings, its presets, and how an experiment is made from settings.

    ``folder`` is the benchmark's own: its presets are the TOML files in ``folder/presets``. ``sweeps`` are the settings
    that the paper varies.
    """

    name: str
    about: str
    folder: Path
    settings_type: type[S]
    make: Callable[[S, Store | None], Experiment[S, Any]]
    sweeps: Mapping[str, Sweep] = field(default_factory=dict)

    @cached_property
    def presets(self) -> dict[str, Path]:
        """The presets by name."""
        return {file.stem: file for file in sorted((self.folder / "presets").glob("*.toml"))}

    def settings(self, preset: str, overrides: Sequence[str] = ()) -> S:
        """Return the settings of a preset (a name, or a TOML file), with ``name=value`` overrides."""
        return read_preset(self.settings_type, self.presets, preset, overrides)

    def experiment(self, settings: S, store: Store | None) -> Experiment[S, Any]:
        """Build the data and check its invariants; a store, if given, keeps the splits."""
        return self.make(settings, store)


BENCHMARKS: Registry[Benchmark[Any]] = Registry("benchmark")


def find_benchmarks() -> Registry[Benchmark[Any]]:
    """Return the registry with every benchmark that ships with Trivium."""
    package = importlib.import_module("trivium.benchmarks")
    for module in pkgutil.iter_modules(package.__path__):
        if module.ispkg:
            importlib.import_module(f"{package.__name__}.{module.name}")
    return BENCHMARKS
