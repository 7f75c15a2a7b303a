"""ConjNLI from settings to tables: presets, invariants of the data, epochs of IAFT, results of a small run."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from trivium.benchmarks.conjnli import CONJNLI, published
from trivium.benchmarks.conjnli.claims import claims, complement, majority_claim
from trivium.benchmarks.conjnli.design import (
    BASE,
    FLIPPED,
    IAFT,
    IAFT_FRAGMENT,
    PA,
    ConjNliDesign,
    Model,
    PredictionKey,
    iaft_epoch,
    make_design,
)
from trivium.benchmarks.conjnli.experiment import ConjNliExperiment
from trivium.benchmarks.conjnli.results import Results
from trivium.benchmarks.conjnli.tables import scoreboard_table
from trivium.build.conjuncts.material import (
    CONJ,
    FRAGMENT,
    MISMATCHED,
    MNLI,
    Material,
    changed_conjunction,
    check_copies,
    check_material,
    check_slices,
    is_conjunctive,
    load_material,
    slices,
    without_copies,
)
from trivium.build.splits.invariants import require
from trivium.cli.main import make_app
from trivium.data.example import Example
from trivium.data.sources import load_source
from trivium.data.sources.fragments import FILES
from trivium.data.split import Split
from trivium.engine.steps import TrainStep
from trivium.engine.store import Store
from trivium.errors import ConfigError, UserError
from trivium.measure.claim import Verdict
from trivium.measure.statistics.estimate import mean

SMALL = ("data.mnli=90", "data.snli=30", "data.adversarial=30", "run.amounts=[12]", "run.more_seeds=[1]")
FLAGS = [flag for change in SMALL for flag in ("--set", change)]
RUN = ["run", "conjnli", "--preset", "smoke", *FLAGS]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("conjnli") / "store"
    result = CliRunner().invoke(make_app(), [*RUN, "--store", str(store)])
    assert result.exit_code == 0, result.output
    for name in ("Table 6", "Table 7", "Table 8", "Table 9", "Figure 3", "Section 5.5", "Lexical overlap"):
        assert name in result.output
    return store


@pytest.fixture(scope="module")
def material() -> Material:
    settings = CONJNLI.settings("smoke")
    return load_material("builtin", settings.data.sizes(), 0)


def read(store: Path) -> tuple[ConjNliDesign, Results]:
    opened = Store(store).open()
    design = make_design(CONJNLI.settings("smoke", SMALL), opened)
    return design, Results(design, opened)


@pytest.mark.parametrize("preset", CONJNLI.presets)
def test_every_preset_can_be_read(preset: str) -> None:
    settings = CONJNLI.settings(preset)
    assert settings.round_train.epochs == 1
    assert settings.run.rounds == 3


def test_a_second_run_does_nothing(finished: Path) -> None:
    design, results = read(finished)
    assert all(step.key in results.store for step in design.predictions.values())
    result = CliRunner().invoke(make_app(), [*RUN, "--store", str(finished)])
    assert " 0 to do" in result.output.replace("\n", " ")


def test_accuracies_agree_with_the_stored_logits(finished: Path) -> None:
    design, results = read(finished)
    names = design.material.tests[CONJ].labels.names
    for method, base in ((BASE, "snli"), (BASE, MNLI), (IAFT, MNLI), (PA, MNLI)):
        step = design.predictions[PredictionKey(Model(method, 0, "tiny", base), CONJ)]
        predicted = [names[index] for index in results.store.logits(step.key)["nli"].argmax(axis=1)]
        correct = [label == example.label for label, example in zip(predicted, design.tests[CONJ], strict=True)]
        accuracy = results.accuracy(method, base=base)
        assert accuracy is not None
        assert accuracy.value == pytest.approx(np.mean(correct))
        on_or = [
            is_correct
            for is_correct, example in zip(correct, design.tests[CONJ], strict=True)
            if example.fact("conjunction") == "or"
        ]
        accuracy = results.accuracy(method, base=base, subset=results.with_conjunction("or"))
        assert accuracy is not None
        assert accuracy.value == pytest.approx(np.mean(on_or))


def test_predictions_on_flipped_pairs_are_compared_with_those_on_the_original_pairs(finished: Path) -> None:
    design, results = read(finished)
    model = Model(IAFT, 0, "tiny")
    before, after = (results.predicted(PredictionKey(model, test)) for test in (CONJ, FLIPPED))
    assert before is not None
    assert after is not None
    by_id = dict(zip((example.id for example in design.tests[CONJ]), before, strict=True))
    changed = [by_id[pair.before.id] != label for pair, label in zip(design.flipped, after, strict=True)]
    share = results.changed_by_flip(IAFT)
    assert share is not None
    assert share.value == pytest.approx(np.mean(changed))


def test_the_summary_warns_about_methods_that_predict_one_label(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    design, results = read(finished)
    monkeypatch.setattr(Results, "predicted", lambda self, key: np.arange(len(self.tests[key.test])) % 3)
    assert results.only_label(BASE) is None
    monkeypatch.setattr(Results, "predicted", lambda self, key: np.ones(len(self.tests[key.test]), dtype=np.intp))
    assert results.only_label(BASE) == "neutral"
    summary = ConjNliExperiment(design).summary(results.store)
    assert summary[0].startswith("The same label, neutral, is predicted for all pairs of ConjNLI by Base, AFT, IAFT")


def test_an_empty_subset_has_no_accuracy(finished: Path) -> None:
    _, results = read(finished)
    assert results.accuracy(BASE) is not None
    assert results.accuracy(BASE, subset=results.subset("nothing", lambda traits: False)) is None


def test_every_claim_is_decided_and_occurs_once(finished: Path) -> None:
    _, results = read(finished)
    every = claims(results)
    assert len(every) > 30
    assert all(claim.verdict != Verdict.NOT_RUN for claim in every)
    assert len({(claim.group, claim.text) for claim in every}) == len(every)


def test_without_a_role_encoder_predicate_aware_models_are_not_run() -> None:
    settings = CONJNLI.settings("smoke", SMALL)
    without = settings.model_copy(update={"run": settings.run.model_copy(update={"roles": None})})
    experiment = ConjNliExperiment(make_design(without, None))
    assert not any(key.model.method in ("pa", "pa-iaft") for key in experiment.design.predictions)
    assert any("run.roles" in line for line in experiment.caveats)


def test_the_error_about_a_missing_role_encoder_names_the_setting(finished: Path) -> None:
    with pytest.raises(UserError, match=r"run\.roles is 'no/such': .*no such folder"):
        make_design(CONJNLI.settings("smoke", (*SMALL, "run.roles=no/such")), Store(finished).open())


def test_bases_can_be_run_without_methods(finished: Path) -> None:
    changes = (*SMALL, "run.amounts=[]", "run.methods=[]")
    store = Store(finished).open()
    design = make_design(CONJNLI.settings("smoke", changes), store)
    assert {key.model.method for key in design.predictions} == {BASE}
    assert all(step.key in store for step in design.predictions.values())  # shared with the complete run
    experiment = ConjNliExperiment(design)
    assert experiment.tables(store)
    assert any(claim.verdict == Verdict.NOT_RUN and claim.needs for claim in experiment.claims(store))


def test_the_scoreboard_has_the_published_figures_beside_ours(finished: Path) -> None:
    _, results = read(finished)
    table = scoreboard_table(results)
    rows = {row.name: row.cells for row in table.rows}
    assert [cell.published for cell in rows["BERT"]] == [58.1, 84.1, 83.9, 61.4]
    assert [cell.published for cell in rows["IAFT"]] == [69.18, 86.93, 86.81, 67.9]
    assert [cell.measured is None for cell in rows["BERT"]] == [True] * 4
    assert [cell.measured is None for cell in rows["IAFT"]] == [False, False, True, True]  # no MNLI-mm, no test labels
    accuracy = results.accuracy(IAFT)
    assert accuracy is not None
    assert rows["IAFT"][0].measured is not None
    assert rows["IAFT"][0].measured.value == pytest.approx(100 * accuracy.value)
    by_text = {claim.text: claim.published for claim in claims(results)}
    assert by_text["IAFT is better on ConjNLI than the base"] == 4.5
    assert by_text["IAFT keeps the accuracy on MNLI (within 1 point)"] == 0.37
    assert by_text["AFT loses accuracy on MNLI"] is None


def test_the_mismatched_part_of_mnli_is_a_test_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "multinli_1.0_dev_mismatched.jsonl"
    premise = load_material("builtin", CONJNLI.settings("smoke", SMALL).data.sizes(), 0).bases[MNLI].examples[0].premise
    rows = [(premise, "It is new.", "neutral"), ("It rains.", "It pours.", "-"), ("A b.", "C d.", "entailment")]
    lines = [json.dumps(dict(zip(("sentence1", "sentence2", "gold_label"), row, strict=True))) for row in rows]
    file.write_text("\n".join(lines))
    design = make_design(CONJNLI.settings("smoke", (*SMALL, f"data.mismatched={file}")), None)
    tested = design.tests[MISMATCHED]
    assert sorted(str(example.label) for example in tested) == ["entailment", "neutral"]
    assert premise not in {example.premise for example in design.material.bases[MNLI]}
    assert PredictionKey(Model(IAFT, 0, "tiny"), MISMATCHED) in design.predictions
    with pytest.raises(UserError, match="nowhere"):
        make_design(CONJNLI.settings("smoke", (*SMALL, "data.mismatched=nowhere.jsonl")), None)


def test_table_4_counts_the_constructs_of_the_tested_sentences() -> None:
    design = make_design(CONJNLI.settings("smoke", SMALL), None)
    table = next(table for table in ConjNliExperiment(design).build_tables() if table.name == "Table 4")
    assert "NP + NP" in {row.name for row in table.rows}
    assert all(row.about for row in table.rows)


@pytest.mark.parametrize("preset", ["laptop", "paper"])
def test_every_method_is_trained_with_three_seeds_or_more(preset: str) -> None:
    assert len(CONJNLI.settings(preset).run.seeds) >= 3


def test_each_epoch_of_iaft_joins_its_own_slice_with_all_adversarial_pairs(finished: Path) -> None:
    design, results = read(finished)
    step: TrainStep | None = design.predictions[PredictionKey(Model(IAFT, 0, "tiny"), CONJ)].training
    chain = []
    while step is not None:
        chain.append(step)
        step = step.parent
    base, *epochs = reversed(chain)
    assert base.split == design.material.bases[MNLI].identity
    assert len(epochs) == 3
    seen: list[Example] = []
    adversarial = Counter(design.material.adversarial)
    for epoch, part in zip(epochs, design.slices, strict=True):
        assert epoch.train.epochs == 1
        pairs = results.store.split(epoch.split)
        assert Counter(pairs) == adversarial + Counter(part)
        assert list(pairs)[: len(part)] != list(part)  # shuffled
        assert all(is_conjunctive(example) for example in part)
        assert set(part) <= set(design.material.bases[MNLI])
        assert not set(part) & set(seen)
        seen += part


def test_a_smaller_amount_is_a_balanced_prefix_of_a_larger_one(material: Material) -> None:
    few, more = material.first(12), material.first(30)
    assert more.examples[:12] == few.examples
    assert Counter(changed_conjunction(example) for example in few) == {"and": 4, "or": 4, "but": 4}


@pytest.fixture
def fragment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve training pairs and four test pairs, one of which is also a training pair."""
    lines = [f"{n}\tAda, Tom and Joe have only visited Town {n}\tTom visited Town {n}\tENTAILMENT" for n in range(16)]
    for file, part in zip(FILES.values(), (lines[:12], [], [lines[0], *lines[12:15]]), strict=True):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("\n".join(part) + "\n")
    monkeypatch.setenv("TRIVIUM_DATA", str(tmp_path))
    return tmp_path


