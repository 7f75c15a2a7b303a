"""CURRICULUM as an experiment: its description, tables, claims and charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trivium.benchmarks.curriculum.charts import charts
from trivium.benchmarks.curriculum.claims import claims
from trivium.benchmarks.curriculum.design import INOCULATION, SEQUENTIAL, ZERO_SHOT, CurriculumDesign
from trivium.benchmarks.curriculum.limits import length_caveats, source_caveats
from trivium.benchmarks.curriculum.published import PAPERS_MODEL
from trivium.benchmarks.curriculum.results import Results
from trivium.benchmarks.curriculum.settings import CurriculumSettings
from trivium.benchmarks.curriculum.tables import (
    difficulty_table,
    examples_table,
    generalization_table,
    inoculation_table,
    models_table,
    sequential_table,
    zero_shot_table,
)
from trivium.benchmarks.experiment import Experiment
from trivium.build.phenomena.selection import check_selection, sources_of
from trivium.data.phenomena import PHENOMENA
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.chart import Chart, Scatter
from trivium.measure.claim import Claim
from trivium.measure.statistics.estimate import Estimate
from trivium.measure.table import Table


@dataclass(frozen=True, eq=False)
class CurriculumExperiment(Experiment[CurriculumSettings, Results]):
    """A run of CURRICULUM, and everything that is derived from its predictions."""

    design: CurriculumDesign
    name: str = "curriculum"
    title: str = "CURRICULUM: linguistic phenomena"

    @property
    def description(self) -> str:
        """One line about the model, the data and the size of the run."""
        run, number = self.settings.run, len(self.design.examples)
        trained = (
            "without training" if self.settings.model.head == "own" else f"trained on {len(self.design.base):,} pairs"
        )
        return (
            f"CURRICULUM: {self.settings.model.name}, {trained}, on {number} "
            f"phenomen{'on' if number == 1 else 'a'} ({' and '.join(sources_of(self.design.examples.values()))}), "
            f"{', '.join(run.tests)}, {len(run.seeds)} seed{'' if len(run.seeds) == 1 else 's'}"
        )

    @property
    def caveats(self) -> list[str]:
        """Limitations to report with the results."""
        lines = [self.settings.note] if self.settings.note else []
        lines += source_caveats(self.design)
        not_selected = len(PHENOMENA) - len(self.design.examples) - len(self.design.missing)
        if not_selected:
            lines.append(f"{not_selected} of the {len(PHENOMENA)} phenomena were not selected.")
        if self.settings.model.name.rpartition("/")[2] != PAPERS_MODEL:
            lines.append(f"The model is {self.settings.model.name!r}, not the paper's RoBERTa-large.")
        if self.settings.data.validation:
            lines.append(
                f"At most {self.settings.data.validation} validation examples per phenomenon; the paper uses all."
            )
        if len(self.settings.run.seeds) == 1:
            lines.append("One seed: the intervals do not cover variation between trainings.")
        return lines

    def build_tables(self) -> list[Table]:
        """Return the number of examples of each phenomenon (Table 5)."""
        return [examples_table(self.design)]

    def invariants(self) -> list[str]:
        """Return the invariants that every phenomenon was checked for."""
        lines = []
        for name, selection in self.design.examples.items():
            for invariant in check_selection(selection, self.design.base):
                lines.append(f"{PHENOMENA[name].title}: {invariant.statement} ({invariant.checked:,})")
        return lines

    def splits(self) -> dict[str, Split]:
        """Return the training and validation examples of every phenomenon."""
        splits: dict[str, Split] = {}
        for name, selection in self.design.examples.items():
            splits |= {f"{name}/train": selection.train, f"{name}/validation": selection.validation}
        return splits

    def summary(self, store: Store) -> list[str]:
        """Return the phenomena that are captured best and worst, and those that inoculation improves most and least."""
        results = self.results(store)
        lines = length_caveats(results, "model.max_length")
        correlations = {name: results.correlation(ZERO_SHOT, name) for name in self.design.examples}
        if ranked := _ranked(correlations):
            lines.append(f"Highest zero-shot correlation: {ranked[0]}. Lowest: {ranked[1]}.")
        largest = max(self.settings.run.sizes)
        gains = {}
        for name in self.design.examples:
            before, after = results.accuracy(ZERO_SHOT, name), results.accuracy(INOCULATION, name, largest)
            if before is not None and after is not None:
                gains[name] = 100 * (after - before)
        if ranked := _ranked(gains, "+.0f"):
            lines.append(
                f"Largest gain in accuracy with {largest} examples per label, in points: {ranked[0]}. "
                f"Smallest: {ranked[1]}."
            )
        return lines

    def tables(self, store: Store) -> list[Table]:
        """Return Tables 2 and 5, and the numbers behind Figures 2 to 5."""
        results = self.results(store)
        tables = [examples_table(self.design), zero_shot_table(results)]
        if self.settings.run.models:
            tables.append(models_table(results))
        tables.append(difficulty_table(results))
        tables += [inoculation_table(results), generalization_table(results)]
        if SEQUENTIAL in self.settings.run.tests:
            tables.append(sequential_table(results))
        return [table for table in tables if table.rows]

    def claims(self, store: Store) -> list[Claim]:
        """Return the claims of sections 5 and 6."""
        return claims(self.results(store))

    def charts(self, store: Store) -> list[Chart | Scatter]:
        """Return Figures 2 to 5."""
        return [*charts(self.results(store))]

    def read(self, store: Store) -> Results:
        """Return the results in a store."""
        return Results(self.design, store)


def _ranked(estimates: Mapping[str, Estimate | None], format_: str = ".2f") -> tuple[str, str] | None:
    """Return the three highest and the three lowest values with their names; None for fewer than six values."""
    values = {name: estimate.value for name, estimate in estimates.items() if estimate is not None}
    if len(values) < 6:
        return None
    order = sorted(values, key=lambda name: -values[name])
    highest, lowest = (
        ", ".join(f"{name} {values[name]:{format_}}" for name in names) for names in (order[:3], order[-3:])
    )
    return highest, lowest
