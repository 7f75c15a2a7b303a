"""CFL's tables."""

from __future__ import annotations

from trivium.benchmarks.cfl import published
from trivium.benchmarks.cfl.design import (
    CONTINUAL,
    CROSS_ENTROPY,
    FEW_SHOT,
    PROTOTYPES,
    PROTOTYPICAL,
    ZERO_SHOT,
    CflDesign,
    SuitePlan,
)
from trivium.benchmarks.cfl.feature_matching import SUPPORTS, Support
from trivium.benchmarks.cfl.results import AVERAGE, Results
from trivium.benchmarks.published import Figure
from trivium.benchmarks.steps import strategy_title
from trivium.build.edits.selection import Category
from trivium.measure.statistics.estimate import Estimate
from trivium.measure.table import COUNT, Cell, Row, Table, percent_cell

_OTHER_METHODS = {"zero-shot": "Zero-shot", "pn": "Prototypes (PN)", "knn": "k-NN"}
SYMBOLS: dict[Support, str] = {"original": "†", "categories": "‡", "both": "★"}
DOMAINS = {
    "Legal": "legal/formal",
    "Procedural": "procedural/causal",
    "Wikipedia": "wikipedia",
    "RTE": "rte",
    "News": "news",
    "Fiction": "fiction",
}
_FEW_SHOT = {"anli": "Table 4", "snli": "Table 5", "imdb": "Table 6"}
_CONTINUAL = {"anli": "Table 7", "snli": "Table 8", "imdb": "Table 9"}
_SUPPORT = {"anli": "Table 10", "snli": "Table 11", "imdb": "Table 11"}


def method_title(method: str) -> str:
    """Return the title of a method in tables and charts: a strategy, or a method that trains nothing."""
    return _OTHER_METHODS.get(method) or strategy_title(method)


def sizes_table(design: CflDesign, suite: str) -> Table:
    """Return the number of examples of each category (Tables 2 and 3)."""
    plan = design.suites[suite]
    rows = []
    for index, (group, categories) in enumerate((("Few-shot", plan.categories or {}), ("Continual", plan.continual))):
        for name, category in categories.items():
            sizes = published.SIZES.get(suite, {}).get(name)
            figures = (None,) * 4 if sizes is None else tuple(numbers[index] for numbers in sizes)
            cells = tuple(Cell.without_interval(*both) for both in zip(_sizes(category), figures, strict=True))
            rows.append(Row(name, cells, group))
    name = {"anli": "Table 2", "snli": "Table 3", "imdb": "Table 3"}.get(suite, "Sizes")
    title = f"Categories of {plan.suite.title}"
    return Table(name, title, ("train", "dev", "test", "total"), tuple(rows), COUNT, tuple(_size_notes(plan)))


def candidates_table(plan: SuitePlan) -> Table:
    """Return the number of examples of each category, including those that the base gets right."""
    labels = plan.suite.labels.names
    rows = []
    for name, examples in plan.suite.categories.items():
        counts = [len(examples), *(sum(example.label == label for example in examples) for label in labels)]
        rows.append(Row(name, tuple(map(Cell.without_interval, counts))))
    notes = ("Only examples that the base gets wrong are used.",) if plan.suite.errors_only else ()
    title = f"Examples of each category of {plan.suite.title}"
    return Table(plan.suite.title, title, ("examples", *labels), tuple(rows), COUNT, notes)


def methods_table(results: Results, suite: str, setup: str) -> Table:
    """Return the accuracy of each method in a setup (Tables 4 to 9)."""
    figures = published.methods(setup).get(suite, {})
    columns = results.columns(suite, setup)
    rows = []
    for method in results.methods(setup):
        published_row = figures.get(method, {})
        cells = tuple(cell(results.accuracy(suite, setup, method, test), published_row.get(test)) for test in columns)
        rows.append(Row(method_title(method), cells))
    if setup == FEW_SHOT:
        name = _FEW_SHOT.get(suite, "Few-shot")
        note = (
            "Each category learned separately; mean over its support sets. Prototypes and k-NN know the category of an "
            "example: a category is compared with its own support set, a base test with the base's training data."
        )
    else:
        name = _CONTINUAL.get(suite, "Continual")
        note = (
            "After all categories in sequence. Prototypes and k-NN use the base's training data and the support sets "
            "of all categories."
        )
    number = results.neighbour_count(suite, setup)
    neighbours = f"k-NN uses k = {number}, the best on dev examples that are in no test set."
    title = f"{results.plan(suite).suite.title}: {setup} setup"
    return Table(name, title, tuple(columns), _measured_rows(rows), "%", (note, neighbours))