def test_pairs_of_the_fragment_replace_adversarial_pairs_in_iaft(fragment: Path) -> None:
    design = make_design(CONJNLI.settings("smoke", (*SMALL, "run.fragment=11")), None)
    assert design.material.fragment is not None
    assert len(design.material.fragment) == 11
    assert len(design.tests[FRAGMENT]) == 4
    assert all(check.holds for check in design.invariants())
    last = design.predictions[PredictionKey(Model(IAFT_FRAGMENT, 0, "tiny"), FRAGMENT)].training
    assert last.split == iaft_epoch(design.slices[2], design.material.fragment, 3, 0).identity
    assert last.parent is not None
    assert last.parent.split == iaft_epoch(design.slices[1], design.material.fragment, 2, 0).identity
    with pytest.raises(UserError, match=r"12 pairs are wanted, and there are 11"):
        make_design(CONJNLI.settings("smoke", (*SMALL, "run.fragment=12")), None)


def test_a_line_of_the_fragment_with_a_wrong_number_of_fields_is_an_error(fragment: Path) -> None:
    (fragment / FILES["dev"]).write_text("a\tb\tENTAILMENT\n")
    with pytest.raises(UserError, match=r"challenge_dev\.tsv:1: expected 4 fields separated by tabs, found 3"):
        load_source("boolean-fragment")


