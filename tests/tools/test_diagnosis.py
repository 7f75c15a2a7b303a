"""A diagnosis does not depend on the order of a model's outputs, and says when two models differ significantly."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from trivium.build.phenomena import MAKERS, Pair, generate_parts, maker
from trivium.cli.main import make_app
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.phenomena import PHENOMENA
from trivium.data.split import Split
from trivium.engine.execute import execute
from trivium.engine.plan import make_plan
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.measure.statistics.intervals import Interval
from trivium.models.classifiers import HEAD, new_classifier
from trivium.models.tokens import RowMaker
from trivium.report.diagnosis import diagnosis_document
from trivium.report.markdown import to_markdown
from trivium.tools.diagnosis import (
    ComparedPhenomenon,
    Diagnosis,
    Finding,
    compare,
    diagnosis_settings,
    prepare_diagnosis,
    selection_baselines,
)

ONLY = ("negat", "spat")
TRAIN = TrainConfig(learning_rate=1e-3, batch_size=8, epochs=1)


def save_model(folder: Path, names: tuple[str, ...], seed: int = 0, labels: Labels = NLI3) -> str:
    """Save an untrained model that predicts every label, with outputs named in this order, and return its folder."""
    classifier = new_classifier("tiny", seed, labels)
    head = classifier.model.classifier
    order = [labels.names.index(name) for name in names]
    examples = [example for name in ONLY for example in generate_parts(name, 10, 30)[1]]
    with torch.no_grad():
        torch.manual_seed(seed)
        head.weight.normal_(std=2.0)
        head.bias.zero_()
        usual = classifier.eval().logits(RowMaker(classifier.tokenizer, 64).rows(examples))[HEAD].mean(dim=0)
        head.bias.copy_(-usual[order])
        head.weight.copy_(head.weight[order].clone())
    classifier.model.config.id2label = dict(enumerate(names))
    classifier.model.config.label2id = {name: index for index, name in enumerate(names)}
    classifier.save(folder)
    return str(folder)


def diagnosed(model: str, folder: Path, inoculate: int = 0) -> Diagnosis:
    store = Store(folder).open()
    settings = diagnosis_settings(model, ONLY, "builtin", 40, inoculate, TRAIN, 64)
    diagnosis = prepare_diagnosis(settings, store)
    for step in make_plan(diagnosis.design.runs(), store).todo:
        execute(step, store)
    return diagnosis


def test_the_page_explains_states_constant_answers_suspect_labels_and_next_steps(tmp_path: Path) -> None:
    diagnosis = diagnosed(save_model(tmp_path / "a", NLI3.names), tmp_path / "store")
    findings = diagnosis.findings
    doubtful = replace(findings[0].phenomenon, doubt=PHENOMENA["hyper"].doubt)
    suspect = replace(findings[0], phenomenon=doubtful, source="curriculum", constant="entailed")
    object.__setattr__(diagnosis, "findings", [suspect, *findings[1:]])
    document = diagnosis_document([diagnosis], [], "trivium diagnose a")
    text = to_markdown(document)
    assert f"What it tests: {doubtful.about}. The model always answers entailed. Suspect gold labels." in text
    assert "systematically wrong, as if labels were swapped" in text
    assert any(command.startswith("trivium correct ") for _, command in document.next_steps)
    assert "[base" not in document.settings
    assert "[sequential" not in document.settings
    assert "max_length = 64" in document.settings
    assert replace(suspect, source="builtin").doubt == ""


def test_all_six_orders_of_the_outputs_give_the_same_diagnosis(tmp_path: Path) -> None:
    figures = []
    for number, names in enumerate(itertools.permutations(NLI3.names)):
        model = save_model(tmp_path / str(number), names)
        diagnosis = diagnosed(model, tmp_path / "store")
        assert set(diagnosis.outputs("negat").predicted.tolist()) == {0, 1, 2}
        figures.append({name: value for name, value in diagnosis.to_json().items() if name != "model"})
    assert all(each == figures[0] for each in figures)


def test_a_two_way_model_is_diagnosed_on_three_way_phenomena_with_two_labels(tmp_path: Path) -> None:
    model = save_model(tmp_path / "model", ("not-entailed", "entailed"), labels=NLI2)
    diagnosis = diagnosed(model, tmp_path / "store", inoculate=4)
    assert {diagnosis.outputs(name).labels for name in ONLY} == {NLI2}
    assert all(finding.inoculated_accuracy is not None for finding in diagnosis.findings)
    negation = next(finding for finding in diagnosis.findings if finding.phenomenon.name == "negat")
    assert negation.baselines["majority"] == pytest.approx(np.mean(diagnosis.outputs("negat").gold == 1))


def test_the_worst_examples_are_incorrect_and_counted(tmp_path: Path) -> None:
    diagnosis = diagnosed(save_model(tmp_path / "model", NLI3.names), tmp_path / "store")
    for error_examples in diagnosis.worst(3):
        name = error_examples.title.partition("(")[2].partition(")")[0]
        outputs = diagnosis.outputs(name)
        (group,) = error_examples.groups
        assert group.total == int(np.count_nonzero(outputs.predicted != outputs.gold))
        assert len(group.examples) == min(3, group.total)
        assert all(gold != predicted for case in group.examples for _, gold, predicted in case.answers)


def test_a_model_does_not_differ_from_itself_but_does_from_one_that_is_always_correct(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = diagnosed(save_model(tmp_path / "a", NLI3.names), tmp_path / "store")
    assert all(compared.p == 1 and compared.difference.value == 0 for compared in compare(first, first))
    second = diagnosed(save_model(tmp_path / "b", NLI3.names, seed=1), tmp_path / "store")
    logits = {}
    for key, step in second.design.predictions.items():
        gold = [NLI3.indices(str(example.label))[0] for example in second.design.tests[key]]
        logits[step.key] = 9 * np.eye(3, dtype=np.float32)[gold]
    monkeypatch.setattr(second.results.store, "logits", lambda key: {HEAD: logits[key]})
    differences = compare(first, second)
    assert {compared.phenomenon.name for compared in differences if compared.is_significant} == set(ONLY)
    assert all(compared.difference.low > 0 for compared in differences)


@pytest.mark.parametrize(
    ("correlation", "gain", "state"),
    [
        ((0.7, 0.5, 0.8), (0.2, 0.1, 0.3), "mastered"),
        ((0.7, 0.5, 0.8), (0.1, 0.0, 0.2), "in part"),
        ((0.6, 0.4, 0.8), (0.2, 0.1, 0.3), "in part"),
        ((0.2, -0.1, 0.4), (0.0, -0.1, 0.1), "undecided"),
        ((0.05, -0.1, 0.19), (0.0, -0.1, 0.1), "missing"),
        ((0.1, 0.01, 0.19), (0.0, -0.1, 0.1), "missing"),
        ((-0.4, -0.6, -0.2), (-0.2, -0.3, -0.1), "reversed"),
    ],
)
def test_the_state_follows_from_the_intervals_of_correlation_and_gain(
    correlation: tuple[float, float, float], gain: tuple[float, float, float], state: str
) -> None:
    accuracy = Interval(0.8, 0.7, 0.9)
    known, over = {"majority": 0.5}, Interval(*gain)
    finding = Finding(PHENOMENA["ner"], "builtin", 100, Interval(*correlation), accuracy, known, over)
    assert finding.state == state


def test_baselines_are_perfect_where_a_word_gives_away_the_label(tmp_path: Path) -> None:
    diagnosis = diagnosed(save_model(tmp_path / "model", NLI3.names), tmp_path / "store")
    chosen = diagnosis.design.examples["spat"]
    biased_examples = [
        Example.make(e.id, e.premise, f"{'Yes' if e.label == 'entailed' else 'No'}, indeed.", e.label)
        for e in (*chosen.train, *chosen.validation)
    ]
    train, validation = biased_examples[: len(chosen.train)], biased_examples[len(chosen.train) :]
    biased = replace(
        chosen, train=Split("train", tuple(train), NLI2), validation=Split("validation", tuple(validation), NLI2)
    )
    given_away = selection_baselines(biased, diagnosis.outputs("spat")).accuracies()
    assert (given_away["negation"], given_away["hypothesis only"]) == (1, 1)
    assert selection_baselines(chosen, diagnosis.outputs("spat")).accuracies()["hypothesis only"] < 0.75


def test_the_command_prints_a_line_for_each_phenomenon_and_writes_page_and_figures(tmp_path: Path) -> None:
    models = [save_model(tmp_path / name, NLI3.names, seed) for seed, name in enumerate(("first", "second"))]
    options = ["--only", "negat", "--only", "spat", "--source", "builtin", "--sample", "30"]
    options += ["--store", str(tmp_path / "store"), "--json", str(tmp_path / "figures.json")]
    options += ["--report", str(tmp_path / "page.html")]
    result = CliRunner().invoke(
        make_app(), ["diagnose", models[0], *options, "--inoculate", "4", "--learning-rate", "1e-3"]
    )
    assert result.exit_code == 0, result.output
    assert "negat" in result.output
    assert "after 4" in result.output
    assert "Missing (" in result.output
    assert "Generated by Trivium's grammars" in result.output
    plain = json.loads((tmp_path / "figures.json").read_text())
    assert [row["name"] for row in plain["phenomena"]] == ["negat", "spat"]
    assert plain["inoculation"] == 4
    page = (tmp_path / "page.html").read_text()
    assert "<svg" in page
    assert "Spatial Reasoning" in page
    result = CliRunner().invoke(make_app(), ["diagnose", *models, *options])
    assert result.exit_code == 0, result.output
    assert "is significantly better on" in " ".join(result.output.split())
    both = json.loads((tmp_path / "figures.json").read_text())
    assert [row["model"] for row in both["models"]] == models
    assert [row["name"] for row in both["compared"]] == ["negat", "spat"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["diagnose", "a", "b", "c"], "3 models given"),
        (["diagnose", "a", "a"], "a given twice"),
        (["diagnose", "./nowhere"], "no such folder"),
        (["diagnose", "minilm"], "is an encoder without a classifier"),
        (["diagnose", "MODEL", "--only", "negation"], "unknown phenomenon or category 'negation'"),
        (["diagnose", "MODEL", "--source", "sick"], "unknown source 'sick'"),
        (["diagnose", "MODEL", "--source", "builtin", "--only", "puns"], "no phenomenon to test: the source"),
        (["diagnose", "MODEL", "--report", "page.pdf"], "a report must be an .html or .md file"),
        (
            ["diagnose", "MODEL", "--learning-rate", "7", "--inoculate", "3"],
            "--learning-rate 7: must be between 0 and 1",
        ),
    ],
)
def test_errors_are_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    model = save_model(tmp_path / "model", NLI3.names) if "MODEL" in arguments else ""
    result = CliRunner().invoke(make_app(), [model if word == "MODEL" else word for word in arguments])
    assert isinstance(result.exception, UserError), result.output
    assert message in str(result.exception)
    assert len(str(result.exception).splitlines()) == 1


def test_a_difference_is_significant_below_five_percent() -> None:
    assert ComparedPhenomenon(PHENOMENA["ner"], Interval(0.1, 0.05, 0.2), 0.04).is_significant
    assert not ComparedPhenomenon(PHENOMENA["ner"], Interval(0.1, 0.05, 0.2), 0.05).is_significant


def test_the_plugin_of_the_documentation_adds_a_phenomenon(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "add-a-phenomenon.md").read_text(encoding="utf-8")
    code = page.split("```python\n", 1)[1].split("```", 1)[0]
    plugin = tmp_path / "plural.py"
    plugin.write_text(code, encoding="utf-8")
    model = save_model(tmp_path / "model", NLI3.names)
    options = ["--plugin", str(plugin), "--only", "plural", "--store", str(tmp_path / "store")]
    try:
        result = CliRunner().invoke(make_app(), ["diagnose", model, *options, "--source", "builtin"])
        assert result.exit_code == 0, result.output
        assert "plural" in result.output
        train, validation = generate_parts("plural", 4000, 1000)
        assert (len(validation), len(train) > 400) == ((len(train) + len(validation)) // 5, True)
    finally:
        for registry in (MAKERS, PHENOMENA):
            registry._components.pop("plural", None)


def test_a_maker_with_too_few_pairs_is_an_error() -> None:
    maker("nothing")(lambda label, rng: Pair("It rains.", f"It is {label}."))
    PHENOMENA.register("nothing")(replace(PHENOMENA["ner"], name="nothing", task=""))
    try:
        with pytest.raises(UserError, match="phenomenon 'nothing': its maker produces only 2 different pairs"):
            generate_parts("nothing", 10, 10)
    finally:
        for registry in (MAKERS, PHENOMENA):
            registry._components.pop("nothing", None)
