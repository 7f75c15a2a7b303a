"""ConjNLI's tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from trivium.benchmarks.conjnli import published
from trivium.benchmarks.conjnli.design import AFT, BASE, IAFT, IAFT_FRAGMENT, PA, PA_IAFT, ConjNliDesign
from trivium.benchmarks.conjnli.results import Results
from trivium.build.conjuncts.flip import ENTAILMENT
from trivium.build.conjuncts.material import CONJ, FRAGMENT, MNLI, SNLI, TITLES, changed_conjunction, kinds_of
from trivium.build.conjuncts.traits import BALANCED, KINDS, OPERATIONS, Traits
from trivium.measure.statistics.estimate import Estimate
from trivium.measure.statistics.intervals import Interval
from trivium.measure.table import COUNT, Cell, Row, Table, percent_cell

NAMES = {BASE: "Base", AFT: "AFT", IAFT: "IAFT", PA: "PA", PA_IAFT: "PA+IAFT"}
AVERAGE = "Average"
_NO_ROLES = (
    "PA needs a role encoder: train one with `trivium train srl --data … --out FOLDER`, and set run.roles to FOLDER."
)
_NO_FIGURES = "The figures of the paper's table were not available to us."


def data_table(design: ConjNliDesign) -> Table:
    """Return the number of pairs by label and by conjunction (Tables 2 and 3)."""
    material = design.material
    splits = [(f"{TITLES[name]}, training", split) for name, split in material.bases.items()]
    splits.append(("Adversarial", material.adversarial))
    if material.fragment is not None:
        splits.append((f"{FRAGMENT}, training", material.fragment))
    splits += [(f"{name}, test", split) for name, split in material.tests.items()]
    rows = []
    for name, split in splits:
        counts = [len(split), *split.counts().values(), *kinds_of(split).values()]
        rows.append(Row(name, tuple(map(Cell.without_interval, counts))))
    columns = ("pairs", *material.adversarial.labels.names, *KINDS)
    return Table("Tables 2 and 3", "Pairs by label and conjunction", columns, tuple(rows), COUNT)


def slices_table(design: ConjNliDesign) -> Table:
    """Return the number of pairs in each epoch of IAFT."""
    adversarial = design.material.adversarial
    rows = []
    for number, part in enumerate(design.slices, 1):
        counts = (len(part), len(adversarial), len(part) + len(adversarial))
        rows.append(Row(f"epoch {number}", tuple(map(Cell.without_interval, counts))))
    changed = [changed_conjunction(example) for example in adversarial]
    counts_by_conjunction = ", ".join(f"{name} {changed.count(name):,}" for name in BALANCED)
    notes = (f"Adversarial pairs by the conjunction that was changed: {counts_by_conjunction}.",)
    columns = ("conjunctive MNLI", "adversarial", "total")
    return Table("IAFT", "Pairs in each epoch", columns, tuple(rows), COUNT, notes)


def baselines_table(results: Results) -> Table:
    """Return the accuracy of each encoder trained on SNLI or on MNLI (Table 6)."""
    run, tests = results.design.settings.run, (CONJ, TITLES[SNLI], TITLES[MNLI])
    rows = []
    for encoder in dict.fromkeys((results.design.encoder, *run.encoders)):
        for base in run.bases:
            cells = tuple(cell(results.accuracy(BASE, test, base=base, encoder=encoder)) for test in tests)
            rows.append(Row(f"{encoder}-{base[0].upper()}", cells))
    return Table("Table 6", "Encoders trained on SNLI and on MNLI", tests, tuple(rows), "%", (_NO_FIGURES,))


def methods_table(results: Results, name: str, title: str, methods: Sequence[str]) -> Table:
    """Return the accuracy of methods on ConjNLI and on MNLI (Tables 7 and 8)."""
    tests = (CONJ, TITLES[MNLI])
    rows = []
    for method in methods_of(results, methods):
        figure = published.MEAN if method == BASE else None
        cells = [cell(results.accuracy(method, CONJ), figure)]
        cells += [cell(results.accuracy(method, test)) for test in (TITLES[MNLI], TITLES[SNLI])]
        rows.append(Row(NAMES[method], (*cells, cell(results.average(method, tests)))))
    columns = (*tests, TITLES[SNLI], f"{AVERAGE} of the first two")
    note = "The only published figure available to us is the mean of the base on ConjNLI dev over ten seeds."
    return Table(name, title, columns, tuple(rows), "%", (note, *_role_notes(results, methods)))


def conjunctions_table(results: Results) -> Table:
    """Return the accuracy of methods by conjunction (Table 9)."""
    subsets = [subset for name in KINDS if len(subset := results.with_conjunction(name))]
    methods = methods_of(results)
    rows = []
    for method in methods:
        cells = tuple(cell(results.accuracy(method, subset=subset)) for subset in subsets)
        rows.append(Row(NAMES[method], cells))
    columns = tuple(f"{subset.name} ({len(subset)})" for subset in subsets)
    notes = (_NO_FIGURES, *_role_notes(results, methods))
    return Table("Table 9", "Accuracy by conjunction", columns, tuple(rows), "%", notes)


def operations_table(results: Results) -> Table:
    """Return the accuracy of methods by the operation that built a pair."""
    return _by_trait(results, "operation", OPERATIONS, lambda traits: traits.operation)


def rules_table(results: Results) -> Table:
    """Return the accuracy of methods by the rule that would label a pair, the most frequent rule first."""
    rules = [traits.rule for traits in results.traits]
    # Ties are sorted by name, since the order of a set is arbitrary.
    order = sorted(set(rules), key=lambda rule: (-rules.count(rule), rule))
    return _by_trait(results, "rule", order, lambda traits: traits.rule)


def _by_trait(results: Results, trait: str, values: Iterable[str], read: Callable[[Traits], str]) -> Table:
    methods = methods_of(results)
    rows = []
    for value in values:
        subset = results.subset(f"{trait} {value}", lambda traits, value=value: read(traits) == value)  # type: ignore[misc]
        if len(subset):
            cells = tuple(cell(results.accuracy(method, subset=subset)) for method in methods)
            rows.append(Row(f"{value} ({len(subset)})", cells))
    columns = tuple(NAMES[method] for method in methods)
    return Table(trait.capitalize(), f"Accuracy by {trait}", columns, tuple(rows))


def boolean_table(results: Results, annotated: bool) -> Table:
    """Return the accuracy on Boolean and on non-Boolean pairs (section 5.7)."""
    subsets = [results.boolean(is_boolean, annotated) for is_boolean in (True, False)]
    rows = []
    for method in methods_of(results):
        figures = published.BOOLEAN.get(method, (None, None))
        cells = [
            cell(results.accuracy(method, subset=subset), figure)
            for subset, figure in zip(subsets, figures, strict=True)
        ]
        rows.append(Row(NAMES[method], tuple(cells)))
    columns = tuple(f"{subset.name.removesuffix(', annotated')} ({len(subset)})" for subset in subsets)
    origin = "as annotated (run.annotations)" if annotated else "by rules (in the paper: as annotated by an expert)"
    return Table("Section 5.7", f"Boolean and non-Boolean pairs, {origin}", columns, tuple(rows))


def flips_table(results: Results) -> Table:
    """Return how predictions change when *and* becomes *either … or* (section 5.1)."""
    rows = []
    for method in methods_of(results):
        before = cell(results.accuracy(method, subset=results.flippable))
        after = cell(results.accuracy_after_flip(method))
        changed = cell(results.changed_by_flip(method), published.FLIPS_CHANGED if method == BASE else None)
        rows.append(Row(NAMES[method], (before, after, changed)))
    number = len(results.design.flipped)
    notes = (f"{number} entailed pairs that remove a conjunct of “and”; after the flip, neutral is correct.",)
    columns = ("“and” correct", "“either … or” correct", "prediction changes")
    return Table("Section 5.1", "“and” becomes “either … or”", columns, tuple(rows) if number else (), "%", notes)


def fragment_table(results: Results) -> Table:
    """Return the accuracy of the base and of IAFT on the Boolean fragment (section 5.2)."""
    rows = []
    names = {BASE: NAMES[BASE], IAFT: NAMES[IAFT], IAFT_FRAGMENT: "IAFT with the fragment's pairs"}
    for method, name in names.items():
        cells = [cell(results.accuracy(method, FRAGMENT), published.FRAGMENT.get(method))]
        cells += [cell(results.accuracy(method, test)) for test in (TITLES[MNLI], CONJ)]
        rows.append(Row(name, tuple(cells)))
    training = results.design.material.fragment
    number = 0 if training is None else len(training)
    notes = (f"IAFT with the fragment's pairs is trained on {number:,} of them in each epoch.",)
    columns = (FRAGMENT, TITLES[MNLI], CONJ)
    return Table("Section 5.2", f"IAFT on the {FRAGMENT}", columns, tuple(rows) if training else (), "%", notes)


def overlap_table(results: Results) -> Table:
    """Return the accuracy where all words of the hypothesis are in the premise, by gold label (McCoy et al., 2019)."""
    labels = results.tests[CONJ].labels.names
    subsets = [results.covered(label) for label in labels]
    rows = []
    for method in methods_of(results):
        cells = [cell(results.accuracy(method, subset=subset)) for subset in subsets]
        cells.append(cell(results.label_share(method, ENTAILMENT, results.covered())))
        rows.append(Row(NAMES[method], tuple(cells)))
    counts = (f"{label} ({len(subset)})" for label, subset in zip(labels, subsets, strict=True))
    title = "Pairs whose hypothesis has only words of the premise, by gold label"
    return Table("Lexical overlap", title, (*counts, "predicts entailment"), tuple(rows))


def amounts_table(results: Results) -> Table:
    """Return the accuracy of IAFT by the number of adversarial pairs (Figure 3)."""
    rows = [Row(f"{amount:,}", (cell(accuracy_by_amount(results, amount)),)) for amount in amounts(results)]
    return Table("Figure 3", "IAFT by number of adversarial pairs", (CONJ,), tuple(rows) if len(rows) > 2 else ())


def instability_table(results: Results) -> Table:
    """Return how the accuracy of the base varies over seeds (section 5.5; Zhou et al., 2020)."""
    rows = []
    for test in results.design.material.tests:
        measured = results.instability(test)
        if measured is None:
            continue
        figures: Sequence[float | None] = (None,) * 4
        if test == CONJ:
            figures = (published.MEAN, published.TOTAL, published.INDEPENDENT, published.COVARIANCE)
        total = Interval(*(100 * value for value in (measured.total, measured.interval.low, measured.interval.high)))
        cells = (
            Cell.without_interval(100 * measured.mean, figures[0]),
            Cell(total, published=figures[1]),
            Cell.without_interval(100 * measured.independent, figures[2]),
            Cell.without_interval(100 * measured.covariance, figures[3]),
        )
        rows.append(Row(f"{test}, {measured.seeds} seeds", cells))
    columns = ("mean", "total sd", "independent sd", "covariance")
    notes = (
        "total² = independent² ± covariance², with the sign of the covariance. The published figures do not add up.",
    )
    return Table("Section 5.5", "Instability of the base over seeds", columns, tuple(rows), "%", notes)


def amounts(results: Results) -> list[int]:
    """Return the numbers of adversarial pairs that IAFT was trained with: none, those of the settings, and all."""
    run = results.design.settings.run
    return sorted({0, *run.amounts, len(results.design.material.adversarial)})


def accuracy_by_amount(results: Results, amount: int) -> Estimate | None:
    """Return the accuracy of IAFT with a number of adversarial pairs; with none, that of the base."""
    if amount == 0:
        return results.accuracy(BASE)
    total = len(results.design.material.adversarial)
    is_listed = amount in results.design.settings.run.amounts
    return results.accuracy(IAFT, amount=amount if is_listed or amount != total else 0)


def cell(measured: Estimate | None, figure: float | None = None) -> Cell:
    """Return a cell with a measured value in percent and the published one."""
    return percent_cell(measured, figure)


def methods_of(results: Results, methods: Sequence[str] = tuple(NAMES)) -> list[str]:
    """Return the methods that the settings name, and the base."""
    requested = {BASE, *results.design.settings.run.methods}
    return [method for method in methods if method in requested]


def _role_notes(results: Results, methods: Sequence[str]) -> list[str]:
    needs_roles = {PA, PA_IAFT} & set(methods_of(results, methods))
    return [_NO_ROLES] if needs_roles and results.design.settings.run.roles is None else []