def test_too_few_conjunctive_pairs_are_an_error(material: Material) -> None:
    pairs = material.conjunctive(MNLI)
    assert [len(part) for part in slices(pairs, 3, 2)] == [2, 2, 2]
    with pytest.raises(UserError, match=r"lower data\.slice"):
        slices(pairs, 3, len(pairs))


@pytest.mark.parametrize("swapped", [False, True])
def test_a_tested_pair_among_the_adversarial_pairs_is_an_error(material: Material, swapped: bool) -> None:
    assert all(check.holds for check in check_material(material))
    tested = material.tests[CONJ].examples[0]
    leak = replace(tested, id="leak", premise=tested.premise.upper())
    if swapped:
        leak = replace(leak, premise=str(tested.hypothesis), hypothesis=tested.premise)
    leaky = replace(material, adversarial=Split("adversarial", (*material.adversarial.examples, leak)))
    with pytest.raises(UserError, match="leak"):
        require("ConjNLI", check_material(leaky))


def test_near_copies_of_tested_pairs_are_left_out_and_detected() -> None:
    texts = "The old cook bought bread and salt at the market.", "The old cook bought bread."
    tested = Example.make("t", *texts, "neutral")
    near = Example.make("n", "The “old cook” bought bread and salt at the market.", "The cook bought bread.", "neutral")
    far = Example.make("f", "The old cook sold pens or lamps in the street.", "The old cook sold pens.", "neutral")
    assert without_copies([near, far], [tested]) == [far]
    assert without_copies([near, far], []) == [near, far]
    leaky = Material({}, {CONJ: Split("c", (tested,))}, Split("adversarial", (near, far)))
    assert [example.id for example in check_copies(leaky).violations] == ["n"]


