from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from trivium.engine.plan import PlanSummary, estimate_seconds, make_plan
from trivium.engine.progress import step_name
from trivium.engine.run import KeepModels, RunOptions, _Queue, executor_for, run_plan
from trivium.engine.runner import step_labels
from trivium.engine.steps import PredictStep, Step, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.learn.config import ModelConfig, TrainConfig

MakeTrain = Callable[..., TrainStep]
ER = StrategySpec("er-res", (("memory_size", 100),))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path).open()


def _runs(train: MakeTrain) -> list[list[PredictStep]]:
    """Two strategies over the same first stage, each tested after both stages."""
    first = train("s1")
    runs = []
    for spec in (StrategySpec("finetune"), ER):
        second = train("s2", spec, first)
        runs.append([PredictStep(step, "test", 5) for step in (first, second)])
    return runs


def _finish(store: Store, *steps: Step) -> None:
    for step in steps:
        with store.writing(step.key, {}):
            pass


def test_first_stages_are_shared(train: MakeTrain, store: Store) -> None:
    plan = make_plan(_runs(train), store)
    assert plan.unshared == 8
    assert len(plan.steps) == 6
    assert plan.saved == 2
    assert (plan.count("train"), plan.count("predict")) == (3, 3)


def test_parents_come_before_their_children(train: MakeTrain, store: Store) -> None:
    plan = make_plan(_runs(train), store)
    places = {step.key: place for place, step in enumerate(plan.todo)}
    assert all(places[needed.key] < places[step.key] for step in plan.todo for needed in step.needs)


def test_a_finished_plan_has_nothing_to_do(train: MakeTrain, store: Store) -> None:
    runs = _runs(train)
    _finish(store, *(step for run in runs for step in run))
    plan = make_plan(runs, store)
    assert plan.todo == ()
    assert plan.done == len(plan.steps)


def test_a_model_whose_predictions_are_stored_is_not_trained_again(train: MakeTrain, store: Store) -> None:
    runs = _runs(train)
    _finish(store, *runs[0])
    todo = make_plan(runs, store).todo
    assert {step.key for step in todo} == {runs[1][1].key, runs[1][1].training.key, runs[1][0].training.key}


def test_a_stored_model_is_used_and_not_trained_again(train: MakeTrain, store: Store) -> None:
    runs = _runs(train)
    _finish(store, runs[0][0].training)
    assert runs[0][0].training.key not in {step.key for step in make_plan(runs, store).todo}


def test_a_model_is_useless_only_when_its_last_reader_is_done(train: MakeTrain, store: Store) -> None:
    plan = make_plan(_runs(train), store)
    queue = _Queue(plan)
    useless: list[str] = []
    while queue.left:
        step = queue.next()
        assert step is not None
        readers = [other for other in plan.todo if step in other.needs]
        for gone in queue.finished(step):
            useless.append(gone.key)
        assert not (readers and step.key in useless)
    trained = {step.key for step in plan.todo if step.kind == "train"}
    assert set(useless) == trained
    assert len(useless) == len(trained)


def test_a_step_waits_for_what_it_needs(train: MakeTrain, store: Store) -> None:
    queue = _Queue(make_plan(_runs(train), store))
    first = queue.next()
    assert first is not None
    assert first.kind == "train"
    assert queue.next() is None, "everything else needs the first stage"


def test_steps_with_frozen_layers_that_share_data_follow_one_another(train: MakeTrain, store: Store) -> None:
    long = train("stage 9", frozen="lower:1", epochs=50)
    runs = [[PredictStep(long, "test 9", 10)]]
    for fold in range(3):
        for seed in range(2):
            first = train(f"stage {fold}", seed=seed, frozen="lower:1")
            second = train(f"second stage {fold}", parent=first, seed=seed, frozen="lower:1")
            runs.append([PredictStep(model, f"test {fold}", 10) for model in (first, second)])
    queue = _Queue(make_plan(runs[::-1], store))
    folds = []
    while (step := queue.next()) is not None:
        folds.append(int(step.split[-1]))
        queue.finished(step)
    assert len(folds) == 2 + 3 * 2 * 4
    groups = [number for number, _ in itertools.groupby(folds)]
    assert len(groups) == 4
    assert groups[0] == 9, "most work first"


