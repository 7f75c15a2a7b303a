"""Sweeps: which settings change, what is followed, and what is claimed about it."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.benchmarks.c2gen import C2GEN
from trivium.benchmarks.c2gen.sweeps import SWEEPS
from trivium.benchmarks.sweep import Headline, sweep_chart, sweep_table
from trivium.errors import UserError
from trivium.measure.claim import Verdict

GAP, WITH = "CGen − C²Gen, ver → nat", "with a strategy, ver → nat"


def flat(value: float) -> np.ndarray:
    return np.full(11, value / 100)


def test_the_values_are_the_papers() -> None:
    assert SWEEPS["learning-rate"].values == ("1e-5", "2e-5", "3e-5")
    assert SWEEPS["memory-size"].values == ("50", "100", "150", "200")


def test_a_learning_rate_is_set_for_plain_runs_alone() -> None:
    changes = SWEEPS["learning-rate"].changes(C2GEN.settings("smoke"), "2e-5")
    made = C2GEN.settings("smoke", changes)
    assert made.train.learning_rate == 2e-5
    assert made.run.strategies == ("finetune",)


def test_a_memory_size_is_set_for_every_strategy_that_has_a_memory() -> None:
    settings = C2GEN.settings("smoke", ('run.strategies=["finetune", "er-mir", "kd"]',))
    made = C2GEN.settings("smoke", SWEEPS["memory-size"].changes(settings, "50"))
    assert made.strategy == {"er-mir": {"memory_size": 50}, "kd": {"memory_size": 50}}


@pytest.mark.parametrize("value", ["0", "-5", "many", "1.5"])
def test_a_memory_that_holds_nothing_is_one_line(value: str) -> None:
    with pytest.raises(UserError, match=f"a memory of '{value}' holds nothing") as said:
        SWEEPS["memory-size"].changes(C2GEN.settings("smoke"), value)
    assert "\n" not in str(said.value)


def test_a_run_without_a_memory_cannot_vary_it() -> None:
    settings = C2GEN.settings("smoke", ('run.strategies=["finetune"]',))
    with pytest.raises(UserError, match="none of the strategies of this run has a memory"):
        SWEEPS["memory-size"].changes(settings, "50")


@pytest.mark.parametrize(("last", "verdict"), [(9.0, Verdict.HOLDS), (5.0, Verdict.FAILS), (7.0, Verdict.UNDECIDED)])
def test_a_gap_that_grows_with_the_learning_rate_is_claimed_from_end_to_end(last: float, verdict: Verdict) -> None:
    found = {
        "3e-5": [Headline(GAP, "Task_CI", flat(last))],
        "1e-5": [Headline(GAP, "Task_CI", flat(7.0))],
        "2e-5": [Headline(GAP, "Task_CI", flat(1.0))],
    }
    (made,) = SWEEPS["learning-rate"].claims(found)
    assert made.quantity == "gap at 3e-5 − gap at 1e-5"
    assert made.published == pytest.approx(1.82)
    assert made.verdict is verdict


def test_a_memory_of_100_is_compared_with_the_best_of_the_others() -> None:
    found = {size: [Headline(WITH, "ER-Res, Task_CI", flat(value))] for size, value in
             (("50", 10.0), ("100", 16.0), ("200", 12.0))}  # fmt: skip
    (made,) = SWEEPS["memory-size"].claims(found)
    assert made.measured is not None
    assert made.measured.value == pytest.approx(4.0)
    assert SWEEPS["memory-size"].claims({"50": found["50"], "200": found["200"]}) == []


def test_the_plot_and_the_table_have_published_points_where_the_paper_has_them() -> None:
    sweep = SWEEPS["learning-rate"]
    found = {
        "1e-5": [Headline(GAP, "Task_CI", flat(7.0)), Headline(GAP, "Task_P (V+N)", None)],
        "5e-5": [Headline(GAP, "Task_CI", flat(8.0)), Headline(GAP, "Task_P (V+N)", flat(3.0))],
    }
    chart, table = sweep_chart(sweep, found), sweep_table(sweep, found)
    assert [(point.x, point.series, point.published) for point in chart.points] == [
        ("1e-5", "Task_CI", 7.44),
        ("5e-5", "Task_CI", None),
        ("5e-5", "Task_P (V+N)", None),
    ]
    assert table.columns == ("1e-5", "5e-5")
    assert [cell.published for cell in table.rows[1].cells] == [18.11, None]
    assert table.rows[1].cells[0].measured is None
