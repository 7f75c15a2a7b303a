"""The presets and settings of C²Gen."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.benchmarks.c2gen import C2GEN
from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.errors import ConfigError, UserError
from trivium.settings import read_settings, to_toml

SIX = ("finetune", "er-res", "er-buff", "er-mir", "agem", "kd")
NINE = tuple(range(1, 10))
BOTH = ("ver-nat", "nat-ver")


def problems(preset: str, *overrides: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as error:
        C2GEN.settings(preset, overrides)
    return tuple(problem.what for problem in error.value.problems)


def test_smoke_laptop_and_paper_presets_exist() -> None:
    assert {"smoke", "laptop", "paper"} <= set(C2GEN.presets)


@pytest.mark.parametrize("preset", sorted(C2GEN.presets))
def test_every_preset_survives_a_round_trip_through_toml(preset: str, tmp_path: Path) -> None:
    settings = C2GEN.settings(preset)
    path = tmp_path / "again.toml"
    path.write_text(to_toml(settings), encoding="utf-8")
    assert read_settings(C2GenSettings, path) == settings
    assert C2GEN.settings(str(path)) == settings


@pytest.mark.parametrize("preset", sorted(C2GEN.presets))
def test_every_preset_contains_the_command_that_runs_it(preset: str) -> None:
    assert f"--preset {preset}" in C2GEN.presets[preset].read_text(encoding="utf-8")


def test_paper_preset_has_the_papers_values() -> None:
    paper = C2GEN.settings("paper")
    assert (paper.source, paper.model.name) == ("sick", "FacebookAI/roberta-large")
    data = paper.data
    assert (data.entailment, data.neutral, data.contradiction) == (747, 693, 690)
    assert data.per_type * 4 == 3200
    assert (data.test_composed, data.test_primitive) == (0, 0)
    assert (paper.train.learning_rate, paper.train.batch_size) == (1e-5, 8)
    assert paper.run.folds == NINE
    assert (paper.run.orders, paper.run.strategies) == (BOTH, SIX)
    assert len(paper.run.seeds) == 3


def test_laptop_preset_runs_all_folds_orders_and_strategies_with_a_small_encoder() -> None:
    laptop = C2GEN.settings("laptop")
    assert (laptop.source, laptop.model.name) == ("auto", "minilm")
    assert (laptop.run.folds, laptop.run.orders, laptop.run.strategies) == (NINE, BOTH, SIX)


def test_smoke_preset_needs_no_download() -> None:
    smoke = C2GEN.settings("smoke")
    assert (smoke.source, smoke.model.name) == ("builtin", "tiny")
    assert smoke.run.strategies == SIX


def test_overrides_apply_to_every_group() -> None:
    settings = C2GEN.settings(
        "smoke",
        [
            "train.epochs=2",
            "source=sick",
            "model.name=some/encoder",
            "run.folds=[3,4]",
            'run.orders=["nat-ver"]',
            "data.per_type=8",
            "strategy.er-res.memory_size=50",
        ],
    )
    assert settings.train.epochs == 2
    assert (settings.source, settings.model.name) == ("sick", "some/encoder")
    assert (settings.run.folds, settings.run.orders) == ((3, 4), ("nat-ver",))
    assert settings.data.per_type == 8
    assert settings.strategy == {"er-res": {"memory_size": 50}}
    assert settings.train.batch_size == C2GEN.settings("smoke").train.batch_size


def test_preset_may_be_a_toml_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[run]\nfolds = [5]\n")
    assert C2GEN.settings(str(path)).run.folds == (5,)
    assert C2GEN.settings(str(path), ["run.folds=[6]"]).run.folds == (6,)
    assert C2GEN.settings(str(path)).data.entailment == 747


def test_misspelt_preset_gets_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"unknown preset 'labtop': did you mean 'laptop'\?"):
        C2GEN.settings("labtop")
    missing = tmp_path / "none.toml"
    with pytest.raises(UserError, match=r"none\.toml: cannot be read"):
        C2GEN.settings(str(missing))


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("train.epoch=2", "unknown setting 'train.epoch': did you mean 'epochs'?"),
        ("data.neutrl=5", "unknown setting 'data.neutrl': did you mean 'neutral'?"),
        ("trian.epochs=2", "unknown setting 'trian': did you mean 'train'?"),
        ("run.folds=[0]", "run.folds.0: Input should be greater than or equal to 1 (got 0)"),
        ("run.folds=[10]", "run.folds.0: Input should be less than or equal to 9 (got 10)"),
        ("run.orders=['nat']", "run.orders.0: Input should be 'ver-nat' or 'nat-ver' (got 'nat')"),
        ("data.held_out=0", "data.held_out: Input should be greater than or equal to 1 (got 0)"),
        ("data.test_composed=-1", "data.test_composed: Input should be greater than or equal to 0 (got -1)"),
        ("train.epochs=0", "train.epochs: Input should be greater than or equal to 1 (got 0)"),
        ("model.dropout=1.0", "model.dropout: Input should be less than 1 (got 1.0)"),
        ("train.learning_rate=fast", "train.learning_rate: Input should be a valid number, unable to parse string as a "
         "number (got 'fast')"),
    ],
)  # fmt: skip
def test_one_mistake_is_reported_in_one_line_with_its_value(override: str, message: str) -> None:
    assert problems("smoke", override) == (message,)


@pytest.mark.parametrize("override", ["run.folds=[]", "run.seeds=[]", "run.strategies=[]"])
def test_empty_run_is_rejected(override: str) -> None:
    (message,) = problems("smoke", override)
    assert message.startswith(override.partition("=")[0])


def test_all_mistakes_are_reported_at_once() -> None:
    messages = problems("smoke", "train.epochs=0", "data.per_type=0", "run.folds=[1, 99]", "model.nam=x")
    assert len(messages) == 4
    assert {message.partition(":")[0] for message in messages} == {
        "train.epochs", "data.per_type", "run.folds.1", "unknown setting 'model.nam'",
    }  # fmt: skip


def test_misspelt_setting_in_an_optional_group_gets_a_suggestion() -> None:
    assert problems("smoke", "model.adapter.rnk=8") == ("unknown setting 'model.adapter.rnk': did you mean 'rank'?",)


def test_representations_of_an_order_that_is_not_run_are_rejected() -> None:
    (message,) = problems("smoke", 'run.orders=["ver-nat"]', 'run.representations=["nat-ver"]')
    assert "representations has nat-ver, which is not in orders" in message