def test_the_estimate_follows_what_steps_cost_here(train: MakeTrain, store: Store) -> None:
    runs = _runs(train)
    plan = make_plan(runs, store)
    rough = estimate_seconds(plan, store, 1)
    store.note_cost("measured", {"kind": "train", "work": 1, "seconds": 100, "model": "tiny"})
    measured = estimate_seconds(plan, store, 1)
    assert rough is not None
    assert measured is not None
    assert measured > 100 * rough
    assert estimate_seconds(plan, store, 2) == pytest.approx(measured / 2)


@pytest.mark.parametrize(("keep", "left"), [("needed", 0), ("shared", 1), ("all", 3)])
def test_models_that_a_stopped_run_left_behind_are_removed(
    train: MakeTrain, store: Store, keep: KeepModels, left: int
) -> None:
    runs = _runs(train)
    _finish(store, *(step for run in runs for step in run), *{step.training for run in runs for step in run})
    run_plan(make_plan(runs, store), store, RunOptions(workers=1, keep_models=keep))
    models = {step.training for run in runs for step in run}
    assert sum(model.key in store for model in models) == left
    assert (runs[0][0].training.key in store) == (left > 0)


def test_what_one_run_kept_no_later_run_removes(train: MakeTrain, store: Store) -> None:
    runs = _runs(train)
    _finish(store, *(step for run in runs for step in run), *{step.training for run in runs for step in run})
    first = runs[0][0].training
    store.keep(first.key)
    run_plan(make_plan(runs, store), store, RunOptions(workers=1))
    assert first.key in store
    assert runs[0][1].training.key not in store


def test_labels_show_only_the_fields_that_differ_within_a_plan() -> None:
    trained = [TrainStep(ModelConfig(name="tiny"), "f", ("nli",), TrainConfig(), seed, "s", 1) for seed in (0, 1)]
    steps = [PredictStep(training, test, 1) for training in trained for test in ("a", "b")]
    keys = [
        ({"fold": 1, "seed": step.training.seed, "words": "natural", "test": step.split, "strategy": ""}, step)
        for step in steps
    ]
    assert [step_labels(keys)[step.key] for step in steps] == ["seed 0, a", "seed 0, b", "seed 1, a", "seed 1, b"]
    assert [step_labels(keys)[training.key] for training in trained] == ["seed 0", "seed 1"]
    assert step_labels(keys[:1])[steps[0].key] == "fold 1, seed 0, natural, a"
    assert step_labels(keys[:2])[trained[0].key] == "fold 1, seed 0, natural"


def test_a_summary_counts_loads_apart_from_trainings(train: MakeTrain, store: Store) -> None:
    load = replace(train("base"), size=0)
    store.note_cost(load.key, {})
    prediction = PredictStep(load, "test", 5)
    lines = PlanSummary.of(make_plan([[prediction], [prediction]], store), store, 1, "Evaluation").lines()
    assert lines[1] == "2 steps: 1 load, 1 prediction. 0 done, 2 to do."
    assert not any("must run again" in line for line in lines)
    assert step_name(load) == f"load {load.model.name}"
    assert step_name(prediction) == f"predict with {load.model.name}"


def test_few_predictions_of_a_small_model_run_in_this_process(train: MakeTrain, store: Store) -> None:
    load = replace(train("base"), size=0)
    few, many = PredictStep(load, "test", 5), PredictStep(load, "test", 5000)
    for prediction, workers, executor in ((few, 0, "inline"), (few, 2, "local"), (many, 0, "local")):
        assert executor_for(make_plan([[prediction]], store), "local", workers) == executor
    assert executor_for(make_plan(_runs(train), store), "local", 0) == "local"
