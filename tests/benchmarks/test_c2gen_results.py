"""C²Gen's tables and claims agree with brute force over made-up predictions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.benchmarks.made_up import gold_labels, logits_for, save_logits

from trivium.benchmarks.c2gen import C2GEN
from trivium.benchmarks.c2gen.claims import claims
from trivium.benchmarks.c2gen.dependence import quadrant_examples, tables_7
from trivium.benchmarks.c2gen.design import C2GenDesign, PredictionKey, make_design
from trivium.benchmarks.c2gen.experiment import C2GenExperiment
from trivium.benchmarks.c2gen.functions import heat_map, table_8
from trivium.benchmarks.c2gen.memory_control import table_10, table_11
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.summary import summarize
from trivium.benchmarks.c2gen.tables import forgotten, table_4, table_5, table_6
from trivium.build.splits.stage_invariants import require_pseudo_words
from trivium.engine.plan import make_plan
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.measure.claim import Verdict
from trivium.measure.statistics.intervals import interval
from trivium.measure.table import Cell, Table

Truth = dict[tuple[PredictionKey, str], np.ndarray]
CHANGES = ("run.folds=[1, 5]", "run.seeds=[0, 1]")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("store")).open()


@pytest.fixture(scope="module")
def design(store: Store) -> C2GenDesign:
    return make_design(C2GEN.settings("smoke", CHANGES), store)


@pytest.fixture(scope="module")
def truth(design: C2GenDesign, store: Store) -> Truth:
    """Fill the store with made-up predictions, and return for each whether it is correct."""
    rng = np.random.default_rng(0)
    correct: Truth = {}
    for key, step in design.predictions.items():
        logits = {}
        for head, gold in gold_labels(design, key).items():
            correct[key, head] = rng.random(len(gold)) < (0.9 if key.stage == 1 else 0.6)
            logits[head] = logits_for(gold, correct[key, head])
        if step.key not in store:
            save_logits(store, step.key, logits)
    return correct


@pytest.fixture(scope="module")
def results(design: C2GenDesign, store: Store, truth: Truth) -> Results:
    return Results(design, store)


def _mean(truth: Truth, heads: tuple[str, ...], setting: str, strategy: str, stage: int, test: str) -> float:
    seeds = []
    for seed in (0, 1):
        folds = []
        for fold in (1, 5):
            parts = [truth[PredictionKey(fold, seed, setting, strategy, stage, test), head] for head in heads]
            folds.append(np.mean([all(heads_correct) for heads_correct in zip(*parts, strict=True)]))
        seeds.append(np.mean(folds))
    return float(np.mean(seeds))


def _cell(table: Table, group: str, name: str, column: str) -> Cell:
    row = next(row for row in table.rows if (row.group, row.name) == (group, name))
    return row.cells[table.columns.index(column)]


def test_table_5_shows_means_over_folds_and_seeds(results: Results, truth: Truth) -> None:
    table = table_5(results)
    joint = _cell(table, "ver → nat", "C²Gen (S2)", "V+N").measured
    assert joint is not None
    expected = _mean(truth, ("veridical", "natural"), "ver-nat", "finetune", 2, "primitive")
    assert joint.value == pytest.approx(100 * expected)
    assert joint.low < joint.value < joint.high
    composed = _cell(table, "", "CGen", "CI").measured
    assert composed is not None
    assert composed.value == pytest.approx(100 * _mean(truth, ("composed",), "cgen", "finetune", 1, "composed"))


def test_table_6_shows_forgetting_against_the_shared_first_stage(results: Results, truth: Truth) -> None:
    cell = _cell(table_6(results), "nat → ver", "KD", "Forget")
    before = _mean(truth, ("natural",), "nat-ver", "finetune", 1, "primitive")
    after = _mean(truth, ("natural",), "nat-ver", "kd", 2, "primitive")
    assert cell.measured is not None
    assert cell.measured.value == pytest.approx(100 * (before - after) / before)
    assert cell.published == 11.57


def test_spread_over_seeds_is_shown_for_several_seeds(results: Results, truth: Truth) -> None:
    cell = _cell(table_6(results), "ver → nat", "ER-Res", "CI")
    values = []
    for seed in (0, 1):
        keys = [PredictionKey(fold, seed, "ver-nat", "er-res", 2, "composed") for fold in (1, 5)]
        values.append(np.mean([truth[key, "composed"].mean() for key in keys]))
    assert cell.spread == pytest.approx(100 * np.std(values, ddof=1))


def test_folds_that_test_the_same_pairs_are_one_set_of_clusters(tmp_path: Path) -> None:
    """Two folds with the same test and the same predictions are no more evidence than one."""
    store = Store(tmp_path).open()
    sizes = ("data.test_primitive=0", "run.orders=[]")
    one_fold, two_folds = (
        make_design(C2GEN.settings("smoke", (*sizes, f"run.folds={folds}")), store) for folds in ("[1]", "[1, 2]")
    )
    rng = np.random.default_rng(0)
    correct: dict[str, np.ndarray] = {}
    for key, step in two_folds.predictions.items():
        logits = {}
        for head, gold in gold_labels(two_folds, key).items():
            shared = correct.setdefault(f"{key.test} {head}", rng.random(len(gold)) < 0.5)
            logits[head] = logits_for(gold, shared[: len(gold)])
        save_logits(store, step.key, logits)
    widths = []
    for design in (one_fold, two_folds):
        accuracy = interval(Results(design, store).accuracy("N", "cgen", "finetune", 1))
        widths.append(accuracy.high - accuracy.low)
    assert widths[0] == pytest.approx(widths[1], rel=0.1)


def test_summary_covers_only_what_was_run(results: Results, truth: Truth) -> None:
    sentence = summarize(results)[-1]
    assert sentence.startswith("Accuracy on unseen compositions: ")
    assert sentence.endswith(" % in nat → ver.")
    cgen_only = replace(results.design, settings=C2GEN.settings("smoke", (*CHANGES, "run.orders=[]")))
    assert summarize(Results(cgen_only, results.store))[-1].endswith(" % when everything is trained at once.")


def test_claims_about_forgetting_need_three_folds(results: Results) -> None:
    forgetting = [claim for claim in claims(results) if claim.group.startswith("6.1 The first primitive")]
    assert [claim.verdict for claim in forgetting] == [Verdict.NOT_DECIDABLE, Verdict.NOT_DECIDABLE]
    assert all("two of 9 folds" in claim.reason for claim in forgetting)


def test_claims_about_forgetting_hold_for_made_up_forgetting(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    design = make_design(C2GEN.settings("smoke", ("run.folds=[1, 5, 9]", "run.seeds=[0, 1, 2]")), store)
    rng = np.random.default_rng(1)
    for key, step in design.predictions.items():
        shares = {"veridical": 0.95, "natural": 0.95, "composed": 0.7} if key.stage == 1 else {}
        gold = gold_labels(design, key)
        logits = {head: logits_for(gold[head], rng.random(len(gold[head])) < shares.get(head, 0.5)) for head in gold}
        if step.key not in store:
            save_logits(store, step.key, logits)
    forgetting = [c for c in claims(Results(design, store)) if c.group.startswith("6.1 The first primitive")]
    assert [claim.verdict for claim in forgetting] == [Verdict.HOLDS, Verdict.HOLDS]
    assert {claim.evidence.seeds for claim in forgetting} == {3}
    assert all(claim.evidence.baselines for claim in forgetting)


def _groups(truth: Truth, setting: str, strategy: str, stage: int) -> list[float]:
    """Return the shares of the four groups of Table 7, counted instance by instance."""
    counts = np.zeros((2, 2, 4))
    for s, seed in enumerate((0, 1)):
        for f, fold in enumerate((1, 5)):
            key = PredictionKey(fold, seed, setting, strategy, stage, "composed")
            correct = zip(*(truth[key, head] for head in ("veridical", "natural", "composed")), strict=True)
            quadrants = [2 * (not (v and n)) + (not ci) for v, n, ci in correct]
            counts[s, f] = np.bincount(quadrants, minlength=4) / len(quadrants)
    return list(100 * counts.mean(axis=(0, 1)))


@pytest.mark.parametrize(
    ("group", "name", "run"),
    [("", "CGen", ("cgen", "finetune", 1)), ("nat → ver", "KD", ("nat-ver", "kd", 2))],
)
def test_table_7_counts_instances_by_primitives_and_composition(
    results: Results, truth: Truth, group: str, name: str, run: tuple[str, str, int]
) -> None:
    shares, gaps = tables_7(results)
    measured = [_cell(shares, group, name, column).measured for column in shares.columns]
    assert [share.value for share in measured if share] == pytest.approx(_groups(truth, *run))
    assert sum(share.value for share in measured if share) == pytest.approx(100)
    if group:
        differences = [_cell(gaps, group, name, column).measured for column in gaps.columns]
        expected = np.subtract(_groups(truth, *run), _groups(truth, "cgen", "finetune", 1))
        assert [gap.value for gap in differences if gap] == pytest.approx(list(expected))


def test_error_examples_belong_to_their_group(results: Results, design: C2GenDesign, truth: Truth) -> None:
    error_examples = quadrant_examples(results)
    assert len(error_examples) == 1 + 2 * 6
    split = design.folds[1].composed
    quadrants = {"correct": (True, True), "no generalization": (True, False), "shortcut": (False, True),
                 "wrong": (False, False)}  # fmt: skip
    for group in error_examples[0].groups:
        for shown in group.examples:
            example = next(e for e in split if (e.premise, e.hypothesis) == (shown.premise, shown.hypothesis))
            correct = {name: gold == predicted for name, gold, predicted in shown.answers}
            assert {gold for _, gold, _ in shown.answers} == {row.label for row in example.rows()}
            primitives = correct["veridical part"] and correct["natural part"]
            assert (primitives, correct["composed"]) == quadrants[group.name]
    assert sum(group.total for group in error_examples[0].groups) == len(split)
    assert quadrant_examples(results) == error_examples, "the same examples are drawn each time"


def test_table_8_shows_averages_only_if_all_types_were_run(results: Results, truth: Truth) -> None:
    table = table_8(results)
    assert len(table.rows) == 4
    cells = {(r, c): cell for r, row in enumerate(table.rows) for c, cell in enumerate(row.cells)}
    for fold, position in ((1, (0, 0)), (5, (1, 1))):
        expected = np.mean(
            [truth[PredictionKey(fold, s, "cgen", "finetune", 1, "composed"), "composed"].mean() for s in (0, 1)]
        )
        assert cells[position].measured is not None
        assert cells[position].measured.value == pytest.approx(100 * expected)
    assert all(cell.measured is None for position, cell in cells.items() if position not in ((0, 0), (1, 1)))
    assert [round(cells[position].published or 0, 2) for position in ((0, 3), (1, 3), (2, 3), (3, 3))] == [
        35.76, 85.74, 18.51, 46.67,
    ]  # fmt: skip
    assert [round(cells[3, c].published or 0, 2) for c in range(3)] == [44.5, 66.79, 28.72]


def test_heat_map_shows_our_results_beside_the_published_ones(results: Results) -> None:
    points = heat_map(results).points
    assert [point.panel for point in points] == ["ours"] * 2 + ["published"] * 9
    assert [(point.series, point.x) for point in points[:2]] == [("V_e", "N_e"), ("V_n", "N_n")]


def test_without_orders_only_cgen_is_run(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    cgen_only = make_design(C2GEN.settings("smoke", ("run.orders=[]",)), store)
    assert {key.setting for key in cgen_only.predictions} == {"cgen"}
    assert make_plan(cgen_only.runs(), store).count("train") == 1
    assert "CGen only" in C2GenExperiment(cgen_only).description


def test_missing_predictions_leave_cells_empty_and_claims_not_run(design: C2GenDesign, tmp_path: Path) -> None:
    empty = Results(design, Store(tmp_path).open())
    assert forgotten(empty, "ver-nat", "er-res") is None
    assert all(cell.measured is None for row in table_6(empty).rows for cell in row.cells)
    assert {claim.verdict for claim in claims(empty)} == {Verdict.NOT_RUN}


def test_published_figures_are_in_favour_of_every_claim(results: Results) -> None:
    """A quantity is stated so that the paper's own figure makes the claim true."""
    with_figures = [claim for claim in claims(results) if claim.group != "7.1 Representations"]
    assert all(claim.published is not None and claim.published > 0 for claim in with_figures)


