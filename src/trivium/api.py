"""The functions of the public API: each opens a :class:`~trivium.session.Session` and calls its method of that name.

All functions also take the arguments of a session as keywords: ``store``, ``workers``, ``progress``, ``plugins``, ….
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from typing_extensions import Unpack

from trivium.data.tables import Data
from trivium.engine.plan import PlanSummary
from trivium.learn.config import TrainConfig
from trivium.results.benchmarks import Build, Comparison, Run, SweepResult
from trivium.results.ledger import Ledger
from trivium.results.tools import CorrectionResult, DiagnosisResult, EvaluationResult, StressResult, TrainingResult
from trivium.session import Overrides, Session, SessionOptions


def run(
    benchmark: str,
    preset: str = "laptop",
    set: Overrides = (),
    *,
    strategies: Sequence[str] | None = None,
    name: str | None = None,
    report: str | Path | None = None,
    **session: Unpack[SessionOptions],
) -> Run:
    """Run a benchmark, or its unfinished steps: the same as ``trivium run``.

    Args:
        benchmark: The name of a benchmark.
        preset: The name of a preset, or a TOML file.
        set: Settings that differ from the preset: ``{"train.epochs": 2}``, or ``["train.epochs=2"]``.
        strategies: The strategies to run; short for the setting ``run.strategies``.
        name: The name of the run; by default the benchmark, the preset and a short hash of the settings.
        report: A file, ``.html`` or ``.md``, to write the report to.
        **session: The arguments of :class:`~trivium.session.Session`.

    Example:
        >>> import tempfile, trivium as tv
        >>> options = {"store": tempfile.mkdtemp(), "progress": False}
        >>> result = tv.run("c2gen", "smoke", {"run.orders": ["ver-nat"]}, strategies=["finetune"], **options)
        >>> sorted({row["metric"] for row in result.rows()})
        ['CI', 'Forget', 'N', 'V', 'V+N']
    """
    return Session(**session).run(benchmark, preset, set, strategies=strategies, name=name, report=report)


def plan(
    benchmark: str,
    preset: str = "laptop",
    set: Overrides = (),
    *,
    strategies: Sequence[str] | None = None,
    **session: Unpack[SessionOptions],
) -> PlanSummary:
    """Show what would run, what is done already, and how long the rest takes: the same as ``trivium plan``.

    Example:
        >>> import tempfile, trivium as tv
        >>> tv.plan("c2gen", preset="smoke", store=tempfile.mkdtemp()).todo
        45
    """
    return Session(**session).plan(benchmark, preset, set, strategies=strategies)


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


def ledger(preset: str = "laptop", **session: Unpack[SessionOptions]) -> Ledger:
    """Return the claims of all papers with the verdicts of the recorded runs: the same as ``trivium claims --all``.

    Example:
        >>> import tempfile, trivium as tv
        >>> tv.ledger(preset="smoke", store=tempfile.mkdtemp(), progress=False).rows()[0]["verdict"]
        'not run'
    """
    return Session(**session).ledger(preset)


def compare(
    run: str | Run, first: str | Run, second: str | None = None, **session: Unpack[SessionOptions]
) -> Comparison:
    """Compare two strategies of a run, or two runs, paired over folds, seeds and test examples.

    Example:
        >>> import tempfile, trivium as tv
        >>> settings = {"run.orders": ["ver-nat"], "run.strategies": ["finetune", "er-res"]}
        >>> result = tv.run("c2gen", "smoke", settings, store=tempfile.mkdtemp(), progress=False)
        >>> tv.compare(result, "finetune", "er-res").rows()[0]["metric"]
        'CI'
    """
    if isinstance(run, Run):
        session.setdefault("store", run.store)
    return Session(**session).compare(run, first, second)


def evaluate(
    model: str,
    data: Data,
    *,
    by: str | Sequence[str] | None = None,
    premise: str | None = None,
    hypothesis: str | None = None,
    label: str | None = None,
    labels: str | Sequence[str] | None = None,
    max_length: int = 512,
    device: str = "cpu",
    precision: str = "fp32",
    require_labels: bool = True,
    **session: Unpack[SessionOptions],
) -> EvaluationResult:
    """Score a classifier on examples of your own: the same as ``trivium evaluate``.

    Args:
        model: A classifier: a folder, or a name on a hub.
        data: A JSONL, CSV, TSV or Parquet file, a Split, a list of examples or of mappings, or a pandas data frame.
        by: The metadata columns to break down by.
        premise: The column with the premise, if its name is not well known.
        hypothesis: The column with the hypothesis.
        label: The column with the label.
        labels: The label scheme of the data, such as ``"nli2"``.
        max_length: The maximum number of tokens; longer texts are truncated.
        device: ``"cpu"`` or ``"cuda"``.
        precision: ``"fp32"``, ``"bf16"``, or ``"int8"``, which is faster on a CPU and changes a few labels.
        require_labels: Whether an example without a label is an error.
        **session: The arguments of :class:`~trivium.session.Session`.

    Example:
        >>> import tempfile, trivium as tv
        >>> folder = tempfile.mkdtemp()
        >>> _ = tv.train("builtin", folder + "/nli", model="tiny", limit=60, store=folder + "/s", progress=False)
        >>> pairs = tv.load_source("builtin").examples[:30]
        >>> len(tv.evaluate(folder + "/nli", pairs, store=folder + "/s", progress=False).rows())
        30
    """
    return Session(**session).evaluate(
        model,
        data,
        by=by,
        premise=premise,
        hypothesis=hypothesis,
        label=label,
        labels=labels,
        max_length=max_length,
        device=device,
        precision=precision,
        require_labels=require_labels,
    )


def predict(
    model: str,
    data: Data,
    *,
    by: str | Sequence[str] | None = None,
    premise: str | None = None,
    hypothesis: str | None = None,
    label: str | None = None,
    labels: str | Sequence[str] | None = None,
    max_length: int = 512,
    device: str = "cpu",
    **session: Unpack[SessionOptions],
) -> EvaluationResult:
    """Predict a label for each example, labelled or not: the same as ``trivium predict``.

    The arguments are those of :func:`evaluate`.

    Example:
        >>> import tempfile, trivium as tv
        >>> folder = tempfile.mkdtemp()
        >>> options = {"store": folder + "/s", "progress": False}
        >>> _ = tv.train("builtin", folder + "/nli", model="tiny", limit=60, **options)
        >>> rows = [{"premise": "A man sings.", "hypothesis": "A man is silent.", "topic": "music"}]
        >>> tv.predict(folder + "/nli", rows, **options).rows()[0]["topic"]
        'music'
    """
    return Session(**session).predict(
        model,
        data,
        by=by,
        premise=premise,
        hypothesis=hypothesis,
        label=label,
        labels=labels,
        max_length=max_length,
        device=device,
    )


def diagnose(
    model: str | Sequence[str],
    other: str | None = None,
    *,
    only: str | Sequence[str] = (),
    source: str = "auto",
    sample: int = 200,
    inoculate: int = 0,
    stress: Sequence[Data] = (),
    learning_rate: float = 5e-5,
    epochs: int = 3,
    max_length: int = 512,
    device: str = "cpu",
    composer: str = "head",
    precision: str = "fp32",
    **session: Unpack[SessionOptions],
) -> DiagnosisResult:
    """Measure which linguistic phenomena a classifier masters, or where two differ: as ``trivium diagnose``.

    Args:
        model: A classifier: a folder, or a name on a hub; or two of them, to compare.
        other: A second classifier to compare with.
        only: Phenomena or categories to test; all by default.
        source: Where the pairs come from: ``"auto"``, ``"builtin"`` or ``"curriculum"``.
        sample: The number of pairs of each phenomenon.
        inoculate: The number of examples of each label to fine-tune on before measuring again; 0 for none.
        stress: Stress sets to add: ``"conjnli"``, or data as :func:`evaluate` takes it.
        learning_rate: The learning rate of inoculation.
        epochs: The number of epochs of inoculation.
        max_length: The maximum number of tokens; longer texts are truncated.
        device: ``"cpu"`` or ``"cuda"``.
        composer: How pairs whose premise embeds a clause are answered: by the model's ``"head"``, or from their parts.
        precision: That of the predictions; see :func:`evaluate`.
        **session: The arguments of :class:`~trivium.session.Session`.

    Example:
        >>> import tempfile, trivium as tv
        >>> folder = tempfile.mkdtemp()
        >>> _ = tv.train("builtin", folder + "/nli", model="tiny", limit=60, store=folder + "/s", progress=False)
        >>> options = {"store": folder + "/s", "progress": False, "source": "builtin", "sample": 20}
        >>> tv.diagnose(folder + "/nli", only=["negat"], **options).rows()[0]["name"]
        'negat'
    """
    return Session(**session).diagnose(
        model,
        other,
        only=only,
        source=source,
        sample=sample,
        inoculate=inoculate,
        stress=stress,
        learning_rate=learning_rate,
        epochs=epochs,
        max_length=max_length,
        device=device,
        composer=composer,
        precision=precision,
    )


def stress(
    model: str,
    sets: Data | Sequence[Data] = (),
    *,
    max_length: int = 512,
    device: str = "cpu",
    precision: str = "fp32",
    **session: Unpack[SessionOptions],
) -> StressResult:
    """Test a classifier on pairs with conjunctions: the same as ``trivium stress``.

    Args:
        model: A classifier: a folder, or a name on a hub.
        sets: Stress sets of your own, as :func:`evaluate` takes data; ConjNLI's dev set is added if available.
        max_length: The maximum number of tokens; longer texts are truncated.
        device, precision: Those of the predictions; see :func:`evaluate`.
        **session: The arguments of :class:`~trivium.session.Session`.

    Example:
        >>> import trivium as tv
        >>> tv.stress("no/such/model", ["no-such-file.jsonl"])
        Traceback (most recent call last):
        trivium.errors.UserError: no-such-file.jsonl: ...
    """
    return Session(**session).stress(model, sets, max_length=max_length, device=device, precision=precision)


def correct(
    model: str,
    examples: Data,
    *,
    guard: Data | None = None,
    method: str = "auto",
    allow: float = 1.5,
    about: str | None = None,
    text: str | Path | None = None,
    replay: Data | None = None,
    pairs: Data | None = None,
    runtime: str = "transformers",
    premise: str | None = None,
    hypothesis: str | None = None,
    label: str | None = None,
    labels: str | Sequence[str] | None = None,
    seed: int = 0,
    train: TrainConfig | None = None,
    lesson: TrainConfig | None = None,
    phenomenon_pairs: int = 200,
    **session: Unpack[SessionOptions],
) -> CorrectionResult:
    """Teach a classifier a few corrections, and show what was forgotten: the same as ``trivium correct``.

    Args:
        model: A classifier: a folder, or a name on a hub.
        examples: 5 to 50 corrections, as :func:`evaluate` takes data.
        guard: Data on which accuracy must not drop.
        method: ``"lesson"``, ``"lesson-kd"``, a strategy, ``"pn"`` or ``"knn"``; ``"auto"`` tries several.
        allow: The loss on the guard and on generated phenomena, in points, that must be ruled out.
        about: The kind of the mistakes, such as ``"negation"``; by default it is recognized.
        text: A file of sentences, whose words are used in the pairs of a lesson.
        replay: Data that lessons replay, best that which the model was trained on.
        pairs: Pairs to teach instead of generated ones; see :meth:`CorrectionResult.write_pairs`.
        runtime: What loads the model: ``"transformers"``, or ``"trivium"``, which also allows ``pn`` and ``knn``.
        premise, hypothesis, label: The columns, if their names are not well known.
        labels: The label scheme, or what the labels 0, 1, … mean.
        seed: The seed of all random choices.
        train, lesson: Learning rate, epochs and other settings for training corrections alone, and for lessons.
        phenomenon_pairs: How many pairs of each phenomenon are generated to measure a loss; 0 for none.
        **session: The arguments of :class:`~trivium.session.Session`.

    Example:
        >>> import tempfile, trivium as tv
        >>> folder = tempfile.mkdtemp()
        >>> options = {"store": folder + "/s", "progress": False}
        >>> _ = tv.train("builtin", folder + "/nli", model="tiny", limit=60, **options)
        >>> pairs = tv.load_source("builtin").examples
        >>> options |= {"method": "knn", "runtime": "trivium", "phenomenon_pairs": 0}
        >>> tv.correct(folder + "/nli", pairs[:12], guard=pairs[12:72], **options).to_json()["corrections"]["number"]
        12
    """
    return Session(**session).correct(
        model,
        examples,
        guard=guard,
        method=method,
        allow=allow,
        about=about,
        text=text,
        replay=replay,
        pairs=pairs,
        runtime=runtime,
        premise=premise,
        hypothesis=hypothesis,
        label=label,
        labels=labels,
        seed=seed,
        train=train,
        lesson=lesson,
        phenomenon_pairs=phenomenon_pairs,
    )


def undo(model: str | Path) -> Path:
    """Restore a model to its state before its last correction, and return the folder that the corrected one moves to.

    Example:
        >>> import trivium as tv
        >>> tv.undo("no/such/model")
        Traceback (most recent call last):
        trivium.errors.UserError: no/such/model: no such folder
    """
    from trivium.tools.history import undo

    return undo(str(model)).kept


def train(
    data: Data | Sequence[Data],
    out: str | Path,
    *,
    model: str = "minilm",
    limit: int | None = None,
    held_out: float = 0.1,
    seed: int = 0,
    train: TrainConfig | None = None,
    composer: str = "head",
    **session: Unpack[SessionOptions],
) -> TrainingResult:
    """Train an NLI classifier that transformers loads: the same as ``trivium train nli``.

    Args:
        data: A source by name, or data as :func:`evaluate` takes it, or a list of these.
        out: The folder to write.
        model: An encoder: ``"tiny"``, ``"minilm"``, a folder, or a name on a hub.
        limit: The maximum number of pairs from each data set; all by default.
        held_out: The share of the pairs that is held out for measuring.
        seed: The seed of all random choices.
        train: Learning rate, epochs and other training settings.
        **session: The arguments of :class:`~trivium.session.Session`.

    Example:
        >>> import tempfile, trivium as tv
        >>> folder = tempfile.mkdtemp()
        >>> trained = tv.train("builtin", folder + "/nli", model="tiny", limit=60, store=folder + "/s", progress=False)
        >>> trained.to_json()["pairs"]
        54
    """
    return Session(**session).train(
        data, out, model=model, limit=limit, held_out=held_out, seed=seed, train=train, composer=composer
    )
