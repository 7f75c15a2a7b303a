"""What a benchmark is to the rest: settings, a protocol that wants predictions, and what is read from them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from trivium.benchmarks.sweep import Headline, Sweep
from trivium.data.split import Split
from trivium.engine.steps import PredictStep
from trivium.engine.store import Store
from trivium.measure.chart import Chart, Scatter
from trivium.measure.claim import Claim
from trivium.measure.gallery import Gallery
from trivium.measure.table import Table
from trivium.registry import Registry
from trivium.settings import Settings


class Prepared(Protocol):
    """A benchmark made ready to run: its data is built, and it knows which predictions it wants."""

    @property
    def name(self) -> str:
        """The benchmark's name."""

    @property
    def title(self) -> str:
        """The heading of its report."""

    @property
    def summary(self) -> str:
        """One line: what is run on what."""

    @property
    def caveats(self) -> list[str]:
        """What a reader must know before believing a verdict."""

    @property
    def pending(self) -> str:
        """What must be run before the rest can be planned, in a sentence; empty if all is planned."""

    @property
    def settings(self) -> Settings:
        """The settings it was made from."""

    def runs(self) -> Iterable[Sequence[PredictStep]]:
        """The predictions of each run."""

    def build_tables(self) -> list[Table]:
        """What the data is made of."""

    def proofs(self) -> list[str]:
        """What was proved about the splits."""

    def splits(self) -> Mapping[str, Split]:
        """All splits by name, for writing them to files."""

    def story(self, store: Store) -> list[str]:
        """What the figures in the store say, in sentences."""

    def tables(self, store: Store) -> list[Table]:
        """The paper's tables with what is in the store."""

    def galleries(self, store: Store) -> list[Gallery]:
        """Examples to read."""

    def claims(self, store: Store) -> list[Claim]:
        """The paper's claims, decided by what is in the store."""

    def charts(self, store: Store) -> list[Chart | Scatter]:
        """The paper's figures with what is in the store."""

    def headlines(self, store: Store) -> list[Headline]:
        """The main quantities, for sweeps."""


class Benchmark(Protocol):
    """A paper's protocol as data."""

    @property
    def about(self) -> str:
        """One line, with the citation."""

    @property
    def presets(self) -> Mapping[str, Path]:
        """The presets by name."""

    @property
    def sweeps(self) -> Mapping[str, Sweep]:
        """The settings that the paper varies."""

    def settings(self, preset: str, overrides: Sequence[str]) -> Any:
        """The settings of a preset, with overrides."""

    def prepare(self, settings: Any, store: Store | None) -> Prepared:
        """Build the data (and keep it in the store, if one is given)."""


BENCHMARKS: Registry[Benchmark] = Registry("benchmark")


def find_benchmarks() -> Registry[Benchmark]:
    """The registry with every benchmark that ships with Trivium in it."""
    package = importlib.import_module("trivium.benchmarks")
    for module in pkgutil.iter_modules(package.__path__):
        if module.ispkg:
            importlib.import_module(f"{package.__name__}.{module.name}")
    return BENCHMARKS
