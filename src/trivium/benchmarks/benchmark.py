"""Benchmarks: the protocols of papers, each registered under a name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from trivium.registry import Registry

if TYPE_CHECKING:
    from trivium.benchmarks.experiment import Experiment
    from trivium.benchmarks.sweep import Sweep
    from trivium.engine.store import Store
    from trivium.settings import Settings

S = TypeVar("S", bound="Settings")


@dataclass(frozen=True)
class Implementation(Generic[S]):
    """The code of a benchmark: its settings, and a function that builds an experiment from settings.

    ``sweeps`` are the settings that the paper varies, by name.
    """

    settings_type: type[S]
    make: Callable[[S, Store | None], Experiment[S, Any]]
    sweeps: Mapping[str, Sweep] = field(default_factory=dict)


@dataclass(frozen=True)
class Benchmark(Generic[S]):
    """A paper's protocol: its name, its presets, and a function that imports its code.

    ``folder`` is the folder of the benchmark's package; the TOML files in ``folder/presets`` are its presets.
    ``load`` is called when the benchmark is used for the first time, so that listing benchmarks is quick.
    """

    name: str
    about: str
    folder: Path
    load: Callable[[], Implementation[S]]

    @cached_property
    def implementation(self) -> Implementation[S]:
        """The imported code of the benchmark."""
        return self.load()

    @cached_property
    def presets(self) -> dict[str, Path]:
        """The TOML file of each preset, by name."""
        return {file.stem: file for file in sorted((self.folder / "presets").glob("*.toml"))}

    def settings(self, preset: str, overrides: Sequence[str] = ()) -> S:
        """Return the settings of a preset with ``name=value`` overrides; ``preset`` is a name or a TOML file."""
        from trivium.settings import read_preset

        return read_preset(self.implementation.settings_type, self.presets, preset, overrides)

    def experiment(self, settings: S, store: Store | None) -> Experiment[S, Any]:
        """Build the data, check its invariants and return the experiment. The store, if given, saves the splits."""
        return self.implementation.make(settings, store)


BENCHMARKS: Registry[Benchmark[Any]] = Registry("benchmark")


def find_benchmarks() -> Registry[Benchmark[Any]]:
    """Return the registry after importing every benchmark that ships with Trivium."""
    package = importlib.import_module("trivium.benchmarks")
    for module in pkgutil.iter_modules(package.__path__):
        if module.ispkg:
            importlib.import_module(f"{package.__name__}.{module.name}")
    return BENCHMARKS
