"""Runs have names: they are listed, opened, compared, exported and reported by name."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import trivium as tv
from trivium.cli.main import run as call
from trivium.engine.records import RunRecord, check_name, read_record, running, write_record
from trivium.engine.store import Store
from trivium.learn.strategy import STRATEGIES
from trivium.session import Session

SMALL = {"run.orders": ["ver-nat"], "run.strategies": ["finetune", "er-res"]}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A session with a finished run called ``first``."""
    session = Session(tmp_path_factory.mktemp("named") / "store", executor="inline", progress=False)
    session.run("c2gen", preset="smoke", set=SMALL, name="first")
    return session


def test_a_run_is_recorded_with_its_settings_and_steps(session: Session) -> None:
    record = read_record(session.store, "first")
    assert record.benchmark == "c2gen"
    assert record.finished is not None
    assert len(record.steps) == 8
    assert all(key in session.store for key in record.steps)
    assert record.settings["run"]["strategies"] == ["finetune", "er-res"]


def test_a_run_without_a_name_gets_one_from_its_settings(session: Session) -> None:
    again = session.run("c2gen", preset="smoke", set=SMALL)
    assert again.name.startswith("c2gen-smoke-")
    assert session.run("c2gen", preset="smoke", set=SMALL).name == again.name
    assert session.open_run(again.name).rows() == again.rows()


def test_the_rows_are_tidy(session: Session) -> None:
    frame = session.open_run("first").to_frame()
    assert {"fold", "seed", "setting", "strategy", "stage", "test", "metric", "value", "examples"} <= set(frame.columns)
    composed = frame[(frame["setting"] == "cgen") & (frame["metric"] == "CI")]
    assert composed["examples"].tolist() == [24]


def test_rows_are_in_per_cent_with_intervals_and_forgetting(session: Session) -> None:
    rows = session.open_run("first").rows()
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows)
    before, after = (
        next(r for r in rows if (r["setting"], r["strategy"], r["stage"], r["metric"]) == ("ver-nat", name, stage, "V"))
        for name, stage in (("finetune", 1), ("er-res", 2))
    )
    lost = next(row for row in rows if row["metric"] == "Forget" and row["strategy"] == "er-res")
    assert lost["value"] == pytest.approx(100 * (before["value"] - after["value"]) / before["value"])
    assert (lost["fold"], lost["stage"]) == (after["fold"], 2)
    assert max(row["value"] for row in rows) > 1


def test_a_comparison_includes_forgetting_and_says_if_nothing_differs(session: Session) -> None:
    forget = next(row for row in session.compare("first", "finetune", "er-res").rows() if row["metric"] == "Forget")
    cells = {
        row["row"]: row["value"]
        for row in session.open_run("first").tables["table-6"].rows()
        if row["group"] == "ver → nat" and row["column"].startswith("Forget")
    }
    assert [forget["finetune"], forget["er-res"]] == pytest.approx([cells["Fine-tuning"], cells["ER-Res"]])
    same = session.compare("first", "first")
    assert any("check that they differ at all" in note for note in same.notes)


def test_a_chart_is_saved_and_read_as_rows(session: Session, tmp_path: Path) -> None:
    chart = session.open_run("first").charts["forgetting"]
    for ending, start in (("svg", b"<svg"), ("png", b"\x89PNG"), ("html", b"<svg")):
        assert chart.save(tmp_path / f"chart.{ending}").read_bytes().startswith(start)
    assert {"x", "measured", "measured_low", "published"} <= set(chart.to_frame().columns)
    with pytest.raises(tv.UserError, match=r"must be an \.svg, \.png or \.html file"):
        chart.save(tmp_path / "chart.pdf")
    assert "no-such-chart" not in session.open_run("first").charts


