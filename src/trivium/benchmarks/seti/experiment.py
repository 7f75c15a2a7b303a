"""A run of SETI as the rest of Trivium sees it."""

from __future__ import annotations

from dataclasses import dataclass

from trivium.benchmarks.experiment import Experiment
from trivium.benchmarks.seti.charts import charts
from trivium.benchmarks.seti.claims import claims
from trivium.benchmarks.seti.design import COMPOSITIONAL, IN_DISTRIBUTION, SetiDesign, chosen_settings
from trivium.benchmarks.seti.published import PAPERS_MODELS
from trivium.benchmarks.seti.results import Results
from trivium.benchmarks.seti.settings import SetiSettings
from trivium.benchmarks.seti.tables import depth_table, figure_1_table, figure_2_table, pairs_table, rule_table, table_5
from trivium.build.splits.systematicity import SETTINGS
from trivium.build.splits.systematicity_invariants import prove_setting
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.chart import Chart, Scatter
from trivium.measure.claim import Claim
from trivium.measure.table import Table


@dataclass(frozen=True, eq=False)
class SetiExperiment(Experiment[SetiSettings, Results]):
    """A design, and what is read from a store by it."""

    design: SetiDesign
    name: str = "seti"
    title: str = "SETI: systematicity in textual inference"

    @property
    def description(self) -> str:
        """One line: what is run on what."""
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
            lines.append(f"The sentences come from {self.design.data.source!r}, and not from SICK as in the paper.")
        data, run = self.settings.data, self.settings.run
        if self.settings.model.name.rpartition("/")[2] not in PAPERS_MODELS:
            lines.append(f"The model is {self.settings.model.name!r}, and none of the paper's six large ones.")
        for part, limit in (("training", data.train), ("test", data.test)):
            if limit:
                lines.append(f"At most {limit} {part} examples a setting; the paper takes all.")
        if len(run.seeds) == 1:
            lines.append("One seed: the intervals do not cover what another training or other shots would have given.")
        elif len(run.seeds) < 5:
            lines.append(f"{len(run.seeds)} of the paper's five seeds.")
        return lines

    def build_tables(self) -> list[Table]:
        """The natural pairs, and Table 5."""
        return [pairs_table(self.design), table_5(self.design)]

    def invariants(self) -> list[str]:
        """What was proved about every setting."""
        lines = []
        for setting in chosen_settings(self.settings):
            found = prove_setting(setting, self.design.data.splits[setting.name])
            lines += [f"{setting.title}: {one.statement} ({one.checked:,})" for one in found]
        return lines

    def splits(self) -> dict[str, Split]:
        """Train, dev, test and shots of every setting and configuration, and the chains of verbs."""
        named = {
            f"{setting}/{configuration}/{name}": split
            for setting, configurations in self.design.data.splits.items()
            for configuration, parts in configurations.items()
            for name, split in parts._asdict().items()
            if len(split)
        }
        probe = self.design.data.probe
        named |= {} if probe is None else {"task3-nontrivial-ver/rule-2": probe}
        return named | {f"chains/depth-{depth}": split for depth, split in self.design.data.chains.items()}

    def summary(self, store: Store) -> list[str]:
        """What the figures say, in sentences."""
        results, lines = self.results(store), []
        for setting in chosen_settings(self.settings):
            found = [results.accuracy(setting.name, name) for name in (COMPOSITIONAL, IN_DISTRIBUTION)]
            if found[0] is not None and found[1] is not None:
                values = [100 * float(one[0]) for one in found if one is not None]
                lines.append(
                    f"{setting.title}: {values[0]:.1f} % of unseen compositions, {values[1]:.1f} % in distribution."
                )
        return lines

    def tables(self, store: Store) -> list[Table]:
        """Table 5, the figures behind Figures 1 and 2, and accuracy by depth."""
        results = self.results(store)
        every = [table_5(self.design), figure_1_table(results)]
        every += [rule_table(results), figure_2_table(results), depth_table(results)]
        return [table for table in every if table.rows]

    def claims(self, store: Store) -> list[Claim]:
        """The claims of section 5."""
        return claims(self.results(store))

    def charts(self, store: Store) -> list[Chart | Scatter]:
        """Figures 1 and 2, and accuracy by depth."""
        return [*charts(self.results(store))]

    def read(self, store: Store) -> Results:
        """What is in a store."""
        return Results(self.design, store)
