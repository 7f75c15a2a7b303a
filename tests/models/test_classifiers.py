"""A classifier gives the logits of transformers, in the order of a label scheme, and is saved as an ordinary folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3
from trivium.errors import UserError
from trivium.models.classifiers import Classifier, load_classifier, new_classifier, read_outputs
from trivium.models.tokens import RowMaker

PAIRS = [("A man is singing", "A person is singing"), ("Two dogs run", "Two dogs are not running in a big field")]


def examples() -> list[Example]:
    return [Example.make(str(index), *pair, None) for index, pair in enumerate(PAIRS)]


def saved(save_model: Callable[..., Path], names: list[str], family: str = "bert") -> Path:
    folder = save_model(family, auto_class=AutoModelForSequenceClassification)
    config = json.loads((folder / "config.json").read_text())
    config["id2label"] = {str(index): name for index, name in enumerate(names)}
    config["label2id"] = {name: index for index, name in enumerate(names)}
    (folder / "config.json").write_text(json.dumps(config))
    weights = AutoModelForSequenceClassification.from_pretrained(folder, ignore_mismatched_sizes=True)
    weights.save_pretrained(folder)
    return folder


def logits_of(classifier: Classifier) -> torch.Tensor:
    with torch.no_grad():
        return classifier.eval().logits(RowMaker(classifier.tokenizer, 64).rows(examples()))["nli"]


def test_outputs_are_ordered_by_the_labels_in_the_config(save_model: Callable[..., Path]) -> None:
    folder = saved(save_model, ["CONTRADICTION", "neutral", "Entailment"])
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    for pair, actual in zip(PAIRS, logits_of(load_classifier(str(folder))), strict=True):
        with torch.no_grad():
            raw = model(**tokenizer(*pair, return_tensors="pt")).logits[0]
        assert torch.allclose(actual, raw[[2, 1, 0]], atol=1e-5)


@pytest.mark.parametrize("names", [["LABEL_0", "LABEL_1", "LABEL_2"], ["entailment", "neutral", "neutral"],
                                   ["entailment", "neutral", "contradiction", "other"]])  # fmt: skip
def test_outputs_that_are_not_nli_labels_are_refused(names: list[str]) -> None:
    with pytest.raises(UserError, match="id2label"):
        read_outputs(dict(enumerate(names)), "m")


@pytest.mark.parametrize("outputs", [{0: 0, 1: 1, 2: 2}, {0: None, 1: "neutral", 2: "contradiction"}, {}])
def test_outputs_without_names_are_refused(outputs: dict[int, str]) -> None:
    with pytest.raises(UserError, match="which are not NLI labels"):
        read_outputs(outputs, "m")


def test_outputs_must_be_numbered_from_zero() -> None:
    with pytest.raises(UserError, match=r"numbers the outputs 1, 2, 3: they must be numbered from 0"):
        read_outputs({1: "entailment", 2: "neutral", 3: "contradiction"}, "m")


@pytest.mark.parametrize("value", [["entailment", "neutral"], "entailment", 3])
def test_an_invalid_config_is_a_one_line_error(value: object, save_model: Callable[..., Path]) -> None:
    folder = saved(save_model, list(NLI3.names))
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"id2label": value}))
    with pytest.raises(UserError, match="m") as error:
        load_classifier(str(folder))
    assert "\n" not in str(error.value)


def test_two_way_classifiers_are_recognized() -> None:
    assert read_outputs({0: "not_entailment", 1: "entailment"}, "m") == (NLI2, [1, 0])


def test_an_encoder_without_a_head_is_refused_with_the_command_that_trains_one(save_model: Callable[..., Path]) -> None:
    for name in ("minilm", str(save_model("bert", auto_class=AutoModel))):
        with pytest.raises(UserError, match="trivium train nli"):
            load_classifier(name)


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "deberta-v2"])
def test_a_new_classifier_has_the_encoders_weights_and_can_be_saved_and_loaded(
    family: str, save_model: Callable[..., Path], tmp_path: Path
) -> None:
    folder = save_model(family, auto_class=AutoModel)
    built = new_classifier(str(folder), seed=3)
    encoder = AutoModel.from_pretrained(folder).state_dict()
    state = built.model.base_model.state_dict()
    assert all(torch.equal(state[name], weight) for name, weight in encoder.items() if "pooler" not in name)
    assert torch.equal(logits_of(built), logits_of(new_classifier(str(folder), seed=3)))
    assert not torch.equal(logits_of(built), logits_of(new_classifier(str(folder), seed=4)))
    built.save(tmp_path / "out")
    built.save(tmp_path / "out")
    again = load_classifier(str(tmp_path / "out"))
    assert again.labels == NLI3
    assert torch.equal(logits_of(built), logits_of(again))
    assert sorted(file.name for file in tmp_path.iterdir() if file.name.startswith(".")) == []


def test_the_answer_to_a_row_does_not_depend_on_the_other_rows(save_model: Callable[..., Path]) -> None:
    classifier = new_classifier(str(save_model("bert", auto_class=AutoModel)), seed=0).eval()
    rows = RowMaker(classifier.tokenizer, 64).rows(examples())
    with torch.no_grad():
        alone = torch.cat([classifier.logits([row])["nli"] for row in rows])
        vectors = torch.cat([classifier.vectors([row]) for row in rows])
        assert torch.allclose(alone, classifier.logits(rows)["nli"], atol=1e-5)
        assert torch.allclose(vectors, classifier.vectors(rows), atol=1e-5)


def test_a_folder_that_cannot_be_written_is_a_one_line_error(save_model: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    built: Any = new_classifier(str(save_model("bert", auto_class=AutoModel)), seed=0)
    with pytest.raises(UserError, match="cannot be written"):
        built.save(tmp_path / "file" / "out")
