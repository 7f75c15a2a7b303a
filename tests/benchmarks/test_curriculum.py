"""CURRICULUM from settings to tables: presets build, results match the stored logits, mistakes are reported."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from sklearn.metrics import matthews_corrcoef
from typer.testing import CliRunner

from trivium.benchmarks.curriculum import CURRICULUM
from trivium.benchmarks.curriculum.claims import claims
from trivium.benchmarks.curriculum.design import (
    DIFFICULTY,
    GENERALIZATION,
    HALVES,
    HYPOTHESIS,
    INFORMED,
    INOCULATION,
    NULL,
    ZERO_SHOT,
    CurriculumDesign,
    PredictionKey,
    base_split,
    make_design,
)
from trivium.benchmarks.curriculum.published import INFORMATION, SIZES
from trivium.benchmarks.curriculum.results import Results
from trivium.benchmarks.curriculum.search import held_out, make_proposer
from trivium.benchmarks.curriculum.sequential import anli_part, few_examples, intermediate_stage
from trivium.benchmarks.curriculum.tables import models_table
from trivium.build.phenomena.selection import (
    PhenomenonSizes,
    check_selection,
    hypothesis_only,
    load_parts,
    null_input,
    select_examples,
)
from trivium.build.splits.invariants import require
from trivium.cli.main import make_app
from trivium.data.curriculum import Parts
from trivium.data.curriculum_runs import MODELS, read_author_runs
from trivium.data.labels import NLI3_AND_2
from trivium.data.phenomena import PHENOMENA
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.errors import ConfigError, UserError
from trivium.measure.claim import Verdict

NAMES = ("negat", "monot", "spat")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("curriculum") / "store"
    result = CliRunner().invoke(make_app(), ["run", "curriculum", "--preset", "smoke", "--store", str(store)])
    assert result.exit_code == 0, result.output
    assert "Figure 4, numbers" in result.output
    return store


def read(folder: Path) -> tuple[CurriculumDesign, Results]:
    store = Store(folder).open()
    design = make_design(CURRICULUM.settings("smoke"), store)
    return design, Results(design, store)


def test_published_figures_are_about_known_phenomena() -> None:
    assert set(INFORMATION) == set(PHENOMENA)
    assert set(SIZES) <= set(PHENOMENA)


@pytest.mark.parametrize("preset", CURRICULUM.presets)
def test_every_preset_can_be_built_without_downloads(preset: str) -> None:
    changes = ("source=builtin", "run.phenomena=['negat', 'spat']", "run.tests=['zero-shot']", "base.data=['builtin']")
    design = make_design(CURRICULUM.settings(preset, changes), None)
    assert (list(design.examples), design.missing) == (["negat", "spat"], ())


def test_run_stores_every_prediction_and_a_second_run_does_nothing(finished: Path) -> None:
    design, results = read(finished)
    assert all(step.key in results.store for step in design.predictions.values())
    assert Counter(key.test for key in design.predictions) == {
        ZERO_SHOT: 3, DIFFICULTY: 6, INOCULATION: 6, HYPOTHESIS: 3, GENERALIZATION: 6,
    }  # fmt: skip
    result = CliRunner().invoke(make_app(), ["run", "curriculum", "--preset", "smoke", "--store", str(finished)])
    assert " 0 to do" in result.output.replace("\n", " ")


def test_accuracy_matches_the_stored_logits(finished: Path) -> None:
    design, results = read(finished)
    for key, step in design.predictions.items():
        test, logits = design.tests[key], results.store.logits(step.key)["nli"].astype(np.float64)
        if len(test.labels) == 3:
            predicted = [test.labels.names[index] for index in logits.argmax(axis=1)]
        else:
            probabilities = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
            predicted = ["entailed" if entailment > 0.5 else "not-entailed" for entailment in probabilities[:, 0]]
        expected = np.mean([label == example.label for label, example in zip(predicted, test, strict=True)])
        accuracy = results.accuracy(key.test, key.phenomenon, key.size, key.model)
        assert accuracy is not None
        assert accuracy.value == pytest.approx(expected)


def test_each_test_shows_the_model_the_right_part_of_the_input(finished: Path) -> None:
    design, results = read(finished)

    def inputs(key: PredictionKey) -> Split:
        return results.store.split(design.predictions[key].split)

    for name in NAMES:
        validation = design.examples[name].validation
        without_premise = inputs(PredictionKey(HYPOTHESIS, name, 0))
        assert [e.premise for e in without_premise] == [""] * len(validation)
        assert [e.hypothesis for e in without_premise] == [e.hypothesis for e in validation]
        blank = inputs(PredictionKey(DIFFICULTY, name, 0, model=NULL))
        assert {(e.premise, e.hypothesis) for e in blank} == {("", "")}
        assert [e.label for e in blank] == [e.label for e in validation]


def test_halves_are_disjoint_of_equal_size_and_unseen_by_the_model_that_divides_them(finished: Path) -> None:
    design, results = read(finished)
    for name in NAMES:
        halves = {}
        for half in HALVES:
            step = design.predictions[PredictionKey(GENERALIZATION, name, 0, model=half)].training
            assert step.divided is not None
            assert step.size == step.divided.informed.size // 2
            halves[half] = Split.read(results.store.path(step.divided.key) / "split.jsonl")
        ids = [{example.id for example in split} for split in halves.values()]
        assert ids[0] | ids[1] == {example.id for example in design.examples[name].other()}
        assert not ids[0] & ids[1]
        assert halves["simple"].counts() == halves["hard"].counts()
        informed = design.predictions[PredictionKey(DIFFICULTY, name, 0, model=INFORMED)].training
        seen = {example.id for example in results.store.split(informed.split)}
        assert not seen & (ids[0] | ids[1])


def test_predictions_are_kept_although_models_are_removed(finished: Path) -> None:
    design, results = read(finished)
    for name in NAMES:
        step = design.predictions[PredictionKey(GENERALIZATION, name, 0, model="simple")].training
        assert step.divided is not None
        assert step.divided.informed.key in results.store
        assert step.key not in results.store  # the model is removed


def test_claims_are_decided_only_where_there_are_results(finished: Path) -> None:
    _, results = read(finished)
    by_text = {(claim.group, claim.text): claim for claim in claims(results)}
    assert all(claim.needs for claim in by_text.values())
    decided = [claim for claim in by_text.values() if claim.verdict is not Verdict.NOT_RUN]
    assert {claim.group for claim in decided} == {
        "5.1 Zero-shot", "5.2 Inoculation", "5.3 Hypothesis only", "5.4 Generalization",
    }  # fmt: skip
    assert all(claim.verdict is Verdict.NOT_RUN for claim in by_text.values() if claim.group.startswith("6"))


def test_validation_pairs_are_never_trained_on_even_if_the_training_part_has_them() -> None:
    parts = load_parts("builtin", "spat")
    leaky = Parts(
        Split("train", parts.train.examples + parts.validation.examples, parts.train.labels), parts.validation
    )
    chosen = select_examples(PHENOMENA["spat"], "builtin", leaky, PhenomenonSizes(validation=50), 0)
    assert chosen.duplicates == len(parts.validation)
    validation = {(e.premise, e.hypothesis) for e in parts.validation}
    assert not [e for e in chosen.train if (e.premise, e.hypothesis) in validation]
    require("spat", check_selection(chosen))
    known = select_examples(PHENOMENA["spat"], "builtin", leaky, PhenomenonSizes(), 0, parts.validation.examples[:30])
    assert known.known_pairs == 30
    assert not {e.id for e in known.validation} & {e.id for e in parts.validation.examples[:30]}
    with pytest.raises(UserError, match="'no validation pair was trained on before' is broken by 50 of 50"):
        require("spat", check_selection(chosen, chosen.validation))
    broken = replace(chosen, train=Split("train", chosen.validation.examples, chosen.train.labels))
    with pytest.raises(
        UserError, match="'no validation pair is trained on' is broken by 50 of 50 examples, such as spat-"
    ):
        require("spat", check_selection(broken))


def test_sizes_are_per_label_and_too_large_sizes_are_not_run() -> None:
    parts = load_parts("builtin", "negat")
    few = Parts(Split("train", parts.train.examples[:60], parts.train.labels), parts.validation)
    chosen = select_examples(PHENOMENA["negat"], "builtin", few, PhenomenonSizes(validation=30, known=15, other=15), 0)
    first = chosen.first(7)
    assert first is not None
    assert set(first.counts().values()) == {7}
    assert chosen.first(21) is None
    assert (chosen.known, chosen.others) == (10, 10)
    assert not {e.id for e in chosen.other()} & {e.id for e in chosen.first(10) or ()}
    tiny = Parts(Split("train", parts.train.examples[:3], parts.train.labels), parts.validation)
    with pytest.raises(UserError, match=r"negat: needs at least 2 training examples of each label .* found 1 and 1000"):
        select_examples(PHENOMENA["negat"], "builtin", tiny, PhenomenonSizes(), 0)


def test_blank_inputs_keep_labels_and_order() -> None:
    split = load_parts("builtin", "spat").validation
    for blank in (hypothesis_only(split), null_input(split)):
        assert [e.label for e in blank] == [e.label for e in split]
        assert {e.premise for e in blank} == {""}


def test_intermediate_stage_mixes_two_way_and_three_way_phenomena() -> None:
    settings = CURRICULUM.settings("smoke", ("sequential.each=5",))
    stage = intermediate_stage(("negat", "spat"), settings)
    assert stage.labels == NLI3_AND_2
    assert stage.counts() == {"entailment": 5, "neutral": 5, "contradiction": 5, "entailed": 5, "not-entailed": 5}
    with pytest.raises(UserError, match="source 'builtin' does not have the phenomenon 'puns'"):
        intermediate_stage(("puns",), settings)


@pytest.mark.usefixtures("real_data")
def test_training_evaluation_and_test_examples_of_a_round_share_no_context() -> None:
    few, evaluated, tested = few_examples("R1", 20, 0), held_out("R1", 20, 0), anli_part("R1", "test")
    assert set(few.counts().values()) == {20}
    contexts = [{example.premise for example in split} for split in (few, evaluated, tested)]
    assert not contexts[0] & (contexts[1] | contexts[2])
    assert not contexts[1] & contexts[2]
    assert {e.id for e in few_examples("R1", 10, 0)} < {e.id for e in few}
    with pytest.raises(UserError, match=r"sequential\.sizes has 400, but R1 has fewer"):
        few_examples("R1", 400, 0)
    with pytest.raises(UserError, match=r"sequential\.sizes has 220, which leaves \d+ examples of R1 for evaluation"):
        held_out("R1", 220, 0)


@pytest.mark.parametrize("method", ["random", "tpe"])
def test_search_is_reproducible_and_learns_from_accuracies(method: str) -> None:
    names = [f"p{index}" for index in range(12)]

    def search(trials: int) -> list[tuple[str, ...]]:
        proposer = make_proposer(method, names, 3)
        selections = []
        for _ in range(trials):
            selection = proposer.propose()
            proposer.learn(("p0" in selection) + ("p1" in selection) - 0.1 * len(selection))
            selections.append(selection)
        return selections

    selections = search(40)
    assert selections == search(40)
    assert selections[:7] == search(7)
    assert all(selection for selection in selections)
    late = [("p0" in selection) + ("p1" in selection) for selection in selections[20:]]
    assert np.mean(late) > (1.2 if method == "tpe" else 0.2)


def test_a_search_needs_a_known_method() -> None:
    with pytest.raises(UserError, match="unknown search method 'grid': must be 'random' or 'tpe'"):
        make_proposer("grid", ["a"], 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("run.phenomena=['negation']", "unknown phenomenon or category 'negation'"),
        ("run.phenomena=['ner', 'ner']", "duplicate values: 'ner'"),
        ("run.sizes=[]", "run.sizes"),
        ("run.sizes=[0]", "run.sizes"),
        ("run.tests=['zero']", "run.tests"),
        ("sequential.rounds=['R9']", "unknown round 'R9'"),
        ("sequential.selections.mnli=['ner']", "duplicate values: 'mnli'"),
        ("sequential.selections.mine=['nix']", "unknown phenomenon or category 'nix'"),
        ("sequential.selections.mine=[]", "sequential.selections"),
        ("base.data=['snli', 'snli']", "duplicate values: 'snli'"),
        ("source=sick", "source"),
    ],
)
def test_mistakes_in_settings_are_reported(change: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
        CURRICULUM.settings("smoke", (change,))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (("run.phenomena=['puns']",), "no phenomenon to test: the source 'builtin' has none of puns"),
        (("base.data=[]",), "base.data is empty"),
    ],
)
def test_impossible_runs_are_rejected_before_running(changes: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        make_design(CURRICULUM.settings("smoke", changes), None)


@pytest.mark.usefixtures("real_data")
def test_test_part_of_a_source_is_never_in_the_base() -> None:
    changes = ("base.data=['snli', 'mnli', 'anli', 'sick', 'sick-semeval']", "base.limit=0")
    base = base_split(CURRICULUM.settings("smoke", changes), None)
    assert {str(example.fact("part")).lower() for example in base} == {"train", "dev", "trial"}


def test_ready_classifier_does_not_depend_on_seeds_or_training_settings(tmp_path: Path) -> None:
    from trivium.models.classifiers import new_classifier

    new_classifier("tiny", 0).save(tmp_path / "model")
    store = Store(tmp_path / "store").open()
    changes = (f"model.name={tmp_path / 'model'}", "model.head=own", "run.tests=['zero-shot']", "run.seeds=[0, 1]")
    designs = [
        make_design(CURRICULUM.settings("smoke", (*changes, f"train.epochs={epochs}")), store) for epochs in (1, 2)
    ]
    keys = {step.key for design in designs for step in design.predictions.values()}
    assert len(keys) == len(NAMES)


@pytest.mark.usefixtures("real_data")
def test_search_resumes_from_the_store(tmp_path: Path) -> None:
    changes = ("sequential.each=5", "sequential.sizes=[5]", "sequential.rounds=['R1']", "run.phenomena=['logical']")
    options = ["--preset", "smoke", *(word for change in changes for word in ("--set", change))]
    options += ["--store", str(tmp_path / "store"), "--method", "random"]
    first = CliRunner().invoke(make_app(), ["search", "curriculum", "--trials", "1", *options])
    assert first.exit_code == 0, first.output
    again = CliRunner().invoke(make_app(), ["search", "curriculum", "--trials", "1", *options])
    assert "to do" not in again.output
    assert [line for line in first.output.splitlines() if line.startswith("1: ")] == [
        line for line in again.output.splitlines() if line.startswith("1: ")
    ]
    assert isinstance(CliRunner().invoke(make_app(), ["search", "seti"]).exception, UserError)


def test_correlation_by_argmax_and_information_by_example_match_the_stored_logits(finished: Path) -> None:
    design, results = read(finished)
    for name in NAMES:
        key = PredictionKey(ZERO_SHOT, name, 0)
        gold = [str(example.label) for example in design.tests[key]]
        best = results.store.logits(design.predictions[key].key)["nli"].argmax(axis=1)
        names = design.tests[key].labels.names
        if len(names) == 2:
            best = np.where(best == 0, 0, 1)
        expected = matthews_corrcoef(gold, [names[index] for index in best])
        measured = results.correlation(ZERO_SHOT, name, decision="argmax")
        assert measured is not None
        assert measured.value == pytest.approx(expected)
        by_example, bits = results.information(name, "examples"), results._bits(name, 0)
        assert by_example is not None
        assert bits is not None
        assert by_example.value == pytest.approx(bits.mean())


def test_other_models_are_tested_zero_shot_beside_the_first(tmp_path: Path) -> None:
    from trivium.models.classifiers import new_classifier

    for number in (1, 2):
        new_classifier("tiny", number).save(tmp_path / f"model-{number}")
    store = Store(tmp_path / "store").open()
    other = str(tmp_path / "model-2")
    changes = (f"model.name={tmp_path / 'model-1'}", "model.head=own", "run.tests=['zero-shot']", "run.seeds=[0]")
    alone = make_design(CURRICULUM.settings("smoke", changes), store)
    design = make_design(CURRICULUM.settings("smoke", (*changes, f"run.models=['{other}']")), store)
    added = {key: step for key, step in design.predictions.items() if key not in alone.predictions}
    assert {(key.test, key.model) for key in added} == {(ZERO_SHOT, other)}
    assert len(added) == len(NAMES)
    assert {key: design.predictions[key] for key in alone.predictions} == alone.predictions
    rng = np.random.default_rng(0)
    for key, step in design.predictions.items():
        with store.writing(step.key, {}) as folder:
            logits = rng.normal(size=(len(design.tests[key]), 3)).astype(np.float32)
            save_file({"nli": logits}, folder / "logits.safetensors")
    results = Results(design, store)
    table = models_table(results)
    assert table.columns[:4] == ("model-1, P > ½", "model-1, argmax", "model-2, P > ½", "model-2, argmax")
    cells = table.rows[0].cells
    first, second = (results.correlation(ZERO_SHOT, NAMES[0], model=model) for model in ("", other))
    assert first is not None and second is not None  # noqa: PT018
    assert (cells[0].measured.value, cells[2].measured.value) == (first.value, second.value)
    assert first.value != second.value


@pytest.mark.usefixtures("real_data")
def test_the_authors_figures_are_read_for_four_models() -> None:
    """In these files RoBERTa trained on ANLI is above 0 on 32 of 35 phenomena, where the paper's text says 77.8 %."""
    runs = read_author_runs()
    assert set(runs) == set(MODELS)
    assert all(len(figures) >= 34 for figures in runs.values())
    above = [measured.correlation > 0 for measured in runs["anli_roberta"].values()]
    assert sum(above) / len(above) == pytest.approx(0.914, abs=0.001)
    assert runs["anli_roberta"]["lex-ent"].correlation == pytest.approx(0.815, abs=0.001)


