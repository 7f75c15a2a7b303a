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
    Part,
)
from trivium.benchmarks.cfl.feature_matching import SUPPORTS, Support
from trivium.benchmarks.cfl.published import Figure
from trivium.benchmarks.cfl.results import AVERAGE, Measured, Results
from trivium.benchmarks.steps import strategy_title
from trivium.build.edits.selection import Category
from trivium.measure.bootstrap import interval
from trivium.measure.table import COUNT, Cell, Row, Table

_OTHER_METHODS = {"zero-shot": "Zero-shot", "pn": "Prototypes (PN)", "knn": "k-NN"}
SIGNS: dict[Support, str] = {"original": "†", "categories": "‡", "both": "★"}
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
    """How many examples of each category there are (Tables 2 and 3)."""
    part = design.parts[suite]
    rows = []
    for place, (group, categories) in enumerate((("Alone", part.categories or {}), ("In turn", part.turns))):
        for name, category in categories.items():
            given = published.SIZES.get(suite, {}).get(name)
            theirs = (None,) * 4 if given is None else tuple(both[place] for both in given)
            cells = tuple(Cell.exactly(*both) for both in zip(_sizes(category), theirs, strict=True))
            rows.append(Row(name, cells, group))
    name = {"anli": "Table 2", "snli": "Table 3", "imdb": "Table 3"}.get(suite, "Sizes")
    title = f"Categories of {part.suite.title}"
    return Table(name, title, ("train", "dev", "test", "total"), tuple(rows), COUNT, tuple(_notes(part)))


def candidates_table(part: Part) -> Table:
    """The examples of each category, before a base has been asked."""
    rows = [
        Row(name, (Cell.exactly(len(found)), *(Cell.exactly(sum(e.label == label for e in found))
                                               for label in part.suite.labels.names)))
        for name, found in part.suite.categories.items()
    ]  # fmt: skip
    note = "Which of them count is known when the base has been asked." if part.suite.errors_only else ""
    columns = ("examples", *part.suite.labels.names)
    title = f"Examples of each category of {part.suite.title}"
    return Table(part.suite.title, title, columns, tuple(rows), COUNT, (note,) if note else ())


def methods_table(results: Results, suite: str, setup: str) -> Table:
    """Tables 4 to 9: what each method makes of a few examples, alone or in turn."""
    tables, figures = (_FEW_SHOT, published.FEW_SHOT) if setup == FEW_SHOT else (_CONTINUAL, published.CONTINUAL)
    given = figures.get(suite, {})
    columns = results.columns(suite, setup)
    rows = []
    for method in results.methods(setup):
        theirs = given.get(method, {})
        cells = tuple(cell(results.accuracy(suite, setup, method, test), theirs.get(test)) for test in columns)
        rows.append(Row(method_title(method), cells))
    title = results.part(suite).suite.title
    notes = []
    if setup == FEW_SHOT:
        notes.append(
            "Each category alone, over its support sets. Prototypes and neighbours are told which category an example "
            "is of: their support is that category's, and on base tests what the base was trained on."
        )
    else:
        notes.append("After all categories in turn; prototypes and neighbours keep the base's and add each category's.")
    number = results.neighbours(suite, setup)
    notes.append(
        f"{number} neighbour{'' if number == 1 else 's'}, the best number on dev examples that are tested nowhere."
    )
    about = "one by one" if setup == FEW_SHOT else "in turn"
    return Table(
        tables.get(suite, "Few-shot" if setup == FEW_SHOT else "In turn"),
        f"{title}: categories {about}",
        tuple(columns),
        _run(rows),
        "%",
        tuple(notes),
    )


