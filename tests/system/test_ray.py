"""On a Ray cluster of three nodes, with a folder or an object store on loopback, results are those of one machine."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trivium.engine.store import Store

Small = tuple[str, ...]
Trivium = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(params=["folder", "s3"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """The address of a store: in a folder, or in an object store on loopback, which nodes know by their environment."""
    if request.param == "folder":
        yield str(tmp_path / "store")
        return
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path / "cache"))
    yield "s3://results/store"
    server.stop()


@pytest.fixture
def cluster(place: str) -> Iterator[Any]:
    """Three nodes with a processor each."""
    utils = pytest.importorskip("ray.cluster_utils", reason="needs the extra 'ray'")
    options = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80_000_000}
    cluster = utils.Cluster(initialize_head=True, head_node_args=options)
    for _ in range(2):
        cluster.add_node(num_cpus=1, object_store_memory=80_000_000)
    cluster.wait_for_nodes(timeout=60)
    yield cluster
    cluster.shutdown()


def _predictions(store: Store) -> dict[str, str]:
    """Return the hash of every stored prediction."""
    files = {key: store.path(key) / "logits.safetensors" for key in list(store.keys())}
    return {key: hashlib.sha256(file.read_bytes()).hexdigest() for key, file in files.items() if file.exists()}


def _wait_for_steps(running: subprocess.Popen[bytes], store: Store, number: int) -> None:
    for _ in range(1200):
        if running.poll() is not None or (store.storage.exists("store.json") and len(store.keys()) >= number):
            return
        time.sleep(0.25)
    pytest.fail("the run made no progress in five minutes")


def test_a_node_and_the_driver_are_killed_and_the_results_are_the_same(
    place: str,
    cluster: Any,
    program: list[str],
    environment: dict[str, str],
    small: Small,
    trivium: Trivium,
    finished: Path,
) -> None:
    variables = {"RAY_ADDRESS": cluster.address, "TRIVIUM_EXECUTOR": "ray://auto"}
    variables |= {name: value for name, value in os.environ.items() if name.startswith(("AWS_", "TRIVIUM_CACHE"))}
    store = Store(place)
    command = [*program, "run", *small, "--store", place]
    running = subprocess.Popen(
        command, env=environment | variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _wait_for_steps(running, store, 1)
    cluster.remove_node(list(cluster.worker_nodes)[-1], allow_graceful=False)
    _wait_for_steps(running, store, 3)
    running.send_signal(signal.SIGKILL)
    running.wait(30)
    done = trivium("run", *small, "--store", place, **variables)
    assert done.returncode == 0, done.stderr
    assert _predictions(Store(place)) == _predictions(Store(finished))
