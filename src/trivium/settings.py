"""Values that a user writes: presets in TOML, overrides on the command line, all mistakes at once."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from trivium.errors import ConfigError, Problem, UserError, did_you_mean, unknown_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class Settings(BaseModel):
    """Settings are frozen, and an unknown name is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


S = TypeVar("S", bound=Settings)
T = TypeVar("T")


def read_settings(kind: type[S], file: Path, overrides: Sequence[str] = ()) -> S:
    """Settings from a TOML file with ``name.name=value`` overrides; an error that lists every mistake."""
    try:
        plain = tomllib.loads(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise UserError(f"{file}: not UTF-8, which TOML must be") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{file}: not TOML: {error}") from None
    except OSError as error:
        raise UserError(f"{file}: it cannot be read ({error.strerror})") from None
    for override in overrides:
        _override(plain, override)
    try:
        return kind.model_validate(plain)
    except ValidationError as error:
        raise ConfigError(_problems(error, kind, file.name, overrides)) from None


def read_preset(kind: type[S], presets: Mapping[str, Path], preset: str, overrides: Sequence[str] = ()) -> S:
    """The settings of a preset (by name, or a TOML file of the user's) with overrides."""
    file = Path(preset)
    if preset in presets:
        file = presets[preset]
    elif file.suffix != ".toml":
        raise unknown_name("preset", preset, presets)
    return read_settings(kind, file, overrides)


def each_once(values: tuple[T, ...]) -> tuple[T, ...]:
    """The values of a list; an error if one is there twice."""
    twice = [value for value in dict.fromkeys(values) if values.count(value) > 1]
    if twice:
        raise ValueError(f"each may be named once, but {', '.join(map(repr, twice))} is there twice")
    return values


def read_values(overrides: Sequence[str]) -> dict[str, Any]:
    """The values of ``name=value`` overrides."""
    plain: dict[str, Any] = {}
    for override in overrides:
        _override(plain, override)
    return plain


def _override(plain: dict[str, Any], override: str) -> None:
    name, equals, text = override.partition("=")
    if not equals or not name:
        raise UserError(f"--set {override}: write it as name=value, for instance train.epochs=2")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    *path, last = name.split(".")
    for part in path:
        plain = plain.setdefault(part, {})
        if not isinstance(plain, dict):
            raise UserError(f"--set {override}: {part!r} is a value, not a group of settings")
    plain[last] = value


def _problems(error: ValidationError, kind: type[BaseModel], file: str, overrides: Sequence[str]) -> Iterable[Problem]:
    problems = error.errors()
    places = [problem["loc"] for problem in problems]
    for problem in problems:
        # An item that is wrong makes its list too short: that is one mistake, not two.
        place = problem["loc"]
        if problem["type"] == "too_short" and any(other[: len(place)] == place != other for other in places):
            continue
        name = ".".join(str(part) for part in place)
        where = _origin(name, file, overrides)
        if problem["type"] == "extra_forbidden":
            known = _names_beside(kind, place)
            yield Problem(where, f"unknown setting {name!r}: {did_you_mean(str(place[-1]), known)}")
        else:
            listed = '["a", "b"]' if isinstance(problem["input"], str) else "[1, 2]"
            message = problem["msg"].removeprefix("Value error, ").replace("a valid tuple", f"a list, such as {listed}")
            shown = "" if problem["type"] == "value_error" else f" (it is {problem['input']!r})"
            yield Problem(where, f"{name}: {message}{shown}" if name else f"{message}{shown}")


def _origin(name: str, file: str, overrides: Sequence[str]) -> str:
    """Where a value comes from: the last option that sets it, or something in it, or else the file."""
    for override in reversed(overrides):
        given = override.partition("=")[0]
        if f"{name}.".startswith(f"{given}.") or f"{given}.".startswith(f"{name}."):
            return f"--set {override}"
    return file


def _names_beside(kind: type[BaseModel], path: tuple[int | str, ...]) -> Iterable[str]:
    fields: Mapping[str, Any] = kind.model_fields
    for part in path[:-1]:
        inner = fields[str(part)].annotation
        kinds = [kind for kind in (inner, *get_args(inner)) if hasattr(kind, "model_fields")]
        if not kinds:
            return ()
        fields = kinds[0].model_fields
    return fields


def to_toml(settings: BaseModel) -> str:
    """All settings as TOML, so that a report shows what every value was; what is not set is left out."""
    return "\n".join(_toml_lines(settings.model_dump(mode="json", exclude_none=True), ())) + "\n"


def _toml_lines(plain: Mapping[str, Any], path: tuple[str, ...]) -> Iterable[str]:
    if path:
        yield f"\n[{'.'.join(map(_toml_name, path))}]"
    for name, value in plain.items():
        if not isinstance(value, dict):
            yield f"{_toml_name(name)} = {_toml_value(value)}"
    for name, value in plain.items():
        if isinstance(value, dict) and value:
            yield from _toml_lines(value, (*path, name))


def _toml_name(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else _toml_value(name)


def _toml_value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