def supports_table(results: Results, suite: str) -> Table:
    """Tables 10 and 11: prototypes by the base's loss and by the support set."""
    given = published.SUPPORTS.get(suite, {})
    columns = [name for name in results.columns(suite, FEW_SHOT) if name != AVERAGE]
    head = tuple(cell(results.accuracy(suite, FEW_SHOT, ZERO_SHOT, test), given.get("head", {}).get(test))
                 for test in columns)  # fmt: skip
    rows = [Row("The base's own head", head)]
    for loss in (CROSS_ENTROPY, PROTOTYPICAL):
        for support in SUPPORTS:
            theirs = given.get(f"{loss} {support}", {})
            found = (cell(results.by_support(suite, loss, support, test), theirs.get(test)) for test in columns)
            rows.append(Row(f"Prototypes, {loss} ({SIGNS[support]})", tuple(found)))
    title = results.part(suite).suite.title
    note = "Support: † what the base was trained on, ‡ a support set of a category, ★ both."
    name = _SUPPORT.get(suite, "Supports")
    return Table(name, f"{title}: losses and support sets of prototypes", tuple(columns), _run(rows), "%", (note,))


def in_turn_table(results: Results, suite: str, strategy: str) -> Table:
    """Table 12: a strategy after each category."""
    columns = [name for name in results.columns(suite, CONTINUAL) if name != AVERAGE]
    rows = []
    for category in ["", *results.categories(suite, CONTINUAL)]:
        given = published.IN_TURN.get(category, {}) if suite == "anli" and strategy == "finetune" else {}
        cells = tuple(cell(results.after(suite, strategy, category, test), given.get(test)) for test in columns)
        rows.append(Row(category or "The base", cells))
    title = f"{results.part(suite).suite.title}: {method_title(strategy)} after each category"
    return Table("Table 12", title, tuple(columns), _run(rows))


def orders_table(results: Results, suite: str) -> Table:
    """What the order of the categories changes (E.2)."""
    columns = results.columns(suite, CONTINUAL)
    found = tuple(cell(results.over_orders(suite, test)) for test in columns)
    number, strategy = results.design.settings.suites[suite].orders, results.design.settings.run.strategies[0]
    note = f"± is the standard deviation over orders; of the average the paper has {published.ORDER_SPREAD} (ANLI R3)."
    title = f"{results.part(suite).suite.title}: {number} random orders"
    return Table("E.2", title, tuple(columns), _run([Row(method_title(strategy), found)]), "%", (note,))


def domains_table(results: Results, suite: str) -> Table:
    """Table 13: fine-tuning and prototypes by domain."""
    rows = []
    strategy = results.design.settings.run.strategies[0]
    for category in results.categories(suite):
        for domain, genre in DOMAINS.items():
            given = published.DOMAINS.get(category, {}).get(domain)
            cells = [
                cell(
                    results.by_domain(suite, method, category, genre), None if given is None else Figure(*given[place])
                )
                for place, method in enumerate((strategy, PROTOTYPES))
            ]
            number = sum(e.fact("genre") == genre for e in results.tested(suite, FEW_SHOT, category))
            rows.append(Row(f"{domain} ({number})", tuple(cells), category))
    shown = _run(rows)
    columns = (method_title(strategy), method_title(PROTOTYPES))
    note = "In brackets behind a domain: examples. The paper has no figures for domains that are not in its table."
    return Table("Table 13", f"{results.part(suite).suite.title}: by domain", columns, tuple(shown), "%", (note,))


def cell(found: Measured | None, given: Figure | None = None) -> Cell:
    """A value in percent beside the published one."""
    theirs = (None, None) if given is None else given
    if found is None:
        return Cell(published=theirs[0], published_spread=theirs[1])
    spread = None if found.spread is None else 100 * found.spread
    return Cell(interval(100 * found.quantity), spread, *theirs)


def _run(rows: list[Row]) -> tuple[Row, ...]:
    """The rows of which something was run."""
    return tuple(row for row in rows if any(one.measured is not None for one in row.cells))


def _sizes(category: Category) -> tuple[int, int, int, int]:
    return sum(map(len, category.supports)), len(category.dev), len(category.test), category.total


def _notes(part: Part) -> list[str]:
    notes = ["Train: all support sets. In turn there is one, and what is trained is tested nowhere."]
    if part.suite.errors_only:
        notes.append("Only examples that the base gets wrong.")
    if part.left_out:
        told = ", ".join(f"{name} ({number})" for name, number in part.left_out.items())
        notes.append(f"Too few examples of a label, and left out: {told}.")
    return notes
