"""A user's own parts: a Python file whose registration lines are run."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from trivium.errors import UserError

_loaded: dict[Path, str] = {}


def load_plugins(files: Sequence[Path]) -> None:
    """Run each file once; what it registers is then found by name."""
    for file in files:
        path = file.resolve()
        if path in _loaded:
            continue
        if not path.is_file():
            raise UserError(f"--plugin {file}: there is no such file")
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        name = f"trivium_plugin_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise UserError(f"--plugin {file}: a plugin is a Python file (.py)")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except UserError:
            raise
        except Exception as error:
            raise UserError(f"--plugin {file}: it cannot be loaded: {type(error).__name__}: {error}") from error
        _loaded[path] = content


def plugin_hash(part: type) -> str | None:
    """The hash of the file that a part was registered in, if that is a plugin."""
    module = sys.modules.get(part.__module__)
    file = getattr(module, "__file__", None)
    return _loaded.get(Path(file).resolve()) if file else None
