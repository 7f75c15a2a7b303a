"""What the runs of all benchmarks have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from trivium.benchmarks.sweep import Headline
from trivium.engine.steps import PredictStep
from trivium.engine.store import Store
from trivium.measure.gallery import Gallery
from trivium.settings import Settings

S_co = TypeVar("S_co", bound=Settings, covariant=True)
R = TypeVar("R")


class PaperProtocol(Protocol[S_co]):
    """What the protocols of all benchmarks have: the settings that they were made from, and what they want."""

    @property
    def settings(self) -> S_co:
        """The settings it was made from."""

    def runs(self) -> Iterable[Sequence[PredictStep]]:
        """The predictions of each run."""


@dataclass(frozen=True, eq=False)
class PreparedRun(ABC, Generic[S_co, R]):
    """A protocol, and results that are read once from each store.

    Examples to read and headlines for sweeps are there where a benchmark says so.
    """

    protocol: PaperProtocol[S_co]
    _read: dict[Store, R] = field(default_factory=dict, init=False)

    @property
    def settings(self) -> S_co:
        """The settings it was made from."""
        return self.protocol.settings

    def runs(self) -> Iterable[Sequence[PredictStep]]:
        """The predictions of each run."""
        return self.protocol.runs()

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
