"""CFL from settings to tables: presets, a small run that is read rightly, runs in two parts, mistakes in one line."""

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
    _Wanted,
    make_design,
    random_orders,
)
from trivium.benchmarks.cfl.results import AVERAGE, Results
from trivium.build.edits.suites import Suite, find_suites, load_suite, suite
from trivium.build.edits.suites.builtin import BuiltinSuite
from trivium.cli.main import app
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
    result = CliRunner().invoke(app, ["run", "cfl", "--preset", "smoke", *FLAGS, "--store", str(store)])
    assert result.exit_code == 0, result.output
    assert "Table 12" in result.output
    return store


def read(store: Path) -> tuple[CflDesign, Results]:
    place = Store(store).open()
    design = make_design(CFL.settings("smoke", SMALL), place)
    return design, Results(design, place)


@pytest.mark.parametrize("preset", CFL.presets)
def test_every_preset_can_be_read(preset: str) -> None:
    settings = CFL.settings(preset)
    assert settings.suites
    assert all(settings.model_of(name).name == settings.model.name for name in settings.suites)


def test_what_the_paper_prints_adds_up() -> None:
    """Averages are those of the columns, but for two that the paper has a tenth or two lower."""
    off = []
    for figures in (published.FEW_SHOT, published.CONTINUAL):
        for suite_name, methods in figures.items():
            for method, columns in methods.items():
                tests = [name for name in columns if name not in ("MNLI-m", "SNLI", "IMDB", AVERAGE)]
                mean = np.mean([columns[name].value for name in tests])
                if abs(mean - columns[AVERAGE].value) > 0.15:
                    off.append((suite_name, method, round(float(mean), 1), columns[AVERAGE].value))
    assert off == []
    assert set(published.FEW_SHOT["anli"]["pn"]) == {"MNLI-m", *CATEGORIES, AVERAGE}
    assert published.IN_TURN["Imperfections"]["Basic"] == published.CONTINUAL["anli"]["finetune"]["Basic"]


def test_a_run_has_every_prediction_and_a_second_run_does_nothing(finished: Path) -> None:
    design, results = read(finished)
    assert all(asked.step.key in results.store for asked in design.predictions.values())
    # 4 categories, 2 support sets, 2 strategies; in turn 4 of the strategy that is followed, 1 of the other
    assert Counter(model.setup for model in design.predictions) == {BASE: 1, FEW_SHOT: 16, CONTINUAL: 5, ORDERS: 1}
    result = CliRunner().invoke(app, ["run", "cfl", "--preset", "smoke", *FLAGS, "--store", str(finished)])
    assert " 0 to do" in result.output.replace("\n", " ")


def test_a_stored_accuracy_is_that_of_the_logits(finished: Path) -> None:
    design, results = read(finished)
    part = design.parts["builtin"]
    assert part.categories is not None

    def by_hand(model: Model, test: str, setup: str) -> float:
        asked = design.predictions[model]
        logits = results.store.logits(asked.step.key)["nli"]
        said = {e.id: asked.split.labels.names[int(line.argmax())] for e, line in zip(asked.split, logits, strict=True)}
        tested = results.tested("builtin", setup, test)
        return float(np.mean([said[e.id] == e.label for e in tested]))

    for name in part.categories:
        sets = [by_hand(Model("builtin", FEW_SHOT, "mas", name, number), name, FEW_SHOT) for number in (1, 2)]
        found = results.accuracy("builtin", FEW_SHOT, "mas", name)
        assert found is not None
        assert found.quantity[0] == pytest.approx(np.mean(sets))
        assert found.spread == pytest.approx(np.std(sets, ddof=1))
    every = [
        by_hand(Model("builtin", FEW_SHOT, "mas", name, number), "built-in", FEW_SHOT)
        for name in part.categories
        for number in (1, 2)
    ]
    base = results.accuracy("builtin", FEW_SHOT, "mas", "built-in")
    assert base is not None
    assert base.quantity[0] == pytest.approx(np.mean(every))
    last = list(part.turns)[-1]
    turn = results.accuracy("builtin", CONTINUAL, "finetune", AVERAGE)
    final = [by_hand(Model("builtin", CONTINUAL, "finetune", last), name, CONTINUAL) for name in part.turns]
    assert turn is not None
    assert turn.quantity[0] == pytest.approx(np.mean(final))


