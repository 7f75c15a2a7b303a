"""Read the settings that users write: TOML presets and ``name=value`` overrides. All mistakes are reported at once."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from trivium.errors import ConfigError, Problem, UserError, did_you_mean, option, shown, shown_value, unknown_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class Settings(BaseModel):
    """Base class of all settings: frozen, and unknown names are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @field_validator("*", mode="before")
    @classmethod
    def _read_list(cls, value: Any, info: ValidationInfo) -> Any:
        """Split the text ``a,b`` into a list."""
        if isinstance(value, str) and get_origin(cls.model_fields[str(info.field_name)].annotation) is tuple:
            return [item.strip() for item in value.split(",")]
        return value


_DEEPEST = 20  # maximum number of groups in the name of a setting
S = TypeVar("S", bound=Settings)
T = TypeVar("T")


def read_settings(cls: type[S], file: Path, overrides: Sequence[str] = ()) -> S:
    """Read settings from a TOML file and apply ``name.name=value`` overrides.

    Raise a ConfigError that lists every mistake in the file and in the overrides.
    """
    values = read_toml(file)
    for override in overrides:
        _apply_override(values, override)
    try:
        return cls.model_validate(values)
    except ValidationError as error:
        raise ConfigError(_problems(error, cls, file.name, overrides)) from None


def read_toml(file: Path) -> dict[str, Any]:
    """Return the values of a TOML file. Raise a UserError if it cannot be read or is not valid."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise UserError(f"{file}: not UTF-8, which TOML requires") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{file}: not TOML: {error}") from None
    except RecursionError:
        raise UserError(f"{file}: brackets are nested too deeply") from None
    except ValueError as error:  # a number with thousands of digits, a path with a NUL character
        raise UserError(f"{file}: cannot be parsed: {error}") from None
    except OSError as error:
        raise UserError(f"{file}: cannot be read ({error.strerror})") from None


def read_preset(cls: type[S], presets: Mapping[str, Path], preset: str, overrides: Sequence[str] = ()) -> S:
    """Read a preset, given by name or as the path of a TOML file, and apply the overrides."""
    file = Path(preset)
    if preset in presets:
        file = presets[preset]
    elif file.suffix != ".toml":
        raise unknown_name("preset", preset, presets)
    return read_settings(cls, file, overrides)


def check_unique(values: tuple[T, ...]) -> tuple[T, ...]:
    """Return the values unchanged. Raise a ValueError if a value occurs more than once."""
    duplicates = [value for value in dict.fromkeys(values) if values.count(value) > 1]
    if duplicates:
        raise ValueError(f"duplicate values: {', '.join(map(repr, duplicates))}")
    return values


def read_values(overrides: Sequence[str]) -> dict[str, Any]:
    """Return the values of ``name.name=value`` overrides as nested dictionaries."""
    values: dict[str, Any] = {}
    for override in overrides:
        _apply_override(values, override)
    return values


def _apply_override(values: dict[str, Any], override: str) -> None:
    """Set the value of one override in nested dictionaries. Text that is not a TOML value is taken as a string."""
    name, equals, text = override.partition("=")
    if not equals or not name:
        raise UserError(f"{option('set', override)}: write it as name=value, for instance train.epochs=2")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    except RecursionError:
        raise UserError(f"{option('set', shown(override))}: brackets are nested too deeply") from None
    except ValueError as error:  # a number with thousands of digits
        raise UserError(f"{option('set', shown(override))}: cannot be parsed: {error}") from None
    *groups, last = name.split(".")
    if len(groups) > _DEEPEST:
        raise UserError(f"{option('set', shown(override))}: the name has more than {_DEEPEST} dots")
    for group in groups:
        values = values.setdefault(group, {})
        if not isinstance(values, dict):
            raise UserError(f"{option('set', override)}: {group!r} is a value, not a group of settings")
    values[last] = value


def _problems(error: ValidationError, cls: type[BaseModel], file: str, overrides: Sequence[str]) -> Iterable[Problem]:
    """Yield the problems of a validation error, in words that do not require knowledge of pydantic."""
    details = error.errors()
    locations = [detail["loc"] for detail in details]
    for detail in details:
        # Pydantic also reports a list with an invalid item as too short: skip this second report.
        location = detail["loc"]
        if detail["type"] == "too_short" and any(other[: len(location)] == location != other for other in locations):
            continue
        name = ".".join(str(part) for part in location)
        where = _origin(name, file, overrides)
        if detail["type"] == "extra_forbidden":
            known = _sibling_names(cls, location)
            yield Problem(where, f"unknown setting {name!r}: {did_you_mean(str(location[-1]), known)}")
        else:
            example = '["a", "b"]' if isinstance(detail["input"], str) else "[1, 2]"
            message = detail["msg"].removeprefix("Value error, ").replace("a valid tuple", f"a list, such as {example}")
            value = "" if detail["type"] == "value_error" else f" (got {shown_value(detail['input'])})"
            yield Problem(where, f"{name}: {message}{value}" if name else f"{message}{value}")


def _origin(name: str, file: str, overrides: Sequence[str]) -> str:
    """Return where a setting comes from: the last override of it, of its group or of a part of it, else the file."""
    for override in reversed(overrides):
        target = override.partition("=")[0]
        if f"{name}.".startswith(f"{target}.") or f"{target}.".startswith(f"{name}."):
            return option("set", shown(override))
    return file


def _sibling_names(cls: type[BaseModel], location: tuple[int | str, ...]) -> Iterable[str]:
    """Return the names of all settings in the group that contains ``location``."""
    fields: Mapping[str, Any] = cls.model_fields
    for part in location[:-1]:
        if str(part) not in fields:  # the key of a group that users name, such as suites.snli
            return ()
        annotation = fields[str(part)].annotation
        models = [type_ for type_ in (annotation, *get_args(annotation)) if hasattr(type_, "model_fields")]
        if not models:
            return ()
        fields = models[0].model_fields
    return fields


def to_toml(settings: BaseModel, include: Mapping[str, Any] | None = None) -> str:
    """Return all settings as TOML, defaults included, or those of ``include``. Values that are None are left out."""
    plain = settings.model_dump(mode="json", exclude_none=True, include=None if include is None else dict(include))
    return "\n".join(_toml_lines(plain, ())) + "\n"


def _toml_lines(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterable[str]:
    if path:
        yield f"\n[{'.'.join(map(_toml_name, path))}]"
    for name, value in values.items():
        if not isinstance(value, dict):
            yield f"{_toml_name(name)} = {_toml_value(value)}"
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield from _toml_lines(value, (*path, name))


def _toml_name(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else _toml_value(name)


def _toml_value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
