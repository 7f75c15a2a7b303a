"""A run of CURRICULUM as the rest of Trivium sees it."""

from __future__ import annotations

from dataclasses import dataclass

from trivium.benchmarks.curriculum.charts import charts
from trivium.benchmarks.curriculum.claims import claims
from trivium.benchmarks.curriculum.design import INOCULATION, SEQUENTIAL, ZERO_SHOT, CurriculumDesign
from trivium.benchmarks.curriculum.limits import about_length, about_sources
from trivium.benchmarks.curriculum.published import PAPERS_MODEL
from trivium.benchmarks.curriculum.results import Results
from trivium.benchmarks.curriculum.settings import CurriculumSettings
from trivium.benchmarks.curriculum.tables import (
    difficulty_table,
    examples_table,
    generalization_table,
    inoculation_table,
    sequential_table,
    zero_shot_table,
)
from trivium.benchmarks.experiment import Experiment
from trivium.build.phenomena.selection import check_chosen, sources_of
from trivium.data.phenomena import PHENOMENA
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.chart import Chart, Scatter
from trivium.measure.claim import Claim
from trivium.measure.metrics import Floats
from trivium.measure.table import Table


@dataclass(frozen=True, eq=False)
class CurriculumExperiment(Experiment[CurriculumSettings, Results]):
    """A design, and what is read from a store by it."""

    design: CurriculumDesign
    name: str = "curriculum"
    title: str = "CURRICULUM: linguistic phenomena"

    @property
    def description(self) -> str:
        """One line: what is run on what."""
        run, number = self.settings.run, len(self.design.chosen)
        known = "as it is" if self.settings.model.head == "own" else f"trained on {len(self.design.base):,} pairs"
        return (
            f"CURRICULUM: {self.settings.model.name}, {known}, on {number} "
            f"phenomen{'on' if number == 1 else 'a'} ({' and '.join(sources_of(self.design.chosen.values()))}), "
            f"{', '.join(run.tests)}, {len(run.seeds)} seed{'' if len(run.seeds) == 1 else 's'}"
        )

    @property
    def caveats(self) -> list[str]:
        """Limitations to report with the results."""
        lines = [self.settings.note] if self.settings.note else []
        lines += about_sources(self.design)
        left = len(PHENOMENA) - len(self.design.chosen) - len(self.design.missing)
        if left:
            lines.append(f"{left} of the {len(PHENOMENA)} phenomena were not chosen to be run.")
        if self.settings.model.name.rpartition("/")[2] != PAPERS_MODEL:
            lines.append(f"The model is {self.settings.model.name!r}, and not the paper's RoBERTa-large.")
        if self.settings.data.validation:
            lines.append(
                f"At most {self.settings.data.validation} examples a phenomenon are measured; the paper takes all."
            )
        if len(self.settings.run.seeds) == 1:
            lines.append("One seed: the intervals do not cover what another training would have given.")
        return lines

    def build_tables(self) -> list[Table]:
        """How many examples of each phenomenon there are (Table 5)."""
        return [examples_table(self.design)]

    def invariants(self) -> list[str]:
        """What was proved about every phenomenon."""
        lines = []
        for name, chosen in self.design.chosen.items():
            found = check_chosen(chosen, self.design.base)
            lines += [f"{PHENOMENA[name].title}: {one.statement} ({one.checked:,})" for one in found]
        return lines

    def splits(self) -> dict[str, Split]:
        """What is trained on and validated with of every phenomenon."""
        named: dict[str, Split] = {}
        for name, chosen in self.design.chosen.items():
            named |= {f"{name}/train": chosen.train, f"{name}/validation": chosen.validation}
        return named

    def summary(self, store: Store) -> list[str]:
        """What the figures say, in sentences."""
        results = self.results(store)
        lines = about_length(results, "model.max_length")
        zero = {name: results.correlation(ZERO_SHOT, name) for name in self.design.chosen}
        if ranked := _ranked(zero):
            lines.append(f"Captured best before any teaching: {ranked[0]}. Worst: {ranked[1]}.")
        largest = max(self.settings.run.sizes)
        gains = {}
        for name in self.design.chosen:
            before, after = results.accuracy(ZERO_SHOT, name), results.accuracy(INOCULATION, name, largest)
            if before is not None and after is not None:
                gains[name] = 100 * (after - before)
        if ranked := _ranked(gains, "+.0f"):
            lines.append(
                f"With {largest} examples a label, accuracy rises most on {ranked[0]} points, and least on {ranked[1]}."
            )
        return lines

    def tables(self, store: Store) -> list[Table]:
        """Tables 2 and 5, and the numbers behind Figures 2 to 5."""
        results = self.results(store)
        every = [examples_table(self.design), zero_shot_table(results), difficulty_table(results)]
        every += [inoculation_table(results), generalization_table(results)]
        if SEQUENTIAL in self.settings.run.tests:
            every.append(sequential_table(results))
        return [table for table in every if table.rows]

    def claims(self, store: Store) -> list[Claim]:
        """The claims of sections 5 and 6."""
        return claims(self.results(store))

    def charts(self, store: Store) -> list[Chart | Scatter]:
        """Figures 2 to 5."""
        return [*charts(self.results(store))]

    def read(self, store: Store) -> Results:
        """What is in a store."""
        return Results(self.design, store)


def _ranked(found: dict[str, Floats | None] | dict[str, Floats], form: str = ".2f") -> tuple[str, str] | None:
    """The three best and the three worst with their values; None if there are fewer than six."""
    there = {name: float(one[0]) for name, one in found.items() if one is not None}
    if len(there) < 6:
        return None
    order = sorted(there, key=lambda name: -there[name])
    parts = [", ".join(f"{name} {there[name]:{form}}" for name in names) for names in (order[:3], order[-3:])]
    return parts[0], parts[1]
