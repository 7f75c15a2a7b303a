"""Strategies that are defined in a notebook or a script, sent to worker processes. Imports no torch."""

from __future__ import annotations

import ast
import copyreg
import dataclasses
import hashlib
import inspect
import linecache
import pickle

from trivium.learn.strategy import STRATEGIES, Strategy

# The fields of a dataclass refer to this value, which is compared by identity: pickle it by its name, not as a copy.
copyreg.pickle(type(dataclasses.MISSING), lambda missing: "MISSING")


def interactive_hash(strategy: type[Strategy]) -> str | None:
    """Return the hash of the source of a strategy that is defined in ``__main__``, else None."""
    if strategy.__module__ != "__main__":
        return None
    source = _source(strategy)
    if source is None:  # typed at a prompt that keeps no source: the hash holds for this process only
        import cloudpickle

        source = repr(cloudpickle.dumps(strategy))
    return hashlib.sha256(source.encode()).hexdigest()


def _source(cls: type) -> str | None:
    """Return the source of a class, also of one that is defined in a notebook, if it is kept."""
    try:
        return inspect.getsource(cls)
    except (OSError, TypeError):
        pass
    # Before Python 3.13, inspect finds no class of a notebook, but the methods know the cell that they are from.
    for method in filter(inspect.isfunction, vars(cls).values()):
        cell = "".join(linecache.getlines(method.__code__.co_filename))
        for node in ast.walk(ast.parse(cell)):
            if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
                return ast.get_source_segment(cell, node)
    return None


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
