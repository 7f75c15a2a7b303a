"""Experiments: a benchmark with settings, whose data is built and whose results are read from a store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from trivium.data.split import Split
from trivium.engine.steps import PredictStep
from trivium.engine.store import Store
from trivium.measure.chart import Chart, Scatter
from trivium.measure.claim import Claim
from trivium.measure.error_examples import ErrorExamples
from trivium.measure.metrics import Bools
from trivium.measure.statistics.estimate import Estimate
from trivium.measure.table import Table
from trivium.settings import Settings

if TYPE_CHECKING:
    from trivium.benchmarks.sweep import Headline

S_co = TypeVar("S_co", bound=Settings, covariant=True)
R = TypeVar("R")


class Design(Protocol[S_co]):
    """The predictions that an experiment needs. The ``design`` module of each benchmark builds one."""

    @property
    def settings(self) -> S_co:
        """The settings of the design, with the source and the model resolved."""

    def runs(self) -> Iterable[Sequence[PredictStep]]:
        """Yield the predictions of each model."""

    def keys(self) -> Iterable[tuple[Mapping[str, Any], PredictStep]]:
        """Yield the key (fold, seed, strategy, …) and the step of each prediction."""


@dataclass(frozen=True, eq=False)
class Experiment(ABC, Generic[S_co, R]):
    """A design, and everything that is derived from the predictions in a store.

    A benchmark implements the abstract members, and overrides others where the default does not fit.
    """

    design: Design[S_co]
    _results: dict[Store, R] = field(default_factory=dict, init=False, repr=False)

    @property
    @abstractmethod
    def name(self) -> str:
        """The benchmark's name."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The title of its report."""

    @property
    @abstractmethod
    def description(self) -> str:
        """One line about the model, the data and the size of the run."""

    @property
    @abstractmethod
    def caveats(self) -> list[str]:
        """Limitations to report with the results."""

    @property
    def pending(self) -> str:
        """A sentence that says what must run before the rest can be planned; empty if everything is planned."""
        return ""

    @property
    def departure(self) -> str:
        """How the model departs from the paper's, so that the ledger leaves the run out; empty if it does not."""
        return ""

    @property
    def folds(self) -> int | None:
        """The number of folds that exist; None if the benchmark has none."""
        return None

    @property
    def settings(self) -> S_co:
        """The settings, with the source and the model resolved."""
        return self.design.settings

    def runs(self) -> Iterable[Sequence[PredictStep]]:
        """Yield the predictions of each model."""
        return self.design.runs()

    def predictions(self) -> Iterator[tuple[Mapping[str, Any], PredictStep]]:
        """Yield the key (fold, seed, strategy, …) and the step of each prediction."""
        yield from self.design.keys()

    def metrics(self, fields: Mapping[str, Any], correct: Mapping[str, Bools]) -> dict[str, Bools]:
        """Return for each metric of a prediction which examples count as correct.

        ``correct`` says which rows of each task are predicted correctly.
        """
        if len(correct) == 1:
            return {"accuracy": next(iter(correct.values()))}
        return {f"accuracy {task}": values for task, values in correct.items()}

    @property
    def first_metrics(self) -> Mapping[str, str]:
        """The metric of what is learned in the first stage, by setting: what can be forgotten in the second."""
        return {}

    def results(self, store: Store) -> R:
        """Return the results in a store. They are read once for each store."""
        if store not in self._results:
            self._results[store] = self.read(store)
        return self._results[store]

    @abstractmethod
    def read(self, store: Store) -> R:
        """Read the results from a store."""

    @abstractmethod
    def build_tables(self) -> list[Table]:
        """Return the tables that describe the data."""

    @abstractmethod
    def invariants(self) -> list[str]:
        """Return the invariants that the splits were checked for, one sentence each."""

    @abstractmethod
    def splits(self) -> Mapping[str, Split]:
        """Return all splits by name; a name is also the path of the split's file."""

    @abstractmethod
    def summary(self, store: Store) -> list[str]:
        """Return the main findings, in sentences."""

    @abstractmethod
    def tables(self, store: Store) -> list[Table]:
        """Return the paper's tables, filled with the results."""

    @abstractmethod
    def claims(self, store: Store) -> list[Claim]:
        """Return the paper's claims with their verdicts."""

    @abstractmethod
    def charts(self, store: Store) -> list[Chart | Scatter]:
        """Return the paper's figures, drawn from the results."""

    def forgetting(self, store: Store) -> dict[tuple[str, str], Estimate]:
        """Return what each strategy forgot, as a share, by (setting, strategy)."""
        return {}

    def error_examples(self, store: Store) -> list[ErrorExamples]:
        """Return groups of test examples with their predictions, to inspect."""
        return []

    def headlines(self, store: Store) -> list[Headline]:
        """Return the quantities that a sweep follows."""
        return []
