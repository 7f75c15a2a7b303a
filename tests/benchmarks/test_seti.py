"""SETI from its settings to its tables: every preset builds, a small run is read rightly, mistakes are one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from trivium.benchmarks.benchmark import find_benchmarks
from trivium.benchmarks.seti.protocol import COMPOSITIONAL, IN_DISTRIBUTION, Reading, build_data, chains_of, prepare
from trivium.benchmarks.seti.published import LEXICAL_PAIRS, MISSING_RULES, STRUCTURAL_PAIRS, TABLE_5
from trivium.benchmarks.seti.results import Results
from trivium.benchmarks.seti.settings import PRESETS, load_settings
from trivium.build.systematicity import SETTINGS
from trivium.cli.main import app
from trivium.engine.store import Store
from trivium.errors import ConfigError

SMALL = ("run.settings=['task2-trivial', 'task2-nontrivial']", "run.shots=[2]")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_built_with_nothing_downloaded(preset: str) -> None:
    settings = load_settings(preset, ("source=builtin", "data.structural=30"))
    built = build_data(settings)
    assert list(built.splits) == list(settings.run.settings)
    assert list(built.chains) == list(settings.run.depths)


def test_the_papers_table_5_follows_from_two_numbers() -> None:
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


def test_chains_are_half_entailed_and_have_their_depth() -> None:
    inferences = build_data(load_settings("smoke", SMALL)).inferences
    chains = chains_of(inferences, 3, 40, np.random.default_rng(0))
    assert chains.counts() == {"entailed": 20, "not-entailed": 20}
    assert all(example.premise.count("omeone") == 3 and example.fact("depth") == "3" for example in chains)


def test_shots_start_from_the_model_of_their_seed_and_are_asked_about_both_parts() -> None:
    wanted = prepare(load_settings("smoke", SMALL), None).wanted
    shot = wanted[Reading("task2-nontrivial", COMPOSITIONAL, 0, shots=2)]
    assert shot.training.parent == wanted[Reading("task2-nontrivial", COMPOSITIONAL, 0)].training
    assert shot.training.size == 2
    assert wanted[Reading("task2-nontrivial", COMPOSITIONAL, 0, 2, part="dev")].training == shot.training
    assert Reading("task2-trivial", COMPOSITIONAL, 0, shots=2) not in wanted
    assert Reading("task2-trivial", IN_DISTRIBUTION, 0, depth=2) in wanted


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("seti") / "store"
    options = [word for change in SMALL for word in ("--set", change)]
    result = CliRunner().invoke(app, ["run", "seti", "--preset", "smoke", *options, "--store", str(store)])
    assert result.exit_code == 0, result.output
    assert "Figure 2, numbers" in result.output
    assert "Task 2, trivial: " in result.output
    return store


def test_a_stored_accuracy_is_that_of_the_logits(finished: Path) -> None:
    store = Store(finished).open()
    protocol = prepare(load_settings("smoke", SMALL), store)
    results = Results(protocol, store)
    for reading, step in protocol.wanted.items():
        test = protocol.test(reading)
        said = store.logits(step.key)["nli"].argmax(axis=1)
        right = [test.labels.names[place] == example.label for place, example in zip(said, test, strict=True)]
        found = results.of(reading)
        assert found is not None
        assert found[0] == pytest.approx(np.mean(right))


def test_everything_that_is_read_from_a_run_is_there(finished: Path, tmp_path: Path) -> None:
    store = Store(finished).open()
    prepared = find_benchmarks()["seti"].prepare(load_settings("smoke", SMALL), store)
    assert [table.name for table in prepared.tables(store)] == [
        "Table 5", "Figure 1, numbers", "Figure 2, numbers", "Depth",
    ]  # fmt: skip
    assert [chart.name for chart in prepared.charts(store)] == ["figure-1", "figure-2", "depth"]
    claims = prepared.claims(store)
    decided = {claim.text for claim in claims if claim.measured is not None}
    assert any("2 shots, as many as rules are missing" in text for text in decided)
    assert all(claim.needs for claim in claims)
    options = [word for change in SMALL for word in ("--set", change)]
    command = ["report", "seti", "--preset", "smoke", *options, "--store", str(finished), "--out"]
    for name in ("r.html", "r.md"):
        result = CliRunner().invoke(app, [*command, str(tmp_path / name)])
        assert result.exit_code == 0, result.output
        assert "Task 2, non-trivial" in (tmp_path / name).read_text()


def test_the_data_is_written_for_others_to_use(tmp_path: Path) -> None:
    command = ["build", "seti", "--preset", "smoke", "--set", "run.settings=['task3-trivial']", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert "Task 3, trivial: no test example is trained (compositional)" in " ".join(result.output.split())
    written = sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*.jsonl"))
    assert "task3-trivial/compositional/train.jsonl" in written
    assert "chains/depth-2.jsonl" in written


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("run.settings=['task2']", "there is no setting 'task2': there is task1"),
        ("run.shots=[1, 1]", "each may be named once, but 1 is there twice"),
        ("run.shots=[0]", "run.shots.0"),
        ("data.dev=0.6", "data.dev"),
        ("run.depths=[9]", "run.depths.0"),
    ],
)
def test_a_mistake_in_the_settings_is_named(change: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_settings("smoke", (change,))
    assert said in str(error.value)
    assert f"--set {change}" in str(error.value)
