"""The public face of the learner: building, fitting, predicting, evaluating and saving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3
from trivium.data.split import Split
from trivium.errors import ConfigError, UserError
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.finetune import FineTune
from trivium.learn.strategies.reservoir import ReservoirReplay
from trivium.measure.evaluation import Evaluation, LabelAccuracy
from trivium.models.classifiers import new_classifier

FAST = TrainConfig(learning_rate=1e-3, batch_size=4, epochs=1)


@pytest.fixture(scope="session")
def pairs(examples: list[Example]) -> list[Example]:
    """The compositions as plain NLI pairs."""
    return [replace(example, task="nli", parts=()) for example in examples]


@pytest.fixture
def nli() -> Learner:
    return Learner("tiny", train=FAST)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a new classifier."""
    new_classifier("tiny", seed=0).save(tmp_path / "model")
    return tmp_path / "model"


def weights_equal(first: Learner, second: Learner) -> bool:
    others = second.network.state_dict()
    return all(torch.equal(tensor, others[name]) for name, tensor in first.network.state_dict().items())


def constant(learner: Learner, label: str) -> Learner:
    """The learner, with heads that always answer ``label``."""
    for head in learner.network.heads.values():
        torch.nn.init.zeros_(head.weight)
        head.bias.data = torch.tensor([float(name == label) for name in learner.labels.names])
    return learner


def test_a_model_is_a_name_or_a_config_and_has_one_head_for_nli_by_default(pairs: list[Example]) -> None:
    named, configured = Learner("tiny"), Learner(ModelConfig(name="tiny"), labels=NLI3, seed=0, train=TrainConfig())
    assert named.tasks == ("nli",)
    assert named.labels == NLI3
    assert weights_equal(named, configured)
    assert not weights_equal(named, Learner("tiny", seed=1))
    assert Learner("tiny", labels=NLI2).logits(pairs[:2])["nli"].shape == (2, 2)


def test_a_model_is_a_folder(folder: Path) -> None:
    loaded = Learner(folder)
    encoder = Learner.from_pretrained(folder).network.model.bert
    for name, tensor in loaded.network.encoder.state_dict().items():
        assert torch.equal(tensor, encoder.state_dict()[name])


@pytest.mark.parametrize("tasks", [(), "nli"])
def test_tasks_are_a_sequence_of_names(tasks: Sequence[str]) -> None:
    with pytest.raises(UserError, match=r"tasks must be a sequence of names, such as \('nli',\)"):
        Learner("tiny", tasks=tasks)


def test_a_model_with_its_own_head_is_not_given_a_new_one() -> None:
    with pytest.raises(UserError, match=r"Learner\.from_pretrained\('some/model'\)"):
        Learner(ModelConfig(name="some/model", head="own"))


def test_fitting_is_training_stage_by_stage_with_the_memory_carried_on(pairs: list[Example]) -> None:
    fitted, trained = Learner("tiny", train=FAST), Learner("tiny", train=FAST)
    assert fitted.fit(Split("first", tuple(pairs[:8])), "er-res", settings={"memory_size": 6}) is fitted
    fitted.fit(pairs[8:16], ReservoirReplay(memory_size=6))
    memory = Memory()
    for number, stage in enumerate((pairs[:8], pairs[8:16]), start=1):
        memory = trained.train(stage, ReservoirReplay(memory_size=6), memory, number)
    assert weights_equal(fitted, trained)
    assert fitted.memory == memory
    assert len(memory) == 6
    assert (fitted.memory.passed, fitted.stages_fitted) == (2, 2)


def test_plain_fine_tuning_is_the_default_strategy_and_progress_is_reported(pairs: list[Example]) -> None:
    fitted, trained, seen = Learner("tiny", train=FAST), Learner("tiny", train=FAST), []
    fitted.fit(iter(pairs[:8]), progress=lambda done, total: seen.append((done, total)))
    trained.train(pairs[:8], FineTune(), Memory(), 1)
    assert weights_equal(fitted, trained)
    assert seen == [(1, 2), (2, 2)]
    assert len(fitted.memory) == 0


def test_fitting_uses_the_configured_number_of_threads_and_restores_the_previous_one(pairs: list[Example]) -> None:
    seen: list[int] = []
    learner = Learner("tiny", train=FAST.model_copy(update={"threads": 2}))
    before = torch.get_num_threads()
    learner.fit(pairs[:4], progress=lambda done, total: seen.append(torch.get_num_threads()))
    assert seen == [2]
    assert torch.get_num_threads() == before