def test_a_tested_pair_of_mnli_among_the_adversarial_pairs_is_an_error(material: Material) -> None:
    leak = replace(material.tests["MNLI"].examples[0], id="leak")
    leaky = replace(material, adversarial=Split("adversarial", (*material.adversarial.examples, leak)))
    with pytest.raises(UserError, match="leak"):
        require("ConjNLI", check_material(leaky))


def test_the_whole_is_the_weighted_mean_of_its_subsets_with_the_same_influence(finished: Path) -> None:
    _, results = read(finished)
    whole = results.accuracy(BASE)
    with_and = results.subset("yes", lambda traits: traits.conjunction == "and")
    without = results.subset("no", lambda traits: traits.conjunction != "and")
    subsets = [results.accuracy(BASE, subset=subset) for subset in (with_and, without)]
    assert whole is not None
    assert subsets[0] is not None
    assert subsets[1] is not None
    share = len(with_and) / (len(with_and) + len(without))
    weighted = share * subsets[0] + (1 - share) * subsets[1]
    assert weighted.value == pytest.approx(whole.value)
    assert weighted.by_training == pytest.approx(whole.by_training)


def test_a_tested_premise_in_a_base_is_an_error(material: Material) -> None:
    tested = material.tests["MNLI"].examples[0]
    base = Split("mnli", (*material.bases[MNLI].examples, replace(tested, id="leak", hypothesis="Something else.")))
    with pytest.raises(UserError, match="premise"):
        require("ConjNLI", check_material(replace(material, bases={**material.bases, MNLI: base})))


def test_a_pair_in_two_slices_is_detected(material: Material) -> None:
    pairs = material.conjunctive(MNLI)
    assert all(check.holds for check in check_slices([pairs[:3], pairs[3:6]]))
    assert not all(check.holds for check in check_slices([pairs[:3], pairs[2:6]]))


