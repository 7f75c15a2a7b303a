from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from trivium.data import Example, Split
from trivium.engine.pool import Pool
from trivium.engine.steps import TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError

MakeTrain = Callable[..., TrainStep]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path).open()


@pytest.mark.parametrize(
    ("deadly", "advice"), [(signal.SIGKILL, "SIGKILL: probably out of memory"), (signal.SIGILL, "fp32")]
)
def test_a_worker_that_dies_is_told_with_its_likely_cause(store: Store, deadly: signal.Signals, advice: str) -> None:
    with Pool.started(1, 1, store, ()) as pool:
        pid = pool._workers[0].process.pid
        assert pid is not None
        os.kill(pid, deadly)
        with pytest.raises(UserError, match=advice):
            pool.reports()


def test_no_worker_outlives_the_pool(store: Store) -> None:
    with Pool.started(2, 1, store, ()) as pool:
        processes = [worker.process for worker in pool._workers]
        assert all(process.is_alive() for process in processes)
    assert not any(process.is_alive() for process in processes)


def test_a_step_that_crashes_is_reported_and_the_worker_lives_on(store: Store, train: MakeTrain) -> None:
    with Pool.started(1, 1, store, ()) as pool:
        for _ in range(2):
            pool.give(0, train("no such split"))
            report = pool.reports()[0]
            assert report.mistake is not None
            assert "no such file" in report.mistake
            assert pool.idle() == [0]


def test_the_number_of_threads_is_told_to_the_workers_alone(store: Store, train: MakeTrain) -> None:
    split = Split("s", (Example.make("1", "A", "B", "neutral", task="composed"),))
    step = train(store.put_split(split), threads=2)
    before = os.environ.get("OMP_NUM_THREADS")
    with Pool.started(1, 2, store, ()) as pool:
        assert os.environ.get("OMP_NUM_THREADS") == before, "only the workers are told"
        pool.give(0, step)
        while step.key not in store:
            assert not any(report.crash or report.mistake for report in pool.reports())
    assert (store.path(step.key) / "weights.safetensors").exists()
