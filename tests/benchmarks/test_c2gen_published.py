"""The published figures agree with each other, and the paper's claims hold for the paper's own figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from trivium.benchmarks.c2gen.claims import claims
from trivium.benchmarks.c2gen.published import TABLE_4, TABLE_5, TABLE_6, Figure
from trivium.benchmarks.c2gen.tables import table_4
from trivium.build.stages import NaturalPool
from trivium.measure.claim import Verdict

ORDERS = ("ver-nat", "nat-ver")
STRATEGIES = ("finetune", "er-res", "er-buff", "er-mir", "agem", "kd")
PAIRS = {"e": 747, "n": 693, "c": 690}
VERBS = {"e": 8, "n": 8, "c": 5}
V, N, BOTH, FORGET, CI = range(5)
FIRST = {"ver-nat": V, "nat-ver": N}


def value(figure: Figure | None) -> float:
    assert figure is not None
    return figure.value


def test_table_4_is_pairs_times_verbs() -> None:
    expected = [VERBS[verb] * PAIRS[pair] for verb in "enc" for pair in "enc"]
    assert [TABLE_4[number] for number in range(1, 10)] == expected
    assert sum(PAIRS.values()) == 2130
    assert sum(TABLE_4.values()) == 2130 * 21 == 44_730


def test_our_table_4_stands_beside_the_published_one() -> None:
    names = {"entailment": "e", "neutral": "n", "contradiction": "c"}
    empty: Any = object()
    composing = {label: (empty,) * PAIRS[short] for label, short in names.items()}
    table = table_4(NaturalPool(composing, {}))
    *types, whole = table.rows
    codes = "ee_e en_n ec_c ne_n nn_n nc_n ce_c cn_n cc_e".split()
    assert [row.name for row in types] == [f"{number} {code}" for number, code in enumerate(codes, 1)]
    for row in table.rows:
        compositions, pairs, verbs = (cell.measured for cell in row.cells)
        assert compositions is not None
        assert pairs is not None
        assert verbs is not None
        assert compositions.value == row.cells[0].published == pairs.value * verbs.value
    assert whole.cells[0].published == 44_730


def test_table_5_has_a_row_for_each_setting_and_stage_and_leaves_out_what_the_paper_does() -> None:
    assert list(TABLE_5) == [("cgen", 1), ("ver-nat", 1), ("ver-nat", 2), ("nat-ver", 1), ("nat-ver", 2)]
    there = {key: [figure is not None for figure in row] for key, row in TABLE_5.items()}
    assert there["ver-nat", 1] == [True, False, False, False]
    assert there["nat-ver", 1] == [False, True, False, False]
    assert all(all(there[key]) for key in (("cgen", 1), ("ver-nat", 2), ("nat-ver", 2)))


@pytest.mark.parametrize("order", ORDERS)
def test_the_second_stage_of_table_5_is_the_first_row_of_table_6(order: str) -> None:
    v, n, both, _, ci = TABLE_6[order, "finetune"]
    assert TABLE_5[order, 2] == (v, n, both, ci)


def test_table_6_has_all_strategies_in_both_orders() -> None:
    assert list(TABLE_6) == [(order, strategy) for order in ORDERS for strategy in STRATEGIES]
    assert all(len(row) == 5 for row in TABLE_6.values())


def formula(order: str, strategy: str) -> float:
    before = value(TABLE_5[order, 1][FIRST[order]])
    return 100 * (before - TABLE_6[order, strategy][FIRST[order]].value) / before


# Printed, and what the paper's own formula gives for its Tables 5 and 6: more than rounding to two places explains.
DISAGREE = {
    ("ver-nat", "finetune"): (19.18, 19.28),
    ("ver-nat", "er-buff"): (0.15, 0.22),
    ("nat-ver", "er-res"): (7.64, 6.93),
    ("nat-ver", "er-buff"): (6.91, 6.98),
    ("nat-ver", "er-mir"): (6.71, 6.80),
    ("nat-ver", "agem"): (13.25, 13.03),
    ("nat-ver", "kd"): (11.57, 11.98),
}


@pytest.mark.parametrize(("order", "strategy"), list(TABLE_6))
def test_forget_is_what_the_papers_formula_gives_but_for_known_disagreements(order: str, strategy: str) -> None:
    printed, own = TABLE_6[order, strategy][FORGET].value, formula(order, strategy)
    if (order, strategy) in DISAGREE:
        assert (printed, round(own, 2)) == DISAGREE[order, strategy]
    else:
        assert printed == pytest.approx(own, abs=0.0151)


WHOLE = {key: row[:3] for key, row in [*TABLE_5.items(), *TABLE_6.items()] if None not in row}
# Who answers V and N rightly must answer both rightly in at least V + N − 100 % of the cases; these rows say less.
TOO_LOW = {("ver-nat", name) for name in ("er-buff", "er-mir", "agem", "kd")}


@pytest.mark.parametrize("key", WHOLE, ids=str)
def test_both_together_lie_between_what_each_allows_but_for_known_disagreements(key: tuple[str, str | int]) -> None:
    v, n, both = map(value, WHOLE[key])
    assert both <= min(v, n)
    assert (both < v + n - 100 - 0.015) == (key in TOO_LOW)


def test_figures_are_percentages_with_small_deviations() -> None:
    for row in [*TABLE_5.values(), *TABLE_6.values()]:
        for figure in row:
            if figure is not None:
                assert 0 <= figure.value <= 100
                assert figure.spread is not None
                assert 0 <= figure.spread < 1.5


@dataclass(frozen=True)
class Printed:
    """Results that are the paper's own figures, without any doubt about them."""

    missing: frozenset[str] = frozenset()

    def accuracy(self, measure: str, setting: str, strategy: str, stage: int) -> np.ndarray | None:
        column = ("V", "N", "V+N", "CI").index(measure)
        if strategy in self.missing or setting in self.missing:
            return None
        if strategy == "finetune":
            figure = TABLE_5[setting, stage][column]
        else:
            figure = TABLE_6[setting, strategy][CI if measure == "CI" else column]
        return np.full(11, value(figure) / 100)


def test_every_claim_of_the_paper_holds_for_the_papers_figures() -> None:
    made = claims(Printed())  # type: ignore[arg-type]
    assert len(made) == 2 + 2 + 2 * 2 * 5 + 2 * 2 + 2
    for one in made:
        assert one.published is not None
        assert one.published > 0, one
        assert one.verdict is Verdict.HOLDS, one
        assert one.measured is not None
        off = 0.75 if one.quantity.startswith("Forget") else 0.011
        assert one.measured.value == pytest.approx(one.published, abs=off), one


def test_the_texts_own_differences_are_those_of_its_tables() -> None:
    said = {claim.text: claim.published for claim in claims(Printed())}  # type: ignore[arg-type]
    assert said["ver → nat composes worse than training on everything at once"] == pytest.approx(7.27)
    assert said["nat → ver composes worse than training on everything at once"] == pytest.approx(9.31)


def test_a_claim_about_what_was_not_run_says_so_and_no_other_does() -> None:
    made = claims(Printed(frozenset({"kd"})))  # type: ignore[arg-type]
    for one in made:
        needs_kd = "KD" in one.text or one.group.startswith("7.1")
        assert (one.verdict is Verdict.NOT_RUN) == needs_kd, one
        assert one.published is not None


def test_without_any_run_every_claim_is_not_run() -> None:
    made = claims(Printed(frozenset({"cgen", *ORDERS})))  # type: ignore[arg-type]
    assert {one.verdict for one in made} == {Verdict.NOT_RUN}