def test_prototypes_and_neighbours_are_what_the_vectors_say(finished: Path) -> None:
    """By loops over the stored vectors: a category alone has its own support, in turn all supports are pooled."""
    design, results = read(finished)
    part = design.parts["builtin"]
    assert part.categories is not None
    embedded = design.vectors["builtin", "cross-entropy"]
    asked = dict(zip(part.asked, results.store.vectors(embedded.asked.key)["nli"].astype(np.float64), strict=True))
    base = list(zip(part.base, results.store.vectors(embedded.base.key)["nli"].astype(np.float64), strict=True))

    def means(shown: list) -> list:
        labels = sorted({example.label for example, _ in shown})
        return [(label, np.mean([v for e, v in shown if e.label == label], axis=0)) for label in labels]

    def share(tested, pool: list) -> float:
        said = [min(pool, key=lambda one, v=asked[e]: np.linalg.norm(v - one[1]))[0] for e in tested]
        return float(np.mean([label == e.label for label, e in zip(said, tested, strict=True)]))

    def measured(setup: str, method: str, test: str) -> float:
        found = results.accuracy("builtin", setup, method, test)
        assert found is not None
        return float(found.quantity[0])

    name, category = next(iter(part.categories.items()))
    alone = [share(category.test, means([(e, asked[e]) for e in support])) for support in category.supports]
    assert measured(FEW_SHOT, PROTOTYPES, name) == pytest.approx(np.mean(alone))
    assert measured(FEW_SHOT, PROTOTYPES, "built-in") == pytest.approx(share(part.suite.tests["built-in"], means(base)))
    pool = means(base)
    for one in part.turns.values():
        pool += means([(e, asked[e]) for e in one.supports[0]])
    turn = part.turns[name]
    assert measured(CONTINUAL, PROTOTYPES, name) == pytest.approx(share(turn.test, pool))
    known = [(e.label, v) for e, v in base]
    known += [(e.label, asked[e]) for one in part.turns.values() for e in one.supports[0]]
    number = results.neighbours("builtin", CONTINUAL)
    right = 0
    for e in turn.test:
        near = sorted(known, key=lambda one, v=asked[e]: np.linalg.norm(v - one[1]))[:number]
        votes = Counter(label for label, _ in near)
        first = {label: place for place, (label, _) in reversed(list(enumerate(near)))}
        right += max(votes, key=lambda label: (votes[label], -first[label])) == e.label
    assert measured(CONTINUAL, NEIGHBOURS, name) == pytest.approx(right / len(turn.test))


def test_categories_are_learned_one_after_another(finished: Path) -> None:
    design, _ = read(finished)
    part = design.parts["builtin"]
    names = list(part.turns)
    step = design.predictions[Model("builtin", CONTINUAL, "mas", names[-1])].step.training
    learned = []
    while step.parent is not None:
        learned.append(step.split)
        step = step.parent
    assert learned == [part.turns[name].supports[0].identity for name in reversed(names)]
    assert step.split == part.base.identity
    assert step.strategy.name == "finetune"


def test_random_orders_are_orders_and_more_of_them_begin_alike() -> None:
    names = list("abcdef")
    few, many = random_orders(names, 3, 0), random_orders(names, 10, 0)
    assert many[:3] == few
    assert all(sorted(order) == names for order in many)
    assert len({tuple(order) for order in many}) > 5


def test_everything_that_is_read_from_a_run_is_there(finished: Path, tmp_path: Path) -> None:
    for name in ("report.html", "report.md"):
        command = ["report", "cfl", "--preset", "smoke", *FLAGS, "--store", str(finished)]
        result = CliRunner().invoke(app, [*command, "--out", str(tmp_path / name)])
        assert result.exit_code == 0, result.output
    text = (tmp_path / "report.md").read_text()
    assert "Prototypes (PN)" in text
    assert "Table 12" in text
    _, results = read(finished)
    decided = claims(results)
    assert {Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED} & {one.verdict for one in decided}
    assert all(one.needs for one in decided if one.verdict == Verdict.NOT_RUN)


@pytest.fixture
def faulty():
    """A suite whose base must be asked before its categories are known."""

    @suite("faulty")
    class Faulty(BuiltinSuite):
        about = "the built-in suite, but only what the base gets wrong"

        def load(self, limit: int, test: int, seed: int) -> Suite:
            made = super().load(limit, test, seed)
            return Suite("faulty", "Faulty", made.task, made.labels, made.base, made.tests, made.categories, 1, True)

    yield
    find_suites()._parts.pop("faulty")


