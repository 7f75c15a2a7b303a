"""What the runs of all benchmarks have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from trivium.benchmarks.sweep import Headline
from trivium.engine.steps import PredictStep
from trivium.engine.store import Store
from trivium.measure.gallery import Gallery

R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class PreparedRun(ABC, Generic[R]):
    """The predictions that a run wants, and results that are read once from each store.

    Examples to read and headlines for sweeps are there where a benchmark says so.
    """

    _read: dict[Store, R] = field(default_factory=dict, init=False)

    @abstractmethod
    def runs(self) -> Iterable[Sequence[PredictStep]]:
        """The predictions of each run."""

    @abstractmethod
    def read(self, store: Store) -> R:
        """What is read from a store."""

    @property
    def pending(self) -> str:
        """Nothing: all is planned at once."""
        return ""

    def galleries(self, store: Store) -> list[Gallery]:
        """None."""
        return []

    def headlines(self, store: Store) -> list[Headline]:
        """None: nothing is swept."""
        return []

    def results(self, store: Store) -> R:
        """What is in a store, read once."""
        if store not in self._read:
            self._read[store] = self.read(store)
        return self._read[store]
