"""A worker is killed in the middle of a training: the run goes on from the last checkpoint, with the same bytes."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

Trivium = Callable[..., "subprocess.CompletedProcess[str]"]

PLUGIN = '''
import os
import time

import trivium as tv


@tv.strategy("counted")
class Counted(tv.Strategy):
    """Replay; each step notes the process it runs in."""

    def step(self, learner, batch, memory):
        time.sleep(0.05)
        loss = learner.backward(learner.loss([*batch, *memory.draw(len(batch), learner.rng)]))
        with open(os.environ["STEPS_FILE"], "a") as file:
            print(os.getpid(), file=file)
        return loss

    def end_stage(self, learner, stage, memory):
        return tv.reservoir(memory, stage, 20, learner.rng)
'''


def predictions(store: Path) -> dict[str, str]:
    files = sorted((store / "steps").glob("*/logits.safetensors"))
    return {file.parent.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def processes(file: Path) -> list[int]:
    """The process of each step that was done so far."""
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def test_a_run_goes_on_from_a_checkpoint_after_its_worker_was_killed(
    program: list[str], environment: dict[str, str], trivium: Trivium, tmp_path: Path
) -> None:
    plugin = tmp_path / "counted.py"
    plugin.write_text(PLUGIN)
    command = ["run", "c2gen", "--preset", "smoke", "--plugin", str(plugin), "--workers", "1"]
    command += ["--set", 'run.strategies=["counted"]', "--set", 'run.orders=["ver-nat"]', "--set", "train.epochs=2"]
    whole = trivium(*command, "--store", tmp_path / "whole", STEPS_FILE=str(tmp_path / "whole-steps"))
    assert whole.returncode == 0, whole.stderr
    total = len(processes(tmp_path / "whole-steps"))
    assert total >= 10

    steps = tmp_path / "steps"
    running = subprocess.Popen(
        [*program, *command, "--store", str(tmp_path / "store")],
        env=environment | {"STEPS_FILE": str(steps), "TRIVIUM_CHECKPOINT_SECONDS": "0"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(6000):
        if len(processes(steps)) >= total // 2 or running.poll() is not None:
            break
        time.sleep(0.02)
    assert running.poll() is None, "the run ended before it could be disturbed"
    os.kill(processes(steps)[0], signal.SIGKILL)
    _, said = running.communicate(timeout=300)
    assert running.returncode == 0, said

    first, *later = dict.fromkeys(processes(steps))
    assert len(later) == 1, "one worker was killed, and one took its place"
    before, after = (processes(steps).count(pid) for pid in (first, later[0]))
    assert before >= total // 2
    assert total <= before + after <= total + 1, "only the step without a checkpoint was repeated"
    assert predictions(tmp_path / "store") == predictions(tmp_path / "whole")
    assert not list((tmp_path / "store" / "checkpoints").iterdir())
