"""Record a run in MLflow: on a server, in a database, or in a folder."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trivium.errors import UserError, option
from trivium.tracking import tracker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXPERIMENT = "trivium"
MAX_NAME, MAX_VALUE, PARAMS_PER_CALL, METRICS_PER_CALL = 250, 500, 100, 1000  # limits of MLflow servers


@tracker("mlflow")
class Mlflow:
    """Record each run in MLflow, in the experiment named trivium.

    The URI is a server (``http://…``), a database (``sqlite:///mlflow.db``) or a plain folder, which gets a database
    ``mlflow.db``. The artefacts of a local database are stored beside it.
    """

    def __init__(self, uri: str) -> None:
        os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")  # MLflow sends usage data by default
        from mlflow import MlflowClient
        from mlflow.exceptions import MlflowException

        logging.getLogger("mlflow").setLevel(logging.WARNING)
        logging.getLogger("alembic").setLevel(logging.WARNING)
        if ":" not in uri and not uri.startswith("databricks"):
            Path(uri).mkdir(parents=True, exist_ok=True)
            uri = f"sqlite:///{Path(uri).resolve()}/mlflow.db"
        try:
            self._client = MlflowClient(tracking_uri=uri)
            self._experiment = self._find_experiment(uri)
        except MlflowException as error:
            reason = str(error).splitlines()[0].split(". ")[0]
            raise UserError(f"{option('track', f'mlflow:{uri}')}: MLflow cannot use this URI: {reason}") from error

    def _find_experiment(self, uri: str) -> str:
        experiment = self._client.get_experiment_by_name(EXPERIMENT)
        if experiment is not None:
            return str(experiment.experiment_id)
        artifacts = None
        if uri.startswith("sqlite:///"):
            artifacts = (Path(uri.removeprefix("sqlite:///")).resolve().parent / "artifacts").as_uri()
        return self._client.create_experiment(EXPERIMENT, artifact_location=artifacts)

    def start(self, name: str, settings: Mapping[str, Any]) -> None:
        """Create the MLflow run and log the settings as parameters such as ``train.epochs``."""
        from mlflow.entities import Param

        self._run = self._client.create_run(self._experiment, run_name=name).info.run_id
        params = [Param(_valid_name(key), str(value)[:MAX_VALUE]) for key, value in _flatten(settings)]
        for start in range(0, len(params), PARAMS_PER_CALL):
            self._client.log_batch(self._run, params=params[start : start + PARAMS_PER_CALL])

    def losses(self, label: str, losses: NDArray[np.float32]) -> None:
        """Log the losses as the metric ``loss/LABEL``, by step."""
        self._log([(f"loss/{label}", loss, step) for step, loss in enumerate(losses.tolist())])

    def metrics(self, values: Mapping[str, float]) -> None:
        """Log each metric."""
        self._log([(name, value, 0) for name, value in values.items()])

    def report(self, path: Path) -> None:
        """Log the report as an artefact."""
        self._client.log_artifact(self._run, str(path))

    def finish(self) -> None:
        """Mark the run as finished."""
        self._client.set_terminated(self._run)

    def _log(self, values: list[tuple[str, float, int]]) -> None:
        from mlflow.entities import Metric

        now = int(time.time() * 1000)
        metrics = [Metric(_valid_name(name), float(value), now, step) for name, value, step in values]
        for start in range(0, len(metrics), METRICS_PER_CALL):
            self._client.log_batch(self._run, metrics=metrics[start : start + METRICS_PER_CALL])


def _flatten(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _valid_name(name: str) -> str:
    """Return a name that MLflow accepts: shortened, with an underscore for every invalid character."""
    return re.sub(r"[^\w\-. :/]|(?<=/)/|^/", "_", name)[:MAX_NAME]
