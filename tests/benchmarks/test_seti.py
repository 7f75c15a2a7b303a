"""SETI from settings to tables: presets build, results match the stored logits, mistakes are reported in one line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from typer.testing import CliRunner

from trivium.benchmarks.benchmark import find_benchmarks
from trivium.benchmarks.seti import SETI
from trivium.benchmarks.seti.claims import claims
from trivium.benchmarks.seti.design import (
    COMPOSITIONAL,
    IN_DISTRIBUTION,
    PredictionKey,
    build_data,
    chains_of,
    make_design,
    named_model,
)
from trivium.benchmarks.seti.published import LEXICAL_PAIRS, MISSING_RULES, STRUCTURAL_PAIRS, TABLE_5
from trivium.benchmarks.seti.results import Results
from trivium.benchmarks.seti.tables import models_table, table_5_by_kind
from trivium.build.splits.systematicity import SETTINGS, SystematicSizes, choose_inferences, text_key
from trivium.build.splits.systematicity_invariants import label_follows
from trivium.cli.main import make_app
from trivium.data.labels import NLI2
from trivium.data.sources import load_source
from trivium.engine.store import Store
from trivium.errors import ConfigError, UserError, did_you_mean
from trivium.measure.claim import Verdict
from trivium.measure.statistics.estimate import Estimate, Training, mean, mean_of
from trivium.seeds import stream

NAMES = tuple(setting.name for setting in SETTINGS)
SMALL = ("run.settings=['task2-trivial', 'task2-nontrivial']", "run.shots=[2]")


@pytest.mark.parametrize("preset", SETI.presets)
def test_every_preset_can_be_built_without_downloads(preset: str) -> None:
    settings = SETI.settings(preset, ("source=builtin", "data.structural=20"))
    built = build_data(settings)
    assert list(built.splits) == list(settings.run.settings)
    assert list(built.chains) == list(settings.run.depths)


def test_table_5_of_the_paper_follows_from_two_numbers() -> None:
    lexical, structural = 2 * LEXICAL_PAIRS, 2 * STRUCTURAL_PAIRS
    tests = {
        "task1-trivial": 30 * (lexical + structural),
        "task1-nontrivial": 30 * lexical // 2,
        "task2-trivial": 15 * (lexical + structural),
        "task2-nontrivial": 15 * (lexical + structural),
        "task3-trivial": 15 * structural,
        "task3-nontrivial-ver": 15 * lexical // 2,
        "task3-nontrivial-nat": 15 * lexical // 2,
    }
    assert {name: sizes.test for name, sizes in TABLE_5.items()} == tests
    assert TABLE_5["task2-trivial"].train + TABLE_5["task2-trivial"].dev == 15 * (lexical + structural)
    assert list(TABLE_5) == [setting.name for setting in SETTINGS]
    assert {setting.name for setting in SETTINGS if setting.shots} == set(MISSING_RULES)


def test_accuracy_by_rule_and_probe_for_the_shortcut(finished: Path) -> None:
    store = Store(finished).open()
    design = make_design(SETI.settings("smoke", SMALL), store)
    results = Results(design, store)
    key = PredictionKey("task2-nontrivial", COMPOSITIONAL, 0)
    test, predicted = design.test(key), store.logits(design.predictions[key].key)["nli"].argmax(axis=1)
    for rule in ("2", "3"):
        correct = [
            NLI2.names[index] == e.label for index, e in zip(predicted, test, strict=True) if e.fact("rule") == rule
        ]
        accuracy = results.by_rule("task2-nontrivial", rule)
        assert accuracy is not None
        assert accuracy.value == pytest.approx(np.mean(correct))
    assert results.by_rule("task2-nontrivial", "1") is None
    probed = make_design(SETI.settings("smoke", ("run.settings=['task3-nontrivial-ver']", "run.depths=[]")), None)
    probe = probed.test(PredictionKey("task3-nontrivial-ver", COMPOSITIONAL, 0, part="probe"))
    assert {(e.fact("rule"), e.label) for e in probe} == {("2", "not-entailed")}
    assert len(probe) == len(probed.test(PredictionKey("task3-nontrivial-ver", COMPOSITIONAL, 0)))


def test_half_of_the_chains_are_entailed_and_each_has_its_depth() -> None:
    built = build_data(SETI.settings("smoke", SMALL))
    chains = chains_of(built.inferences, 3, 60, set(), np.random.default_rng(0))
    assert Counter(example.fact("rule") for example in chains) == {"1": 30, "2": 10, "3": 10, "4": 10}
    assert chains.counts() == {"entailed": 30, "not-entailed": 30}
    assert all(example.premise.count("omeone") == 3 and label_follows(example) for example in chains)
    splits = built.splits["task2-trivial"][IN_DISTRIBUTION]
    trained = {text_key(example) for example in (*splits.train, *splits.dev)}
    assert not [example for example in built.chains[1] if text_key(example) in trained]
    with pytest.raises(UserError, match=r"run\.depth_test is 4000, but there are fewer untrained chains of depth 1"):
        build_data(SETI.settings("smoke", (*SMALL, "run.depth_test=4000")))


def test_shots_start_from_the_model_of_their_seed_and_are_tested_on_both_parts() -> None:
    predictions = make_design(SETI.settings("smoke", SMALL), None).predictions
    shot = predictions[PredictionKey("task2-nontrivial", COMPOSITIONAL, 0, shots=2)]
    assert shot.training.parent == predictions[PredictionKey("task2-nontrivial", COMPOSITIONAL, 0)].training
    assert shot.training.size == 2
    with pytest.raises(UserError, match=r"run.shots has 999, but task2-nontrivial has only \d+ shots"):
        make_design(SETI.settings("smoke", (*SMALL, "run.shots=[999]")), None)
    assert predictions[PredictionKey("task2-nontrivial", COMPOSITIONAL, 0, 2, part="dev")].training == shot.training
    assert PredictionKey("task2-trivial", COMPOSITIONAL, 0, shots=2) not in predictions
    assert PredictionKey("task2-trivial", IN_DISTRIBUTION, 0, depth=2) in predictions


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("seti") / "store"
    options = [word for change in SMALL for word in ("--set", change)]
    result = CliRunner().invoke(make_app(), ["run", "seti", "--preset", "smoke", *options, "--store", str(store)])
    assert result.exit_code == 0, result.output
    assert "Figure 2, numbers" in result.output
    assert "Task 2, trivial: " in result.output
    return store


def test_accuracy_matches_the_stored_logits(finished: Path) -> None:
    store = Store(finished).open()
    design = make_design(SETI.settings("smoke", SMALL), store)
    results = Results(design, store)
    for key, step in design.predictions.items():
        test = design.test(key)
        predicted = store.logits(step.key)["nli"].argmax(axis=1)
        correct = [test.labels.names[index] == example.label for index, example in zip(predicted, test, strict=True)]
        accuracy = results.prediction_accuracy(key)
        assert accuracy is not None
        assert accuracy.value == pytest.approx(np.mean(correct))


def test_finished_run_has_all_tables_charts_claims_and_reports(finished: Path, tmp_path: Path) -> None:
    store = Store(finished).open()
    experiment = find_benchmarks()["seti"].experiment(SETI.settings("smoke", SMALL), store)
    assert [table.name for table in experiment.tables(store)] == [
        "Table 5", "Table 5, by kind", "Figure 1, numbers", "By rule", "Figure 2, numbers", "Depth",
    ]  # fmt: skip
    assert [chart.name for chart in experiment.charts(store)] == ["figure-1", "figure-2", "depth"]
    all_claims = experiment.claims(store)
    decided = {claim.text for claim in all_claims if claim.measured is not None}
    assert any("2 shots, one for each missing rule" in text for text in decided)
    assert all(claim.needs for claim in all_claims)
    options = [word for change in SMALL for word in ("--set", change)]
    command = ["report", "seti", "--preset", "smoke", *options, "--store", str(finished), "--out"]
    for name in ("r.html", "r.md"):
        result = CliRunner().invoke(make_app(), [*command, str(tmp_path / name)])
        assert result.exit_code == 0, result.output
        assert "Task 2, non-trivial" in (tmp_path / name).read_text()


def test_build_writes_the_data_and_shows_the_invariants(tmp_path: Path) -> None:
    chosen = "run.settings=['task3-trivial', 'task2-trivial']"
    command = ["build", "seti", "--preset", "smoke", "--set", chosen, "--out", str(tmp_path)]
    result = CliRunner().invoke(make_app(), command)
    assert result.exit_code == 0, result.output
    assert "Task 3, trivial: no test example is trained (compositional)" in " ".join(result.output.split())
    written = sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*.jsonl"))
    assert "task3-trivial/compositional/train.jsonl" in written
    assert "chains/depth-2.jsonl" in written


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("run.settings=['task2']", f"unknown SETI setting 'task2': {did_you_mean('task2', NAMES)}"),
        ("run.shots=[1, 1]", "duplicate values: 1"),
        ("run.shots=[0]", "run.shots.0"),
        ("data.dev=0.6", "data.dev"),
        ("run.depths=[9]", "run.depths.0"),
        (
            "run.settings=['task3-trivial']",
            "depths needs task2-trivial in settings and in-distribution in configurations",
        ),
    ],
)
def test_mistake_in_the_settings_is_reported(change: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        SETI.settings("smoke", (change,))
    assert message in str(error.value)
    assert f"set={[change]}" in str(error.value)


def flat(value: float) -> Estimate:
    """Return an accuracy that three trainings agree on."""
    values = np.full(2000, value)
    result = mean_of(mean(values, range(len(values)), Training(0, seed)) for seed in range(3))
    assert result is not None
    return result


class MadeUpResults(Results):
    """Accuracies that are given by setting, configuration, shots and part, instead of a run."""

    models = ("",)

    def __init__(self, values: dict[tuple[str, str, int, str], float], majority: float = 0.5) -> None:
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_majority", majority)

    def accuracy(  # type: ignore[override]
        self, setting: str, configuration: str, shots: int = 0, depth: int = 0, part: str = "test"
    ) -> Estimate:
        value = self._values.get((setting, configuration, shots, part), 0.95)  # type: ignore[attr-defined]
        return flat(value)

    def majority(self, setting: str, configuration: str) -> float:
        return self._majority  # type: ignore[attr-defined, no-any-return]


PAPER = {
    ("task1-nontrivial", COMPOSITIONAL, 0, "test"): 0.7,
    ("task2-nontrivial", COMPOSITIONAL, 0, "test"): 0.5,
    ("task2-nontrivial", COMPOSITIONAL, 1, "test"): 0.6,
    ("task1-nontrivial", COMPOSITIONAL, 3, "test"): 0.8,
    ("task3-nontrivial-nat", COMPOSITIONAL, 0, "test"): 0.05,
    ("task3-nontrivial-ver", COMPOSITIONAL, 0, "probe"): 0.1,
}


def test_every_claim_holds_for_a_model_like_the_papers() -> None:
    assert [claim.text for claim in claims(MadeUpResults(PAPER)) if claim.verdict is not Verdict.HOLDS] == []


@pytest.mark.parametrize("accuracy", [0.0, 0.5, 1.0])
def test_no_claim_holds_for_a_model_that_has_learned_nothing(accuracy: float) -> None:
    """Its accuracy is the majority in distribution, and chance on held-out training data, whatever the test."""
    values = {
        (setting.name, configuration, shots, part): 0.94 if configuration == IN_DISTRIBUTION else accuracy
        for setting in SETTINGS
        for configuration in (COMPOSITIONAL, IN_DISTRIBUTION)
        for shots in (0, 1, 2, 3, 4)
        for part in ("test",)
    }
    values |= {(s.name, COMPOSITIONAL, shots, "dev"): 0.5 for s in SETTINGS for shots in range(5)}
    assert [claim.text for claim in claims(MadeUpResults(values, 0.94)) if claim.verdict is Verdict.HOLDS] == []


def test_claim_about_shots_fails_if_they_cost_what_was_learned() -> None:
    costly = {
        ("task3-nontrivial-nat", COMPOSITIONAL, 1, "test"): 1.0,
        ("task3-nontrivial-nat", COMPOSITIONAL, 1, "dev"): 0.5,
    }
    verdicts = {claim.text: claim.verdict for claim in claims(MadeUpResults(PAPER | costly))}
    assert [text for text, verdict in verdicts.items() if verdict is Verdict.FAILS] == [
        "Task 3, non-trivial, R_nat: with 1 shot, one for each missing rule, accuracy rises by 10 points, "
        "and falls by at most 10 on held-out training data"
    ]


def test_other_models_run_everything_beside_the_first(tmp_path: Path) -> None:
    store = Store(tmp_path / "store").open()
    two = make_design(SETI.settings("smoke", (*SMALL, "run.models=['minilm']", "run.depths=[]")), store)
    one = make_design(SETI.settings("smoke", (*SMALL, "run.depths=[]")), store)
    assert {key: step for key, step in two.predictions.items() if not key.model} == one.predictions
    others = {key._replace(model=""): step for key, step in two.predictions.items() if key.model == "minilm"}
    assert others.keys() == one.predictions.keys()
    assert {step.training.model.name for step in others.values()} == {"minilm"}
    assert {fields["model"] for fields, _ in two.keys()} == {"tiny", "minilm"}  # noqa: SIM118
    for number, (key, step) in enumerate(two.predictions.items()):
        size = len(two.test(key))
        logits = np.zeros((size, 2), dtype=np.float32)
        logits[np.arange(size), np.random.default_rng(number).integers(2, size=size)] = 1
        with store.writing(step.key, {}) as folder:
            save_file({"nli": logits}, folder / "logits.safetensors")
    results = Results(two, store)
    assert models_table(results).columns == ("tiny", "minilm")
    cells = models_table(results).rows[0].cells
    expected = [results.accuracy("task2-trivial", COMPOSITIONAL, model=model) for model in ("", "minilm")]
    assert [cell.measured.value for cell in cells] == [100 * accuracy.value for accuracy in expected]
    across = {claim.text: claim for claim in claims(results) if claim.group == "5 Across models"}
    measured = across["Task 2, non-trivial: no model solves it (above 90 %)"].measured
    accuracies = [results.accuracy("task2-nontrivial", COMPOSITIONAL, model=model).value for model in ("", "minilm")]
    assert measured.value == pytest.approx(90 - 100 * max(accuracies))
    assert not [claim for claim in claims(Results(one, store)) if claim.group == "5 Across models"]


def test_a_model_may_have_its_own_pooling() -> None:
    like = SETI.settings("smoke").model
    own = named_model("gpt2-large:last", like)
    assert (own.name, own.pooling) == ("gpt2-large", "last")
    assert named_model("hub/name", like).pooling == like.pooling


def test_mixed_shots_are_trained_together_with_the_training_data() -> None:
    key = PredictionKey("task2-nontrivial", COMPOSITIONAL, 0, shots=2)
    alone, mixed = (
        make_design(SETI.settings("smoke", (*SMALL, f"run.shot_data={data}")), None) for data in ("alone", "mixed")
    )
    training = mixed.predictions[key].training
    train = mixed.data.splits["task2-nontrivial"][COMPOSITIONAL].train
    assert (training.parent, training.size) == (None, len(train) + 2)
    assert alone.predictions[key].training.parent is not None
    unchanged = [key for key in alone.predictions if not key.shots]
    assert all(alone.predictions[key].key == mixed.predictions[key].key for key in unchanged)


def test_table_5_is_divided_by_kind_of_inference() -> None:
    design = make_design(SETI.settings("smoke", ("run.settings=['task1-trivial', 'task2-trivial']",)), None)
    rows = {row.name: row.cells for row in table_5_by_kind(design).rows}
    assert list(rows) == ["Task 1, trivial: PI_ver", "Task 1, trivial: PI_nat", "Task 2, trivial: CI"]
    assert [cell.published for cell in rows["Task 1, trivial: PI_nat"]] == [1686, 422]
    splits = design.data.splits["task1-trivial"][COMPOSITIONAL]
    counted = sum(cells[0].measured.value for name, cells in rows.items() if name.startswith("Task 1"))
    assert counted == len(splits.train)


@pytest.mark.usefixtures("real_data")
def test_without_the_filter_by_later_annotators_sick_has_more_lexical_pairs() -> None:
    examples, numbers = load_source("sick").examples, []
    for pairs in ("confirmed", "all"):
        inferences = choose_inferences(examples, SystematicSizes(pairs=pairs), stream(0, "data"))
        numbers.append(len(inferences.of("lexical", label="entailed")))
    assert numbers[0] < 0.85 * LEXICAL_PAIRS
    assert numbers[1] > 0.95 * LEXICAL_PAIRS
