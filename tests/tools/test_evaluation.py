"""An evaluation reads its figures from stored predictions, groups them by metadata, and writes predictions."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from sklearn.metrics import accuracy_score, f1_score, matthews_corrcoef

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, NLI3_AND_2, SENTIMENT, Labels
from trivium.data.split import Split
from trivium.data.tables import read_pairs
from trivium.engine.execute import execute
from trivium.engine.plan import make_plan
from trivium.engine.run import RunOptions, run_plan
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.measure.table import SCORE
from trivium.models.classifiers import HEAD, SUPPORT, load_classifier, new_classifier
from trivium.models.tokens import RowMaker
from trivium.report.evaluation import evaluation_document
from trivium.report.html import to_html
from trivium.report.markdown import to_markdown
from trivium.tools.evaluation import Evaluation, prepare_evaluation

WORDS = "dog cat man woman child bird horse fish"


def pairs(number: int = 60, labels: Labels = NLI3) -> Split:
    words = WORDS.split()
    examples = (
        Example.make(
            f"id-{index}",
            f"A {words[index % 8]} sees a {words[index // 8 % 8]}.",
            f"The {words[index * 3 % 8]} is seen."
            if index % 2
            else f"Nobody sees {words[index * 5 % 8]} number {index}.",
            labels.names[index % len(labels)],
            genre=("news", "fiction")[index % 5 == 0],
            number=str(index),
        )
        for index in range(number)
    )
    return Split("pairs", tuple(examples), labels)


def save_model(folder: Path, labels: Labels = NLI3) -> Path:
    """Save a model that knows nothing and predicts each label now and then."""
    classifier = new_classifier("tiny", 0, labels)
    head = classifier.model.classifier
    with torch.no_grad():
        torch.manual_seed(1)
        head.weight.normal_(std=2.0)
        head.bias.zero_()
        usual = classifier.eval().logits(RowMaker(classifier.tokenizer, 64).rows(pairs().examples))[HEAD].mean(dim=0)
        head.bias.copy_(-usual)
    classifier.save(folder)
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("models") / "nli")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("store")).open()


def evaluated(model: Path, split: Split, store: Store, **options: Any) -> Evaluation:
    """Return an evaluation whose steps have run, in this process: a worker takes seconds to start."""
    evaluation = prepare_evaluation(model, split, store, **options)
    for step in make_plan(evaluation.runs(), store).todo:
        execute(step, store)
    return evaluation


@pytest.fixture(scope="module")
def evaluation(model: Path, store: Store) -> Evaluation:
    evaluation = prepare_evaluation(model, pairs(), store)
    run_plan(make_plan(evaluation.runs(), store), store, RunOptions(workers=1))
    return evaluation


def test_the_classifier_answers_as_it_is(evaluation: Evaluation, model: Path) -> None:
    classifier = load_classifier(str(model)).eval()
    examples = [replace(example, task=HEAD) for example in evaluation.split]
    with torch.no_grad():
        logits = classifier.logits(RowMaker(classifier.tokenizer, 256).rows(examples))[HEAD]
    assert np.allclose(evaluation.probabilities, logits.softmax(dim=1).numpy(), atol=1e-5)
    assert evaluation.predicted.tolist() == logits.argmax(dim=1).tolist()
    assert len(set(evaluation.predicted.tolist())) == 3


def test_figures_are_those_of_scikit_learn_overall_and_in_each_group(evaluation: Evaluation) -> None:
    rows = list(evaluation.rows())
    gold, predicted = [row["label"] for row in rows], [row["predicted"] for row in rows]
    assert evaluation.overall.accuracy.value == pytest.approx(accuracy_score(gold, predicted))
    assert evaluation.overall.macro_f1.value == pytest.approx(f1_score(gold, predicted, average="macro"))
    assert evaluation.overall.mcc is not None
    assert evaluation.overall.mcc.value == pytest.approx(matthews_corrcoef(gold, predicted))
    assert evaluation.overall.majority == pytest.approx(1 / 3)
    assert evaluation.confusion.sum() == len(rows)
    assert [label.support for label in evaluation.by_label] == [20, 20, 20]
    assert [(group.column, group.value) for group in evaluation.groups] == [("genre", "news"), ("genre", "fiction")]
    for group in evaluation.groups:
        mine = [row for row in rows if row["metadata"]["genre"] == group.value]
        assert group.scores.examples == len(mine)
        assert group.scores.accuracy.value == pytest.approx(np.mean([row["correct"] for row in mine]))


def test_predictions_are_cached_whatever_the_labels_and_metadata(
    model: Path, store: Store, evaluation: Evaluation
) -> None:
    other = Split("other", tuple(replace(e, label="neutral", facts=(), id=f"x{e.id}") for e in pairs()))
    again = prepare_evaluation(model, other, store)
    assert not make_plan(again.runs(), store).todo
    assert again.predicted.tolist() == evaluation.predicted.tolist()
    assert prepare_evaluation(model, other, store, max_length=32).prediction.key != again.prediction.key
    assert prepare_evaluation(model, other, store, precision="int8").prediction.key != again.prediction.key


def test_only_chosen_columns_are_used_for_groups(model: Path, store: Store) -> None:
    evaluation = evaluated(model, pairs(), store, by=["number"])
    assert len(evaluation.groups) == 60
    assert {group.column for group in evaluation.groups} == {"number"}
    with pytest.raises(UserError, match="pairs: no metadata column 'gener': did you mean 'genre'"):
        prepare_evaluation(model, pairs(), store, by=["gener"])


def test_unlabelled_pairs_have_predictions_and_no_figures(model: Path, store: Store, tmp_path: Path) -> None:
    split = Split("new", tuple(replace(example, label=None) for example in pairs()))
    evaluation = evaluated(model, split, store)
    rows = list(evaluation.rows())
    assert {row["label"] for row in rows} == {row["correct"] for row in rows} == {None}
    for name in ("overall", "by_label", "confusion", "groups"):
        with pytest.raises(UserError, match="new: the examples have no labels"):
            getattr(evaluation, name)
    with pytest.raises(UserError, match="no labels"):
        evaluation.error_examples()
    assert evaluation.to_json()["overall"] is None
    assert sum(evaluation.to_json()["predicted"].values()) == 60
    evaluation.write_predictions(tmp_path / "new.jsonl")
    assert "60 examples without labels: predictions only." in to_markdown(evaluation_document(evaluation))


def test_rows_without_a_label_count_in_no_figure(model: Path, store: Store) -> None:
    split = Split("part", tuple(replace(e, label=None) if i < 20 else e for i, e in enumerate(pairs())))
    evaluation = evaluated(model, split, store)
    rows = [row for row in evaluation.rows() if row["label"] is not None]
    assert evaluation.overall.examples == len(rows) == 40
    assert evaluation.overall.accuracy.value == pytest.approx(np.mean([row["correct"] for row in rows]))
    assert sum(group.scores.examples for group in evaluation.groups) == 40
    assert "20 examples have no label and are not counted." in evaluation_document(evaluation).caveats


def test_a_three_way_model_is_evaluated_on_two_way_labels(model: Path, store: Store, evaluation: Evaluation) -> None:
    two = evaluated(model, pairs(labels=NLI2), store)
    assert two.labels == NLI2
    both = evaluation.probabilities[:, 1] + evaluation.probabilities[:, 2]
    assert np.allclose(two.probabilities[:, 1], both)
    assert two.confusion.shape == (2, 2)
    assert any("The data have two labels" in line for line in evaluation_document(two).caveats)


def test_a_two_way_model_is_evaluated_on_three_way_labels(store: Store, tmp_path: Path) -> None:
    two = evaluated(save_model(tmp_path / "two", NLI2), pairs(), store)
    assert two.labels == NLI2
    assert [label.support for label in two.by_label] == [20, 40]
    row = next(row for row in two.rows() if row["label"] == "neutral" and row["predicted"] == "not-entailed")
    assert row["correct"]
    assert any("The model has two labels" in line for line in evaluation_document(two).caveats)


def test_a_sentiment_classifier_is_evaluated_on_texts(model: Path, store: Store, tmp_path: Path) -> None:
    feeling = save_model(tmp_path / "feeling", SENTIMENT)
    split = Split("reviews", tuple(replace(e, hypothesis=None) for e in pairs(labels=SENTIMENT)), SENTIMENT)
    assert evaluated(feeling, split, store).overall.examples == 60
    with pytest.raises(UserError, match="reviews: its labels are negative, positive, but those of model"):
        prepare_evaluation(model, split, store)


def test_a_constant_predictor_has_an_undefined_correlation(store: Store, tmp_path: Path) -> None:
    classifier = new_classifier("tiny", 0)
    with torch.no_grad():
        classifier.model.classifier.bias.copy_(torch.tensor([0.0, 50.0, 0.0]))
    classifier.save(tmp_path / "constant")
    evaluation = evaluated(tmp_path / "constant", pairs(), store)
    assert evaluation.overall.mcc is None
    page = to_markdown(evaluation_document(evaluation))
    assert "Predicts neutral for every example." in page
    assert "undefined |" in page
    assert json.dumps(evaluation.to_json(), allow_nan=False)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_predictions_can_be_read_back_as_pairs(evaluation: Evaluation, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"predictions.{ending}"
    evaluation.write_predictions(path)
    back = read_pairs(path)
    assert [(e.id, e.premise, e.hypothesis, e.label) for e in back] == [
        (e.id, e.premise, e.hypothesis, e.label) for e in evaluation.split
    ]
    first = next(evaluation.rows())
    assert back.examples[0].fact("predicted") == first["predicted"]
    assert float(str(back.examples[0].fact("probability"))) == pytest.approx(first["probability"])
    assert list(tmp_path.iterdir()) == [path]


def test_a_parquet_file_of_predictions_has_typed_columns(evaluation: Evaluation, tmp_path: Path) -> None:
    evaluation.write_predictions(tmp_path / "predictions.parquet")
    table = pq.read_table(tmp_path / "predictions.parquet")
    assert table.column_names[:7] == ["id", "premise", "hypothesis", "label", "predicted", "correct", "probability"]
    assert [str(table.schema.field(name).type) for name in ("correct", "probability", "p_neutral")] == [
        "bool", "double", "double",
    ]  # fmt: skip


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_cells_that_a_spreadsheet_would_evaluate_are_made_harmless(
    model: Path, store: Store, tmp_path: Path, ending: str
) -> None:
    dangerous = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx"]
    examples = (
        Example("1", text, "harmless = x", "neutral", facts=(("=cmd", text), ("label", "clash"))) for text in dangerous
    )
    split = Split("odd", tuple(replace(e, id=str(i)) for i, e in enumerate(examples)))
    path = tmp_path / f"odd.{ending}"
    evaluated(model, split, store).write_predictions(path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="," if ending == "csv" else "\t"))
    assert [row["premise"] for row in rows] == [f"'{text}" for text in dangerous]
    assert [row["'=cmd"] for row in rows] == [f"'{text}" for text in dangerous]
    assert {(row["hypothesis"], row["label"], row["metadata_label"]) for row in rows} == {
        ("harmless = x", "neutral", "clash")
    }


def test_predictions_are_written_whole_or_not_at_all(
    evaluation: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "predictions.csv"
    path.write_text("old")
    monkeypatch.setattr("trivium.tools.prediction_files._cell", lambda value: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        evaluation.write_predictions(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    for wrong, message in (("a.xlsx", "predictions are written to .csv"), ("no/a.csv", "folder")):
        with pytest.raises(UserError, match=message):
            evaluation.write_predictions(tmp_path / wrong)


def test_the_errors_shown_are_those_the_model_is_most_confident_of(evaluation: Evaluation) -> None:
    errors = evaluation.error_examples(number=2)
    wrong = [row for row in evaluation.rows() if not row["correct"]]
    assert sum(group.total for group in errors.groups) == len(wrong)
    for group in errors.groups:
        gold, predicted = group.name.split(" predicted as ")
        mine = [row for row in wrong if (row["label"], row["predicted"]) == (gold, predicted)]
        mine.sort(key=lambda row: -row["probability"])
        assert [case.premise for case in group.examples] == [row["premise"] for row in mine[:2]]
        assert len(group.examples) <= 2


def test_a_page_has_all_tables_and_says_what_limits_it(model: Path, store: Store) -> None:
    evaluation = evaluated(model, pairs(), store, max_length=8)
    page = evaluation_document(evaluation, "trivium evaluate nli pairs.csv")
    assert [table.name for table in page.tables] == ["Overall", "Labels", "Confusion", "Metadata"]
    assert page.tables[0].unit == SCORE
    assert page.commands == ("trivium evaluate nli pairs.csv",)
    assert any("tokens that the model reads" in line for line in page.caveats)
    assert any("share their premise" in line for line in page.caveats) == (len({e.premise for e in pairs()}) < 60)
    assert len(page.charts) == 1
    assert "By genre" in to_html(page)


@pytest.mark.parametrize(
    ("split", "options", "message"),
    [
        (Split("none", ()), {}, "none: contains no examples"),
        (Split("both", pairs().examples, NLI3_AND_2), {}, "labels of two schemes"),
        (pairs(), {"max_length": 1}, "max_length=1: "),
        (pairs(), {"device": "tpu"}, "device='tpu': "),
    ],
)
def test_what_cannot_be_evaluated_is_said_in_one_line(
    model: Path, store: Store, split: Split, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=message) as raised:
        prepare_evaluation(model, split, store, **options)
    assert "\n" not in str(raised.value)


def test_a_model_that_does_not_predict_by_its_head_is_an_error(store: Store, tmp_path: Path) -> None:
    for labels in (NLI3, SENTIMENT):
        folder = save_model(tmp_path / labels.name, labels)
        (folder / SUPPORT).touch()
        with pytest.raises(UserError, match="not with its head"):
            prepare_evaluation(folder, pairs(labels=labels), store)


def test_figures_before_the_run_are_an_error(model: Path, tmp_path: Path) -> None:
    evaluation = prepare_evaluation(model, pairs(), Store(tmp_path / "empty").open())
    with pytest.raises(UserError, match="has not been run"):
        _ = evaluation.overall
