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
            where, why = option("plugins", file, shell="plugin"), describe(error)
            advice = ": write @dataclass(frozen=True)" if "non-frozen dataclass" in why else ""
            raise UserError(f"{where}: cannot be loaded: {why}{advice}") from error
        _loaded[path] = sha256


def plugin_file(component: object) -> Path | None:
    """Return the file outside of Trivium that defines a component: a plugin, or a module that a script imports."""
    name = getattr(component, "__module__", "__main__")
    file = getattr(sys.modules.get(name), "__file__", None)
    return Path(file).resolve() if file and name != "__main__" and name.split(".")[0] != "trivium" else None


def loaded_plugins() -> tuple[Path, ...]:
    """Return the plugin files that this process has loaded."""
    return tuple(_loaded)


def plugin_hash(component: type) -> str | None:
    """Return the sha256 of the file outside of Trivium that defines a component, or None if there is none."""
    path = plugin_file(component)
    if path is not None and path not in _loaded:  # imported by a script: now it counts as loaded
        _loaded[path] = hashlib.sha256(path.read_bytes()).hexdigest()
    return None if path is None else _loaded[path]
