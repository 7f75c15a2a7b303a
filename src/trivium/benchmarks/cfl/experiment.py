"""CFL as an experiment: its description, tables, claims and charts."""

from __future__ import annotations

from dataclasses import dataclass

from trivium.benchmarks.cfl.charts import charts
from trivium.benchmarks.cfl.claims import claims
from trivium.benchmarks.cfl.design import BASE, CONTINUAL, FEW_SHOT, ORDERS, ZERO_SHOT, CflDesign, Model
from trivium.benchmarks.cfl.published import PAPERS_MODEL
from trivium.benchmarks.cfl.results import AVERAGE, Results
from trivium.benchmarks.cfl.settings import CflSettings
from trivium.benchmarks.cfl.space import distances_table, scatter_plots
from trivium.benchmarks.cfl.tables import (
    after_category_table,
    candidates_table,
    domains_table,
    method_title,
    methods_table,
    orders_table,
    sizes_table,
    supports_table,
)
from trivium.benchmarks.experiment import Experiment
from trivium.build.edits.selection import check_category
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.chart import Chart, Scatter
from trivium.measure.claim import Claim
from trivium.measure.statistics.intervals import p_text, p_value
from trivium.measure.table import Table


@dataclass(frozen=True, eq=False)
class CflExperiment(Experiment[CflSettings, Results]):
    """A run of CFL, and everything that is derived from its predictions."""

    design: CflDesign
    name: str = "cfl"
    title: str = "CFL: continual few-shot learning"

    @property
    def description(self) -> str:
        """One line about the model, the data and the size of the run."""
        suites = [
            f"{plan.suite.title} ({len(plan.suite.base):,} base examples, "
            + (f"{len(plan.categories)} categories)" if plan.categories is not None else "categories not yet known)")
            for plan in self.design.suites.values()
        ]
        return f"CFL: {self.settings.model.name}, {', '.join(self.settings.run.setups)}, on {', '.join(suites)}"

    @property
    def pending(self) -> str:
        """A sentence that says what must run before the rest can be planned; empty if everything is planned."""
        titles = [self.design.suites[name].suite.title for name in self.design.pending]
        if not titles:
            return ""
        return (
            f"Only the bases are planned so far. On {' and '.join(titles)}, their errors are corrected; the rest is "
            "planned when these are known."
        )

    @property
    def caveats(self) -> list[str]:
        """Limitations to report with the results."""
        lines = [self.settings.note] if self.settings.note else []
        if self.settings.model.name.rpartition("/")[2] != PAPERS_MODEL:
            lines.append(f"The model is {self.settings.model.name!r}, not the paper's RoBERTa-large.")
        for name, plan in self.design.suites.items():
            title = plan.suite.title
            if name == "builtin":
                lines.append("The built-in suite is Trivium's own, not one of the paper's.")
            else:
                lines.append(f"{title}: the base was trained on {len(plan.suite.base):,} examples.")
            if plan.suite.errors_only:
                chance = 100 / (len(plan.suite.labels) - 1)
                lines.append(
                    f"{title}: only errors of the base are tested, so guessing among the other labels is correct "
                    f"{chance:.0f} % of the time. Any change of a wrong label can only help, so there is no claim that "
                    "corrections help."
                )
            if plan.left_out and plan.categories is not None:
                lines.append(f"{title}: left out, because they have too few examples: {', '.join(plan.left_out)}.")
        if any(name in ("snli", "imdb") and not suite.folder for name, suite in self.settings.suites.items()):
            lines.append("Edits of SNLI and IMDB are categorised by rules, not by the paper's annotators.")
        if self.settings.run.select == "last":
            lines.append("The last epoch of each training is used; the paper selects the best one on dev examples.")
        else:
            lines.append("The last epoch of each base is used; the paper selects the best one on dev examples.")
        lines.append("One base per suite: the intervals do not cover variation between bases.")
        return lines

    def build_tables(self) -> list[Table]:
        """Return the number of examples of each category (Tables 2 and 3)."""
        tables = [candidates_table(plan) for plan in self.design.suites.values()]
        return tables + [sizes_table(self.design, name) for name, plan in self.design.suites.items() if plan.continual]

    def invariants(self) -> list[str]:
        """Return the invariants that the splits were checked for, one sentence each."""
        lines = []
        for plan in self.design.suites.values():
            title = plan.suite.title
            lines.append(f"{title}: the base was trained on no test example ({len(plan.base):,})")
            for name, category in (plan.categories or {}).items():
                checks = check_category(category)
                lines += [f"{title}, {name}: {check.statement} ({check.checked:,})" for check in checks]
            for name, category in plan.continual.items():
                others = [other for other_name, other in plan.continual.items() if other_name != name]
                checks = check_category(category, others)
                lines += [f"{title}, {name}, continual: {check.statement} ({check.checked:,})" for check in checks]
        return lines

    def splits(self) -> dict[str, Split]:
        """Return the training data and tests of the bases, and the support, dev and test sets of the categories."""
        splits: dict[str, Split] = {}
        for suite, plan in self.design.suites.items():
            splits[f"{suite}/base"] = plan.base
            for test, examples in plan.suite.tests.items():
                splits[f"{suite}/test-{test}"] = Split(test, examples, plan.suite.labels)
            for setup, categories in (("alone", plan.categories or {}), ("in-turn", plan.continual)):
                for name, category in categories.items():
                    folder = f"{suite}/{setup}/{name.lower().replace('/', '-').replace(' ', '-')}"
                    splits |= {f"{folder}/support-{n}": s for n, s in enumerate(category.supports, 1)}
                    splits |= {f"{folder}/dev": category.dev, f"{folder}/test": category.test}
        return splits

    def summary(self, store: Store) -> list[str]:
        """Return the best method on each suite in each setup, in sentences."""
        results = self.results(store)
        lines = []
        for suite, plan in self.design.suites.items():
            for setup in (FEW_SHOT, CONTINUAL):
                line = _best_method(results, suite, setup)
                if line:
                    lines.append(f"{plan.suite.title}, {setup}: {line}")
        return lines

    def tables(self, store: Store) -> list[Table]:
        """Return Tables 2 to 13."""
        results = self.results(store)
        tables = []
        for suite, plan in self.design.suites.items():
            if plan.categories is None or Model(suite, BASE) not in self.design.predictions:
                continue
            tables += [sizes_table(self.design, suite), methods_table(results, suite, FEW_SHOT)]
            tables += [methods_table(results, suite, CONTINUAL), supports_table(results, suite)]
            tables += [after_category_table(results, suite, strategy) for strategy in self.settings.run.followed]
            if ORDERS in self.settings.run.setups:
                tables.append(orders_table(results, suite))
            tables.append(domains_table(results, suite))
        tables.append(distances_table(results))
        return [table for table in tables if table.rows]

    def claims(self, store: Store) -> list[Claim]:
        """Return the claims of sections 5 and 6 and of appendix E."""
        return claims(self.results(store))

    def charts(self, store: Store) -> list[Chart | Scatter]:
        """Return charts of Tables 4 to 9 and 12, and Figure 1."""
        results = self.results(store)
        return [*charts(results), *(plot for suite in self.design.suites for plot in scatter_plots(results, suite))]

    def read(self, store: Store) -> Results:
        """Return the results in a store."""
        return Results(self.design, store)


def _best_method(results: Results, suite: str, setup: str) -> str:
    """Return a sentence about the best method on the categories, and its accuracy on the base test."""
    averages = {}
    for method in results.methods(setup):
        average = results.accuracy(suite, setup, method, AVERAGE) if results.categories(suite, setup) else None
        if average is not None:
            averages[method] = average
    if len(averages) < 2 or ZERO_SHOT not in averages:
        return ""
    first, second = sorted(averages, key=lambda method: -averages[method].value)[:2]
    p = p_value(averages[first] - averages[second])
    verdict = "significantly better" if p < 0.05 else "not significantly better"
    line = (
        f"{method_title(first)} is best with {100 * averages[first].value:.1f} % on average (base: "
        f"{100 * averages[ZERO_SHOT].value:.1f} %), {verdict} than {method_title(second)} "
        f"({100 * averages[second].value:.1f} %, paired, {p_text(p)})"
    )
    test = results.base_test(suite)
    before, after = (results.accuracy(suite, setup, method, test) for method in (ZERO_SHOT, first))
    if before is not None and after is not None:
        line += f"; its accuracy on {test} goes from {100 * before.value:.1f} to {100 * after.value:.1f} %"
    return line + "."
