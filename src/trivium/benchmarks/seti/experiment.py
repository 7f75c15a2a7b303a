"""SETI as an experiment: its description, tables, claims and charts."""

from __future__ import annotations

from dataclasses import dataclass

from trivium.benchmarks.composers import departure_of
from trivium.benchmarks.experiment import Experiment
from trivium.benchmarks.seti.charts import charts
from trivium.benchmarks.seti.claims import claims
from trivium.benchmarks.seti.composers import table_of_composers
from trivium.benchmarks.seti.design import COMPOSITIONAL, IN_DISTRIBUTION, SetiDesign, chosen_settings
from trivium.benchmarks.seti.published import PAPERS_MODELS
from trivium.benchmarks.seti.results import Results
from trivium.benchmarks.seti.settings import SetiSettings
from trivium.benchmarks.seti.tables import (
    depth_table,
    figure_1_table,
    figure_2_table,
    models_table,
    pairs_table,
    rule_table,
    table_5,
    table_5_by_kind,
)
from trivium.build.splits.systematicity import SETTINGS
from trivium.build.splits.systematicity_invariants import require_setting_invariants
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.chart import Chart, Scatter
from trivium.measure.claim import Claim
from trivium.measure.table import Table
from trivium.models.composer import HEAD


@dataclass(frozen=True, eq=False)
class SetiExperiment(Experiment[SetiSettings, Results]):
    """A run of SETI, and everything that is derived from its predictions."""

    design: SetiDesign
    name: str = "seti"
    title: str = "SETI: systematicity in textual inference"

    @property
    def departure(self) -> str:
        """How the model departs from the paper's, which answers with its composed head."""
        return departure_of(self.settings.model)

    @property
    def description(self) -> str:
        """One line about the model, the data and the size of the run."""
        run = self.settings.run
        number = len(run.settings)
        return (
            f"SETI: {self.settings.model.name} on {self.design.data.source}, "
            f"{'all seven settings' if number == len(SETTINGS) else f'{number} settings'}, "
            f"{' and '.join(run.configurations)}, {len(run.seeds)} seed{'' if len(run.seeds) == 1 else 's'}"
        )

    @property
    def caveats(self) -> list[str]:
        """Limitations to report with the results."""
        lines = [self.settings.note] if self.settings.note else []
        if self.design.data.source != "sick":
            lines.append(f"The sentences come from {self.design.data.source!r}; the paper uses SICK.")
        data, run = self.settings.data, self.settings.run
        if self.settings.model.name.rpartition("/")[2] not in PAPERS_MODELS:
            lines.append(f"The model is {self.settings.model.name!r}, which is not one of the paper's six models.")
        if data.pairs == "all":
            lines.append("Pairs whose label later annotators changed are included.")
        for part, limit in (("training", data.train), ("test", data.test)):
            if limit:
                lines.append(f"At most {limit} {part} examples per setting; the paper uses all.")
        if len(run.seeds) == 1:
            lines.append("One seed: the intervals do not cover variation between trainings and between shots.")
        elif len(run.seeds) < 5:
            lines.append(f"{len(run.seeds)} seeds; the paper uses five.")
        return lines

    def build_tables(self) -> list[Table]:
        """Return the number of natural pairs, and Table 5."""
        return [pairs_table(self.design), table_5(self.design), table_5_by_kind(self.design)]

    def invariants(self) -> list[str]:
        """Return the invariants that every setting was checked for."""
        lines = []
        for setting in chosen_settings(self.settings):
            for invariant in require_setting_invariants(setting, self.design.data.splits[setting.name]):
                lines.append(f"{setting.title}: {invariant.statement} ({invariant.checked:,})")
        return lines

    def splits(self) -> dict[str, Split]:
        """Return the train, dev, test and shot splits of every setting and configuration, and the chains of verbs."""
        splits = {
            f"{setting}/{configuration}/{name}": split
            for setting, configurations in self.design.data.splits.items()
            for configuration, setting_splits in configurations.items()
            for name, split in setting_splits._asdict().items()
            if len(split)
        }
        probe = self.design.data.probe
        if probe is not None:
            splits["task3-nontrivial-ver/rule-2"] = probe
        return splits | {f"chains/depth-{depth}": split for depth, split in self.design.data.chains.items()}

    def summary(self, store: Store) -> list[str]:
        """Return the accuracy of each setting in both configurations, in sentences."""
        results, lines = self.results(store), []
        for setting in chosen_settings(self.settings):
            compositional, in_distribution = (
                results.accuracy(setting.name, name) for name in (COMPOSITIONAL, IN_DISTRIBUTION)
            )
            if compositional is not None and in_distribution is not None:
                lines.append(
                    f"{setting.title}: {100 * compositional.value:.1f} % on unseen compositions, "
                    f"{100 * in_distribution.value:.1f} % in distribution."
                )
        return lines

    def tables(self, store: Store) -> list[Table]:
        """Return Table 5, the numbers behind Figures 1 and 2, and accuracy by rule and by depth."""
        results = self.results(store)
        tables = [table_5(self.design), table_5_by_kind(self.design), figure_1_table(results)]
        if self.settings.run.models:
            tables.append(models_table(results))
        tables += [rule_table(results), figure_2_table(results), depth_table(results)]
        if self.design.composers != (HEAD,):
            tables.append(table_of_composers(results))
        return [table for table in tables if table.rows]

    def claims(self, store: Store) -> list[Claim]:
        """Return the claims of section 5."""
        return claims(self.results(store))

    def charts(self, store: Store) -> list[Chart | Scatter]:
        """Return Figures 1 and 2, and accuracy by depth."""
        return [*charts(self.results(store))]

    def read(self, store: Store) -> Results:
        """Return the results in a store."""
        return Results(self.design, store)
