"""Table 9: does it help to learn the easy composition functions first? (C²Gen, section 7.3)"""

from __future__ import annotations

from collections.abc import Iterator

from trivium.benchmarks.c2gen.design import CFO, CGEN, P_CFO, make_design
from trivium.benchmarks.c2gen.functions import average
from trivium.benchmarks.c2gen.published import TABLE_9
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.benchmarks.c2gen.tables import figure_cell
from trivium.build.veridicality.composition import TYPES
from trivium.data.labels import NLI3
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.measure.claim import Claim, claim
from trivium.measure.statistics.estimate import Estimate, difference
from trivium.measure.table import Row, Table

DIRECTIONS = ("easy-hard", "hard-easy")
_ROWS = {"": "S2, ver → nat", CFO: "S3_cfo", P_CFO: "S3^{P|cfo}"}
_NAMES = {"easy-hard": "easy → hard", "hard-easy": "hard → easy"}


def measured_order(settings: C2GenSettings, store: Store | None) -> C2GenSettings:
    """Return the settings with ``easiest_first="measured"`` replaced by the measured order.

    The functions are ordered by CGen's accuracy, whose predictions must be in the store for all nine folds. Other
    settings are returned unchanged.
    """
    if settings.functions.easiest_first != "measured" or not settings.functions.directions or store is None:
        return settings
    plain = settings.model_copy(
        update={
            "run": settings.run.model_copy(update={"folds": tuple(range(1, 10)), "orders": (), "words": ("natural",)}),
            "functions": settings.functions.model_copy(update={"directions": ()}),
        }
    )
    results = Results(make_design(plain, store), store)
    averages = {label: average(results, [type_ for type_ in TYPES if type_.veridical == label]) for label in NLI3.names}
    accuracies = {label: quantity.value for label, quantity in averages.items() if quantity is not None}
    if len(accuracies) < len(averages):
        raise UserError(
            "functions.easiest_first is 'measured', but CGen was not run for all nine folds: first run it "
            "with functions.directions=[], run.orders=[] and run.folds=[1,2,3,4,5,6,7,8,9], or set an order"
        )
    order = tuple(sorted(accuracies, key=lambda label: -accuracies[label]))
    return settings.model_copy(update={"functions": settings.functions.model_copy(update={"easiest_first": order})})


def table_9(results: Results) -> Table:
    """Return CI with a third stage in both directions, and the gap to CGen trained on the same data."""
    rows = []
    for suffix, name in _ROWS.items():
        cgen = _ci(results, f"{CGEN}{suffix}")
        cells = [figure_cell(cgen, TABLE_9[suffix, CGEN])]
        for direction in DIRECTIONS:
            ours = _ci(results, f"{direction}{suffix}" if suffix else "ver-nat")
            published = TABLE_9[suffix, direction]
            published_gap = TABLE_9[suffix, CGEN].value - published.value
            gap = figure_cell(difference(cgen, ours), published._replace(value=published_gap))
            cells += [figure_cell(ours, published), gap]
        rows.append(Row(name, tuple(cells)))
    functions = results.design.settings.functions
    labels = " ".join(f"f_v{label[0]}" for label in functions.easiest_first)
    columns = ("CGen", *(column for direction in DIRECTIONS for column in (_NAMES[direction], "Δ")))
    notes = (f"From easy to hard: {labels}. All with {functions.strategy}; Δ: CGen − C²Gen.",)
    return Table("Table 9", "CI with a third stage of ordered compositions", columns, tuple(rows), notes=notes)


def order_claims(results: Results) -> Iterator[Claim]:
    """Yield the claims that learning easy functions first is better, and that it narrows the gap to CGen."""
    group = "7.3 Easy functions first"
    for suffix in (CFO, P_CFO):
        easy_first, hard_first = (_ci(results, f"{direction}{suffix}") for direction in DIRECTIONS)
        published = TABLE_9[suffix, "easy-hard"].value - TABLE_9[suffix, "hard-easy"].value
        text = f"{_ROWS[suffix]}: easy → hard is better than hard → easy"
        yield claim(group, text, "CI: easy → hard − hard → easy", published, difference(easy_first, hard_first))
    before = difference(_ci(results, CGEN), _ci(results, "ver-nat"))
    after = difference(_ci(results, f"{CGEN}{CFO}"), _ci(results, f"easy-hard{CFO}"))
    gaps = [TABLE_9[suffix, CGEN].value - TABLE_9[suffix, "easy-hard"].value for suffix in ("", CFO)]
    published = gaps[0] - gaps[1]
    text = "a third stage from easy to hard narrows the gap to CGen"
    yield claim(group, text, "gap after S2 − gap after S3_cfo", published, difference(before, after))


def _ci(results: Results, setting: str) -> Estimate | None:
    if setting.startswith(CGEN):
        return results.accuracy("CI", setting, "finetune", 2 if setting.endswith(CFO) else 1)
    stage = 2 if setting == "ver-nat" else 5
    return results.accuracy("CI", setting, results.design.settings.functions.strategy, stage)
