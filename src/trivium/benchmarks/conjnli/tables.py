"""ConjNLI's tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from trivium.benchmarks.conjnli import published
from trivium.benchmarks.conjnli.design import AFT, BASE, IAFT, IAFT_FRAGMENT, PA, PA_IAFT, ConjNliDesign
from trivium.benchmarks.conjnli.results import Measured, Part, Results
from trivium.build.conjuncts.flip import ENTAILMENT
from trivium.build.conjuncts.material import CONJ, FRAGMENT, MNLI, SNLI, TITLES, changed_conjunction, kinds_of
from trivium.build.conjuncts.traits import BALANCED, KINDS, OPERATIONS, Traits
from trivium.measure.bootstrap import Interval, interval
from trivium.measure.table import COUNT, Cell, Row, Table

NAMES = {BASE: "Base", AFT: "AFT", IAFT: "IAFT", PA: "PA", PA_IAFT: "PA+IAFT"}
AVERAGE = "Average"
_NO_ROLES = (
    "PA needs a role encoder: make one with `trivium train srl --data … --out FOLDER`, and name it with "
    "--set run.roles=FOLDER."
)
_NO_FIGURES = "The paper's own figures of this table are not in the text that we have."


def data_table(design: ConjNliDesign) -> Table:
    """Tables 2 and 3: how many pairs there are, by label and by conjunction."""
    material = design.material
    every = [(TITLES[name], split) for name, split in material.bases.items()]
    every = [(f"{name}, training", split) for name, split in every] + [("Adversarial", material.adversarial)]
    every += [] if material.fragment is None else [(f"{FRAGMENT}, training", material.fragment)]
    every += [(f"{name}, tested", split) for name, split in material.tests.items()]
    rows = []
    for name, split in every:
        counts = [len(split), *split.counts().values(), *kinds_of(split).values()]
        rows.append(Row(name, tuple(map(Cell.exactly, counts))))
    columns = ("pairs", *material.adversarial.labels.names, *KINDS)
    return Table("Tables 2 and 3", "Pairs by label and conjunction", columns, tuple(rows), COUNT)


def slices_table(design: ConjNliDesign) -> Table:
    """What each epoch of IAFT sees."""
    rows = []
    for number, part in enumerate(design.parts, 1):
        pairs = design.material.adversarial
        rows.append(Row(f"epoch {number}", tuple(map(Cell.exactly, (len(part), len(pairs), len(part) + len(pairs))))))
    about = [changed_conjunction(example) for example in design.material.adversarial]
    shares = ", ".join(f"{kind} {about.count(kind):,}" for kind in BALANCED)
    notes = (f"Adversarial pairs by the conjunction that was changed: {shares}.",)
    return Table("IAFT", "What each epoch sees", ("conjunctive MNLI", "adversarial", "both"), tuple(rows), COUNT, notes)


def baselines_table(results: Results) -> Table:
    """Table 6: each encoder, trained on SNLI or on MNLI."""
    run, tests = results.design.settings.run, (CONJ, TITLES[SNLI], TITLES[MNLI])
    rows = []
    for encoder in dict.fromkeys((results.design.encoder, *run.encoders)):
        for base in run.bases:
            cells = tuple(cell(results.accuracy(BASE, test, base=base, encoder=encoder)) for test in tests)
            rows.append(Row(f"{encoder}-{base[0].upper()}", cells))
    return Table("Table 6", "Encoders trained on SNLI and on MNLI", tests, tuple(rows), "%", (_NO_FIGURES,))


def methods_table(results: Results, name: str, title: str, methods: Sequence[str]) -> Table:
    """Tables 7 and 8: methods on ConjNLI and on MNLI."""
    tests = (CONJ, TITLES[MNLI])
    rows = []
    for method in _run(results, methods):
        given = published.MEAN if method == BASE else None
        cells = [cell(results.accuracy(method, CONJ), given)]
        cells += [cell(results.accuracy(method, test)) for test in (TITLES[MNLI], TITLES[SNLI])]
        rows.append(Row(NAMES[method], (*cells, cell(results.average(method, tests)))))
    columns = (*tests, TITLES[SNLI], f"{AVERAGE} of the first two")
    notes = ["Published is only the mean of the base on ConjNLI dev, over ten seeds.", *_roles(results, methods)]
    return Table(name, title, columns, tuple(rows), "%", tuple(notes))


def kinds_table(results: Results) -> Table:
    """Table 9: methods by conjunction."""
    parts = [results.kind(kind) for kind in KINDS]
    table = _by_parts(results, "Table 9", "Accuracy by conjunction", [part for part in parts if len(part)])
    return Table(table.name, table.title, table.columns, table.rows, "%", (_NO_FIGURES, *table.notes))


def traits_table(results: Results, title: str, values: Iterable[str], read: Callable[[Traits], str]) -> Table:
    """Methods by another trait: the operation, or the rule."""
    rows = []
    for value in values:
        part = results.part(f"{title} {value}", lambda traits, value=value: read(traits) == value)  # type: ignore[misc]
        if len(part):
            cells = [cell(results.accuracy(method, part=part)) for method in _run(results)]
            rows.append(Row(f"{value} ({len(part)})", tuple(cells)))
    columns = tuple(NAMES[method] for method in _run(results))
    return Table(title.capitalize(), f"Accuracy by {title}", columns, tuple(rows))


def operations_table(results: Results) -> Table:
    """Methods by what was done."""
    return traits_table(results, "operation", OPERATIONS, lambda traits: traits.operation)


def rules_table(results: Results) -> Table:
    """Methods by the rule that would label a pair, the most frequent first, and by name where two are as frequent."""
    rules = [traits.rule for traits in results.traits]
    order = sorted(set(rules), key=lambda rule: (-rules.count(rule), rule))
    return traits_table(results, "rule", order, lambda traits: traits.rule)


def boolean_table(results: Results, annotated: bool) -> Table:
    """Section 5.7: Boolean against non-Boolean pairs."""
    parts = [results.boolean(wanted, annotated) for wanted in (True, False)]
    rows = []
    for method in _run(results):
        given = published.BOOLEAN.get(method, (None, None))
        cells = [cell(results.accuracy(method, part=part), theirs) for part, theirs in zip(parts, given, strict=True)]
        rows.append(Row(NAMES[method], tuple(cells)))
    columns = tuple(f"{part.name.removesuffix(', annotated')} ({len(part)})" for part in parts)
    how = (
        "as a reader annotated them" if annotated else "by the recorded rules; the paper's were annotated by an expert"
    )
    return Table("Section 5.7", f"Boolean and non-Boolean pairs, {how}", columns, tuple(rows))


def flips_table(results: Results) -> Table:
    """Section 5.1: what becomes of answers when *and* becomes *either … or*."""
    rows = []
    for method in _run(results):
        before = results.accuracy(method, part=results.flippable)
        changed = cell(results.changed(method), published.FLIPS_CHANGED if method == BASE else None)
        rows.append(Row(NAMES[method], (cell(before), cell(results.flipped(method)), changed)))
    number = len(results.design.flipped)
    notes = (f"{number} pairs with entailment by a removed conjunct of “and”; the flipped label is neutral.",)
    columns = ("“and” right", "“either … or” right", "answer changes")
    return Table("Section 5.1", "“and” becomes “either … or”", columns, tuple(rows) if number else (), "%", notes)


def fragment_table(results: Results) -> Table:
    """Section 5.2: the base on the Boolean fragment, and IAFT with that fragment's pairs."""
    rows = []
    for method, name in ((BASE, NAMES[BASE]), (IAFT, NAMES[IAFT]), (IAFT_FRAGMENT, "IAFT with the fragment's pairs")):
        given = published.FRAGMENT.get(method)
        cells = [cell(results.accuracy(method, FRAGMENT), given)]
        rows.append(Row(name, (*cells, *(cell(results.accuracy(method, test)) for test in (TITLES[MNLI], CONJ)))))
    taught = results.design.material.fragment
    notes = (f"{0 if taught is None else len(taught):,} pairs of the fragment in each epoch of IAFT.",)
    columns = (FRAGMENT, TITLES[MNLI], CONJ)
    return Table("Section 5.2", f"IAFT on the {FRAGMENT}", columns, tuple(rows) if taught else (), "%", notes)


