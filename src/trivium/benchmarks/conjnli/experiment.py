"""A run of ConjNLI as the rest of Trivium sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trivium.benchmarks.conjnli import tables
from trivium.benchmarks.conjnli.charts import charts
from trivium.benchmarks.conjnli.claims import claims, of
from trivium.benchmarks.conjnli.design import AFT, BASE, IAFT, PA, PA_IAFT, ConjNliDesign, joined
from trivium.benchmarks.conjnli.published import PAPERS_MODEL
from trivium.benchmarks.conjnli.results import Results
from trivium.benchmarks.conjnli.settings import ConjSettings
from trivium.benchmarks.experiment import Experiment
from trivium.build.conjuncts.material import BUILTIN, CONJ, MNLI, TITLES
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.measure.chart import Chart, Scatter
from trivium.measure.claim import Claim
from trivium.measure.metrics import difference
from trivium.measure.significance import bootstrap_p
from trivium.measure.table import Table

_EVEN = 0.4


@dataclass(frozen=True, eq=False)
class ConjNliExperiment(Experiment[ConjSettings, Results]):
    """A design, and what is read from a store by it."""

    design: ConjNliDesign
    name: str = "conjnli"
    title: str = "ConjNLI: inference over conjunctions"

    @property
    def description(self) -> str:
        """One line: what is run on what."""
        run, material = self.settings.run, self.design.material
        names = ", ".join(tables.NAMES[method] for method in (BASE, *run.methods))
        seeds = len(run.seeds)
        return (
            f"ConjNLI: {names} of {self.settings.model.name}, {seeds} seed{'s' if seeds > 1 else ''}, with "
            f"{len(material.bases[MNLI]):,} pairs of MNLI and {len(material.adversarial):,} adversarial ones, on "
            f"{len(material.tests[CONJ]):,} pairs"
        )

    @property
    def caveats(self) -> list[str]:
        """Limitations to report with the results."""
        run, material = self.settings.run, self.design.material
        lines = [self.settings.note] if self.settings.note else []
        if self.settings.model.name.rpartition("/")[2] != PAPERS_MODEL:
            lines.append(f"The model is {self.settings.model.name!r}, and not the paper's RoBERTa.")
        if self.settings.source == BUILTIN:
            lines.append("The pairs are of a small grammar, with the labels of the rules that made them.")
        else:
            sizes = ", ".join(f"{len(base):,} pairs of {TITLES[name]}" for name, base in material.bases.items())
            few = "" if self.settings.data.own_mnli else ": a small part of what the paper had"
            lines.append(f"The bases were trained on {sizes}{few}.")
            lines.append(f"{CONJ} is its dev part: the labels of test are withheld.")
            if material.copies:
                lines.append(f"{material.copies} adversarial pairs are left out: they are nearly pairs of {CONJ}.")
            lines.append("Published figures are those of the paper's text; of its Tables 6 to 9 there are none.")
        if run.roles is None and {PA, PA_IAFT} & set(run.methods):
            lines.append("The predicate-aware models are not run: they need a role encoder (run.roles).")
        elif run.roles is not None and self.settings.source != BUILTIN:
            lines.append(
                f"If the role encoder was trained on conj_dev_srl.txt, it knows the sentences of {CONJ} dev, though "
                "not their labels, and those of MNLI not: train it on others (trivium train srl)."
            )
        if self.design.parts and (share := self.design.mix) < _EVEN:
            lines.append(
                f"Of what an epoch of IAFT sees {100 * share:.0f} % is MNLI's; in the paper it is half "
                "(data.slice, data.adversarial)."
            )
        if not self.design.annotated:
            lines.append("Boolean or not is what our rules say of a pair, and not what the paper's expert annotated.")
        if len(run.seeds) == 1:
            lines.append("One seed: intervals do not cover what another training would have given.")
        return lines

    def build_tables(self) -> list[Table]:
        """How many pairs there are, and what each epoch of IAFT sees."""
        every = [tables.data_table(self.design), tables.slices_table(self.design)]
        return [table for table in every if table.rows]

    def invariants(self) -> list[str]:
        """What was proved about the data."""
        return [f"{one.statement} ({one.checked:,})" for one in self.design.findings()]

    def splits(self) -> dict[str, Split]:
        """What is trained on, each epoch of IAFT, and the tests."""
        material = self.design.material
        named = {f"train/{name}": base for name, base in material.bases.items()}
        named["train/adversarial"] = material.adversarial
        for number, part in enumerate(self.design.parts, 1):
            named[f"train/iaft-{number}"] = joined(part, material.adversarial, number, self.settings.data_seed)
        named |= {f"test/{name.lower()}": split for name, split in self.design.tests.items()}
        return named

    def summary(self, store: Store) -> list[str]:
        """What the figures say, in sentences."""
        results = self.results(store)
        lines = _one_label(results, (BASE, *self.settings.run.methods))
        for method in self.settings.run.methods:
            for test in (CONJ, TITLES[MNLI]):
                line = _against_base(results, method, test)
                if line:
                    lines.append(line)
        changed, before = of(results.changed(BASE)), of(results.accuracy(BASE, part=results.flippable))
        after = of(results.flipped(BASE))
        if changed is not None and before is not None and after is not None:
            lines.append(
                f"When “and” becomes “either … or” in {len(self.design.flipped)} pairs, the base says something "
                f"else in {100 * changed[0]:.0f} % of them, and is right in {100 * after[0]:.0f} % (before: "
                f"{100 * before[0]:.0f} %)."
            )
        return lines

    def tables(self, store: Store) -> list[Table]:
        """Tables 6 to 9, Figure 3 as a table, and those of the analyses."""
        results = self.results(store)
        every = [
            tables.baselines_table(results),
            tables.methods_table(results, "Table 7", "Adversarial fine-tuning", (BASE, AFT, IAFT)),
            tables.methods_table(results, "Table 8", "Predicate-aware models", (BASE, PA, IAFT, PA_IAFT)),
            tables.fragment_table(results),
            tables.kinds_table(results),
            tables.boolean_table(results, annotated=False),
            *([tables.boolean_table(results, annotated=True)] if self.design.annotated else []),
            tables.operations_table(results),
            tables.rules_table(results),
            tables.flips_table(results),
            tables.overlap_table(results),
            tables.amounts_table(results),
            tables.instability_table(results),
        ]
        return [table for table in every if table.rows]

    def claims(self, store: Store) -> list[Claim]:
        """The claims of section 5."""
        return claims(self.results(store))

    def charts(self, store: Store) -> list[Chart | Scatter]:
        """Figure 3, and Table 9 as a figure."""
        return [*charts(self.results(store))]

    def read(self, store: Store) -> Results:
        """What is in a store."""
        return Results(self.design, store)


def _one_label(results: Results, methods: Sequence[str]) -> list[str]:
    """Which methods say one label to everything: claims about them are of models that have learned nothing."""
    same = [(method, label) for method in methods if (label := results.only_label(method)) is not None]
    by_label = {label: [tables.NAMES[method] for method, said in same if said == label] for _, label in same}
    return [
        f"One label, {label}, for all pairs of {CONJ}: {', '.join(names)}. What is claimed of models that have learned "
        "nothing tells nothing."
        for label, names in by_label.items()
    ]


def _against_base(results: Results, method: str, test: str) -> str:
    """Whether a method is significantly better or worse than the base."""
    mine, base = of(results.accuracy(method, test)), of(results.accuracy(BASE, test))
    gap = difference(mine, base)
    if mine is None or base is None or gap is None:
        return ""
    p = bootstrap_p(gap)
    sure = "significantly" if p < 0.05 else "not significantly"
    word = "better" if gap[0] >= 0 else "worse"
    return (
        f"{tables.NAMES[method]} on {test}: {100 * mine[0]:.1f} %, {sure} {word} than the base ({100 * base[0]:.1f} %, "
        f"paired bootstrap, p = {p:.3f})."
    )
