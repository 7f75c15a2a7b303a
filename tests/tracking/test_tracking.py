"""What a tracker was given can be read back with the tools of TensorBoard and MLflow."""

from __future__ import annotations

import builtins
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trivium.errors import UserError
from trivium.plugins import load_plugins
from trivium.tracking import Tracker, find_trackers, open_tracker

SETTINGS = {"source": "builtin", "train": {"epochs": 2, "learning_rate": 5e-5}, "run": {"folds": [1, 5]}}
NEEDY = """
@tv.tracker("needy")
class Needy(Diary):
    def __init__(self, file):
        import package_that_nobody_has
"""
LOSSES = np.array([1.25, 0.5, 0.125], dtype=np.float32)


def _track(tracker: Tracker, report: Path) -> None:
    report.write_text("<p>done</p>", encoding="utf-8")
    tracker.start("c2gen-smoke", SETTINGS)
    tracker.losses("er-res, ver → nat", LOSSES)
    tracker.metrics({"V+N": 0.75})
    tracker.report(report)
    tracker.finish()


def test_tensorboard_holds_settings_losses_metrics_and_the_report(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    _track(open_tracker(f"tensorboard:{tmp_path / 'logs'}"), tmp_path / "report.html")
    run = tmp_path / "logs" / "c2gen-smoke"
    events = EventAccumulator(str(run)).Reload()
    losses = events.Scalars("loss/er-res, ver → nat")
    assert [(event.step, event.value) for event in losses] == [(0, 1.25), (1, 0.5), (2, 0.125)]
    assert [event.value for event in events.Scalars("V+N")] == [0.75]
    texts = {tag: events.Tensors(tag)[0].tensor_proto.string_val[0].decode() for tag in events.Tags()["tensors"]}
    assert '"epochs": 2' in texts["settings/text_summary"]
    assert "report.html" in texts["report/text_summary"]
    assert (run / "report.html").read_text(encoding="utf-8") == "<p>done</p>"


@pytest.mark.parametrize("uri", ["{}/folder", "sqlite:///{}/folder/mlflow.db"])
def test_mlflow_holds_settings_losses_metrics_and_the_report(tmp_path: Path, uri: str) -> None:
    from mlflow import MlflowClient

    (tmp_path / "folder").mkdir()
    _track(open_tracker("mlflow:" + uri.format(tmp_path)), tmp_path / "report.html")
    client = MlflowClient(tracking_uri=f"sqlite:///{tmp_path}/folder/mlflow.db")
    experiment = client.get_experiment_by_name("trivium")
    assert experiment is not None
    (run,) = client.search_runs([experiment.experiment_id])
    assert (run.info.run_name, run.info.status) == ("c2gen-smoke", "FINISHED")
    assert run.data.params["train.epochs"] == "2"
    assert run.data.params["run.folds"] == "[1, 5]"
    assert run.data.metrics["V_N"] == 0.75
    history = client.get_metric_history(run.info.run_id, "loss/er-res_ ver _ nat")
    assert sorted((metric.step, metric.value) for metric in history) == [(0, 1.25), (1, 0.5), (2, 0.125)]
    assert [file.path for file in client.list_artifacts(run.info.run_id)] == ["report.html"]
    assert list((tmp_path / "folder" / "artifacts").rglob("report.html"))


def test_mlflow_takes_more_values_than_one_call_allows_and_cuts_long_ones(tmp_path: Path) -> None:
    from mlflow import MlflowClient

    tracker = open_tracker(f"mlflow:{tmp_path}")
    tracker.start("many", {f"setting-{number}": "x" * 10_000 for number in range(150)})
    tracker.losses("long", np.arange(1500, dtype=np.float32))
    tracker.losses("y" * 400, LOSSES)
    tracker.finish()
    client = MlflowClient(tracking_uri=f"sqlite:///{tmp_path}/mlflow.db")
    (run,) = client.search_runs(["1"])
    assert len(run.data.params) == 150
    assert set(map(len, run.data.params.values())) == {500}
    assert len(client.get_metric_history(run.info.run_id, "loss/long")) == 1500


def test_a_uri_that_mlflow_refuses_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"track='mlflow:nonsense://x': MLflow cannot use this URI: .+") as caught:
        open_tracker("mlflow:nonsense://x")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tensorbord:runs", "unknown tracker 'tensorbord': did you mean 'tensorboard'?"),
        ("tensorboard", "track='tensorboard': missing argument: write NAME:ARGUMENT, for example tensorboard:runs"),
        ("mlflow:", "track='mlflow:': missing argument: write NAME:ARGUMENT, for example tensorboard:runs"),
    ],
)
def test_a_mistake_in_the_option_is_explained_in_one_line(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        open_tracker(text)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", ["tensorboard", "mlflow"])
def test_a_missing_package_names_the_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = builtins.__import__

    def without(module: str, *rest: Any, **options: Any) -> Any:
        if module in {name, f"torch.utils.{name}"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(module, *rest, **options)

    find_trackers()
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UserError) as caught:
        open_tracker(f"{name}:somewhere")
    expected = f"the package {name!r} is not installed: pip install 'trivium-nli[{name}]'"
    assert str(caught.value) == f"track='{name}:somewhere': {expected}"


def test_finding_trackers_imports_neither_package() -> None:
    check = (
        "import sys; from trivium.tracking import find_trackers; print(list(find_trackers()));"
        "sys.exit(bool({'torch', 'mlflow', 'tensorboard'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", check], check=False, timeout=60, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "['mlflow', 'tensorboard']\n")


def test_the_tracker_of_the_documentation_works_as_a_plugin(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "add-a-tracker.md").read_text(encoding="utf-8")
    code = page.split("```python\n", 1)[1].split("```", 1)[0]
    plugin = tmp_path / "diary.py"
    plugin.write_text(f"{code}\n\n{NEEDY}", encoding="utf-8")
    load_plugins([plugin])
    _track(open_tracker(f"diary:{tmp_path / 'diary.txt'}"), tmp_path / "report.html")
    assert (tmp_path / "diary.txt").read_text(encoding="utf-8").splitlines() == [
        "run c2gen-smoke",
        "er-res, ver → nat: 3 steps, last loss 0.125",
        "V+N = 0.750",
        f"report: {tmp_path / 'report.html'}",
    ]
    with pytest.raises(UserError, match="is not installed: pip install package_that_nobody_has"):
        open_tracker("needy:x")