def overlap_table(results: Results) -> Table:
    """Accuracy where the words of the hypothesis are all in the premise, by gold label (McCoy et al., 2019)."""
    labels = results.tests[CONJ].labels.names
    parts = [results.covered(label) for label in labels]
    rows = []
    for method in _run(results):
        cells = [cell(results.accuracy(method, part=part)) for part in parts]
        rows.append(Row(NAMES[method], (*cells, cell(results.says(method, ENTAILMENT, results.covered())))))
    columns = (*(f"{label} ({len(part)})" for label, part in zip(labels, parts, strict=True)), "says entailment")
    title = "Hypotheses with no word that the premise has not"
    return Table("Lexical overlap", title, columns, tuple(rows))


def amounts_table(results: Results) -> Table:
    """Figure 3: IAFT by the amount of adversarial data."""
    rows = []
    for amount in amounts(results):
        rows.append(Row(f"{amount:,}", (cell(by_amount(results, amount)),)))
    return Table("Figure 3", "IAFT by adversarial pairs", (CONJ,), tuple(rows) if len(rows) > 2 else ())


def instability_table(results: Results) -> Table:
    """Section 5.5: how the base varies over seeds (Zhou et al., 2020)."""
    rows = []
    for test in results.design.material.tests:
        found = results.instability(test)
        if found is None:
            continue
        given: Sequence[float | None] = (None,) * 4
        if test == CONJ:
            given = (published.MEAN, published.TOTAL, published.INDEPENDENT, published.COVARIANCE)
        sd = Interval(*(100 * value for value in (found.total, found.interval.low, found.interval.high)))
        cells = (
            Cell.exactly(100 * found.mean, given[0]),
            Cell(sd, published=given[1]),
            Cell.exactly(100 * found.independent, given[2]),
            Cell.exactly(100 * found.covariance, given[3]),
        )
        rows.append(Row(f"{test}, {found.seeds} seeds", cells))
    columns = ("mean", "total sd", "independent sd", "covariance")
    notes = (
        "total² = independent² + covariance², where the covariance is a root with its sign. The published three do not "
        "add up.",
    )
    return Table("Section 5.5", "The base over seeds", columns, tuple(rows), "%", notes)