def test_what_a_base_gets_wrong_is_planned_when_it_has_been_asked(faulty: None, tmp_path: Path) -> None:
    store = Store(tmp_path / "store").open()
    plain = CFL.settings("smoke", SMALL).model_dump() | {"suites": {"faulty": {"limit": 60, "test": 30}}}
    settings = type(CFL.settings("smoke")).model_validate(plain)
    before = make_design(settings, store)
    assert before.pending == ["faulty"]
    assert {model.setup for model in before.predictions} == {BASE}
    asked = before.predictions[Model("faulty", BASE)]
    logits = np.zeros((len(asked.split), 3), dtype=np.float32)
    wrong = {e for number, e in enumerate(asked.split) if number % 2 == 0}
    for place, example in enumerate(asked.split):
        gold = asked.split.labels.index(str(example.label))
        logits[place] = np.eye(3)[(gold + (example in wrong)) % 3]
    with store.writing(asked.step.key, asked.step.inputs()) as folder:
        save_file({"nli": logits}, folder / "logits.safetensors")
    after = make_design(settings, store)
    assert after.pending == []
    categories = after.parts["faulty"].categories
    assert categories
    for category in categories.values():
        assert {e for split in (*category.supports, category.dev, category.test) for e in split} <= wrong
    assert {model.setup for model in after.predictions} == {BASE, FEW_SHOT, CONTINUAL}


def test_a_run_in_two_parts_needs_one_command(faulty: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def all_wrong(self: _Wanted, asked: Split, store: Store) -> Mapping[str, Sequence[Example]] | None:
        """A model that has learned nothing says one label of everything, and never gets that one wrong."""
        return self.suite.categories if self.predictions[Model("faulty", BASE)].step.key in store else None

    monkeypatch.setattr(_Wanted, "_errors", all_wrong)
    preset = tmp_path / "own.toml"
    text = Path(CFL.presets["smoke"]).read_text().replace("[suites.builtin]", "[suites.faulty]")
    preset.write_text(text.replace('["finetune", "scl", "mas"]', '["finetune"]').replace('["er-res"]', "[]")
                      .replace('"few-shot", "continual", "orders"', '"continual"')
                      .replace('"cross-entropy", "prototypical"', '"cross-entropy"'))  # fmt: skip
    command = ["--preset", str(preset), "--store", str(tmp_path / "store")]
    planned = CliRunner().invoke(app, ["plan", "cfl", *command])
    assert "planned when they have been asked" in planned.output.replace("\n", " ")
    result = CliRunner().invoke(app, ["run", "cfl", *command, "--workers", "1"])
    assert result.exit_code == 0, result.output
    assert "Faulty: categories in turn" in result.output
    assert "is done again" not in result.output


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("suites.anly.limit=3", "anli"),
        ("run.losses=['prototypical']", "the base that is corrected is trained with cross-entropy"),
        ("run.each=0", "run.each"),
        ("run.strategies=['finetune', 'finetune']", "finetune"),
        ("suites.builtin.sets=0", "suites.builtin.sets"),
    ],
)
def test_mistakes_in_settings_are_named(change: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        CFL.settings("smoke", [change])


def test_what_cannot_be_run_is_said_before_it_is() -> None:
    with pytest.raises(ConfigError, match=r"unknown strategy 'mass': did you mean 'mas'"):
        make_design(CFL.settings("smoke", ["run.strategies=['mass']"]), None)
    with pytest.raises(ConfigError, match=r"unknown strategy 'finetun': did you mean 'finetune'"):
        make_design(CFL.settings("smoke", ["run.followed=['finetun']"]), None)
    with pytest.raises(UserError, match=r"no category with 3 × 40 examples of each label \(Negation 240"):
        make_design(CFL.settings("smoke", ["run.each=40", "suites.builtin.sets=3"]), None)


@pytest.mark.usefixtures("real_data")
def test_sizes_of_the_third_round_are_near_the_papers() -> None:
    settings = CFL.settings("laptop", ["suites.anli.sets=5"])
    only = settings.model_copy(update={"suites": {"anli": settings.suites["anli"]}})
    part = make_design(only, None).parts["anli"]
    assert part.categories is not None
    for name, sizes in published.SIZES["anli"].items():
        assert sum(map(len, part.categories[name].supports)) == sizes.train[0]
        assert part.categories[name].total == pytest.approx(sizes.total[0], abs=12)
        assert part.turns[name].total == pytest.approx(sizes.total[1], abs=30)
        assert load_suite("anli", 10, 10, 0).sets == 5
    assert ZERO_SHOT in published.FEW_SHOT["anli"]
