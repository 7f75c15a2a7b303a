"""A processor that would emulate bfloat16 is refused before anything is trained."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.engine.runner import StepRunner
from trivium.engine.steps import PredictStep, TrainStep
from trivium.errors import UserError
from trivium.learn import precision
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.precision import check_precision


@pytest.mark.parametrize(
    ("text", "has_it"),
    [
        ("flags\t\t: fpu avx2 f16c\nflags\t\t: fpu avx2 f16c\n", False),
        ("flags\t\t: avx512f avx512_vnni\n", False),
        ("flags\t\t: avx512f avx512_bf16\n", True),
        ("flags\t\t: amx_tile amx_bf16 amx_int8\n", True),
        ("Features\t: fp asimd bf16 i8mm\n", True),
        ("Features\t: fp asimd\n", False),
        ("a processor that lists nothing\n", True),
    ],
)
def test_instructions_are_read_from_the_list_of_the_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, has_it: bool
) -> None:
    file = tmp_path / "cpuinfo"
    monkeypatch.setattr(precision, "_CPUINFO", file)
    assert precision.has_bf16()  # without the file, nothing is known
    file.write_text(text)
    assert precision.has_bf16() is has_it


def test_bf16_without_instructions_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "has_bf16", lambda: False)
    check_precision(TrainConfig())
    check_precision(TrainConfig(precision="bf16", device="cuda"))
    with pytest.raises(UserError, match=r"'bf16', but this processor has no instructions .*train\.precision=fp32"):
        Learner("tiny", train=TrainConfig(precision="bf16"))


def test_a_run_with_such_a_step_trains_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "has_bf16", lambda: False)
    trains = [TrainConfig(), TrainConfig(precision="bf16")]
    steps = [TrainStep(ModelConfig(name="tiny"), "f", ("nli",), train, 0, "split", 10) for train in trains]
    runner = StepRunner(tmp_path / "store", progress=False)
    with pytest.raises(UserError, match=r"train\.precision is 'bf16'"):
        runner.run_steps([[PredictStep(step, "test", 10) for step in steps]], "a test")
    assert not runner.store.keys()