def test_the_losses_of_every_training_are_kept_and_drawn(session: Session) -> None:
    run = session.open_run("first")
    for _, step in run.experiment.predictions():
        losses = session.store.losses(step.training.key)
        assert losses is not None
        assert len(losses) == -(-step.training.size // step.training.train.batch_size)
    assert "learning-curves" in [chart.name for chart in run.document().charts]


def test_strategies_of_a_run_are_compared_in_pairs(session: Session) -> None:
    comparison = session.compare("first", "finetune", "er-res")
    row = next(row for row in comparison.rows() if row["metric"] == "N")
    rows = session.open_run("first").rows()
    values = {r["strategy"]: r["value"] for r in rows if r["metric"] == "N" and r["stage"] == 2}
    assert row["difference_value"] == pytest.approx(values["er-res"] - values["finetune"])
    assert row["trainings"] == 1
    assert any("One training" in note for note in comparison.notes)
    with pytest.raises(tv.UserError, match="unknown strategy of this run 'er-rse': did you mean 'er-res'"):
        session.compare("first", "finetune", "er-rse")


def test_a_run_compared_with_itself_does_not_differ(session: Session) -> None:
    comparison = session.compare("first", "first")
    assert {row["verdict"] for row in comparison.rows()} == {"one training: not decidable"}
    assert {row["difference_value"] for row in comparison.rows()} == {0.0}


def test_commands_take_the_name_of_a_run(session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = ["--store", session.store.url]
    assert call(["claims", "first", *store]) == 0
    assert call(["report", "first", "--out", str(tmp_path / "r.html"), *store]) == 0
    assert "Learning curves" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert (
        call(["compare", "first", "--strategies", "finetune,er-res", "--json", str(tmp_path / "c.json"), *store]) == 0
    )
    assert json.loads((tmp_path / "c.json").read_text())["first"] == "finetune"
    for format in ("csv", "json", "parquet"):
        file = tmp_path / f"rows.{format}"
        assert call(["export", "first", "--format", format, "--out", str(file), *store]) == 0
        assert file.stat().st_size
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as opened:
        assert len(list(csv.DictReader(opened))) == len(session.open_run("first").rows())
    assert call(["status", *store]) == 0
    said = capsys.readouterr().out
    assert "Nothing is running" in said
    assert "first" in said


def test_an_unknown_name_gets_a_suggestion(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["claims", "fisrt", "--store", session.store.url]) == 2
    assert "no run named 'fisrt'" in capsys.readouterr().err


def test_a_name_cannot_be_reused_for_other_settings(session: Session) -> None:
    with pytest.raises(tv.UserError, match="name='first': already used by a run with other settings"):
        session.run("c2gen", preset="smoke", set={**SMALL, "run.seeds": [7]}, name="first")
    with pytest.raises(tv.UserError, match="use letters, digits"):
        session.run("c2gen", preset="smoke", set=SMALL, name="../first")


PLUGIN = """
import trivium as tv

@tv.strategy("louder")
class Louder(tv.Strategy):
    def step(self, learner, batch, state):
        return learner.backward({factor} * learner.loss(batch))
"""


def test_a_run_can_be_read_without_the_code_of_its_strategies(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(STRATEGIES, "_components", dict(STRATEGIES.items()))
    plugin = tmp_path / "louder.py"
    plugin.write_text(PLUGIN.format(factor=2))
    mine = Session(session.store, "inline", progress=False, plugins=[plugin])
    changes = {**SMALL, "run.strategies": ["finetune", "louder"]}
    rows = mine.run("c2gen", preset="smoke", set=changes, name="mine").rows()
    plugin.unlink()
    monkeypatch.setattr(STRATEGIES, "_components", {n: c for n, c in STRATEGIES.items() if n != "louder"})
    assert session.open_run("mine").rows() == rows
    assert call(["compare", "mine", "--strategies", "finetune,louder", "--store", session.store.url]) == 0
    assert "louder" in capsys.readouterr().out


def test_a_run_that_fails_leaves_the_record_of_a_finished_one(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_record(session.store, "first")
    monkeypatch.setattr(Session, "run_steps", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        session.run("c2gen", preset="smoke", set=SMALL, name="first")
    assert read_record(session.store, "first") == before


def test_what_a_run_does_not_use_is_a_warning(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(STRATEGIES, "_components", dict(STRATEGIES.items()))
    plugin = tmp_path / "unused.py"
    plugin.write_text(PLUGIN.format(factor=2))
    changes = {**SMALL, "strategy.kd.weight": 2}
    Session(session.store, plugins=[plugin]).run("c2gen", preset="smoke", set=changes)
    warned = capsys.readouterr().err
    assert f"The strategy 'louder' of {plugin} is not part of this run: set=['run.strategies=" in warned
    assert "set=['strategy.kd.weight=2'] has no effect: 'kd' is not part of this run" in warned


def test_an_unknown_strategy_may_be_one_of_your_own(session: Session) -> None:
    with pytest.raises(tv.UserError, match=r"unknown strategy 'louder': .* needs plugins='FILE.py'"):
        session.plan("c2gen", preset="smoke", set={"run.strategies": ["louder"]})


def test_garbage_collection_keeps_what_runs_use(session: Session, tmp_path: Path) -> None:
    import shutil

    folder = shutil.copytree(session.store.url, tmp_path / "store")
    store = Store(folder).open()
    with store.writing("0" * 64, {"split": "nothing"}):
        pass
    used = frozenset(key for record in session.runs() for key in record.steps)
    unused = store.collect_garbage(used, remove=False)
    assert [name for name in unused if name.startswith("steps/")] == ["steps/" + "0" * 64]
    store.collect_garbage(used, remove=True)
    assert "0" * 64 not in store
    assert all(key in store for key in used)
    assert Session(store, progress=False).open_run("first").rows()


def test_a_damaged_record_is_one_line(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    record = RunRecord(name="x", benchmark="c2gen", preset="smoke", settings={}, version="0", started="now")
    write_record(store, record)
    assert read_record(store, "x") == record
    for text in ("{", "", "[]", store.read("runs/x.json").replace("smoke", "smokf")):
        store.write("runs/x.json", text)
        with pytest.raises(tv.UserError, match=r"x\.json in the store .*: damaged"):
            read_record(store, "x")
    check_name(store, "x", {})
    write_record(store, record)
    assert read_record(store, "x") == record
    store.write("runs/x.json", "{")
    with pytest.raises(tv.UserError, match=r"x\.json in the store .*: damaged"):
        read_record(store, "x")


def test_progress_of_an_ended_process_is_removed(tmp_path: Path) -> None:
    import socket

    store = Store(tmp_path).open()
    state = {"name": "x", "process": 2**22 + 1, "host": socket.gethostname()}
    store.write("progress/1.json", json.dumps(state))
    assert list(running(store)) == []
    assert store.names("progress") == []
