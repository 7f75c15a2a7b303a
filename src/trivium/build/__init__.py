"""Generate benchmark data and divide it into controlled splits. Does not import torch."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _CallableModule(ModuleType):
    """A callable module: ``tv.build(…)`` is a function, although this package has the same name."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return import_module("trivium.api").build(*arguments, **options)


sys.modules[__name__].__class__ = _CallableModule
