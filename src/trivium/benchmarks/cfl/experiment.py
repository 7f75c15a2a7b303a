"""A run of CFL as the rest of Trivium sees it."""

from __future__ import annotations

from dataclasses import dataclass

from trivium.benchmarks.cfl.charts import charts
from trivium.benchmarks.cfl.claims import claims
from trivium.benchmarks.cfl.design import BASE, CONTINUAL, FEW_SHOT, ORDERS, ZERO_SHOT, CflDesign, Model
from trivium.benchmarks.cfl.published import PAPERS_MODEL
from trivium.benchmarks.cfl.results import AVERAGE, Results
from trivium.benchmarks.cfl.settings import CflSettings
from trivium.benchmarks.cfl.space import distances_table, pictures
from trivium.benchmarks.cfl.tables import (
    candidates_table,
    domains_table,
    in_turn_table,
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
from trivium.measure.significance import bootstrap_p
from trivium.measure.table import Table


@dataclass(frozen=True, eq=False)
class CflExperiment(Experiment[CflSettings, Results]):
    """A design, and what is read from a store by it."""

    design: CflDesign
    name: str = "cfl"
    title: str = "CFL: continual few-shot learning"

    @property
    def description(self) -> str:
        """One line: what is run on what."""
        parts = [
            f"{part.suite.title} ({len(part.suite.base):,} base examples, "
            + (f"{len(part.categories)} categories)" if part.categories is not None else "categories not yet known)")
            for part in self.design.parts.values()
        ]
        return f"CFL: {self.settings.model.name}, {', '.join(self.settings.run.setups)}, on {', '.join(parts)}"

    @property
    def pending(self) -> str:
        """What must be run before the rest can be planned; empty if all is planned."""
        titles = [self.design.parts[name].suite.title for name in self.design.pending]
        if not titles:
            return ""
        return (
            f"The bases first: only what they get wrong is corrected on {' and '.join(titles)}, so the rest of it is "
            "planned when they have been asked."
        )

    @property
    def caveats(self) -> list[str]:
        """Limitations to report with the results."""
        lines = [self.settings.note] if self.settings.note else []
        if self.settings.model.name.rpartition("/")[2] != PAPERS_MODEL:
            lines.append(f"The model is {self.settings.model.name!r}, and not the paper's RoBERTa-large.")
        for name, part in self.design.parts.items():
            if name == "builtin":
                lines.append("The built-in suite is Trivium's own, and none of the paper's.")
            else:
                lines.append(f"{part.suite.title}: the base was trained on {len(part.suite.base):,} examples.")
            if part.suite.errors_only:
                others = len(part.suite.labels) - 1
                lines.append(
                    f"{part.suite.title}: only what the base gets wrong is asked, so that guessing among the labels it "
                    f"did not give would be right {100 / others:.0f} % of the time. That examples help is true by "
                    "selection there, and not among the claims."
                )
            if part.left_out and part.categories is not None:
                lines.append(f"{part.suite.title}: too few examples of {', '.join(part.left_out)}, which are left out.")
        if {"snli", "imdb"} & set(self.design.parts):
            lines.append("Edits of SNLI and IMDB were put into categories by rules, not by the paper's annotators.")
        lines.append("The last model of a training is taken; the paper takes the best on the dev examples.")
        lines.append("One base a suite: intervals do not cover what another base would have given.")
        return lines

    def build_tables(self) -> list[Table]:
        """How many examples of each category there are (Tables 2 and 3)."""
        every = [candidates_table(part) for part in self.design.parts.values()]
        return every + [sizes_table(self.design, name) for name, part in self.design.parts.items() if part.turns]

    def invariants(self) -> list[str]:
        """What was proved about every category."""
        lines = []
        for part in self.design.parts.values():
            lines.append(f"{part.suite.title}: nothing that is tested was trained by the base ({len(part.base):,})")
            for name, category in (part.categories or {}).items():
                found = check_category(category)
                lines += [f"{part.suite.title}, {name}: {one.statement} ({one.checked:,})" for one in found]
            for name, category in part.turns.items():
                others = [one for other, one in part.turns.items() if other != name]
                found = check_category(category, others)
                lines += [f"{part.suite.title}, {name} in turn: {one.statement} ({one.checked:,})" for one in found]
        return lines

    def splits(self) -> dict[str, Split]:
        """What bases are trained on and tested with, and the support, dev and test sets of every category."""
        named: dict[str, Split] = {}
        for suite, part in self.design.parts.items():
            named[f"{suite}/base"] = part.base
            for test, examples in part.suite.tests.items():
                named[f"{suite}/test-{test}"] = Split(test, examples, part.suite.labels)
            for setup, categories in (("alone", part.categories or {}), ("in-turn", part.turns)):
                for name, category in categories.items():
                    folder = f"{suite}/{setup}/{name.lower().replace('/', '-').replace(' ', '-')}"
                    named |= {f"{folder}/support-{n}": s for n, s in enumerate(category.supports, 1)}
                    named |= {f"{folder}/dev": category.dev, f"{folder}/test": category.test}
        return named

    def summary(self, store: Store) -> list[str]:
        """What the figures say, in sentences."""
        results = self.results(store)
        lines = []
        for suite, part in self.design.parts.items():
            for setup, about in ((FEW_SHOT, "one by one"), (CONTINUAL, "in turn")):
                line = _best(results, suite, setup)
                if line:
                    lines.append(f"{part.suite.title}, categories {about}: {line}")
        return lines

    def tables(self, store: Store) -> list[Table]:
        """Tables 2 to 13."""
        results = self.results(store)
        every = []
        for suite, part in self.design.parts.items():
            if part.categories is None or Model(suite, BASE) not in self.design.predictions:
                continue
            every += [sizes_table(self.design, suite), methods_table(results, suite, FEW_SHOT)]
            every += [methods_table(results, suite, CONTINUAL), supports_table(results, suite)]
            every += [in_turn_table(results, suite, strategy) for strategy in self.settings.run.followed]
            if ORDERS in self.settings.run.setups:
                every.append(orders_table(results, suite))
            every.append(domains_table(results, suite))
        every.append(distances_table(results))
        return [table for table in every if table.rows]

    def claims(self, store: Store) -> list[Claim]:
        """The claims of sections 5 and 6 and of appendix E."""
        return claims(self.results(store))

    def charts(self, store: Store) -> list[Chart | Scatter]:
        """Tables 4 to 9 as figures, Table 12 along the categories, and Figure 1."""
        results = self.results(store)
        found: list[Chart | Scatter] = [*charts(results)]
        for suite in self.design.parts:
            found += pictures(results, suite)
        return found

    def read(self, store: Store) -> Results:
        """What is in a store."""
        return Results(self.design, store)


def _best(results: Results, suite: str, setup: str) -> str:
    """The best method on the categories, whether it is significantly better than the next, and what it costs."""
    found = {}
    for method in results.methods(setup):
        one = results.accuracy(suite, setup, method, AVERAGE) if results.categories(suite, setup) else None
        if one is not None:
            found[method] = one.quantity
    if len(found) < 2 or ZERO_SHOT not in found:
        return ""
    order = sorted(found, key=lambda method: -found[method][0])
    first, second = order[:2]
    p = bootstrap_p(found[first] - found[second])
    sure = "significantly better" if p < 0.05 else "not significantly better"
    base = next(iter(results.part(suite).suite.tests))
    cost = [results.accuracy(suite, setup, method, base) for method in (ZERO_SHOT, first)]
    line = (
        f"best is {method_title(first)} with {100 * found[first][0]:.1f} % on average (before: "
        f"{100 * found[ZERO_SHOT][0]:.1f} %), {sure} than {method_title(second)} ({100 * found[second][0]:.1f} %, "
        f"paired bootstrap, p = {p:.3f})"
    )
    if cost[0] is not None and cost[1] is not None:
        line += f"; {base} goes from {100 * cost[0].quantity[0]:.1f} to {100 * cost[1].quantity[0]:.1f} %"
    return line + "."
