from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from trivium.data import Example, Split
from trivium.engine.executors import ExecutorConfig, Report, find_executors, split_address
from trivium.engine.executors.local import start_local
from trivium.engine.machine import available_memory, check_memory, memory_of
from trivium.engine.steps import TrainStep
from trivium.engine.store import Store
from trivium.engine.worker import Worker
from trivium.errors import UserError

MakeTrain = Callable[..., TrainStep]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store").open()


def config(store: Store, workers: int = 1, threads: int = 1) -> ExecutorConfig:
    return ExecutorConfig("", workers, threads, store.url, store.id)


def some_split(store: Store) -> str:
    return store.put_split(Split("s", (Example.make("1", "A", "B", "neutral", task="composed"),)))


@pytest.mark.parametrize(("deadly", "advice"), [(signal.SIGKILL, "probably out of memory"), (signal.SIGILL, "fp32")])
def test_a_worker_that_dies_is_replaced_and_its_step_reported_as_lost(
    store: Store, train: MakeTrain, deadly: signal.Signals, advice: str
) -> None:
    step = train(some_split(store))
    with start_local(config(store)) as executor:
        pid = executor.workers[0].process.pid
        assert pid is not None
        os.kill(pid, deadly)
        executor.submit(step)
        (report,) = executor.reports()
        assert advice in (report.lost or "")
        assert executor.workers[0].process.pid != pid
        executor.submit(step)
        while step.key not in store:
            assert all(report.lost is None for report in executor.reports())


def test_no_worker_outlives_the_executor(store: Store) -> None:
    with start_local(config(store, workers=2)) as executor:
        processes = [worker.process for worker in executor.workers]
        assert all(process.is_alive() for process in processes)
    assert not any(process.is_alive() for process in processes)


def test_a_step_that_fails_is_reported_and_the_worker_lives_on(store: Store, train: MakeTrain) -> None:
    with start_local(config(store)) as executor:
        for _ in range(2):
            executor.submit(train("no such split"))
            (report,) = executor.reports()
            assert "missing from the store" in (report.mistake or "")
            assert executor.accepts(train("another"))


def test_the_number_of_threads_is_told_to_the_workers_alone(store: Store, train: MakeTrain) -> None:
    step = train(some_split(store), threads=2)
    before = os.environ.get("OMP_NUM_THREADS")
    with start_local(config(store, threads=2)) as executor:
        assert os.environ.get("OMP_NUM_THREADS") == before
        executor.submit(step)
        while step.key not in store:
            assert not any(report.crash or report.mistake for report in executor.reports())
    assert (store.path(step.key) / "weights.safetensors").exists()


def test_workers_import_nothing_from_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "pickle.py").write_text("open('executed', 'w').close()\nraise SystemExit\n")
    code = (
        "import sys; sys.path = [entry for entry in sys.path if entry]\n"
        "from trivium.engine.executors import ExecutorConfig\n"
        "from trivium.engine.executors.local import start_local\n"
        "from trivium.engine.store import Store\n"
        "store = Store('store').open()\n"
        "with start_local(ExecutorConfig('', 1, 1, store.url, store.id)) as executor:\n"
        "    executor.workers[0].process.join(3)\n"
        "    assert executor.workers[0].process.is_alive()\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)
    assert not (tmp_path / "executed").exists()


def test_a_worker_that_sees_another_store_says_so(store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path / "other").open()
    with pytest.raises(UserError, match="a folder that all machines share, or a bucket"):
        Worker.start(ExecutorConfig("", 1, 1, other.url, store.id))


def test_a_processor_that_a_run_does_not_demand_is_refused(store: Store, train: MakeTrain) -> None:
    worker = Worker.start(ExecutorConfig("", 1, 1, store.url, store.id, processor="Z80"))
    report = worker.run(train(some_split(store)), lambda done, total: None)
    assert "requires the processor 'Z80'" in (report.mistake or "")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(28, "No space left on device"), "free some space"),
        (MemoryError(), "not enough memory"),
        (
            RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
            "not enough memory",
        ),
    ],
)
def test_faults_of_the_machine_are_mistakes_and_not_crashes(
    store: Store, train: MakeTrain, monkeypatch: pytest.MonkeyPatch, error: Exception, expected: str
) -> None:
    def fail(*args: object) -> float:
        raise error

    monkeypatch.setattr("trivium.engine.execute.execute", fail)
    report = Worker.start(config(store)).run(train(some_split(store)), lambda done, total: None)
    assert expected in (report.mistake or "")
    assert report.crash is None


def test_a_damaged_parent_is_named(store: Store, train: MakeTrain) -> None:
    parent = train(some_split(store))
    worker = Worker.start(config(store))
    assert worker.run(parent, lambda done, total: None).seconds is not None
    weights = store.path(parent.key) / "weights.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(bytes(content))
    report = Worker.start(config(store)).run(train(some_split(store), parent=parent), lambda done, total: None)
    assert report == Report(report.key, unreadable=parent.key)


def test_executors_are_found_by_name_and_address() -> None:
    assert {"local", "inline", "ray"} <= set(find_executors())
    assert split_address("ray://host:10001") == ("ray", "host:10001")
    with pytest.raises(UserError, match="did you mean 'local'"):
        split_address("locl")


def test_a_step_that_cannot_fit_is_refused_before_it_starts(train: MakeTrain, monkeypatch: pytest.MonkeyPatch) -> None:
    step = train(batch_size=64)
    assert memory_of(step) > memory_of(train(batch_size=1)) > 0
    available = available_memory()
    assert available is None or available > 0
    monkeypatch.setattr("trivium.engine.machine.available_memory", lambda: 1000)
    with pytest.raises(UserError, match=r"needs about .* GB of memory"):
        check_memory(step)
