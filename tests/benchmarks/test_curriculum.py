"""CURRICULUM from settings to tables: every preset builds, a small run is read rightly, mistakes are one line."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
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
from trivium.benchmarks.curriculum.search import held_out, propose_by
from trivium.benchmarks.curriculum.sequential import few_of, intermediate, target
from trivium.build.phenomena.selection import (
    PhenomenonSizes,
    check_chosen,
    choose_examples,
    hypothesis_only,
    load_parts,
    nothing,
)
from trivium.build.splits.invariants import proved
from trivium.cli.main import app
from trivium.data.curriculum import Parts
from trivium.data.labels import BOTH
from trivium.data.phenomena import PHENOMENA
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.errors import ConfigError, UserError
from trivium.measure.claim import Verdict

NAMES = ("negat", "monot", "spat")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("curriculum") / "store"
    result = CliRunner().invoke(app, ["run", "curriculum", "--preset", "smoke", "--store", str(store)])
    assert result.exit_code == 0, result.output
    assert "Figure 4, numbers" in result.output
    return store


def read(store: Path) -> tuple[CurriculumDesign, Results]:
    place = Store(store).open()
    design = make_design(CURRICULUM.settings("smoke"), place)
    return design, Results(design, place)


def test_all_that_the_paper_prints_is_about_phenomena_that_there_are() -> None:
    assert set(INFORMATION) == set(PHENOMENA)
    assert set(SIZES) <= set(PHENOMENA)


@pytest.mark.parametrize("preset", CURRICULUM.presets)
def test_every_preset_can_be_read_and_chosen_with_nothing_downloaded(preset: str) -> None:
    changes = ("source=builtin", "run.phenomena=['negat', 'spat']", "run.tests=['zero-shot']", "base.data=['builtin']")
    design = make_design(CURRICULUM.settings(preset, changes), None)
    assert (list(design.chosen), design.missing) == (["negat", "spat"], ())


def test_a_run_has_every_prediction_and_a_second_run_does_nothing(finished: Path) -> None:
    design, results = read(finished)
    assert all(step.key in results.store for step in design.predictions.values())
    assert Counter(reading.test for reading in design.predictions) == {
        ZERO_SHOT: 3, DIFFICULTY: 6, INOCULATION: 6, HYPOTHESIS: 3, GENERALIZATION: 6,
    }  # fmt: skip
    result = CliRunner().invoke(app, ["run", "curriculum", "--preset", "smoke", "--store", str(finished)])
    assert " 0 to do" in result.output.replace("\n", " ")


def test_a_stored_accuracy_is_that_of_the_logits(finished: Path) -> None:
    design, results = read(finished)
    for reading, step in design.predictions.items():
        test, logits = design.tests[reading], results.store.logits(step.key)["nli"].astype(np.float64)
        if len(test.labels) == 3:
            said = [test.labels.names[place] for place in logits.argmax(axis=1)]
        else:
            share = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
            said = ["entailed" if one[0] > 0.5 else "not-entailed" for one in share]
        right = np.mean([label == example.label for label, example in zip(said, test, strict=True)])
        found = results.accuracy(reading.test, reading.phenomenon, reading.size, reading.model)
        assert found is not None
        assert found[0] == pytest.approx(right)


def test_what_a_model_is_shown_is_what_its_test_says(finished: Path) -> None:
    design, results = read(finished)

    def shown(reading: PredictionKey) -> Split:
        return results.store.split(design.predictions[reading].split)

    for name in NAMES:
        asked = design.chosen[name].validation
        assert [e.premise for e in shown(PredictionKey(HYPOTHESIS, name, 0))] == [""] * len(asked)
        assert [e.hypothesis for e in shown(PredictionKey(HYPOTHESIS, name, 0))] == [e.hypothesis for e in asked]
        blank = shown(PredictionKey(DIFFICULTY, name, 0, model=NULL))
        assert {(e.premise, e.hypothesis) for e in blank} == {("", "")}
        assert [e.label for e in blank] == [e.label for e in asked]


def test_halves_are_apart_of_the_same_size_and_of_what_the_judge_has_not_seen(finished: Path) -> None:
    design, results = read(finished)
    for name in NAMES:
        halves = {}
        for half in HALVES:
            step = design.predictions[PredictionKey(GENERALIZATION, name, 0, model=half)].training
            assert step.divided is not None
            assert step.size == step.divided.informed.size // 2
            halves[half] = Split.read(results.store.path(step.divided.key) / "split.jsonl")
        ids = [{example.id for example in split} for split in halves.values()]
        assert ids[0] | ids[1] == {example.id for example in design.chosen[name].other()}
        assert not ids[0] & ids[1]
        assert halves["simple"].counts() == halves["hard"].counts()
        judge = design.predictions[PredictionKey(DIFFICULTY, name, 0, model=INFORMED)].training
        seen = {example.id for example in results.store.split(judge.split)}
        assert not seen & (ids[0] | ids[1])


def test_a_predictions_result_outlives_what_was_divided_by_it(finished: Path) -> None:
    design, results = read(finished)
    for name in NAMES:
        step = design.predictions[PredictionKey(GENERALIZATION, name, 0, model="simple")].training
        assert step.divided is not None
        assert step.divided.informed.key in results.store
        assert step.key not in results.store  # the model itself is gone


def test_claims_are_decided_where_there_are_results(finished: Path) -> None:
    _, results = read(finished)
    found = {(claim.group, claim.text): claim for claim in claims(results)}
    assert all(claim.needs for claim in found.values())
    decided = [claim for claim in found.values() if claim.verdict is not Verdict.NOT_RUN]
    assert {claim.group for claim in decided} == {
        "5.1 Zero-shot", "5.2 Inoculation", "5.3 Hypothesis only", "5.4 Generalization",
    }  # fmt: skip
    assert all(claim.verdict is Verdict.NOT_RUN for claim in found.values() if claim.group.startswith("6"))


def test_validated_pairs_are_never_trained_on_even_where_the_task_repeats_them() -> None:
    parts = load_parts("builtin", "spat")
    leaky = Parts(
        Split("train", parts.train.examples + parts.validation.examples, parts.train.labels), parts.validation
    )
    chosen = choose_examples(PHENOMENA["spat"], "builtin", leaky, PhenomenonSizes(validation=50), 0)
    assert chosen.repeated == len(parts.validation)
    asked = {(e.premise, e.hypothesis) for e in parts.validation}
    assert not [e for e in chosen.train if (e.premise, e.hypothesis) in asked]
    proved("spat", check_chosen(chosen))
    known = choose_examples(PHENOMENA["spat"], "builtin", leaky, PhenomenonSizes(), 0, parts.validation.examples[:30])
    assert known.known_before == 30
    assert not {e.id for e in known.validation} & {e.id for e in parts.validation.examples[:30]}
    with pytest.raises(UserError, match="'no validated pair was trained before' is broken by 50 of 50"):
        proved("spat", check_chosen(chosen, chosen.validation))
    broken = replace(chosen, train=Split("train", chosen.validation.examples, chosen.train.labels))
    with pytest.raises(UserError, match="'no validated pair is trained' is broken by 50 of 50 examples, such as spat-"):
        proved("spat", check_chosen(broken))


def test_sizes_are_of_each_label_and_what_is_not_there_is_not_run() -> None:
    parts = load_parts("builtin", "negat")
    few = Parts(Split("train", parts.train.examples[:60], parts.train.labels), parts.validation)
    chosen = choose_examples(PHENOMENA["negat"], "builtin", few, PhenomenonSizes(validation=30, known=15, other=15), 0)
    first = chosen.first(7)
    assert first is not None
    assert set(first.counts().values()) == {7}
    assert chosen.first(21) is None
    assert (chosen.known, chosen.others) == (10, 10)
    assert not {e.id for e in chosen.other()} & {e.id for e in chosen.first(10) or ()}
    tiny = Parts(Split("train", parts.train.examples[:3], parts.train.labels), parts.validation)
    with pytest.raises(UserError, match="negat: there are 1 training examples of a label"):
        choose_examples(PHENOMENA["negat"], "builtin", tiny, PhenomenonSizes(), 0)


def test_blanking_keeps_labels_and_order() -> None:
    split = load_parts("builtin", "spat").validation
    for blank in (hypothesis_only(split), nothing(split)):
        assert [e.label for e in blank] == [e.label for e in split]
        assert {e.premise for e in blank} == {""}


def test_an_intermediate_stage_mixes_two_way_and_three_way_phenomena() -> None:
    settings = CURRICULUM.settings("smoke", ("sequential.each=5",))
    stage = intermediate(("negat", "spat"), settings)
    assert stage.labels == BOTH
    assert stage.counts() == {"entailment": 5, "neutral": 5, "contradiction": 5, "entailed": 5, "not-entailed": 5}
    with pytest.raises(UserError, match="the source 'builtin' does not have the phenomenon 'puns'"):
        intermediate(("puns",), settings)


@pytest.mark.usefixtures("real_data")
def test_few_examples_of_a_round_are_not_those_that_judge_or_test() -> None:
    few, judged, tested = few_of("R1", 20, 0), held_out("R1", 20, 0), target("R1", "test")
    assert set(few.counts().values()) == {20}
    contexts = [{example.premise for example in split} for split in (few, judged, tested)]
    assert not contexts[0] & (contexts[1] | contexts[2])
    assert not contexts[1] & contexts[2]
    assert {e.id for e in few_of("R1", 10, 0)} < {e.id for e in few}
    with pytest.raises(UserError, match=r"sequential\.sizes has 400, but R1 has fewer"):
        few_of("R1", 400, 0)
    with pytest.raises(UserError, match=r"sequential\.sizes has 220, which leaves \d+ examples of R1 to judge by"):
        held_out("R1", 220, 0)


@pytest.mark.parametrize("method", ["random", "tpe"])
def test_the_same_search_proposes_the_same_selections_and_learns_from_what_came_out(method: str) -> None:
    names = [f"p{place}" for place in range(12)]

    def searched(trials: int) -> list[tuple[str, ...]]:
        proposer = propose_by(method, names, 3)
        found = []
        for _ in range(trials):
            found.append(proposer.propose())
            proposer.learn(("p0" in found[-1]) + ("p1" in found[-1]) - 0.1 * len(found[-1]))
        return found

    once = searched(40)
    assert once == searched(40)
    assert once[:7] == searched(7)
    assert all(selection for selection in once)
    late = [("p0" in one) + ("p1" in one) for one in once[20:]]
    assert np.mean(late) > (1.2 if method == "tpe" else 0.2)


def test_a_search_needs_a_known_method() -> None:
    with pytest.raises(UserError, match="the method is random or tpe, not 'grid'"):
        propose_by("grid", ["a"], 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("run.phenomena=['negation']", "unknown phenomenon or category 'negation'"),
        ("run.phenomena=['ner', 'ner']", "duplicate values: 'ner'"),
        ("run.sizes=[]", "run.sizes"),
        ("run.sizes=[0]", "run.sizes"),
        ("run.tests=['zero']", "run.tests"),
        ("sequential.rounds=['R9']", "there is no round 'R9'"),
        ("sequential.selections.mnli=['ner']", "duplicate values: 'mnli'"),
        ("sequential.selections.mine=['nix']", "unknown phenomenon or category 'nix'"),
        ("sequential.selections.mine=[]", "sequential.selections"),
        ("base.data=['snli', 'snli']", "duplicate values: 'snli'"),
        ("source=sick", "source"),
    ],
)
def test_mistakes_in_settings_are_named(change: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
        CURRICULUM.settings("smoke", (change,))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (("run.phenomena=['puns']",), "there is no phenomenon to test: the source 'builtin' has none of puns"),
        (("base.data=[]",), "base.data names no source"),
    ],
)
def test_what_cannot_be_run_is_said_before_it_is(changes: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        make_design(CURRICULUM.settings("smoke", changes), None)


@pytest.mark.usefixtures("real_data")
def test_a_sources_test_part_is_never_in_the_base() -> None:
    changes = ("base.data=['snli', 'mnli', 'anli', 'sick', 'sick-semeval']", "base.limit=0")
    base = base_split(CURRICULUM.settings("smoke", changes), None)
    assert {str(example.fact("part")).lower() for example in base} == {"train", "dev", "trial"}


def test_a_model_as_it_is_does_not_depend_on_seeds_or_training(tmp_path: Path) -> None:
    from trivium.models.classifiers import new_classifier

    new_classifier("tiny", 0).save(tmp_path / "model")
    store = Store(tmp_path / "store").open()
    changes = (f"model.name={tmp_path / 'model'}", "model.head=own", "run.tests=['zero-shot']", "run.seeds=[0, 1]")
    found = [
        make_design(CURRICULUM.settings("smoke", (*changes, f"train.epochs={epochs}")), store) for epochs in (1, 2)
    ]
    keys = {step.key for design in found for step in design.predictions.values()}
    assert len(keys) == len(NAMES)


@pytest.mark.usefixtures("real_data")
def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    changes = ("sequential.each=5", "sequential.sizes=[5]", "sequential.rounds=['R1']", "run.phenomena=['logical']")
    options = ["--preset", "smoke", *(word for change in changes for word in ("--set", change))]
    options += ["--store", str(tmp_path / "store"), "--method", "random"]
    first = CliRunner().invoke(app, ["search", "curriculum", "--trials", "1", *options])
    assert first.exit_code == 0, first.output
    again = CliRunner().invoke(app, ["search", "curriculum", "--trials", "1", *options])
    assert "to do" not in again.output
    assert [line for line in first.output.splitlines() if line.startswith("1: ")] == [
        line for line in again.output.splitlines() if line.startswith("1: ")
    ]
    assert isinstance(CliRunner().invoke(app, ["search", "seti"]).exception, UserError)
