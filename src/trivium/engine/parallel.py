"""Train one step in several processes: the worker starts helpers, which run the same training."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from trivium.engine.executors.local import environment_variables
from trivium.engine.steps import TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.checkpoint import Checkpoints
from trivium.learn.interactive import interactive_strategies, register_interactive
from trivium.learn.parallel import Group
from trivium.plugins import load_plugins, loaded_plugins

_READY = b"ready\n"
_SECONDS_TO_END = 5.0


@dataclass(frozen=True)
class _Task:
    """The input of a helper: the worker's step, store and checkpoint, the port of the group, and the helper's rank.

    ``device`` is the index of the worker's GPU; the helper with rank r uses the r-th GPU after it.
    """

    step: TrainStep
    store: str
    checkpoint: Path | None
    plugins: tuple[Path, ...]
    strategies: bytes
    port: int
    device: int
    rank: int


@contextmanager
def start_group(step: TrainStep, store: Store, checkpoints: Checkpoints) -> Iterator[Group]:
    """Start the helpers of a training, and yield the group; they are killed when the block ends or fails.

    All processes continue from the last of ``checkpoints``.
    """
    if step.processes == 1:
        yield Group()
        return
    device = _check(step)
    plugins = tuple(file for file in loaded_plugins() if file.is_file())  # one that is gone was loaded for another run
    context = (step, store.url, checkpoints.load(), plugins, interactive_strategies(), _free_port(), device)
    helpers: list[_Helper] = []
    try:
        for rank in range(1, step.processes):
            helpers.append(_Helper(_Task(*context, rank)))
        for helper in helpers:
            helper.wait_until_ready()
        try:
            with _join(_Task(*context, 0)) as group:
                yield group
        except RuntimeError as error:  # torch's error if another process is gone
            for helper in helpers:
                helper.raise_if_failed(error)
            raise
    finally:
        for helper in helpers:
            helper.kill()


class _Helper:
    """A process that takes part in a training. It ends when its standard input closes, even if its parent is killed."""

    def __init__(self, task: _Task) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by kill)
        command = [sys.executable, "-c", "from trivium.engine.parallel import help_training; help_training()"]
        pipe = subprocess.PIPE
        variables = os.environ | _variables(task)
        self._process = subprocess.Popen(command, env=variables, stdin=pipe, stdout=pipe, stderr=self._errors)
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended: wait_until_ready reports why
            self._process.stdin.write(pickle.dumps(task))
            self._process.stdin.flush()

    def wait_until_ready(self) -> None:
        """Wait until the process joins the group; raise if it ends before."""
        assert self._process.stdout is not None
        if self._process.stdout.readline() != _READY:
            self.raise_if_failed(None)
            raise RuntimeError("a process of a parallel training did not start")

    def raise_if_failed(self, error: Exception | None) -> None:
        """Raise if the process ended with an error."""
        try:
            code = self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            return
        if code < 0:
            name = signal.Signals(-code).name
            raise UserError(
                f"a process of a parallel training was killed by {name}, perhaps because memory ran out: "
                "lower train.processes"
            ) from error
        if code > 0:
            self._errors.seek(0)
            text = self._errors.read().decode(errors="replace")
            raise RuntimeError(f"a process of a parallel training failed:\n{text}") from error

    def kill(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._errors):
            assert file is not None
            with suppress(BrokenPipeError):
                file.close()


def help_training() -> None:
    """Take part in the training of the worker that started this process. Only the worker stores the result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker's parent handles Ctrl-C
    reply = os.dup(1)
    os.dup2(2, 1)  # what libraries print must not reach the worker
    task: _Task = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_worker, daemon=True).start()
    load_plugins(task.plugins)
    register_interactive(task.strategies)

    from trivium.engine.execute import prepare, train_together

    prepare(task.step)
    os.write(reply, _READY)
    with _join(task) as group:
        train_together(task.step, Store(task.store), group, _SameCheckpoint(task.checkpoint))


@dataclass(frozen=True)
class _SameCheckpoint:
    """The checkpoint that the worker continues from. A helper writes none."""

    folder: Path | None

    def load(self) -> Path | None:
        """Return the folder of the worker's checkpoint."""
        return self.folder

    def is_due(self) -> bool:
        """Leave writing to the worker."""
        return False

    def writing(self) -> AbstractContextManager[Path]:
        """Refuse to write."""
        raise NotImplementedError


def _end_with_worker() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


def _check(step: TrainStep) -> int:
    """Raise a UserError if this machine cannot run the processes; return the index of the worker's GPU."""
    try:
        import accelerate  # noqa: F401
    except ImportError:
        raise UserError("train.processes needs the package accelerate: pip install 'trivium-nli[parallel]'") from None
    import torch

    if torch.distributed.is_available() and torch.distributed.is_initialized():
        raise UserError(
            "train.processes: this process already belongs to a torch.distributed group: start it without torchrun"
        )
    if step.train.device == "cpu":
        return 0
    if step.processes > (number := torch.cuda.device_count()):
        raise UserError(f"train.processes is {step.processes}, but torch finds {number} GPUs here: lower it")
    return torch.cuda.current_device()


@contextmanager
def _join(task: _Task) -> Iterator[Group]:
    """Join the group of processes within the block."""
    import torch
    from accelerate import PartialState

    is_cpu = task.step.train.device == "cpu"
    PartialState._reset_state()
    with environment_variables(_variables(task)):
        state = PartialState(cpu=is_cpu)
    try:
        torch.set_num_threads(task.step.train.threads)
        if not is_cpu:
            torch.cuda.set_device((task.device + task.rank) % torch.cuda.device_count())
        yield Group(state.process_index, state.num_processes)
    finally:
        state.destroy_process_group()
        PartialState._reset_state()


def _variables(task: _Task) -> Mapping[str, str]:
    """Return the environment variables of a process of the group."""
    size, rank = str(task.step.processes), str(task.rank)
    variables = {"WORLD_SIZE": size, "LOCAL_WORLD_SIZE": size, "RANK": rank, "LOCAL_RANK": rank}
    variables |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(task.port)}
    if Path("/sys/class/net/lo").exists():
        variables["GLOO_SOCKET_IFNAME"] = "lo"  # all processes are on this machine
    # Modules must not be imported from the current folder; see executors/local.py.
    folders = [path for path in sys.path if path and Path(path).is_absolute() and Path(path) != Path.cwd()]
    variables |= {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(folders)}
    threads = str(task.step.train.threads)
    return variables | {"OMP_NUM_THREADS": threads, "OMP_WAIT_POLICY": "PASSIVE", "TOKENIZERS_PARALLELISM": "false"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
