"""The functions of the public API: each opens a :class:`~trivium.session.Session` and calls the method of its name.

All of them also take the arguments of a session as keywords: ``store``, ``workers``, ``progress``, ``plugins``, ….
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict, Unpack

from trivium.data.tables import Data
from trivium.engine.plan import PlanSummary
from trivium.engine.progress import Progress
from trivium.engine.run import KeepModels
from trivium.engine.store import Store
from trivium.results.benchmarks import Build, Comparison, Run, SweepResult
from trivium.results.tools import CorrectionResult, DiagnosisResult, EvaluationResult, StressResult, TrainingResult
from trivium.session import Overrides, Session
from trivium.tracking import Tracker


class SessionOptions(TypedDict, total=False):
    """The arguments of :class:`~trivium.session.Session`."""

    store: str | Path | Store
    executor: str
    progress: bool | Progress
    workers: int
    keep_models: KeepModels
    plugins: Sequence[str | Path]
    track: Sequence[str | Tracker]


def run(
    benchmark: str,
    preset: str = "laptop",
    set: Overrides = (),
    *,
    name: str | None = None,
    report: str | Path | None = None,
    **session: Unpack[SessionOptions],
) -> Run:
    """Run a benchmark, or what is missing of it: the same as ``trivium run``.

    Example:
        >>> import tempfile, trivium as tv
        >>> settings = {"run.orders": ["ver-nat"], "run.strategies": ["finetune"]}
        >>> result = tv.run("c2gen", preset="smoke", set=settings, store=tempfile.mkdtemp(), progress=False)
        >>> sorted({row["metric"] for row in result.rows()})
        ['CI', 'N', 'V', 'V+N']
    """
    return Session(**session).run(benchmark, preset, set, name=name, report=report)


def plan(benchmark: str, preset: str = "laptop", set: Overrides = (), **session: Unpack[SessionOptions]) -> PlanSummary:
    """Show what would run, what is done already, and how long the rest takes: the same as ``trivium plan``.

    Example:
        >>> import tempfile, trivium as tv
        >>> tv.plan("c2gen", preset="smoke", store=tempfile.mkdtemp()).todo
        45
    """
    return Session(**session).plan(benchmark, preset, set)


def build(
    benchmark: str,
    preset: str = "paper",
    set: Overrides = (),
    *,
    source: str | None = None,
    **session: Unpack[SessionOptions],
) -> Build:
    """Build the data of a benchmark, with its statistics and invariants: the same as ``trivium build``.

    Example:
        >>> import trivium as tv
        >>> tv.build("c2gen", preset="smoke").splits["fold-1/ver"].counts()["neutral"] > 0
        True
    """
    return Session(**session).build(benchmark, preset, set, source=source)


def sweep(
    benchmark: str,
    setting: str,
    preset: str = "laptop",
    set: Overrides = (),
    *,
    values: Sequence[str] | None = None,
    **session: Unpack[SessionOptions],
) -> SweepResult:
    """Run a benchmark with one setting at several values: the same as ``trivium sweep``.

    Example:
        >>> import trivium as tv
        >>> tv.sweep("c2gen", "memory-sise", preset="smoke")
        Traceback (most recent call last):
        trivium.errors.UserError: unknown sweep 'memory-sise': did you mean 'memory-size'?
    """
    return Session(**session).sweep(benchmark, setting, preset, set, values=values)


def open_run(name: str, **session: Unpack[SessionOptions]) -> Run:
    """Return a recorded run by its name.

    Example:
        >>> import tempfile, trivium as tv
        >>> tv.open_run("baseline", store=tempfile.mkdtemp()).tables  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        trivium.errors.UserError: no run named 'baseline' in the store ...
    """
    return Session(**session).open_run(name)


def compare(
    run: str | Run, first: str | Run, second: str | None = None, **session: Unpack[SessionOptions]
) -> Comparison:
    """Compare two strategies of a run, or two runs, paired over folds, seeds and test examples.

    Example:
        >>> import tempfile, trivium as tv
        >>> settings = {"run.orders": ["ver-nat"], "run.strategies": ["finetune", "er-res"]}
        >>> result = tv.run("c2gen", preset="smoke", set=settings, store=tempfile.mkdtemp(), progress=False)
        >>> comparison = tv.compare(result, "finetune", "er-res")
        >>> comparison.rows()[0]["metric"]
        'CI'
    """
    if isinstance(run, Run):
        session.setdefault("store", run.store)
    return Session(**session).compare(run, first, second)


def evaluate(model: str, data: Data, *, by: str | Sequence[str] | None = None, **options: Any) -> EvaluationResult:
    """Score a classifier on examples of your own: the same as ``trivium evaluate``.

    Example:
        >>> import tempfile, trivium as tv
        >>> folder = tempfile.mkdtemp()
        >>> _ = tv.train("builtin", folder + "/nli", model="tiny", limit=60, store=folder + "/s", progress=False)
        >>> pairs = tv.load_source("builtin").examples[:30]
        >>> result = tv.evaluate(folder + "/nli", pairs, store=folder + "/s", progress=False)
        >>> len(result.rows())
        30
    """
    given, session = _divided(options)
    return Session(**session).evaluate(model, data, by=by, **given)


def predict(model: str, data: Data, **options: Any) -> EvaluationResult:
    """Predict a label for each example: the same as ``trivium predict``.

    Example:
        >>> import tempfile, trivium as tv
        >>> folder = tempfile.mkdtemp()
        >>> options = {"store": folder + "/s", "progress": False, "executor": "inline"}
        >>> _ = tv.train("builtin", folder + "/nli", model="tiny", limit=60, **options)
        >>> rows = [{"premise": "A man sings.", "hypothesis": "A man is silent.", "topic": "music"}]
        >>> result = tv.predict(folder + "/nli", rows, **options)
        >>> result.rows()[0]["topic"]
        'music'
    """
    given, session = _divided(options)
    return Session(**session).predict(model, data, **given)


def diagnose(model: str | Sequence[str], other: str | None = None, **options: Any) -> DiagnosisResult:
    """Find out which linguistic phenomena a classifier masters, or where two differ: as ``trivium diagnose``.

    Example:
        >>> import tempfile, trivium as tv
        >>> folder = tempfile.mkdtemp()
        >>> _ = tv.train("builtin", folder + "/nli", model="tiny", limit=60, store=folder + "/s", progress=False)
        >>> options = {"store": folder + "/s", "progress": False, "source": "builtin", "sample": 20}
        >>> tv.diagnose(folder + "/nli", only=["negat"], **options).rows()[0]["name"]
        'negat'
    """
    given, session = _divided(options)
    return Session(**session).diagnose(model, other, **given)


def stress(model: str, sets: Data | Sequence[Data] = (), **options: Any) -> StressResult:
    """Test a classifier on pairs with conjunctions: the same as ``trivium stress``.

    Example:
        >>> import trivium as tv
        >>> tv.stress("no/such/model", ["no-such-file.jsonl"])
        Traceback (most recent call last):
        trivium.errors.UserError: no-such-file.jsonl: ...
    """
    given, session = _divided(options)
    return Session(**session).stress(model, sets, **given)


def correct(model: str, examples: Data, **options: Any) -> CorrectionResult:
    """Teach a classifier a few corrections, and show what was forgotten: the same as ``trivium correct``.

    Example:
        >>> import tempfile, trivium as tv
        >>> folder = tempfile.mkdtemp()
        >>> options = {"store": folder + "/s", "progress": False, "executor": "inline"}
        >>> _ = tv.train("builtin", folder + "/nli", model="tiny", limit=60, **options)
        >>> pairs = tv.load_source("builtin").examples
        >>> result = tv.correct(folder + "/nli", pairs[:12], guard=pairs[12:72], method="knn", **options)
        >>> result.to_json()["corrections"]["number"]
        12
    """
    given, session = _divided(options)
    return Session(**session).correct(model, examples, **given)


def undo(model: str | Path) -> Path:
    """Restore a corrected model to what it was before its last correction: the same as ``trivium correct --undo``.

    Return the folder in which the corrected model is kept: ``MODEL.undone-1``.

    Example:
        >>> import trivium as tv
        >>> tv.undo("no/such/model")
        Traceback (most recent call last):
        trivium.errors.UserError: no/such/model: no such folder
    """
    from trivium.tools.history import undo

    return undo(str(model)).kept


def train(data: Data | Sequence[Data], out: str | Path, **options: Any) -> TrainingResult:
    """Train an NLI classifier that transformers loads: the same as ``trivium train nli``.

    Example:
        >>> import tempfile, trivium as tv
        >>> folder = tempfile.mkdtemp()
        >>> trained = tv.train("builtin", folder + "/nli", model="tiny", limit=60, store=folder + "/s", progress=False)
        >>> trained.to_json()["pairs"]
        54
    """
    given, session = _divided(options)
    return Session(**session).train(data, out, **given)


def _divided(options: dict[str, Any]) -> tuple[dict[str, Any], SessionOptions]:
    """Divide keyword arguments into those of a method and those of the session."""
    session: Any = {name: options.pop(name) for name in list(options) if name in SessionOptions.__annotations__}
    return options, session
