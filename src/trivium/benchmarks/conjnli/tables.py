"""ConjNLI's tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from trivium.benchmarks.conjnli import published
from trivium.benchmarks.conjnli.design import AFT, BASE, IAFT, IAFT_FRAGMENT, PA, PA_IAFT, ConjNliDesign
from trivium.benchmarks.conjnli.results import Results
from trivium.build.conjuncts.constructs import count_constructs
from trivium.build.conjuncts.flip import ENTAILMENT
from trivium.build.conjuncts.material import (
    CONJ,
    FRAGMENT,
    MISMATCHED,
    MNLI,
    SNLI,
    TITLES,
    changed_conjunction,
    kinds_of,
)
from trivium.build.conjuncts.parsers import make_parser
from trivium.build.conjuncts.traits import BALANCED, KINDS, OPERATIONS, Traits
from trivium.measure.statistics.estimate import Estimate
from trivium.measure.statistics.intervals import Interval
from trivium.measure.table import COUNT, Cell, Row, Table, percent_cell

NAMES = {BASE: "Base", AFT: "AFT", IAFT: "IAFT", PA: "PA", PA_IAFT: "PA+IAFT"}
AVERAGE = "Average"
_NO_ROLES = (
    "PA needs a role encoder: train one with `trivium train srl --data … --out FOLDER`, and set run.roles to FOLDER."
)
BERT = "bert"
_NO_FIGURES = "The figures of the paper's table were not available to us."
_SCOREBOARD = "Published: the authors' scoreboard (RoBERTa, trained on all of MNLI), which has neither AFT nor PA+IAFT."


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


def constructs_table(design: ConjNliDesign) -> Table:
    """Return the number of coordinations by the constructs that they join (Table 4)."""
    texts = (max(example.premise, example.hypothesis or "", key=len) for example in design.material.tests[CONJ])
    parser = make_parser("light")  # so that the table does not depend on what is installed
    constructs = count_constructs(texts, parser)
    rows = tuple(Row(name, (Cell.without_interval(count),), about=sentence) for name, count, sentence in constructs)
    total = sum(construct.number for construct in constructs)
    notes = (f"{total:,} coordinations in the sentences of {CONJ}, as the parser {parser.name!r} reads them.",)
    return Table("Table 4", "Constructs of conjuncts", ("coordinations",), rows, COUNT, notes)


def tested_columns(results: Results) -> tuple[str, ...]:
    """Return the tests of the scoreboard that there are: ConjNLI, MNLI, and MNLI-mm if it is tested."""
    return tuple(test for test in (CONJ, TITLES[MNLI], MISMATCHED) if test in results.tests)


def published_score(model: str, test: str) -> float | None:
    """Return the published accuracy of a method (or of ``bert``) on a test; None if there is none."""
    scores = published.SCOREBOARD.get(model)
    if scores is None:
        return None
    return {CONJ: scores.dev, TITLES[MNLI]: scores.matched, MISMATCHED: scores.mismatched}.get(test)


def baselines_table(results: Results) -> Table:
    """Return the accuracy of encoders trained on each base (Table 6)."""
    run = results.design.settings.run
    first, *others = tested_columns(results)
    tests = (first, TITLES[SNLI], *others)
    rows = []
    for encoder in dict.fromkeys((results.design.encoder, *run.encoders)):
        model = BERT if _is_bert(encoder) else BASE if encoder == results.design.encoder else ""
        for base in run.bases:
            figures = [published_score(model, test) if base == MNLI else None for test in tests]
            measured = [results.accuracy(BASE, test, base=base, encoder=encoder) for test in tests]
            cells = tuple(map(cell, measured, figures))
            rows.append(Row(f"{encoder}-{base[0].upper()}", cells))
    return Table("Table 6", "Encoders trained on SNLI and on MNLI", tests, tuple(rows), "%", (_SCOREBOARD,))


def methods_table(results: Results, name: str, title: str, methods: Sequence[str]) -> Table:
    """Return the accuracy of methods on ConjNLI and on MNLI (Tables 7 and 8)."""
    tests = (*tested_columns(results), TITLES[SNLI])
    rows = []
    for method in methods_of(results, methods):
        cells = [cell(results.accuracy(method, test), published_score(method, test)) for test in tests]
        rows.append(Row(NAMES[method], (*cells, cell(results.average(method, tests[:2])))))
    columns = (*tests, f"{AVERAGE} of the first two")
    return Table(name, title, columns, tuple(rows), "%", (_SCOREBOARD, *_role_notes(results, methods)))


def scoreboard_table(results: Results) -> Table:
    """Return the authors' scoreboard with our models beside theirs."""
    tests, names = (CONJ, TITLES[MNLI], MISMATCHED), {**NAMES, BERT: "BERT"}
    encoders = (results.design.encoder, *results.design.settings.run.encoders)
    bert = next((encoder for encoder in encoders if _is_bert(encoder)), published.PAPERS_BERT)
    rows = []
    for model, scores in published.SCOREBOARD.items():
        method, encoder = (BASE, bert) if model == BERT else (model, "")
        measured = [results.accuracy(method, test, encoder=encoder) for test in tests]
        rows.append(Row(names[model], (*map(cell, measured, scores[:-1]), Cell(published=scores.test))))
    notes = (_SCOREBOARD, f"The labels of {CONJ}'s test set are withheld. {MISMATCHED} is tested with data.mismatched.")
    return Table("Scoreboard", "Our models beside the authors'", (*tests, "ConjNLI test"), tuple(rows), "%", notes)


def _is_bert(encoder: str) -> bool:
    return encoder.rpartition("/")[2] == published.PAPERS_BERT


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