def test_a_stage_that_fails_does_not_count(nli: Learner, pairs: list[Example]) -> None:
    def fail(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nli.fit(pairs[:4], progress=fail)
    assert nli.stages_fitted == 0


def test_strategies_and_settings_that_cannot_be_used_are_refused(nli: Learner, pairs: list[Example]) -> None:
    with pytest.raises(UserError, match="unknown strategy 'er-rse': did you mean 'er-res'"):
        nli.fit(pairs[:4], "er-rse")
    with pytest.raises(ConfigError, match="memory_sise"):
        nli.fit(pairs[:4], "er-res", settings={"memory_sise": 3})
    with pytest.raises(UserError, match=r"set them in ReservoirReplay\(\.\.\.\)"):
        nli.fit(pairs[:4], ReservoirReplay(), settings={"memory_size": 3})
    with pytest.raises(UserError, match="a name, such as 'er-res', or an instance of Strategy, not <class"):
        nli.fit(pairs[:4], ReservoirReplay)  # type: ignore[arg-type]


def test_a_prediction_is_the_label_with_the_highest_logit(nli: Learner, pairs: list[Example]) -> None:
    predicted = nli.predict(Split("test", tuple(pairs)))
    expected = nli.logits(pairs)["nli"].argmax(axis=1)
    assert predicted == [NLI3.names[index] for index in expected]
    assert nli.predict(()) == []


def test_predictions_need_no_labels(nli: Learner, pairs: list[Example]) -> None:
    assert nli.predict([replace(pairs[0], label=None)]) == nli.predict(pairs[:1])


def test_a_learner_of_one_task_answers_the_example_or_its_only_part_of_that_task(examples: list[Example]) -> None:
    learner = Learner("tiny", tasks=("natural",))
    parts = [part for example in examples for part in example.parts if part.task == "natural"]
    assert learner.predict(examples) == learner.predict(parts)
    first, second = (replace(parts[number], id=str(number)) for number in range(2))
    doubled = replace(examples[0], parts=(first, second))
    with pytest.raises(UserError, match="has 2 parts of the task 'natural'"):
        learner.predict([doubled])
    parent = replace(parts[0], parts=(first, second))
    assert learner.predict([parent]) == learner.predict(parts[:1])


def test_a_learner_of_several_tasks_predicts_and_evaluates_by_task(examples: list[Example]) -> None:
    learner = constant(Learner("tiny", tasks=("composed", "natural")), "neutral")
    assert learner.predict(examples[:3]) == {"composed": ["neutral"] * 3, "natural": ["neutral"] * 3}
    result = learner.evaluate(examples)
    parts = [part for example in examples for part in example.parts if part.task == "natural"]
    assert set(result) == {"composed", "natural"}
    for task, rows in (("composed", examples), ("natural", parts)):
        assert result[task].accuracy == np.mean([row.label == "neutral" for row in rows])


def test_an_evaluation_has_the_accuracy_overall_and_by_label(nli: Learner, pairs: list[Example]) -> None:
    chosen = [replace(pairs[i], label=label) for i, label in enumerate(("neutral", "neutral", "entailment", "neutral"))]
    assert constant(nli, "entailment").evaluate(chosen) == Evaluation(
        examples=4,
        accuracy=0.25,
        majority=0.75,
        by_label={"entailment": LabelAccuracy(1, 1.0), "neutral": LabelAccuracy(3, 0.0)},
    )


def test_a_three_way_model_is_evaluated_on_two_way_labels(nli: Learner, pairs: list[Example]) -> None:
    chosen = [replace(pairs[0], label="entailed"), replace(pairs[1], label="not-entailed")]
    result = constant(nli, "contradiction").evaluate(chosen)
    assert result.accuracy == 0.5
    assert result.by_label["not-entailed"] == LabelAccuracy(1, 1.0)


def test_labels_of_several_schemes_are_not_evaluated_together(nli: Learner, pairs: list[Example]) -> None:
    with pytest.raises(UserError, match="no label scheme contains all of entailed, neutral"):
        nli.evaluate([replace(pairs[0], label="entailed"), replace(pairs[1], label="neutral")])


@pytest.mark.parametrize("method", ["fit", "predict", "evaluate", "logits", "vectors", "answers", "losses"])
def test_examples_of_another_task_are_an_error_with_the_way_out(
    nli: Learner, pairs: list[Example], method: str
) -> None:
    other = [replace(pair, task="natural") for pair in pairs[:2]]
    with pytest.raises(UserError) as caught:
        getattr(nli, method)(other)
    assert str(caught.value) == (
        f"the learner answers the task 'nli', but the examples have 'natural' (the first is {other[0].id!r}): change "
        "them with dataclasses.replace(example, task='nli'), or build the learner with Learner(..., tasks=('natural',))"
    )
    assert nli.stages_fitted == 0


@pytest.mark.parametrize("method", ["fit", "predict", "evaluate"])
def test_a_single_example_of_another_task_is_an_error(nli: Learner, pairs: list[Example], method: str) -> None:
    mixed = [pairs[0], replace(pairs[1], id="the odd one", task="natural")]
    with pytest.raises(UserError, match="the first is 'the odd one'"):
        getattr(nli, method)(mixed)


@pytest.mark.parametrize("method", ["fit", "evaluate"])
def test_an_example_without_a_usable_label_is_an_error_that_names_it(
    nli: Learner, pairs: list[Example], method: str
) -> None:
    with pytest.raises(UserError, match="example 'second' has no label"):
        getattr(nli, method)([pairs[0], replace(pairs[1], id="second", label=None), replace(pairs[2], label=None)])
    with pytest.raises(UserError, match="example 'second': unknown label 'positive' for the scheme nli3"):
        getattr(nli, method)([pairs[0], replace(pairs[1], id="second", label="positive")])
    with pytest.raises(UserError, match="no examples"):
        getattr(nli, method)([])


def test_a_classifier_is_loaded_fitted_and_saved(folder: Path, tmp_path: Path, pairs: list[Example]) -> None:
    learner = Learner.from_pretrained(folder, train=FAST)
    before = learner.logits(pairs)["nli"]
    learner.fit(pairs[:8]).save_pretrained(str(tmp_path / "fitted"))
    again = Learner.from_pretrained(str(tmp_path / "fitted"))
    assert again.labels == NLI3
    assert np.array_equal(again.logits(pairs)["nli"], learner.logits(pairs)["nli"])
    assert not np.array_equal(again.logits(pairs)["nli"], before)


def test_new_heads_are_not_saved_as_a_classifier(nli: Learner, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"write its weights with save\('weights\.safetensors'\)"):
        nli.save_pretrained(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_weights_that_cannot_be_read_are_an_error(nli: Learner, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        nli.load(tmp_path / "missing.safetensors")
    (tmp_path / "broken.safetensors").write_bytes(b"no weights")
    with pytest.raises(UserError, match="not a readable safetensors file"):
        nli.load(tmp_path / "broken.safetensors")
