"""C²Gen's sweeps: the settings that they change, their charts and tables, and their claims."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.benchmarks.c2gen import C2GEN
from trivium.benchmarks.c2gen.sweeps import SWEEPS
from trivium.benchmarks.sweep import Headline, sweep_chart, sweep_table
from trivium.errors import UserError
from trivium.measure.claim import Verdict
from trivium.measure.statistics.estimate import Estimate, Training, mean, mean_of

GAP, WITH = "CGen − C²Gen, ver → nat", "with a strategy, ver → nat"


def flat(percent: float) -> Estimate:
    """Return a value that three trainings agree on."""
    values = np.full(2000, percent / 100)
    result = mean_of(mean(values, range(len(values)), Training(0, seed)) for seed in range(3))
    assert result is not None
    return result


def test_default_values_are_those_of_the_paper() -> None:
    assert SWEEPS["learning-rate"].values == ("1e-5", "2e-5", "3e-5")
    assert SWEEPS["memory-size"].values == ("50", "100", "150", "200")


def test_learning_rate_sweep_runs_fine_tuning_only() -> None:
    changes = SWEEPS["learning-rate"].changes(C2GEN.settings("smoke"), "2e-5")
    changed = C2GEN.settings("smoke", changes)
    assert changed.train.learning_rate == 2e-5
    assert changed.run.strategies == ("finetune",)


def test_memory_size_is_set_for_every_strategy_with_a_memory() -> None:
    settings = C2GEN.settings("smoke", ('run.strategies=["finetune", "er-mir", "kd"]',))
    changed = C2GEN.settings("smoke", SWEEPS["memory-size"].changes(settings, "50"))
    assert changed.strategy == {"er-mir": {"memory_size": 50}, "kd": {"memory_size": 50}}


@pytest.mark.parametrize("value", ["0", "-5", "many", "1.5"])
def test_invalid_memory_size_is_reported_in_one_line(value: str) -> None:
    with pytest.raises(UserError, match=f"memory size '{value}': must be a whole number of examples") as error:
        SWEEPS["memory-size"].changes(C2GEN.settings("smoke"), value)
    assert "\n" not in str(error.value)


def test_memory_size_sweep_needs_a_strategy_with_a_memory() -> None:
    settings = C2GEN.settings("smoke", ('run.strategies=["finetune"]',))
    with pytest.raises(UserError, match="no strategy of this run has a memory"):
        SWEEPS["memory-size"].changes(settings, "50")


@pytest.mark.parametrize(("last", "verdict"), [(9.0, Verdict.HOLDS), (5.0, Verdict.FAILS), (7.0, Verdict.UNDECIDED)])
def test_gap_claim_compares_the_lowest_and_the_highest_learning_rate(last: float, verdict: Verdict) -> None:
    headlines = {
        "3e-5": [Headline(GAP, "Task_CI", flat(last))],
        "1e-5": [Headline(GAP, "Task_CI", flat(7.0))],
        "2e-5": [Headline(GAP, "Task_CI", flat(1.0))],
    }
    (claim,) = SWEEPS["learning-rate"].claims(headlines)
    assert claim.quantity == "gap at 3e-5 − gap at 1e-5"
    assert claim.published == pytest.approx(1.82)
    assert claim.verdict is verdict


def test_memory_claim_compares_100_with_the_best_other_size() -> None:
    values = {"50": 10.0, "100": 16.0, "200": 12.0}
    headlines = {size: [Headline(WITH, "ER-Res, Task_CI", flat(value))] for size, value in values.items()}
    (claim,) = SWEEPS["memory-size"].claims(headlines)
    assert claim.measured is not None
    assert claim.measured.value == pytest.approx(4.0)
    assert SWEEPS["memory-size"].claims({"50": headlines["50"], "200": headlines["200"]}) == []


def test_chart_and_table_show_published_values_where_the_paper_has_them() -> None:
    sweep = SWEEPS["learning-rate"]
    headlines = {
        "1e-5": [Headline(GAP, "Task_CI", flat(7.0)), Headline(GAP, "Task_P (V+N)", None)],
        "5e-5": [Headline(GAP, "Task_CI", flat(8.0)), Headline(GAP, "Task_P (V+N)", flat(3.0))],
    }
    chart, table = sweep_chart(sweep, headlines), sweep_table(sweep, headlines)
    assert [(point.x, point.series, point.published) for point in chart.points] == [
        ("1e-5", "Task_CI", 7.44),
        ("5e-5", "Task_CI", None),
        ("5e-5", "Task_P (V+N)", None),
    ]
    assert table.columns == ("1e-5", "5e-5")
    assert [cell.published for cell in table.rows[1].cells] == [18.11, None]
    assert table.rows[1].cells[0].measured is None
