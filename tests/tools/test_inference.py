"""Infer pairs from their parts, with derivations."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from transformers import AutoModelForSequenceClassification

import trivium as tv
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.models.classifiers import new_classifier
from trivium.models.composition import FILE, classifier_composition
from trivium.tools.inference import infer

E, N, C = np.eye(3, dtype=np.float32) * 9


class Oracle(Learner):
    """A learner whose head answers from a list of pairs."""

    known: dict[tuple[str, str], np.ndarray]

    def _by_head(self, examples, compute, progress):  # type: ignore[no-untyped-def]
        return {"nli": np.stack([self.known[row.premise, str(row.hypothesis)] for row in examples])}


@pytest.fixture
def oracle() -> Oracle:
    classifier = new_classifier("tiny", seed=0)
    classifier.composition = classifier_composition("typed", classifier.labels, 1e-4)
    learner = Oracle.from_classifier(classifier, TrainConfig(), seed=0)
    assert isinstance(learner, Oracle)
    return learner


def test_a_denied_clause_is_contradicted(oracle: Oracle) -> None:
    premise, clause, hypothesis = "The minister denied that taxes rose.", "Taxes rose", "Some taxes rose."
    oracle.known = {(premise, clause): C, (clause, hypothesis): E}
    result = infer(oracle, premise, hypothesis)
    assert result.label == "contradiction"
    assert str(result) == "*denied that S* contradicts S (Taxes rose); S entails H; so: contradiction"


def test_a_chain_names_every_layer(oracle: Oracle) -> None:
    premise = "Anna hopes that Ben knows that a man is singing."
    inner, clause, hypothesis = "Ben knows that a man is singing", "A man is singing", "A person is singing."
    oracle.known = {(premise, inner): N, (inner, clause): E, (clause, hypothesis): E}
    result = infer(oracle, premise, hypothesis)
    assert (result.label, result.relations, result.natural) == ("neutral", ("neutral", "entailment"), "entailment")
    assert result.derivation[0] == f"*hopes that S1* leaves open S1 ({inner})"


def test_signatures_answer_a_clause_without_the_model(oracle: Oracle) -> None:
    premise, clause = "The airline failed to refund the passengers.", "The airline refunded the passengers."
    oracle.known = {(premise, clause): E, (premise, clause[:-1]): E, (clause[:-1], clause): N}
    assert infer(oracle, premise, clause).label == "entailment"  # typed: the pair is a part itself
    oracle.network.composition = classifier_composition("signed", oracle.labels, 1e-4)
    result = infer(oracle, premise, clause)
    assert result.label == "contradiction"
    assert result.derivation[0].startswith("*failed to S* contradicts S")
    assert result.derivation[1] == "S entails H"


@pytest.mark.parametrize(
    ("premise", "label"),
    [
        ("The editor failed to notice that a page was missing.", "entailment"),
        ("The editor did not fail to notice that a page was missing.", "entailment"),
        ("The editor failed to prove that a page was missing.", "neutral"),
        ("The editor refused to pretend that a page was missing.", "neutral"),
    ],
)
def test_under_a_verb_that_denies_its_clause_the_next_verb_counts_as_negated(premise: str, label: str) -> None:
    classifier = new_classifier("tiny", seed=0)
    classifier.composition = classifier_composition("signed", classifier.labels, 1e-4)
    learner = Learner.from_classifier(classifier, TrainConfig(), seed=0)
    result = infer(learner, premise, "A page was missing.")
    assert (result.label, len(result.layers)) == (label, 2)
    if premise.startswith("The editor failed to notice"):
        assert result.derivation[0].startswith("*failed to S1* contradicts S1 (")
        assert result.derivation[1] == "S1 being false, *was noticing that S2* entails S2 (A page was missing)"


def test_a_plain_premise_is_answered_by_the_head(oracle: Oracle) -> None:
    oracle.known = {("A man is singing.", "A man is silent."): C}
    result = infer(oracle, "A man is singing.", "A man is silent.")
    assert (result.label, result.composed) == ("contradiction", False)
    assert "head answered" in str(result)


def test_training_with_a_composer_saves_its_table_beside_a_model_that_transformers_loads(tmp_path: Path) -> None:
    options = {"store": str(tmp_path / "s"), "progress": False, "executor": "inline"}
    train = TrainConfig(learning_rate=1e-3, batch_size=8, epochs=1)
    tv.train("builtin", tmp_path / "nli", model="tiny", limit=40, composer="typed", train=train, **options)  # type: ignore[arg-type]
    assert AutoModelForSequenceClassification.from_pretrained(tmp_path / "nli").config.num_labels == 3
    saved = json.loads((tmp_path / "nli" / FILE).read_text(encoding="utf-8"))
    assert [line.split(" (")[0] for line in saved["table"]] == [
        "entailment: identity", "neutral: always neutral", "contradiction: negation",
    ]  # fmt: skip
    assert tv.infer(tmp_path / "nli", "Anna knows that a man is singing.", "A man sings loudly.").composed
    shown = tv.diagnose(str(tmp_path / "nli"), only="transit", source="builtin", sample=20, composer="typed", **options)  # type: ignore[arg-type]
    assert shown.rows()[0]["name"] == "transit"
    composed = shown.document().error_examples[0]
    assert composed.title.endswith("answered from their parts by typed")
    group = composed.groups[0]
    assert group.total > 0
    for example in group.examples:
        alone = tv.infer(tmp_path / "nli", example.premise, example.hypothesis, composer="typed")
        assert (alone.composed, str(alone)) == (True, example.derivation)
        assert {example.answers[0][1], example.answers[0][2]} <= {"entailed", "not-entailed"}
    shown.report(tmp_path / "page.html")
    assert '<p class="derivation"><em>' in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_damaged_table_is_a_mistake_with_the_name_of_the_file(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"composer": "typed"}', encoding="utf-8")
    with pytest.raises(UserError, match=FILE):
        classifier_composition("typed", tv.NLI3, 1e-4, tmp_path)
