"""Send strategies that are defined in a notebook or a script to worker processes. Imports no torch."""

from __future__ import annotations

import ast
import copyreg
import dataclasses
import hashlib
import inspect
import linecache
import pickle
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from trivium.learn.strategy import STRATEGIES, Strategy

# The fields of a dataclass refer to this value, which is compared by identity: pickle it by its name, not as a copy.
copyreg.pickle(type(dataclasses.MISSING), lambda missing: "MISSING")

_Definition: TypeAlias = type | FunctionType


def interactive_hash(strategy: type[Strategy]) -> str | None:
    """Return the hash of the source of a strategy that is defined in ``__main__``, else None.

    The hash includes the functions and classes of ``__main__`` that the strategy uses, and those that these use.
    """
    if strategy.__module__ != "__main__":
        return None
    sources = [_source(part) for part in _with_helpers(strategy)]
    if None in sources:  # typed at a prompt that keeps no source: the hash is valid in this process only
        import cloudpickle

        sources = [repr(cloudpickle.dumps(strategy))]
    first, *helpers = map(str, sources)
    return hashlib.sha256("\n".join([first, *sorted(helpers)]).encode()).hexdigest()


def _with_helpers(strategy: type[Strategy]) -> list[_Definition]:
    """Return a strategy, and all functions and classes of ``__main__`` that it refers to, directly or not."""
    parts: list[_Definition] = [strategy]
    for part in parts:  # grows while it is walked
        for value in _references(part):
            if isinstance(value, _Definition) and value.__module__ == "__main__" and value not in parts:
                parts.append(value)
    return parts


def _references(part: _Definition) -> Iterator[Any]:
    """Yield the global values that a function, or the methods of a class, refer to, and the bases of a class."""
    if isinstance(part, type):
        yield from part.__bases__
        for member in vars(part).values():
            function = getattr(member, "__func__", getattr(member, "fget", member))  # of a class method or a property
            if isinstance(function, FunctionType):
                yield from _references(function)
        return
    codes = [part.__code__]
    for code in codes:  # grows: nested functions and comprehensions are constants of the code
        yield from (part.__globals__[name] for name in code.co_names if name in part.__globals__)
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _source(part: _Definition) -> str | None:
    """Return the source of a function or class, even of a class in a notebook; None if it is not available."""
    try:
        return inspect.getsource(part)
    except (OSError, TypeError):
        pass
    # Before Python 3.13, inspect finds no class of a notebook, but its methods know their cell.
    cls = part
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