def amounts(results: Results) -> list[int]:
    """The amounts of adversarial data that there are models of: none, those of the settings, and all."""
    run = results.design.settings.run
    return sorted({0, *run.amounts, len(results.design.material.adversarial)})


def by_amount(results: Results, amount: int) -> Measured | None:
    """The accuracy of IAFT with so many adversarial pairs; with none it is the base."""
    if amount == 0:
        return results.accuracy(BASE)
    every = len(results.design.material.adversarial)
    listed = amount in results.design.settings.run.amounts
    return results.accuracy(IAFT, amount=amount if listed or amount != every else 0)


def cell(found: Measured | None, given: float | None = None) -> Cell:
    """A cell in percent."""
    if found is None:
        return Cell(published=given)
    sd = None if found.spread is None else 100 * found.spread
    if found.limits is not None:
        ends = (found.limits.value, found.limits.low, found.limits.high)
        return Cell(Interval(*(100 * end for end in ends)), sd, given)
    return Cell(interval(100 * found.quantity), sd, given)


def _by_parts(results: Results, name: str, title: str, parts: Sequence[Part]) -> Table:
    methods = _run(results)
    rows = []
    for method in methods:
        cells = tuple(cell(results.accuracy(method, part=part)) for part in parts)
        rows.append(Row(NAMES[method], cells))
    columns = tuple(f"{part.name} ({len(part)})" for part in parts)
    return Table(name, title, columns, tuple(rows), "%", tuple(_roles(results, methods)))


def _run(results: Results, methods: Sequence[str] = tuple(NAMES)) -> list[str]:
    """The methods that the settings name, in the order of the tables."""
    wanted = {BASE, *results.design.settings.run.methods}
    return [method for method in methods if method in wanted]


def _roles(results: Results, methods: Sequence[str]) -> list[str]:
    needed = {PA, PA_IAFT} & set(_run(results, methods))
    return [_NO_ROLES] if needed and results.design.settings.run.roles is None else []
