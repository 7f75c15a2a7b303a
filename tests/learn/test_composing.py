"""Learners that answer compositions from their parts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from trivium.build.splits.stages import Sizes, build_fold, divide_natural, fold_of
from trivium.build.veridicality.natural import choose_natural
from trivium.data.example import Example
from trivium.data.labels import NLI2
from trivium.data.sources import load_source
from trivium.language.embedding import decompose
from trivium.learn.composing import fallbacks, make_plan, parts_of, without_composer
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.imitation import recombine
from trivium.learn.learner import Learner
from trivium.models.composition import compose, compose_best
from trivium.seeds import stream

TASKS = ("composed", "natural", "veridical")
SIZES = Sizes(
    entailment=30,
    neutral=30,
    contradiction=30,
    held_out=6,
    per_type=8,
    natural_stage_verbs=2,
    test_composed=6,
    test_primitive=6,
)
TRAIN = TrainConfig(learning_rate=1e-3, batch_size=8, epochs=1)


@pytest.fixture(scope="module")
def examples() -> tuple[Example, ...]:
    pool = divide_natural(choose_natural(load_source("builtin").examples), SIZES, stream(0, "data"))
    return build_fold(pool, fold_of(1), SIZES, stream(0, "data", "fold", 1)).ver.examples


def learner(composer: str, tasks: tuple[str, ...] = TASKS) -> Learner:
    return Learner(ModelConfig(name="tiny", composer=composer), tasks=tasks, train=TRAIN)


def test_the_reader_finds_the_gold_parts(examples: tuple[Example, ...]) -> None:
    for example in examples:
        found = [(part.task, part.premise, part.hypothesis) for part in parts_of(replace(example, parts=()), TASKS)]
        assert found == [(part.task, part.premise, part.hypothesis) for part in example.parts]
    plan = make_plan([row for example in examples for row in example.rows()], TASKS)
    assert {row.task for row in plan.rows} == {"natural", "veridical"}, "compositions are not encoded"
    assert not any(fallbacks(examples, TASKS))


def test_a_composition_is_answered_from_its_parts(examples: tuple[Example, ...]) -> None:
    typed = learner("typed")
    typed.fit(examples[:8])
    logits = typed.logits(examples[:8])
    assert typed.network.composition is not None
    parts = [torch.from_numpy(logits[task]) for task in ("veridical", "natural")]
    table = typed.network.composition.table().detach()
    expected = compose_best(table, [parts[0]], parts[1])
    assert np.allclose(logits["composed"], expected.numpy(), atol=1e-5)
    with typed.evaluation_mode(), torch.no_grad():
        answers = {answer.head: answer.logits for answer in typed.answers(examples[:8])}
    assert torch.allclose(answers["composed"], compose(table, [parts[0]], parts[1]), atol=1e-4)


def test_composed_examples_teach_the_primitives(examples: tuple[Example, ...]) -> None:
    typed = learner("rules")
    typed.backward(typed.loss([replace(example, parts=()) for example in examples[:4]]))
    heads = dict(typed.network.named_parameters())
    assert all(heads[f"heads.{task}.weight"].grad is not None for task in ("natural", "veridical"))
    assert heads["heads.composed.weight"].grad is None


def test_a_pair_without_an_embedded_clause_is_answered_by_the_head(examples: tuple[Example, ...]) -> None:
    plain = Example.make("plain", "A man sings", "A person sings", "entailment", task="composed")
    assert fallbacks([plain, examples[0]], TASKS) == [True, False]
    typed = learner("typed")
    typed.backward(typed.loss([plain]))
    assert dict(typed.network.named_parameters())["heads.composed.weight"].grad is not None


def test_the_table_is_stored_with_the_weights(examples: tuple[Example, ...], tmp_path: Path) -> None:
    typed = learner("typed").fit(examples)
    typed.save(tmp_path / "weights.safetensors")
    again = learner("typed")
    again.load(tmp_path / "weights.safetensors")
    assert typed.network.composition is not None
    assert again.network.composition is not None
    assert torch.equal(again.network.composition.table(), typed.network.composition.table())
    assert not torch.equal(again.network.composition.table(), learner("typed").network.composition.table())  # type: ignore[union-attr]


@pytest.mark.parametrize("strategy", ["er-res", "er-buff", "er-mir", "agem", "kd", "mas", "scl", "proto"])
def test_every_strategy_works_with_typed(examples: tuple[Example, ...], strategy: str) -> None:
    typed = learner("typed").fit(examples[:8], strategy).fit(examples[8:], strategy)
    assert np.isfinite(typed.loss_history).all()


def test_imitation_trains_the_head_on_recombined_parts_and_answers_with_it(examples: tuple[Example, ...]) -> None:
    imitating = learner("imitate")
    rows = [replace(example, parts=()) for example in examples]
    recombined = recombine(rows, [*range(1, len(rows)), 0])
    verbs = {example.fact("verb") for example in examples}
    assert len(recombined) > len(rows) / 2
    assert all(row.label is None for row in recombined)
    assert {decompose(row.premise, str(row.hypothesis))[0].verb for row in recombined} <= verbs
    imitating.backward(imitating.loss(rows[:8]))
    parameters = dict(imitating.network.named_parameters())
    assert all(parameters[f"heads.{task}.weight"].grad is not None for task in TASKS)
    assert parameters["composition.learned"].grad is not None
    logits = imitating.logits(rows[:8])["composed"]
    with without_composer(imitating.network):
        assert np.array_equal(logits, imitating.logits(rows[:8])["composed"])


def test_a_model_with_one_head_decomposes_pairs_whose_premise_embeds_a_clause() -> None:
    rows = [
        Example.make("natural", "A man is eating", "A person is eating", "entailed"),
        Example.make("veridical", "Someone knows that a man is eating", "A man is eating", "entailed"),
        Example.make("composed", "Someone knows that a man is eating", "A person is eating", "entailed"),
        Example.make(
            "chain", "Someone hopes that someone knows that a man is eating", "A person is eating", "entailed"
        ),
    ]
    assert [len(parts_of(row, ("nli",))) for row in rows] == [0, 0, 2, 3]
    assert len(make_plan(rows, ("nli",)).rows) == 3, "a chain adds one row to those of one verb"
    typed = Learner(ModelConfig(name="tiny", composer="typed"), labels=NLI2, train=TRAIN).fit(rows)
    assert typed.logits(rows)["nli"].shape == (4, 2)


def test_a_composition_that_the_head_answers_does_not_bring_its_parts_along(examples: tuple[Example, ...]) -> None:
    lost = replace(examples[0], id="lost", premise="Nothing is embedded here")
    typed, both = learner("typed"), [lost, *examples[1:4]]
    logits = typed.logits(both)
    with without_composer(typed.network):
        plain = typed.logits(both)
    for task in ("veridical", "natural"):
        np.testing.assert_allclose(logits[task], plain[task], rtol=1e-4, atol=1e-5)
