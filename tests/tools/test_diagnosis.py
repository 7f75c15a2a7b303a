"""A diagnosis says the same of a model however its outputs are ordered, and when two models truly differ."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from trivium.build.phenomena import MAKERS, Pair, make_parts, maker
from trivium.cli.main import app
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.phenomena import PHENOMENA
from trivium.data.split import Split
from trivium.engine.execute import execute
from trivium.engine.plan import make_plan
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.measure.bootstrap import Interval
from trivium.models.classifiers import HEAD, new_classifier
from trivium.models.tokens import RowMaker
from trivium.tools.diagnosis import (
    Compared,
    Diagnosis,
    Finding,
    compare,
    diagnosis_settings,
    prepare_diagnosis,
    right_by_hypothesis,
)

ONLY = ("negat", "spat")
TRAIN = TrainConfig(learning_rate=1e-3, batch_size=8, epochs=1)


def save_model(folder: Path, names: tuple[str, ...], seed: int = 0, labels: Labels = NLI3) -> str:
    """A model that knows nothing, says many things, and whose outputs have these names in this order."""
    made = new_classifier("tiny", seed, labels)
    head = made.model.classifier
    order = [labels.names.index(name) for name in names]
    asked = [example for name in ONLY for example in make_parts(name, 10, 30)[1]]
    with torch.no_grad():
        torch.manual_seed(seed)
        head.weight.normal_(std=2.0)
        head.bias.zero_()
        usual = made.eval().logits(RowMaker(made.tokenizer, 64).rows(asked))[HEAD].mean(dim=0)
        head.bias.copy_(-usual[order])
        head.weight.copy_(head.weight[order].clone())
    made.model.config.id2label = dict(enumerate(names))
    made.model.config.label2id = {name: place for place, name in enumerate(names)}
    made.save(folder)
    return str(folder)


def diagnosed(model: str, store: Path, inoculate: int = 0, resamples: int = 200) -> Diagnosis:
    place = Store(store).open()
    settings = diagnosis_settings(model, ONLY, "builtin", 40, inoculate, TRAIN, 64)
    found = prepare_diagnosis(settings, place, resamples)
    for step in make_plan(found.design.runs(), place).todo:
        execute(step, place)
    return found


def test_all_six_orders_of_the_outputs_give_the_same_diagnosis(tmp_path: Path) -> None:
    found = []
    for number, names in enumerate(itertools.permutations(NLI3.names)):
        model = save_model(tmp_path / str(number), names)
        diagnosis = diagnosed(model, tmp_path / "store")
        assert set(diagnosis.asked("negat").said.tolist()) == {0, 1, 2}
        found.append({name: value for name, value in diagnosis.to_json().items() if name != "model"})
    assert all(one == found[0] for one in found)


def test_a_two_way_model_is_asked_three_way_phenomena_in_two_ways(tmp_path: Path) -> None:
    model = save_model(tmp_path / "model", ("not-entailed", "entailed"), labels=NLI2)
    found = diagnosed(model, tmp_path / "store", inoculate=4)
    assert {found.asked(name).labels for name in ONLY} == {NLI2}
    assert all(one.recovered is not None for one in found.findings)
    negation = next(one for one in found.findings if one.phenomenon.name == "negat")
    assert negation.majority == pytest.approx(np.mean(found.asked("negat").gold == 1))


def test_the_worst_examples_are_wrong_and_the_surest_come_first(tmp_path: Path) -> None:
    found = diagnosed(save_model(tmp_path / "model", NLI3.names), tmp_path / "store")
    for gallery in found.worst(3):
        name = gallery.title.partition("(")[2].partition(")")[0]
        asked = found.asked(name)
        (shelf,) = gallery.groups
        assert shelf.total == int(np.count_nonzero(asked.said != asked.gold))
        assert len(shelf.cases) == min(3, shelf.total)
        assert all(right != said for case in shelf.cases for _, right, said in case.answers)


def test_a_model_does_not_differ_from_itself_and_one_that_is_always_right_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = diagnosed(save_model(tmp_path / "a", NLI3.names), tmp_path / "store", resamples=2000)
    assert all(one.p == 1 and one.difference.value == 0 for one in compare(first, first))
    second = diagnosed(save_model(tmp_path / "b", NLI3.names, seed=1), tmp_path / "store", resamples=2000)
    told = {}
    for reading, step in second.design.predictions.items():
        places = [NLI3.places(str(example.label))[0] for example in second.design.tests[reading]]
        told[step.key] = 9 * np.eye(3, dtype=np.float32)[places]
    monkeypatch.setattr(second.results.store, "logits", lambda key: {HEAD: told[key]})
    found = compare(first, second)
    assert {one.phenomenon.name for one in found if one.is_significant} == set(ONLY)
    assert all(one.difference.low > 0 for one in found)


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
def test_states(correlation: tuple[float, float, float], gain: tuple[float, float, float], state: str) -> None:
    accuracy = Interval(0.8, 0.7, 0.9)
    finding = Finding(PHENOMENA["ner"], "builtin", 100, Interval(*correlation), accuracy, 0.5, 0.5, Interval(*gain))
    assert finding.state == state


def test_hypotheses_alone_are_enough_where_a_word_tells_the_label(tmp_path: Path) -> None:
    found = diagnosed(save_model(tmp_path / "model", NLI3.names), tmp_path / "store")
    chosen = found.design.chosen["spat"]
    given_away = [
        Example.make(e.id, e.premise, f"{'Yes' if e.label == 'entailed' else 'No'}, indeed.", e.label)
        for e in (*chosen.train, *chosen.validation)
    ]
    train, validation = given_away[: len(chosen.train)], given_away[len(chosen.train) :]
    told = replace(
        chosen, train=Split("train", tuple(train), NLI2), validation=Split("validation", tuple(validation), NLI2)
    )
    assert right_by_hypothesis(told, found.asked("spat")).all()
    assert right_by_hypothesis(chosen, found.asked("spat")).mean() < 0.75


def test_the_command_prints_a_line_for_each_phenomenon_and_writes_page_and_figures(tmp_path: Path) -> None:
    models = [save_model(tmp_path / name, NLI3.names, seed) for seed, name in enumerate(("one", "two"))]
    options = ["--only", "negat", "--only", "spat", "--source", "builtin", "--sample", "30"]
    options += ["--store", str(tmp_path / "store"), "--json", str(tmp_path / "found.json")]
    options += ["--out", str(tmp_path / "page.html")]
    result = CliRunner().invoke(app, ["diagnose", models[0], *options, "--inoculate", "4", "--learning-rate", "1e-3"])
    assert result.exit_code == 0, result.output
    assert "negat" in result.output
    assert "after 4" in result.output
    assert "Missing (" in result.output
    assert "Generated by Trivium's grammars" in result.output
    plain = json.loads((tmp_path / "found.json").read_text())
    assert [one["name"] for one in plain["phenomena"]] == ["negat", "spat"]
    assert plain["inoculation"] == 4
    page = (tmp_path / "page.html").read_text()
    assert "<svg" in page
    assert "Spatial Reasoning" in page
    result = CliRunner().invoke(app, ["diagnose", *models, *options])
    assert result.exit_code == 0, result.output
    assert "is significantly better on" in " ".join(result.output.split())
    both = json.loads((tmp_path / "found.json").read_text())
    assert [one["model"] for one in both["models"]] == models
    assert [one["name"] for one in both["compared"]] == ["negat", "spat"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["diagnose", "a", "b", "c"], "3 models are named"),
        (["diagnose", "a", "a"], "a is named twice"),
        (["diagnose", "./nowhere"], "no such folder"),
        (["diagnose", "minilm"], "is an encoder without a classifier"),
        (["diagnose", "MODEL", "--only", "negation"], "unknown phenomenon or category 'negation'"),
        (["diagnose", "MODEL", "--source", "sick"], "unknown source 'sick'"),
        (["diagnose", "MODEL", "--source", "builtin", "--only", "puns"], "no phenomenon to test: the source"),
        (["diagnose", "MODEL", "--out", "page.pdf"], "a report is an .html or an .md file"),
        (["diagnose", "MODEL", "--learning-rate", "7", "--inoculate", "3"], "--learning-rate 7: it is between 0 and 1"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    model = save_model(tmp_path / "model", NLI3.names) if "MODEL" in arguments else ""
    result = CliRunner().invoke(app, [model if word == "MODEL" else word for word in arguments])
    assert isinstance(result.exception, UserError), result.output
    assert message in str(result.exception)
    assert len(str(result.exception).splitlines()) == 1


def test_compared_is_significant_below_five_percent() -> None:
    assert Compared(PHENOMENA["ner"], Interval(0.1, 0.05, 0.2), 0.04).is_significant
    assert not Compared(PHENOMENA["ner"], Interval(0.1, 0.05, 0.2), 0.05).is_significant


def test_a_phenomenon_of_ones_own_is_one_file(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "add-a-phenomenon.md").read_text(encoding="utf-8")
    code = page.split("```python\n", 1)[1].split("```", 1)[0]
    plugin = tmp_path / "plural.py"
    plugin.write_text(code, encoding="utf-8")
    model = save_model(tmp_path / "model", NLI3.names)
    options = ["--plugin", str(plugin), "--only", "plural", "--store", str(tmp_path / "store")]
    try:
        result = CliRunner().invoke(app, ["diagnose", model, *options, "--source", "builtin"])
        assert result.exit_code == 0, result.output
        assert "plural" in result.output
        train, validation = make_parts("plural", 4000, 1000)
        assert (len(validation), len(train) > 400) == ((len(train) + len(validation)) // 5, True)
    finally:
        for registry in (MAKERS, PHENOMENA):
            registry._components.pop("plural", None)


def test_a_maker_with_next_to_no_pairs_is_refused() -> None:
    maker("nothing")(lambda label, rng: Pair("It rains.", f"It is {label}."))
    PHENOMENA.register("nothing")(replace(PHENOMENA["ner"], name="nothing", task=""))
    try:
        with pytest.raises(UserError, match="nothing: its maker produces 2 different examples, at least 40"):
            make_parts("nothing", 10, 10)
    finally:
        for registry in (MAKERS, PHENOMENA):
            registry._components.pop("nothing", None)