def test_adversarial_pairs_of_a_user_are_checked(material: Material, tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    material.adversarial.write(file)
    settings = CONJNLI.settings("smoke", (*SMALL, f"data.own={file}"))
    assert len(make_design(settings, None).material.adversarial) == 30
    Split("own", (*material.adversarial.examples[:12], material.tests[CONJ].examples[0])).write(file)
    with pytest.raises(UserError, match=r"ConjNLI: .* is broken by"):
        make_design(settings.model_copy(update={"run": settings.run.model_copy(update={"amounts": ()})}), None)


def test_tested_pairs_are_removed_from_a_users_training_data(material: Material, tmp_path: Path) -> None:
    file = tmp_path / "mnli.jsonl"
    tested = material.tests["MNLI"].examples[0]
    own = [replace(example, id=f"own-{example.id}") for example in material.bases[MNLI]]
    Split("mnli", (*own, replace(tested, id="leak"))).write(file)
    design = make_design(CONJNLI.settings("smoke", (*SMALL, f"data.own_mnli={file}", "data.mnli=0")), None)
    assert {example.id for example in design.material.bases[MNLI]} == {example.id for example in own}
    Split("mnli", (replace(tested, label=None),)).write(file)
    with pytest.raises(UserError, match="a hypothesis and a label"):
        make_design(CONJNLI.settings("smoke", (*SMALL, f"data.own_mnli={file}")), None)


@pytest.mark.usefixtures("real_data")
def test_no_tested_pair_is_in_the_released_training_data() -> None:
    settings = CONJNLI.settings("laptop")
    material = load_material("conjnli", settings.data.sizes(), 0)
    assert all(check.holds for check in check_material(material))
    assert Counter(changed_conjunction(example) for example in material.adversarial) == dict.fromkeys(
        ("and", "or", "but"), 466
    )
    parts = slices(material.conjunctive(MNLI), 3, 0)
    assert all(check.holds for check in check_slices(parts))
    assert len(iaft_epoch(parts[0], material.adversarial, 1, 0)) == len(parts[0]) + 1398
    assert abs(len(parts[0]) - 1398) < 30  # an even mix


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("run.bases=['snli']", "add 'mnli' to bases"),
        ("run.methods=['aft']", "amounts need IAFT"),
        ("run.methods=['aft'] run.amounts=[] run.fragment=9", "fragment needs IAFT"),
        ("run.amounts=[400]", "more than data.adversarial"),
        ("run.more_seeds=[0]", "more_seeds has 0, which seeds has too"),
        ("model.roles=tiny", "set run.roles"),
        ("model.head=own", "must be 'dense' with run.roles"),
        ("run.methods=['iafft']", "iaft"),
    ],
)
def test_errors_in_settings_state_what_to_change(change: str, error: str) -> None:
    with pytest.raises(ConfigError, match=error):
        CONJNLI.settings("smoke", (*SMALL, *change.split()))


def test_a_claim_about_two_pairs_that_agree_is_undecided() -> None:
    two, many = (mean(np.ones(number, dtype=np.bool_), range(number)) for number in (2, 30))
    all_true = [majority_claim("g", "t", "q", None, share) for share in (two, many)]
    assert [claim.verdict for claim in all_true] == [Verdict.UNDECIDED, Verdict.HOLDS]
    none_true = mean(np.zeros(30, dtype=np.bool_), range(30))
    opposite = majority_claim("g", "t", "q", None, complement(none_true))
    assert opposite.measured is not None
    assert all_true[1].measured is not None
    assert opposite.measured.low == pytest.approx(all_true[1].measured.low)


def test_annotations_replace_the_rules_for_boolean_pairs(finished: Path, tmp_path: Path) -> None:
    design, results = read(finished)
    tested = design.material.tests[CONJ].examples
    file = tmp_path / "marks.tsv"
    lines = [f"{example.id}\t{'yes' if index % 2 else 'no'}" for index, example in enumerate(tested)]
    file.write_text("\n".join(["id\tboolean", *lines]) + "\n")
    annotated = make_design(CONJNLI.settings("smoke", (*SMALL, f"run.annotations={file}")), results.store)
    of_annotated = Results(annotated, results.store)
    assert len(of_annotated.boolean(True, annotated=True)) == len(tested) // 2
    tables = ConjNliExperiment(annotated).tables(results.store)
    assert any(table.title.endswith("as annotated (run.annotations)") for table in tables)
    assert any("annotated" in claim.group for claim in claims(of_annotated))


def test_published_figures_are_those_of_the_paper() -> None:
    assert published.PAPERS_MODEL == "roberta-base"
    assert published.MEAN == 64.48
    assert (published.TOTAL, published.INDEPENDENT, published.COVARIANCE) == (0.59, 0.49, 0.22)
    assert published.BOOLEAN == {"base": (68.0, 58.0), "iaft": (72.0, 61.0), "pa": (69.0, 58.0)}
    assert published.FRAGMENT == {"base": 41.5, "iaft-fragment": 99.8}
    assert (published.AMOUNT_GAIN, published.AMOUNT_SHARE, published.NON_BOOLEAN_SHARE) == (4.0, 0.8, 34.0)
    assert published.FLIPS_CHANGED == 0.0