def test_table_4_is_pairs_times_verbs(design: C2GenDesign) -> None:
    for row in table_4(design.pool).rows[:-1]:
        count, pairs, verbs = (cell.measured.value for cell in row.cells if cell.measured)
        assert count == pairs * verbs


def test_strategies_of_a_seed_and_fold_share_their_first_stage(design: C2GenDesign, tmp_path: Path) -> None:
    plan = make_plan(design.runs(), Store(tmp_path).open())
    cells = 2 * 2  # folds and seeds
    assert plan.count("train") == cells * (1 + 2 * (1 + 6))
    assert plan.unshared == cells * (3 + 2 * 6 * 6)


def test_steps_of_a_fold_do_not_depend_on_other_folds(store: Store) -> None:
    single = make_design(C2GEN.settings("smoke", ("run.folds=[5]",)), store)
    both = make_design(C2GEN.settings("smoke", ("run.folds=[1, 5]",)), store)
    assert {step.key for step in single.predictions.values()} <= {step.key for step in both.predictions.values()}


def test_pseudo_words_are_a_second_run_on_the_same_pairs(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    both = make_design(C2GEN.settings("smoke", ('run.words=["natural", "pseudo"]',)), store)
    plain = make_design(C2GEN.settings("smoke"), store)
    assert {key: step for key, step in both.predictions.items() if key.words == "natural"} == plain.predictions
    pseudo = {key for key in both.predictions if key.words == "pseudo"}
    assert {(key.setting, key.strategy) for key in pseudo} == {
        ("cgen", "finetune"), ("ver-nat", "finetune"), ("nat-ver", "finetune"),
    }  # fmt: skip
    plan = make_plan(both.runs(), store)
    assert plan.count("train") == (1 + 2 * 7) + (1 + 2 * 2)
    assert len(plan.steps) == len({step.key for step in both.predictions.values()}) + plan.count("train")
    lexicon = both.data.lexicon
    assert lexicon is not None
    for name in ("ver", "nat", "composed", "primitive"):
        natural, changed = getattr(both.folds[1], name), getattr(both.data.pseudo[1], name)
        assert [e.id for e in natural] == [e.id for e in changed]
        assert not any(lexicon.remaining_words(f"{row.premise} {row.hypothesis}") for e in changed for row in e.rows())
    assert len(table_10(both.data)) == 1
    assert table_10(plain.data) == []


def test_unreplaced_word_violates_an_invariant(tmp_path: Path) -> None:
    both = make_design(C2GEN.settings("smoke", ('run.words=["natural", "pseudo"]',)), Store(tmp_path).open())
    lexicon = both.data.lexicon
    assert lexicon is not None
    assert require_pseudo_words(both.data.pseudo[1], lexicon)[0].checked > 100
    with pytest.raises(UserError, match="'no word that has a pseudo-word is left' is broken by"):
        require_pseudo_words(both.folds[1], lexicon)


def test_table_11_shows_published_figures_and_only_our_results_that_were_run(results: Results) -> None:
    table = table_11(results)
    assert table.columns == ("V", "N", "V+N", "CI", "V pseudo", "N pseudo", "V+N pseudo", "CI pseudo")
    assert _cell(table, "nat → ver", "C²Gen (S2)", "N pseudo").published == 59.42
    assert _cell(table, "", "CGen", "CI").measured is not None
    assert all(_cell(table, "", "CGen", column).measured is None for column in table.columns[4:])
