"""Generators of benchmark data, and the controlled splits made from it. Imports no torch."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _CallableModule(ModuleType):
    """Makes ``tv.build(…)`` work although importing this package binds it to the same name."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return import_module("trivium.api").build(*arguments, **options)


sys.modules[__name__].__class__ = _CallableModule
