"""C²Gen's third stage, with compositions ordered by function (Table 9)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.benchmarks.made_up import gold_labels, logits_for, save_logits

from trivium.benchmarks.c2gen import C2GEN
from trivium.benchmarks.c2gen.design import C2GenDesign, make_design
from trivium.benchmarks.c2gen.function_order import measured_order, table_9
from trivium.benchmarks.c2gen.results import Results
from trivium.build.veridicality.composition import TYPES, type_of
from trivium.data.split import Split
from trivium.engine.plan import make_plan
from trivium.engine.store import Store
from trivium.errors import UserError

THIRD = ('functions.directions=["easy-hard", "hard-easy"]', "data.per_type=8", 'run.strategies=["finetune"]')


@pytest.fixture(scope="module")
def third(tmp_path_factory: pytest.TempPathFactory) -> C2GenDesign:
    return make_design(C2GEN.settings("smoke", THIRD), Store(tmp_path_factory.mktemp("third")).open())


def _stages(design: C2GenDesign, setting: str, store: Store) -> list[Split]:
    """Return the splits that the model of a setting was trained on, stage by stage."""
    step = next(step for key, step in design.predictions.items() if key.setting == setting).training
    stages = []
    while step is not None:
        stages.insert(0, store.split(step.split))
        step = step.parent  # type: ignore[assignment]
    return stages


@pytest.fixture(scope="module")
def third_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("third-store")).open()


@pytest.mark.parametrize(
    ("setting", "labels"),
    [("easy-hard+cfo", "nec"), ("hard-easy+cfo", "cen"), ("easy-hard+p|cfo", "nec"), ("hard-easy+p|cfo", "cen")],
)
def test_third_stage_has_only_compositions_ordered_by_function(third_store: Store, setting: str, labels: str) -> None:
    design = make_design(C2GEN.settings("smoke", THIRD), third_store)
    splits = design.folds[1]
    first, second, *functions = _stages(design, setting, third_store)
    types = {e.id: type_of(e) for e in (*splits.ver, *splits.nat)}
    assert [{types[e.id].veridical[0] for e in stage} for stage in functions] == [{label} for label in labels]
    assert all(e.parts == () and e.task == "composed" for stage in functions for e in stage)
    assert sorted(e.id for stage in functions for e in stage) == sorted(types)
    if "p|" in setting:
        assert {row.task for e in first for row in e.rows()} == {"veridical"}
        assert {row.task for e in second for row in e.rows()} == {"natural"}
        assert len({e.id for e in second}) == len(second)
    else:
        assert (first.identity, second.identity) == (splits.ver.identity, splits.nat.identity)


def test_cgen_is_trained_on_the_same_data_in_random_order(third_store: Store) -> None:
    design = make_design(C2GEN.settings("smoke", THIRD), third_store)
    every, composed = _stages(design, "cgen+cfo", third_store)
    (together,) = _stages(design, "cgen+p|cfo", third_store)
    assert [e.id for e in composed] == [e.id for e in every]
    staged = _stages(design, "easy-hard+p|cfo", third_store)
    assert {(e.task, e.id) for e in together} == {(e.task, e.id) for stage in staged for e in stage}
    assert sum(e.task == "composed" for e in together) == len(every)


def test_third_stage_shares_the_first_two_with_the_plain_run(third_store: Store) -> None:
    design = make_design(C2GEN.settings("smoke", (*THIRD[:2], 'run.strategies=["finetune", "er-res"]')), third_store)
    plan = make_plan(design.runs(), third_store)
    # CGen and two orders of two strategies; two CGen models; three stages per direction, after S2 and after primitives.
    assert plan.count("train") == (1 + 2 * 3) + 2 + 2 * 3 + (2 + 2 * 3)
    tested = {key.setting for key in design.predictions}
    assert {f"{name}{suffix}" for name in ("cgen", "easy-hard", "hard-easy") for suffix in ("+cfo", "+p|cfo")} <= tested


def test_measured_order_needs_cgen_in_all_folds(third_store: Store) -> None:
    settings = C2GEN.settings("smoke", (*THIRD, "functions.easiest_first=measured"))
    with pytest.raises(UserError, match=r"CGen was not run for all nine folds: .*run\.orders=\[\]"):
        measured_order(settings, third_store)


def test_measured_order_follows_the_accuracy_of_cgen(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    settings = C2GEN.settings("smoke", (*THIRD, "functions.easiest_first=measured"))
    changes = (THIRD[1], "run.folds=[1,2,3,4,5,6,7,8,9]", "run.orders=[]")
    cgen_only = make_design(C2GEN.settings("smoke", changes), store)
    for key, step in cgen_only.predictions.items():
        share = {"entailment": 0.2, "neutral": 0.5, "contradiction": 0.9}[TYPES[key.fold - 1].veridical]
        logits = {
            head: logits_for(gold, np.arange(len(gold)) < share * len(gold))
            for head, gold in gold_labels(cgen_only, key).items()
        }
        save_logits(store, step.key, logits)
    assert measured_order(settings, store).functions.easiest_first == ("contradiction", "neutral", "entailment")


@pytest.mark.parametrize("order", ['["neutral", "neutral", "entailment"]', '["neutral"]', "easy", '["a", "b", "c"]'])
def test_order_must_name_each_function_once(order: str) -> None:
    with pytest.raises(UserError, match=r"functions\.easiest_first"):
        C2GEN.settings("smoke", (f"functions.easiest_first={order}",))


def test_table_9_shows_published_figures_when_nothing_was_run(third: C2GenDesign, tmp_path: Path) -> None:
    table = table_9(Results(third, Store(tmp_path).open()))
    assert table.columns == ("CGen", "easy → hard", "Δ", "hard → easy", "Δ")
    gaps = [[round(row.cells[i].published or 0, 2) for i in (2, 4)] for row in table.rows]
    assert gaps == [[1.78, 1.78], [0.42, 2.58], [1.74, 2.56]]
    assert all(cell.measured is None for row in table.rows for cell in row.cells)