def supports_table(results: Results, suite: str) -> Table:
    """Return the accuracy of prototypes by the base's loss and by support (Tables 10 and 11)."""
    figures = published.SUPPORTS.get(suite, {})
    columns = [name for name in results.columns(suite, FEW_SHOT) if name != AVERAGE]
    published_row = figures.get("head", {})
    head = (cell(results.accuracy(suite, FEW_SHOT, ZERO_SHOT, test), published_row.get(test)) for test in columns)
    rows = [Row("Classification head", tuple(head))]
    for loss in (CROSS_ENTROPY, PROTOTYPICAL):
        for support in SUPPORTS:
            published_row = figures.get(f"{loss} {support}", {})
            cells = (cell(results.by_support(suite, loss, support, test), published_row.get(test)) for test in columns)
            rows.append(Row(f"Prototypes, {loss} ({SYMBOLS[support]})", tuple(cells)))
    title = f"{results.plan(suite).suite.title}: prototypes by loss and support"
    note = "Support: † the base's training data, ‡ a support set of a category, ★ both."
    return Table(_SUPPORT.get(suite, "Supports"), title, tuple(columns), _measured_rows(rows), "%", (note,))


def after_category_table(results: Results, suite: str, strategy: str) -> Table:
    """Return the accuracy of a strategy after each category in sequence (Table 12)."""
    columns = [name for name in results.columns(suite, CONTINUAL) if name != AVERAGE]
    figures = published.AFTER_CATEGORY if suite == "anli" and strategy == "finetune" else {}
    rows = []
    for category in ["", *results.categories(suite, CONTINUAL)]:
        published_row = figures.get(category or "base", {})
        accuracies = (results.after_category(suite, strategy, category, test) for test in columns)
        cells = (cell(accuracy, published_row.get(test)) for accuracy, test in zip(accuracies, columns, strict=True))
        rows.append(Row(category or "Base", tuple(cells)))
    title = f"{results.plan(suite).suite.title}: {method_title(strategy)} after each category"
    return Table("Table 12", title, tuple(columns), _measured_rows(rows))


def orders_table(results: Results, suite: str) -> Table:
    """Return the accuracy over random orders of the categories (E.2)."""
    columns = results.columns(suite, CONTINUAL)
    cells = tuple(cell(results.over_orders(suite, test)) for test in columns)
    number, strategy = results.design.settings.suites[suite].orders, results.design.settings.run.strategies[0]
    rows = _measured_rows([Row(method_title(strategy), cells)])
    note = (
        "± is the standard deviation over orders. The paper reports only that of the average on ANLI R3: "
        f"{published.ORDER_SPREAD}."
    )
    title = f"{results.plan(suite).suite.title}: {number} random orders of the categories"
    return Table("E.2", title, tuple(columns), rows, "%", (note,))


def domains_table(results: Results, suite: str) -> Table:
    """Return the accuracy of fine-tuning and of prototypes by domain (Table 13)."""
    rows = []
    strategy = results.design.settings.run.strategies[0]
    # The first strategy, by default fine-tuning, is shown beside the published figures of fine-tuning.
    methods = {"finetune": strategy, "pn": PROTOTYPES}
    for category in results.categories(suite):
        for domain, genre in DOMAINS.items():
            published_row = published.DOMAINS.get(category, {}).get(domain, {})
            cells = [
                cell(results.by_domain(suite, method, category, genre), published_row.get(name))
                for name, method in methods.items()
            ]
            number = sum(example.fact("genre") == genre for example in results.tested(suite, FEW_SHOT, category))
            rows.append(Row(f"{domain} ({number})", tuple(cells), category))
    columns = (method_title(strategy), method_title(PROTOTYPES))
    note = "In brackets: number of examples. Domains that are not in the paper's table have no published figures."
    title = f"{results.plan(suite).suite.title}: accuracy by domain"
    return Table("Table 13", title, columns, _measured_rows(rows), "%", (note,))


def cell(measured: Estimate | None, figure: Figure | None = None) -> Cell:
    """Return a cell with a measured value in percent and the published one."""
    return percent_cell(measured, *(figure or (None, None)))


def _measured_rows(rows: list[Row]) -> tuple[Row, ...]:
    """Return the rows that have a measured value."""
    return tuple(row for row in rows if any(cell.measured is not None for cell in row.cells))


def _sizes(category: Category) -> tuple[int, int, int, int]:
    return sum(map(len, category.supports)), len(category.dev), len(category.test), category.total


def _size_notes(plan: SuitePlan) -> list[str]:
    notes = ["Train counts all support sets. The continual setup has one per category, and tests no training example."]
    if plan.suite.errors_only:
        notes.append("Only examples that the base gets wrong are used.")
    if plan.left_out:
        counts = ", ".join(f"{name} ({number})" for name, number in plan.left_out.items())
        notes.append(f"Left out, because of too few examples of a label: {counts}.")
    return notes
