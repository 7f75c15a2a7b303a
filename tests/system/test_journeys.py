"""Whole journeys through the command line, and what it says to mistakes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Small = tuple[str, ...]
Trivium = Callable[..., "subprocess.CompletedProcess[str]"]

PLUGIN = '''
from dataclasses import dataclass

from trivium.learn.memory import reservoir
from trivium.learn.strategy import Strategy, strategy


@strategy("rehearse")
@dataclass(frozen=True)
class Rehearse(Strategy):
    """Train on the whole memory with every batch."""

    memory_size: int = 10

    def step(self, learner, batch, memory):
        return learner.backward(learner.loss([*batch, *memory.examples]))

    def end_stage(self, learner, stage, memory):
        return reservoir(memory, stage, self.memory_size, learner.rng)
'''


def test_list_shows_every_kind_of_part(trivium: Trivium) -> None:
    said = trivium("list").stdout
    for word in (
        "c2gen",
        "laptop",
        "finetune",
        "er-res",
        "er-buff",
        "er-mir",
        "agem",
        "kd",
        "minilm",
        "builtin",
        "sick",
    ):
        assert word in said


def test_the_plan_says_what_sharing_saves_and_runs_nothing(trivium: Trivium, tmp_path: Path) -> None:
    done = trivium("plan", "c2gen", "--preset", "smoke", "--store", tmp_path / "store")
    assert done.returncode == 0, done.stderr
    assert "45 steps" in done.stdout
    assert "30 saved" in done.stdout
    assert not (tmp_path / "store" / "steps").exists()


def test_build_writes_the_same_bytes_for_the_same_seed(trivium: Trivium, tmp_path: Path) -> None:
    options = ("--source", "builtin", "--preset", "smoke")
    for name in ("a", "b"):
        done = trivium("build", "c2gen", *options, "--out", tmp_path / name)
        assert done.returncode == 0, done.stderr
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*.jsonl"))
    assert [str(file) for file in files] == [f"fold-1/{n}.jsonl" for n in ("composed", "nat", "primitive", "ver")]
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    other = trivium("build", "c2gen", *options, "--set", "data_seed=1", "--out", tmp_path / "c")
    assert other.returncode == 0
    assert (tmp_path / "a" / files[1]).read_bytes() != (tmp_path / "c" / files[1]).read_bytes()


def test_build_from_sick_gives_table_4(trivium: Trivium, shared_data: Path) -> None:
    done = trivium("build", "c2gen", "--source", "sick", TRIVIUM_DATA=str(shared_data))
    assert done.returncode == 0, done.stderr
    assert "44730" in done.stdout.replace(",", "")
    assert "no tested composition type is trained" in done.stdout


def test_a_finished_run_can_be_reported_and_judged(
    trivium: Trivium, small: Small, finished: Path, tmp_path: Path
) -> None:
    options = (*small, "--store", finished)
    judged = trivium("claims", *options)
    assert judged.returncode == 0, judged.stderr
    assert "not run" in judged.stdout, "nat-ver was not run"
    assert "1 of 9 folds were run: results may differ in the others." in judged.stdout
    assert "One seed: the intervals do not cover variation between trainings" in " ".join(judged.stdout.split())
    for name in ("report.html", "report.md"):
        done = trivium("report", *options, "--out", tmp_path / name)
        assert done.returncode == 0, done.stderr
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "Table 6" in text
        assert "trivium run c2gen --preset smoke" in text


def test_a_strategy_in_a_users_own_file_is_listed_and_runs(trivium: Trivium, tmp_path: Path) -> None:
    plugin = tmp_path / "my_strategy.py"
    plugin.write_text(PLUGIN)
    assert "Train on the whole memory" in trivium("list", "--plugin", plugin).stdout
    done = trivium(
        "run", "c2gen", "--preset", "smoke", "--set", 'run.strategies=["finetune", "rehearse"]', "--set",
        'run.orders=["ver-nat"]', "--store", tmp_path / "store", "--plugin", plugin,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "rehearse" in done.stdout


def test_a_plan_says_which_trainings_are_repeated_and_how_to_keep_their_models(
    trivium: Trivium, small: Small, finished: Path
) -> None:
    more = ("--set", 'run.strategies=["finetune", "er-res", "kd"]')
    said = " ".join(trivium("plan", *small, *more, "--store", finished).stdout.split())
    assert "1 training must run again because the model was removed" in said
    assert "must run again" not in trivium("plan", *small, "--store", finished).stdout


def test_with_the_shared_models_kept_a_new_strategy_repeats_nothing(
    trivium: Trivium, small: Small, tmp_path: Path
) -> None:
    store = ("--store", tmp_path / "store")
    assert trivium("run", *small, *store, "--keep-models", "shared").returncode == 0
    said = trivium("plan", *small, "--set", 'run.strategies=["finetune", "er-res", "kd"]', *store).stdout
    assert "3 to do" in said
    assert "must run again" not in said


def test_a_sweep_runs_each_value_shares_what_it_can_and_is_reported(
    trivium: Trivium, small: Small, finished: Path, tmp_path: Path
) -> None:
    store = shutil.copytree(finished, tmp_path / "store")  # others compare what is in the finished one
    done = trivium("sweep", small[0], "memory-size", *small[1:], "--values", "5, 100", "--store", store,
                   "--report", tmp_path / "sweep.html")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "trainings" in done.stdout
    assert "11 done, 4 to do" in " ".join(done.stdout.split()), "the memory of 100 was run before"
    assert "ER-Res, Task_CI" in done.stdout
    assert "--values 5,100" in (tmp_path / "sweep.html").read_text()


def test_an_unwritable_report_leaves_nothing_behind(
    trivium: Trivium, small: Small, finished: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    done = trivium("report", *small, "--store", finished, "--out", tmp_path / "file" / "report.html")
    assert done.returncode == 2
    assert "report.html" in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


@pytest.mark.parametrize("arguments", [["list"], ["train", "srl", "--help"]], ids=" ".join)
def test_output_that_nobody_reads_to_its_end_is_no_error(
    program: list[str], environment: dict[str, str], arguments: list[str]
) -> None:
    running = subprocess.Popen([*program, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.close()
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (0, b"")
