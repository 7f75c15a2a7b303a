"""CFL from settings to tables: presets, results of a small run, planning in two phases, and error messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from typer.testing import CliRunner

from trivium.benchmarks.cfl import CFL, published
from trivium.benchmarks.cfl.claims import claims
from trivium.benchmarks.cfl.design import (
    BASE,
    CONTINUAL,
    FEW_SHOT,
    NEIGHBOURS,
    ORDERS,
    PROTOTYPES,
    ZERO_SHOT,
    CflDesign,
    Model,
    _SuitePlanner,
    make_design,
    random_orders,
)
from trivium.benchmarks.cfl.results import AVERAGE, Results
from trivium.build.edits.suites import Suite, find_suites, load_suite, suite
from trivium.build.edits.suites.builtin import BuiltinSuite
from trivium.cli.main import make_app
from trivium.data.example import Example
from trivium.data.reasoning import CATEGORIES
from trivium.data.split import Split
from trivium.engine.store import Store
from trivium.errors import ConfigError, UserError
from trivium.measure.claim import Verdict

SMALL = (
    "suites.builtin.limit=60", "suites.builtin.orders=1", "run.strategies=['finetune', 'mas']", "run.others=[]",
    "run.losses=['cross-entropy']",
)  # fmt: skip
FLAGS = [flag for change in SMALL for flag in ("--set", change)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("cfl") / "store"
    result = CliRunner().invoke(make_app(), ["run", "cfl", "--preset", "smoke", *FLAGS, "--store", str(store)])
    assert result.exit_code == 0, result.output
    assert "Table 12" in result.output
    return store


def read(store: Path) -> tuple[CflDesign, Results]:
    opened = Store(store).open()
    design = make_design(CFL.settings("smoke", SMALL), opened)
    return design, Results(design, opened)


@pytest.mark.parametrize("preset", CFL.presets)
def test_every_preset_can_be_read(preset: str) -> None:
    settings = CFL.settings(preset)
    assert settings.suites
    assert all(settings.model_of(name).name == settings.model.name for name in settings.suites)


def test_published_averages_match_their_columns() -> None:
    """The tolerance of 0.15 allows for rounding of the columns and of the average."""
    mismatches = []
    for figures in (published.FEW_SHOT, published.CONTINUAL):
        for suite_name, methods in figures.items():
            for method, columns in methods.items():
                tests = [name for name in columns if name not in ("MNLI-m", "SNLI", "IMDB", AVERAGE)]
                mean = np.mean([columns[name].value for name in tests])
                if abs(mean - columns[AVERAGE].value) > 0.15:
                    mismatches.append((suite_name, method, round(float(mean), 1), columns[AVERAGE].value))
    assert mismatches == []
    assert set(published.FEW_SHOT["anli"]["pn"]) == {"MNLI-m", *CATEGORIES, AVERAGE}
    assert published.AFTER_CATEGORY["Imperfections"]["Basic"] == published.CONTINUAL["anli"]["finetune"]["Basic"]


def test_published_figures_are_those_of_the_paper() -> None:
    """One figure of each table, with and without a standard deviation."""
    assert published.PAPERS_MODEL == "roberta-large"
    assert published.SIZES["imdb"]["Negation"] == ((30, 10), (19, 24), (45, 110), (95, 144))
    assert published.FEW_SHOT["snli"]["knn"]["Substitute entities"] == (47.6, 10.0)
    assert published.FEW_SHOT["snli"]["knn"]["SNLI"] == (92.3, None)
    assert published.CONTINUAL["imdb"]["pn"]["Negation"] == (57.1, None)
    assert published.SUPPORTS["snli"]["cross-entropy both"]["SNLI"] == (84.9, 1.7)
    assert published.AFTER_CATEGORY["base"]["Numerical"] == (33.1, None)
    assert published.DOMAINS["Imperfections"]["Legal"] == {"finetune": (66.7, 0.0), "pn": (46.7, 18.3)}
    assert published.ORDER_SPREAD == 1.0


def test_a_run_stores_every_prediction_and_a_second_run_does_nothing(finished: Path) -> None:
    design, results = read(finished)
    assert all(prediction.step.key in results.store for prediction in design.predictions.values())
    # Few-shot: 4 categories, 2 support sets, 2 strategies. Continual: 4 of the followed strategy, 1 of the other.
    assert Counter(model.setup for model in design.predictions) == {BASE: 1, FEW_SHOT: 16, CONTINUAL: 5, ORDERS: 1}
    result = CliRunner().invoke(make_app(), ["run", "cfl", "--preset", "smoke", *FLAGS, "--store", str(finished)])
    assert " 0 to do" in result.output.replace("\n", " ")


def test_accuracies_agree_with_the_stored_logits(finished: Path) -> None:
    design, results = read(finished)
    plan = design.suites["builtin"]
    assert plan.categories is not None

    def by_hand(model: Model, test: str, setup: str) -> float:
        step, split = design.predictions[model]
        logits = results.store.logits(step.key)["nli"]
        predicted = {e.id: split.labels.names[int(row.argmax())] for e, row in zip(split, logits, strict=True)}
        tested = results.tested("builtin", setup, test)
        return float(np.mean([predicted[e.id] == e.label for e in tested]))

    for name in plan.categories:
        sets = [by_hand(Model("builtin", FEW_SHOT, "mas", name, number), name, FEW_SHOT) for number in (1, 2)]
        measured = results.accuracy("builtin", FEW_SHOT, "mas", name)
        assert measured is not None
        assert measured.value == pytest.approx(np.mean(sets))
        assert measured.spread() == pytest.approx(np.std(sets, ddof=1))
    all_sets = [
        by_hand(Model("builtin", FEW_SHOT, "mas", name, number), "built-in", FEW_SHOT)
        for name in plan.categories
        for number in (1, 2)
    ]
    base = results.accuracy("builtin", FEW_SHOT, "mas", "built-in")
    assert base is not None
    assert base.value == pytest.approx(np.mean(all_sets))
    last = list(plan.continual)[-1]
    average = results.accuracy("builtin", CONTINUAL, "finetune", AVERAGE)
    final = [by_hand(Model("builtin", CONTINUAL, "finetune", last), name, CONTINUAL) for name in plan.continual]
    assert average is not None
    assert average.value == pytest.approx(np.mean(final))


def test_prototypes_and_neighbours_agree_with_the_stored_vectors(finished: Path) -> None:
    """Few-shot compares a category with its own support set, continual with everything learned so far."""
    design, results = read(finished)
    plan = design.suites["builtin"]
    assert plan.categories is not None
    steps = design.vectors["builtin", "cross-entropy"]
    vectors = dict(zip(plan.queries, results.store.vectors(steps.queries.key)["nli"].astype(np.float64), strict=True))
    base = list(zip(plan.base, results.store.vectors(steps.base.key)["nli"].astype(np.float64), strict=True))

    def prototypes(pairs: list) -> list:
        labels = sorted({example.label for example, _ in pairs})
        return [(label, np.mean([v for e, v in pairs if e.label == label], axis=0)) for label in labels]

    def share_correct(tested, pool: list) -> float:
        nearest = [min(pool, key=lambda pair, v=vectors[e]: np.linalg.norm(v - pair[1]))[0] for e in tested]
        return float(np.mean([label == e.label for label, e in zip(nearest, tested, strict=True)]))

    def measured(setup: str, method: str, test: str) -> float:
        accuracy = results.accuracy("builtin", setup, method, test)
        assert accuracy is not None
        return float(accuracy.value)

    name, category = next(iter(plan.categories.items()))
    few_shot = [
        share_correct(category.test, prototypes([(e, vectors[e]) for e in support])) for support in category.supports
    ]
    assert measured(FEW_SHOT, PROTOTYPES, name) == pytest.approx(np.mean(few_shot))
    base_test = share_correct(plan.suite.tests["built-in"], prototypes(base))
    assert measured(FEW_SHOT, PROTOTYPES, "built-in") == pytest.approx(base_test)
    pool = prototypes(base)
    for other in plan.continual.values():
        pool += prototypes([(e, vectors[e]) for e in other.supports[0]])
    tested = plan.continual[name].test
    assert measured(CONTINUAL, PROTOTYPES, name) == pytest.approx(share_correct(tested, pool))
    labelled = [(e.label, v) for e, v in base]
    labelled += [(e.label, vectors[e]) for other in plan.continual.values() for e in other.supports[0]]
    number = results.neighbour_count("builtin", CONTINUAL)
    correct = 0
    for e in tested:
        nearest = sorted(labelled, key=lambda pair, v=vectors[e]: np.linalg.norm(v - pair[1]))[:number]
        votes = Counter(label for label, _ in nearest)
        rank = {label: index for index, (label, _) in reversed(list(enumerate(nearest)))}
        correct += max(votes, key=lambda label: (votes[label], -rank[label])) == e.label
    assert measured(CONTINUAL, NEIGHBOURS, name) == pytest.approx(correct / len(tested))


def test_categories_are_learned_in_sequence(finished: Path) -> None:
    design, _ = read(finished)
    plan = design.suites["builtin"]
    names = list(plan.continual)
    step = design.predictions[Model("builtin", CONTINUAL, "mas", names[-1])].step.training
    learned = []
    while step.parent is not None:
        learned.append(step.split)
        step = step.parent
    assert learned == [plan.continual[name].supports[0].identity for name in reversed(names)]
    assert step.split == plan.base.identity
    assert step.strategy.name == "finetune"


def test_random_orders_are_permutations_and_do_not_depend_on_their_number() -> None:
    names = list("abcdef")
    few, many = random_orders(names, 3, 0), random_orders(names, 10, 0)
    assert many[:3] == few
    assert all(sorted(order) == names for order in many)
    assert len({tuple(order) for order in many}) > 5


def test_reports_and_claims_are_derived_from_a_finished_run(finished: Path, tmp_path: Path) -> None:
    for name in ("report.html", "report.md"):
        command = ["report", "cfl", "--preset", "smoke", *FLAGS, "--store", str(finished)]
        result = CliRunner().invoke(make_app(), [*command, "--out", str(tmp_path / name)])
        assert result.exit_code == 0, result.output
    text = (tmp_path / "report.md").read_text()
    assert "Prototypes (PN)" in text
    assert "Table 12" in text
    _, results = read(finished)
    every = claims(results)
    assert {Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED} & {claim.verdict for claim in every}
    assert all(claim.needs for claim in every if claim.verdict == Verdict.NOT_RUN)


@pytest.fixture
def faulty():
    """A suite whose categories are the errors of its base."""

    @suite("faulty")
    class Faulty(BuiltinSuite):
        about = "the built-in suite, restricted to errors of the base"

        def load(self, limit: int, test: int, seed: int) -> Suite:
            built = super().load(limit, test, seed)
            return Suite(
                "faulty", "Faulty", built.task, built.labels, built.base, built.tests, built.categories, 1, True
            )

    yield
    find_suites()._components.pop("faulty")


def test_corrections_of_errors_are_planned_when_the_base_has_predicted(faulty: None, tmp_path: Path) -> None:
    store = Store(tmp_path / "store").open()
    plain = CFL.settings("smoke", SMALL).model_dump() | {"suites": {"faulty": {"limit": 60, "test": 30}}}
    settings = type(CFL.settings("smoke")).model_validate(plain)
    before = make_design(settings, store)
    assert before.pending == ["faulty"]
    assert {model.setup for model in before.predictions} == {BASE}
    step, split = before.predictions[Model("faulty", BASE)]
    logits = np.zeros((len(split), 3), dtype=np.float32)
    errors = {example for index, example in enumerate(split) if index % 2 == 0}
    for index, example in enumerate(split):
        gold = split.labels.index(str(example.label))
        logits[index] = np.eye(3)[(gold + (example in errors)) % 3]
    with store.writing(step.key, step.inputs()) as folder:
        save_file({"nli": logits}, folder / "logits.safetensors")
    after = make_design(settings, store)
    assert after.pending == []
    categories = after.suites["faulty"].categories
    assert categories
    for category in categories.values():
        assert {e for split in (*category.supports, category.dev, category.test) for e in split} <= errors
    assert {model.setup for model in after.predictions} == {BASE, FEW_SHOT, CONTINUAL}


def test_one_command_runs_the_base_and_then_its_corrections(
    faulty: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_wrong(self: _SuitePlanner, queries: Split, store: Store) -> Mapping[str, Sequence[Example]] | None:
        # The untrained model predicts one label for everything, so that no example of that label is an error.
        return self.suite.categories if self.predictions[Model("faulty", BASE)].step.key in store else None

    monkeypatch.setattr(_SuitePlanner, "_errors", all_wrong)
    preset = tmp_path / "own.toml"
    text = Path(CFL.presets["smoke"]).read_text().replace("[suites.builtin]", "[suites.faulty]")
    preset.write_text(text.replace('["finetune", "scl", "mas"]', '["finetune"]').replace('["er-res"]', "[]")
                      .replace('"few-shot", "continual", "orders"', '"continual"')
                      .replace('"cross-entropy", "prototypical"', '"cross-entropy"'))  # fmt: skip
    command = ["--preset", str(preset), "--store", str(tmp_path / "store")]
    planned = CliRunner().invoke(make_app(), ["plan", "cfl", *command])
    assert "the rest is planned when these are known" in planned.output.replace("\n", " ")
    result = CliRunner().invoke(make_app(), ["run", "cfl", *command, "--workers", "1"])
    assert result.exit_code == 0, result.output
    assert "Faulty: continual setup" in result.output
    assert "is done again" not in result.output


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("suites.anly.limit=3", "anli"),
        ("run.losses=['prototypical']", "must include 'cross-entropy'"),
        ("run.each=0", "run.each"),
        ("run.strategies=['finetune', 'finetune']", "finetune"),
        ("suites.builtin.sets=0", "suites.builtin.sets"),
    ],
)
def test_errors_in_settings_name_the_setting(change: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        CFL.settings("smoke", [change])


def test_unknown_strategies_and_too_few_examples_are_errors_before_the_run() -> None:
    with pytest.raises(ConfigError, match=r"unknown strategy 'mass': did you mean 'mas'"):
        make_design(CFL.settings("smoke", ["run.strategies=['mass']"]), None)
    with pytest.raises(ConfigError, match=r"unknown strategy 'finetun': did you mean 'finetune'"):
        make_design(CFL.settings("smoke", ["run.followed=['finetun']"]), None)
    with pytest.raises(UserError, match=r"no category with 3 × 40 examples of each label \(Negation 240"):
        make_design(CFL.settings("smoke", ["run.each=40", "suites.builtin.sets=3"]), None)


@pytest.mark.usefixtures("real_data")
def test_sizes_of_anli_are_close_to_the_papers() -> None:
    settings = CFL.settings("laptop", ["suites.anli.sets=5"])
    only = settings.model_copy(update={"suites": {"anli": settings.suites["anli"]}})
    plan = make_design(only, None).suites["anli"]
    assert plan.categories is not None
    for name, sizes in published.SIZES["anli"].items():
        assert sum(map(len, plan.categories[name].supports)) == sizes.train[0]
        assert plan.categories[name].total == pytest.approx(sizes.total[0], abs=12)
        assert plan.continual[name].total == pytest.approx(sizes.total[1], abs=30)
        assert load_suite("anli", 10, 10, 0).sets == 5
    assert ZERO_SHOT in published.FEW_SHOT["anli"]


def test_corrections_chosen_on_dev_and_tests_with_more_tokens_change_only_their_steps() -> None:
    plain = make_design(CFL.settings("smoke", SMALL), None)
    changes = ("run.select=dev", "suites.builtin.test_length=64")
    changed = make_design(CFL.settings("smoke", (*SMALL, *changes)), None)
    assert plain.predictions.keys() == changed.predictions.keys()
    for model, (step, split) in plain.predictions.items():
        other = changed.predictions[model]
        assert other.split == split
        assert (step.max_length, other.step.max_length) == (None, 64)
        assert (step.training.key == other.step.training.key) == (model.setup == BASE)
    categories = changed.suites["builtin"].categories or {}
    name = next(iter(categories))
    step = changed.predictions[Model("builtin", FEW_SHOT, "finetune", name, 1)].step
    assert step.training.dev == categories[name].dev.identity
    assert "test_length" not in plain.settings.suites["builtin"].model_dump()
    assert "select" not in plain.settings.run.model_dump()


def test_paper_preset_has_the_papers_values() -> None:
    """Section 3.1 (sets), 5 (orders) and appendix D (tokens, learning rates, batch, selection), equation 3 (anchor)."""
    paper = CFL.settings("paper")
    assert (paper.suites["anli"].sets, paper.suites["anli"].orders) == (5, 10)
    assert {(suite.max_length, suite.test_length) for suite in paper.suites.values()} == {(128, 256)}
    assert (paper.train.learning_rate, paper.correct.learning_rate, paper.correct.batch_size) == (2e-5, 1e-5, 32)
    assert paper.run.select == "dev"
    assert paper.strategy["mas"]["anchor"] == "base"
