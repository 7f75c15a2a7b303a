"""Strategies that are defined in a notebook or a script, sent to worker processes. Imports no torch."""

from __future__ import annotations

import copyreg
import dataclasses
import hashlib
import inspect
import pickle

from trivium.learn.strategy import STRATEGIES, Strategy

# The fields of a dataclass refer to this value, which is compared by identity: pickle it by its name, not as a copy.
copyreg.pickle(type(dataclasses.MISSING), lambda missing: "MISSING")


def interactive_hash(strategy: type[Strategy]) -> str | None:
    """Return the hash of the source of a strategy that is defined in ``__main__``, else None."""
    if strategy.__module__ != "__main__":
        return None
    try:
        source = inspect.getsource(strategy)
    except (OSError, TypeError):  # typed at a prompt that keeps no source
        import cloudpickle

        source = repr(cloudpickle.dumps(strategy))
    return hashlib.sha256(source.encode()).hexdigest()


def interactive_strategies() -> bytes:
    """Return the strategies that are defined in ``__main__``, pickled by value for our own worker processes."""
    strategies = {name: cls for name, cls in STRATEGIES.items() if cls.__module__ == "__main__"}
    if not strategies:
        return b""
    import cloudpickle

    return bytes(cloudpickle.dumps(strategies))


def register_interactive(strategies: bytes) -> None:
    """Register, in a worker process, what :func:`interactive_strategies` returned in its parent."""
    if not strategies:
        return
    for name, cls in pickle.loads(strategies).items():
        if name not in STRATEGIES:
            STRATEGIES.register(name)(cls)
