"""Load plugins: Python files in which users register their own components."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from trivium.errors import UserError, describe, option

_loaded: dict[Path, str] = {}  # the sha256 of each loaded plugin, by its resolved path


def load_plugins(files: Sequence[Path]) -> None:
    """Execute each plugin file once, so that the components it registers can be looked up by name."""
    for file in files:
        path = file.resolve()
        if path in _loaded:
            continue
        if not path.is_file():
            raise UserError(f"{option('plugins', file, shell='plugin')}: no such file")
        try:
            sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise UserError(f"{option('plugins', file, shell='plugin')}: cannot be read ({error.strerror})") from None
        name = f"trivium_plugin_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise UserError(f"{option('plugins', file, shell='plugin')}: must be a Python file (.py)")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except (UserError, KeyboardInterrupt):
            raise
        except BaseException as error:  # also SystemExit, which would end the program as if it had succeeded
            where = option("plugins", file, shell="plugin")
            raise UserError(f"{where}: cannot be loaded: {describe(error)}") from error
        _loaded[path] = sha256


def plugin_hash(component: type) -> str | None:
    """Return the sha256 of the plugin file that defines a component, or None if no plugin defines it."""
    module = sys.modules.get(component.__module__)
    file = getattr(module, "__file__", None)
    return _loaded.get(Path(file).resolve()) if file else None