@pytest.mark.usefixtures("real_data")
def test_sequential_training_may_start_from_a_classifier(tmp_path: Path) -> None:
    from trivium.models.classifiers import new_classifier

    new_classifier("tiny", 1).save(tmp_path / "model")
    small = ("run.tests=['sequential']", "sequential.rounds=['R1']", "sequential.sizes=[5]", "sequential.sources=[]",
             "sequential.selections={ling = ['negat']}", "sequential.each=5")  # fmt: skip
    changes = (f"model.name={tmp_path / 'model'}", "model.head=own", *small)
    design = make_design(CURRICULUM.settings("smoke", changes), Store(tmp_path / "store").open())
    trainings = {key.phenomenon: step.training for key, step in design.predictions.items()}
    assert all(training.root.is_load for training in trainings.values())
    assert {name: training.stage for name, training in trainings.items()} == {"direct": 2, "ling": 3}


def test_paper_preset_has_the_papers_hyperparameters() -> None:
    """Appendix D: learning rate 1e-5, batch 8, 2 epochs, 1000 warm-up updates."""
    paper = CURRICULUM.settings("paper")
    for train in (paper.train, paper.inoculate):
        assert (train.learning_rate, train.batch_size, train.epochs) == (1e-5, 8, 2)
        assert (train.warmup, train.warmup_steps) == (0.0, 1000)
    assert paper.model.max_length == 512
