"""A run of C²Gen as the rest of Trivium sees it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from trivium.benchmarks.c2gen.charts import charts
from trivium.benchmarks.c2gen.claims import claims
from trivium.benchmarks.c2gen.protocol import Protocol
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.benchmarks.c2gen.story import story
from trivium.benchmarks.c2gen.tables import stage_table, table_4, tables
from trivium.build.leaks import prove_fold
from trivium.data.split import Split
from trivium.engine.steps import PredictStep
from trivium.engine.store import Store
from trivium.measure.chart import Chart
from trivium.measure.claim import Claim
from trivium.measure.table import Table


@dataclass(frozen=True, eq=False)
class PreparedC2Gen:
    """A protocol, and what is read from a store by it."""

    protocol: Protocol
    _read: dict[Store, Results] = field(default_factory=dict)
    name: str = "c2gen"
    title: str = "C²Gen: learning to compose, one primitive after the other"

    @property
    def settings(self) -> C2GenSettings:
        """The settings it was made from."""
        return self.protocol.settings

    @property
    def summary(self) -> str:
        """One line: what is run on what."""
        run = self.settings.run
        folds = ", ".join(map(str, run.folds))
        return (
            f"C²Gen: {self.settings.model.name} on {self.protocol.source}, fold {folds}, "
            f"{_number(run.orders, 'order')}, {_number(run.strategies, 'strateg', 'ies', 'y')}, "
            f"{_number(run.seeds, 'seed')}, "
            f"stages of {4 * self.settings.data.per_type} compositions"
        )

    def runs(self) -> Iterable[Sequence[PredictStep]]:
        """The predictions of each run."""
        return self.protocol.runs()

    def build_tables(self) -> list[Table]:
        """Table 4, and what stages and tests are made of."""
        return [table_4(self.protocol.pool), stage_table(self.protocol)]

    def proofs(self) -> list[str]:
        """What was proved about every fold."""
        lines: dict[str, int] = {}
        for splits in self.protocol.folds.values():
            for finding in prove_fold(splits):
                lines[finding.promise] = lines.get(finding.promise, 0) + finding.checked
        return [f"{promise} ({checked:,} examples)" for promise, checked in lines.items()]

    def splits(self) -> dict[str, Split]:
        """The stages and tests of every fold."""
        return {
            f"fold-{number}/{name}": getattr(splits, name)
            for number, splits in self.protocol.folds.items()
            for name in ("ver", "nat", "composed", "primitive")
        }

    def story(self, store: Store) -> list[str]:
        """What the figures say, in sentences."""
        return story(self._results(store))

    def tables(self, store: Store) -> list[Table]:
        """Tables 4, 5 and 6."""
        return tables(self._results(store))

    def claims(self, store: Store) -> list[Claim]:
        """The claims of sections 6 and 7.1."""
        return claims(self._results(store))

    def charts(self, store: Store) -> list[Chart]:
        """The stages and the strategies as pictures."""
        return charts(self._results(store))

    def _results(self, store: Store) -> Results:
        if store not in self._read:
            self._read[store] = Results(self.protocol, store)
        return self._read[store]


def _number(things: Sequence[object], name: str, several: str = "s", one: str = "") -> str:
    return f"{len(things)} {name}{one if len(things) == 1 else several}"
