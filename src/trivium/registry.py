"""Registries of named components: a strategy, source or model family is one file with one registration line."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from trivium.errors import UserError, unknown_name
from trivium.plugins import plugin_file

T = TypeVar("T")


class Registry(Generic[T]):
    """Components of one kind by name, in the order of registration."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._components: dict[str, T] = {}

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that registers a component under ``name`` and returns it unchanged."""

        def decorate(component: T) -> T:
            known = self._components.get(name)
            if known is not None and not _is_same_source(known, component):
                where = plugin_file(known) or "Trivium"
                raise UserError(f"{self.kind} {name!r} is already registered by {where}: choose another name")
            self._components[name] = component
            return component

        return decorate

    def __getitem__(self, name: str) -> T:
        if name not in self._components:
            raise unknown_name(self.kind, name, self._components)
        return self._components[name]

    def __contains__(self, name: object) -> bool:
        return name in self._components

    def __len__(self) -> int:
        return len(self._components)

    def __iter__(self) -> Iterator[str]:
        return iter(self._components)

    def items(self) -> Iterator[tuple[str, T]]:
        """Yield each name with its component, in the order of registration."""
        return iter(self._components.items())


def import_modules(package: str) -> None:
    """Import every module of a package, so that its components are registered."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(f"{package}.{module.name}")


def _is_same_source(known: object, component: object) -> bool:
    """Return whether a component may replace another: its notebook cell ran again, or its file was loaded again."""
    modules = [getattr(each, "__module__", None) for each in (known, component)]
    if modules[0] == "__main__":
        return True
    return modules[0] != modules[1] and plugin_file(known) is not None and plugin_file(known) == plugin_file(component)
