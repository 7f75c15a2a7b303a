"""Table 9: does it help to learn the easy functions of composition first? (C²Gen, section 7.3)"""

from __future__ import annotations

from collections.abc import Iterator

from trivium.benchmarks.c2gen.design import CFO, CGEN, P_CFO, make_design
from trivium.benchmarks.c2gen.functions import average
from trivium.benchmarks.c2gen.published import TABLE_9
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.benchmarks.c2gen.tables import filled
from trivium.build.veridicality.composition import TYPES
from trivium.data.labels import NLI3
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.measure.claim import Claim, claim
from trivium.measure.metrics import Floats, difference
from trivium.measure.table import Row, Table

DIRECTIONS = ("easy-hard", "hard-easy")
_ROWS = {"": "S2, ver → nat", CFO: "S3_cfo", P_CFO: "S3^{P|cfo}"}
_NAMES = {"easy-hard": "easy → hard", "hard-easy": "hard → easy"}


def measured_order(settings: C2GenSettings, store: Store | None) -> C2GenSettings:
    """The settings with the order of functions that CGen's results in all nine folds give."""
    if settings.functions.easiest_first != "measured" or not settings.functions.directions or store is None:
        return settings
    plain = settings.model_copy(
        update={
            "run": settings.run.model_copy(update={"folds": tuple(range(1, 10)), "orders": (), "words": ("natural",)}),
            "functions": settings.functions.model_copy(update={"directions": ()}),
        }
    )
    results = Results(make_design(plain, store), store)
    found = {label: average(results, [kind for kind in TYPES if kind.veridical == label]) for label in NLI3.names}
    reached = {label: float(quantity[0]) for label, quantity in found.items() if quantity is not None}
    if len(reached) < len(found):
        raise UserError(
            "functions.easiest_first is measured, but CGen was not run for all nine folds: run it first, without "
            "functions.directions, with --set 'run.orders=[]' --set 'run.folds=[1,2,3,4,5,6,7,8,9]', or name an order"
        )
    order = tuple(sorted(reached, key=lambda label: -reached[label]))
    return settings.model_copy(update={"functions": settings.functions.model_copy(update={"easiest_first": order})})


def table_9(results: Results) -> Table:
    """CI with a third stage in both directions, and how far it is from CGen, which is trained on the same data."""
    rows = []
    for end, name in _ROWS.items():
        together = _composed(results, f"{CGEN}{end}")
        cells = [filled(together, None, TABLE_9[end, CGEN])]
        for direction in DIRECTIONS:
            ours = _composed(results, f"{direction}{end}" if end else "ver-nat")
            published = TABLE_9[end, direction]
            gap = difference(together, ours)
            theirs = TABLE_9[end, CGEN].value - published.value
            cells += [filled(ours, None, published), filled(gap, None, published._replace(value=theirs))]
        rows.append(Row(name, tuple(cells)))
    chosen = results.design.settings.functions
    labels = " ".join(f"f_v{label[0]}" for label in chosen.easiest_first)
    columns = ("CGen", *(cell for direction in DIRECTIONS for cell in (_NAMES[direction], "Δ")))
    notes = (f"From easy to hard: {labels}. All with {chosen.strategy}; Δ: CGen − C²Gen.",)
    return Table("Table 9", "CI with a third stage of compositions in order", columns, tuple(rows), notes=notes)


def order_claims(results: Results) -> Iterator[Claim]:
    """Easy functions first is better, in both ways of a third stage; and it narrows the gap to CGen."""
    group = "7.3 Easy functions first"
    for end in (CFO, P_CFO):
        easy, hard = (_composed(results, f"{direction}{end}") for direction in DIRECTIONS)
        published = TABLE_9[end, "easy-hard"].value - TABLE_9[end, "hard-easy"].value
        text = f"{_ROWS[end]}: easy → hard is better than hard → easy"
        yield claim(group, text, "CI: easy → hard − hard → easy", published, difference(easy, hard))
    before = difference(_composed(results, CGEN), _composed(results, "ver-nat"))
    after = difference(_composed(results, f"{CGEN}{CFO}"), _composed(results, f"easy-hard{CFO}"))
    gaps = [TABLE_9[end, CGEN].value - TABLE_9[end, "easy-hard"].value for end in ("", CFO)]
    published = gaps[0] - gaps[1]
    text = "a third stage from easy to hard narrows the gap to CGen"
    yield claim(group, text, "gap after S2 − gap after S3_cfo", published, difference(before, after))


def _composed(results: Results, setting: str) -> Floats | None:
    chosen = results.design.settings.functions
    if setting.startswith(CGEN):
        return results.accuracy("CI", setting, "finetune", 2 if setting.endswith(CFO) else 1)
    stage = 2 if setting == "ver-nat" else 5
    return results.accuracy("CI", setting, chosen.strategy, stage)
