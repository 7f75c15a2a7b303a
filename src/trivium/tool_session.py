"""The tools of a session, for users' own models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from trivium.data.tables import Data, ReadOptions, name_of, read_data, several
from trivium.engine.runner import StepRunner, step_labels
from trivium.errors import UserError, option, unknown_name
from trivium.learn.config import Precision, TrainConfig
from trivium.results.tools import (
    CorrectionResult,
    DiagnosisResult,
    EvaluationResult,
    PredictionResult,
    StressResult,
    TrainingResult,
)
from trivium.saving import check_empty_folder, check_writable_file, write_text

if TYPE_CHECKING:
    from trivium.tools.role_training import TrainedTagger


class ToolSession(StepRunner):
    """Evaluates, diagnoses, stress-tests, corrects and trains classifiers; see :class:`trivium.Session`."""

    def evaluate(
        self,
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
    ) -> EvaluationResult:
        """Score a classifier on examples of your own: accuracy, MCC, F1 and confusion, overall and by metadata column.

        ``data`` is a JSONL, CSV, TSV or Parquet file, a Split, a list of examples, mappings or pairs of texts, or a
        pandas data frame; ``premise``, ``hypothesis`` and ``label`` name its columns if their names are not
        well known. ``by`` are the metadata columns to break down by. With ``precision="int8"``, predictions are
        faster, and a few labels change.
        """
        _check_precision(precision, device)
        _check_model(model)
        self.note(f"Reading {name_of(data, 'the data')} …")
        from trivium.tools.evaluation import prepare_evaluation

        table = read_data(data, "data", ReadOptions(premise, hypothesis, label, labels, require_labels))
        self.note(*table.notes(name_of(data, "data")))
        split = table.split
        options: dict[str, Any] = {"by": _items(by), "metadata": table.metadata}
        evaluation = prepare_evaluation(model, split, self.store, max_length, device, precision, **options)
        self.run_steps(
            evaluation.runs(), f"{model} on {len(split):,} example{'' if len(split) == 1 else 's'} of {split.name}"
        )
        return EvaluationResult(evaluation)

    def predict(self, model: str, data: Data, **options: Any) -> PredictionResult:
        """Predict a label for each example; they need no labels. Takes the options of :meth:`evaluate`."""
        return PredictionResult(self.evaluate(model, data, require_labels=False, **options).evaluation)

    def diagnose(
        self,
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
    ) -> DiagnosisResult:
        """Measure which linguistic phenomena a classifier masters, or where two classifiers differ.

        ``only`` selects phenomena or categories; ``inoculate`` is the number of examples of each label to fine-tune
        on before measuring again; ``stress`` adds stress sets (``"conjnli"``, or data as :meth:`evaluate` takes it).
        With a ``composer``, a pair whose premise embeds a clause is answered from its parts.
        """
        _check_precision(precision, device)
        self.note("Building the examples …")
        from trivium.tools.derivations import derivations
        from trivium.tools.diagnosis import compare, diagnosis_settings, prepare_diagnosis
        from trivium.tools.stress import prepare_stress, stress_sets

        models = [*(_items(model) or ()), *(_items(other) or ())]
        for name in models:
            _check_model(name)
        if not 1 <= len(models) <= 2:
            raise UserError(f"{len(models)} models given: diagnose one, or compare two")
        if len({name.rstrip("/") for name in models}) < len(models):
            raise UserError(f"{models[0]} given twice: compare two different models")
        sets = stress_sets(several(stress))
        values = {"learning_rate": learning_rate, "batch_size": 16, "epochs": epochs, "warmup": 0.1, "device": device}
        train = TrainConfig.model_validate(values | {"precision": precision})
        diagnoses = []
        for name in models:
            phenomena = _items(only) or ()
            settings = diagnosis_settings(name, phenomena, source, sample, inoculate, train, max_length, composer)
            diagnoses.append(prepare_diagnosis(settings, self.store))
        stressed = (
            [prepare_stress(name, sets, self.store, max_length, device, precision) for name in models] if sets else []
        )
        runs = [run for each in diagnoses for run in each.design.runs()]
        runs += [run for each in stressed for run in each.runs()]
        number = len(diagnoses[0].design.examples)
        about = ", ".join([f"{number} phenomen{'on' if number == 1 else 'a'}", *sets])
        labels = {
            key: f"{label} with {name}" if len(models) == 2 else label
            for name, each in zip(models, diagnoses, strict=True)
            for key, label in step_labels(each.design.keys()).items()
        }
        self.run_steps(runs, f"Diagnosis of {' and '.join(models)} on {about}", labels=labels)
        compared = compare(*diagnoses) if len(diagnoses) == 2 else ()
        derived = [examples for each in diagnoses if (examples := derivations(each)) is not None]
        return DiagnosisResult(tuple(diagnoses), tuple(compared), tuple(stressed), tuple(derived))

    def stress(
        self,
        model: str,
        sets: Data | Sequence[Data] = (),
        *,
        max_length: int = 512,
        device: str = "cpu",
        precision: str = "fp32",
    ) -> StressResult:
        """Test a classifier on pairs with conjunctions: ConjNLI's dev set, if available, and sets of your own."""
        _check_precision(precision, device)
        _check_model(model)
        from trivium.tools.stress import available_sets, prepare_stress, stress_sets

        chosen = stress_sets(available_sets(several(sets)))
        prepared = prepare_stress(model, chosen, self.store, max_length, device, precision)
        self.run_steps(prepared.runs(), f"Stress test of {model} on {', '.join(chosen)}")
        return StressResult(prepared)

    def submit(self, benchmark: str, model: str, out: str | Path, *, max_length: int = 512, device: str = "cpu") -> int:
        """Write a model's answers to a test whose labels are withheld, and return how many there are."""
        from trivium.tools.stress import SUBMITTED, prepare_submission

        if benchmark not in SUBMITTED:
            raise unknown_name("benchmark with a withheld test", benchmark, SUBMITTED)
        check_writable_file(Path(out))
        submission = prepare_submission(model, self.store, max_length, device)
        self.run_steps([[submission.step]], f"{model} on the test of {benchmark}")
        write_text(Path(out), submission.text())
        return submission.step.size

    def correct(
        self,
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
    ) -> CorrectionResult:
        """Teach a classifier a few corrections, and prove what it gained and that it lost nothing.

        ``examples`` are 5 to 50 corrections, ``guard`` is data on which accuracy must not drop, ``allow`` the loss on
        it and on generated phenomena, in points, that must be ruled out. ``about`` names the kind of the mistakes,
        ``text`` is a file of sentences for new pairs of that kind, ``replay`` what a lesson replays, and ``pairs`` a
        file to which the new pairs are written or, if it exists, from which they are read. Data is as
        :meth:`evaluate` takes it; ``premise``, ``hypothesis`` and ``label`` name its columns. Save the result with
        ``.save("folder")``.
        """
        _check_model(model)
        from trivium.tools.correction import correct, save
        from trivium.tools.correction_task import CorrectionSettings, LessonOptions, prepare
        from trivium.tools.methods import CORRECTING, LESSON, RUNTIMES

        if runtime not in RUNTIMES:
            raise UserError(f"{option('runtime', runtime)}: must be {' or '.join(RUNTIMES)}")
        values = {"method": method, "allow": allow, "runtime": runtime, "seed": seed}
        trains = {"train": train or CORRECTING, "lesson": lesson or LESSON, "phenomenon_pairs": phenomenon_pairs}
        settings = CorrectionSettings.model_validate(values | trains)
        columns = ReadOptions(premise, hypothesis, label, labels, True)
        task = prepare(model, examples, guard, settings, columns, LessonOptions(about, text, pairs, replay))
        self.note(*task.corrections.notes, *task.guard.notes, *task.replay.notes)
        if guard is None:
            self._progress.warned(
                f"the guard is {task.guard.name}: a loss on your own texts would go unnoticed: give your own test "
                f"set with {option('guard')}"
            )
        correction = correct(task, self)
        return CorrectionResult(correction, lambda out: save(correction, self.store, out))

    def train(
        self,
        data: Data | Sequence[Data],
        out: str | Path,
        *,
        model: str = "minilm",
        limit: int | None = None,
        held_out: float = 0.1,
        seed: int = 0,
        train: TrainConfig | None = None,
        composer: str = "head",
    ) -> TrainingResult:
        """Train an NLI classifier, save a folder that transformers loads, and measure it.

        ``data`` is a source by name, or data as :meth:`evaluate` takes it, or a list of these. ``limit`` is the
        maximum number of pairs from each, ``held_out`` the share that is held out for measuring. What a ``composer``
        learns is written beside the model.
        """
        from trivium.models.composition import save_composition
        from trivium.tools.training import TRAINING, gather_pairs, train_classifier

        folder = Path(out)
        check_empty_folder(folder)
        pairs = gather_pairs("data", several(data), limit, seed)
        classifier, trained = train_classifier(model, pairs, train or TRAINING, seed, held_out, self, composer)
        classifier.save(folder)
        if classifier.composition is not None:
            save_composition(classifier.composition, composer, folder)
        return TrainingResult(folder, trained)

    def train_srl(
        self,
        data: str | Path | Sequence[str | Path],
        out: str | Path,
        *,
        sentences: str | None = None,
        size: int = 4000,
        model: str = "minilm",
        held_out: float = 0.1,
        seed: int = 0,
        train: TrainConfig | None = None,
    ) -> TrainedTagger:
        """Train a tagger of semantic roles, save a folder that transformers loads, and measure it.

        ``data`` are files of roles or trees. The first ``size`` of ``sentences``, a file or a source, are parsed.
        """
        from trivium.build.conjuncts.texts import read_texts
        from trivium.tools.role_training import TRAINING, gather_roles, train_tagger

        folder = Path(out)
        check_empty_folder(folder)
        files = [Path(file) for file in ([data] if isinstance(data, str | Path) else data)]
        if not files and sentences is None:
            raise UserError(
                f"no training data: give files of roles or sentences with {option('data')} or {option('sentences')}"
            )
        gathered = gather_roles(files, [] if sentences is None else read_texts(sentences)[:size])
        tagger, trained = train_tagger(model, gathered, train or TRAINING, seed, held_out, self)
        tagger.save(folder)
        return trained


def _check_model(model: str) -> None:
    """Raise a UserError if model and data are swapped: a model is a folder, or a name on a hub."""
    if Path(model).is_file():
        raise UserError(f"{model}: is a file, but must be a model: a folder, or a name on a hub")


def _check_precision(precision: str, device: str) -> None:
    """Raise a UserError, before anything is read, if predictions cannot be computed in a precision."""
    if precision not in get_args(Precision):
        raise UserError(f"{option('precision', precision)}: must be one of {', '.join(get_args(Precision))}")
    if precision == "int8" and device != "cpu":
        raise UserError(
            f"{option('precision', precision)} is for the cpu: leave it out with {option('device', device)}"
        )


def _items(value: str | Sequence[str] | None) -> list[str] | None:
    """Return a list of names; a single name becomes a list with one item."""
    return [value] if isinstance(value, str) else None if value is None else list(value)
